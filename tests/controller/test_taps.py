"""What people tap: each tap to its facts, and nothing for a screen that is behind."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.notes import InputRefused, PinTried, SupervisorCalled
from controller.topics import Ack
from rules.cards import Card
from rules.facts import (
    BetPlaced,
    CardDrawn,
    CardsBurned,
    CardSeen,
    Closed,
    CutCardOut,
    FaultCleared,
    FaultRaised,
    FreeHandCalled,
    GapFound,
    RoundOpened,
    Ruled,
    ShoeLoaded,
    TakenOver,
)

Opens = Callable[..., Any]


@pytest.fixture
def table(desk: Opens) -> Any:
    """A table that takes bets."""
    opened = desk()
    opened.loads()
    return opened


def last(table: Any) -> Any:
    """The last fact of the journal."""
    return table.facts()[-1]


# Each tap to its facts.


def test_chips_are_added_to_what_lies_there(table: Any) -> None:
    table.bets("banca", seat=2, add=2500)
    table.bets("banca", seat=2, add=10000)
    assert last(table) == BetPlaced(2, "banca", 12500)
    table.bets("banca", seat=2, add=-2500)
    assert last(table) == BetPlaced(2, "banca", 10000)
    assert table.table.play.felt.bets.of(2, "main", "banca") == 10000


def test_chips_that_would_be_fewer_than_none_are_refused_by_the_rules(table: Any) -> None:
    table.bets(add=-2500)
    assert last(table) == BetPlaced(1, "banca", -2500)
    assert table.table.play.refused.code == "negative"


def test_the_chips_of_one_who_joined_are_his_own(desk: Opens) -> None:
    table = desk("", seats="7\njoining = true")
    table.loads()
    table.bets()
    table.tap("bet", seat=1, bet="banca", add=2500, player="Quispe")
    assert last(table) == BetPlaced(1, "banca", 2500, "Quispe")


def test_one_bet_or_all_bets_are_taken_away(table: Any) -> None:
    table.bets("banca", seat=1)
    table.bets("empate", seat=1)
    table.bets("punto", seat=3)
    table.tap("clear_bet", seat=1, bet="empate")
    assert last(table) == BetPlaced(1, "empate", 0)
    table.tap("clear_bets")
    assert table.facts()[-2:] == [BetPlaced(1, "banca", 0), BetPlaced(3, "punto", 0)]
    assert not table.table.play.felt.bets
    table.tap("clear_bets")
    assert last(table) == InputRefused("clear_bets", "no_bets")


def test_the_bets_of_the_last_round_are_placed_once_more_main_bets_first(table: Any) -> None:
    table.tap("repeat_bets")
    assert last(table) == InputRefused("repeat_bets", "nothing_to_repeat")
    table.bets("empate", seat=2)
    table.bets("banca", seat=2)
    table.bets("punto", seat=1, add=10000)
    table.draws("9c", "Ah", "Kd", "4s")
    assert table.table.last_bets == ()
    table.tap("paid")
    wanted = [BetPlaced(1, "punto", 10000), BetPlaced(2, "banca", 2500), BetPlaced(2, "empate", 2500)]
    assert list(table.table.last_bets) == wanted
    table.restart()
    table.tap("repeat_bets")
    assert table.facts()[-3:] == wanted
    table.tap("repeat_bets")
    assert list(table.table.play.felt.bets) == wanted, "tapped twice, placed once"


def test_the_bets_of_a_void_round_are_not_repeated(table: Any) -> None:
    table.bets()
    table.draws("8s")
    table.tap("rule", action="void_round", by="1001")
    table.tap("repeat_bets")
    assert last(table) == InputRefused("repeat_bets", "nothing_to_repeat")


def test_a_round_without_bets_is_called(table: Any) -> None:
    table.tap("free_hand")
    assert last(table) == FreeHandCalled()
    table.draws("9c", "Ah", "Kd", "4s")
    assert table.table.play.felt.awaits().what == "close"


def test_a_paid_round_is_followed_by_the_next(table: Any) -> None:
    table.bets()
    table.tap("paid")
    assert last(table) == Closed()
    assert table.table.play.refused.code == "not_due"
    table.draws("9c", "Ah", "Kd", "4s")
    table.tap("paid")
    assert table.facts()[-2:] == [Closed(), RoundOpened(2)]


def test_a_shoe_that_is_loaded_has_the_decks_of_the_table(desk: Opens) -> None:
    table = desk(seats="7\ndecks = 6")
    table.tap("shoe_loaded")
    assert last(table) == ShoeLoaded(6)


def test_the_first_burned_card_is_turned_and_the_others_may_stay_covered(desk: Opens) -> None:
    table = desk()
    table.tap("shoe_loaded")
    table.tap("burn_card", card="2h")
    assert last(table) == CardsBurned((Card.H2,), first=True)
    table.tap("burn_card")
    assert last(table) == CardsBurned((None,))


def test_the_dealer_stands_in_for_a_shoe_that_is_out_of_order(table: Any) -> None:
    table.bets()
    table.report("shoe", FaultRaised("jam"))
    table.tap("takeover", mode="manual", of="shoe", by="1001")
    assert last(table) == TakenOver("manual", "1001", "shoe")
    assert not table.table.play.standing.faults
    table.tap("card", card="9c")
    assert last(table) == CardDrawn(Card.C9)
    table.draws("2h")
    assert [laid.card for laid in table.table.play.felt.laid] == [Card.C9], "the shoe is not believed now"
    table.tap("cut_card")
    assert last(table) == CutCardOut()
    table.tap("takeover", mode="device", of="shoe")
    assert last(table) == InputRefused("takeover", "fault_holds"), "it is still jammed"
    table.report("shoe", FaultCleared("jam"))
    table.tap("takeover", mode="device", of="shoe")
    table.draws("Ah")
    assert len(table.table.play.felt.laid) == 2


def test_what_the_screen_has_no_key_for_means_nothing(table: Any) -> None:
    table.bets()
    table.tap("repeat_bets")
    assert last(table) == InputRefused("repeat_bets", "nothing_to_repeat"), "bets lie there"
    table.tap("card", card="9h")
    assert last(table) == InputRefused("card", "not_due"), "the shoe tells the cards"
    table.tap("card", card="9h", at="punto")
    assert last(table) == InputRefused("card", "not_due"), "no sighting is due"
    table.draws("9c")
    for act in ("shoe_loaded", "burn_card"):
        table.tap(act)
        assert last(table) == InputRefused(act, "not_due"), "a card lies there"


def test_the_dealers_finger_stands_in_for_the_camera(desk: Opens, with_camera: str) -> None:
    table = desk(with_camera)
    table.loads()
    table.bets()
    table.draws("9c")
    table.tap("takeover", mode="manual", of="camera")
    table.tap("card", card="9c", at="punto")
    assert last(table) == CardSeen(Card.C9, "punto")
    assert table.table.play.felt.unseen == 0


def test_the_dealers_finger_stands_in_for_one_sighting_also_while_a_card_is_due(
    desk: Opens, with_camera: str
) -> None:
    table = desk(with_camera)
    table.loads()
    table.bets()
    table.draws("9c")
    assert table.table.play.felt.awaits().what == "draw"
    table.tap("card", card="9c", at="punto")
    assert last(table) == CardSeen(Card.C9, "punto")
    table.tap("card", card="3h", at="banca")
    assert last(table) == InputRefused("card", "not_due"), "nothing lies there"


def test_the_supervisor_is_called_and_comes(table: Any) -> None:
    table.tap("call", on=True)
    assert last(table) == SupervisorCalled(on=True)
    assert table.table.called
    table.restart()
    assert table.table.called
    table.tap("call", on=False, by="1001")
    assert not table.table.called


def test_every_pin_that_was_entered_is_noted(table: Any) -> None:
    table.tap("pin", operator="1001", good=False)
    assert last(table) == PinTried("1001", good=False)
    table.tap("pin", operator="1001", good=True)
    assert table.table.pins["1001"][0] == 0


# Rulings.


def test_a_ruling_needs_a_supervisor(table: Any) -> None:
    table.draws("8s")
    for by in ("", "9999", "2002"):
        table.tap("rule", action="void_round", by=by)
        assert last(table) == InputRefused("rule", "needs_supervisor")
        assert table.table.play.felt.halted
    table.tap("rule", action="void_round", by="1001", reason="nobody bet")
    assert table.facts()[-2:] == [Ruled("void_round", by="1001", reason="nobody bet"), RoundOpened(2)]


def number_of(table: Any, kind: type[Any]) -> int:
    """The entry of the last fact of that kind."""
    return next(entry.seq for entry in reversed(table.entries()) if isinstance(entry.fact, kind))


def test_a_card_in_a_ruling_is_what_the_fact_should_have_said(table: Any) -> None:
    table.bets()
    table.report("shoe", CardDrawn(None))
    n = number_of(table, CardDrawn)
    table.tap("rule", action="replace", n=n, card="9c", by="1001")
    assert last(table) == Ruled("replace", n, CardDrawn(Card.C9), by="1001")
    table.report("shoe", GapFound(1))
    n = number_of(table, GapFound)
    table.tap("rule", action="replace", n=n, card="Ah", by="1001")
    assert last(table) == Ruled("replace", n, CardDrawn(Card.AH), by="1001")
    assert [laid.card for laid in table.table.play.felt.laid] == [Card.C9, Card.AH]
    table.tap("rule", action="insert", n=number_of(table, GapFound), card="Kd", by="1001")
    assert last(table).right == CardDrawn(Card.KD)
    n = number_of(table, CardsBurned)
    table.tap("rule", action="replace", n=n, card="4d", by="1001")
    assert last(table) == Ruled("replace", n, CardsBurned((Card.D4,)), by="1001")


def test_a_sighting_that_was_wrong_is_replaced_by_a_sighting(desk: Opens, with_camera: str) -> None:
    table = desk(with_camera)
    table.loads()
    table.bets()
    table.draws("9c")
    table.sees("9d", "punto")
    n = number_of(table, CardSeen)
    table.tap("rule", action="replace", n=n, card="9c", by="1001")
    assert last(table) == Ruled("replace", n, CardSeen(Card.C9, "punto"), by="1001")
    assert not table.table.play.felt.halted


def test_a_card_cannot_mend_what_is_no_card(table: Any) -> None:
    table.bets()
    n = number_of(table, BetPlaced)
    table.tap("rule", action="replace", n=n, card="9c", by="1001")
    assert last(table) == InputRefused("rule", "not_a_card")


def test_a_ruling_waits_for_a_pin_and_still_holds_in_its_round(table: Any) -> None:
    table.bets()
    table.draws("9c", "Ah", "Kd", "4s", "2c")
    assert table.table.play.felt.irregularity.code == "extra_card"
    shown = table.table.stage
    n = number_of(table, CardDrawn)
    table.tap("takeover", mode="manual", of="shoe")
    table.tap("card", card="3c")
    assert table.table.stage != shown, "the dealer's card waits for the ruling"
    table.tap("rule", stage=shown, action="burn", n=n, by="1001")
    assert last(table) == Ruled("burn", n, by="1001")
    # In the next round the same screen is behind.
    table.tap("rule", action="void_round", by="1001")
    table.tap("rule", stage=shown, action="void_round", by="1001")
    assert last(table) == InputRefused("rule", "stale")


# A screen that is behind.


@pytest.mark.parametrize(
    ("act", "more"),
    [
        ("bet", {"seat": 1, "bet": "banca", "add": 2500}),
        ("clear_bet", {"seat": 1, "bet": "banca"}),
        ("repeat_bets", {}),
        ("clear_bets", {}),
        ("free_hand", {}),
        ("paid", {}),
        ("card", {"card": "9c"}),
        ("shoe_loaded", {}),
        ("burn_card", {}),
        ("cut_card", {}),
        ("rule", {"action": "void_round", "by": "1001"}),
    ],
)
@pytest.mark.parametrize("stage", ["", "0", "2:bets:0:0:0:0:0:1:2:0", "1:close:0:0:0:0:0:1:2:0x"])
def test_a_tap_on_what_no_longer_stands_there_does_nothing_but_say_so(
    table: Any, act: str, more: dict[str, Any], stage: str
) -> None:
    before = table.table.stage
    if act == "rule" and stage.startswith("1:"):
        stage = "9"
    assert isinstance(table.tap(act, stage=stage, **more), Ack)
    assert last(table) == InputRefused(act, "stale")
    assert table.table.refused == last(table)
    assert table.table.stage == before
    assert not table.table.play.felt.bets


def test_what_means_the_same_on_every_screen_is_never_behind(table: Any) -> None:
    for act, more in (
        ("call", {"on": True}),
        ("pin", {"operator": "1001", "good": False}),
        ("takeover", {"mode": "manual", "of": "both"}),
    ):
        table.tap(act, stage="long ago", **more)
        assert not isinstance(last(table), InputRefused)


def test_a_second_tap_of_the_same_screen_is_behind_where_it_would_count_twice(desk: Opens) -> None:
    table = desk()

    def twice(act: str, **more: Any) -> None:
        shown = table.table.stage
        table.tap(act, stage=shown, **more)
        table.tap(act, stage=shown, **more)
        assert last(table) == InputRefused(act, "stale")

    twice("shoe_loaded")
    twice("burn_card", card="2c")
    twice("burn_card")
    table.tap("burn_card")
    table.bets()
    table.tap("takeover", mode="manual", of="both")
    twice("card", card="9c")
    for card in ("Ah", "Kd", "4s"):
        table.tap("card", card=card)
    twice("card", card="3s")
    assert table.table.play.felt.irregularity.code == "extra_card"
    twice("card", card="5s")
    assert len(table.table.play.felt.held) == 1
    table.tap("rule", action="void_round", by="1001")
    table.bets()
    for card in ("9d", "Ad", "Kh", "4c"):
        table.tap("card", card=card)
    twice("paid")


def test_the_stage_stays_while_bets_are_made_and_devices_talk_of_themselves(table: Any) -> None:
    before = table.table.stage
    table.bets()
    table.bets("empate")
    table.report("shoe", FaultRaised("x", active=False))
    held = table.table.stage
    assert held != before, "a halt is another stage"
    table.tap("call", on=True)
    table.tap("pin", operator="1001", good=False)
    assert table.table.stage == held


def test_a_tap_on_its_way_still_counts_when_the_camera_was_before_it(desk: Opens, with_camera: str) -> None:
    table = desk(with_camera)
    table.loads()
    table.bets()
    table.draws("9c")
    table.tap("takeover", mode="manual", of="shoe")
    shown = table.table.stage
    table.sees("9c", "punto")
    table.sees("Ah", "banca")
    assert table.table.stage == shown
    table.tap("card", stage=shown, card="Ah")
    assert last(table) == CardDrawn(Card.AH)
    assert [(laid.spot, laid.card, laid.seen) for laid in table.table.play.felt.laid] == [
        ("punto", Card.C9, True),
        ("banca", Card.AH, True),
    ]


def test_a_sighting_that_was_asked_for_is_another_stage(desk: Opens, with_camera: str) -> None:
    table = desk(with_camera)
    table.loads()
    table.bets()
    table.draws("2c", "9h", "7c", "Kh")
    assert table.table.play.felt.awaits().what == "seen"
    shown = table.table.stage
    table.sees("2c", "punto")
    table.tap("card", stage=shown, card="2c", at="punto")
    assert last(table) == InputRefused("card", "stale")


def test_why_the_last_tap_changed_nothing_is_forgotten_with_the_next(table: Any) -> None:
    table.tap("paid", stage="stale")
    assert table.table.refused is not None
    table.report("shoe", FaultRaised("x"))
    assert table.table.refused is not None, "a device answers no tap"
    table.bets()
    assert table.table.refused is None
