"""All entries of a journal, and the word that they are what was written.

Walking the chain takes as long as folding the entries, and a table waits for both when it starts: a long
journal is walked by a process of its own meanwhile.
"""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from controller.journal import Entry, Journal, Reading
from controller.journal_form import JournalError

ROOT = Path(__file__).parent.parent
LONG = 20_000
"""Entries for which a second process is worth its start."""


def whole(journal: Journal) -> Iterator[Entry]:
    """All entries, in order; raises `JournalError` when one is not what was written, at the latest last."""
    if len(journal) < LONG:
        yield from journal.checked()
        return
    with _walking(journal.path) as walk:
        yield from journal.since(0)
        said, _ = walk.communicate()
        if walk.returncode != 0:
            raise JournalError(said or f"{journal.path}: could not be checked; start again")


@contextlib.contextmanager
def _walking(path: Path) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-P", "-m", "controller.walk", str(path.resolve())]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as walk:  # noqa: S603 - our own
        try:
            yield walk
        finally:
            walk.kill()


def main() -> int:
    """Walk the journal that is named, and print what does not hold."""
    try:
        with Reading(Path(sys.argv[1])) as reading:
            reading.walk()
    except JournalError as error:
        sys.stdout.write(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
