"""One journal a day: a shoe is never cut in two, and nothing is forgotten from one to the next."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from config.load import load
from controller import loop, walk
from controller.journal import Draft, Journal, Reading
from controller.journal_form import JournalError
from controller.journals import every, joint, latest, of_day
from controller.notes import JournalOpened, PinTried
from controller.table import Table
from controller.topics import Ack
from rules.facts import DeviceState, FaultCleared, FaultRaised, RoundOpened, ShoeLoaded, TableSet

Opens = Callable[..., Any]


def begun(folder: Path, name: str, table: str = "T-1") -> Path:
    """A journal with a beginning."""
    path = folder / name
    with Journal(path) as journal:
        journal.append([Draft(JournalOpened(table, "0.1.0"), "controller")])
        journal.commit()
    return path


def files(desk: Any) -> list[str]:
    """The journals of a table."""
    return sorted(path.name for path in desk.loop.journal.parent.glob("*.journal"))


# Which one is the last.


def test_the_last_journal_is_that_of_the_last_day(folder: Path) -> None:
    assert latest(folder, "T-1") is None
    assert latest(folder / "nowhere", "T-1") is None
    begun(folder, "T-1-2026-11-29.journal")
    last = begun(folder, "T-1-2026-12-01.journal")
    begun(folder, "T-1-2026-11-30.journal")
    assert latest(folder, "T-1") == last
    assert of_day(folder, "T-1", date(2026, 12, 1)) == last


def test_the_parts_of_a_day_come_in_their_order(folder: Path) -> None:
    names = ["T-1-2026-11-30.journal", *(f"T-1-2026-11-30-{n}.journal" for n in (2, 9, 10))]
    names.append("T-1-2026-12-01.journal")
    for name in reversed(names):
        begun(folder, name)
    (folder / "T-1-2026-11-31.journal").touch()
    (folder / "T-1-2026-11-30-0.journal").touch()
    assert [path.name for path in every(folder, "T-1")] == names


def test_the_journals_of_a_table_whose_name_begins_like_ours_are_not_ours(folder: Path) -> None:
    ours = begun(folder, "T-2026-11-29.journal")
    begun(folder, "T-1-2026-12-01.journal", "T-1")
    (folder / "T-2026-12-09.journal.lock").touch()
    (folder / "T-2026-12-09.journal.bak").touch()
    assert latest(folder, "T") == ours


def test_a_journal_whose_beginning_never_came_is_passed_over(folder: Path) -> None:
    before = begun(folder, "T-1-2026-11-29.journal")
    with Journal(folder / "T-1-2026-11-30.journal"):
        pass
    (folder / "T-1-2026-12-01.journal").touch()
    assert latest(folder, "T-1") == before


def test_a_last_journal_that_is_damaged_is_not_passed_over_but_refused_by_name(
    folder: Path, desk: Opens, a_table_file: Opens
) -> None:
    path = load(a_table_file(folder)).at("journals")
    path.mkdir()
    begun(path, "T-1-2026-11-28.journal")
    (path / "T-1-2026-11-29.journal").write_bytes(b"\0" * 9000)
    with pytest.raises(JournalError, match=r"T-1-2026-11-29.journal: is no journal"):
        desk()


def test_the_journal_of_another_table_is_refused_by_name(
    folder: Path, desk: Opens, a_table_file: Opens
) -> None:
    path = load(a_table_file(folder)).at("journals")
    path.mkdir()
    begun(path, "T-1-2026-11-28.journal", table="T-9")
    with pytest.raises(JournalError, match="is the journal of table 'T-9', not of 'T-1'"):
        desk()


@pytest.mark.parametrize("long", [20_000, 1])
def test_a_journal_that_was_changed_is_refused_and_nothing_is_built_on_it(
    desk: Opens, monkeypatch: pytest.MonkeyPatch, long: int
) -> None:
    monkeypatch.setattr(walk, "LONG", long)
    table = desk()
    table.loads()
    table.plays()
    table.close()
    with Journal(table.loop.journal) as journal:
        journal._db.execute("DROP TRIGGER never_changed")
        journal._db.execute("UPDATE journal SET body=replace(body,'2500','9999') WHERE word='bet'")
    with pytest.raises(JournalError, match="is not what was written"):
        table.start()


def test_a_long_journal_is_walked_by_a_process_of_its_own_and_folds_to_the_same(
    desk: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = desk()
    table.loads()
    table.plays()
    table.close()
    with Journal(table.loop.journal) as journal:
        entries = list(journal.checked())
        assert len(journal) == len(entries)
        monkeypatch.setattr(walk, "LONG", 1)
        monkeypatch.setattr(Journal, "checked", None)
        assert list(walk.whole(journal)) == entries


# From one to the next.


def test_the_first_shoe_of_a_new_day_begins_a_new_journal_that_names_the_one_before(desk: Opens) -> None:
    table = desk()
    table.loads()
    table.plays()
    first, head, chain = table.loop.journal, table.table.head, table.loop._journal.chain.hex()
    table.time.next_day()
    table.plays()
    assert files(table) == [first.name], "a shoe is not cut in two by midnight"
    head, chain = table.table.head, table.loop._journal.chain.hex()
    table.loads()
    assert files(table) == ["T-1-2026-11-30.journal", "T-1-2026-12-01.journal"]
    entries = table.entries()
    opened = entries[0]
    assert opened.seq == head + 1
    assert isinstance(opened.fact, JournalOpened)
    assert (opened.fact.previous, opened.fact.head) == (first.name, chain)
    assert isinstance(entries[1].fact, TableSet)
    assert [type(entry.fact) for entry in entries[2:4]] == [ShoeLoaded, RoundOpened]
    assert [entry.seq for entry in table.wire.published] == list(range(1, table.table.head + 1))
    for path in (first, table.loop.journal):
        assert joint(path) is None


def test_a_full_journal_is_followed_by_a_second_part_with_the_next_shoe(
    desk: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "FULL", 12)
    table = desk()
    table.loads()
    table.plays()
    assert len(table.entries()) > 12
    assert files(table) == ["T-1-2026-11-30.journal"], "a shoe is not cut in two"
    first = table.loop.journal
    table.loads()
    second = table.loop.journal
    assert second.name == "T-1-2026-11-30-2.journal"
    table.plays()
    table.restart()
    assert table.loop.journal == second
    table.time.day = date(1970, 1, 1)
    table.loads()
    third = table.loop.journal
    assert third.name == "T-1-2026-11-30-3.journal", "a clock that was set back begins no older journal"
    table.time.day = date(2026, 12, 1)
    table.loads()
    assert table.loop.journal.name == "T-1-2026-12-01.journal"
    assert [joint(path) for path in (first, second, third, table.loop.journal)] == [None] * 4
    assert [entry.seq for entry in table.wire.published] == list(range(1, table.table.head + 1))


def test_round_numbers_go_on_and_are_never_used_twice(desk: Opens) -> None:
    table = desk()
    numbers = []
    for _ in range(3):
        table.loads()
        for _ in range(2):
            numbers.append(table.table.play.felt.number)
            table.plays()
        table.restart()
        table.time.next_day()
    assert numbers == sorted(set(numbers))
    opened = [e.fact.number for e in table.wire.published if isinstance(e.fact, RoundOpened)]
    assert opened == sorted(set(opened))


def test_a_round_that_is_not_settled_keeps_its_journal_when_somebody_loads_a_shoe(desk: Opens) -> None:
    table = desk()
    table.loads()
    table.time.next_day()
    table.bets()
    table.draws("2c", "Ah", "3d", "4s", "6h", "2d")
    table.tap("shoe_loaded")
    assert len(files(table)) == 1
    assert [pay.net for pay in table.table.play.now.payouts] == [0]
    table.tap("paid")
    table.tap("shoe_loaded")
    assert len(files(table)) == 2


def test_what_holds_the_table_goes_on_holding_it_in_the_next_journal(desk: Opens, with_camera: str) -> None:
    table = desk(with_camera)
    table.loads()
    table.tap("pin", operator="1001", good=False)
    table.tap("takeover", mode="manual", of="camera")
    table.report("shoe", DeviceState({"rung": "decoding", "why": "cards"}), "9:1")
    table.report("shoe", FaultRaised("jam"), "9:2")
    table.tap("call", on=True)
    before = table.table
    heard, pins, devices = dict(before.heard), dict(before.pins), dict(before.devices)
    faults, by_hand = dict(before.play.standing.faults), before.play.standing.by_hand
    table.time.next_day()
    table.tap("shoe_loaded")
    assert len(files(table)) == 2
    after = table.table
    assert after.heard == heard | {"dealer": after.heard["dealer"]}
    assert after.pins == pins
    assert after.devices == devices
    assert after.called
    assert list(after.play.standing.faults) == list(faults)
    assert after.play.standing.by_hand == by_hand
    # What was carried on holds after a restart too, and is let go as ever.
    table.restart()
    assert list(table.table.play.standing.faults) == list(faults)
    table.report("shoe", FaultCleared("jam"))
    assert not table.table.play.standing.faults


def test_whoever_joins_late_and_whoever_followed_stand_in_the_same_place(
    desk: Opens, with_camera: str, state_of: Callable[[Table], Any]
) -> None:
    table = desk(with_camera)
    table.loads()
    table.tap("takeover", mode="manual", of="camera")
    table.plays()
    table.report("shoe", DeviceState({"rung": "decoding", "why": "cards"}))
    table.tap("free_hand", stage="stale")
    table.tap("pin", operator="1001", good=False)
    table.tap("call", on=True)
    table.reboot("shoe")
    table.time.next_day()
    table.loads()
    table.plays()
    followed, late = Table(table.table.config), Table(table.table.config)
    for entry in table.wire.published:
        followed.after(entry)
    for entry in table.entries():
        late.after(entry)
    assert state_of(followed) == state_of(late) == state_of(table.table)


def test_a_power_loss_while_the_new_journal_is_made_leaves_the_old_one_to_go_on(desk: Opens) -> None:
    table = desk()
    table.loads()
    table.plays()
    table.time.next_day()
    new = of_day(table.loop.journal.parent, "T-1", table.time.day)
    with Journal(new):
        pass
    table.restart()
    assert table.loop.journal != new
    assert table.table.last_round == 2
    assert isinstance(table.tap("shoe_loaded"), Ack)
    assert table.loop.journal == new
    assert table.entries()[0].fact.previous == "T-1-2026-11-30.journal"


def test_a_clock_that_was_set_back_begins_no_older_journal(desk: Opens) -> None:
    table = desk()
    table.loads()
    table.plays()
    table.time.day = date(1970, 1, 1)
    table.loads()
    table.restart()
    assert files(table) == ["T-1-2026-11-30.journal"]


def test_what_was_cut_off_the_end_of_a_journal_is_missed_by_the_one_that_follows(desk: Opens) -> None:
    table = desk()
    table.loads()
    first = table.loop.journal
    table.time.next_day()
    table.tap("shoe_loaded")
    second = table.loop.journal
    table.close()
    with Journal(first) as journal:
        journal._db.execute("DROP TRIGGER never_dropped")
        journal._db.execute("DELETE FROM journal WHERE seq=?", (journal.head,))
    assert str(joint(first)) == f"entries are missing at its end: {second.name} goes on at entry 9"
    assert "it follows T-1-2026-11-30.journal, which does not end where this one begins" in str(joint(second))
    first.unlink()
    assert joint(second) is None, "a journal that was copied alone is whole by itself"


def test_a_journal_says_where_it_ends_so_that_others_can_keep_it(folder: Path) -> None:
    path = begun(folder, "T-1-2026-11-30.journal")
    with Reading(path) as reading:
        before = reading.end
    with Journal(path) as journal:
        journal.append([Draft(PinTried("1", good=True), "dealer")])
        journal.commit()
    with Reading(path) as reading:
        assert reading.end[0] == before[0] + 1
        assert reading.end[1] != before[1]
