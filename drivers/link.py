"""How well a device is heard: the rung of its link, and the counts and last bytes for whoever must mend it.

    absent  the port is not there, or may not be opened: and why
    silent  it is open, and nothing came yet
    bytes   bytes come that are no frames: the baud rate or the parity is wrong, or another device is there
    frames  frames come that nobody understands: their check is wrong, or their code unknown
    live    reports come

Pure: time comes in as a number of seconds that never goes back. A link that was live stays live in silence,
since a shoe has nothing to say between two rounds; it falls when bytes come and none of them is understood.
"""

from collections import deque
from dataclasses import dataclass, replace
from enum import StrEnum

from drivers.frames import Counts


class Rung(StrEnum):
    """How far a link reaches; from the foot of the ladder to its top."""

    ABSENT = "absent"
    SILENT = "silent"
    BYTES = "bytes"
    FRAMES = "frames"
    LIVE = "live"


_STRAY = 64
"""Bytes without a report before a link falls: more than the copies of one telegram, damaged."""
_GARBLED_AFTER = 3.0
"""Seconds of such traffic before a link is called garbled."""
_KEPT = 256
"""Chunks kept for a dump."""

_WHY = {
    Rung.SILENT: "the port is open, nothing came yet",
    Rung.BYTES: "bytes come that are no frames: wrong baud rate or parity, or another device",
    Rung.FRAMES: "frames come that nobody understands: wrong check, or unknown code",
    Rung.LIVE: "",
}


@dataclass(frozen=True, slots=True)
class Change:
    """A link went up or down."""

    rung: Rung
    why: str


class Link:
    """The ladder of one device; `counts` are its decoder's own."""

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        self.rung = Rung.ABSENT
        self.why = "the port was not opened yet"
        self.shared = ""
        """Who else reads the port; empty if nobody is seen."""
        self.opened = 0
        """How often the port was opened; each time but the first is a reconnection."""
        self.last_good: float | None = None
        """When the last frame was understood."""
        self.chunks: deque[tuple[float, bytes]] = deque(maxlen=_KEPT)
        """The last pieces as they came, each with its time."""
        self._told: Change | None = None
        self._at_last_good = replace(counts)
        self._stray_since: float | None = None
        self._last = 0.0

    @property
    def reconnects(self) -> int:
        """How often the port came back."""
        return max(0, self.opened - 1)

    @property
    def garbled(self) -> bool:
        """Bytes have come for seconds, and not one frame with the right check."""
        if self._stray_since is None or self.rung not in (Rung.BYTES, Rung.FRAMES):
            return False
        checked = self.counts.frames > self._at_last_good.frames
        return not checked and self._last - self._stray_since >= _GARBLED_AFTER

    def absent(self, why: str) -> None:
        """The port is not open."""
        self.rung, self.why = Rung.ABSENT, why

    def open(self, times: int) -> None:
        """The port was opened, for the `times`-th time."""
        self.opened = times
        self._forget_stray()
        self._climb(Rung.SILENT)

    def hear(self, data: bytes, at: float) -> None:
        """These bytes came, and the decoder has counted what is in them."""
        self.chunks.append((at, data))
        self._last = at
        then, now = self._at_last_good, self.counts
        if now.frames - now.unknown > then.frames - then.unknown:
            self.last_good = at
            self._forget_stray()
            self._climb(Rung.LIVE)
            return
        self._stray_since = at if self._stray_since is None else self._stray_since
        if now.bytes - then.bytes > _STRAY:
            shaped = now.frames + now.bad_check > then.frames + then.bad_check
            self._climb(Rung.FRAMES if shaped else Rung.BYTES)

    def change(self) -> Change | None:
        """The rung and its reason, once after each change."""
        also = f"read by another process as well: {self.shared}" if self.shared else ""
        now = Change(self.rung, self.why or also)
        if now == self._told:
            return None
        self._told = now
        return now

    def dump(self) -> str:
        """The last pieces in hexadecimal, the oldest first, a space between two; no piece is given twice."""
        pieces = " ".join(data.hex() for _, data in self.chunks)
        self.chunks.clear()
        return pieces

    def _climb(self, rung: Rung) -> None:
        self.rung, self.why = rung, _WHY[rung]

    def _forget_stray(self) -> None:
        self._at_last_good, self._stray_since = replace(self.counts), None
