"""Every irregularity: what raises it, what ends it, and what follows further on."""

import pytest

from rules.cards import Card
from rules.facts import CardDrawn, DeviceHello
from rules.felt import REMEDIES
from tests.rules.table import Table, drawn

NATURAL = "9c 3h Kd 4s"
"""Punto wins with nine, and nobody draws."""


def betting(**options: object) -> Table:
    """A table with a bet on Punto."""
    table = Table(**options)
    table.bet("punto")
    return table


def complete(**options: object) -> Table:
    """A table whose cards are all out and seen, before the bets are paid."""
    table = betting(**options)
    table.draw(NATURAL)
    if options.get("camera"):
        table.see("9c Kd", "punto")
        table.see("3h 4s", "banca")
    assert table.waits == "close"
    return table


# Early cards.


def test_an_early_card_that_is_burned_leaves_the_bets_open() -> None:
    table = Table()
    early = table.draw("9c")
    assert table.awaits == ("ruling", None, "12")
    table.bet("punto")
    assert table.refused == "halted"
    table.rule("burn", early)
    assert table.waits == "bets"
    assert table.now.burned == table.play.round(0).burned != ()
    assert [bet.bet for bet in table.now.bets] == ["punto"]
    table.draw(NATURAL)
    assert table.paid() == {"punto": 1000}


def test_an_early_card_may_be_dealt_with() -> None:
    table = Table()
    early = table.draw("9c")
    table.rule("resume")
    assert table.awaits == ("draw", "banca", "10")
    assert table.cards("punto") == "9c"
    assert table.now.laid[0].n == early
    table.draw("3h Kd 4s")
    table.close()
    assert table.waits == "nothing"


def test_an_early_card_is_none_once_the_bet_that_was_overlooked_is_inserted() -> None:
    table = Table()
    early = table.draw("9c")
    bet = betting().log[0][1]
    table.rule("insert", early, bet)
    table.draw("3h Kd 4s")
    assert table.paid() == {"punto": 1000}


def test_an_early_card_with_a_side_bet_alone_waits_for_the_supervisor_with_the_others() -> None:
    table = betting()
    table.bet("empate", 100, seat=2)
    early = table.draw("9c")
    table.draw("3h Kd 4s")
    assert table.now.waiting != ()
    table.rule("resume", early)
    assert table.paid() == {"punto": 1000, "empate 2": -100}


def test_an_early_card_is_none_once_the_seat_that_bet_wrongly_is_void() -> None:
    table = betting()
    table.bet("empate", seat=2)
    table.draw("9c 3h")
    assert table.trouble == "early_card"
    table.rule("void_seat", seat=2)
    assert table.awaits == ("draw", "punto", "10")
    table.draw("Kd 4s")
    table.close()
    assert table.results() == {"punto": "win", "empate 2": "void"}


def test_a_void_seat_does_not_make_good_what_another_seat_bet_wrongly() -> None:
    table = betting()
    table.bet("empate", seat=2)
    table.bet("empate", seat=3)
    table.draw("9c")
    table.rule("void_seat", seat=2)
    assert table.trouble == "early_card"
    table.rule("void_seat", seat=3)
    assert table.trouble is None


def test_where_every_seat_that_bet_is_void_the_card_is_as_early_as_before() -> None:
    table = Table()
    table.bet("empate")
    table.draw("9c")
    table.rule("void_seat", seat=1)
    assert table.trouble == "early_card"
    table.rule("resume")
    table.draw("3h Kd 4s")
    table.close()
    assert table.results() == {"empate": "void"}


def test_an_early_card_after_the_last_round_of_a_shoe() -> None:
    table = betting()
    table.cut_card()
    table.draw(NATURAL)
    table.close()
    table.draw("2c")
    assert table.trouble == "early_card"
    assert table.now.irregularity is not None
    assert table.now.irregularity.about["lack"] == "no_bets"


def test_an_early_card_of_a_shoe_that_was_not_burned() -> None:
    table = betting(burn="first_card")
    assert table.refused == "shoe_over"
    table.loaded()
    table.bet("punto")
    assert table.refused is None
    early = table.draw("9c")
    assert table.now.irregularity is not None
    assert table.now.irregularity.about["lack"] == "unburned"
    table.rule("burn", early)
    assert table.waits == "shoe"


