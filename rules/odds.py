"""Exact odds, by enumerating every deal through the rule book that plays."""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import perm

from rules.cards import DECK, Card
from rules.ez_baccarat import GAME, POINTS
from rules.law import Law
from rules.round import Outcome

LONGEST = 6
"""The most cards that a round of baccarat takes."""


def ez_baccarat(decks: int) -> Mapping[str, Fraction]:
    """The probabilities and the players' losses of EZ Baccarat, with a full shoe of so many decks.

    `punto banca empate dragon_7 panda_8` are how often each happens; `edge_` and the name of a bet is what a
    player loses on average of one unit staked.
    """
    law = Law.of(GAME, {"decks": decks, "panda_8": True})
    total = perm(52 * decks, LONGEST)
    counts: dict[str, int] = dict.fromkeys(("punto", "banca", "empate", "dragon_7", "panda_8"), 0)
    nets: dict[str, Fraction] = dict.fromkeys(law.game.bets, Fraction(0))
    for outcome, ways in _outcomes(law):
        for name in (outcome.winner, *outcome.marks):
            if name in counts:
                counts[name] += ways
        for bet in nets:
            pays, to = outcome.pays.get(bet, (-1, 1))
            nets[bet] += Fraction(ways * pays, to)
    figures = {name: Fraction(ways, total) for name, ways in counts.items()}
    return figures | {f"edge_{bet}": -net / total for bet, net in nets.items()}


def _outcomes(law: Law) -> Iterator[tuple[Outcome, int]]:
    """Every outcome with the number of ordered deals of six cards that give it.

    Cards of equal points are one kind to the rule book, so one face stands for all of its kind.
    """
    faces = {points: card for card, points in POINTS.items()}
    left = [sum(POINTS[card] == points for card in DECK) * law.options.decks for points in range(10)]
    size = 52 * law.options.decks
    outcomes: dict[tuple[str, ...], Outcome] = {}
    ways_to: Counter[tuple[str, ...]] = Counter()

    def deal(dealt: list[Card], ways: int) -> None:
        book = law.game.deal(law)
        awaited = next(book)
        for card in dealt:
            awaited = book.send(card)
        if awaited.outcome is not None:
            kind = (awaited.outcome.winner, *awaited.outcome.marks)
            outcomes[kind] = awaited.outcome
            ways_to[kind] += ways * perm(size - len(dealt), LONGEST - len(dealt))
            return
        for points in range(10):
            if left[points]:
                left[points] -= 1
                deal([*dealt, faces[points]], ways * (left[points] + 1))
                left[points] += 1

    deal([], 1)
    return ((outcome, ways_to[kind]) for kind, outcome in outcomes.items())


GAMES = {"ez_baccarat": ez_baccarat}
"""The games whose odds are exact, by their names."""
