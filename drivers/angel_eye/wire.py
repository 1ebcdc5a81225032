"""The telegrams of the Angel Eye II-EX as bytes: cut out, checked, and made.

    ENQ | Seq | Data ... | ETX | BCC BCC

`BCC` is the XOR of every byte from `Seq` up to and including `ETX`, in two upper-case hexadecimal digits.
Bytes of data are either printable ASCII or have bit 7 set, so that neither `ENQ` nor `ETX` can stand inside:
a second `ENQ` is always the start of another telegram, and a control character is always damage (a `NUL`
more would not change the XOR). Field knowledge of the Angel Eye II-EX.
"""

import re
from functools import reduce
from operator import xor
from typing import NamedTuple

from drivers.frames import Damage

ENQ, ETX = b"\x05", b"\x03"
LONGEST = 32
"""Bytes; the longest telegram known (`M`) has 13."""

_TELEGRAM = re.compile(rb"\x05([!-~])([!-~][ -~\x80-\xff]*)\x03([0-9A-F]{2})")


class Telegram(NamedTuple):
    """One good copy of a telegram."""

    seq: str
    """The device's number for it, one printable character; its copies share it."""
    data: bytes
    """A letter that says what it is, and its fields."""


def check(body: bytes) -> bytes:
    """The check characters over `body`."""
    return b"%02X" % reduce(xor, body, 0)


def encode(telegram: Telegram) -> bytes:
    """The bytes of one copy."""
    body = telegram.seq.encode("ascii") + telegram.data + ETX
    return ENQ + body + check(body)


def decode(buffer: bytes) -> tuple[int, Telegram | Damage | None]:
    """What the start of `buffer` is: see `drivers.frames`."""
    if not buffer:
        return 0, None
    start = buffer.find(ENQ)
    if start:
        return (len(buffer) if start < 0 else start), Damage.NOISE
    etx = buffer.find(ETX)
    end = etx + 3  # behind the two digits
    again = buffer.find(ENQ, 1)
    if again > 0 and (etx < 0 or again < end):
        return again, Damage.NOISE
    if etx < 0 or end > len(buffer):
        return 0, None
    found = _TELEGRAM.fullmatch(buffer, 0, end)
    if found is None or found[3] != check(buffer[1 : end - 2]):
        return end, Damage.CHECK
    return end, Telegram(found[1].decode("ascii"), found[2])
