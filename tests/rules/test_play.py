"""The fold of a whole log: which facts belong to which round, under which law, and what refuses what."""

from dataclasses import replace

import pytest

from rules.ez_baccarat import GAME
from rules.facts import (
    BetPlaced,
    CardDrawn,
    CardReturned,
    Closed,
    DeviceHello,
    DeviceState,
    Fact,
    LockChanged,
    RoundOpened,
    Ruled,
    TableSet,
    UnknownReport,
)
from rules.known import GAMES
from rules.law import Law, RuleBook
from rules.play import MARK_EVERY, Play
from rules.round import Misdeal
from tests.rules.table import Table, drawn

NATURAL = "9c 3h Kd 4s"


def table_set(**options: object) -> TableSet:
    """The law, as the controller writes it."""
    return TableSet("ez_baccarat", "EZ Baccarat, directive of 10 April 2008", options)


# Rounds.


def test_after_the_closing_the_next_fact_belongs_to_the_next_round() -> None:
    table = Table()
    table.dealt(NATURAL)
    assert len(table.play) == 1
    assert table.waits == "nothing"
    table.bet("banca")
    assert len(table.play) == 2
    assert table.waits == "bets"
    assert [number for number, _, _ in table.play.lines(0)] == [1, 2, 3, 4, 5, 6]
    assert [number for number, _, _ in table.play.lines(1)] == [7]


def test_a_closing_that_is_not_due_is_refused_by_the_article_on_bets() -> None:
    table = Table()
    table.bet("punto")
    for names in ("", *NATURAL.split()):
        table.draw(names)
        if table.waits != "close":
            table.close()
            assert table.refused == "not_due"
            assert table.play.refused is not None
            assert table.play.refused.article == "8"


def test_closing_twice_is_refused_in_the_next_round() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.close()
    assert table.refused == "not_due"
    assert len(table.play) == 2


@pytest.mark.parametrize(
    "fact", [DeviceHello(), DeviceState(), LockChanged(locked=True), UnknownReport("05")], ids=str
)
def test_what_a_device_says_of_itself_is_not_judged(fact: Fact) -> None:
    table = Table()
    table.bet("punto")
    before = table.now
    table.say(fact)
    assert table.now == before
    table.fault()
    held = table.now
    table.say(fact)
    assert table.now == held


def test_rounds_are_numbered_by_the_controller_or_else_one_by_one() -> None:
    table = Table()
    assert table.now.number == 1
    table.say(RoundOpened(7))
    assert table.now.number == 7
    table.bet("punto")
    table.say(RoundOpened(8))
    assert table.now.number == 7
    table.draw(NATURAL)
    table.close()
    table.say(RoundOpened(9))
    assert (table.now.number, len(table.play)) == (9, 2)
    table.dealt(NATURAL)
    table.bet("punto")
    assert table.now.number == 10


def test_what_outlives_a_round_is_read_apart_from_it() -> None:
    table = Table()
    table.fault()
    assert table.play.standing is table.felt.standing
    assert list(table.play.standing.faults) == [("shoe", "jam")]


def test_a_round_that_is_over_stays_until_the_next_fact() -> None:
    table = Table()
    table.dealt(NATURAL)
    assert table.now.over
    assert table.paid() == {"punto": 1000}


def test_rounds_of_the_past_are_read_by_their_place() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.dealt("3c 9h 4d Ks")
    assert table.play.round(0).outcome != table.play.round(1).outcome
    assert table.play.round(-1) == table.now == table.play.round(1)


# A chapter that mends what went wrong.


def burns_extra_cards(law: Law) -> RuleBook:
    """A chapter that burns a card drawn in excess at once, and leaves everything else to the supervisor."""
    book = GAME.deal(law)
    awaited = next(book)
    while awaited.what == "draw":
        awaited = book.send((yield awaited))
    while True:
        try:
            yield awaited
        except Misdeal as misdeal:
            if misdeal.irregularity.code != "extra_card":
                raise
        else:
            return


def test_a_chapter_that_has_a_remedy_heals_what_it_catches_and_halts_on_the_rest() -> None:
    play = Play(GAMES, Law.of(replace(GAME, deal=burns_extra_cards), {}))
    log: list[Fact] = [BetPlaced(1, "punto", 1000), *map(drawn, ["9c", "3h", "Kd", "4s", "5d"])]
    for n, fact in enumerate(log, start=1):
        play.after(n, fact)
    assert play.now.irregularity is not None
    assert (play.now.irregularity.code, play.now.irregularity.halts) == ("extra_card", False)
    assert play.now.awaits.what == "close"
    play.after(7, CardReturned())
    assert play.now.irregularity is not None
    assert (play.now.irregularity.code, play.now.irregularity.halts) == ("card_returned", True)
    play.after(8, Ruled("resume", 7))
    play.after(9, Closed())
    assert play.now.over
    assert [payout.net for payout in play.now.payouts] == [1000]


