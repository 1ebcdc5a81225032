"""A device as one stream of facts: its port, its ladder, its telegrams, its capture."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from drivers.decode import line, lines
from drivers.device import Device
from drivers.link import Rung
from drivers.port import Line
from rules.cards import Card
from rules.facts import CardDrawn, CutCardOut, DeviceState, Fact, FaultCleared, FaultRaised, GapFound

Thrice = Callable[[str, bytes], bytes]
CUT = CutCardOut()
LIVE, SILENT = (
    DeviceState({"rung": rung, "why": why})
    for rung, why in (
        ("live", ""),
        ("silent", "the port is open, nothing came yet"),
    )
)
BYTES = DeviceState(
    {"rung": "bytes", "why": "bytes come that are no frames: wrong baud rate or parity, or another device"}
)


@pytest.fixture
def device(clock: Any) -> Iterator[Callable[..., Device]]:
    made: list[Device] = []

    def make(path: object, **settings: Any) -> Device:
        made.append(Device("angel-eye-2ex", str(path), clock=clock, pause=clock.pause, **settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


def hear(device: Device) -> list[Fact]:
    return [fact for fact, _ in device.read(0)]


def test_an_open_port_is_silent_and_then_live(
    terminal: Callable[[], Any], device: Callable[..., Device], thrice: Thrice
) -> None:
    port = terminal()
    shoe = device(port.path)
    assert hear(shoe) == [SILENT]
    assert hear(shoe) == []
    port.write(thrice("1", b"C"))
    assert hear(shoe) == [CUT, LIVE]
    port.write(thrice("2", b"C"))
    assert hear(shoe) == [CUT]
    assert shoe.link.rung is Rung.LIVE
    assert shoe.link.counts.frames == 6


def test_an_absent_port_is_a_fault_that_is_over_when_it_comes(
    tmp_path: Path, terminal: Callable[[], Any], device: Callable[..., Device], clock: Any
) -> None:
    link = tmp_path / "shoe"
    shoe = device(link)
    why = f"port absent: {link} does not exist; is the device plugged in?"
    assert hear(shoe) == [FaultRaised("link_lost"), DeviceState({"rung": "absent", "why": why})]
    clock.now += 1
    assert hear(shoe) == []
    link.symlink_to(terminal().path)
    clock.now += 1
    assert hear(shoe) == [FaultCleared("link_lost"), SILENT]


def test_a_lost_link_keeps_the_cursor_and_the_count(
    tmp_path: Path, terminal: Callable[[], Any], device: Callable[..., Device], clock: Any, thrice: Thrice
) -> None:
    link, first, second = tmp_path / "shoe", terminal(), terminal()
    link.symlink_to(first.path)
    shoe = device(link)
    hear(shoe)
    first.write(thrice("1", b"C"))
    cursor = shoe.read(0)[0][1]
    first.unplug()
    link.unlink()
    with capture_logs() as logs:
        reports = shoe.read(0)
    assert reports[0] == (FaultRaised("link_lost"), cursor)
    assert [log["event"] for log in logs] == ["port.lost", "link.rung", "link.dump"]
    assert logs[-1]["chunks"] == thrice("1", b"C").hex()
    link.symlink_to(second.path)
    clock.now += 1
    second.write(thrice("3", b"C"))
    assert hear(shoe) == [FaultCleared("link_lost"), GapFound(1), CUT, LIVE]
    assert shoe.link.reconnects == 1


def test_garbage_is_told_by_its_rung_and_after_seconds_as_a_fault(
    terminal: Callable[[], Any], device: Callable[..., Device], clock: Any, thrice: Thrice
) -> None:
    port = terminal()
    shoe = device(port.path)
    hear(shoe)
    port.write(b"\xf8" * 100)
    assert hear(shoe) == [BYTES]
    clock.now += 3
    port.write(b"\xf8" * 100)
    assert hear(shoe) == [FaultRaised("garbled")]
    port.write(b"\xf8" * 100)
    assert hear(shoe) == []
    port.write(thrice("1", b"C"))
    assert hear(shoe) == [CUT, FaultCleared("garbled"), LIVE]


def test_a_new_life_also_says_what_is_well(
    terminal: Callable[[], Any], device: Callable[..., Device], thrice: Thrice
) -> None:
    port = terminal()
    shoe = device(port.path)
    hear(shoe)
    port.write(thrice("1", b"C"))
    cursor = shoe.read(0)[0][1]
    shoe.close()
    again = device(port.path, cursor=cursor)
    assert again.read(0) == [(FaultCleared("link_lost"), cursor), (SILENT, cursor)]
    port.write(thrice("2", b"C"))
    assert hear(again) == [CUT, FaultCleared("garbled"), LIVE]


def test_what_is_owed_is_told_before_anything_comes(
    terminal: Callable[[], Any], device: Callable[..., Device], thrice: Thrice
) -> None:
    port = terminal()
    shoe = device(port.path)
    hear(shoe)
    port.write(thrice("1", b"C") + thrice("3", b"D\x81\xb8"))
    (_, _), (gap, cut_here), (card, end), _ = shoe.read(0)
    assert gap == GapFound(1)
    shoe.close()
    again = device(port.path, cursor=cut_here).read(0)
    assert again[1] == (card, end)


def test_a_capture_decodes_to_the_same_lines(
    tmp_path: Path, terminal: Callable[[], Any], device: Callable[..., Device], thrice: Thrice
) -> None:
    port, capture = terminal(), tmp_path / "shift.raw"
    shoe = device(port.path, capture=capture)
    hear(shoe)
    facts = []
    for piece in (
        b"noise",
        thrice("1", b"S")[:11],
        thrice("1", b"S")[11:],
        thrice("5", b"D\x81\xb8"),
        b"\x05",
    ):
        port.write(piece)
        facts += hear(shoe)
    live = [line(fact) for fact in facts if not (isinstance(fact, DeviceState) and "rung" in fact.detail)]
    assert list(lines("angel-eye-2ex", capture.read_bytes())) == live
    assert len(live) == 3
    assert shoe.link.counts.bytes == capture.stat().st_size


def test_a_full_disk_ends_the_capture_and_not_the_table(
    terminal: Callable[[], Any], device: Callable[..., Device], thrice: Thrice
) -> None:
    port = terminal()
    shoe = device(port.path, capture=Path("/dev/full"))
    hear(shoe)
    port.write(thrice("1", b"C"))
    ended, cut, _ = hear(shoe)
    assert ended == DeviceState({"capture": "ended", "why": "[Errno 28] No space left on device"})
    assert cut == CUT
    port.write(thrice("2", b"C"))
    assert hear(shoe) == [CUT]


def test_a_table_sends_nothing_that_it_does_not_allow(
    terminal: Callable[[], Any], device: Callable[..., Device]
) -> None:
    shoe = device(terminal().path)
    with pytest.raises(PermissionError, match="does not allow the command 'lock'"):
        shoe.command("lock")
    with pytest.raises(ValueError, match="no command of this shoe"):
        device(terminal().path, commands={"dance"}).command("dance")


def test_a_command_that_is_not_answered(
    terminal: Callable[[], Any], device: Callable[..., Device], clock: Any
) -> None:
    port = terminal()
    shoe = device(port.path, commands={"lock"})
    hear(shoe)
    shoe.command("lock")
    assert hear(shoe) == []
    clock.now += 1
    assert hear(shoe) == [DeviceState({"command": "lock", "answer": "none"})]
    port.write(b"\x06")
    assert hear(shoe) == []


def test_another_line_than_the_drivers_own(
    terminal: Callable[[], Any], device: Callable[..., Device]
) -> None:
    shoe = device(terminal().path, line=Line(baud=9600))
    assert hear(shoe) == [SILENT]
    assert shoe.source == "shoe"


def test_what_cannot_be_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no driver"):
        Device("nobody", "/dev/null")
    with pytest.raises(ValueError, match="no port"):
        Device("angel-eye-2ex", "COM3")
    with pytest.raises(ValueError, match="no cursor"):
        Device("angel-eye-2ex", "/dev/null", cursor="x")
    with pytest.raises(OSError, match="No such file"):
        Device("angel-eye-2ex", "/dev/null", capture=tmp_path / "no" / "such")


def test_a_card_with_its_cursor(
    terminal: Callable[[], Any], device: Callable[..., Device], once: Thrice
) -> None:
    port = terminal()
    shoe = device(port.path)
    hear(shoe)
    port.write(once("1", b"D\x81\xb8"))
    (card, cursor), (live, same) = shoe.read(1)
    assert card == CardDrawn(Card.S8, "punto", 1)
    assert live == LIVE
    assert cursor == same == shoe.cursor
