"""The shoe's end of the line: a pseudo-terminal that can be unplugged, under a name that stays.

Like a real line it never waits for a listener: what is sent while nobody has the port open falls on the
floor, and is counted. A listener that is only slow is given half a second.
"""

import os
import select
import tty
from contextlib import suppress
from pathlib import Path

_PATIENCE_MS = 500


class Line:
    """`name` is the terminal of now, `link` the path that leads to it whatever it is called."""

    def __init__(self, link: Path | None) -> None:
        self.link = link
        self.name = ""
        self.dropped = 0
        """Bytes that nobody took."""
        self._master: int | None = None

    def plug(self) -> None:
        """A new terminal, with another name than the one before."""
        if self._master is not None:
            return
        held = []
        while True:
            master, slave = os.openpty()
            tty.setraw(slave)
            name = os.ttyname(slave)
            os.close(slave)
            if name != self.name:
                break
            held.append(master)
        for other in held:
            os.close(other)
        os.set_blocking(master, False)
        self._master, self.name = master, name
        if self.link:
            new = self.link.with_name(f"{self.link.name}.new")
            new.symlink_to(name)
            new.replace(self.link)

    def unplug(self) -> None:
        """The terminal and its name are gone; a listener gets an error."""
        if self._master is None:
            return
        if self.link:
            self.link.unlink(missing_ok=True)
        os.close(self._master)
        self._master = None

    def listening(self) -> bool:
        """Somebody has the terminal open."""
        return self._master is not None and not self._poll(0, 0) & select.POLLHUP

    def write(self, data: bytes) -> None:
        """Send; what cannot be sent is dropped and counted."""
        while data and self._master is not None and self.listening():
            if not self._poll(select.POLLOUT, _PATIENCE_MS) & select.POLLOUT:
                break
            with suppress(OSError):
                data = data[os.write(self._master, data) :]
        self.dropped += len(data)

    def read(self) -> bytes:
        """What the host sent, without waiting."""
        if self._master is None or not self.listening():
            return b""
        with suppress(OSError):
            return os.read(self._master, 4096)
        return b""

    def fileno(self) -> int | None:
        """The shoe's end; None while it is unplugged."""
        return self._master

    def _poll(self, events: int, milliseconds: int) -> int:
        if self._master is None:
            return 0
        poll = select.poll()
        poll.register(self._master, events)
        return sum(event for _, event in poll.poll(milliseconds))
