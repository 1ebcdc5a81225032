"""Which journal is written: one file a gaming day, and a shoe is never cut in two.

A new file begins with the first shoe that is loaded on a new day. It names the file before it and the last
link of its chain, and its entries go on counting where that one ended.
"""

import re
from datetime import date
from pathlib import Path

import structlog

from controller.journal import Reading, blank
from controller.notes import JournalOpened

SUFFIX = ".journal"

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


def of_day(folder: Path, table: str, day: date) -> Path:
    """The journal of that day."""
    return folder / f"{table}-{day.isoformat()}{SUFFIX}"


def every(folder: Path, table: str) -> list[Path]:
    """The journals of that table, and not of one whose name begins like it, in their order."""
    form = re.compile(rf"{re.escape(table)}-\d{{4}}-\d\d-\d\d{re.escape(SUFFIX)}")
    return sorted(path for path in folder.iterdir() if form.fullmatch(path.name)) if folder.is_dir() else []


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
    for other in every(path.parent, opened.table) if opened else ():
        if other.name <= path.name or blank(other):
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
