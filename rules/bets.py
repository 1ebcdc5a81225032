"""The chips on the felt before the first card, and why a wish is refused."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field

from rules.facts import BetPlaced


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a person's input changes nothing: a code that the screens put into words, with its article."""

    code: str
    article: str
    about: Mapping[str, str | int] = field(default_factory=dict)
    """What the words need: a seat, a bet, an amount in minor units."""


class Bets:
    """Stakes by seat, player and bet, in minor units; only what is on the felt, no zero."""

    __slots__ = ("_placed",)

    def __init__(self) -> None:
        self._placed: list[BetPlaced] = []

    def place(self, bet: BetPlaced) -> None:
        """Put the stake there in place of what lay there; zero takes it away."""
        placed = self._placed
        for i, before in enumerate(placed):
            if before.seat == bet.seat and before.bet == bet.bet and before.player == bet.player:
                placed[i : i + 1] = [bet] if bet.stake else []
                return
        if bet.stake:
            placed.append(bet)

    def __bool__(self) -> bool:
        """Some chips are on the felt."""
        return bool(self._placed)

    def __iter__(self) -> Iterator[BetPlaced]:
        """Every stake, in the order in which it was first placed."""
        return iter(self._placed)

    def without(self, seats: Container[int]) -> "Bets":
        """The bets of the other seats."""
        others = Bets()
        others._placed = [bet for bet in self._placed if bet.seat not in seats]
        return others

    def on(self, seat: int, bet: str) -> int:
        """What lies on this bet of this zone in all."""
        stakes = 0
        for one in self._placed:
            if one.seat == seat and one.bet == bet:
                stakes += one.stake
        return stakes

    def of(self, seat: int, player: str, bet: str) -> int:
        """What this player has on this bet of this zone."""
        for one in self._placed:
            if one.seat == seat and one.bet == bet and one.player == player:
                return one.stake
        return 0

    def seats(self) -> tuple[int, ...]:
        """The zones that hold chips, in rising order."""
        return tuple(sorted({bet.seat for bet in self._placed}))

    def zones_of(self, player: str) -> set[int]:
        """Where a named player has chips."""
        return {bet.seat for bet in self._placed if bet.player == player}
