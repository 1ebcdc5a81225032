"""The controller is cut off between any two steps: nothing is lost, doubled, or told too early."""

from collections.abc import Callable
from typing import Any

import pytest

import controller.loop
from controller.journal import Entry, Journal
from controller.journal_form import JournalError
from controller.notes import SourceStarted
from controller.table import Table
from controller.topics import Ack, Hello, Report

Opens = Callable[..., Any]


class CutOffError(Exception):
    """The power goes."""


class Failing(Journal):
    """A journal that is cut off at a chosen step; what was not committed is gone."""

    cut = ""
    after = 0

    def _perhaps(self, step: str) -> None:
        if Failing.cut == step:
            Failing.after -= 1
            if Failing.after < 0:
                Failing.cut = ""
                raise CutOffError(step)

    def append(self, drafts: Any) -> list[Entry]:
        """As ever, with a power cut before or after."""
        self._perhaps("before append")
        made = super().append(drafts)
        self._perhaps("after append")
        return made

    def commit(self) -> None:
        """As ever, with a power cut before or after."""
        self._perhaps("before commit")
        super().commit()
        self._perhaps("after commit")


def send_each_until_acknowledged(table: Any, reports: list[Report]) -> None:
    """As sources do; the controller is started again when it dies."""
    for report in reports:
        acknowledged = False
        while not acknowledged:
            try:
                acknowledged = isinstance(table.send(report), Ack)
            except CutOffError:
                table.restart()


def told(table: Any) -> list[Any]:
    """The facts of a journal, without what sources say of themselves."""
    return [fact for fact in table.facts() if not isinstance(fact, SourceStarted)]


@pytest.mark.parametrize("step", ["before append", "after append", "before commit", "after commit"])
def test_nothing_is_lost_and_nothing_doubled_wherever_the_controller_dies(
    desk: Opens, monkeypatch: pytest.MonkeyPatch, step: str, state_of: Callable[[Table], Any]
) -> None:
    monkeypatch.setattr(controller.loop, "Journal", Failing)
    whole = desk()
    whole.loads()
    whole.plays()
    whole.time.next_day()
    whole.loads()
    whole.bets()
    wanted, reports = told(whole), whole.sent
    whole.close()
    for after in range(100):
        for path in whole.loop.journal.parent.iterdir():
            path.unlink()
        table = desk()
        Failing.cut, Failing.after = step, after
        half = reports.index(next(report for report in reports[5:] if b"shoe_loaded" in bytes(report.fact)))
        send_each_until_acknowledged(table, reports[:half])
        table.time.next_day()
        send_each_until_acknowledged(table, reports[half:])
        assert told(table) == wanted, after
        # A reader has what is durable, and may have to ask for what was cut off before it was told.
        durable = {entry.seq: entry for entry in table.entries()}
        assert all(durable.get(entry.seq, entry) == entry for entry in table.wire.published)
        followed = Table(table.table.config)
        for entry in durable.values():
            followed.after(entry)
        assert state_of(followed) == state_of(table.table)
        table.close()
        if Failing.cut:
            break
    Failing.cut = ""
    assert after > 10, "every step was tried"


def test_what_is_not_durable_is_neither_acknowledged_nor_published(
    desk: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = desk()
    answers, published = len(table.wire.answers), len(table.wire.published)

    def refuses() -> None:
        raise JournalError("the disk is gone")

    monkeypatch.setattr(table.loop._journal, "commit", refuses)
    for report in (lambda: table.draws("8s"), lambda: table.send(Hello(source="shoe", boot="x"))):
        with pytest.raises(JournalError, match="the disk is gone"):
            report()
    assert len(table.wire.answers) == answers
    assert len(table.wire.published) == published
    assert not table.wire.given


def test_a_full_disk_ends_the_controller_and_space_brings_it_back(desk: Opens) -> None:
    table = desk()
    table.loads()
    before = table.entries()
    database = table.loop._journal._db
    database.pragma("max_page_count", database.pragma("page_count"))
    last = None

    def until_full() -> None:
        nonlocal last
        for seat in range(1, 200):
            last = table.wire.answers[-1]
            table.bets("banca", seat=seat % 7 + 1)

    with pytest.raises(JournalError, match="full"):
        until_full()
    table.wire.incoming.clear()
    table.restart()
    assert isinstance(last, Ack)
    assert table.table.head == last.seq
    assert table.entries()[: len(before)] == before
