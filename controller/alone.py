"""One process at a time: a lock file that names its holder, and that the kernel lets go when he dies."""

import contextlib
import fcntl
import os
from pathlib import Path
from typing import IO


class TakenError(Exception):
    """Another process holds the lock; the message is its number."""


def alone(path: Path) -> IO[bytes]:
    """Hold the lock file at `path` until it is closed.

    Raises `TakenError`, or `OSError` when there can be no such file.
    """
    lock = path.open("ab+", buffering=0)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().decode(errors="replace").strip()
        lock.close()
        raise TakenError(holder) from None
    # On a full disk the lock holds all the same; only the name of its holder is missing.
    with contextlib.suppress(OSError):
        lock.truncate(0)
        lock.write(str(os.getpid()).encode())
    return lock
