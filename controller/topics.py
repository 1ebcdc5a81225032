"""The bus on one page: its endpoints, its topics, and the messages that travel on it.

`BUS.md` beside this file is the contract for others; this is its code. Every message is one JSON object with
`v`, the version of the contract, and `kind`.
"""

from pathlib import Path
from typing import Annotated, Any

import msgspec

VERSION = 1

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
"""Of a source, of its boot, of a word."""
Count = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Place = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""Numbers stay where every JSON reader has them exactly."""
Cursor = Annotated[str, msgspec.Meta(max_length=1024)]

REPORTS = "reports"
"""Sources (DEALER) to controller (ROUTER): hello, beat, report; answered welcome, beat, ack."""
FEED = "feed"
"""Controller (PUB) to all (SUB): topic, then the message; `entry.WORD` and `beat`."""
SINCE = "since"
"""Readers (DEALER or REQ) to controller (ROUTER): since; answered entries."""

MOST = 1 << 16
"""The largest message to the controller, in bytes; a longer one ends the connection."""

ENTRY = "entry."
BEAT = "beat"

BEAT_EVERY = 0.25
"""Seconds between the beats of our own sources, and between those on the feed."""
LATE_AFTER = 0.75
"""Seconds without a word after which one of our own devices may have something to say that we do not have."""
SILENT_AFTER = 2.5
"""Seconds without a word after which a source is silent, and the controller for its readers."""


def endpoint(folder: Path, name: str) -> str:
    """The endpoint of that name inside the box."""
    return f"ipc://{folder / name}"


class Message(msgspec.Struct, frozen=True, tag_field="kind", kw_only=True):
    """What all messages have."""

    v: int = VERSION


# From a source.


class Hello(Message, frozen=True, tag="hello", kw_only=True):
    """A source started; `boot` is new at every start."""

    source: Name
    boot: Name


class Beat(Message, frozen=True, tag="beat", kw_only=True):
    """A source is alive; `health` is for engineers."""

    source: Name
    boot: Name
    n: Place = 0
    """The last report that it made in this boot, acknowledged or not."""
    health: dict[str, Any] = {}


class Report(Message, frozen=True, tag="report", kw_only=True):
    """Something happened; kept by the source until it is acknowledged."""

    source: Name
    boot: Name
    n: Count
    """The source's own count, from 1 in every boot, without a hole."""
    word: Name
    fact: msgspec.Raw
    cursor: Cursor = ""
    """Where the source's device stood; given back in the welcome after a restart."""


class Since(Message, frozen=True, tag="since", kw_only=True):
    """The entries after `seq`, please."""

    seq: Place
    limit: Count = 1000


# From the controller.


class Welcome(Message, frozen=True, tag="welcome", kw_only=True):
    """What the journal last holds of this source, from this boot or an earlier one."""

    boot: str
    n: int
    """Of this boot; 0 when it holds none."""
    cursor: str
    head: int


class Alive(Message, frozen=True, tag="beat", kw_only=True):
    """The controller is alive, and its journal ends at `head`."""

    head: int


class Ack(Message, frozen=True, tag="ack", kw_only=True):
    """Report `n` of that boot and all before it are durably in the journal, the last as entry `seq`."""

    boot: str
    n: int
    seq: int


class Expected(Message, frozen=True, tag="expected", kw_only=True):
    """A report is missing before this one: send again from `n`."""

    boot: str
    n: int


class Rejected(Message, frozen=True, tag="rejected", kw_only=True):
    """Report `n` will never be taken, go on with the next; 0 where it was no report that was sent."""

    boot: str = ""
    """Empty where what was sent could not be read."""
    n: int = 0
    why: str


class EntryMessage(Message, frozen=True, tag="entry", kw_only=True):
    """An entry of the journal."""

    seq: int
    at: int
    mono: int
    source: str
    boot: str
    n: int
    cursor: str
    word: str
    fact: msgspec.Raw


class Entries(Message, frozen=True, tag="entries", kw_only=True):
    """Entries in order, as many as were asked for; `head` is where the journal ends."""

    entries: list[EntryMessage]
    head: int


Answer = Welcome | Alive | Ack | Expected | Rejected | Entries | EntryMessage
