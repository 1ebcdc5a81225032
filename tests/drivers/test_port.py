"""A port over real pseudo-terminals; time is told, but where a process must be waited for."""

import errno
import os
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import Mock

import pytest
import serial

from drivers.port import Line, Port, Wire

ANGEL_EYE = Line(baud=4800)


def port_at(path: str | Path, clock: Any = None, line: Line = ANGEL_EYE) -> Port:
    if clock is None:
        return Port(str(path), line)
    return Port(str(path), line, clock=clock, pause=clock.pause)


def descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_what_comes_is_read_at_once_and_whole(terminal: Callable[[], Any]) -> None:
    line = terminal()
    port = port_at(line.path)
    assert port.read(0) == b""
    assert port.is_open
    line.write(b"one" * 100)
    assert port.read(1) == b"one" * 100
    assert port.read(0) == b""
    port.close()
    assert port.why == "closed"


def test_a_piece_is_read_well_within_a_millisecond(terminal: Callable[[], Any]) -> None:
    line, waits = terminal(), []
    port = port_at(line.path)
    port.read(0)
    for _ in range(50):
        began: list[float] = []
        writer = threading.Timer(
            0.001, lambda began=began: (began.append(time.perf_counter()), line.write(b"x" * 24))
        )
        writer.start()
        assert port.read(2) == b"x" * 24
        waits.append(time.perf_counter() - began[0])
        writer.join()
    port.close()
    assert median(waits) < 0.001


def test_what_came_before_it_was_opened_is_kept(terminal: Callable[[], Any]) -> None:
    line = terminal()
    line.write(b"early")
    port = port_at(line.path)
    assert port.read(1) == b"early"
    port.close()


def test_an_absent_port_says_so_and_opens_when_it_is_there(
    tmp_path: Path, terminal: Callable[[], Any], clock: Any
) -> None:
    port = port_at(tmp_path / "shoe", clock)
    assert not port.tried
    assert port.read(0.1) == b""
    assert port.tried
    assert port.why == f"port absent: {tmp_path}/shoe does not exist; is the device plugged in?"
    (tmp_path / "shoe").symlink_to(terminal().path)
    began = clock.now
    while not port.is_open:
        port.read(0)
        clock.now += 0.01
    assert clock.now - began <= 1.1
    port.close()


def test_attempts_grow_rarer_up_to_one_a_second(tmp_path: Path, clock: Any) -> None:
    port = port_at(tmp_path / "shoe", clock)
    for _ in range(6):
        port.read(10)
    waits = [0.0, 0.2, 0.4, 0.8, 1.0, 1.0]
    assert all(0.9 * wait <= paused <= wait for wait, paused in zip(waits, clock.pauses, strict=True))


def test_a_pause_is_never_longer_than_a_read_may_take(tmp_path: Path, clock: Any) -> None:
    port = port_at(tmp_path / "shoe", clock)
    for _ in range(50):
        port.read(0.05)
    assert max(clock.pauses) <= 0.05


def test_the_processor_rests_while_a_port_is_absent(tmp_path: Path) -> None:
    port = port_at(tmp_path / "shoe")
    port.read(0)
    began, used = time.monotonic(), time.process_time()
    while time.monotonic() - began < 0.6:
        port.read(0.1)
    assert time.process_time() - used < 0.05 * 0.6


def test_unplugged_in_silence_and_plugged_in_under_another_name(
    tmp_path: Path, terminal: Callable[[], Any], clock: Any
) -> None:
    link, first, second = tmp_path / "shoe", terminal(), terminal()
    link.symlink_to(first.path)
    before = descriptors()
    port = port_at(link, clock)
    port.read(0)
    first.unplug()
    assert port.read(1) == b""
    assert "input/output error (EIO)" in port.why or "port absent" in port.why or "ended" in port.why
    assert descriptors() == before - 1
    link.unlink()
    port.read(0.3)
    assert port.why.startswith("port absent")
    link.symlink_to(second.path)
    clock.now += 1
    port.read(0)
    assert port.is_open
    assert port.opened == 2
    second.write(b"again")
    assert port.read(1) == b"again"
    port.close()


HOLD = """
import serial, sys
port = serial.Serial(sys.argv[1], exclusive=True)
print("held", flush=True)
sys.stdin.read()
"""


STEAL = """
import os, sys
os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
print("reads along", flush=True)
sys.stdin.read()
"""


def test_a_port_held_by_another_process_names_it(terminal: Callable[[], Any], clock: Any) -> None:
    line = terminal()
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, line.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout
        holder.stdout.readline()
        port = port_at(line.path, clock)
        port.read(0)
        assert port.why.startswith(f"held by another process: pid {holder.pid} (python")
        holder.communicate()
    clock.now += 1
    port.read(0)
    assert port.is_open
    port.close()


