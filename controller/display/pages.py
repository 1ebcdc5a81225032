"""What the pages are made of: keys, cards and rows, as values that the templates lay out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rules.cards import Card

SIGNS: Mapping[str, str] = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class Face(NamedTuple):
    """A card as it is drawn; a card nobody has turned has no rank."""

    rank: str
    sign: str
    red: bool
    across: bool
    """Laid across, as third cards are."""


def face(card: Card | None, *, across: bool = False) -> Face:
    """The face of a card; of `None`, its back."""
    if card is None:
        return Face("", "", red=False, across=across)
    rank = "10" if card.rank == "T" else card.rank
    return Face(rank, SIGNS[card.suit], red=card.suit in "dh", across=across)


def written(card: Card | None) -> str:
    """A card in a line of text: `8 ♠`."""
    if card is None:
        return "?"
    drawn = face(card)
    # The variation selector keeps the sign a letter where a font would make a picture of it.
    return f"{drawn.rank} {drawn.sign}\ufe0e"


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a screen: what it says, and the tap that it makes."""

    label: str
    act: str
    args: Mapping[str, object] = field(default_factory=dict)
    small: str = ""
    kind: str = ""
    """`main`, `quiet`, `call`, `on`; none is an ordinary key."""


def chips(amount: int, denominations: Sequence[int]) -> tuple[list[tuple[int, int]], int]:
    """An amount in chips, the largest first: denomination and how many; and what no chip can pay."""
    counted = []
    for denomination in sorted(denominations, reverse=True):
        many, amount = divmod(amount, denomination)
        if many:
            counted.append((denomination, many))
    return counted, amount
