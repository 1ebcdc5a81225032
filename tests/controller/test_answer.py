"""Who may report what: refused, noted, and never in the way of the next report."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from controller.codec import encode
from controller.notes import ReportRejected, SourceStarted
from controller.topics import Ack, Hello, Rejected, Report
from rules.facts import (
    BetPlaced,
    CardDrawn,
)

Opens = Callable[..., Any]


@pytest.mark.parametrize(
    ("source", "word", "body", "why"),
    [
        (
            "shoe",
            "bet",
            b'{"seat":1,"bet":"banca","stake":2500}',
            "'shoe' may not report 'bet' at this table",
        ),
        ("shoe", "seen", b'{"card":"8s","at":"punto"}', "'shoe' may not report 'seen'"),
        ("shoe", "shoe_loaded", b'{"decks":8}', "'shoe' may not report 'shoe_loaded'"),
        ("shoe", "rule", b'{"action":"void_round"}', "'shoe' may not report 'rule'"),
        ("shoe", "table", b"{}", "'shoe' may not report 'table'"),
        ("shoe", "round", b'{"number":4}', "'shoe' may not report 'round'"),
        ("shoe", "opened", b'{"table":"x","version":"y"}', "'shoe' may not report 'opened'"),
        ("shoe", "fault", b'{"code":"jam","source":"camera"}', "'shoe' may not report faults of 'camera'"),
        ("shoe", "draw", b'{"card":"1x"}', "Invalid enum value '1x'"),
        ("shoe", "draw", b'{"card":"8s","colour":"black"}', "'draw' has no field 'colour'"),
        ("chips-1", "draw", b'{"card":"8s"}', "'chips-1' may not report 'draw'"),
        ("chips-1", "bet", b'{"seat":1,"bet":"banca","stake":-1}', "a stake is 0 to"),
        ("chips-1", "bet", b'{"seat":1,"bet":"banca","stake":1000000000000000}', "a stake is 0 to"),
        ("chips-1", "tap", b'{"act":"paid","stage":""}', "'chips-1' may not report 'tap'"),
        ("dealer", "bet", b'{"seat":1,"bet":"banca","stake":2500}', "a screen sends taps, not 'bet'"),
        ("dealer", "tap", b'{"act":"fly","stage":""}', "a tap that nobody understands"),
        ("dealer", "tap", b"[]", "a tap that nobody understands"),
        (
            "dealer",
            "tap",
            b'{"act":"bet","stage":"","seat":1,"bet":"banca","add":1e30}',
            "nobody understands",
        ),
    ],
)
def test_what_a_source_may_not_say_is_refused_and_noted(
    desk: Opens, source: str, word: str, body: bytes, why: str
) -> None:
    table = desk()
    before = len(table.entries())
    answer = table.send(table.made(source, word, body))
    assert isinstance(answer, Rejected)
    assert answer.n == 1
    assert why in answer.why
    started, rejected = table.entries()[before:]
    assert isinstance(started.fact, SourceStarted)
    assert rejected.fact == ReportRejected(word, answer.why)
    assert (rejected.source, rejected.n) == (source, 1)
    assert isinstance(table.tap("call", on=True) if source == "dealer" else answer, Ack | Rejected)
    table.report(source, BetPlaced(1, "banca", 2500) if source == "chips-1" else CardDrawn(None))
    assert table.table.heard[source].n >= 2, "the next report has its turn"


def test_a_long_complaint_is_cut_short(desk: Opens) -> None:
    table = desk()
    answer = table.send(table.made("shoe", "draw", b'{"card":"' + b"x" * 30_000 + b'"}'))
    assert isinstance(answer, Rejected)
    assert len(answer.why) == len(table.facts()[-1].why) == 200


def test_a_source_that_no_table_file_names_is_turned_away_and_noted_once(desk: Opens) -> None:
    table = desk()
    before = len(table.entries())
    for n in range(1, 4):
        message = Report(source="chips-9", boot="b", n=n, word="bet", fact=msgspec.Raw(b"{}"))
        answer = table.send(message)
        assert isinstance(answer, Rejected)
        assert "no source 'chips-9' at this table" in answer.why
        assert isinstance(table.send(Hello(source="chips-9", boot="b")), Rejected)
    (noted,) = table.entries()[before:]
    assert noted.fact == ReportRejected("bet", answer.why)
    assert (noted.source, noted.n) == ("controller", 0)
    assert "chips-9" not in table.table.heard


def test_strangers_cannot_write_the_journal_full(desk: Opens) -> None:
    table = desk()
    before = len(table.entries())
    for n in range(100):
        table.send(Hello(source=f"stranger-{n}", boot="b"))
    assert len(table.entries()) - before == 64


def test_a_key_speaks_for_its_own_source_alone(desk: Opens) -> None:
    table = desk()
    message = Report(
        source="chips-1", boot="b", n=1, word="bet", fact=msgspec.Raw(encode(BetPlaced(1, "banca", 2500))[1])
    )
    answer = table.send(message, key="recorder")
    assert isinstance(answer, Rejected)
    assert answer.why == "the key of 'recorder' may not report as 'chips-1'"
    assert isinstance(table.facts()[-1], ReportRejected)
    assert isinstance(table.send(message, key="chips-1"), Ack)
    # The table's own sources are within the box.
    for source in ("dealer", "shoe"):
        tapped = Report(source=source, boot="b", n=1, word="tap", fact=msgspec.Raw(b'{"act":"paid"}'))
        assert isinstance(table.send(tapped, key="chips-1"), Rejected)
