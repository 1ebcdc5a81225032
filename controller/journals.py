"""Which journal is written: one file a gaming day, or more of a long one, and a shoe is never cut in two.

A new file begins with the first shoe that is loaded on a new day, or when the present file is full. It names
the file before it and the last link of its chain, and its entries go on counting where that one ended.
"""

import contextlib
import re
from datetime import date
from pathlib import Path

import structlog

from controller.journal import Reading, blank
from controller.notes import JournalOpened

SUFFIX = ".journal"
FULL = 25_000
"""Entries after which the next shoe begins a new file, since a start folds one; few days have as many."""

log = structlog.get_logger()


def latest(folder: Path, table: str) -> Path | None:
    """The last journal of the table that holds an entry, or `None`.

    A file is blank when the power failed before its beginning was durable: then the one before it goes on.
    """
    for path in reversed(every(folder, table)):
        if not blank(path):
            return path
        log.warning("a journal holds no entry; the one before it goes on", path=str(path))
    return None


def of_day(folder: Path, table: str, day: date, part: int = 1) -> Path:
    """The journal of that day; a full one is followed by its second part."""
    return folder / f"{table}-{day.isoformat()}{f'-{part}' if part > 1 else ''}{SUFFIX}"


def following(path: Path, table: str, today: date, *, full: bool) -> Path | None:
    """The journal that a shoe begins which is loaded now, or `None` when that at `path` takes it in.

    A clock that was set back begins none: a journal of an older day would not be the latest.
    """
    day, part = _place(path, table) or (today, 1)
    if today > day:
        return of_day(path.parent, table, today)
    return of_day(path.parent, table, day, part + 1) if full else None


def every(folder: Path, table: str) -> list[Path]:
    """The journals of that table, and not of one whose name begins like it, in their order."""
    found = (
        {path: place for path in folder.iterdir() if (place := _place(path, table))}
        if folder.is_dir()
        else {}
    )
    return sorted(found, key=lambda path: found[path])


def _place(path: Path, table: str) -> tuple[date, int] | None:
    """The day of a journal of that table, and which part of it."""
    form = rf"{re.escape(table)}-(\d{{4}}-\d\d-\d\d)(?:-([1-9]\d*))?{re.escape(SUFFIX)}"
    named = re.fullmatch(form, path.name)
    if named is None:
        return None
    with contextlib.suppress(ValueError):
        return date.fromisoformat(named[1]), int(named[2] or 1)
    return None


def joint(path: Path) -> str | None:
    """Whether the journals before and after it in its folder fit on it; what does not, in words.

    So entries that were cut off the end of a journal are found, as long as the next one is there.
    """
    opened, first = _opening(path)
    before = path.with_name(opened.previous) if opened and opened.previous else None
    if opened and before and before.is_file():
        with Reading(before) as reading:
            if reading.end != (first - 1, opened.head):
                return f"it follows {before.name}, which does not end where this one begins"
    with Reading(path) as reading:
        end = reading.end
    later = every(path.parent, opened.table) if opened else []
    for other in later[later.index(path) + 1 :] if opened and path in later else ():
        if blank(other):
            continue
        follows, first = _opening(other)
        if follows and follows.previous == path.name and (first - 1, follows.head) != end:
            return f"entries are missing at its end: {other.name} goes on at entry {first}"
    return None


def _opening(path: Path) -> tuple[JournalOpened | None, int]:
    """The first entry of a journal, and its number."""
    with Reading(path) as reading:
        for entry in reading.since(limit=1):
            return (entry.fact if isinstance(entry.fact, JournalOpened) else None), entry.seq
    return None, 0