# The law.


def test_without_a_law_nothing_is_judged() -> None:
    for fact in (CardDrawn(None), Closed(), RoundOpened(1), Ruled("void_round")):
        play = Play(GAMES)
        assert not play.ready
        assert play.fact(1) is None
        with pytest.raises(ValueError, match="line 1: no law is set"):
            play.after(1, fact)


def test_the_log_sets_its_own_law() -> None:
    play = Play(GAMES)
    play.after(1, table_set(panda_8=True))
    assert play.ready
    assert play.felt.law.own.panda_8
    play.after(2, RoundOpened(5))
    assert play.now.number == 5


def test_a_law_holds_from_the_next_round_on() -> None:
    table = Table()
    table.bet("punto")
    table.say(table_set(panda_8=True))
    table.bet("panda_8")
    assert table.refused == "unknown_bet"
    table.draw(NATURAL)
    table.close()
    table.say(table_set(panda_8=True))
    assert not table.play.round(0).awaits.outcome
    table.bet("punto")
    table.bet("panda_8")
    assert table.refused is None


def test_a_law_holds_at_once_where_nothing_has_begun() -> None:
    table = Table()
    table.say(table_set(panda_8=True))
    table.bet("panda_8")
    assert table.refused is None


def test_a_law_that_came_after_a_fault_is_no_reason_to_forget_it() -> None:
    table = Table(camera=True)
    table.fault("blocked", "camera")
    table.say(table_set())
    table.bet("punto")
    refused = table.n
    assert table.refused == "halted"
    table.rule("strike", refused)
    assert table.trouble == "device_fault"


def test_a_ruling_on_an_old_round_judges_it_by_the_law_of_its_day() -> None:
    table = Table(limits={"punto": (1000, 2000)})
    table.dealt(NATURAL)
    table.say(table_set(limits={"punto": (5, 10)}))
    table.bet("punto", 7)
    table.rule("replace", 5, drawn("6s"))
    assert table.paid(0) == {"punto": 0}
    assert [bet.stake for bet in table.now.bets] == [7]


def test_an_option_that_the_game_has_not_is_named() -> None:
    with pytest.raises(ValueError, match=r"ez_baccarat has no option 'natural_pays'; it has after_cut, burn"):
        Law.of(GAMES["ez_baccarat"], {"natural_pays": [6, 5]})


def test_common_options_and_those_of_the_game_are_told_apart() -> None:
    law = Law.of(GAMES["ez_baccarat"], {"decks": 6, "after_cut": "finish_plus_one"})
    assert (law.options.decks, law.own.after_cut) == (6, "finish_plus_one")


# The log as a whole.


def test_one_log_says_one_thing() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.bet("banca")
    table.draw("2c 3h")
    table.rule("burn", 8)
    again = Play(GAMES, Law.of(GAMES["ez_baccarat"], {}))
    for n, fact, by_hand in table.log:
        again.after(n, fact, by_hand)
    assert [again.round(i) for i in range(len(again))] == [
        table.play.round(i) for i in range(len(table.play))
    ]


def test_numbers_may_have_gaps_as_in_a_journal() -> None:
    table = Table()
    table.bet("punto")
    table.draw("9c 3h")
    play = Play(GAMES, Law.of(GAMES["ez_baccarat"], {}))
    for n, _, fact in ((10, *table.log[0][:2]), (17, *table.log[1][:2]), (24, *table.log[2][:2])):
        play.after(n, fact)
    assert [laid.n for laid in play.now.laid] == [17, 24]
    play.after(200, Ruled("burn", 17))
    assert play.refused is None
    assert len(play.now.burned) == 1


def test_a_ruling_on_the_first_round_after_a_mark_keeps_the_marks() -> None:
    table = Table(decks=12)
    for _ in range(2 * MARK_EVERY + 2):
        table.dealt(NATURAL)
        table.loaded(12)
        table.burned("Ac")
    last_card = table.play.lines(MARK_EVERY)[-2][0]
    table.rule("replace", last_card, drawn("5s"))
    assert table.paid(MARK_EVERY) == {"punto": 1000}
    table.rule("void_round", table.play.lines(2 * MARK_EVERY)[-1][0])
    assert table.results(2 * MARK_EVERY) == {"punto": "void"}
