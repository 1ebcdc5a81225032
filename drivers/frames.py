"""Bytes to frames, for every driver: the one loop that reads on, finds its feet again, and counts.

A driver brings its own `decode(buffer) -> (used, found)`, a pure function of the bytes alone:

- `(0, None)`: nothing can be said yet, read more;
- `(n, frame)`: the first `n` bytes are a good frame;
- `(n, Damage)`: the first `n` bytes are lost, and why.

`decode` never sees more than `longest` bytes at once, so that the memory of a driver is bounded whatever a
line sends: where it still asks for more at that length, the first byte is given up as the start of nothing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar


class Damage(StrEnum):
    """Why bytes were lost."""

    NOISE = "noise"
    """They belong to no frame."""
    CHECK = "check"
    """They have the shape of a frame, and its check is wrong."""
    OVERSIZE = "oversize"
    """A frame began and did not end."""


@dataclass(slots=True)
class Counts:
    """What came of the bytes of a line, since its driver started."""

    bytes: int = 0
    frames: int = 0
    """Frames with the right check."""
    bad_check: int = 0
    oversize: int = 0
    dropped: int = 0
    """Bytes that belonged to no good frame."""
    duplicates: int = 0
    """Good frames that repeat what is known."""
    differing: int = 0
    """Good copies of one telegram that do not say the same."""
    gaps: int = 0
    """Reports that the device's own count shows to be missing."""
    unknown: int = 0
    """Good frames that nobody here understands."""


Frame = TypeVar("Frame")
Decode = Callable[[bytes], tuple[int, Frame | Damage | None]]


class Framer(Generic[Frame]):
    """Cuts a stream that comes in any pieces; keeps at most `longest` - 1 bytes between them."""

    def __init__(self, decode: Decode[Frame], longest: int, counts: Counts) -> None:
        self._decode = decode
        self._longest = longest
        self._counts = counts
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Frame | Damage]:
        """Frames and losses in the order of the line; to be run to its end."""
        self._counts.bytes += len(data)
        buffer, at = self._rest + data, 0
        self._rest = b""
        while at < len(buffer):
            window = buffer[at : at + self._longest]
            used, found = self._decode(window)
            if found is None:
                if len(window) < self._longest:
                    self._rest = window
                    return
                used, found = 1, Damage.OVERSIZE
            at += used
            self._count(used, found)
            yield found

    def _count(self, used: int, found: Frame | Damage) -> None:
        counts = self._counts
        if not isinstance(found, Damage):
            counts.frames += 1
            return
        counts.dropped += used
        if found is Damage.CHECK:
            counts.bad_check += 1
        elif found is Damage.OVERSIZE:
            counts.oversize += 1
