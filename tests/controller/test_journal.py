"""The journal: durable, chained, one writer, and no entry of it changed unseen."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from controller.codec import encode
from controller.journal import Clock, Draft, Journal, Reading, blank, link
from controller.journal_form import APPLICATION, CREATE, JournalError
from controller.notes import PinTried

# Writing and reading.


def test_what_is_committed_is_read_as_it_was_written(book: Any) -> None:
    made = book.write(3)
    assert [entry.seq for entry in made] == list(range(1, 16))
    assert [entry.fact for entry in made[:5]] == [draft.fact for draft in book.drafts]
    assert book.read() == made
    assert book.verify() is None


def test_entries_carry_both_clocks_and_the_word_and_fields_of_their_fact(book: Any, folder: Path) -> None:
    with Journal(folder / "a.journal", Clock(lambda: 17, lambda: 4)) as journal:
        (entry,) = journal.append([book.drafts[2]])
        assert (entry.at, entry.mono) == (17, 4)
        assert (entry.word, entry.body.encode()) == encode(book.drafts[2].fact)
        assert entry[3:7] == book.drafts[2][1:]


def test_what_is_not_committed_is_gone(book: Any) -> None:
    path = book.path
    book.write()
    with Journal(path) as journal:
        journal.append(book.drafts)
        assert len(book.read()) == 5
    assert len(book.read()) == 5


def test_a_journal_goes_on_where_it_ended(book: Any) -> None:
    path = book.path
    book.write()
    with Journal(path) as journal:
        assert journal.head == 5
        journal.append(book.drafts)
        journal.commit()
    assert [entry.seq for entry in book.read()] == list(range(1, 11))
    assert book.verify() is None


def test_entries_are_given_since_a_number_and_as_many_as_are_asked_for(book: Any) -> None:
    path = book.path
    book.write(2)
    with Reading(path) as reading:
        assert [entry.seq for entry in reading.since(7)] == [8, 9, 10]
        assert [entry.seq for entry in reading.since(3, 2)] == [4, 5]
        assert not list(reading.since(10))
        assert reading.end == (10, link_of(path, 10))


def link_of(path: Path, seq: int) -> str:
    """The link of an entry, computed here by hand."""
    chain = bytes(32)
    with contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        query = "SELECT seq, at, mono, source, boot, n, cursor, word, body FROM journal ORDER BY seq"
        for columns in db.execute(query):
            chain = link(chain, columns)
            if columns[0] == seq:
                break
    return chain.hex()


def test_every_commit_is_made_durable_by_the_disk(folder: Path) -> None:
    with Journal(folder / "a.journal") as journal:
        assert journal._db.pragma("synchronous") == 2
        assert journal._db.pragma("journal_mode") == "wal"


# One writer.


def test_a_second_writer_is_refused_and_the_first_is_named(book: Any) -> None:
    path = book.path
    with (
        Journal(path),
        pytest.raises(JournalError, match=f"process {os.getpid()} writes this journal; stop it first"),
    ):
        Journal(path)
    with Journal(path):
        pass


def test_a_second_writer_is_refused_under_another_name_of_the_same_file(folder: Path) -> None:
    (folder / "link.journal").symlink_to(folder / "a.journal")
    with Journal(folder / "a.journal"), pytest.raises(JournalError, match="writes this journal"):
        Journal(folder / "link.journal")


def test_a_writer_that_was_killed_leaves_the_journal_to_the_next(book: Any) -> None:
    path = book.path
    program = (
        "import sys, time; from pathlib import Path; from controller.journal import *;"
        "from controller.notes import PinTried;"
        "j = Journal(Path(sys.argv[1]));"
        "[(j.append([Draft(PinTried('1', True), 'x')]), j.commit()) for _ in range(20)];"
        "j.append([Draft(PinTried('never', True), 'x')]);"
        "print('written', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"written\n"
        # While it is written, and with the writer dead and its log unfinished, a reader reads.
        assert len(book.read()) == 20
        with pytest.raises(JournalError, match=f"process {process.pid} writes"):
            Journal(path)
        process.send_signal(signal.SIGKILL)
    assert path.with_name("a.journal-wal").stat().st_size > 0
    assert len(book.read()) == 20
    assert book.verify() is None
    with Journal(path) as journal:
        assert journal.head == 20
        journal.append(book.drafts)
        journal.commit()
    assert book.verify() is None
    assert len(book.read()) == 25


def test_somebody_who_reads_for_an_hour_neither_stops_the_table_nor_sees_it_move(book: Any) -> None:
    path = book.path
    book.write()
    with Journal(path) as journal, Reading(path) as reading:
        slow = reading.since()
        assert next(slow).seq == 1
        for _ in range(10):
            journal.append(book.drafts)
            journal.commit()
            journal.rest(1)
        assert [entry.seq for entry in slow] == [2, 3, 4, 5]
        journal.rest(1)
    assert len(book.read()) == 55
    assert book.verify() is None


def test_the_log_is_folded_into_the_file_when_nobody_waits(book: Any) -> None:
    path = book.path
    with Journal(path) as journal:
        for _ in range(3):
            journal.append(book.drafts)
            journal.commit()
        before = path.stat().st_size
        journal.rest(4)
        assert path.stat().st_size == before
        journal.append(book.drafts)
        journal.rest(1)
        assert path.stat().st_size == before, "an open transaction is left alone"
        journal.commit()
        journal.rest(4)
        assert path.stat().st_size > before
    assert len(book.read()) == 20


# What is no journal.


def make(kind: str, path: Path) -> None:
    """A file that is no journal of ours, or one that we do not read."""
    with contextlib.ExitStack() as stack:
        if kind == "rubbish":
            path.write_bytes(b"no database " * 500)
            return
        if kind == "a folder":
            path.mkdir()
            return
        db = stack.enter_context(contextlib.closing(apsw.Connection(str(path))))
        if kind == "another database":
            db.execute("CREATE TABLE chips(n)")
        else:
            db.execute(CREATE)
            db.execute(f"PRAGMA application_id={APPLICATION}; PRAGMA user_version=2")


NO_JOURNALS = {
    "rubbish": "is no journal",
    "a folder": "a.journal",
    "another database": "is a database, but no journal of Sabot; name another file",
    "a newer form": "is a journal of form 2, and this Sabot reads form 1",
}


@pytest.mark.parametrize("kind", NO_JOURNALS)
@pytest.mark.parametrize("opens", [Journal, Reading])
def test_what_is_no_journal_is_said_in_one_line_and_left_as_it_is(
    book: Any, folder: Path, kind: str, opens: Callable[[Path], object]
) -> None:
    path = book.path
    make(kind, path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(JournalError, match=NO_JOURNALS[kind] if opens is Journal else "a.journal") as said:
        opens(path)
    assert str(path) in str(said.value)
    assert "\n" not in str(said.value)
    assert (path.read_bytes() if path.is_file() else b"") == before
    assert not list(folder.glob("*-wal"))


def test_a_journal_that_is_not_there_cannot_be_read(folder: Path) -> None:
    with pytest.raises(JournalError, match="there is no such file"):
        Reading(folder / "a.journal")


@pytest.fixture
def cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every folder is as on a disc that was burned; the administrator may write where others may not."""
    monkeypatch.setattr("os.access", lambda *_: False)


