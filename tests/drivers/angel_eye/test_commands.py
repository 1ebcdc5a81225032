"""What a host may say, byte by byte, and what it is answered."""

import pytest

from drivers.angel_eye import AngelEye
from drivers.angel_eye.commands import Answer, answer, command
from drivers.angel_eye.wire import Telegram, encode
from rules.facts import CutCardOut, DeviceState


@pytest.mark.parametrize(
    ("name", "number", "with_stx", "without"),
    [
        ("lock", 0, "02 4F 50 4C 4B 30 32 03 31 42", "02 4F 50 4C 4B 30 32 03 31 39"),
        ("unlock", 0, "02 4F 50 4C 4B 30 31 03 31 38", "02 4F 50 4C 4B 30 31 03 31 41"),
        ("cancel_error", 1, "02 4F 50 45 43 30 31 03 31 39", "02 4F 50 45 43 30 31 03 31 42"),
        ("confirm_game", 0, "02 4F 50 47 50 30 30 03 30 39", "02 4F 50 47 50 30 30 03 30 42"),
    ],
)
def test_every_command(name: str, number: int, with_stx: str, without: str) -> None:
    assert command(name, number) == bytes.fromhex(with_stx)
    assert command(name, number, bcc_includes_stx=False) == bytes.fromhex(without)


def test_no_other_command() -> None:
    with pytest.raises(ValueError, match="cancel_error, confirm_game, lock, unlock"):
        command("explode")
    with pytest.raises(ValueError, match="from 0 to 99"):
        command("cancel_error", 100)


@pytest.mark.parametrize(
    ("data", "used", "word"),
    [
        (b"\x06", 1, "accepted"),
        (b"\x06\x05", 1, "accepted"),
        (b"\x1501", 3, "overrun_frame_or_parity"),
        (b"\x1502", 3, "check"),
        (b"\x1503", 3, "no_end"),
        (b"\x1511", 3, "format_or_length"),
        (b"\x1512", 3, "address"),
        (b"\x1513", 3, "command"),
        (b"\x1514", 3, "type"),
        (b"\x1521", 3, "busy"),
        (b"\x1522", 3, "writing"),
        (b"\x15FF", 3, "other"),
        (b"\x1599", 1, None),
        (b"\x15", 0, None),
        (b"\x152", 0, None),
        (b"", 0, None),
        (b"x", 1, None),
    ],
)
def test_every_answer(data: bytes, used: int, word: str | None) -> None:
    assert answer(data) == (used, Answer(word) if word else None)


def test_an_answer_is_a_fact_when_a_command_waits_for_it() -> None:
    shoe = AngelEye(bcc_includes_stx=False)
    assert shoe.ask("lock") == command("lock", bcc_includes_stx=False)
    told = [fact for piece in (b"\x15", b"2", b"1") for fact, _ in shoe.feed(piece)]
    assert told == [DeviceState({"command": "lock", "answer": "busy"})]
    assert shoe.asked == ""


def test_an_answer_stands_between_telegrams() -> None:
    shoe, cut = AngelEye(), encode(Telegram("1", b"C"))
    shoe.ask("unlock")
    told = [fact for fact, _ in shoe.feed(cut + b"\x06" + cut)]
    assert told == [CutCardOut(), DeviceState({"command": "unlock", "answer": "accepted"})]


def test_an_answer_that_nobody_asked_for_is_noise() -> None:
    shoe = AngelEye()
    assert shoe.feed(b"\x06\x1521\x06") == []
    assert shoe.counts.dropped == 5


def test_a_refusal_that_is_none_is_noise_and_the_command_still_waits() -> None:
    shoe = AngelEye()
    shoe.ask("lock")
    assert shoe.feed(b"\x1599" + encode(Telegram("1", b"C")))[0][0] == CutCardOut()
    assert shoe.asked == "lock"
