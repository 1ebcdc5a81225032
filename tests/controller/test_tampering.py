"""A journal in the hands of a thief or of a bad disk: every change is found, but what no chain can find."""

import contextlib
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest

from controller.journal import Journal, Reading
from controller.journal_form import JournalError


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE journal SET body='{}' WHERE seq=2",
        "DELETE FROM journal WHERE seq=5",
        "INSERT OR REPLACE INTO journal SELECT 2,at,mono,source,boot,n,cursor,word,'{}',chain FROM journal",
    ],
)
def test_the_file_itself_refuses_to_change_and_to_drop(book: Any, sql: str) -> None:
    path = book.path
    made = book.write()
    with (
        contextlib.closing(apsw.Connection(str(path))) as db,
        pytest.raises(apsw.ConstraintError, match="entries are never"),
    ):
        db.execute(sql)
    assert book.read() == made


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
def test_a_change_is_found_and_named_by_its_entry(book: Any, change: str) -> None:
    book.write()
    sql, said = CHANGES[change]
    with book.tampering() as db:
        db.execute(sql)
    assert said in str(book.verify())


def test_triggers_that_were_taken_out_are_missed(book: Any) -> None:
    path = book.path
    book.write()
    with contextlib.closing(apsw.Connection(str(path))) as db:
        db.execute("DROP TRIGGER never_dropped")
    assert book.verify() == "the form of the file was changed; its entries hold, to the last, 5"


def test_what_a_chain_cannot_see_needs_somebody_else_who_kept_its_end(book: Any, folder: Path) -> None:
    path = book.path
    book.write()
    with Reading(path) as reading:
        kept = reading.end
    with book.tampering() as db:
        db.execute("DELETE FROM journal WHERE seq=5")
    assert book.verify() is None
    with Reading(path) as reading:
        assert reading.end != kept
    # A chain that is written anew from its first entry is as whole as the first.
    other = folder / "other.journal"
    with Journal(other) as journal:
        journal.append([*book.drafts[:4], book.drafts[0]])
        journal.commit()
    assert type(book)(other).verify() is None
    with Reading(other) as reading:
        assert reading.end != kept


def test_no_byte_of_the_file_is_changed_without_being_found_or_without_being_of_no_consequence(
    book: Any, folder: Path
) -> None:
    path, changed = book.path, type(book)(folder / "changed.journal")
    made = book.write(2)
    raw = path.read_bytes()
    random = Random(7)  # noqa: S311 - the same bytes every time
    # A third of the bytes that are no empty space, and some that are, each in one random bit.
    places = [place for place in range(len(raw)) if raw[place] or place % 37 == 0]
    found = 0
    for place in random.sample(places, len(places) // 3):
        changed.path.write_bytes(
            raw[:place] + bytes([raw[place] ^ 1 << random.randrange(8)]) + raw[place + 1 :]
        )
        for leftover in folder.glob("changed.journal-*"):
            leftover.unlink()
        try:
            problem = changed.verify()
            unchanged = problem is None and changed.read() == made
        except JournalError as error:
            problem, unchanged = str(error), False
        assert problem or unchanged, place
        found += problem is not None
    assert found > 200


def test_a_file_that_was_cut_off_is_found_or_holds_a_whole_beginning(book: Any, folder: Path) -> None:
    path, changed = book.path, type(book)(folder / "changed.journal")
    made = book.write(60)
    raw = path.read_bytes()
    for size in range(0, len(raw), 1000):
        changed.path.write_bytes(raw[:size])
        try:
            problem = changed.verify()
            told = changed.read() if problem is None else []
        except JournalError as error:
            problem, told = str(error), []
        assert problem or told == made[: len(told)]
