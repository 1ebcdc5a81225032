"""Exact odds, by enumerating every deal through the rule book that plays."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import perm, prod
from typing import NamedTuple

from rules.cards import DECK
from rules.ez_baccarat import GAME, POINTS, PUNTO
from rules.law import Law
from rules.round import Outcome

LONGEST = 6
"""The most cards that a round of baccarat takes."""


class Kind(NamedTuple):
    """How rounds end that are as good as one another."""

    winner: str
    marks: tuple[str, ...]
    punto: int
    """How many cards the Punto took."""
    banca: int


def ez_baccarat(decks: int) -> Mapping[str, Fraction]:
    """The probabilities and the players' losses of EZ Baccarat, with a full shoe of so many decks.

    `punto banca empate dragon_7 panda_8` are how often each happens; `edge_` and the name of a bet is what a
    player loses on average of one unit staked.
    """
    total = perm(52 * decks, LONGEST)
    counts: dict[str, int] = dict.fromkeys(("punto", "banca", "empate", "dragon_7", "panda_8"), 0)
    nets: dict[str, Fraction] = dict.fromkeys(GAME.bets, Fraction(0))
    _, outcomes = _deals()
    for kind, ways in ways_to(decks).items():
        for name in (kind.winner, *kind.marks):
            if name in counts:
                counts[name] += ways
        for bet in nets:
            pays, to = outcomes[kind].pays.get(bet, (-1, 1))
            nets[bet] += Fraction(ways * pays, to)
    figures = {name: Fraction(ways, total) for name, ways in counts.items()}
    return figures | {f"edge_{bet}": -net / total for bet, net in nets.items()}


def ways_to(decks: int) -> Mapping[Kind, int]:
    """In how many of the ordered deals of six cards from a full shoe a round ends so."""
    size = 52 * decks
    faces = [decks * sum(POINTS[card] == points for card in DECK) for points in range(10)]
    ways: Counter[Kind] = Counter()
    orders, _ = _deals()
    for (kind, dealt), many in orders.items():
        drawn = prod(perm(faces[points], dealt.count(points)) for points in set(dealt))
        ways[kind] += many * drawn * perm(size - len(dealt), LONGEST - len(dealt))
    return ways


@cache
def _deals() -> tuple[Mapping[tuple[Kind, tuple[int, ...]], int], Mapping[Kind, Outcome]]:
    """How each set of values may end, with the number of orders in which it ends so; and every outcome.

    Cards of equal points are one kind to the rule book, so one face stands for all of its kind.
    """
    law = Law.of(GAME, {"panda_8": True})
    faces = {points: card for card, points in POINTS.items()}
    orders: Counter[tuple[Kind, tuple[int, ...]]] = Counter()
    outcomes: dict[Kind, Outcome] = {}

    def deal(dealt: tuple[int, ...], punto: int) -> None:
        book = GAME.deal(law)
        awaited = next(book)
        for points in dealt:
            awaited = book.send(faces[points])
        outcome = awaited.outcome
        if outcome is not None:
            kind = Kind(outcome.winner, outcome.marks, punto, len(dealt) - punto)
            orders[kind, tuple(sorted(dealt))] += 1
            outcomes[kind] = outcome
            return
        for points in range(10):
            deal((*dealt, points), punto + (awaited.spot == PUNTO))

    deal((), 0)
    return orders, outcomes


GAMES = {"ez_baccarat": ez_baccarat}
"""The games whose odds are exact, by their names."""
