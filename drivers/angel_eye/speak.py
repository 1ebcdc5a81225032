"""The Angel Eye II-EX from the inside: the data of the telegrams that it sends. For what plays the shoe."""

from drivers.angel_eye.telegrams import BURN_COUNT, MODES, PAIRS, PLACES, SUITS, WINNERS
from rules.cards import RANKS, Card
from rules.facts import Spot

START, STANDBY, CUT_CARD = b"S", b"P", b"C"

_PLACE_BITS = {spot: bits for bits, spot in PLACES.items()} | {"burn_count": BURN_COUNT}
_MODE_BITS = {mode: bits for bits, mode in MODES.items()}
_SUIT_BITS = {suit: bits for bits, suit in SUITS.items()}
_WINNER_BITS = {winner: bits for bits, winner in WINNERS.items()}
_PAIR_BITS = {pairs: bits for bits, pairs in PAIRS.items()}


def dealt(spot: str, index: int, card: Card | None) -> bytes:
    """A card drawn in the game, at `punto`, `banca`, `burn`, `first` or `burn_count`."""
    return b"D" + _place_and_card(_PLACE_BITS[spot], index, card)


def told_again(spot: str, index: int, card: Card | None) -> bytes:
    """The retransmission of a card."""
    return b"R" + _place_and_card(_PLACE_BITS[spot], index, card)


def outside(mode: str, card: Card | None, index: int = 0) -> bytes:
    """A card that left outside a game, in the mode `lock`, `error` or `setting`."""
    return b"d" + _place_and_card(_MODE_BITS[mode], index, card)


def result(winner: str | None, pairs: tuple[Spot, ...] = ()) -> bytes:
    """The result of a game; `None` is a forced quit."""
    return b"G" + bytes([0x80 | _WINNER_BITS[winner] << 4 | _PAIR_BITS[pairs]])


def error(number: int, *, active: bool = True) -> bytes:
    """An error occurred; `active`: the shoe is in error mode now."""
    return b"E" + bytes([0x80 | active << 6 | number])


def error_over(number: int) -> bytes:
    """An error was cancelled."""
    return b"e" + bytes([0x80 | number])


def lock(*, locked: bool) -> bytes:
    """The state of the key lock."""
    return b"L" + bytes([0x80 | locked])


def preset(address: str, value: str) -> bytes:
    """A preset was changed: two characters and four."""
    return b"M" + (address + value).encode("ascii")


def _place_and_card(place: int, index: int, card: Card | None) -> bytes:
    face = (_SUIT_BITS[card.suit] << 4 | RANKS.index(card.rank) + 1) if card else 0
    return bytes([0x80 | place << 4 | index, 0x80 | face])
