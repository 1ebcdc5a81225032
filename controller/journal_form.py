"""The form of a journal's file: its table, how it is recognised, and how its rows are read."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import apsw

SCHEMA = 1
"""The form of the file; a journal of another form is refused by name."""
APPLICATION = 0x5AB07
"""Marks the file as a journal of Sabot (SQLite's `application_id`)."""
PATIENCE = 2000
"""Milliseconds that one process waits for the other to let go of the file."""

CREATE = """
CREATE TABLE journal(
  seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, mono INTEGER NOT NULL,
  source TEXT NOT NULL, boot TEXT NOT NULL, n INTEGER NOT NULL, cursor TEXT NOT NULL,
  word TEXT NOT NULL, body TEXT NOT NULL, chain BLOB NOT NULL
) STRICT;
CREATE TRIGGER never_changed BEFORE UPDATE ON journal
  BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER never_dropped BEFORE DELETE ON journal
  BEGIN SELECT RAISE(ABORT, 'entries are never dropped'); END;
CREATE TRIGGER never_replaced BEFORE INSERT ON journal WHEN NEW.seq <= (SELECT max(seq) FROM journal)
  BEGIN SELECT RAISE(ABORT, 'entries are never replaced'); END;
"""


class JournalError(Exception):
    """The journal cannot be used; the message names the file and what to do."""


def connect(path: Path, flags: int, name: str = "") -> apsw.Connection:
    """Open the file, under another name for SQLite if one is given; raises `JournalError`."""
    try:
        connection = apsw.Connection(name or str(path), flags=flags)
    except apsw.Error as error:
        raise JournalError(f"{path}: cannot be opened: {error}") from None
    connection.set_busy_timeout(PATIENCE)
    return connection


def connect_reading(path: Path) -> apsw.Connection:
    """Open the file for reading, also in a folder that cannot be written; raises `JournalError`.

    SQLite reads a write-ahead log by files that it makes beside it. Where it cannot make them nobody can
    write the journal either, and what its log still holds would be left out.
    """
    if os.access(path.parent, os.W_OK):
        return connect(path, apsw.SQLITE_OPEN_READONLY)
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise JournalError(
            f"{path}: its last entries are in {log.name}, and the folder cannot be written; "
            "copy both to one that can"
        )
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return connect(path, flags, f"{path.resolve().as_uri()}?immutable=1")


def tables(db: apsw.Connection) -> int:
    """How many tables and triggers the file has."""
    found: int = db.execute("SELECT count(*) FROM sqlite_schema").get
    return found


def recognise(db: apsw.Connection, path: Path) -> bool:
    """Whether the file holds a journal already; raises `JournalError` when it holds something else."""
    if tables(db) == 0:
        return False
    if db.pragma("application_id") != APPLICATION:
        raise JournalError(f"{path}: is a database, but no journal of Sabot; name another file")
    if db.pragma("user_version") != SCHEMA:
        found = db.pragma("user_version")
        raise JournalError(f"{path}: is a journal of form {found}, and this Sabot reads form {SCHEMA}")
    return True


@cache
def schema() -> list[str]:
    """The form of a journal, as SQLite keeps it."""
    with contextlib.closing(apsw.Connection(":memory:")) as db:
        db.execute(CREATE)
        return [row[0] for row in db.execute("SELECT sql FROM sqlite_schema")]


def rows(db: apsw.Connection, path: Path, query: str, values: Sequence[int] = ()) -> Iterator[Sequence[Any]]:
    """The rows of a query; raises `JournalError` where the file is damaged."""
    try:
        yield from db.execute(query, values)
    except (apsw.Error, UnicodeDecodeError) as error:
        raise JournalError(f"{path}: the file is damaged: {error}") from None
