"""What is wrong with a port, in one line for the people who must mend it."""

import errno
import os
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import serial

from drivers import trouble


def failed(number: int) -> Exception:
    """As pyserial wraps it."""
    wrapped = serial.SerialException("read failed")
    wrapped.__context__ = OSError(number, os.strerror(number))
    return wrapped


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EIO, "Input/output error"),
        serial.SerialException(errno.EIO, "could not open port"),
        termios.error(errno.EIO, "Input/output error"),
        failed(errno.EIO),
    ],
    ids=lambda error: type(error).__name__,
)
def test_the_number_of_an_error_is_found_wherever_it_hides(error: Exception) -> None:
    assert trouble.of_device("/dev/null", error).startswith("input/output error (EIO) on /dev/null")


def test_a_port_that_is_not_there() -> None:
    said = trouble.of_device("/dev/none", OSError(errno.ENOENT, "x"))
    assert said == "port absent: /dev/none does not exist; is the device plugged in?"
    assert trouble.of_device("/dev/none", OSError(errno.EIO, "x")) == said


def test_a_port_that_is_forbidden_names_its_group() -> None:
    said = trouble.of_device("/dev/null", PermissionError(errno.EACCES, "x"))
    assert said.startswith(
        f"permission denied: /dev/null is open to the group {Path('/dev/null').group()}, and "
    )


def test_a_port_held_by_someone_unseen() -> None:
    said = trouble.of_device("/dev/null", BlockingIOError(errno.EAGAIN, "x"))
    assert said.startswith("held by another process: ")


def test_a_port_that_ends() -> None:
    error = serial.SerialException("device reports readiness to read but returned no data (...)")
    assert "ended: the device is gone" in trouble.of_device("/dev/tty", error)


def test_another_trouble_is_said_as_it_came() -> None:
    assert trouble.of_device("/dev/null", ValueError("hm")) == "/dev/null: hm"
    assert trouble.of_host("shoe", 4001, ValueError("hm")) == "shoe:4001: hm"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ECONNREFUSED, "x"), "refused by shoe:4001: nothing listens there"),
        (OSError(errno.ECONNRESET, "x"), "reset by shoe:4001"),
        (OSError(errno.EPIPE, "x"), "reset by shoe:4001"),
        (OSError(errno.EHOSTUNREACH, "x"), "no route to shoe:4001"),
        (OSError(errno.ENETUNREACH, "x"), "no route to shoe:4001"),
        (OSError(errno.ETIMEDOUT, "x"), "no answer from shoe:4001"),
        (TimeoutError(), "no answer from shoe:4001"),
        (EOFError(), "closed by shoe:4001"),
        (socket.gaierror(socket.EAI_NONAME, "x"), "no such host: shoe"),
    ],
    ids=repr,
)
def test_a_gateway(error: Exception, said: str) -> None:
    assert trouble.of_host("shoe", 4001, error).startswith(said)


def test_who_reads_names_process_and_command(terminal: Callable[[], Any]) -> None:
    line = terminal()
    assert trouble.who_reads(line.path) == ""
    with subprocess.Popen(["cat", line.path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as reader:
        until = time.monotonic() + 5
        while not trouble.who_reads(line.path) and time.monotonic() < until:
            os.sched_yield()
        assert trouble.who_reads(line.path) == f"pid {reader.pid} (cat)"
        reader.kill()
    assert trouble.who_reads(line.path) == ""
    assert trouble.who_reads("/dev/none") == ""


def test_a_command_that_ended_meanwhile() -> None:
    assert trouble._command(2**22 + 1) == "ended meanwhile"


def test_a_user_and_a_group_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 987654)
    assert trouble._user() == "user 987654"
    assert trouble._group("/dev/none") == "of its owner"
    assert sys.platform == "linux"
