"""Money: whole minor units, odds as pairs of integers, and how a fraction of a unit is rounded."""

from collections.abc import Callable, Mapping

Odds = tuple[int, int]
"""`(8, 1)` pays eight to one; `(0, 1)` returns the stake."""

ROUNDINGS: Mapping[str, Callable[[int, int], int]] = {
    "toward_zero": lambda whole, part: whole // part,
    "nearest": lambda whole, part: (2 * whole + part) // (2 * part),
    "up": lambda whole, part: -(-whole // part),
}
"""How a winning that is no whole unit is rounded; a half unit goes to the player with `nearest`."""


def winnings(stake: int, odds: Odds, rounding: str = "toward_zero") -> int:
    """What a winning stake earns on top of itself, in minor units."""
    pays, to = odds
    return ROUNDINGS[rounding](stake * pays, to)
