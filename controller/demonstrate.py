"""`sabot demo` on the terminal: the addresses, how far it is, and the figures in the end."""

import signal
import sys
from contextlib import ExitStack
from dataclasses import asdict
from types import FrameType

import msgspec
import zmq
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from controller.check import settled
from controller.journal import Reading
from controller.process import logs
from controller.progress import console
from controller.rounds import summary, told
from controller.scenario import UnusableError
from controller.simulate.demo import Demo, Settings, demo
from controller.simulate.playing import settlement
from controller.simulate.screen import StuckError

WRONG = 1
UNUSABLE = 2


def demonstrate(settings: Settings, *, json: bool) -> int:
    """Play a demo to its end; the exit code."""
    logs()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with demo(settings) as running:
            _open(running, json=json)
            played = _play(running)
            journal, journals = running.journal, running.journals
    except UnusableError as error:
        sys.stderr.write(f"sabot: {error}\n")
        return UNUSABLE
    except (RuntimeError, StuckError, zmq.ZMQError) as error:
        sys.stderr.write(f"sabot: {error}\n")
        return WRONG
    # A demo that is played over midnight has one for each day.
    with ExitStack() as opened:
        readings = [opened.enter_context(Reading(path)) for path in journals]
        problem = next(filter(None, (reading.verify() for reading in readings)), None)
        entries = [entry for reading in readings for entry in reading.since()]
    rounds = [one.round for one in told(entries)]
    wrong = settled(rounds, settlement(settings.scenario)) if settings.scenario else []
    for line in wrong:
        sys.stderr.write(f"sabot: {line}\n")
    figures = {**asdict(summary(entries)), "journal": str(journal)}
    if json:
        sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")
    else:
        _tell(figures, problem)
    return 0 if played and problem is None and not wrong else WRONG


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _open(running: Demo, *, json: bool) -> None:
    if json or running.settings.headless:
        return
    at = f"http://127.0.0.1:{running.port}"
    sys.stdout.write(f"dealer   {at}/dealer\nplayers  {at}/public\nCtrl-C ends it.\n")
    sys.stdout.flush()


def _play(running: Demo) -> bool:
    """Play all rounds; false when it got stuck."""
    columns = (TextColumn("rounds"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
            task = progress.add_task("rounds", total=running.settings.rounds)
            for number in running.rounds():
                progress.update(task, completed=number)
    except KeyboardInterrupt:
        return True
    except StuckError as error:
        sys.stderr.write(f"sabot: the people of the demo are stuck: {error}\n")
        return False
    return True


def _tell(figures: dict[str, object], problem: str | None) -> None:
    for name, value in figures.items():
        sys.stdout.write(f"{name:<9}{value}\n")
    sys.stdout.write("         whole\n" if problem is None else f"         NOT whole: {problem}\n")
