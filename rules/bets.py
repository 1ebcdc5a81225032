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

    __slots__ = ("_stakes", "_zones")

    def __init__(self) -> None:
        self._stakes: dict[tuple[int, str, str], int] = {}
        self._zones: dict[tuple[int, str], int] = {}

    def place(self, bet: BetPlaced) -> None:
        """Put the stake there in place of what lay there; zero takes it away."""
        key, zone = (bet.seat, bet.player, bet.bet), (bet.seat, bet.bet)
        before = self._stakes.get(key, 0)
        self._zones[zone] = self._zones.get(zone, 0) - before + bet.stake
        if bet.stake:
            self._stakes[key] = bet.stake
        else:
            self._stakes.pop(key, None)

    def __bool__(self) -> bool:
        """Some chips are on the felt."""
        return bool(self._stakes)

    def __iter__(self) -> Iterator[BetPlaced]:
        """Every stake, in the order in which it was first placed."""
        for (seat, player, bet), stake in self._stakes.items():
            yield BetPlaced(seat, bet, stake, player)

    def without(self, seats: Container[int]) -> "Bets":
        """The bets of the other seats."""
        others = Bets()
        for bet in self:
            if bet.seat not in seats:
                others.place(bet)
        return others

    def on(self, seat: int, bet: str) -> int:
        """What lies on this bet of this zone in all."""
        return self._zones.get((seat, bet), 0)

    def of(self, seat: int, player: str, bet: str) -> int:
        """What this player has on this bet of this zone."""
        return self._stakes.get((seat, player, bet), 0)

    def kinds(self) -> list[tuple[int, str]]:
        """The bets that hold chips, zone by zone: seat and bet."""
        return [zone for zone, stake in self._zones.items() if stake]

    def seats(self) -> tuple[int, ...]:
        """The zones that hold chips, in rising order."""
        return tuple(sorted({seat for seat, _ in self.kinds()}))

    def zones_of(self, player: str) -> set[int]:
        """Where a named player has chips."""
        return {seat for seat, name, _ in self._stakes if name == player}
