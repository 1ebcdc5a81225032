"""The port of a device: opened, read, and opened again for as long as a table runs.

The only file that imports pyserial. One loop owns a port, and nobody else opens or closes it. `read` never
raises for what a cable, an adapter or a gateway does: it returns what came, and `why` says what is wrong.
"""

import random
import select
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

import serial
import structlog

from drivers import trouble
from drivers.tcp import Tcp

_BROKEN = (serial.SerialException, OSError, EOFError, termios.error, TypeError)
"""All that a port may raise when it goes away; `TypeError` where pyserial lost its file on the way."""
_FIRST_WAIT, _LONGEST_WAIT = 0.2, 1.0
"""Seconds between two attempts; doubled each time."""
_STEADY = 5.0
"""Seconds after which an open port is believed to stay: the next attempts start quickly again."""

_LOOK_EVERY = 5.0
"""Seconds between two looks for another reader."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Line:
    """How the device talks, as its maker sets it; a TCP gateway has its own settings."""

    baud: int = 9600
    bits: int = 8
    parity: str = "N"
    stop: int = 1
    dtr: bool | None = None
    """Some devices restart when this line rises; `None` leaves it to the system."""
    rts: bool | None = None


class Wire(Protocol):
    """What a port needs of what it opens: a local device, or a gateway (`drivers.tcp`)."""

    def open(self, now: float) -> None:
        """Begin; raises one of `_BROKEN`, as all the others do."""

    def ready(self, timeout: float, now: float) -> bool:
        """Whether it is open, after `timeout` seconds at most; asked until it is."""

    def fileno(self) -> int:
        """For `select`: readable when something came, or it broke."""

    def read(self) -> bytes:
        """What came, without waiting."""

    def write(self, data: bytes) -> None:
        """Send all."""

    def close(self) -> None:
        """Let go, at once."""

    def trouble(self, error: Exception) -> str:
        """What an error of this wire means, in words."""

    def readers(self) -> str:
        """Who else reads it, in words; empty if nobody is seen."""


class _Tty(serial.Serial):
    """A local device that keeps what came before it was opened."""

    def _reset_input_buffer(self) -> None:
        """Called by pyserial's `open` to throw away what came just then: a card may be in it."""


class _Local:
    """A local device, locked while it is open."""

    def __init__(self, path: str, line: Line) -> None:
        self._path = path
        self._tty = _Tty(None, line.baud, line.bits, line.parity, line.stop, timeout=0, exclusive=True)
        self._tty.write_timeout = 1.0
        self._tty.port = path
        if line.dtr is not None:
            self._tty.dtr = line.dtr
        if line.rts is not None:
            self._tty.rts = line.rts

    def open(self, now: float) -> None:
        del now
        self._tty.open()
        # Some adapters hold bytes back for 16 ms; those that cannot be told otherwise are none the worse.
        with suppress(ValueError, NotImplementedError, OSError):
            self._tty.set_low_latency_mode(True)

    def ready(self, timeout: float, now: float) -> bool:
        del timeout, now
        return True

    def fileno(self) -> int:
        return self._tty.fileno()

    def read(self) -> bytes:
        return self._tty.read(max(1, self._tty.in_waiting))

    def write(self, data: bytes) -> None:
        self._tty.write(data)

    def close(self) -> None:
        self._tty.close()

    def trouble(self, error: Exception) -> str:
        return trouble.of_device(self._path, error)

    def readers(self) -> str:
        return trouble.who_reads(self._path)


class Port:
    """One port, opened by itself and again whenever it comes back."""

    def __init__(
        self,
        address: str,
        line: Line,
        *,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`address` is a device (`/dev/serial/by-id/...`) or a gateway (`socket://host:port`).

        Raises `ValueError` if it is neither, or if no line is like that.
        """
        self.address = address
        self.why = "not opened yet"
        """What is wrong, in one line of words; empty while the port is open."""
        self.opened = 0
        """How often it was opened."""
        self.tried = False
        """The first attempt has ended, well or not."""
        self.shared = ""
        """Who else reads it, and steals bytes: `pid 123 (cat)`; empty if nobody is seen."""
        self._wire = _wire(address, line)
        self._begun = False
        self._clock, self._pause = clock, pause
        self._next = self._since = self._looked = clock()
        self._wait = _FIRST_WAIT

    @property
    def is_open(self) -> bool:
        """Something may come."""
        return not self.why

    def read(self, timeout: float) -> bytes:
        """What came, as soon as it came; nothing after `timeout` seconds, or after a failure (see `why`)."""
        until = self._clock() + timeout
        if not self._begun and self._next > until:
            self._pause(timeout)
            return b""
        try:
            self._begin()
            return self._receive(until)
        except _BROKEN as error:
            self._fail(error)
            return b""

    def write(self, data: bytes) -> bool:
        """Send all of it; False where it could not be sent (see `why`)."""
        if not self.is_open:
            return False
        try:
            self._wire.write(data)
        except _BROKEN as error:
            self._fail(error)
            return False
        return True

    def close(self) -> None:
        """Let go of it; the next `read` would open it again."""
        self._begun = False
        self.why = self.why or "closed"
        with suppress(*_BROKEN):
            self._wire.close()

    def _begin(self) -> None:
        if self._begun:
            return
        self._pause(max(0.0, self._next - self._clock()))
        self._wire.open(self._clock())
        self._begun = True

    def _receive(self, until: float) -> bytes:
        now = self._clock()
        if self.why:
            if not self._wire.ready(max(0.0, until - now), now):
                return b""
            self._open()
        readable, _, _ = select.select([self._wire], [], [], max(0.0, until - self._clock()))
        if readable:
            return self._wire.read()
        if self._clock() - self._looked >= _LOOK_EVERY:
            self._look()
        return b""

    def _open(self) -> None:
        self.why, self._since, self.tried = "", self._clock(), True
        self.opened += 1
        log.info("port.open", address=self.address, times=self.opened)
        self._look()

    def _look(self) -> None:
        """Who else reads? Only asked when there is nothing else to do: it takes milliseconds."""
        self._looked = self._clock()
        shared = self._wire.readers()
        if shared and shared != self.shared:
            log.warning("port.shared", address=self.address, readers=shared)
        self.shared = shared

    def _fail(self, error: Exception) -> None:
        """Close at once, or the device comes back under another name; and try again later."""
        why, now = self._wire.trouble(error), self._clock()
        if self.is_open and now - self._since >= _STEADY:
            self._wait = _FIRST_WAIT
        # A little jitter, so that the clients of one gateway do not all knock at once.
        self._next = now + self._wait * random.uniform(0.9, 1.0)  # noqa: S311 - no secret hangs on it
        self._wait = min(2 * self._wait, _LONGEST_WAIT)
        if why != self.why:
            log.warning("port.lost", address=self.address, why=why)
        self.close()
        self.why, self.shared, self.tried = why, "", True


def _wire(address: str, line: Line) -> Wire:
    parts = urlsplit(address)
    if parts.scheme == "socket" and parts.hostname and parts.port:
        return Tcp(parts.hostname, parts.port)
    if address.startswith("/"):
        return _Local(address, line)
    raise ValueError(f"{address!r} is no port: write /dev/serial/by-id/... or socket://host:port")
