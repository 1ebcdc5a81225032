"""What the shoe itself thinks of the round: where its next card goes, and who won.

The device's own idea of baccarat, written apart from the rule books on purpose: a table compares the two.
"""

from rules.cards import Card

_NATURAL, _HAND = 8, 2
_PUNTO_DRAWS = range(6)
_BANCA_DRAWS = {
    # On the third card of Punto: the totals on which Banca takes one.
    None: range(6),
    0: range(4),
    1: range(4),
    2: range(5),
    3: range(5),
    4: range(6),
    5: range(6),
    6: range(7),
    7: range(7),
    8: range(3),
    9: range(4),
}


def points(card: Card) -> int:
    """An ace is one, a ten or a face nothing."""
    return "A23456789".find(card.rank) + 1


class Round:
    """One round, as the shoe reads its cards."""

    def __init__(self) -> None:
        self._hands: dict[str, list[Card]] = {"punto": [], "banca": []}

    @property
    def begun(self) -> bool:
        """A card is out."""
        return bool(self._hands["punto"])

    def place(self) -> tuple[str, int] | None:
        """Where the next card goes, and its number in that hand; None when the round is over."""
        punto, banca = self._hands["punto"], self._hands["banca"]
        if len(banca) < _HAND:
            spot = "punto" if len(punto) == len(banca) else "banca"
            return spot, len(self._hands[spot]) + 1
        if max(self._total("punto", _HAND), self._total("banca", _HAND)) >= _NATURAL:
            return None
        if len(punto) == _HAND and len(banca) == _HAND and self._total("punto") in _PUNTO_DRAWS:
            return "punto", 3
        third = points(punto[_HAND]) if len(punto) > _HAND else None
        if len(banca) == _HAND and self._total("banca") in _BANCA_DRAWS[third]:
            return "banca", 3
        return None

    def take(self, spot: str, card: Card) -> None:
        """A card goes there."""
        self._hands[spot].append(card)

    def take_back(self, spot: str) -> None:
        """The last card of that hand goes back."""
        self._hands[spot].pop()

    def result(self) -> tuple[str, tuple[str, ...]]:
        """Who won, and which hands began with a pair."""
        punto, banca = self._total("punto"), self._total("banca")
        winner = "empate" if punto == banca else "punto" if punto > banca else "banca"
        pairs = tuple(spot for spot, hand in self._hands.items() if hand[0].rank == hand[1].rank)
        return winner, pairs

    def _total(self, spot: str, cards: int = 3) -> int:
        return sum(points(card) for card in self._hands[spot][:cards]) % 10
