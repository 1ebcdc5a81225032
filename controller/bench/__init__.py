"""`sabot bench`: the speeds that were promised, measured as a whole, beside the floor of this machine."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from controller.bench import latency, recovery, rulebook, start


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure."""

    name: str
    value: float
    unit: str
    goal: str
    """What was promised, in words."""
    good: bool
    floor: Mapping[str, float]
    """What this machine needs for the least of it, in the same unit, measured in the same run."""


def _latency() -> Iterator[Figure]:
    cards, alarms, sync = latency.measure()
    floor = {"fdatasync p50": sync}
    p50, p99 = latency.percentile(cards, 50), latency.percentile(cards, 99)
    aim = f"at most 10 ms; aim: fdatasync + 4 ms = {sync + 4:.1f} ms"
    yield Figure("card to painted, p50", p50, "ms", aim, p50 <= 10, floor)  # noqa: PLR2004 - the promise
    yield Figure("card to painted, p99", p99, "ms", "at most 25 ms", p99 <= 25, floor)  # noqa: PLR2004
    yield Figure("card to painted, max", max(cards), "ms", "", good=True, floor=floor)
    p99 = latency.percentile(alarms, 99)
    yield Figure("alarm painted, p99", p99, "ms", "at most 50 ms", p99 <= 50, floor)  # noqa: PLR2004


def _rules() -> Iterator[Figure]:
    rate, calls = rulebook.rounds_a_second()
    goal = "at least 50,000"
    yield Figure("rounds judged", rate, "1/s", goal, rate >= 50_000, {"empty calls": calls})  # noqa: PLR2004


def _odds() -> Iterator[Figure]:
    seconds = rulebook.odds_seconds()
    yield Figure("exact odds, 8 decks", seconds, "s", "at most 10 s", seconds <= 10, {})  # noqa: PLR2004


def _start() -> Iterator[Figure]:
    floor = {"bare interpreter": start.bare()}
    seconds, many = start.seconds(), f"{start.ENTRIES:,} entries"
    yield Figure(f"start on {many}", seconds, "s", "at most 1 s", seconds <= 1, floor)
    yield Figure("start, were it one file", start.seconds(start.ENTRIES), "s", "", good=True, floor=floor)


def _recovery() -> Iterator[Figure]:
    floor = {"bare interpreter": start.bare()}
    for name, seconds in recovery.seconds().items():
        goal = "at most 3 s"
        yield Figure(f"card after kill of {name}", seconds, "s", goal, seconds <= 3, floor)  # noqa: PLR2004


BENCHES: Mapping[str, Callable[[], Iterator[Figure]]] = {
    "latency": _latency,
    "rules": _rules,
    "odds": _odds,
    "start": _start,
    "recovery": _recovery,
}
"""The benches by the names that `--only` takes."""
