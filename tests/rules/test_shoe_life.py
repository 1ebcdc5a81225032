"""The life of a shoe: load, burn, deal, cut card, last round, end."""

import pytest

from rules.cards import DECK, card
from rules.ez_baccarat import GAME
from rules.law import Law
from rules.shoe import Shoe
from tests.rules.table import Table

NATURAL = "9c 3h Kd 4s"


def law(**options: object) -> Law:
    """The law of a table."""
    return Law.of(GAME, options)


# What may leave it.


def test_a_full_shoe_gives_every_card_of_its_decks_and_no_other() -> None:
    shoe = Shoe(2)
    for face in DECK * 2:
        assert shoe.gives(law(), face) is None
    assert shoe.left == 0
    for face in DECK:
        assert shoe.gives(law(), face) == "count_exceeded"
    assert shoe.gives(law(), card("joker")) == "foreign_card"
    assert shoe.out == 104


def test_what_it_objects_to_is_not_counted_until_a_ruling_says_that_it_left() -> None:
    shoe = Shoe(1)
    shoe.leaves(card("9c"))
    assert shoe.gives(law(), card("9c")) == "count_exceeded"
    assert shoe.out == 1
    shoe.leaves(card("9c"))
    assert (shoe.out, shoe.left) == (2, 50)


def test_a_card_nobody_read_is_counted_too() -> None:
    shoe = Shoe(1)
    shoe.leaves(None)
    assert shoe.left == 51


def test_more_cards_than_it_held_leave_none() -> None:
    shoe = Shoe(1)
    for _ in range(60):
        shoe.leaves(None)
    assert shoe.left == 0


def test_a_copy_knows_nothing_of_what_leaves_later() -> None:
    shoe = Shoe(1)
    copy = shoe.copy()
    shoe.leaves(card("9c"))
    assert copy == Shoe(1)


# Load and burn.


def test_a_new_shoe_knows_nothing_of_the_old() -> None:
    shoe = Shoe(8)
    shoe.leaves(card("9c"))
    shoe.cut_card(law(), begun=True, dealt=True)
    shoe.round_over()
    assert shoe.over
    shoe.load(6)
    assert shoe == Shoe(6, number=1, fresh=True)


def test_a_table_that_burns_by_the_first_card_begins_without_a_shoe() -> None:
    table = Table(burn="first_card")
    assert table.waits == "shoe"
    table.bet("punto")
    assert table.refused == "shoe_over"
    table.free_hand()
    assert table.refused == "not_due"


def test_a_table_that_burns_as_reported_begins_with_a_shoe() -> None:
    assert Table().waits == "bets"


def test_a_bet_before_the_burn_is_taken_where_the_burn_is_as_reported() -> None:
    table = Table()
    table.loaded()
    table.bet("punto")
    assert table.refused is None
    assert table.waits == "bets"


def test_the_burn_may_come_in_one_report_or_card_by_card() -> None:
    for reports in (["3c ?? ?? ??"], ["3c", "??", "?? ??"], ["3c ??", "2d 4h"]):
        table = Table(burn="first_card")
        table.loaded()
        for i, names in enumerate(reports, start=1):
            table.burned(names)
            assert table.waits == ("bets" if i == len(reports) else "shoe")
        assert table.felt.standing.shoe.out == 4


def test_more_cards_burned_than_the_first_one_says_are_as_good() -> None:
    table = Table(burn="first_card")
    table.loaded()
    table.burned("Ac ?? ?? ??")
    assert table.waits == "bets"


def test_a_burn_that_a_supervisor_lets_pass_unread_is_done() -> None:
    table = Table(burn="first_card")
    table.loaded()
    first = table.burned("??")
    assert table.awaits == ("ruling", "burn", "12")
    table.rule("burn", first)
    assert table.waits == "bets"


def test_a_first_burn_card_that_is_none_of_this_game_says_nothing() -> None:
    table = Table(burn="first_card")
    table.loaded(8)
    first = table.burned("joker")
    assert table.trouble == "foreign_card"
    table.rule("burn", first)
    assert table.felt.standing.shoe.to_burn == 0
    assert table.waits == "bets"