@pytest.mark.usefixtures("cannot_be_written")
def test_a_journal_is_read_where_nothing_can_be_written_beside_it(book: Any, folder: Path) -> None:
    made = book.write(3)
    assert book.read() == made
    assert [path for path in folder.iterdir() if path.suffix in (".journal-shm", ".journal-wal")] == []


@pytest.mark.usefixtures("cannot_be_written")
def test_entries_that_only_the_log_holds_are_not_left_out_in_silence(book: Any, folder: Path) -> None:
    with Journal(book.path) as journal:
        journal.append(book.drafts)
        journal.commit()
        copy = folder / "copy"
        copy.mkdir()
        for path in folder.glob(f"{book.path.name}*"):
            shutil.copy(path, copy)
    with pytest.raises(JournalError, match=f"its last entries are in {book.path.name}-wal"):
        Reading(copy / book.path.name)


def test_an_empty_file_holds_no_entry_and_may_become_a_journal(book: Any) -> None:
    path = book.path
    path.touch()
    assert blank(path)
    with pytest.raises(JournalError, match="holds no entry"):
        Reading(path)
    book.write()
    assert not blank(path)
    assert len(book.read()) == 5


def test_a_journal_exists_with_its_beginning_or_not_at_all(book: Any, folder: Path) -> None:
    path = book.path
    with Journal(path) as journal:
        assert blank(path)
        journal.append(book.drafts)
        assert blank(path)
        journal.commit()
        assert not blank(path)
    with Journal(folder / "b.journal"):
        pass
    assert blank(folder / "b.journal")


