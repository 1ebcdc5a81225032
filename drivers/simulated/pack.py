"""The cards in the shoe, in the order in which they will come, and the cut card among them."""

from random import Random

from rules.cards import DECK, Card


class EmptyError(ValueError):
    """The last card is gone."""


class Pack:
    """Decks shuffled by a seed: one seed, one order."""

    def __init__(self, decks: int, seed: int, cut: int) -> None:
        """The cut card lies `cut` cards before the end; raises `ValueError` where there is no such place."""
        cards = list(DECK) * decks
        if cut not in range(len(cards)):
            raise ValueError(f"{len(cards)} cards have no place for a cut card {cut} cards before the end")
        Random(seed).shuffle(cards)  # noqa: S311 - a toy's shuffle, repeatable on purpose
        cards.reverse()
        self._cards = cards
        self._cut = cut
        self.cut_out = False

    @property
    def left(self) -> int:
        """How many cards are still in the shoe, the cut card not counted."""
        return len(self._cards)

    def draw(self) -> tuple[Card, bool]:
        """The next card, and whether the cut card came out in front of it; raises `EmptyError`."""
        if not self._cards:
            raise EmptyError("the shoe is empty")
        cut = not self.cut_out and self.left <= self._cut
        self.cut_out = self.cut_out or cut
        return self._cards.pop(), cut

    def put_back(self, card: Card) -> None:
        """A card was pushed back in: it comes next."""
        self._cards.append(card)
