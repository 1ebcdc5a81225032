"""What can happen at a table: facts, as a source reports them.

A fact is past tense and has no opinion ("unexpected" is not a fact); the rule books judge. `WORDS` gives the
word of each fact in scenario files, in `sabot decode` and in the journal. Money is in minor units of the
table's currency, seats count from 1 at the dealer's left, and a spot is `punto`, `banca`, `dealer`, `burn`
or `seat N`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.cards import Card

Spot = str


# What people do.


@dataclass(frozen=True, slots=True)
class BetPlaced:
    """Chips now lie on that bet; a later one replaces the stake, 0 takes it away."""

    seat: int
    bet: str
    stake: int
    player: str = "main"
    """The occupant of the seat, or the name of a bettor who joined him (art. 7: adhesión)."""


@dataclass(frozen=True, slots=True)
class FreeHandCalled:
    """This round is dealt without bets."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The bets are paid and taken; the round is over."""


@dataclass(frozen=True, slots=True)
class TakenOver:
    """The dealer enters the cards from here on, or the device is trusted again."""

    mode: str
    """`manual` or `device`."""
    by: str = ""
    of: str = "both"
    """`shoe`, `camera` or `both`."""


@dataclass(frozen=True, slots=True)
class DealingErrorReported:
    """An error in the distribution that no device sees, reported by the dealer or the supervisor."""

    what: str
    seats: tuple[int, ...] = ()


# What a shoe or a shuffler reports.


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card left the shoe; `None` when the device felt it and could not read it."""

    card: Card | None
    hint: Spot | None = None
    """Where the device thinks it goes: the device's opinion, never ours."""
    ordinal: int | None = None
    """The device's own number for it, as it sent it (in a hand, or in the shoe)."""
    mode: str = "game"
    """`game`, or the device's other state in which it left: `lock`, `error`, `setting`."""


@dataclass(frozen=True, slots=True)
class CardReread:
    """The device now says otherwise about a card that it reported before (or could not read)."""

    card: Card | None
    hint: Spot | None = None
    ordinal: int | None = None


@dataclass(frozen=True, slots=True)
class CardsBurned:
    """Cards left the shoe for nobody; `first` is the one that says how many follow."""

    cards: tuple[Card | None, ...]
    first: bool = False


@dataclass(frozen=True, slots=True)
class CutCardOut:
    """The cut card came out."""


@dataclass(frozen=True, slots=True)
class CardReturned:
    """A card was pushed back into the shoe."""

    where: str = "exit"


@dataclass(frozen=True, slots=True)
class CardFaceUp:
    """A card was found face up in the shoe or pack."""

    card: Card


@dataclass(frozen=True, slots=True)
class GapFound:
    """The device's own count shows that this many reports never reached us; a card may be among them."""

    count: int


@dataclass(frozen=True, slots=True)
class FaultRaised:
    """A device reports that it cannot go on; the round holds until it is cleared."""

    code: str
    source: str = "shoe"
    active: bool = True
    """The device itself is in its error state now."""


@dataclass(frozen=True, slots=True)
class FaultCleared:
    """The fault is over."""

    code: str
    source: str = "shoe"


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """A shoe of so many decks was put in its place."""

    decks: int


@dataclass(frozen=True, slots=True)
class ShoeEmptied:
    """The shoe has no more cards."""


@dataclass(frozen=True, slots=True)
class ShoeResult:
    """What the shoe itself thinks that the round ended with; kept apart from ours, and compared."""

    winner: str | None
    """`punto`, `banca`, `empate`, or `None` when the shoe was made to quit."""
    pairs: tuple[Spot, ...] = ()


# What the camera sees.


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card was found lying there by the camera, or by the dealer's finger; `None` lies face down."""

    card: Card | None
    at: Spot
    confidence: float = 1.0
    picture: str = ""
    """SHA-256 of the still that shows it, in hexadecimal; empty when there is none."""


@dataclass(frozen=True, slots=True)
class CardUnsure:
    """A card lies there and the camera will not say which; `best` is what it would say, not believed."""

    at: Spot
    reason: str
    best: Card | None = None
    confidence: float = 0.0
    picture: str = ""


# What a device says of itself; the rules do not judge it.


@dataclass(frozen=True, slots=True)
class DeviceHello:
    """A device started."""

    detail: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeviceState:
    """A device tells of its state or settings."""

    detail: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LockChanged:
    """The key lock of the shoe."""

    locked: bool


@dataclass(frozen=True, slots=True)
class UnknownReport:
    """A well-formed report that nobody here understands; `raw` is its bytes in hexadecimal."""

    raw: str


# What the controller and the supervisor write.


@dataclass(frozen=True, slots=True)
class TableSet:
    """The law from here on: the game, the edition of its rules and the operator's options."""

    game: str
    edition: str
    options: Mapping[str, object]
    fingerprint: str = ""
    """SHA-256 of the table file, in hexadecimal."""


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """A new round takes bets; numbers are the table's own and never used twice."""

    number: int


@dataclass(frozen=True, slots=True)
class Ruled:
    """A supervisor's ruling; it edits nothing, and the round is judged anew from its first fact.

    `strike`: fact `n` did not happen. `replace`: fact `n` was really `right`. `insert`: before fact `n` came
    `right`. `burn`: the card of fact `n` counts for nobody. `void_round`, `void_seat` (`seat`), `resume`.
    """

    action: str
    n: int | None = None
    right: "Fact | None" = None
    seat: int | None = None
    by: str = ""
    reason: str = ""


Fact = (
    BetPlaced
    | FreeHandCalled
    | Closed
    | TakenOver
    | DealingErrorReported
    | CardDrawn
    | CardReread
    | CardsBurned
    | CutCardOut
    | CardReturned
    | CardFaceUp
    | GapFound
    | FaultRaised
    | FaultCleared
    | ShoeLoaded
    | ShoeEmptied
    | ShoeResult
    | CardSeen
    | CardUnsure
    | DeviceHello
    | DeviceState
    | LockChanged
    | UnknownReport
    | TableSet
    | RoundOpened
    | Ruled
)

WORDS: dict[str, type[Fact]] = {
    "bet": BetPlaced,
    "free_hand": FreeHandCalled,
    "close": Closed,
    "takeover": TakenOver,
    "dealing_error": DealingErrorReported,
    "draw": CardDrawn,
    "correction": CardReread,
    "burned": CardsBurned,
    "cut_card": CutCardOut,
    "card_back": CardReturned,
    "face_up": CardFaceUp,
    "gap": GapFound,
    "fault": FaultRaised,
    "fault_cleared": FaultCleared,
    "shoe_loaded": ShoeLoaded,
    "shoe_empty": ShoeEmptied,
    "result": ShoeResult,
    "seen": CardSeen,
    "unsure": CardUnsure,
    "hello": DeviceHello,
    "state": DeviceState,
    "lock": LockChanged,
    "unknown": UnknownReport,
    "table": TableSet,
    "round": RoundOpened,
    "rule": Ruled,
}
"""Every kind of fact by its word."""

WORD_OF: dict[type[Fact], str] = {kind: word for word, kind in WORDS.items()}
"""The word of every kind of fact."""
