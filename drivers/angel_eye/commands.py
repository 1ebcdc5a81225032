"""What a host may tell the Angel Eye II-EX, and its answers.

    STX | O P | type type | data data | ETX | BCC BCC

The specification that is known speaks of a `BCC` from `O` to `ETX`, and its worked example includes `STX`.
The example is followed unless a table says otherwise (`bcc_includes_stx`). A command is answered by `06`, or
by `15` and two digits that say why not. Field knowledge of the Angel Eye II-EX.
"""

from dataclasses import dataclass

from drivers.angel_eye.wire import ETX, check

STX, ACK, NAK = b"\x02", b"\x06", b"\x15"
_NAK_SIZE = 3

_COMMANDS = {"unlock": "LK01", "lock": "LK02", "cancel_error": "EC{:02d}", "confirm_game": "GP00"}
_REFUSALS = {
    b"01": "overrun_frame_or_parity",
    b"02": "check",
    b"03": "no_end",
    b"11": "format_or_length",
    b"12": "address",
    b"13": "command",
    b"14": "type",
    b"21": "busy",
    b"22": "writing",
    b"FF": "other",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the shoe says to a command."""

    word: str
    """`accepted`, or why not."""


def command(name: str, number: int = 0, *, bcc_includes_stx: bool = True) -> bytes:
    """The bytes of `lock`, `unlock`, `cancel_error` (with the `number` of the error) or `confirm_game`.

    Raises `ValueError` on another name, and on a number outside 0 to 99.
    """
    if name not in _COMMANDS:
        raise ValueError(f"{name!r} is no command of this shoe; it knows {', '.join(sorted(_COMMANDS))}")
    if number not in range(100):
        raise ValueError(f"an error has a number from 0 to 99, not {number}")
    body = b"OP" + _COMMANDS[name].format(number).encode("ascii") + ETX
    return STX + body + check(STX + body if bcc_includes_stx else body)


def answer(buffer: bytes) -> tuple[int, Answer | None]:
    """How many bytes the answer at the start of `buffer` takes, and the answer.

    `(0, None)` asks for more, `(1, None)` says that the first byte begins no answer.
    """
    if buffer[:1] == ACK:
        return 1, Answer("accepted")
    if buffer[:1] == NAK:
        if len(buffer) < _NAK_SIZE:
            return 0, None
        if buffer[1:_NAK_SIZE] in _REFUSALS:
            return _NAK_SIZE, Answer(_REFUSALS[buffer[1:_NAK_SIZE]])
    return (1, None) if buffer else (0, None)
