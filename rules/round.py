"""What a rule book says of a round: what it awaits, what went wrong, what it pays; values, no behaviour."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from rules.bets import Refusal
from rules.cards import Card
from rules.facts import BetPlaced, CardUnsure, Fact, Spot
from rules.money import Odds

What = Literal["bets", "draw", "seen", "close", "ruling", "shoe", "nothing"]
"""The kinds of waiting: `ruling` is halted for the supervisor, `nothing` is over."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round ended, and the odds of every bet that does not lose; `(0, 1)` gives the stake back."""

    winner: str
    pays: Mapping[str, Odds]
    article: str
    marks: tuple[str, ...] = ()
    """What else is told of it: `natural`, `dragon_7`, `panda_8`."""


@dataclass(frozen=True, slots=True)
class Await:
    """What the round waits for, and by which article: the dealer's prompt, before it is put into words."""

    what: What
    article: str
    spot: Spot | None = None
    choices: tuple[str, ...] = ()
    outcome: Outcome | None = None
    """With `close`: what is to be paid and taken."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """What happened instead of what was awaited."""

    code: str
    article: str
    """The article under which it is mended."""
    n: int
    """The number of the fact in the log."""
    fact: Fact
    awaited: Await
    remedies: tuple[str, ...]
    """The rulings that end it, the proposed one first; empty when it heals itself."""
    halts: bool = True
    shoe: Card | None = None
    """What the shoe says lies there, where shoe and camera differ."""
    spot: Spot | None = None
    about: Mapping[str, str | int] = field(default_factory=dict)


class Misdeal(Exception):  # noqa: N818 - the field's word; it is thrown into a rule book, not to a caller
    """Thrown into a rule book at the place where it waits; a chapter that has a remedy catches it."""

    def __init__(self, irregularity: Irregularity) -> None:
        super().__init__(irregularity.code)
        self.irregularity = irregularity


Result = Literal["win", "lose", "push", "surrender", "void"]


@dataclass(frozen=True, slots=True)
class Payout:
    """What one bet is worth at the end, by its article."""

    seat: int
    player: str
    bet: str
    stake: int
    result: Result
    net: int
    """What the player wins (+) or loses (-), in minor units."""
    article: str
    odds: Odds | None = None


class Laid(NamedTuple):
    """A card of this round on the felt."""

    spot: Spot
    card: Card
    n: int
    """The number of the fact by which it came."""
    seen: bool
    """Confirmed by a sighting, or it needs none."""
    by_hand: bool = False


Dealt = tuple[Spot, Card, int, bool, bool]
"""The fields of a `Laid` without their names: to name them takes as long as to judge the card."""


@dataclass(frozen=True, slots=True)
class Round:
    """Where a round stands: all that a screen, a test or an inspector may ask of it."""

    number: int
    awaits: Await
    bets: tuple[BetPlaced, ...] = ()
    laid: tuple[Laid, ...] = ()
    burned: tuple[Card | None, ...] = ()
    """Cards of this round that count for nobody."""
    outcome: Outcome | None = None
    payouts: tuple[Payout, ...] = ()
    irregularity: Irregularity | None = None
    """What holds the round, or what the last fact was."""
    refused: Refusal | None = None
    """Why the last fact was refused."""
    unsure: Mapping[Spot, CardUnsure] = field(default_factory=dict)
    """Where the camera sees a card and will not say which."""
    waiting: tuple[Card | None, ...] = ()
    """Cards that came while the round was halted, and are not judged yet."""
    over: bool = False
    void: bool = False
    free_hand: bool = False
    by_hand: bool = False
    """Some card of it was entered by the dealer."""

    def cards(self, spot: Spot, *, seen_only: bool = False) -> list[Card]:
        """The cards that lie there, in the order in which they came."""
        return [laid.card for laid in self.laid if laid.spot == spot and (laid.seen or not seen_only)]
