"""The journal: append-only, durable, and chained entry by entry; all that Sabot knows is a fold of it.

One SQLite file holds whole shoes. Every entry carries the SHA-256 of the entry before it and of itself, so
that nothing can be changed, dropped or reordered unseen. `synchronous=FULL` makes a commit durable before it
returns; triggers refuse UPDATE and DELETE, as corrections are new entries.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Self

import apsw
import msgspec

from controller.alone import TakenError, alone
from controller.codec import decode_ours, encode
from controller.journal_form import (
    APPLICATION,
    CREATE,
    SCHEMA,
    JournalError,
    connect,
    connect_reading,
    recognise,
    rows,
    schema,
    tables,
)
from controller.notes import Note
from rules.facts import Fact

GENESIS = bytes(32)


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
        """Open the file, or make one that goes on counting after `after`; raises `JournalError`.

        A file that is made holds nothing before the first commit, so that it exists with its beginning or
        not at all.
        """
        self.path = path
        self.head = after
        self.chain = GENESIS
        self._clock = clock or Clock()
        self._broken = False
        self._since_rest = 0
        with contextlib.ExitStack() as opened:
            opened.enter_context(_only_writer(path))
            self._db = connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
            opened.callback(self._db.close)
            try:
                self._begin(after)
            except apsw.Error as error:
                raise JournalError(f"{path}: is no journal that can be written: {error}") from None
            self._opened = opened.pop_all()

    def _begin(self, after: int) -> None:
        known = recognise(self._db, self.path)
        if self._db.execute("PRAGMA journal_mode=WAL").get != "wal":
            raise JournalError(f"{self.path}: this file system has no write-ahead log; name another folder")
        self._db.execute("PRAGMA synchronous=FULL")
        # Checkpoints cost several syncs; `rest` makes them when nobody waits.
        self._db.execute("PRAGMA wal_autocheckpoint=0")
        self._db.execute("BEGIN IMMEDIATE")
        if known:
            self._db.execute("COMMIT")
        else:
            self._db.execute(CREATE)
            self._db.execute(f"PRAGMA application_id={APPLICATION}")
            self._db.execute(f"PRAGMA user_version={SCHEMA}")
        last = self._db.execute("SELECT seq, chain FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
        if last and after:
            raise JournalError(f"{self.path}: holds entries already; move it away")
        if last:
            self.head, self.chain = last
        elif known:
            raise JournalError(f"{self.path}: every entry is gone; keep the file for whoever must see it")
        self._files = self._inodes()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def append(self, drafts: Iterable[Draft]) -> list[Entry]:
        """Write entries that are not durable before `commit`; raises `JournalError` when the disk refuses."""
        with self._whole_or_broken("written"):
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            return [self._write(draft) for draft in drafts]

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
        with self._whole_or_broken("made durable"):
            self._db.execute("COMMIT")
            # What goes into a file that somebody took away is lost, though every write succeeds.
            if self._inodes() != self._files:
                raise JournalError(f"{self.path}: was moved or deleted while it is written; put it back")
        self._since_rest += 1

    def since(self, seq: int, limit: int = -1) -> Iterator[Entry]:
        """The entries after `seq`, in order."""
        return _entries(self._db, self.path, seq, limit)

    def __len__(self) -> int:
        """How many entries it holds."""
        first: int = self._db.execute("SELECT min(seq) FROM journal").get or self.head + 1
        return self.head - first + 1

    def checked(self) -> Iterator[Entry]:
        """All entries, in order; raises `JournalError` at the first that is not what was written."""
        for columns in _whole(self._db, self.path):
            yield _entry(columns, self.path)

    def rest(self, after: int = 500) -> None:
        """Fold the write-ahead log into the file, when enough was written and nobody waits.

        It folds what no reader holds, and never waits for one: somebody who reads a journal for an hour
        must not stop the table.
        """
        if self._since_rest >= after and not self._db.in_transaction:
            with self._whole_or_broken("folded"), contextlib.suppress(apsw.BusyError):
                self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            self._since_rest = 0

    @contextlib.contextmanager
    def _whole_or_broken(self, what: str) -> Iterator[None]:
        """After a failure nothing more is written: SQLite may have taken back more than the last entry."""
        if self._broken:
            raise JournalError(f"{self.path}: failed before; it must be opened anew")
        self._broken = True
        try:
            yield
        except apsw.Error as error:
            raise JournalError(f"{self.path}: cannot be {what}: {error}") from None
        self._broken = False

    def _inodes(self) -> list[int]:
        """What stands under our two names now; 0 for nothing."""
        found = []
        for name in (str(self.path), f"{self.path}-wal"):
            try:
                found.append(os.stat(name).st_ino)  # noqa: PTH116 - thrice as fast, at every commit
            except OSError:
                found.append(0)
        return found

    def close(self) -> None:
        """Give the file back; what was not committed is gone."""
        self._opened.close()


class Reading:
    """A journal that is open for reading, also while another process writes it or after it died."""

    def __init__(self, path: Path) -> None:
        """Raises `JournalError` when there is no such journal."""
        self.path = path
        known = False
        if not path.is_file():
            raise JournalError(f"{path}: there is no such file")
        self._db = connect_reading(path)
        try:
            known = recognise(self._db, path)
        except apsw.Error as error:
            raise JournalError(f"{path}: is no journal of Sabot, or is damaged: {error}") from None
        finally:
            if not known:
                self._db.close()
        if not known:
            raise JournalError(f"{path}: holds no entry")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def since(self, seq: int = 0, limit: int = -1) -> Iterator[Entry]:
        """The entries after `seq`, in order; raises `JournalError` where one cannot be read."""
        return _entries(self._db, self.path, seq, limit)

    def walk(self) -> None:
        """Walk the whole chain; raises `JournalError` at the first entry that is not what was written."""
        for _ in _whole(self._db, self.path):
            pass

    def verify(self) -> str | None:
        """Walk the whole chain; the first entry that does not hold, in words, or `None`.

        It cannot know of entries that were cut off the end, nor of a chain that was written anew from its
        first entry: for those, compare `end` with what somebody else has kept.
        """
        last = 0
        try:
            for columns in _whole(self._db, self.path):
                last = columns[0]
            if [row[0] for row in rows(self._db, self.path, "SELECT sql FROM sqlite_schema")] != schema():
                return f"the form of the file was changed; its entries hold, to the last, {last}"
        except JournalError as error:
            return f"after entry {last}: {str(error).removeprefix(f'{self.path}: ')}"
        return None if last else "every entry is gone"

    @property
    def end(self) -> tuple[int, str]:
        """The last entry, and the link that ends the chain, in hexadecimal: what an outsider may keep."""
        for seq, chain in rows(self._db, self.path, _LAST):
            return seq, chain.hex()
        return 0, GENESIS.hex()

    def close(self) -> None:
        """Give the file back."""
        self._db.close()


def blank(path: Path) -> bool:
    """Whether the file holds no journal yet: one that was begun, and whose first entries never came.

    One that is damaged is not blank. Raises `JournalError`.
    """
    try:
        # Where the power failed in the very making of it, SQLite must clear up before it can tell.
        db = connect(path, apsw.SQLITE_OPEN_READWRITE)
        try:
            return tables(db) == 0
        finally:
            db.close()
    except apsw.Error:
        return False


_SELECT = "SELECT seq, at, mono, source, boot, n, cursor, word, body"
_LAST = "SELECT seq, chain FROM journal ORDER BY seq DESC LIMIT 1"


def link(chain: bytes, columns: Sequence[object]) -> bytes:
    """The next link: SHA-256 over the link before it and the entry's columns as a JSON array."""
    return hashlib.sha256(chain + _columns.encode(columns)).digest()


