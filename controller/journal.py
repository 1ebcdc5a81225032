"""The journal: append-only, durable, and chained entry by entry; all that Sabot knows is a fold of it.

One SQLite file holds whole shoes. Every entry carries the SHA-256 of the entry before it and of itself, so
that nothing can be changed, dropped or reordered unseen. `synchronous=FULL` makes a commit durable before it
returns; triggers refuse UPDATE and DELETE, as corrections are new entries.
"""

import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple, Self

import apsw
import msgspec

from controller.codec import decode, encode
from controller.notes import Note
from rules.facts import Fact

SCHEMA = 1
"""The form of the file; a journal of another form is refused by name."""
APPLICATION = 0x5AB07
"""Marks the file as a journal of Sabot (SQLite's `application_id`)."""
GENESIS = bytes(32)

_CREATE = """
CREATE TABLE journal(
  seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, mono INTEGER NOT NULL,
  source TEXT NOT NULL, boot TEXT NOT NULL, n INTEGER NOT NULL, cursor TEXT NOT NULL,
  word TEXT NOT NULL, body TEXT NOT NULL, chain BLOB NOT NULL
) STRICT;
CREATE TRIGGER never_changed BEFORE UPDATE ON journal
  BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER never_dropped BEFORE DELETE ON journal
  BEGIN SELECT RAISE(ABORT, 'entries are never dropped'); END;
"""


class JournalError(Exception):
    """The journal cannot be used; the message names the file and what to do."""


class Draft(NamedTuple):
    """An entry before it has its place: what happened, and who reports it."""

    fact: Fact | Note
    source: str
    boot: str = ""
    """The run of the source that reports, and in `n` its own count in that run."""
    n: int = 0
    cursor: str = ""
    """Where the source's own device stood, in its words; given back when it starts anew."""


class Entry(NamedTuple):
    """An entry in its place."""

    seq: int
    at: int
    """Wall clock, nanoseconds since 1970; never used for order."""
    mono: int
    """Monotonic clock of this machine, nanoseconds."""
    source: str
    boot: str
    n: int
    cursor: str
    fact: Fact | Note
    word: str
    body: str
    """The fact's fields, as JSON."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clocks of the journal; a test brings its own."""

    wall: Callable[[], int] = time.time_ns
    mono: Callable[[], int] = time.monotonic_ns


