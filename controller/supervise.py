"""Starts the processes of a table, and starts again what ends; nothing else.

A process that dies is started anew at once; one that cannot live is tried again every second. Every process
ends when this one does, since each watches its parent.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO

import structlog

from controller.process import UNUSABLE

ROOT = Path(__file__).parent.parent
AGAIN = 1.0
"""Seconds between two starts of a process that does not live."""
LOOK = 0.05
"""Seconds between two looks at the processes."""
AT_FIRST = 30.0
"""Seconds after its first start in which a process may still say that it cannot run at all."""

log = structlog.get_logger()


class Child:
    """One process that must be there."""

    def __init__(self, name: str, command: Sequence[str], output: IO[bytes] | None = None) -> None:
        """`command` is a module and its arguments; `output` takes its standard error, else ours does.

        It is told who we are, so that it also ends when we die before it can look.
        """
        self.name = name
        self.starts = 0
        self.code: int | None = None
        """How it last ended; `None` while it never did."""
        self.unusable = False
        """It cannot run on what it was given, and said so when it was first started."""
        self._command = [sys.executable, "-P", "-m", *command, "--parent", str(os.getpid())]
        self._output = output
        self._process: subprocess.Popen[bytes] | None = None
        self._started = float("-inf")

    @property
    def pid(self) -> int | None:
        """Of the process that runs now."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def tend(self, now: float) -> None:
        """Start it when it is not there."""
        if self.pid is not None:
            return
        if self._process is not None and self.code is None:
            self.code = self._process.returncode
            young = self.starts == 1 and now - self._started < AT_FIRST
            self.unusable = self.code == UNUSABLE and young
            log.warning("a process ended", name=self.name, code=self.code)
        if now - self._started < AGAIN and self.code != -9:  # noqa: PLR2004 - killed, so not its own fault
            return
        self._started, self.code = now, None
        self.starts += 1
        self._process = subprocess.Popen(  # noqa: S603 - our own modules
            self._command, cwd=ROOT, stderr=self._output, start_new_session=True
        )

    def stop(self, seconds: float = 3.0) -> None:
        """End it, gently first."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Supervisor:
    """The processes of a table."""

    def __init__(self, children: Iterable[Child]) -> None:
        self.children = list(children)

    def tend(self) -> None:
        """Start what is not there."""
        now = time.monotonic()
        for child in self.children:
            child.tend(now)

    @property
    def unusable(self) -> Child | None:
        """A process that cannot run on what it was given."""
        return next((child for child in self.children if child.unusable), None)

    def run(self, stopped: Callable[[], bool]) -> Child | None:
        """Tend until told to stop; the process that cannot run at all, or `None`."""
        while not stopped():
            self.tend()
            if self.unusable:
                return self.unusable
            time.sleep(LOOK)
        return None

    def stop(self) -> None:
        """End all, the last first."""
        for child in reversed(self.children):
            child.stop()