_columns = msgspec.json.Encoder()


def _only_writer(path: Path) -> IO[bytes]:
    """The lock beside the file; under whatever name the file is reached, it is the same lock."""
    real = path.resolve()
    try:
        return alone(real.with_name(real.name + ".lock"))
    except TakenError as holder:
        raise JournalError(f"{path}: process {holder} writes this journal; stop it first") from None
    except OSError as error:
        raise JournalError(f"{path}: cannot be opened: {error.strerror}; is the folder there?") from None


def _whole(db: apsw.Connection, path: Path) -> Iterator[Sequence[Any]]:
    """The columns of every entry, as long as the chain holds; raises `JournalError` where it does not."""
    chain, expected = GENESIS, 0
    for row in rows(db, path, _SELECT + ", chain FROM journal ORDER BY seq"):
        expected = expected or row[0]
        if row[0] != expected:
            raise JournalError(f"{path}: entry {expected} is missing; {row[0]} stands in its place")
        columns = row[:-1]
        chain = link(chain, columns)
        if chain != row[-1]:
            raise JournalError(f"{path}: entry {expected} is not what was written, or one before it is not")
        yield columns
        expected += 1


def _entries(db: apsw.Connection, path: Path, seq: int, limit: int) -> Iterator[Entry]:
    query = _SELECT + " FROM journal WHERE seq > ? ORDER BY seq LIMIT ?"
    for columns in rows(db, path, query, (seq, limit)):
        yield _entry(columns, path)


def _entry(columns: Sequence[Any], path: Path) -> Entry:
    seq, at, mono, source, boot, n, cursor, word, body = columns
    try:
        fact = decode_ours(word, body)
    except ValueError as error:
        raise JournalError(f"{path}: entry {seq} cannot be read: {error}") from None
    return Entry(seq, at, mono, source, boot, n, cursor, fact, word, body)