def test_a_journal_whose_entries_are_gone_is_not_begun_anew(book: Any) -> None:
    path = book.path
    book.write()
    with book.tampering() as db:
        db.execute("DELETE FROM journal")
    with pytest.raises(JournalError, match="every entry is gone"):
        Journal(path)


def test_a_damaged_file_is_not_taken_for_one_that_is_still_blank(book: Any) -> None:
    path = book.path
    make("rubbish", path)
    assert not blank(path)


def test_a_following_journal_is_not_written_over_one_that_holds_entries(book: Any, folder: Path) -> None:
    path = book.path
    book.write()
    with pytest.raises(JournalError, match="holds entries already"):
        Journal(path, after=77)
    with Journal(folder / "b.journal", after=77) as journal:
        assert journal.append(book.drafts)[0].seq == 78


def test_a_folder_that_is_not_there_is_said(folder: Path) -> None:
    with pytest.raises(JournalError, match="No such file or directory; is the folder there"):
        Journal(folder / "nowhere" / "a.journal")


def test_a_word_that_this_sabot_does_not_know_is_named_with_its_entry(book: Any) -> None:
    path = book.path
    book.write()
    with Journal(path) as journal:
        columns = (6, 1, 1, "x", "", 0, "", "hologram", json.dumps({}))
        chain = link(journal.chain, columns)
        journal._db.execute("INSERT INTO journal VALUES(?,?,?,?,?,?,?,?,?,?)", (*columns, chain))
    assert book.verify() is None, "the chain is whole: only the word is new"
    with pytest.raises(JournalError, match="entry 6 cannot be read: 'hologram' is no word"):
        book.read()


# A bad disk.


def test_when_the_disk_is_full_nothing_is_half_written_and_nothing_more_is_tried(book: Any) -> None:
    path = book.path
    book.write()
    with Journal(path) as journal:
        journal._db.pragma("max_page_count", journal._db.pragma("page_count") + 1)
        draft = Draft(PinTried("x" * 900, good=True), "dealer")
        with pytest.raises(JournalError, match=r"a.journal: cannot be written: .*full"):
            journal.append([draft] * 100)
        # SQLite has taken everything back; a writer that went on would leave a hole.
        for again in (lambda: journal.append([draft]), journal.commit):
            with pytest.raises(JournalError, match="failed before"):
                again()
    assert len(book.read()) == 5
    assert book.verify() is None
    book.write()
    assert book.verify() is None


def test_a_lock_without_its_holders_name_holds_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.alone.os.getpid", lambda: "")
    with Journal(folder / "a.journal"), pytest.raises(JournalError, match="writes this journal"):
        Journal(folder / "a.journal")


@pytest.mark.parametrize("name", ["a.journal", "a.journal-wal"])
def test_a_journal_that_was_moved_away_is_noticed_before_anything_more_is_acknowledged(
    book: Any, folder: Path, name: str
) -> None:
    path = book.path
    with Journal(path) as journal:
        journal.append(book.drafts)
        journal.commit()
        shutil.move(folder / name, folder / "elsewhere")
        journal.append(book.drafts)
        with pytest.raises(JournalError, match="was moved or deleted while it is written"):
            journal.commit()
