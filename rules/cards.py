"""Cards, and what a deck holds."""

from enum import StrEnum


class Card(StrEnum):
    """One face, written as in a scenario: rank then suit (`Th`), or `joker`.

    Two cards with the same face are the same value: a shoe of eight decks holds eight of each.
    """

    # fmt: off
    AC = "Ac"; AD = "Ad"; AH = "Ah"; AS = "As"
    C2 = "2c"; D2 = "2d"; H2 = "2h"; S2 = "2s"
    C3 = "3c"; D3 = "3d"; H3 = "3h"; S3 = "3s"
    C4 = "4c"; D4 = "4d"; H4 = "4h"; S4 = "4s"
    C5 = "5c"; D5 = "5d"; H5 = "5h"; S5 = "5s"
    C6 = "6c"; D6 = "6d"; H6 = "6h"; S6 = "6s"
    C7 = "7c"; D7 = "7d"; H7 = "7h"; S7 = "7s"
    C8 = "8c"; D8 = "8d"; H8 = "8h"; S8 = "8s"
    C9 = "9c"; D9 = "9d"; H9 = "9h"; S9 = "9s"
    TC = "Tc"; TD = "Td"; TH = "Th"; TS = "Ts"
    JC = "Jc"; JD = "Jd"; JH = "Jh"; JS = "Js"
    QC = "Qc"; QD = "Qd"; QH = "Qh"; QS = "Qs"
    KC = "Kc"; KD = "Kd"; KH = "Kh"; KS = "Ks"
    JOKER = "joker"
    # fmt: on

    # Enum hashes a member by its name, in Python; the text itself is as good and four times as fast.
    __hash__ = str.__hash__

    @property
    def rank(self) -> str:
        """One of `A23456789TJQK`; of the joker, the empty text."""
        return "" if self is Card.JOKER else self.value[0]

    @property
    def suit(self) -> str:
        """One of `cdhs`; of the joker, the empty text."""
        return "" if self is Card.JOKER else self.value[1]


JOKER = Card.JOKER

RANKS = "A23456789TJQK"
SUITS = "cdhs"

DECK = tuple(card for card in Card if card is not JOKER)
"""The fifty-two faces of one deck, rank by rank."""


def card(name: str) -> Card:
    """Read a face written as in a scenario: `8s`, `Th`, `joker`.

    Raises `ValueError` that says what a card looks like.
    """
    try:
        return Card(name)
    except ValueError:
        message = f"{name!r} is no card: write rank {RANKS} and suit {SUITS}, like Th, or joker"
        raise ValueError(message) from None
