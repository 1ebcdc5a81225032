"""The devices that a table may name, and how each is reached.

A driver is small: a pure `decode` of its frames, and a decoder that makes facts of them. It is added here by
one line, and everything else (port, ladder, capture, `sabot decode`) serves it as it serves the others.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from drivers.angel_eye import AngelEye
from drivers.frames import Counts
from drivers.port import Line
from rules.facts import Fact


class Decoder(Protocol):
    """Bytes in, facts out; pure but for what it remembers of the line."""

    counts: Counts
    asked: str
    """The command that waits for an answer; a device that takes none leaves it empty."""

    def feed(self, data: bytes) -> list[tuple[Fact, str]]:
        """The facts that these bytes complete, each with its cursor; never raises for what a line sends.

        A cursor says, in a text that only the driver reads, where the device's own count stood at that fact.
        """

    def ask(self, name: str, number: int = 0) -> bytes:
        """The bytes of a command; raises `ValueError` if the device knows none of that name."""


@dataclass(frozen=True, slots=True)
class Driver:
    """A kind of device."""

    decoder: Callable[..., Decoder]
    """Called with the cursor to start from, and with the settings of the table as keywords."""
    line: Line
    source: str
    """What it is at the table: `shoe`, `shuffler`."""


DRIVERS = {
    # Field knowledge; not yet tried on the maker's hardware. One unit was met at 9600.
    "angel-eye-2ex": Driver(AngelEye, Line(baud=4800), "shoe"),
}


def driver(name: str) -> Driver:
    """The driver of that name; raises `ValueError` that lists the known ones."""
    try:
        return DRIVERS[name]
    except KeyError:
        raise ValueError(f"{name!r} is no driver; known: {', '.join(sorted(DRIVERS))}") from None