def test_a_shoe_from_which_the_supervisor_lets_deal_as_it_is_needs_no_burn_after_that() -> None:
    table = Table(burn="first_card")
    table.loaded()
    table.bet("punto")
    table.draw("9c")
    table.rule("resume")
    table.draw("3h Kd 4s")
    table.close()
    table.bet("punto")
    table.draw("2c")
    assert table.trouble is None


def test_an_early_card_of_a_shoe_that_is_over_although_bets_lie() -> None:
    table = betting()
    table.draw(NATURAL)
    table.cut_card()
    table.close()
    bet = table.bet("punto")
    assert table.refused == "shoe_over"
    early = table.draw("9c")
    table.rule("insert", early, table.log[bet - 1][1])
    assert table.trouble == "early_card"


def test_the_bets_of_a_round_that_a_void_ends_after_an_early_card_go_back() -> None:
    table = Table()
    table.bet("empate")
    table.draw("9c")
    table.rule("void_round")
    assert table.results() == {"empate": "void"}
    assert table.now.burned != ()


# Extra cards.


@pytest.mark.parametrize("names", [NATURAL, "Tc Th 6d 7s", "2c 4h 2d 3s 8c", "2c 2h 4d 3s 9c"])
def test_an_extra_card_is_burned_and_the_result_stands(names: str) -> None:
    table = betting()
    table.draw(names)
    while table.waits == "draw":
        table.draw("Kh")
    before = table.paid()
    extra = table.draw("5d")
    assert table.trouble == "extra_card"
    table.close()
    assert table.refused == "halted"
    table.rule("burn", extra)
    assert table.waits == "nothing"
    assert table.paid() == before


def test_an_extra_card_is_extra_whatever_its_face() -> None:
    for name in ("??", "joker"):
        table = complete()
        extra = table.draw(name)
        assert table.trouble == "extra_card"
        table.rule("burn", extra)
        assert table.waits == "close"


def test_two_extra_cards_are_burned_one_by_one() -> None:
    table = complete()
    first = table.draw("5d")
    second = table.draw("6d")
    table.rule("burn", first)
    assert table.trouble == "extra_card"
    assert table.now.irregularity is not None
    assert table.now.irregularity.n == second
    table.rule("burn", second)
    assert table.waits == "close"


def test_an_extra_card_counts_as_out_of_the_shoe_once_it_is_burned() -> None:
    table = complete(decks=1)
    extra = table.draw("5d")
    table.rule("burn", extra)
    table.close()
    table.bet("punto")
    table.draw("5d")
    assert table.trouble == "count_exceeded"


def test_an_extra_card_that_was_no_card_is_struck() -> None:
    table = complete()
    extra = table.draw("5d")
    table.rule("strike", extra)
    assert table.waits == "close"
    assert table.now.burned == ()


def test_an_extra_card_does_not_simply_go_on() -> None:
    table = complete()
    extra = table.draw("5d")
    table.rule("resume", extra)
    assert table.refused == "cannot_resume"
    assert table.trouble == "extra_card"


def test_a_burned_card_that_still_lies_beside_the_hand_says_nothing() -> None:
    table = complete(camera=True)
    extra = table.draw("5d")
    table.see("5d", "punto")
    table.rule("burn", extra)
    assert table.waits == "close"
    table.see("5d", "burn")
    assert table.waits == "close"


def test_a_burned_card_that_lies_where_another_is_due_is_asked_about() -> None:
    table = betting(camera=True)
    table.draw("9c 3h")
    table.face_up("5d")
    table.see("5d", "punto")
    assert table.trouble == "shoe_camera_mismatch"


# Missing cards.


def test_a_missing_card_is_put_in_place_of_the_gap() -> None:
    table = betting()
    table.draw("9c 3h")
    gap = table.gap()
    assert table.awaits == ("ruling", "punto", "12")
    table.rule("replace", gap, drawn("Kd"))
    assert table.cards("punto") == "9c Kd"
    table.draw("4s")
    assert table.paid() == {"punto": 1000}


