"""A journal as people read it: rounds, irregularities, rulings, and every payout with its article."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.journal import Draft, Entry
from controller.journal_form import JournalError
from controller.rounds import Summary, summary, told, written
from rules.facts import CardDrawn, DeviceHello, DeviceState, FaultRaised, TableSet, TakenOver

Opens = Callable[..., Any]


@pytest.fixture
def table(desk: Opens) -> Any:
    """A table that takes bets."""
    opened = desk()
    opened.loads()
    return opened


def lines(table: Any, place: int = -1) -> list[str]:
    """A round in words."""
    return list(written(list(told(table.entries()))[place]))


def test_only_rounds_in_which_something_lay_on_the_felt_are_told(table: Any) -> None:
    assert list(told(table.entries())) == []
    table.plays()
    table.tap("free_hand")
    table.draws("9c", "Ah", "Kd", "4s")
    table.tap("paid")
    assert [one.round.number for one in told(table.entries())] == [1, 2]


def test_a_round_that_is_not_over_is_told_as_such(table: Any) -> None:
    table.bets()
    assert lines(table)[0].endswith("  not finished")
    table.draws("9c", "Ah", "Kd", "4s")
    assert lines(table)[0].endswith("  punto, natural")
    table.tap("rule", action="void_round", by="1001")
    assert lines(table)[0].endswith("  void")
    assert lines(table)[-1] == "  seat 1        banca         2500 void        +0  art. 12"


def test_a_card_that_a_person_entered_is_marked(table: Any) -> None:
    table.bets()
    table.report("shoe", FaultRaised("jam"))
    table.tap("takeover", mode="manual", of="shoe")
    table.tap("card", card="9c")
    assert "  punto   9c*" in lines(table)
    assert any("device_fault, art. 12" in line for line in lines(table))


def test_a_bettor_who_joined_is_told_by_his_name(desk: Opens) -> None:
    table = desk(seats="7\njoining = true")
    table.loads()
    table.bets()
    table.tap("bet", seat=1, bet="banca", add=5000, player="Quispe")
    table.draws("2c", "Ah", "3d", "5s", "8h")
    table.tap("paid")
    assert any(line.startswith("  seat 1 Quispe ") for line in lines(table))


def test_a_ruling_on_a_round_that_is_over_stands_with_that_round(table: Any) -> None:
    table.plays("9c", "Ah", "Kd", "4s")
    (_, card, *_) = (entry.seq for entry in table.entries() if isinstance(entry.fact, CardDrawn))
    table.bets()
    table.tap("rule", action="replace", n=card, card="5h", by="1001")
    assert lines(table, 0)[0].endswith("  empate, natural")
    table.tap("rule", action="strike", n=table.table.head, by="1001")
    table.tap("rule", action="strike", n=1, by="1001")
    first, second = told(table.entries())
    assert [ruling.action for _, ruling in first.rulings] == ["replace", "strike"]
    assert second.rulings == ()
    assert lines(table, 0)[0].endswith("  punto, natural")


def test_an_irregularity_that_was_mended_is_still_told(table: Any) -> None:
    table.bets()
    table.report("shoe", CardDrawn(None))
    (one,) = told(table.entries())
    table.tap("rule", action="replace", n=one.troubles[0].n, card="9c", by="1001")
    table.draws("Ah", "Kd", "4s")
    table.tap("paid")
    (one,) = told(table.entries())
    assert [trouble.code for trouble in one.troubles] == ["unreadable"]
    assert one.round.over


def test_what_devices_say_of_themselves_is_no_round(table: Any) -> None:
    table.report("shoe", DeviceHello({"firmware": "1"}))
    table.report("shoe", DeviceState({"rung": "decoding", "why": ""}))
    assert list(told(table.entries())) == []


def test_the_figures_of_a_journal(table: Any) -> None:
    table.bets("punto", seat=1)
    table.bets("banca", seat=2)
    table.bets("dragon_7", seat=2)
    table.draws("9c", "Ah", "Kd", "4s", "2d")
    table.tap("rule", action="burn", n=table.table.head, by="1001")
    table.report("shoe", FaultRaised("jam"))
    table.tap("takeover", mode="manual", of="shoe")
    table.tap("paid")
    table.bets()
    assert summary(table.entries()) == Summary(rounds=1, misdeals=1, rulings=1, paid=2500, taken=5000)


def test_an_entry_that_this_sabot_cannot_judge_is_named() -> None:
    entry = Entry(1, 0, 0, "controller", "", 0, "", TableSet("tute", "x", {}), "table", "{}")
    with pytest.raises(JournalError, match="entry 1 cannot be judged by this Sabot: 'tute'"):
        list(told([entry]))
    early = Entry(7, 0, 0, "shoe", "", 0, "", TakenOver("manual"), "takeover", "{}")
    with pytest.raises(JournalError, match="entry 7 cannot be judged"):
        list(told([early]))
    assert Draft(early.fact, "x").n == 0