def test_a_second_process_that_never_asked_is_named(terminal: Callable[[], Any], clock: Any) -> None:
    line = terminal()
    port = port_at(line.path, clock)
    port.read(0)
    assert port.shared == ""
    with subprocess.Popen(
        [sys.executable, "-c", STEAL, line.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as thief:
        assert thief.stdout
        thief.stdout.readline()
        port.read(0)
        assert port.shared == "", "it is not looked for all the time"
        clock.now += 5
        port.read(0)
        assert port.shared.startswith(f"pid {thief.pid} (python")
        thief.communicate()
    clock.now += 5
    port.read(0)
    assert port.shared == ""
    port.close()


def test_permission_denied_and_then_granted(terminal: Callable[[], Any], clock: Any) -> None:
    line, root = terminal(), os.geteuid() == 0
    Path(line.path).chmod(0)
    port = port_at(line.path, clock)
    try:
        if root:
            os.seteuid(65534)
        port.read(0)
        assert port.why.startswith(f"permission denied: {line.path} is open to the group ")
    finally:
        if root:
            os.seteuid(0)
    Path(line.path).chmod(0o600)
    clock.now += 1
    port.read(0)
    assert port.is_open
    port.close()


@pytest.fixture
def broken() -> Iterator[Mock]:
    """A wire on which something can be read for ever, until it is told to break."""
    reader, writer = os.pipe()
    os.write(writer, b"x")
    wire = Mock(spec=Wire)
    wire.fileno.return_value = reader
    wire.read.return_value = b"x"
    wire.readers.return_value = ""
    wire.trouble.side_effect = lambda error: f"broken: {error}"
    yield wire
    os.close(reader)
    os.close(writer)


def port_on(wire: Mock, clock: Any) -> Port:
    port = port_at("/dev/none", clock)
    port._wire = wire
    return port


@pytest.mark.parametrize("at", ["open", "fileno", "read", "read close"])
@pytest.mark.parametrize(
    "error",
    [
        serial.SerialException("gone"),
        serial.SerialTimeoutException("stuck"),
        OSError(errno.EIO, "x"),
        OSError(errno.EBADF, "x"),
        termios.error(errno.EIO, "x"),
        TypeError("argument must be an int, or have a fileno() method"),
        EOFError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_nothing_that_breaks_is_raised(error: Exception, at: str, broken: Mock, clock: Any) -> None:
    port = port_on(broken, clock)
    for method in at.split():
        getattr(broken, method).side_effect = error
    assert port.read(1) == b""
    assert not port.is_open
    assert port.why == f"broken: {error}"
    port.read(1)
    assert broken.open.call_count == 2


def test_a_write_that_breaks_is_told_and_not_raised(broken: Mock, clock: Any) -> None:
    port = port_on(broken, clock)
    broken.write.side_effect = serial.SerialTimeoutException("CTS is low")
    assert port.write(b"x") is False
    assert port.read(1) == b"x"
    assert port.write(b"x") is False
    assert port.why == "broken: CTS is low"


def test_what_is_written_arrives(terminal: Callable[[], Any]) -> None:
    line = terminal()
    port = port_at(line.path)
    port.read(0)
    assert port.write(b"\x02OPLK02\x03") is True
    assert os.read(line.master, 100) == b"\x02OPLK02\x03"
    port.close()


def test_a_port_that_flaps_is_opened_about_once_a_second(broken: Mock, clock: Any) -> None:
    port = port_on(broken, clock)
    broken.read.side_effect = OSError(errno.EIO, "x")
    began = clock.now
    while clock.now - began < 60:
        port.read(0.1)
    assert 55 <= broken.open.call_count <= 72


def test_a_port_that_was_steady_is_tried_again_quickly(broken: Mock, clock: Any) -> None:
    port = port_on(broken, clock)
    broken.open.side_effect = OSError(errno.EIO, "x")
    for _ in range(6):
        port.read(5)
    broken.open.side_effect = None
    assert port.read(5) == b"x"
    clock.now += 100
    broken.read.side_effect = OSError(errno.EIO, "x")
    port.read(1)
    broken.read.side_effect = None
    began = clock.now
    assert port.read(5) == b"x"
    assert clock.now - began <= 0.2


@pytest.mark.parametrize("address", ["COM3", "shoe", "", "socket://", "socket://shoe", "rfc2217://shoe:4001"])
def test_an_address_that_is_no_port_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="is no port"):
        Port(address, ANGEL_EYE)


@pytest.mark.parametrize("line", [Line(parity="X"), Line(bits=9), Line(stop=3), Line(baud=-1)])
def test_a_line_that_is_none_is_refused(line: Line) -> None:
    with pytest.raises(ValueError, match=r"\d|X"):
        Port("/dev/none", line)


def test_lines_that_rise_at_opening_can_be_held_down(terminal: Callable[[], Any]) -> None:
    port = port_at(terminal().path, line=Line(baud=9600, bits=7, parity="E", dtr=False, rts=False))
    port.read(0)
    assert port.is_open
    port.close()
