"""The life of a shoe: load, burn, deal, cut card, last round, end."""

from dataclasses import dataclass, field

from rules.cards import Card
from rules.law import Law


@dataclass(slots=True)
class Shoe:
    """What is known of the shoe on the table; one folds over all of its rounds."""

    decks: int
    number: int = 0
    """How many were loaded before it, in this log."""
    out: int = 0
    """Cards that left it, the burned ones among them."""
    counts: dict[Card, int] = field(default_factory=dict)
    """How many of each face left it."""
    to_burn: int | None = None
    """How many must still be burned; `None` until the first card of a new shoe was turned."""
    fresh: bool = False
    """Loaded, and not yet burned or dealt from."""
    cut: bool = False
    """The cut card came out."""
    rounds_left: int | None = None
    """Rounds that may still begin after the present one, once the cut card is out."""
    over: bool = False
    """No round may begin; a new shoe is awaited."""

    def copy(self) -> "Shoe":
        """A shoe in the same state, to judge a round anew from its start."""
        return Shoe(
            self.decks,
            self.number,
            self.out,
            self.counts.copy(),
            self.to_burn,
            self.fresh,
            self.cut,
            self.rounds_left,
            self.over,
        )

    @property
    def left(self) -> int:
        """Cards still in it, the cut card not counted."""
        return max(self.decks * 52 - self.out, 0)

    def objects(self, law: Law, card: Card, more: int = 0) -> str | None:
        """Why this face cannot come from this shoe, when so many more of it have: a code of `REMEDIES`."""
        if card not in law.game.pack:
            return "foreign_card"
        return "count_exceeded" if self.counts.get(card, 0) + more >= self.decks else None

    def leaves(self, card: Card | None) -> None:
        """Count a card that left, read or not."""
        self.out += 1
        self.fresh = False
        if card is not None:
            self.counts[card] = self.counts.get(card, 0) + 1

    def gives(self, law: Law, card: Card) -> str | None:
        """Count a card that left if it can come from this shoe, else say why it cannot (as `objects`)."""
        many = self.counts.get(card, 0)
        if many >= self.decks or card not in law.game.pack:
            return self.objects(law, card)
        self.counts[card] = many + 1
        self.out += 1
        self.fresh = False
        return None

    def takes_back(self, card: Card) -> None:
        """Count back a card that was pushed in again."""
        self.out -= 1
        self.counts[card] = self.counts.get(card, 0) - 1

    def load(self, decks: int) -> None:
        """A new shoe stands on the table (art. 6)."""
        self.decks, self.number = decks, self.number + 1
        self.out, self.counts = 0, {}
        self.to_burn, self.fresh = None, True
        self.cut, self.rounds_left, self.over = False, None, False

    def burn(self, law: Law, cards: tuple[Card | None, ...]) -> None:
        """Cards go to the discard holder before the first round (art. 6.d)."""
        for card in cards:
            if self.to_burn is None:
                # A first card that was not read, or is none of this game, says nothing.
                self.to_burn = law.game.burn_count(card) if card and card in law.game.pack else 0
            else:
                self.to_burn = max(self.to_burn - 1, 0)
            self.leaves(card)

    def turns_first(self, law: Law) -> bool:
        """The next card is the one whose face says how many are burned (op.burn)."""
        return law.options.burn == "first_card" and self.to_burn is None

    def unburned(self, law: Law) -> bool:
        """The house burns by the first card, and that is not done yet."""
        return law.options.burn == "first_card" and self.to_burn != 0

    def cut_card(self, law: Law, *, begun: bool, dealt: bool) -> None:
        """The cut card came out: how many rounds follow (op.after_cut).

        `finish_only` ends with the round that has begun; `finish_plus_one` plays one more after a round that
        has cards, and counts a round without cards as that one.
        """
        if self.cut:
            return
        self.cut = True
        one_more = law.own.after_cut == "finish_plus_one"
        self.rounds_left = 1 if one_more and dealt else 0
        if not begun and not one_more:
            self.over = True

    def empties(self, *, begun: bool) -> None:
        """No card is left in it: the round that has begun is the last."""
        self.rounds_left = 0
        self.over = self.over or not begun

    def round_over(self) -> None:
        """A round ended, paid or void."""
        if self.rounds_left == 0:
            self.over = True
        elif self.rounds_left:
            self.rounds_left -= 1