def test_two_missing_cards_are_one_insertion_and_one_replacement_in_either_order() -> None:
    for insert_first in (True, False):
        table = betting()
        table.draw("9c")
        gap = table.gap(2)
        rulings = [("insert", drawn("3h")), ("replace", drawn("Kd"))]
        for action, right in rulings if insert_first else reversed(rulings):
            table.rule(action, gap, right)
        table.draw("4s")
        assert (table.cards("punto"), table.cards("banca")) == ("9c Kd", "3h 4s")


def test_cards_that_came_after_a_gap_are_judged_after_the_ruling_in_their_order() -> None:
    table = betting()
    table.draw("9c")
    gap = table.gap()
    table.draw("Kd 4s")
    assert [str(card) for card in table.now.waiting] == ["Kd", "4s"]
    table.rule("replace", gap, drawn("3h"))
    assert (table.cards("punto"), table.cards("banca")) == ("9c Kd", "3h 4s")
    assert table.waits == "close"


def test_a_gap_in_which_no_card_was_lost_goes_on() -> None:
    table = betting()
    table.draw("9c")
    table.gap()
    table.rule("resume")
    table.draw("3h Kd 4s")
    assert table.waits == "close"


def test_a_missing_card_that_turns_out_to_be_extra_is_burned() -> None:
    table = complete()
    gap = table.gap()
    table.rule("replace", gap, drawn("5d"))
    assert table.trouble == "extra_card"
    table.rule("burn", gap)
    assert table.waits == "close"


def test_a_gap_before_the_bets_is_asked_about_too() -> None:
    table = Table()
    gap = table.gap()
    assert table.trouble == "missing_card"
    table.rule("strike", gap)
    assert table.waits == "bets"


# Unread, foreign and too many.


def test_an_unread_card_is_named_by_the_supervisor() -> None:
    table = betting()
    table.draw("9c 3h")
    unread = table.draw("??")
    assert table.awaits == ("ruling", "punto", "12")
    assert table.trouble == "unreadable"
    table.rule("replace", unread, drawn("Kd"))
    assert table.awaits == ("draw", "banca", "10")


def test_an_unread_card_before_the_bets_is_early_first_and_unread_then() -> None:
    table = Table()
    table.draw("??")
    assert table.trouble == "early_card"
    table.rule("resume")
    assert table.trouble == "unreadable"


def test_an_unread_card_does_not_simply_go_on() -> None:
    table = betting()
    unread = table.draw("??")
    table.rule("resume", unread)
    assert table.refused == "cannot_resume"


def test_a_foreign_card_is_replaced_by_what_it_was() -> None:
    table = betting()
    joker = table.draw("joker")
    assert table.trouble == "foreign_card"
    assert table.now.irregularity is not None
    assert table.now.irregularity.shoe == "joker"
    table.rule("replace", joker, drawn("9c"))
    assert table.cards("punto") == "9c"


def test_a_foreign_card_that_is_burned_leaves_its_place_to_the_next() -> None:
    table = betting()
    joker = table.draw("joker")
    table.rule("burn", joker)
    table.draw("9c")
    assert table.cards("punto") == "9c"


def test_one_copy_more_than_the_decks_hold_halts() -> None:
    table = betting(decks=2)
    table.draw("9c 9c")
    third = table.draw("9c")
    assert table.trouble == "count_exceeded"
    assert table.now.irregularity is not None
    assert table.now.irregularity.about == {"decks": 2}
    table.rule("replace", third, drawn("9d"))
    assert table.cards("punto") == "9c 9d"


def test_copies_are_counted_over_the_rounds_and_the_burns_of_one_shoe() -> None:
    table = Table(decks=2)
    table.burned("9c 2c")
    table.dealt(NATURAL)
    table.bet("punto")
    table.draw("9c")
    assert table.trouble == "count_exceeded"


def test_copies_are_counted_anew_with_a_new_shoe() -> None:
    table = Table(decks=1)
    table.dealt(NATURAL)
    table.loaded(1)
    table.burned("2c")
    table.dealt(NATURAL)
    assert table.waits == "nothing"


