"""What the telegrams of the Angel Eye II-EX say: their fields as facts, and facts' fields as bytes.

Nothing here remembers anything: `read` takes the data of one telegram and raises `ImpossibleError` where a
field holds what no device would say. Field knowledge of the Angel Eye II-EX.
"""

from collections.abc import Callable
from dataclasses import dataclass

from rules.cards import RANKS, Card
from rules.facts import (
    CardDrawn,
    CardReturned,
    CardsBurned,
    CutCardOut,
    DeviceHello,
    DeviceState,
    Fact,
    FaultCleared,
    FaultRaised,
    LockChanged,
    ShoeResult,
    Spot,
)

# The shoe's places, by bits 6-4 of a position byte. `first` is the card that says how many are burned.
PLACES = {0: "punto", 1: "banca", 2: "burn", 4: "first"}
BURN_COUNT = 5
LAST_INDEX = {"punto": 3, "banca": 3, "burn": 10, "first": 10}
MODES = {0: "lock", 1: "error", 2: "setting"}
SUITS = {1: "d", 2: "c", 3: "s", 4: "h"}
WINNERS = {1: "punto", 2: "empate", 4: "banca", 7: None}
PAIRS: dict[int, tuple[Spot, ...]] = {0: (), 1: ("punto",), 2: ("banca",), 3: ("punto", "banca")}
ERRORS = {
    1: "unreadable",
    2: "overdraw",
    3: "button",
    4: "reverse",
    5: "reverse",
    6: "code_error",
    7: "timeout",
}
_RETURNED = {4: "exit", 5: "midway"}


class ImpossibleError(ValueError):
    """A telegram with the right check that says what no device would say."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the shoe thinks that a card goes; its opinion."""

    spot: str
    """`punto`, `banca`, `burn`, `first`."""
    index: int

    @property
    def hint(self) -> Spot:
        """The spot in the words of facts."""
        return "burn" if self.spot == "first" else self.spot


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card at a place, drawn now (`D`) or told again (`R`)."""

    place: Place
    card: Card | None
    again: bool

    def fact(self) -> Fact:
        """As the card that left the shoe."""
        spot, index = self.place.spot, self.place.index
        if spot in ("first", "burn"):
            return CardsBurned((self.card,), first=spot == "first")
        return CardDrawn(self.card, spot, index)


Said = Dealt | tuple[Fact, ...]
"""What one telegram says: a card at a place, or facts that need no memory."""


def read(data: bytes) -> Said:
    """The meaning of a telegram's data; raises `ImpossibleError`."""
    letter, fields = data[:1], data[1:]
    known = _LETTERS.get(letter)
    if known is None:
        raise ImpossibleError(f"no telegram is called {letter!r}")
    size, meaning = known
    if len(fields) != size:
        raise ImpossibleError(f"{letter!r} has {size} bytes of fields, not {len(fields)}")
    return meaning(fields)


def _card(byte: int) -> Card | None:
    match (_bits(byte) >> 4, byte & 0x0F):
        case (0, 0):
            return None
        case (suit, rank) if suit in SUITS and 1 <= rank <= len(RANKS):
            return Card(RANKS[rank - 1] + SUITS[suit])
    raise ImpossibleError(f"no card is {byte:02X}")


def _bits(byte: int) -> int:
    """The seven bits of a binary field."""
    if not byte & 0x80:
        raise ImpossibleError(f"{byte:02X} is no binary field")
    return byte & 0x7F


def _dealt(fields: bytes, *, again: bool) -> Said:
    place, index = _bits(fields[0]) >> 4, fields[0] & 0x0F
    card = _card(fields[1])
    if place == BURN_COUNT:
        return (DeviceState({"burn_count": index}),)
    spot = PLACES.get(place)
    if spot is None or not (spot in ("burn", "first") or index) or index > LAST_INDEX[spot]:
        raise ImpossibleError(f"no place is {fields[0]:02X}")
    return Dealt(Place(spot, index), card, again)


def _outside(fields: bytes) -> Said:
    """A card that left outside a game: for nobody, as far as the shoe knows."""
    mode, index = MODES.get(_bits(fields[0]) >> 4), fields[0] & 0x0F
    if mode is None:
        raise ImpossibleError(f"no mode is {fields[0]:02X}")
    return (CardDrawn(_card(fields[1]), None, index or None, mode),)


def _result(fields: bytes) -> Said:
    winner, pairs = _bits(fields[0]) >> 4, fields[0] & 0x0F
    if winner not in WINNERS or pairs not in PAIRS:
        raise ImpossibleError(f"no result is {fields[0]:02X}")
    return (ShoeResult(WINNERS[winner], PAIRS[pairs]),)


def _error(fields: bytes) -> Said:
    """Some errors are a card that moved backwards: that is a fact of its own."""
    active, number = bool(_bits(fields[0]) & 0x40), fields[0] & 0x3F
    raised = FaultRaised(ERRORS.get(number, f"error_{number}"), active=active)
    where = _RETURNED.get(number)
    return (raised, CardReturned(where)) if where else (raised,)


def _error_over(fields: bytes) -> Said:
    number = _bits(fields[0])
    return (FaultCleared(ERRORS.get(number, f"error_{number}")),)


def _lock(fields: bytes) -> Said:
    if _bits(fields[0]) not in (0, 1):
        raise ImpossibleError(f"no state of a lock is {fields[0]:02X}")
    return (LockChanged(fields[0] & 1 == 1),)


def _preset(fields: bytes) -> Said:
    if not fields.isascii():
        raise ImpossibleError(f"no preset is {fields!r}")
    return (DeviceState({"preset": fields[:2].decode(), "value": fields[2:].decode()}),)


_LETTERS: dict[bytes, tuple[int, Callable[[bytes], Said]]] = {
    b"S": (0, lambda _: (DeviceHello({"device": "angel-eye-2ex"}),)),
    b"P": (0, lambda _: (DeviceState({"state": "standby"}),)),
    b"C": (0, lambda _: (CutCardOut(),)),
    b"D": (2, lambda fields: _dealt(fields, again=False)),
    b"d": (2, _outside),
    b"R": (2, lambda fields: _dealt(fields, again=True)),
    b"G": (1, _result),
    b"E": (1, _error),
    b"e": (1, _error_over),
    b"L": (1, _lock),
    b"M": (6, _preset),
}
"""Every telegram by its letter: how many bytes of fields, and their meaning."""
