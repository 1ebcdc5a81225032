"""One round as it lies on the felt: bets, cards, what is awaited and what stopped it.

The state that the fold changes fact by fact: `from_people`, `from_shoe` and `from_camera` say what each fact
does to it, and `judge` leads every fact to its place.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rules.bets import Bets, Refusal
from rules.cards import Card
from rules.facts import CardDrawn, CardUnsure, Fact, FaultRaised, Spot
from rules.law import Law, RuleBook
from rules.round import Await, Dealt, Irregularity, Laid, Misdeal, Payout, Round
from rules.settle import settle
from rules.shoe import Shoe

REMEDIES: Mapping[str, tuple[str, ...]] = {
    "early_card": ("burn", "resume", "insert", "void_round"),
    "extra_card": ("burn", "strike", "void_round"),
    "missing_card": ("replace", "insert", "resume", "void_round"),
    "unreadable": ("replace", "void_round"),
    "wrong_spot": ("resume", "strike", "void_round"),
    "shoe_camera_mismatch": ("replace", "resume", "strike", "void_round"),
    "same_card_again": ("resume", "strike", "void_round"),
    "foreign_card": ("replace", "burn", "void_round"),
    "count_exceeded": ("replace", "burn", "void_round"),
    "card_returned": ("resume", "void_round"),
    "out_of_step": ("resume", "insert", "strike", "void_round"),
    "restarted": ("resume", "insert", "void_round"),
    "reading_changed": ("replace", "resume", "void_round"),
    "result_mismatch": ("resume", "void_round"),
    "dealing_error": ("resume", "void_round"),
    "shoe_empty": ("void_round",),
    "face_up_card": (),
    "device_fault": (),
}
"""Every irregularity, with the rulings that may end it (op.errors), the proposed one first."""


Line = tuple[int, Fact, bool]
"""A line of the log: its number, the fact, and whether a person entered it in place of a device."""


class Held(NamedTuple):
    """A line that waits for its turn, with what a ruling made of it."""

    n: int
    fact: Fact
    by_hand: bool
    mark: str


class Uncovered(NamedTuple):
    """A sighting that waits: for its card to be due, or for the dealer's word on it."""

    spot: Spot
    card: Card
    n: int
    by_hand: bool


_OVER = Await("nothing", "")
_NOTHING: Mapping[Spot, CardUnsure] = {}


@dataclass(slots=True)
class Standing:
    """What outlives a round: the shoe, faults of devices, who enters the cards, the cards left lying."""

    shoe: Shoe
    faults: dict[tuple[str, str], tuple[int, FaultRaised]] = field(default_factory=dict)
    """By source and code: the faults that hold the round, with the numbers of their facts."""
    by_hand: frozenset[str] = frozenset()
    """The devices that the dealer stands in for: `shoe`, `camera`."""
    dealt: tuple[Dealt, ...] = ()
    """The cards of the round before, in the order in which they came."""

    @property
    def before(self) -> tuple[Laid, ...]:
        """The cards of the round before, which may still lie there."""
        return tuple(map(Laid._make, self.dealt))

    def copy(self) -> "Standing":
        """The same standing, to judge a round anew from it."""
        return Standing(self.shoe.copy(), self.faults.copy(), self.by_hand, self.dealt)


