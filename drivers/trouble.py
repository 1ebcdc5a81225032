"""Why a port cannot be used, in one line of words for the people who must mend it."""

import errno
import grp
import os
import pwd
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_GONE = (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ENOTDIR)
_FORBIDDEN = (errno.EACCES, errno.EPERM)
_HELD = (errno.EAGAIN, errno.EBUSY)
_OF_TCP = {
    errno.ECONNREFUSED: "refused by {}: nothing listens there, or it has all the clients that it takes",
    errno.ECONNRESET: "reset by {}: the gateway cut the connection",
    errno.EPIPE: "reset by {}: the gateway cut the connection",
    errno.ETIMEDOUT: "no answer from {}",
    errno.EHOSTUNREACH: "no route to {}",
    errno.ENETUNREACH: "no route to {}",
}

_DEVICE_ENDED = "returned no data"
"""In the text of pyserial's error when a port is readable and gives nothing."""


def of_device(path: str, error: Exception) -> str:
    """Why a local device cannot be opened, or cannot be read any more."""
    number = _number(error)
    if number in _GONE or not Path(path).exists():
        return f"port absent: {path} does not exist; is the device plugged in?"
    if number in _FORBIDDEN:
        return f"permission denied: {path} is open to the group {_group(path)}, and {_user()} is not in it"
    if number in _HELD:
        return f"held by another process: {who_reads(path) or 'one that this user may not see'}"
    if number == errno.EIO:
        return f"input/output error (EIO) on {path}: the device was unplugged, or its adapter failed"
    if _DEVICE_ENDED in str(error):
        others = who_reads(path)
        return f"read by another process as well: {others}" if others else f"{path} ended: the device is gone"
    return f"{path}: {error}"


def of_host(host: str, port: int, error: Exception) -> str:
    """Why a TCP gateway cannot be reached, or is not heard any more."""
    where, number = f"{host}:{port}", _number(error)
    if isinstance(error, socket.gaierror):
        return f"no such host: {host}"
    if isinstance(error, EOFError):
        return f"closed by {where}: the gateway ended the connection"
    if isinstance(error, TimeoutError):
        return f"no answer from {where}"
    words = _OF_TCP.get(number or 0)
    return words.format(where) if words else f"{where}: {error}"


def who_reads(path: str) -> str:
    """Other processes that have this device open: `pid 123 (cat)`, commas between; empty if none is seen.

    A lock on a port is a courtesy: a process that never asks for it reads along, and steals bytes.
    """
    device = str(Path(path).resolve())
    readers = [pid for pid in _processes() if pid != os.getpid() and device in _open_files(pid)]
    return ", ".join(f"pid {pid} ({_command(pid)})" for pid in readers)


def _processes() -> Iterator[int]:
    return (int(entry.name) for entry in os.scandir("/proc") if entry.name.isdigit())


def _open_files(pid: int) -> Iterator[str]:
    """What a process has open; another user's process hides it."""
    with suppress(OSError), os.scandir(f"/proc/{pid}/fd") as entries:
        for entry in entries:
            # A process closes files while they are listed.
            with suppress(OSError):
                yield os.readlink(entry.path)  # noqa: PTH115 - a tenth of the time, thousands of times


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
    except OSError:
        return "ended meanwhile"


def _number(error: BaseException | None) -> int | None:
    """The errno of an error, or of the one that it was made of."""
    while error is not None:
        number = getattr(error, "errno", None) or next((a for a in error.args if isinstance(a, int)), None)
        if isinstance(number, int):
            return number
        error = error.__context__
    return None


def _group(path: str) -> str:
    try:
        return grp.getgrgid(Path(path).stat().st_gid).gr_name
    except (OSError, KeyError):
        return "of its owner"


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return f"user {os.geteuid()}"
