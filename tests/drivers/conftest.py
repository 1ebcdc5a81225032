"""What the tests of the drivers share: telegrams by the three, a clock that is told, a shoe to play with."""

import json
import os
import subprocess
import sys
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers.angel_eye.wire import Telegram, encode


@pytest.fixture(scope="session")
def thrice() -> Callable[[str, bytes], bytes]:
    """The three copies of a telegram: `thrice("1", b"S")`."""
    return lambda seq, data: encode(Telegram(seq, data)) * 3


@pytest.fixture(scope="session")
def once() -> Callable[[str, bytes], bytes]:
    """One copy of a telegram."""
    return lambda seq, data: encode(Telegram(seq, data))


class Clock:
    """Time that passes when it is told to, and while somebody pauses."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.pauses: list[float] = []

    def __call__(self) -> float:
        """Seconds."""
        return self.now

    def pause(self, seconds: float) -> None:
        """In place of a sleep."""
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


class Simulated:
    """The simulated shoe, running as a program."""

    def __init__(self, link: Path, *options: str) -> None:
        self.link = link
        command = [sys.executable, "-P", "-m", "drivers.simulated", "--link", str(link), *options]
        self._program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.hello = self._answer()

    def tell(self, do: str, **more: object) -> None:
        """An order, whose answer is not waited for."""
        assert self._program.stdin
        self._program.stdin.write(json.dumps({"do": do} | more) + "\n")
        self._program.stdin.flush()

    def do(self, do: str, **more: object) -> dict[str, object]:
        """An order and its answer."""
        self.tell(do, **more)
        return self._answer()

    def answers(self, count: int) -> list[dict[str, object]]:
        """The answers to orders that were told."""
        return [self._answer() for _ in range(count)]

    def end(self) -> int:
        """Close its standard input; gives its exit code."""
        assert self._program.stdin
        self._program.stdin.close()
        code = self._program.wait(5)
        assert self._program.stdout
        self._program.stdout.close()
        return code

    def _answer(self) -> dict[str, object]:
        assert self._program.stdout
        answer: dict[str, object] = json.loads(self._program.stdout.readline())
        return answer


class Terminal:
    """The far end of a serial line: what is written here, a port reads at `path`."""

    def __init__(self) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        os.close(slave)

    def write(self, data: bytes) -> None:
        """Onto the line."""
        os.write(self.master, data)

    def unplug(self) -> None:
        """Both ends are gone."""
        if self.master >= 0:
            os.close(self.master)
        self.master = -1


@pytest.fixture
def terminal() -> Iterator[Callable[[], Terminal]]:
    """Makes terminals, and closes them."""
    made: list[Terminal] = []

    def make() -> Terminal:
        made.append(Terminal())
        return made[-1]

    yield make
    for one in made:
        one.unplug()


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[Callable[..., Simulated]]:
    """Starts simulated shoes under `tmp_path / "shoe"`, and ends them."""
    running: list[Simulated] = []

    def start(*options: str) -> Simulated:
        running.append(Simulated(tmp_path / "shoe", *options))
        return running[-1]

    yield start
    for shoe in running:
        shoe.end()
