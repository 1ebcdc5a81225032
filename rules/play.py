"""The fold of a whole log: rounds one after the other, under the law of their day, rulings and all.

`Play` is the machine face of the rules: facts go in with their numbers, in order, and what it says depends on
nothing else. A round is judged once, fact by fact, and anew from its first fact when a ruling speaks of it.
Which facts belong to a closed round is settled when it closes: a later ruling changes what they mean, not
where they belong.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import itemgetter
from typing import cast

from rules.bets import Bets, Refusal
from rules.facts import (
    BetPlaced,
    CardDrawn,
    CardFaceUp,
    CardsBurned,
    CardSeen,
    Closed,
    Fact,
    RoundOpened,
    Ruled,
    TableSet,
)
from rules.felt import Felt, Held, Line, Standing
from rules.from_people import objects
from rules.judge import anew, feed
from rules.law import Game, Law
from rules.round import Irregularity, Round
from rules.rulings import VOIDS, Amendments, in_force, speaks_of
from rules.shoe import Shoe

ACTIONS = ("strike", "replace", "insert", "burn", "void_round", "void_seat", "resume")

_GOVERNING = frozenset({Ruled, TableSet, RoundOpened})

MARK_EVERY = 16
"""The standing before every so many rounds is kept, so that a ruling need not judge the whole log anew."""


class Play:
    """What a log says of all its rounds."""

    def __init__(self, games: Mapping[str, Game], law: Law | None = None) -> None:
        """Without a law the log itself must set one (`TableSet`) before its first round."""
        self._games = games
        self._laws: list[tuple[int, Law]] = []
        self._numbers: list[int] = []
        self._facts: list[Fact] = []
        """The log: every fact as it came, and its number in the same place."""
        self._by_hand: set[int] = set()
        """The numbers of the facts that a person entered."""
        self._rounds: list[Felt] = []
        self._starts: list[int] = []
        """The number from which on the lines belong to a round."""
        self._marks: list[Standing] = []
        self._rulings: list[tuple[int, Ruled]] = []
        self._amendments = Amendments()
        """What the rulings make of the log."""
        if law is not None:
            self._laws.append((0, law))
            self._open(0)

    # What it says.

    @property
    def ready(self) -> bool:
        """A law is set."""
        return bool(self._rounds)

    @property
    def felt(self) -> Felt:
        """The present round as the fold holds it; read it, and leave it alone."""
        return self._rounds[-1]

    @property
    def now(self) -> Round:
        """The present round as a value; one that is over stays until the next fact."""
        return self._rounds[-1].stands()

    @property
    def standing(self) -> Standing:
        """What outlives the present round: the shoe, faults, who enters the cards."""
        return self._rounds[-1].standing

    @property
    def refused(self) -> Refusal | None:
        """Why the last line was refused."""
        return self._rounds[-1].refused

    @property
    def rulings(self) -> int:
        """How many rulings were taken."""
        return len(self._rulings)

    def __len__(self) -> int:
        """How many rounds there are, the present one included."""
        return len(self._rounds)

    def round(self, index: int) -> Round:
        """A round by its place in the log, from 0; negative places count from the present one."""
        felt = self._rounds[index]
        return felt.stands() if felt.over or felt is self._rounds[-1] else _unfinished(felt)

    def lines(self, index: int) -> list[Line]:
        """The lines of the log that belong to that round, by its place from 0."""
        last = index + 1 == len(self._rounds)
        begins = bisect_left(self._numbers, self._starts[index])
        ends = None if last else bisect_left(self._numbers, self._starts[index + 1], begins)
        log = zip(self._numbers[begins:ends], self._facts[begins:ends], strict=True)
        return [(n, fact, n in self._by_hand) for n, fact in log]

    def fact(self, n: int) -> Fact | None:
        """The fact with that number, as it was reported; `None` when there is none."""
        at = bisect_left(self._numbers, n)
        return self._facts[at] if self._numbers[at : at + 1] == [n] else None

    # What goes in.

    def after(self, n: int, fact: Fact, by_hand: bool = False) -> None:  # noqa: FBT002 - the hottest call of the table
        """Take in the next line of the log; `n` is higher than every number before."""
        self._numbers.append(n)
        self._facts.append(fact)
        if by_hand:
            self._by_hand.add(n)
        if type(fact) in _GOVERNING:
            self._govern(n, cast("Ruled | TableSet | RoundOpened", fact))
            return
        try:
            felt = self._rounds[-1]
        except IndexError:
            felt = self._open(n)
        if felt.over:
            if felt.void and isinstance(fact, Closed):
                felt.refused = None
                return
            felt = self._open(n)
        feed(felt, n, fact, by_hand, "")

    def _open(self, n: int) -> Felt:
        """A new round, under the law in force; raises `ValueError` when none was set."""
        if not self._laws:
            raise ValueError(f"line {n}: no law is set; the first line of a log is the table")
        law = self._laws[-1][1]
        before = self._rounds[-1] if self._rounds else None
        standing = before.standing if before else _first(law)
        if len(self._rounds) % MARK_EVERY == 0:
            self._marks.append(standing.copy())
        felt = Felt(law, before.number + 1 if before else 1, standing)
        self._rounds.append(felt)
        self._starts.append(n)
        return felt

    def _govern(self, n: int, fact: Ruled | TableSet | RoundOpened) -> None:
        """What is said of the rounds, and not in one."""
        match fact:
            case Ruled():
                self._rule(n, fact)
            case TableSet():
                # The law holds from the next round on; for the present one when nothing of it has begun.
                law = Law.of(self._games[fact.game], fact.options)
                self._laws.append((n, law))
                felt = self._rounds[-1] if self._rounds else self._open(n)
                if not felt.begun and not felt.over:
                    felt.law = law
            case _:
                felt = self._rounds[-1] if self._rounds and not self._rounds[-1].over else self._open(n)
                if not felt.begun:
                    felt.number = fact.number

    # Rulings.

    def _rule(self, n: int, ruling: Ruled) -> None:
        """Take in a ruling: refuse it where it makes no sense, else judge its round anew."""
        present = self._rounds[-1] if self._rounds else self._open(n)
        if ruling.action == "resume" and ruling.n is None and present.halted and present.irregularity:
            ruling = replace(ruling, n=present.irregularity.n)
        present.refused = self._objection(n, ruling)
        if present.refused:
            return
        before, after = self._amendments, in_force([*self._rulings, (n, ruling)])
        present.refused = self._leaves_out(ruling, after)
        if present.refused:
            return
        self._rulings.append((n, ruling))
        self._amendments = after
        self._judge_anew(before)
        self._rounds[-1].refused = None

    def _objection(self, n: int, ruling: Ruled) -> Refusal | None:
        """Why this ruling changes nothing."""
        article = self._rounds[-1].law.game.articles["errors"]
        action, target = ruling.action, ruling.n
        if action not in ACTIONS:
            return Refusal("unknown_ruling", article, {"action": action})
        if target is None and action not in VOIDS:
            return Refusal("nothing_to_resume" if action == "resume" else "ruling_needs_fact", article)
        fact = self.fact(target) if target not in (None, n) else None
        none = fact is None or isinstance(fact, TableSet | RoundOpened)
        if target is not None and none and not (action == "insert" and target == n):
            return Refusal("no_such_fact", article, {"n": target})
        amendments, felt = self._amendments, self._round(target)
        if action == "void_seat" and ruling.seat not in felt.bets.seats():
            return Refusal("no_bet_there", article, {"seat": ruling.seat or 0})
        if action == "void_round" and not (felt.begun or felt.halted or felt.over):
            return Refusal("not_due", article)
        if action in ("replace", "insert") and (misfit := self._misfit(n, ruling, fact)):
            return misfit
        if action == "burn" and not self._is_card(target, amendments.meaning(target or 0, fact)):
            return Refusal("not_a_card", article, {"n": target or 0})
        if action == "resume" and not self._may_resume(target):
            return Refusal("cannot_resume", article, {"n": target or 0})
        return None

    def _misfit(self, n: int, ruling: Ruled, fact: Fact | None) -> Refusal | None:
        """Why what a ruling puts in place of a fact, or before it, cannot stand there."""
        if not _fits(ruling, fact, self._amendments):
            return Refusal("ruling_needs_right", self._rounds[-1].law.game.articles["errors"])
        return self._objection(n, ruling.right) if isinstance(ruling.right, Ruled) else None

    def _leaves_out(self, ruling: Ruled, after: Amendments) -> Refusal | None:
        """Why a bet that lies there would lie there no more after this ruling, though no ruling says so."""
        place = self._place(ruling.n)
        law, lines = self._rounds[place].law, self.lines(place)
        known = [_refused_bets(law, held.amended(lines)) for held in (Amendments(), self._amendments)]
        refused = _refused_bets(law, after.amended(lines))
        return next((why for at, why in refused.items() if not any(at in some for some in known)), None)

    def _may_resume(self, target: int | None) -> bool:
        irregularity = self._round(target).irregularity
        return irregularity is not None and irregularity.n == target and "resume" in irregularity.remedies

    def _is_card(self, target: int | None, fact: Fact | None) -> bool:
        """A card left the shoe by that fact; where no shoe tells the faces, a sighting says so."""
        if isinstance(fact, CardSeen):
            felt = self._round(target)
            return felt.law.options.shoe != "reads" or "shoe" in felt.standing.by_hand
        return isinstance(fact, CardDrawn | CardsBurned | CardFaceUp)

    def _round(self, n: int | None) -> Felt:
        return self._rounds[self._place(n)]

    def _place(self, n: int | None) -> int:
        """The round of a fact, or of what a ruling speaks of in the end; without a number the present one."""
        return len(self._rounds) - 1 if n is None else self._round_of(speaks_of(dict(self._rulings), n))

    def _round_of(self, n: int) -> int:
        return max(bisect_right(self._starts, n) - 1, 0)

    def _judge_anew(self, before: Amendments) -> None:
        """Judge the rounds from the first that the rulings change from their first facts.

        Later rounds are judged too, since what a ruling changes may change what the shoe still holds.
        """
        amendments, said = self._amendments, dict(self._rulings)
        changed = amendments.changed(before)
        changed |= {speaks_of(said, n) for n in changed}
        mark = min(map(self._round_of, changed), default=len(self._rounds) - 1) // MARK_EVERY
        del self._marks[mark + 1 :]
        standing = self._marks[mark].copy()
        last = len(self._rounds) - 1
        for i in range(mark * MARK_EVERY, last + 1):
            if i % MARK_EVERY == 0 and i // MARK_EVERY == len(self._marks):
                self._marks.append(standing.copy())
            old = self._rounds[i]
            law = self._laws[max(bisect_right(self._laws, self._starts[i], key=itemgetter(0)) - 1, 0)][1]
            felt = self._rounds[i] = Felt(law, old.number, standing)
            lines = self.lines(i)
            anew(felt, lines, amendments.amended(lines), dict(self._laws))
            if i < last and not felt.over:
                standing.shoe.round_over()


def _refused_bets(law: Law, lines: Iterable[Held]) -> dict[int, Refusal]:
    """The bets before the first card that the table does not take, by the numbers of their lines."""
    bets, refused = Bets(), {}
    for n, fact, _, mark in lines:
        if isinstance(fact, CardDrawn | CardSeen) and not mark:
            break
        if isinstance(fact, BetPlaced):
            why = objects(law, bets, fact)
            if why:
                refused[n] = why
            else:
                bets.place(fact)
    return refused


def _fits(ruling: Ruled, fact: Fact | None, amendments: Amendments) -> bool:
    """What was really so is a fact of a round; of a ruling another ruling, or another fact to be inserted."""
    right = ruling.right
    if right is None or isinstance(right, TableSet | RoundOpened):
        return False
    if ruling.action == "replace" and isinstance(fact, Ruled):
        return isinstance(right, Ruled) or amendments.meaning(ruling.n or 0, fact) is not None
    return not isinstance(right, Ruled)


def _first(law: Law) -> Standing:
    """A table that burns by the first card knows no shoe before one is loaded; others have one."""
    return Standing(Shoe(law.options.decks, over=law.options.burn == "first_card"))


def _unfinished(felt: Felt) -> Round:
    """A closed round that a ruling has opened again: what is missing can only be ruled on."""
    round_ = felt.stands()
    if round_.irregularity is not None:
        return round_
    article = felt.law.game.articles["errors"]
    awaited = round_.awaits
    missing = Irregularity(
        "missing_card", article, 0, Closed(), awaited, ("insert", "void_round"), spot=awaited.spot
    )
    return replace(round_, irregularity=missing, payouts=())
