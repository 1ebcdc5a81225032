"""The table file and the PINs of a table: what the journal keeps of them, over restarts and days."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from config.load import ConfigError
from controller.notes import InputRefused, PinTried
from rules.cards import Card
from rules.facts import (
    CardSeen,
    TableSet,
)

Opens = Callable[..., Any]


def closed_in_mid_round(desk: Opens) -> Any:
    """A table that ended while a bet lay on the felt."""
    table = desk()
    table.loads()
    table.bets()
    table.close()
    return table


def test_a_table_file_that_changed_in_mid_round_is_refused(
    desk: Opens, folder: Path, a_table_file: Opens
) -> None:
    table = closed_in_mid_round(desk)
    before = table.entries()
    a_table_file(folder, seats="6")
    with pytest.raises(
        ConfigError, match="in the middle of round 1; put it back, finish the round, then change it"
    ):
        table.start()
    a_table_file(folder)
    table.start()
    assert table.entries() == before


def test_what_is_no_law_may_change_in_mid_round_and_is_noted_when_it_is_over(
    desk: Opens, folder: Path, a_table_file: Opens
) -> None:
    table = closed_in_mid_round(desk)
    before = table.entries()
    path = a_table_file(folder)
    path.write_text(path.read_text() + "# an operator is added\n")
    table.start()
    assert table.entries() == before
    table.draws("9c", "3h", "Kd", "4s")
    table.tap("paid")
    table.restart()
    laws = [entry.fact for entry in table.entries() if isinstance(entry.fact, TableSet)]
    assert len({law.fingerprint for law in laws}) == 2


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
