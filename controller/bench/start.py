"""How long a controller takes from its start until it answers, on a journal that is full."""

import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

from config.load import Table, load
from controller import VERSION
from controller.bench.rulebook import log
from controller.journal import Draft, Journal
from controller.journals import FULL, of_day
from controller.notes import JournalOpened
from controller.reporter import Reporter
from controller.simulate.tables import ROOT, VAR, table_file
from controller.table import CONTROLLER, PEOPLE
from rules.facts import BetPlaced, CardDrawn, CardsBurned, CardSeen, RoundOpened, ShoeLoaded, TableSet

ENTRIES = 100_000
DAY = date(2026, 1, 1)
SEATS = 3
A_ROUND = 14
"""Entries of a round of three bets at a table with a shoe and a camera, at least."""
RUNS = 5
PATIENCE = 30.0
SOURCES = {CardDrawn: "shoe", CardsBurned: "shoe", CardSeen: "camera"}
"""Who reports what; the rest is people's."""


def seconds(full: int = FULL) -> float:
    """Seconds to the first answer, on journals of so many entries of which the last is full; the median."""
    VAR.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=VAR) as name:
        path = table_file(Path(name), fps=30)
        fill(load(path), full)
        return statistics.median(_ready(path) for _ in range(RUNS))


def fill(config: Table, full: int) -> None:
    """Write journals of a table: rounds as it plays them, and a new file with the shoe after a full one."""
    folder = config.at(config.file.journal)
    folder.mkdir()
    table = config.file.table
    number, part = 0, 1
    journal = _begun(config, of_day(folder, table, DAY), JournalOpened(table, VERSION))
    for n, fact in log(config.law, 2 * ENTRIES // A_ROUND, SEATS):
        if isinstance(fact, ShoeLoaded) and len(journal) >= full:
            if journal.head >= ENTRIES:
                break
            part += 1
            opened = JournalOpened(table, VERSION, journal.path.name, journal.chain.hex(), number)
            journal.commit()
            journal.close()
            path = of_day(folder, table, DAY, part)
            journal = _begun(config, path, opened, journal.head)
        if isinstance(fact, BetPlaced) and fact.seat == 1:
            number += 1
            journal.append([Draft(RoundOpened(number), CONTROLLER)])
        journal.append([Draft(fact, SOURCES.get(type(fact), PEOPLE), "0" * 12, n)])
    journal.commit()
    journal.close()


def _begun(config: Table, path: Path, opened: JournalOpened, after: int = 0) -> Journal:
    law = TableSet(config.file.game, config.law.game.edition, config.options, config.fingerprint)
    journal = Journal(path, after=after)
    journal.append([Draft(opened, CONTROLLER), Draft(law, CONTROLLER)])
    return journal


def _ready(path: Path) -> float:
    """Seconds from the start of the process to its first answer on the bus."""
    config = load(path)
    began = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-P", "-m", "controller.run.table", str(path)], cwd=ROOT
    )
    reporter = Reporter(config.at(config.file.bus.folder), "shoe")
    try:
        while reporter.greet(0.02) is None:
            if time.perf_counter() - began > PATIENCE:
                raise RuntimeError("the controller did not start")
        return time.perf_counter() - began
    finally:
        reporter.close()
        process.terminate()
        process.wait()


def bare() -> float:
    """Seconds of an interpreter that does nothing; the median."""
    return statistics.median(_bare() for _ in range(RUNS))


def _bare() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-P", "-c", ""], check=True)
    return time.perf_counter() - began
