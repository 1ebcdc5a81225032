"""The law of one table: a game, and the options that its regulation leaves to the operator."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from rules.bets import Bets, Refusal
from rules.cards import Card
from rules.facts import BetPlaced, Spot
from rules.round import Await

RuleBook = Generator[Await, Any, None]
"""One round as its chapter tells it: yields what it awaits, is sent what came, ends when it is closed.

It is sent the card that was drawn where it awaits one, else the fact.
"""

Rounding = Literal["toward_zero", "nearest", "up"]


@dataclass(frozen=True, slots=True)
class Options:
    """What every game leaves to the operator; the defaults are those of a scenario file."""

    decks: int = 8
    shoe: Literal["reads", "counts", "none"] = "reads"
    """What the shoe tells of a card: its face, that one left, or there is no shoe."""
    camera: bool = False
    """Every card must be confirmed by a sighting."""
    seats: int = 7
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Least and most by bet, in minor units; `main` speaks for every main bet that is not named."""
    joining: bool = True
    """A bettor may join the occupant of a seat."""
    rounding: Rounding = "toward_zero"
    rounding_table: Mapping[str, Rounding] = field(default_factory=dict)
    """Rounding by bet, where it is not the table's own."""
    burn: Literal["as_reported", "first_card"] = "as_reported"
    """After loading: `first_card` turns one, which says how many burn; `as_reported` takes what is told."""


@dataclass(frozen=True, slots=True)
class Game:
    """A chapter of the law: what the fold needs to know of a game."""

    name: str
    edition: str
    """The regulation and its date."""
    own: type[Any]
    """Its own options: a frozen dataclass with defaults."""
    bets: Mapping[str, str]
    """Every bet, with the article that says what it pays."""
    mains: frozenset[str]
    """The bets that may be made alone; the others are side bets."""
    articles: Mapping[str, str]
    """The article of `bets`, `shoe`, `seen`, `close`, `errors`, and of an irregularity that has its own."""
    hands: tuple[Spot, ...]
    """The spots where cards of a round lie."""
    blind_cards: int
    """So many cards are dealt whatever their faces; what is due after them tells something of them."""
    pack: frozenset[Card]
    """The faces that its deck has."""
    deal: Callable[["Law"], RuleBook]
    refuses: Callable[["Law", Bets, BetPlaced], Refusal | None]
    """Why this bet may not be placed now, or `None`."""
    lacks: Callable[["Law", Bets], Refusal | None]
    """Why the bets do not stand when the first card comes, or `None`."""
    total: Callable[[Sequence[Card]], int]
    burn_count: Callable[[Card], int]
    """How many cards the first card of a new shoe burns."""


@dataclass(frozen=True, slots=True)
class Law:
    """A game under the options of one operator."""

    game: Game
    options: Options
    own: Any
    """The game's own options."""

    @property
    def offered(self) -> tuple[str, ...]:
        """The bets that this table takes; an own option with the name of a bet says whether it does."""
        return tuple(bet for bet in self.game.bets if getattr(self.own, bet, True))

    def limits(self, bet: str) -> tuple[int, int] | None:
        """The least and the most of a zone on this bet (art. 14), in minor units; `None` without limits."""
        limits = self.options.limits
        if not limits:
            return None
        return limits.get(bet) or (limits.get("main") if bet in self.game.mains else None)

    @classmethod
    def of(cls, game: Game, options: Mapping[str, Any]) -> "Law":
        """Sort the options of a scenario, a table file or a journal into the common and the game's own.

        Their values were checked where they were written. Raises `ValueError` that names an unknown key.
        """
        common = {f.name for f in fields(Options)}
        own = {f.name for f in fields(game.own)}
        for key in options:
            if key not in common | own:
                known = ", ".join(sorted(common | own))
                raise ValueError(f"{game.name} has no option {key!r}; it has {known}")
        return cls(
            game,
            Options(**{key: value for key, value in options.items() if key in common}),
            game.own(**{key: value for key, value in options.items() if key in own}),
        )