def test_a_new_shoe_may_hold_another_number_of_decks() -> None:
    table = Table(decks=1)
    table.loaded(2)
    table.burned("2c")
    table.dealt(NATURAL)
    table.dealt(NATURAL)
    assert table.waits == "nothing"


def test_burned_cards_are_objected_to_like_any_other() -> None:
    table = Table(decks=1)
    joker = table.burned("2c joker")
    assert (table.trouble, table.awaits[1]) == ("foreign_card", "burn")
    table.rule("burn", joker)
    assert table.waits == "bets"


def test_the_same_card_twice_in_one_burn_is_one_too_many_for_one_deck() -> None:
    table = Table(decks=1)
    table.burned("2c 2c")
    assert table.trouble == "count_exceeded"


# A card pushed back, a card face up.


def test_a_card_pushed_back_halts_and_goes_on_when_it_lies_there_again() -> None:
    table = betting()
    table.draw("9c 3h")
    table.card_back()
    assert table.trouble == "card_returned"
    table.rule("resume")
    assert table.awaits == ("draw", "punto", "10")


def test_a_card_pushed_back_may_come_again_when_the_round_is_void() -> None:
    table = betting(decks=1)
    table.draw("9c")
    table.card_back()
    table.rule("void_round")
    table.bet("punto")
    table.draw("9c")
    assert table.trouble is None


def test_a_card_pushed_back_before_any_was_laid_takes_nothing_with_it() -> None:
    table = betting(decks=1)
    table.card_back()
    table.rule("void_round")
    assert table.felt.standing.shoe.out == 0


def test_a_card_face_up_is_burned_and_the_round_goes_on() -> None:
    table = betting()
    table.draw("9c")
    table.face_up("2d")
    assert table.trouble == "face_up_card"
    assert table.awaits == ("draw", "banca", "10")
    assert table.now.burned == (table.log[-1][1].card,)  # type: ignore[union-attr]
    table.draw("3h")
    assert table.trouble is None
    table.draw("Kd 4s")
    assert table.paid() == {"punto": 1000}


def test_a_card_face_up_counts_as_out_of_the_shoe() -> None:
    table = betting(decks=1)
    table.face_up("9c")
    table.draw("9c")
    assert table.trouble == "count_exceeded"


def test_a_card_face_up_that_the_game_has_not_is_foreign() -> None:
    table = betting()
    joker = table.face_up("joker")
    assert table.trouble == "foreign_card"
    table.rule("burn", joker)
    assert table.trouble == "face_up_card"


# Devices that cannot go on.


def test_a_fault_holds_the_round_until_it_is_cleared() -> None:
    table = betting()
    table.draw("9c")
    table.fault()
    assert table.trouble == "device_fault"
    table.bet("punto", 2000)
    assert table.refused == "halted"
    table.rule("resume")
    assert table.refused == "nothing_to_resume"
    table.cleared()
    assert table.trouble is None
    assert table.awaits == ("draw", "banca", "10")


def test_what_came_while_a_fault_held_is_judged_when_it_is_cleared() -> None:
    table = betting()
    table.draw("9c")
    table.fault()
    table.draw("3h Kd")
    table.cut_card()
    assert table.cards("banca") == ""
    table.cleared()
    assert (table.cards("punto"), table.cards("banca")) == ("9c Kd", "3h")
    assert table.felt.standing.shoe.cut


def test_what_came_while_a_fault_held_may_halt_and_the_rest_waits_on() -> None:
    table = complete()
    table.fault()
    extra = table.draw("5d")
    table.draw("6d")
    table.cleared()
    assert table.trouble == "extra_card"
    assert [str(card) for card in table.now.waiting] == ["6d"]
    table.rule("burn", extra)
    assert table.trouble == "extra_card"


def test_the_bets_are_not_paid_while_a_fault_holds() -> None:
    table = complete()
    table.fault("door_open")
    table.close()
    assert table.refused == "halted"
    table.cleared("door_open")
    table.close()
    assert table.waits == "nothing"


