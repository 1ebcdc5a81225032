"""Runs scenarios through the rules: every fact in its order, every expectation, every settlement."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from controller.scenario import Expect, Row, Scenario
from rules.bets import Refusal
from rules.known import GAMES
from rules.play import Play
from rules.round import Irregularity, Payout, Round
from rules.view import view


def files(paths: list[Path]) -> Iterator[Path]:
    """The scenario files named, and those in the folders named."""
    for path in paths:
        if path.is_dir():
            # A folder without any is told of as such: nothing was checked there.
            yield from sorted(path.rglob("*.toml")) or [path]
        else:
            yield path


@dataclass(frozen=True, slots=True)
class Last:
    """What the fact just before did beside the round."""

    refused: Refusal | None = None
    ended: Irregularity | None = None
    """The irregularity that it ended: the round has just been in it."""


def run(scenario: Scenario) -> list[str]:
    """What differed, one sentence each; empty when all is as written."""
    play = Play(GAMES, scenario.law)
    errors: list[str] = []
    last = Last()
    for step in scenario.steps:
        if step.expect is not None:
            errors += [f"{step.place}: {error}" for error in _differs(play, step.expect, last)]
        elif step.fact is None:
            last = Last(Refusal("not_due", play.now.awaits.article))
        else:
            before = play.now.irregularity
            play.after(step.n, step.fact, step.by_hand)
            ended = before if before and before.halts and play.now.irregularity is None else None
            last = Last(play.refused, ended)
    return errors + settled([play.round(i) for i in range(len(play))], scenario.settlement)


def _differs(play: Play, expect: Expect, last: Last) -> Iterator[str]:
    """The keys of an expectation that do not hold where the round stands."""
    round_, law = play.now, play.felt.law
    at = expect.at or round_.awaits.spot
    cards = round_.cards(at) if at else []
    irregularity = round_.irregularity or last.ended
    holds = round_.irregularity if round_.irregularity and round_.irregularity.halts else None
    found = {
        "awaits": round_.awaits.what,
        "at": round_.awaits.spot,
        "choices": sorted(round_.awaits.choices),
        "article": holds.article if holds else round_.awaits.article,
        "irregularity": irregularity.code if irregularity else None,
        "total": law.game.total(cards) if cards else None,
        "soft": False,
        "visible": [str(card or "back") for card in view(law, round_).hands.get(at or "", ())],
        "refused": last.refused is not None,
    }
    if expect.total is not None or expect.soft is not None or expect.visible is not None:
        found["at"] = at
    for key, wanted in msgspec.to_builtins(expect).items():
        is_ = found[key]
        if (sorted(wanted) if key == "choices" else wanted) != is_:
            yield f"expected {key} {_said(wanted)}, is {_said(is_)}{_because(round_, last)}"


def _said(value: object) -> str:
    return "nothing" if value is None else str(value)


def _because(round_: Round, last: Last) -> str:
    if last.refused:
        return f" (refused: {last.refused.code}, art. {last.refused.article})"
    return f" ({round_.irregularity.code})" if round_.irregularity else ""


def settled(rounds: Sequence[Round], wanted: Sequence[Row]) -> list[str]:
    """Compare the settlements of rounds as a set with those that a scenario writes, where it writes any."""
    if not wanted:
        return []
    errors = []
    paid: dict[tuple[int, int, str, str], Payout] = {}
    for number, round_ in enumerate(rounds, start=1):
        if round_.over:
            paid |= {(number, pay.seat, pay.player, pay.bet): pay for pay in round_.payouts}
    for row in wanted:
        pay = paid.pop((row.round, row.seat, row.player, row.bet), None)
        where = f"round {row.round}, seat {row.seat}, {row.bet}"
        if pay is None or row.at not in (None, f"seat {row.seat}"):
            errors.append(f"{where}: was not settled")
            continue
        for key in ("net", "result", "article"):
            value = getattr(row, key)
            if value is not None and getattr(pay, key) != value:
                errors.append(f"{where}: {key} should be {value}, is {getattr(pay, key)}")
    errors += [
        f"round {number}, seat {seat}, {bet}: settled at {pay.net}, and the scenario does not list it"
        for (number, seat, _, bet), pay in paid.items()
    ]
    return errors
