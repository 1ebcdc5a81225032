"""How fast the rules judge: complete rounds through the fold, and exact odds through the rule book."""

import statistics
import time
from random import Random

from controller.process import calm
from rules import odds
from rules.cards import DECK, Card
from rules.ez_baccarat import GAME
from rules.facts import BetPlaced, CardDrawn, CardsBurned, CardSeen, Closed, Fact, ShoeLoaded
from rules.law import Law
from rules.play import Play

ROUNDS = 2000
RUNS = 15


def log(law: Law, rounds: int, seats: int = 1, seed: int = 1) -> list[tuple[int, Fact]]:
    """A log of complete rounds: a bet a seat, the cards that are due, the closing; shoes as they end.

    Where a camera looks on, every card is seen.
    """
    random = Random(seed)  # noqa: S311 - repeatable on purpose
    play = Play({}, law)
    lines: list[tuple[int, Fact]] = []
    shoe: list[Card] = []

    def put(fact: Fact) -> None:
        lines.append((len(lines) + 1, fact))
        play.after(len(lines), fact)

    for _ in range(rounds):
        if len(shoe) < 20:  # noqa: PLR2004 - more than any round takes
            shoe = [card for card in DECK for _ in range(8)]
            random.shuffle(shoe)
            put(ShoeLoaded(8))
            if law.options.burn == "first_card":
                first = shoe.pop()
                put(CardsBurned((first,), first=True))
                put(CardsBurned(tuple(shoe.pop() for _ in range(law.game.burn_count(first)))))
        for seat in range(1, seats + 1):
            put(BetPlaced(seat, "punto", 5000))
        while play.felt.awaited is None or play.felt.awaited.what == "draw":
            card = shoe.pop()
            put(CardDrawn(card))
            if law.options.camera:
                put(CardSeen(card, play.felt.laid[-1].spot))
        put(Closed())
    return lines


def rounds_a_second() -> tuple[float, float]:
    """Rounds that one core judges in a second, and empty calls of the interpreter; medians."""
    law = Law.of(GAME, {})
    lines = log(law, ROUNDS)
    calm()

    def judge() -> float:
        after = Play({}, law).after
        began = time.process_time()
        for n, fact in lines:
            after(n, fact)
        return ROUNDS / (time.process_time() - began)

    def nothing(_n: int) -> None:
        return

    def calls() -> float:
        began = time.process_time()
        for n in range(100_000):
            nothing(n)
        return 100_000 / (time.process_time() - began)

    # In turn, so that both are of the same moments of a machine that others use too.
    runs = [(judge(), calls()) for _ in range(RUNS)]
    return statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs)


def odds_seconds() -> float:
    """Seconds for the exact odds of eight decks."""
    began = time.perf_counter()
    odds.ez_baccarat(8)
    return time.perf_counter() - began