def test_every_fault_must_be_cleared() -> None:
    table = betting()
    table.fault("jam")
    table.fault("door_open")
    table.cleared("jam")
    assert table.trouble == "device_fault"
    table.cleared("door_open")
    assert table.trouble is None


def test_a_fault_told_twice_is_cleared_once_and_one_never_told_is_no_matter() -> None:
    table = betting()
    table.cleared("overdraw")
    table.fault("jam")
    table.fault("jam")
    table.cleared("jam")
    assert table.trouble is None


def test_a_fault_outlives_the_round_in_which_it_came() -> None:
    table = betting()
    table.fault()
    table.rule("void_round")
    table.bet("punto")
    assert table.trouble == "device_fault"
    assert table.refused == "halted"


def test_a_fault_of_a_camera_that_the_table_does_not_need_holds_nothing() -> None:
    table = betting()
    table.fault("blocked", "camera")
    assert table.trouble is None
    table = betting(camera=True)
    table.fault("blocked", "camera")
    assert table.trouble == "device_fault"


# The dealer stands in.


def test_the_dealer_enters_the_cards_and_only_his_word_counts() -> None:
    table = betting()
    table.draw("9c")
    table.fault()
    table.takeover()
    assert table.trouble is None
    table.draw("2c")
    assert table.cards("banca") == ""
    table.draw("3h Kd 4s", by_hand=True)
    assert (table.cards("punto"), table.cards("banca")) == ("9c Kd", "3h 4s")
    assert table.now.by_hand
    assert table.waits == "close"


def test_what_the_shoe_told_before_the_dealer_stood_in_is_believed() -> None:
    table = betting()
    table.draw("9c")
    table.fault()
    table.draw("3h")
    table.takeover()
    assert table.cards("banca") == "3h"


def test_faults_of_a_device_that_the_dealer_stands_in_for_hold_nothing() -> None:
    table = betting()
    table.takeover()
    table.fault()
    assert table.trouble is None
    table.takeover("device")
    assert table.trouble is None
    table.fault()
    assert table.trouble == "device_fault"


def test_the_device_is_trusted_again() -> None:
    table = betting()
    table.takeover()
    table.draw("9c", by_hand=True)
    table.takeover("device")
    table.draw("3h Kd 4s")
    assert table.waits == "close"


def test_the_dealers_word_is_a_sighting_too_while_he_stands_in_for_the_camera() -> None:
    table = betting(camera=True)
    table.draw("9c 3h")
    table.takeover()
    table.draw("Kd 4s", by_hand=True)
    assert table.awaits == ("seen", "punto", "op.camera")
    table.see("9c", "punto", by_hand=True)
    table.see("3h", "banca", by_hand=True)
    assert table.waits == "close"


def test_a_shoe_alone_may_be_stood_in_for_and_the_camera_confirms_the_dealer() -> None:
    table = betting(camera=True)
    table.takeover(of="shoe")
    table.draw("9c", by_hand=True)
    assert table.felt.unseen == 1
    table.see("9c", "punto")
    assert table.felt.unseen == 0


def test_an_unread_card_entered_by_hand_is_unread() -> None:
    table = betting()
    table.takeover()
    table.draw("??", by_hand=True)
    assert table.trouble == "unreadable"


# What other devices and people report.


def test_an_error_that_no_device_sees_waits_for_the_supervisor() -> None:
    table = betting()
    table.draw("9c")
    table.dealing_error()
    assert table.awaits == ("ruling", None, "12")
    table.rule("resume")
    assert table.awaits == ("draw", "banca", "10")


def test_a_seat_may_be_void_in_a_round_that_goes_on() -> None:
    table = betting()
    table.bet("banca", seat=2)
    table.draw("9c")
    table.dealing_error()
    table.rule("void_seat", seat=2)
    table.rule("resume")
    table.draw("3h Kd 4s")
    assert table.results() == {"punto": "win", "banca 2": "void"}
    table.close()
    assert table.paid() == {"punto": 1000, "banca 2": 0}


