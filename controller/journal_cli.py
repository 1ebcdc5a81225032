"""`sabot journal`: check, read and export a journal."""

import sys
from pathlib import Path
from typing import Any

import msgspec
import typer

from controller.journal import Reading
from controller.journal_form import JournalError
from controller.journals import joint
from controller.progress import busy
from controller.rounds import told, written
from controller.terminal import WRONG, complain, fail, line

journal_app = typer.Typer(help="Check, read and export a journal.", rich_markup_mode=None)


@journal_app.command()
def verify(file: Path) -> int:
    """Walk the whole chain, and how it fits its neighbours; the first bad entry if it is not whole.

    The last link is told: who has kept it can tell whether entries are missing at the end.
    """
    with Reading(file) as reading, busy("the chain"):
        problem = reading.verify() or joint(file)
        last, link = reading.end if problem is None else (0, "")
    if problem:
        sys.stdout.write(f"{file}: NOT whole: {problem}\n")
        return WRONG
    sys.stdout.write(f"{file}: whole, to entry {last}, which ends the chain with {link}\n")
    return 0


@journal_app.command()
def show(file: Path) -> int:
    """The rounds as people read them, every payout with its article."""
    with Reading(file) as reading:
        try:
            for one in told(reading.since()):
                sys.stdout.writelines(f"{text}\n" for text in written(one))
                sys.stdout.write("\n")
        except JournalError as error:
            fail(f"{file}: {str(error).removeprefix(f'{file}: ')}")
        return _doubted(file, reading.verify())


@journal_app.command()
def export(file: Path) -> int:
    """Every entry as a JSON line."""
    with Reading(file) as reading:
        for entry in reading.since():
            columns: dict[str, Any] = entry._asdict()
            columns["fact"] = msgspec.Raw(entry.body.encode())
            del columns["body"]
            line(columns)
        return _doubted(file, reading.verify())


def _doubted(file: Path, problem: str | None) -> int:
    """What was told comes from a journal that is not whole: it must be said."""
    if problem is None:
        return 0
    complain(f"{file}: NOT whole: {problem}")
    return WRONG
