"""Telegrams onto the line: numbered, three times each, and as badly as one asks."""

import time
from random import Random

from drivers.angel_eye.wire import Telegram, encode
from drivers.simulated.line import Line

COPIES = 3


class Sender:
    """Counts with `numbers`, over and over; waits `pace` seconds before a telegram, `gap` between copies."""

    def __init__(self, line: Line, random: Random, numbers: str, *, pace: float, gap: float) -> None:
        self._line, self._random, self._numbers = line, random, numbers
        self._pace, self._gap = pace, gap
        self._sent = 0
        self._held = b""

    def restart(self) -> None:
        """Count from the beginning."""
        self._sent = 0

    def send(self, data: bytes, *, damaged: int = 0, other: bytes = b"", other_copy: int = 0) -> None:
        """One telegram; the first `damaged` copies with a bit wrong, copy `other_copy` saying `other`."""
        copies = self._copies(data)
        if other:
            copies[other_copy] = encode(Telegram(self._seq(), other))
        copies = [self._flip(copy) if n < damaged else copy for n, copy in enumerate(copies)]
        self._sent += 1
        time.sleep(self._pace)
        for n, copy in enumerate(copies):
            time.sleep(self._gap if n else 0)
            self._line.write(copy)
        self._line.write(self._held)
        self._held = b""

    def hold(self, data: bytes) -> None:
        """Number a telegram now, and send it behind the next one."""
        self._held += b"".join(self._copies(data))
        self._sent += 1

    def lose(self, count: int) -> None:
        """So many telegrams are numbered and never sent."""
        self._sent += count

    def send_half(self, data: bytes) -> None:
        """The beginning of a telegram, and no more of it."""
        copy = self._copies(data)[0]
        self._sent += 1
        self._line.write(copy[: len(copy) // 2])

    def noise(self, size: int) -> None:
        """Bytes that mean nothing."""
        self._line.write(self._random.randbytes(size))

    def _seq(self) -> str:
        return self._numbers[self._sent % len(self._numbers)]

    def _copies(self, data: bytes) -> list[bytes]:
        return [encode(Telegram(self._seq(), data))] * COPIES

    def _flip(self, copy: bytes) -> bytes:
        """A telegram with one bit of its data wrong, the letter and the fields."""
        at = self._random.randrange(2, len(copy) - 3)
        return copy[:at] + bytes([copy[at] ^ 1 << self._random.randrange(8)]) + copy[at + 1 :]