class Journal:
    """A journal that is open for writing; one process at a time."""

    def __init__(self, path: Path, clock: Clock | None = None, after: int = 0) -> None:
        """Open the file, or make one that goes on counting after `after`; raises `JournalError`."""
        self.path = path
        self._clock = clock or Clock()
        self._lock = _only_writer(path)
        self._db = _connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        try:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            # Checkpoints cost several syncs; `rest` makes them when nobody waits.
            self._db.execute("PRAGMA wal_autocheckpoint=0")
            self._db.execute("BEGIN IMMEDIATE")
            if not _recognise(self._db, path):
                self._db.execute(_CREATE)
                self._db.execute(f"PRAGMA application_id={APPLICATION}")
                self._db.execute(f"PRAGMA user_version={SCHEMA}")
            self._db.execute("COMMIT")
        except apsw.Error as error:
            raise JournalError(f"{path}: is no journal that can be written: {error}") from None
        last = self._db.execute("SELECT seq, chain FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
        self.head: int = last[0] if last else after
        self.chain: bytes = last[1] if last else GENESIS
        self._since_rest = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def append(self, drafts: Iterable[Draft]) -> list[Entry]:
        """Write entries that are not durable before `commit`; raises `JournalError` when the disk refuses."""
        try:
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            return [self._write(draft) for draft in drafts]
        except apsw.Error as error:
            raise JournalError(f"{self.path}: cannot be written: {error}") from None

    def _write(self, draft: Draft) -> Entry:
        seq, at, mono = self.head + 1, self._clock.wall(), self._clock.mono()
        word, raw = encode(draft.fact)
        body = raw.decode()
        entry = Entry(seq, at, mono, draft.source, draft.boot, draft.n, draft.cursor, draft.fact, word, body)
        chain = link(self.chain, (*entry[:7], word, body))
        self._db.execute("INSERT INTO journal VALUES(?,?,?,?,?,?,?,?,?,?)", (*entry[:7], word, body, chain))
        self.head, self.chain = seq, chain
        return entry

    def commit(self) -> None:
        """Make what was appended durable: when this returns, it survives a power cut."""
        try:
            self._db.execute("COMMIT")
        except apsw.Error as error:
            raise JournalError(f"{self.path}: cannot be made durable: {error}") from None
        self._since_rest += 1

    def since(self, seq: int, limit: int = -1) -> Iterator[Entry]:
        """The entries after `seq`, in order."""
        return _entries(self._db, seq, limit)

    def rest(self, after: int = 500) -> None:
        """Fold the write-ahead log into the file, when enough was written and nobody waits."""
        if self._since_rest >= after and not self._db.in_transaction:
            self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            self._since_rest = 0

    def close(self) -> None:
        """Give the file back; what was not committed is gone."""
        self._db.close()
        self._lock.close()


class Reading:
    """A journal that is open for reading, also while another process writes it or after it died."""

    def __init__(self, path: Path) -> None:
        """Raises `JournalError` when there is no such journal."""
        if not path.is_file():
            raise JournalError(f"{path}: there is no such file")
        self.path = path
        self._db = _connect(path, apsw.SQLITE_OPEN_READONLY)
        try:
            known = _recognise(self._db, path)
        except apsw.Error as error:
            raise JournalError(f"{path}: is no journal of Sabot, or is damaged: {error}") from None
        if not known:
            raise JournalError(f"{path}: holds no entry")

    def since(self, seq: int = 0, limit: int = -1) -> Iterator[Entry]:
        """The entries after `seq`, in order."""
        return _entries(self._db, seq, limit)

    def verify(self) -> str | None:
        """Walk the whole chain; the first entry that does not hold, in words, or `None`."""
        chain, expected = GENESIS, 0
        try:
            for *columns, found in self._db.execute(_SELECT + ", chain FROM journal ORDER BY seq"):
                expected = expected or columns[0]
                if columns[0] != expected:
                    return f"entry {expected} is missing; entry {columns[0]} stands in its place"
                chain = link(chain, columns)
                if chain != found:
                    return f"entry {expected} is not what was written, or one before it is not"
                expected += 1
        except apsw.Error as error:
            return f"after entry {expected - 1} the file is damaged: {error}"
        return None

    def close(self) -> None:
        """Give the file back."""
        self._db.close()


_SELECT = "SELECT seq, at, mono, source, boot, n, cursor, word, body"


def link(chain: bytes, columns: Sequence[object]) -> bytes:
    """The next link: SHA-256 over the link before it and the entry's columns as a JSON array."""
    return hashlib.sha256(chain + _columns.encode(columns)).digest()


_columns = msgspec.json.Encoder()


def _only_writer(path: Path) -> IO[str]:
    """Hold the lock beside the file for as long as this process lives; it names the holder."""
    try:
        lock = path.with_suffix(path.suffix + ".lock").open("a+")
    except OSError as error:
        raise JournalError(f"{path}: cannot be opened: {error.strerror}; is the folder there?") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.seek(0)
        holder = lock.read().strip()
        lock.close()
        raise JournalError(f"{path}: process {holder} writes this journal; stop it first") from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def _connect(path: Path, flags: int) -> apsw.Connection:
    try:
        connection = apsw.Connection(str(path), flags=flags)
    except apsw.Error as error:
        raise JournalError(f"{path}: cannot be opened: {error}") from None
    connection.set_busy_timeout(2000)
    return connection


def _recognise(db: apsw.Connection, path: Path) -> bool:
    """Whether the file holds a journal already; raises `JournalError` when it holds something else."""
    if db.execute("SELECT count(*) FROM sqlite_schema").get == 0:
        return False
    if db.pragma("application_id") != APPLICATION:
        raise JournalError(f"{path}: is a database, but no journal of Sabot; name another file")
    if db.pragma("user_version") != SCHEMA:
        found = db.pragma("user_version")
        raise JournalError(f"{path}: is a journal of form {found}, and this Sabot reads form {SCHEMA}")
    return True


def _entries(db: apsw.Connection, seq: int, limit: int) -> Iterator[Entry]:
    query = _SELECT + " FROM journal WHERE seq > ? ORDER BY seq LIMIT ?"
    for number, at, mono, source, boot, n, cursor, word, body in db.execute(query, (seq, limit)):
        try:
            fact = decode(word, body)
        except ValueError as error:
            raise JournalError(f"{db.filename}: entry {number} cannot be read: {error}") from None
        yield Entry(number, at, mono, source, boot, n, cursor, fact, word, body)
