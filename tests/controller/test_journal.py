"""The journal: durable, chained, one writer, and no entry of it changed unseen."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import apsw
import pytest

from controller.codec import encode
from controller.journal import Clock, Draft, Entry, Journal, Reading, blank, link
from controller.journal_form import APPLICATION, CREATE, JournalError
from controller.notes import JournalOpened, PinTried
from rules.cards import Card
from rules.facts import BetPlaced, CardDrawn, Ruled

DRAFTS = [
    Draft(JournalOpened("T-1", "0.1.0"), "controller"),
    Draft(BetPlaced(1, "banca", 2500, "señora Ñáñez"), "dealer", "b-1", 1),
    Draft(CardDrawn(Card.S8, "punto", 1), "shoe", "b-2", 1, "7:3"),
    Draft(CardDrawn(None), "shoe", "b-2", 2, "8:1"),
    Draft(Ruled("replace", 4, CardDrawn(Card.H9), by="1001", reason="read aloud"), "dealer", "b-1", 2),
]


def written(path: Path, times: int = 1) -> list[Entry]:
    """A journal with all kinds of entries, each lot committed on its own."""
    with Journal(path) as journal:
        made = []
        for _ in range(times):
            made += journal.append(DRAFTS)
            journal.commit()
    return made


def read(path: Path) -> list[Entry]:
    """All entries of a journal."""
    with Reading(path) as reading:
        return list(reading.since())


def verified(path: Path) -> str | None:
    """What is wrong with the chain."""
    with Reading(path) as reading:
        return reading.verify()


@contextlib.contextmanager
def tampering(path: Path) -> Iterator[apsw.Connection]:
    """The file in the hands of somebody who takes the triggers out first, and puts them back."""
    with contextlib.closing(apsw.Connection(str(path))) as db:
        triggers = [row[0] for row in db.execute("SELECT sql FROM sqlite_schema WHERE type='trigger'")]
        db.execute("DROP TRIGGER never_changed; DROP TRIGGER never_dropped; DROP TRIGGER never_replaced")
        yield db
        for sql in triggers:
            db.execute(sql)


# Writing and reading.


def test_what_is_committed_is_read_as_it_was_written(folder: Path) -> None:
    path = folder / "a.journal"
    made = written(path, 3)
    assert [entry.seq for entry in made] == list(range(1, 16))
    assert [entry.fact for entry in made[:5]] == [draft.fact for draft in DRAFTS]
    assert read(path) == made
    assert verified(path) is None


def test_entries_carry_both_clocks_and_the_word_and_fields_of_their_fact(folder: Path) -> None:
    with Journal(folder / "a.journal", Clock(lambda: 17, lambda: 4)) as journal:
        (entry,) = journal.append([DRAFTS[2]])
        assert (entry.at, entry.mono) == (17, 4)
        assert (entry.word, entry.body.encode()) == encode(DRAFTS[2].fact)
        assert entry[3:7] == DRAFTS[2][1:]


def test_what_is_not_committed_is_gone(folder: Path) -> None:
    path = folder / "a.journal"
    written(path)
    with Journal(path) as journal:
        journal.append(DRAFTS)
        assert len(read(path)) == 5
    assert len(read(path)) == 5


def test_a_journal_goes_on_where_it_ended(folder: Path) -> None:
    path = folder / "a.journal"
    written(path)
    with Journal(path) as journal:
        assert journal.head == 5
        journal.append(DRAFTS)
        journal.commit()
    assert [entry.seq for entry in read(path)] == list(range(1, 11))
    assert verified(path) is None


def test_entries_are_given_since_a_number_and_as_many_as_are_asked_for(folder: Path) -> None:
    path = folder / "a.journal"
    written(path, 2)
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


# Nothing is changed.


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE journal SET body='{}' WHERE seq=2",
        "DELETE FROM journal WHERE seq=5",
        "INSERT OR REPLACE INTO journal SELECT 2,at,mono,source,boot,n,cursor,word,'{}',chain FROM journal",
    ],
)
def test_the_file_itself_refuses_to_change_and_to_drop(folder: Path, sql: str) -> None:
    path = folder / "a.journal"
    made = written(path)
    with (
        contextlib.closing(apsw.Connection(str(path))) as db,
        pytest.raises(apsw.ConstraintError, match="entries are never"),
    ):
        db.execute(sql)
    assert read(path) == made


CHANGES = {
    "a stake": ("UPDATE journal SET body=replace(body, '2500', '9500') WHERE seq=2", "entry 2 is not what"),
    "a time": ("UPDATE journal SET at=at+1 WHERE seq=1", "entry 1 is not what"),
    "a clock": ("UPDATE journal SET mono=mono+1 WHERE seq=5", "entry 5 is not what"),
    "a source": ("UPDATE journal SET source='dealer' WHERE seq=3", "entry 3 is not what"),
    "a boot": ("UPDATE journal SET boot='b-3' WHERE seq=3", "entry 3 is not what"),
    "a count": ("UPDATE journal SET n=2 WHERE seq=3", "entry 3 is not what"),
    "a cursor": ("UPDATE journal SET cursor='' WHERE seq=3", "entry 3 is not what"),
    "a word": ("UPDATE journal SET word='face_up' WHERE seq=3", "entry 3 is not what"),
    "a link": ("UPDATE journal SET chain=zeroblob(32) WHERE seq=4", "entry 4 is not what"),
    "one dropped": ("DELETE FROM journal WHERE seq=3", "entry 3 is missing; 4 stands in its place"),
    "the first dropped": ("DELETE FROM journal WHERE seq=1", "entry 2 is not what"),
    "all dropped": ("DELETE FROM journal", "every entry is gone"),
    "one twice": (
        "INSERT INTO journal SELECT 6,at,mono,source,boot,n,cursor,word,body,chain FROM journal WHERE seq=5",
        "entry 6 is not what",
    ),
    "two exchanged": (
        "UPDATE journal SET seq=2*99-seq WHERE seq=2; UPDATE journal SET seq=2 WHERE seq=3",
        "entry 2 is not what",
    ),
    "moved along": ("UPDATE journal SET seq=seq+10", "entry 11 is not what"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_found_and_named_by_its_entry(folder: Path, change: str) -> None:
    path = folder / "a.journal"
    written(path)
    sql, said = CHANGES[change]
    with tampering(path) as db:
        db.execute(sql)
    assert said in str(verified(path))


def test_triggers_that_were_taken_out_are_missed(folder: Path) -> None:
    path = folder / "a.journal"
    written(path)
    with contextlib.closing(apsw.Connection(str(path))) as db:
        db.execute("DROP TRIGGER never_dropped")
    assert verified(path) == "the form of the file was changed; its entries hold, to the last, 5"


def test_what_a_chain_cannot_see_needs_somebody_else_who_kept_its_end(folder: Path) -> None:
    path = folder / "a.journal"
    written(path)
    with Reading(path) as reading:
        kept = reading.end
    with tampering(path) as db:
        db.execute("DELETE FROM journal WHERE seq=5")
    assert verified(path) is None
    with Reading(path) as reading:
        assert reading.end != kept
    # A chain that is written anew from its first entry is as whole as the first.
    other = folder / "other.journal"
    with Journal(other) as journal:
        journal.append([*DRAFTS[:4], DRAFTS[0]])
        journal.commit()
    assert verified(other) is None
    with Reading(other) as reading:
        assert reading.end != kept


def test_no_byte_of_the_file_is_changed_without_being_found_or_without_being_of_no_consequence(
    folder: Path,
) -> None:
    path, changed = folder / "a.journal", folder / "changed.journal"
    made = written(path, 2)
    raw = path.read_bytes()
    random = Random(7)  # noqa: S311 - the same bytes every time
    # Every byte that is not empty space, in a random tenth of the file, each in one random bit.
    places = [place for place in range(len(raw)) if raw[place] or place % 37 == 0]
    found = 0
    for place in random.sample(places, len(places) // 3):
        changed.write_bytes(raw[:place] + bytes([raw[place] ^ 1 << random.randrange(8)]) + raw[place + 1 :])
        for leftover in folder.glob("changed.journal-*"):
            leftover.unlink()
        try:
            problem = verified(changed)
            unchanged = problem is None and read(changed) == made
        except JournalError as error:
            problem, unchanged = str(error), False
        assert problem or unchanged, place
        found += problem is not None
    assert found > 200


def test_a_file_that_was_cut_off_is_found_or_holds_a_whole_beginning(folder: Path) -> None:
    path, changed = folder / "a.journal", folder / "changed.journal"
    made = written(path, 60)
    raw = path.read_bytes()
    for size in range(0, len(raw), 1000):
        changed.write_bytes(raw[:size])
        try:
            problem = verified(changed)
            told = read(changed) if problem is None else []
        except JournalError as error:
            problem, told = str(error), []
        assert problem or told == made[: len(told)]


# One writer.


def test_a_second_writer_is_refused_and_the_first_is_named(folder: Path) -> None:
    path = folder / "a.journal"
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


def test_a_writer_that_was_killed_leaves_the_journal_to_the_next(folder: Path) -> None:
    path = folder / "a.journal"
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
        assert len(read(path)) == 20
        with pytest.raises(JournalError, match=f"process {process.pid} writes"):
            Journal(path)
        process.send_signal(signal.SIGKILL)
    assert path.with_name("a.journal-wal").stat().st_size > 0
    assert len(read(path)) == 20
    assert verified(path) is None
    with Journal(path) as journal:
        assert journal.head == 20
        journal.append(DRAFTS)
        journal.commit()
    assert verified(path) is None
    assert len(read(path)) == 25


def test_somebody_who_reads_for_an_hour_neither_stops_the_table_nor_sees_it_move(folder: Path) -> None:
    path = folder / "a.journal"
    written(path)
    with Journal(path) as journal, Reading(path) as reading:
        slow = reading.since()
        assert next(slow).seq == 1
        for _ in range(10):
            journal.append(DRAFTS)
            journal.commit()
            journal.rest(1)
        assert [entry.seq for entry in slow] == [2, 3, 4, 5]
        journal.rest(1)
    assert len(read(path)) == 55
    assert verified(path) is None


def test_the_log_is_folded_into_the_file_when_nobody_waits(folder: Path) -> None:
    path = folder / "a.journal"
    with Journal(path) as journal:
        for _ in range(3):
            journal.append(DRAFTS)
            journal.commit()
        before = path.stat().st_size
        journal.rest(4)
        assert path.stat().st_size == before
        journal.append(DRAFTS)
        journal.rest(1)
        assert path.stat().st_size == before, "an open transaction is left alone"
        journal.commit()
        journal.rest(4)
        assert path.stat().st_size > before
    assert len(read(path)) == 20


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
    folder: Path, kind: str, opens: Callable[[Path], object]
) -> None:
    path = folder / "a.journal"
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


def test_an_empty_file_holds_no_entry_and_may_become_a_journal(folder: Path) -> None:
    path = folder / "a.journal"
    path.touch()
    assert blank(path)
    with pytest.raises(JournalError, match="holds no entry"):
        Reading(path)
    written(path)
    assert not blank(path)
    assert len(read(path)) == 5


def test_a_journal_exists_with_its_beginning_or_not_at_all(folder: Path) -> None:
    path = folder / "a.journal"
    with Journal(path) as journal:
        assert blank(path)
        journal.append(DRAFTS)
        assert blank(path)
        journal.commit()
        assert not blank(path)
    with Journal(folder / "b.journal"):
        pass
    assert blank(folder / "b.journal")


def test_a_journal_whose_entries_are_gone_is_not_begun_anew(folder: Path) -> None:
    path = folder / "a.journal"
    written(path)
    with tampering(path) as db:
        db.execute("DELETE FROM journal")
    with pytest.raises(JournalError, match="every entry is gone"):
        Journal(path)


def test_a_damaged_file_is_not_taken_for_one_that_is_still_blank(folder: Path) -> None:
    path = folder / "a.journal"
    make("rubbish", path)
    assert not blank(path)


def test_a_following_journal_is_not_written_over_one_that_holds_entries(folder: Path) -> None:
    path = folder / "a.journal"
    written(path)
    with pytest.raises(JournalError, match="holds entries already"):
        Journal(path, after=77)
    with Journal(folder / "b.journal", after=77) as journal:
        assert journal.append(DRAFTS)[0].seq == 78


def test_a_folder_that_is_not_there_is_said(folder: Path) -> None:
    with pytest.raises(JournalError, match="No such file or directory; is the folder there"):
        Journal(folder / "nowhere" / "a.journal")


def test_a_word_that_this_sabot_does_not_know_is_named_with_its_entry(folder: Path) -> None:
    path = folder / "a.journal"
    written(path)
    with Journal(path) as journal:
        columns = (6, 1, 1, "x", "", 0, "", "hologram", json.dumps({}))
        chain = link(journal.chain, columns)
        journal._db.execute("INSERT INTO journal VALUES(?,?,?,?,?,?,?,?,?,?)", (*columns, chain))
    assert verified(path) is None, "the chain is whole: only the word is new"
    with pytest.raises(JournalError, match="entry 6 cannot be read: 'hologram' is no word"):
        read(path)


# A bad disk.


def test_when_the_disk_is_full_nothing_is_half_written_and_nothing_more_is_tried(folder: Path) -> None:
    path = folder / "a.journal"
    written(path)
    with Journal(path) as journal:
        journal._db.pragma("max_page_count", journal._db.pragma("page_count") + 1)
        draft = Draft(PinTried("x" * 900, good=True), "dealer")
        with pytest.raises(JournalError, match=r"a.journal: cannot be written: .*full"):
            journal.append([draft] * 100)
        # SQLite has taken everything back; a writer that went on would leave a hole.
        for again in (lambda: journal.append([draft]), journal.commit):
            with pytest.raises(JournalError, match="failed before"):
                again()
    assert len(read(path)) == 5
    assert verified(path) is None
    written(path)
    assert verified(path) is None


def test_a_lock_without_its_holders_name_holds_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.alone.os.getpid", lambda: "")
    with Journal(folder / "a.journal"), pytest.raises(JournalError, match="writes this journal"):
        Journal(folder / "a.journal")


@pytest.mark.parametrize("name", ["a.journal", "a.journal-wal"])
def test_a_journal_that_was_moved_away_is_noticed_before_anything_more_is_acknowledged(
    folder: Path, name: str
) -> None:
    path = folder / "a.journal"
    with Journal(path) as journal:
        journal.append(DRAFTS)
        journal.commit()
        shutil.move(folder / name, folder / "elsewhere")
        journal.append(DRAFTS)
        with pytest.raises(JournalError, match="was moved or deleted while it is written"):
            journal.commit()
