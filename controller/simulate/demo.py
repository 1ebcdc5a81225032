"""`sabot demo`: the whole table on this machine, nothing attached.

A simulated shoe on a pseudo-terminal, a drawn felt under a camera, people who tap the dealer's screen; and
the same processes as at a real table, which cannot tell the difference.
"""

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Self

from config.load import Table, load
from controller.alone import TakenError, alone
from controller.journals import every, latest
from controller.processes import processes
from controller.scenario import Scenario
from controller.simulate import playing
from controller.simulate.faults import Trouble, course
from controller.simulate.hands import Hands
from controller.simulate.people import People
from controller.simulate.screen import Screen
from controller.simulate.shoe import ShoeProgram
from controller.simulate.tables import LAYOUT, VAR, free_port, table_file
from controller.supervise import LOOK, Supervisor
from vision.drawn.server import FrameServer
from vision.drawn.table import DrawnTable
from vision.layout import load_layout

CALM = 1.2
"""Seconds that a calm dealer takes for a card."""
CUT = 14
FAST = 1e6
"""Pictures a second: as many as the table can take."""
FOR_EVER = 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """How a demo is played."""

    seed: int = 1
    rounds: int | None = None
    """So many, or until Ctrl-C."""
    faults: bool = False
    headless: bool = False
    """As fast as the processes go."""
    speed: float = 1.0
    port: int | None = None
    scenario: Scenario | None = None
    """Play this instead of the people's own rounds."""


class Demo:
    """A table that is running: its processes, and the people at it."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.port = settings.port or free_port()
        fps = FAST if settings.headless else 30.0
        if settings.scenario is None:
            self.path = table_file(folder, self.port, fps=fps)
        else:
            self.path = playing.table(folder, self.port, fps, settings.scenario)
        self.config: Table = load(self.path)
        self.log = folder / "log.jsonl"
        self._stack = ExitStack()
        self._stop = threading.Event()

    def __enter__(self) -> Self:
        """Start everything."""
        stack = self._stack
        felt = DrawnTable(load_layout(LAYOUT), seed=self.settings.seed)
        camera = stack.enter_context(FrameServer(f"ipc://{self.folder}/felt", felt.render))
        self.shoe = ShoeProgram(self.folder / "shoe", self.settings.seed, self.config.law.options.decks, CUT)
        stack.callback(self.shoe.close)
        output = stack.enter_context(self.log.open("ab"))
        self.supervisor = Supervisor(processes(self.config, self.path, output))
        stack.callback(self.supervisor.stop)
        watcher = threading.Thread(target=self._watch, name="supervisor", daemon=True)
        watcher.start()
        stack.callback(watcher.join)
        stack.callback(self._stop.set)
        screen = Screen(self.port)
        stack.callback(screen.close)
        pace = 0.0 if self.settings.headless else CALM / self.settings.speed
        random = Random(self.settings.seed)  # noqa: S311 - repeatable on purpose
        hands = Hands(self.shoe, felt, camera)
        self.people = People(screen, hands, random, self.config.law.options.seats, pace)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _watch(self) -> None:
        while not self._stop.wait(LOOK):
            self.supervisor.tend()

    @property
    def journal(self) -> Path:
        """The journal that the table writes."""
        path = latest(self.folder / "journals", self.config.file.table)
        if path is None:
            raise FileNotFoundError(f"{self.folder}: the table has written no journal; see {self.log}")
        return path

    @property
    def journals(self) -> list[Path]:
        """All that the table wrote, in their order."""
        return every(self.folder / "journals", self.config.file.table)

    def rounds(self) -> Iterator[int]:
        """Play, and say which round was played; a scenario is one round to look at, however many it has."""
        if self.settings.scenario is not None:
            playing.Playing(self, self.settings.scenario).play()
            yield 1
            return
        many = self.settings.rounds or FOR_EVER
        troubles: dict[int, Trouble] = course(self.settings.seed, many) if self.settings.faults else {}
        for number in range(1, many + 1):
            self.people.round(troubles.get(number))
            yield number

    def ready(self, seconds: float = 30.0) -> None:
        """Wait until the screens can be opened; raises `StuckError` or `RuntimeError` with what is wrong."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.supervisor.unusable:
                raise RuntimeError(self.complaint())
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
            except OSError:
                time.sleep(LOOK)
            else:
                return
        raise RuntimeError(f"the screens did not come up; see {self.log}")

    def complaint(self) -> str:
        """The last line in which a process said why it cannot run."""
        said = [text for text in self.log.read_text().splitlines() if text.startswith("sabot: ")]
        return said[-1].removeprefix("sabot: ") if said else f"a process cannot run; see {self.log}"


@contextmanager
def demo(settings: Settings) -> Iterator[Demo]:
    """A running demo in a folder of its own below `var`."""
    with _folder(settings.seed) as folder, Demo(settings, folder) as running:
        running.ready()
        yield running


@contextmanager
def _folder(seed: int) -> Iterator[Path]:
    """An empty folder that a seed finds again, unless the demo that has it still runs."""
    VAR.mkdir(exist_ok=True)
    for place in count(1):
        folder = VAR / (f"demo-{seed}" if place == 1 else f"demo-{seed}-{place}")
        try:
            lock = alone(folder.with_suffix(".lock"))
        except TakenError:
            continue
        with lock:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            yield folder
        return
