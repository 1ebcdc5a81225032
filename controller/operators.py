"""Who may rule: PINs, and how many tries.

A PIN is four to six digits, so its safety is the number of tries and not the hash: after five wrong ones in a
row the operator is locked, for a minute and then twice as long after every further one. The tries stand in
the journal, so that a restart forgets none. The hash is Argon2id at 19 MiB and two passes.
"""

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

TRIES = 5
FIRST_LOCK = 60
"""Seconds that the fifth wrong PIN locks its operator for."""
LONGEST_LOCK = 3600

_hasher = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)


def hashed(pin: str) -> str:
    """The hash of a PIN for the table file; raises `ValueError` for what is no PIN."""
    if not (pin.isdecimal() and pin.isascii() and 4 <= len(pin) <= 6):  # noqa: PLR2004 - said in the message
        raise ValueError("a PIN is four to six digits")
    return _hasher.hash(pin)


def good(pin_hash: str, pin: str) -> bool:
    """Whether the PIN is the one that was hashed; takes some tens of milliseconds, in a thread of its own."""
    try:
        return _hasher.verify(pin_hash, pin)
    except (Argon2Error, InvalidHashError):
        return False


def locked_for(tries: tuple[int, int] | None, now: int) -> int:
    """Seconds until this operator may try again; `tries` are wrong PINs in a row and when the last came.

    Times are wall clock in nanoseconds, as the journal has them.
    """
    if tries is None:
        return 0
    wrong, last = tries
    if wrong < TRIES:
        return 0
    # Beyond so many doublings it is the longest in any case.
    lock = min(FIRST_LOCK << min(wrong - TRIES, 16), LONGEST_LOCK)
    return max(lock - max(now - last, 0) // 1_000_000_000, 0)


def tries_left(tries: tuple[int, int] | None) -> int:
    """Wrong PINs that this operator may still enter before he is locked."""
    return max(TRIES - (tries[0] if tries else 0), 0)