def test_to_void_the_seats_that_a_dealing_error_touched_is_a_solution() -> None:
    table = betting()
    table.bet("banca", seat=2)
    table.bet("banca", seat=3)
    table.draw("9c")
    table.dealing_error("wrong_seat", 2, 3)
    table.rule("void_seat", seat=2)
    assert table.trouble == "dealing_error"
    table.rule("void_seat", seat=3)
    assert table.awaits == ("draw", "banca", "10")
    table.draw("3h Kd 4s")
    assert table.results() == {"punto": "win", "banca 2": "void", "banca 3": "void"}


def test_an_empty_shoe_voids_the_round_that_needs_another_card() -> None:
    table = betting()
    table.draw("9c 3h")
    table.empty()
    assert table.trouble == "shoe_empty"
    table.rule("void_round")
    assert table.results() == {"punto": "void"}
    assert table.waits == "shoe"


def test_an_empty_shoe_voids_a_round_that_only_has_its_bets() -> None:
    table = betting()
    table.empty()
    assert table.trouble == "shoe_empty"
    table.rule("void_round")
    assert table.waits == "shoe"


def test_an_empty_shoe_does_not_matter_to_a_round_that_has_all_its_cards() -> None:
    table = complete()
    table.empty()
    assert table.trouble is None
    table.close()
    assert table.paid() == {"punto": 1000}
    assert table.waits == "shoe"


def test_a_new_shoe_that_came_while_the_round_was_halted_is_there_when_the_round_is_void() -> None:
    table = betting()
    table.draw("9c 3h")
    table.empty()
    table.loaded(6)
    table.burned("2c 3c")
    table.rule("void_round")
    shoe = table.felt.standing.shoe
    assert (shoe.decks, shoe.out, shoe.over) == (6, 2, False)
    table.bet("punto")
    assert table.refused is None


def test_cards_that_a_void_round_never_took_have_left_the_shoe() -> None:
    table = complete()
    table.draw("5d 6d")
    table.face_up("7d")
    table.burned("8d")
    table.cut_card()
    table.rule("void_round")
    assert [str(card) for card in table.now.burned] == ["5d", "6d", "7d", "8d"]
    assert table.felt.standing.shoe.out == 8
    assert table.waits == "shoe"


def test_a_shoe_that_is_empty_while_the_round_is_halted_is_over_when_the_round_is_void() -> None:
    table = complete()
    table.draw("5d")
    table.empty()
    table.see("2c", "punto")
    table.rule("void_round")
    assert table.waits == "shoe"


def test_cards_burned_within_a_round_are_no_bodys() -> None:
    table = betting()
    table.draw("9c")
    table.burned("2c ??")
    table.draw("3h Kd 4s")
    assert table.now.burned == (table.log[2][1].cards)  # type: ignore[union-attr]
    assert table.paid() == {"punto": 1000}


# Opinions of the shoe.


def test_a_shoe_that_deals_for_another_hand_is_out_of_step() -> None:
    table = betting()
    table.hint("9c", "banca")
    assert table.trouble == "out_of_step"
    table.rule("resume")
    assert table.cards("punto") == "9c"
    table.hint("3h", "banca")
    assert table.cards("banca") == "3h"


def test_a_hint_at_a_card_that_is_not_due_is_an_extra_card() -> None:
    table = complete()
    table.hint("5d", "banca")
    assert table.trouble == "extra_card"


def test_a_reading_that_changes_is_no_reading() -> None:
    table = betting()
    draw = table.draw("9c")
    table.reread("9d", "punto", 1)
    assert table.trouble == "reading_changed"
    assert table.now.irregularity is not None
    assert table.now.irregularity.shoe == "9c"
    table.rule("replace", draw, drawn("9d"))
    assert table.trouble is None
    assert table.cards("punto") == "9d"


def test_a_reading_that_is_told_again_is_nothing_new() -> None:
    table = betting()
    table.draw("9c")
    table.reread("9c", "punto", 1)
    assert table.trouble is None


@pytest.mark.parametrize(("hint", "ordinal"), [("punto", 2), ("banca", 1), (None, None)])
def test_a_reading_of_a_card_that_nobody_knows_is_asked_about(hint: str | None, ordinal: int | None) -> None:
    table = betting()
    table.draw("9c")
    table.reread("9c", hint, ordinal)
    assert table.trouble == "reading_changed"
    table.rule("resume")
    assert table.trouble is None


