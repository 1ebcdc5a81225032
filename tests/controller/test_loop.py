"""The loop: noted down first, then thought about, then told; wherever it is cut off."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

import controller.loop
from config.load import ConfigError
from controller.bus import Incoming
from controller.codec import encode
from controller.journal import Entry, Journal
from controller.journal_form import JournalError
from controller.notes import InputRefused, JournalOpened, PinTried, ReportRejected, SourceStarted
from controller.table import Table
from controller.topics import Ack, Alive, Beat, Expected, Hello, Rejected, Report, Since, Welcome
from rules.cards import Card
from rules.facts import (
    BetPlaced,
    CardDrawn,
    CardSeen,
    FaultCleared,
    FaultRaised,
    RoundOpened,
    TableSet,
)

Opens = Callable[..., Any]


def words(entries: list[Entry]) -> list[str]:
    """What happened, in a word each."""
    return [entry.word for entry in entries]


# The first entries.


def test_a_new_journal_begins_with_its_table_and_its_law(desk: Opens) -> None:
    table = desk()
    opened, law, first = table.facts()
    assert opened == JournalOpened("T-1", "0.1.0")
    assert isinstance(law, TableSet)
    assert law.fingerprint == table.table.config.fingerprint
    assert first == RoundOpened(1)
    table.restart()
    assert len(table.entries()) == 3, "a restart alone is no news"


def test_the_law_in_the_journal_says_every_option_also_those_nobody_wrote(desk: Opens) -> None:
    options = desk().facts()[1].options
    assert options["side_bet_requires"] == "any_main"
    assert options["decks"] == 8
    assert options["limits"]["dragon_7"] == [2500, 50000]


def test_a_round_goes_from_the_reports_into_the_journal_and_onto_the_feed(desk: Opens) -> None:
    table = desk()
    table.loads()
    table.plays()
    assert words(table.entries()) == [
        *("opened", "table", "round"),
        *("started", "shoe_loaded", "started", "burned", "burned"),
        *("bet", "draw", "draw", "draw", "draw", "draw", "draw", "close", "round"),
    ]
    assert table.wire.published == table.entries()


# Reports: each once, in order, and acknowledged when it is durable.


def test_a_hello_is_answered_by_where_the_journal_stands(desk: Opens) -> None:
    table = desk()
    assert table.send(Hello(source="shoe", boot="b1")) == Welcome(boot="b1", n=0, cursor="", head=4)
    table.boots["shoe"] = "b1"
    table.report("shoe", CardDrawn(Card.S8), cursor="7:1")
    head = table.table.head
    assert table.send(Hello(source="shoe", boot="b1")) == Welcome(boot="b1", n=1, cursor="7:1", head=head)
    # A later run is told where the earlier stood.
    assert table.send(Hello(source="shoe", boot="b2")) == Welcome(boot="b2", n=0, cursor="7:1", head=head + 1)


def test_a_beat_is_answered_by_a_beat(desk: Opens) -> None:
    table = desk()
    assert table.send(Beat(source="shoe", boot="b1", health={"left": 8})) == Alive(head=4)


def test_a_report_that_comes_again_is_acknowledged_again_and_not_written_again(desk: Opens) -> None:
    table = desk()
    report = table.made("shoe", *encode(CardDrawn(Card.S8)))
    first = table.send(report)
    entries = table.entries()
    assert first == Ack(boot="shoe-boot-1", n=1, seq=entries[-1].seq)
    assert table.send(report) == first
    assert table.entries() == entries


def test_a_report_after_a_hole_waits_for_those_before_it(desk: Opens) -> None:
    table = desk()
    one, two, three = (table.made("shoe", *encode(CardDrawn(card))) for card in (Card.S8, Card.H2, Card.KD))
    assert table.send(three) == Expected(boot="shoe-boot-1", n=1)
    assert isinstance(table.send(one), Ack)
    assert table.send(three) == Expected(boot="shoe-boot-1", n=2)
    table.send(two)
    table.send(three)
    drawn = [fact.card for fact in table.facts() if isinstance(fact, CardDrawn)]
    assert drawn == [Card.S8, Card.H2, Card.KD]


def test_reports_of_a_turn_are_written_together_and_told_in_order(desk: Opens) -> None:
    table = desk()
    for face in (Card.S8, Card.H2):
        message = table.made("shoe", *encode(CardDrawn(face)))
        table.wire.incoming.append(Incoming(message, None, remote=False, key_name=None))
    table.loop.turn(0)
    assert [answer.n for answer in table.wire.answers] == [1, 2]


def test_a_new_run_counts_from_one_and_an_earlier_run_is_over(desk: Opens) -> None:
    table = desk()
    table.draws("8s", "2h")
    straggler = table.made("shoe", *encode(CardDrawn(Card.KD)))
    table.reboot("shoe")
    table.draws("4c")
    before = table.entries()
    answer = table.send(straggler)
    assert isinstance(answer, Rejected)
    assert (answer.boot, answer.n) == (straggler.boot, straggler.n)
    assert "a later run of 'shoe' has begun" in answer.why
    assert table.entries() == before
    # Nor does its beat count as a sign of life, or as a start.
    table.time.passes(2.6)
    assert isinstance(table.send(Beat(source="shoe", boot=straggler.boot)), Rejected)
    assert table.facts()[-1] == FaultRaised("silent", "shoe")
    # It stays over when the controller starts anew.
    table.restart()
    assert isinstance(table.send(straggler), Rejected)


def test_two_processes_of_one_source_do_not_fill_the_journal(desk: Opens) -> None:
    table = desk()
    for _ in range(20):
        table.send(Beat(source="shoe", boot="one"))
        table.send(Beat(source="shoe", boot="two"))
    assert sum(isinstance(fact, SourceStarted) for fact in table.facts()) == 2


# Who may report what.


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


# Silence.


def test_a_device_that_falls_silent_holds_the_round_until_it_is_heard_again(desk: Opens) -> None:
    table = desk()
    table.loads()
    table.time.passes(2.4)
    table.loop.turn(0)
    assert not table.table.play.standing.faults
    table.time.passes(0.3)
    table.loop.turn(0)
    table.loop.turn(0)
    assert table.facts()[-1] == FaultRaised("silent", "shoe")
    table.bets()
    assert table.table.play.refused.code == "halted"
    table.time.passes(60)
    table.loop.turn(0)
    assert table.facts()[-2] == FaultRaised("silent", "shoe"), "it is said once"
    table.send(Beat(source="shoe", boot=table.boot("shoe")))
    table.time.passes(0.3)
    table.loop.turn(0)
    assert table.facts()[-1] == FaultCleared("silent", "shoe")
    table.bets()
    assert table.table.play.refused is None


# The shoe first: it may have drawn what the camera sees.


def seen(table: Any) -> list[Any]:
    """The sightings that the journal has."""
    return [fact for fact in table.facts() if isinstance(fact, CardSeen)]


def test_after_a_start_the_camera_waits_until_the_shoe_has_told_all_it_had(
    desk: Opens, with_camera: str
) -> None:
    table = desk(with_camera)
    table.loads()
    table.bets()
    table.sees("8s", "punto")
    assert len(seen(table)) == 1
    table.restart()
    sighting = table.made("camera", *encode(CardSeen(Card.H2, "banca")))
    answers = len(table.wire.answers)
    table.send(sighting)
    table.beats("shoe", more=1)
    table.send(sighting)
    assert len(seen(table)) == 1
    assert len(table.wire.answers) == answers + 1, "the camera is to say it again"
    table.report("shoe", CardDrawn(Card.H2))
    table.send(sighting)
    assert len(seen(table)) == 1, "only its beat tells that this was all"
    table.beats("shoe")
    assert isinstance(table.send(sighting), Ack)
    assert len(seen(table)) == 2


def test_the_camera_waits_for_a_shoe_that_is_late_and_not_for_one_that_is_silent(
    desk: Opens, with_camera: str
) -> None:
    table = desk(with_camera)
    table.loads()
    table.bets()
    table.beats("shoe")
    table.time.passes(1)
    sighting = table.made("camera", *encode(CardSeen(Card.H2, "punto")))
    table.send(sighting)
    assert not seen(table)
    table.time.passes(2)
    table.send(sighting)
    assert seen(table) == [CardSeen(Card.H2, "punto")]
    assert FaultRaised("silent", "shoe") in table.facts()


def test_the_camera_waits_for_no_shoe_that_the_dealer_stands_in_for(desk: Opens, with_camera: str) -> None:
    table = desk(with_camera)
    table.tap("takeover", mode="manual", of="shoe")
    assert isinstance(table.report("camera", CardSeen(Card.H2, "punto")), Ack)


def test_a_device_that_never_was_there_is_silent_too(desk: Opens) -> None:
    table = desk()
    table.time.passes(3)
    table.loop.turn(0)
    assert table.facts()[-1] == FaultRaised("silent", "shoe")


def test_a_device_that_the_dealer_stands_in_for_may_be_silent(desk: Opens) -> None:
    table = desk()
    table.tap("takeover", mode="manual", of="shoe")
    table.time.passes(30)
    table.loop.turn(0)
    assert not table.table.play.standing.faults
    table.tap("takeover", mode="device", of="shoe")
    table.time.passes(1)
    table.loop.turn(0)
    assert table.facts()[-1] == FaultRaised("silent", "shoe")


def test_a_new_run_clears_the_faults_of_its_link_and_not_those_of_its_device(desk: Opens) -> None:
    table = desk()
    table.loads()
    for code in ("jam", "link_lost", "garbled"):
        table.report("shoe", FaultRaised(code))
    table.reboot("shoe")
    assert list(table.table.play.standing.faults) == [("shoe", "jam")]
    assert table.facts()[-2:] == [FaultCleared("link_lost"), FaultCleared("garbled")]


def test_the_controller_beats_with_what_is_durable(desk: Opens) -> None:
    table = desk()
    table.loop.turn(0)
    table.loop.turn(0)
    assert table.wire.beats == [table.table.head], "not with every turn"
    table.time.passes(0.3)
    order: list[str] = []
    commit, beat = table.loop._journal.commit, table.wire.beat
    table.loop._journal.commit = lambda: (order.append("durable"), commit())
    table.wire.beat = lambda head: (order.append("told"), beat(head))
    table.bets()
    assert order == ["durable", "told"]
    assert table.wire.beats[-1] == table.table.head


# Readers.


def test_a_reader_is_given_what_he_asks_for_and_no_more_than_is_good(desk: Opens) -> None:
    table = desk()
    table.loads()
    for _ in range(4):
        table.plays()
    entries = table.entries()
    for since in (Since(seq=0), Since(seq=5, limit=3), Since(seq=len(entries)), Since(seq=2**53)):
        table.wire.asked.append((None, since))
    table.loop.turn(0)
    assert table.wire.given == [entries, entries[5:8], [], []]


# Cut off at any point.


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


# The table file.


def test_a_table_file_that_changed_in_mid_round_is_refused(
    desk: Opens, folder: Path, a_table_file: Opens
) -> None:
    table = desk()
    table.loads()
    table.bets()
    before = table.entries()
    table.close()
    a_table_file(folder, seats="6")
    with pytest.raises(
        ConfigError, match="in the middle of round 1; put it back, finish the round, then change it"
    ):
        table.start()
    a_table_file(folder)
    table.start()
    assert table.entries() == before


def test_a_table_file_that_changed_while_a_halt_waits_for_its_ruling_is_refused(
    desk: Opens, folder: Path, a_table_file: Opens
) -> None:
    table = desk()
    table.loads()
    table.draws("8s")
    assert table.table.play.felt.halted
    table.close()
    a_table_file(folder, seats="6")
    with pytest.raises(ConfigError, match="in the middle of round 1"):
        table.start()
    a_table_file(folder)
    table.start()


def test_a_table_file_that_changed_between_rounds_is_noted_and_rounds_before_it_keep_theirs(
    desk: Opens, folder: Path, a_table_file: Opens
) -> None:
    table = desk()
    table.loads()
    table.bets("dragon_7", add=2500)
    table.bets("banca", add=2500)
    table.draws("2c", "Ah", "3d", "4s", "6h", "2d")
    table.tap("paid")
    paid = table.table.play.round(0).payouts
    table.close()
    a_table_file(folder, dragon_7="[5000, 50000]", seats="6")
    table.start()
    laws = [fact for fact in table.facts() if isinstance(fact, TableSet)]
    assert [law.options["seats"] for law in laws] == [7, 6]
    assert laws[0].fingerprint != laws[1].fingerprint
    assert table.table.play.round(0).payouts == paid
    table.bets("dragon_7", add=2500)
    assert table.table.play.refused.code == "under_limit"
    table.restart()
    assert sum(isinstance(fact, TableSet) for fact in table.facts()) == 2


def test_another_edition_of_the_rules_is_a_new_law(desk: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    table = desk()
    game = table.table.config.law.game
    table.close()
    monkeypatch.setattr("config.options.GAMES", {game.name: replace(game, edition="of 2030")})
    table.start()
    assert [fact.edition for fact in table.facts() if isinstance(fact, TableSet)] == [game.edition, "of 2030"]


# PINs.


def test_wrong_pins_are_counted_over_a_restart_and_over_days(desk: Opens) -> None:
    table = desk()
    for _ in range(4):
        table.tap("pin", operator="1001", good=False)
    at = table.entries()[-1].at
    assert table.table.pins == {"1001": (4, at)}
    table.restart()
    assert table.table.pins == {"1001": (4, at)}
    table.time.next_day()
    table.loads()
    table.restart()
    assert table.loop.journal.name.endswith("12-01.journal")
    assert table.table.pins == {"1001": (4, at)}
    table.tap("pin", operator="1001", good=True)
    assert table.table.pins["1001"][0] == 0


def test_the_pin_of_nobody_is_not_counted(desk: Opens) -> None:
    table = desk()
    table.tap("pin", operator="x" * 5000, good=False)
    assert table.facts()[-1] == InputRefused("pin", "needs_supervisor")
    assert not table.table.pins
    assert not any(isinstance(fact, PinTried) for fact in table.facts())


def test_the_days_of_a_table_are_those_of_its_clock(desk: Opens) -> None:
    table = desk()
    assert table.loop._today() == date(2026, 11, 30)
    assert table.loop.journal.name == "T-1-2026-11-30.journal"


def test_a_sighting_by_hand_stands_for_the_camera(desk: Opens, with_camera: str) -> None:
    table = desk(with_camera)
    table.loads()
    table.bets()
    table.tap("takeover", mode="manual", of="camera")
    table.draws("2c")
    assert table.table.play.felt.unseen == 1
    table.tap("card", card="2c", at="punto")
    assert table.facts()[-1] == CardSeen(Card.C2, "punto")
    assert table.table.play.felt.unseen == 0
