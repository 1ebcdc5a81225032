"""The loop: noted down first, then thought about, then told; wherever it is cut off."""

from collections.abc import Callable
from typing import Any

from controller.bus import Incoming
from controller.codec import encode
from controller.journal import Entry
from controller.notes import JournalOpened, SourceStarted
from controller.topics import Ack, Alive, Beat, Expected, Hello, Rejected, Since, Welcome
from rules.cards import Card
from rules.facts import (
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
    table.report("shoe", CardDrawn(Card.S8))
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


def test_a_card_of_which_the_shoe_said_nothing_waits_for_its_next_word(desk: Opens, with_camera: str) -> None:
    table = desk(with_camera)
    table.loads()
    table.bets()
    table.beats("shoe")
    sighting = table.made("camera", *encode(CardSeen(Card.H2, "punto")))
    for _ in range(2):
        table.send(sighting)
        assert not seen(table), "the camera was only quicker"
    table.time.passes(0.25)
    table.report("shoe", CardDrawn(Card.H2))
    assert isinstance(table.send(sighting), Ack)
    assert table.table.play.now.irregularity is None
    another = table.made("camera", *encode(CardSeen(Card.S8, "banca")))
    table.send(another)
    table.time.passes(0.25)
    table.beats("shoe")
    assert isinstance(table.send(another), Ack)
    irregularity = table.table.play.now.irregularity
    assert irregularity is not None, "here it dealt none"
    assert irregularity.code == "shoe_camera_mismatch"


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