def test_the_result_of_the_shoe_is_compared_with_ours() -> None:
    table = complete()
    table.result("punto")
    assert table.trouble is None
    table.result("banca")
    assert table.trouble == "result_mismatch"
    assert table.now.irregularity is not None
    assert table.now.irregularity.about == {"shoe": "banca", "ours": "punto"}
    table.rule("resume")
    assert table.waits == "close"


def test_after_one_ruling_on_its_cards_the_shoe_is_not_asked_again() -> None:
    table = betting()
    table.hint("9c", "punto")
    twice = table.hint("9c", "banca")
    table.rule("strike", twice)
    for name, shifted in (("3h", "punto"), ("Kd", "banca"), ("4s", "punto")):
        table.hint(name, shifted)
        assert table.trouble is None
    table.result("banca")
    assert table.waits == "close"
    table.close()
    assert table.paid() == {"punto": 1000}
    table.bet("punto")
    table.hint("9c", "banca")
    assert table.trouble == "out_of_step", "it is, in the next round"


def test_a_shoe_that_starts_anew_in_mid_round_may_have_dealt_to_nobody() -> None:
    table = betting()
    table.say(DeviceHello())
    assert table.trouble is None, "no card lay there"
    table.draw("9c 3h")
    hello = table.say(DeviceHello())
    assert (table.trouble, table.awaits) == ("restarted", ("ruling", "punto", "12"))
    table.rule("insert", hello, drawn("Kd"))
    assert table.trouble == "restarted", "there may be more"
    table.rule("resume")
    table.hint("4s", "punto")
    assert table.trouble is None, "its own game began anew"
    assert table.waits == "close"
    table.say(DeviceHello())
    assert table.waits == "close", "no card is due"


def test_a_shoe_that_counts_other_cards_for_a_hand_is_out_of_step() -> None:
    table = betting()
    table.draw("9c 3h")
    table.say(CardDrawn(Card.KD, "punto", 1))
    assert table.trouble == "out_of_step"
    other = betting()
    other.draw("9c 3h")
    other.say(CardDrawn(Card.KD, "punto", 2))
    assert other.trouble is None


def test_of_two_that_are_missing_one_is_not_enough() -> None:
    table = betting()
    table.draw("9c")
    gap = table.gap(2)
    table.rule("replace", gap, drawn("3h"))
    assert table.trouble == "missing_card"
    assert table.cards("banca") == "3h"
    table.rule("resume", gap)
    assert table.awaits[:2] == ("draw", "punto")


def test_a_closed_round_is_put_right_against_the_result_of_a_shoe_that_misread() -> None:
    table = betting()
    table.draw("9c 3h Kd")
    misread = table.draw("4s")
    table.result("punto")
    table.close()
    table.rule("replace", misread, drawn("6s"))
    assert table.play.round(0).over
    assert table.paid(0) == {"punto": 0}


def test_a_result_before_the_cards_are_out_is_no_result_of_ours() -> None:
    table = betting()
    table.result("punto")
    assert table.trouble is None
    table.draw("9c")
    table.result("punto")
    assert table.trouble == "result_mismatch"


def test_a_shoe_that_was_made_to_quit_says_no_result() -> None:
    table = complete()
    table.result(None)
    assert table.trouble is None


# What all have in common.


@pytest.mark.parametrize("code", sorted(REMEDIES))
def test_no_remedy_is_proposed_that_the_rulings_do_not_know(code: str) -> None:
    assert set(REMEDIES[code]) <= {"burn", "resume", "insert", "replace", "strike", "void_round"}


def test_a_halted_round_pays_nothing() -> None:
    table = complete()
    assert table.paid() == {"punto": 1000}
    table.draw("5d")
    assert table.paid() == {}


def test_the_first_irregularity_holds_and_the_next_is_told_after_it() -> None:
    table = complete()
    extra = table.draw("5d")
    back = table.card_back()
    assert table.trouble == "extra_card"
    table.rule("burn", extra)
    assert table.trouble == "card_returned"
    table.rule("resume", back)
    assert table.waits == "close"