def test_a_shoe_changed_within_a_round_is_burned_before_the_next() -> None:
    table = Table(burn="first_card")
    table.loaded()
    table.burned("Ac ??")
    table.bet("punto")
    table.draw("9c 3h")
    table.loaded(8)
    table.draw("Kd 4s")
    table.close()
    table.bet("punto")
    table.draw("2c")
    assert table.now.irregularity is not None
    assert table.now.irregularity.about["lack"] == "unburned"


def test_a_shoe_changed_and_burned_within_a_round_is_ready_for_the_next() -> None:
    table = Table(burn="first_card")
    table.loaded()
    table.burned("Ac ??")
    table.bet("punto")
    table.draw("9c 3h")
    table.loaded(8)
    table.burned("Ad ??")
    table.draw("Kd 4s")
    assert table.now.burned == ()
    table.close()
    table.bet("punto")
    table.draw("2c")
    assert table.trouble is None


# The cut card.


@pytest.mark.parametrize(
    ("after_cut", "when", "more"),
    [
        ("finish_only", "before the bets", 0),
        ("finish_only", "after the bets", 1),
        ("finish_only", "after the first card", 1),
        ("finish_only", "before the closing", 1),
        ("finish_plus_one", "before the bets", 1),
        ("finish_plus_one", "after the bets", 1),
        ("finish_plus_one", "after the first card", 2),
        ("finish_plus_one", "before the closing", 2),
    ],
)
def test_so_many_rounds_end_after_the_cut_card(after_cut: str, when: str, more: int) -> None:
    table = Table(after_cut=after_cut)
    table.dealt(NATURAL)
    if when == "before the bets":
        table.cut_card()
    else:
        table.bet("punto")
        if when == "after the bets":
            table.cut_card()
        table.draw("9c")
        if when == "after the first card":
            table.cut_card()
        table.draw("3h Kd 4s")
        if when == "before the closing":
            table.cut_card()
        table.close()
        more -= 1
    for _ in range(more):
        assert table.waits in ("bets", "nothing")
        table.dealt(NATURAL)
        assert table.refused is None
    assert table.waits == "shoe"
    table.bet("punto")
    assert table.refused == "shoe_over"


def test_a_cut_card_told_twice_is_one_cut_card() -> None:
    table = Table(after_cut="finish_plus_one")
    table.bet("punto")
    table.draw("9c")
    table.cut_card()
    table.cut_card()
    table.draw("3h Kd 4s")
    table.close()
    table.cut_card()
    assert table.waits == "bets"
    table.dealt(NATURAL)
    assert table.waits == "shoe"


def test_a_void_round_counts_as_the_round_that_follows_the_cut_card() -> None:
    table = Table(after_cut="finish_plus_one")
    table.bet("punto")
    table.draw("9c")
    table.cut_card()
    table.draw("3h Kd 4s")
    table.close()
    table.bet("punto")
    table.rule("void_round")
    assert table.waits == "shoe"


def test_a_free_hand_counts_as_a_round_that_has_begun() -> None:
    table = Table()
    table.free_hand()
    table.cut_card()
    assert table.waits == "bets"
    table.draw(NATURAL)
    table.close()
    assert table.waits == "shoe"


def test_after_the_last_round_a_new_shoe_is_awaited_until_it_is_loaded_and_burned() -> None:
    table = Table()
    table.bet("punto")
    table.cut_card()
    table.draw(NATURAL)
    table.close()
    assert table.awaits == ("shoe", None, "6.d")
    table.loaded()
    assert table.waits == "shoe"
    table.burned("2c 3c 4c")
    assert table.waits == "bets"
    table.dealt(NATURAL)
    assert table.waits == "nothing"
    assert len(table.play) == 2


def test_a_shoe_that_empties_between_rounds_is_over() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.empty()
    assert table.waits == "shoe"
    table.loaded()
    table.burned("2c")
    assert table.waits == "bets"


def test_a_shoe_may_be_changed_before_it_is_over() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.loaded(6)
    assert (table.felt.standing.shoe.number, table.felt.standing.shoe.decks) == (1, 6)
