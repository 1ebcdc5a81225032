"""What the controller itself writes into the journal, beside the facts of the rules.

Past tense and without opinion like the facts; the rules do not read them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class JournalOpened:
    """The first entry of every journal: whose it is, which one it follows, and what goes on from there."""

    table: str
    version: str
    """Of Sabot, as it wrote this file."""
    previous: str = ""
    """The file name of the journal before, and in `head` the last link of its chain, in hexadecimal."""
    head: str = ""
    last_round: int = 0
    """The highest round number used before; numbers are never used twice."""
    heard: Mapping[str, tuple[str, int, str]] = field(default_factory=dict)
    """By source: the boot, the number and the cursor of its last report."""
    pins: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By operator: wrong PINs in a row, and when the last was entered (wall clock, nanoseconds)."""


@dataclass(frozen=True, slots=True)
class SourceStarted:
    """A process that reports to the bus started anew."""

    source: str
    boot: str


@dataclass(frozen=True, slots=True)
class ReportRejected:
    """A source reported what it may not, or what nobody can read."""

    word: str
    why: str


@dataclass(frozen=True, slots=True)
class InputRefused:
    """A tap of a person that changed nothing, and why."""

    act: str
    code: str
    article: str = ""
    about: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PinTried:
    """Somebody entered a PIN as this operator."""

    operator: str
    good: bool


@dataclass(frozen=True, slots=True)
class SupervisorCalled:
    """The dealer called the supervisor, or the call was answered."""

    on: bool
    by: str = ""


Note = JournalOpened | SourceStarted | ReportRejected | InputRefused | PinTried | SupervisorCalled

NOTES: Mapping[str, type[Note]] = {
    "opened": JournalOpened,
    "started": SourceStarted,
    "rejected": ReportRejected,
    "refused": InputRefused,
    "pin": PinTried,
    "call": SupervisorCalled,
}
"""Every note by its word."""
