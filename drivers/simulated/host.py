"""What the host says to the shoe, heard and answered by it."""

import re

from drivers.angel_eye.commands import ACK, NAK
from drivers.angel_eye.wire import check
from drivers.simulated.shoe import Shoe

_COMMAND = re.compile(rb"\x02(OP(LK|EC|GP)(\d\d)\x03)([0-9A-F]{2})")
_BAD_CHECK, _BAD_FORMAT = b"02", b"11"


def obey(shoe: Shoe, data: bytes) -> bytes:
    """Do what one command says; gives the answer that goes back. The check counts from `STX`."""
    said = _COMMAND.fullmatch(data)
    if said is None:
        return NAK + _BAD_FORMAT
    if said[4] != check(b"\x02" + said[1]):
        return NAK + _BAD_CHECK
    if said[2] == b"LK":
        shoe.lock(locked=said[3] == b"02")
    elif said[2] == b"EC":
        shoe.clear()
    return ACK