@dataclass(slots=True)
class Felt:
    """One round under one law, from a standing that it changes as it goes."""

    law: Law
    number: int
    standing: Standing
    bets: Bets = field(default_factory=Bets)
    free_hand: bool = False
    book: RuleBook | None = None
    """The game's own chapter, from the first card to the end."""
    awaited: Await | None = None
    """What the chapter awaits; shoe and camera may still be behind it."""
    dealt: list[Dealt] = field(default_factory=list)
    """The cards on the felt, in the order in which they came; `laid` names their fields."""
    unseen: int = 0
    """Cards that still need their sighting."""
    burned: tuple[Card | None, ...] = ()
    irregularity: Irregularity | None = None
    halted: bool = False
    """Only a supervisor can go on."""
    held: tuple[Held, ...] = ()
    """What came while the round was halted, or a fault held it."""
    refused: Refusal | None = None
    unsure: Mapping[Spot, CardUnsure] = field(default_factory=lambda: _NOTHING)
    void_seats: frozenset[int] = frozenset()
    ruled: bool = False
    """A supervisor said what the cards are, and so the shoe's own count of the round is another."""
    over: bool = False
    void: bool = False
    counted: tuple[int, ...] | None = None
    """The numbers of the draws of a shoe that counts cards and does not read them; of no other shoe."""
    uncovered: tuple[Uncovered, ...] = ()
    """Sightings that wait for their turn, where it is not the shoe that tells the faces."""
    sighted: frozenset[int] = frozenset()
    """The places in `laid` of cards that were seen though the table needs no sighting."""

    @property
    def begun(self) -> bool:
        """Something of this round lies on the felt, or was called."""
        return self.book is not None or bool(self.bets) or self.free_hand

    @property
    def laid(self) -> tuple[Laid, ...]:
        """The cards on the felt, in the order in which they came."""
        return tuple(map(Laid._make, self.dealt))

    @property
    def faces_are_seen(self) -> bool:
        """No shoe and no dealer tells the face of a card that leaves: the sightings do."""
        return self.law.options.shoe != "reads" and "shoe" not in self.standing.by_hand

    def awaits(self) -> Await:
        """What the round waits for, devices and all."""
        articles = self.law.game.articles
        if self.over:
            return Await("shoe", articles["shoe"]) if self.standing.shoe.over else _OVER
        if self.halted and self.irregularity:
            return Await("ruling", self.irregularity.article, self.irregularity.spot)
        if self.awaited is None:
            shoe = self.standing.shoe
            if shoe.over or shoe.unburned(self.law) or (shoe.fresh and not self.begun):
                return Await("shoe", articles["shoe"])
            return Await("bets", articles["bets"])
        if self.awaited.what == "draw" and self.faces_are_seen:
            if self.counted is None or len(self.counted) > len(self.dealt):
                return Await("seen", articles["seen"], self.awaited.spot)
        elif self.awaited.what == "close" and self.unseen:
            return Await("seen", articles["seen"], next(laid.spot for laid in self.laid if not laid.seen))
        return self.awaited

    def payouts(self) -> tuple[Payout, ...]:
        """What every bet is worth, once all cards of the round are known; of a void round, all back."""
        if self.void:
            return settle(self.law, self.bets, None)
        if self.awaited is None or self.awaited.outcome is None or self.halted:
            return ()
        return settle(self.law, self.bets, self.awaited.outcome, self.void_seats)

    def stands(self) -> Round:
        """The round as a value."""
        return Round(
            number=self.number,
            awaits=self.awaits(),
            bets=tuple(self.bets),
            laid=self.laid,
            burned=self.burned,
            outcome=self.awaited.outcome if self.awaited and not self.void else None,
            payouts=self.payouts(),
            irregularity=self.irregularity or (None if self.over else self.fault()),
            refused=self.refused,
            unsure=self.unsure,
            waiting=tuple(held.fact.card for held in self.held if isinstance(held.fact, CardDrawn)),
            over=self.over,
            void=self.void,
            free_hand=self.free_hand,
            by_hand=any(laid.by_hand for laid in self.laid),
        )

    def fault(self) -> Irregularity | None:
        """The oldest fault that holds the round."""
        for n, fault in self.standing.faults.values():
            about = {"code": fault.code, "source": fault.source}
            return self.irregular("device_fault", n, fault, about=about)
        return None

    def refuse(self, code: str, article: str, **about: str | int) -> None:
        """The last fact changes nothing, and here is why."""
        self.refused = Refusal(code, article, about)

    def irregular(self, code: str, n: int, fact: Fact, **more: Any) -> Irregularity:
        """An irregularity at the place where the round stands."""
        articles = self.law.game.articles
        awaited = self.awaited or Await("bets", articles["bets"])
        article = articles.get(code) or articles["errors"]
        return Irregularity(code, article, n, fact, awaited, REMEDIES[code], **more)

    def halt(self, code: str, n: int, fact: Fact, **more: Any) -> None:
        """Stop the round, unless its chapter has a remedy at the place where it waits."""
        irregularity = self.irregular(code, n, fact, **more)
        if self.book is not None:
            try:
                self.awaited = self.book.throw(Misdeal(irregularity))
            except Misdeal:
                pass  # The chapter has no remedy here: a supervisor must rule.
            else:
                self.irregularity = replace(irregularity, halts=False)
                return
        self.irregularity, self.halted = irregularity, True

    def note(self, code: str, n: int, fact: Fact) -> None:
        """An irregularity that heals itself."""
        self.irregularity = replace(self.irregular(code, n, fact), halts=False)

    def begin(self, n: int, fact: Fact, *, resumed: bool) -> bool:
        """The first card: its chapter opens if the bets stand and the shoe may deal, else it is early."""
        law, shoe = self.law, self.standing.shoe
        lack = None if resumed or (self.free_hand and not self.bets) else law.game.lacks(law, self.bets)
        if lack and self.void_seats and (others := self.bets.without(self.void_seats)):
            lack = law.game.lacks(law, others)
        if not resumed and not lack and (shoe.over or shoe.unburned(law)):
            lack = Refusal("shoe_over" if shoe.over else "unburned", law.game.articles["shoe"])
        if lack:
            about = {"lack": lack.code, "against": lack.article, **lack.about}
            self.halt("early_card", n, fact, about=about)
            return False
        if resumed:
            # A supervisor lets the round be dealt from this shoe as it is.
            shoe.to_burn = 0
        if law.options.shoe == "counts":
            self.counted = ()
        self.book = law.game.deal(law)
        self.awaited = next(self.book)
        return True

    def end(self) -> None:
        """The round is over, paid or void."""
        self.over, self.book = True, None
        self.standing.shoe.round_over()
        self.standing.dealt = tuple(self.dealt)
