"""Shoe and camera compared, and tables where the sightings tell the cards."""

import pytest

from rules.cards import card
from rules.round import Laid
from rules.sightings import compare
from tests.rules.table import Table, drawn, seen

NATURAL = "9c 3h Kd 4s"


def betting(**options: object) -> Table:
    """A table with a bet on Punto, where every card must be confirmed."""
    table = Table(**{"camera": True, **options})
    table.bet("punto")
    return table


def laid(*cards: tuple[str, str, bool]) -> list[Laid]:
    """Cards on the felt: where, which, and whether they were seen."""
    return [Laid(spot, card(name), n, is_seen) for n, (spot, name, is_seen) in enumerate(cards)]


# The comparison itself.


@pytest.mark.parametrize(
    ("sighting", "felt", "due_at", "before", "verdict"),
    [
        ("8s punto", [("punto", "8s", False)], "banca", [], ("confirms", 0)),
        ("8s punto", [("punto", "8s", True)], "banca", [], ("repeats", -1)),
        ("8s banca", [("punto", "8s", False)], "banca", [], ("wrong_spot", 0)),
        ("8s banca", [("punto", "8s", True), ("banca", "9c", True)], "punto", [], ("repeats", -1)),
        ("8s banca", [("punto", "8s", True), ("banca", "9c", False)], "punto", [], ("mismatch", 1)),
        ("8s banca", [("punto", "8s", True)], "banca", [], ("mismatch", -1)),
        ("6s punto", [("punto", "8s", False)], "banca", [], ("mismatch", 0)),
        ("6s punto", [("punto", "8s", True)], "punto", [], ("mismatch", -1)),
        ("6s punto", [("punto", "8s", True)], None, [], ("mismatch", -1)),
        ("8s banca", [("punto", "8s", False), ("banca", "8s", False)], "punto", [], ("confirms", 1)),
        ("8s punto", [("punto", "8s", True), ("punto", "8s", False)], None, [], ("confirms", 1)),
        ("8s punto", [], None, [("punto", "8s", True)], ("elsewhere", -1)),
        ("8s punto", [], "punto", [("punto", "8s", True)], ("mismatch", -1)),
        ("8s punto", [], None, [("punto", "9c", True)], ("mismatch", -1)),
        ("8s punto", [("banca", "2c", True)], None, [("punto", "8s", True)], ("mismatch", -1)),
    ],
)
def test_what_a_sighting_says(
    sighting: str,
    felt: list[tuple[str, str, bool]],
    due_at: str | None,
    before: list[tuple[str, str, bool]],
    verdict: tuple[str, int],
) -> None:
    name, at = sighting.split()
    assert compare(card(name), at, laid(*felt), due_at, laid(*before)) == verdict


# Every card is confirmed.


def test_cards_are_confirmed_in_any_order_and_as_late_as_the_closing() -> None:
    table = betting()
    table.draw(NATURAL)
    for names, at in (("4s", "banca"), ("Kd", "punto"), ("9c", "punto")):
        table.see(names, at)
        assert table.waits == "seen"
    table.see("3h", "banca")
    assert table.waits == "close"


def test_a_card_lying_face_down_says_nothing() -> None:
    table = betting()
    table.draw("9c")
    table.see("back", "punto")
    assert table.felt.unseen == 1
    assert table.trouble is None


def test_a_card_seen_twice_is_one_card() -> None:
    table = betting()
    table.draw("9c 3h 9c 4s")
    table.see("9c", "punto")
    assert table.felt.unseen == 3
    table.see("9c", "punto")
    assert table.felt.unseen == 2
    table.see("9c", "punto")
    assert table.felt.unseen == 2
    assert table.trouble is None


def test_a_card_at_the_other_hand_halts_until_it_was_moved() -> None:
    table = betting()
    table.draw("9c")
    sighting = table.see("9c", "banca")
    assert (table.trouble, table.awaits[1]) == ("wrong_spot", "punto")
    table.rule("resume", sighting)
    assert table.felt.unseen == 0
    assert table.awaits == ("draw", "banca", "10")


def test_a_card_at_the_other_hand_may_have_been_a_wrong_look() -> None:
    table = betting()
    table.draw("9c")
    sighting = table.see("9c", "banca")
    table.rule("strike", sighting)
    assert table.felt.unseen == 1
    table.see("9c", "punto")
    assert table.felt.unseen == 0


@pytest.mark.parametrize("at", ["burn", "dealer", "seat 3"])
def test_a_card_of_a_hand_that_lies_where_no_hand_is_lies_wrong(at: str) -> None:
    table = betting()
    table.draw("9c")
    table.see("9c", at)
    assert table.trouble == "wrong_spot"


def test_what_else_lies_where_no_hand_is_says_nothing() -> None:
    table = betting()
    table.draw("9c")
    table.see("2c", "burn")
    assert table.trouble is None


def test_where_shoe_and_camera_differ_both_readings_are_told() -> None:
    table = betting()
    table.draw("8s")
    table.see("6s", "punto")
    trouble = table.now.irregularity
    assert trouble is not None
    assert (trouble.code, trouble.shoe, trouble.spot) == ("shoe_camera_mismatch", "8s", "punto")
    assert trouble.fact == seen("6s", "punto")


def test_where_shoe_and_camera_differ_the_camera_may_be_right() -> None:
    table = betting()
    draw = table.draw("8s")
    table.see("6s", "punto")
    table.rule("replace", draw, drawn("6s"))
    assert table.trouble is None
    assert table.felt.unseen == 0
    assert table.cards("punto") == "6s"


def test_where_shoe_and_camera_differ_the_shoe_may_be_right() -> None:
    table = betting()
    table.draw("8s")
    sighting = table.see("6s", "punto")
    table.rule("replace", sighting, seen("8s", "punto"))
    assert table.trouble is None
    assert table.felt.unseen == 0


def test_a_sighting_set_aside_leaves_the_card_to_be_seen() -> None:
    table = betting()
    table.draw("8s")
    table.see("6s", "punto")
    table.rule("resume")
    assert table.trouble is None
    assert table.felt.unseen == 1


def test_a_card_that_the_shoe_never_gave_halts() -> None:
    table = betting()
    sighting = table.see("9c", "punto")
    assert table.trouble == "shoe_camera_mismatch"
    table.rule("insert", sighting, drawn("9c"))
    assert table.trouble is None
    assert table.awaits == ("draw", "banca", "10")
    assert table.felt.unseen == 0


def test_a_stranger_beside_a_complete_hand_halts() -> None:
    table = betting()
    table.draw(NATURAL)
    table.see("9c Kd", "punto")
    table.see("3h 4s", "banca")
    table.see("2c", "banca")
    assert table.trouble == "shoe_camera_mismatch"


def test_the_cards_of_the_round_before_may_still_lie_there() -> None:
    table = betting()
    table.draw(NATURAL)
    table.see("9c Kd", "punto")
    table.see("3h 4s", "banca")
    table.close()
    table.bet("punto")
    table.see("9c", "punto")
    assert table.trouble is None


def test_while_nothing_of_a_round_has_begun_the_felt_may_be_full_of_cards() -> None:
    table = Table(camera=True)
    table.loaded()
    table.see("9c 2c 7h", "punto")
    assert table.trouble is None


def test_a_dealer_who_names_another_card_than_the_one_he_is_asked_for_says_that_it_is_not_there() -> None:
    table = betting()
    table.draw("9c 3h Kd 4s")
    table.see("9c", "punto")
    table.see("9c", "punto", by_hand=True)
    trouble = table.now.irregularity
    assert trouble is not None
    assert (trouble.code, trouble.shoe) == ("shoe_camera_mismatch", "Kd")


def test_a_dealer_who_names_a_seen_card_where_all_were_seen_says_nothing_new() -> None:
    table = betting()
    table.draw("9c")
    table.see("9c", "punto", by_hand=True)
    table.see("9c", "punto", by_hand=True)
    assert table.trouble is None


def test_where_the_camera_is_not_sure_it_is_told_until_the_card_was_seen() -> None:
    table = betting()
    table.draw("9c")
    table.unsure("punto")
    table.unsure("banca")
    assert set(table.now.unsure) == {"punto", "banca"}
    table.see("9c", "punto")
    assert set(table.now.unsure) == {"banca"}


# Tables that need no sighting compare them all the same.


def test_without_the_need_of_a_camera_a_contradiction_halts() -> None:
    table = betting(camera=False)
    table.draw("8s")
    table.see("6s", "punto")
    trouble = table.now.irregularity
    assert trouble is not None
    assert (trouble.code, trouble.shoe) == ("shoe_camera_mismatch", "8s")


def test_without_the_need_of_a_camera_a_card_at_the_wrong_hand_halts() -> None:
    table = betting(camera=False)
    table.draw("8s")
    table.see("8s", "banca")
    assert table.trouble == "wrong_spot"
    table.rule("resume")
    table.draw("3h Kd 4s")
    assert table.waits == "close"


def test_without_the_need_of_a_camera_nothing_waits_for_it() -> None:
    table = betting(camera=False)
    table.draw("9c")
    table.see("9c 9c", "punto")
    table.draw("3h Kd 4s")
    assert table.waits == "close"


# While the dealer stands in for the shoe.


def test_the_camera_waits_for_the_word_of_a_dealer_who_stands_in_for_the_shoe() -> None:
    table = betting()
    table.takeover(of="shoe")
    table.see("9c", "punto")
    assert table.trouble is None
    assert table.cards("punto") == ""
    table.see("3h", "banca")
    table.draw("9c", by_hand=True)
    assert table.felt.unseen == 0
    table.draw("3h", by_hand=True)
    assert table.felt.unseen == 0
    table.draw("Kd 4s", by_hand=True)
    table.see("Kd", "punto")
    table.see("4s", "banca")
    assert table.waits == "close"


def test_a_word_that_differs_from_what_the_camera_saw_before_it_halts() -> None:
    table = betting()
    table.takeover(of="shoe")
    sighting = table.see("9c", "punto")
    table.draw("9d", by_hand=True)
    trouble = table.now.irregularity
    assert trouble is not None
    assert (trouble.code, trouble.n, trouble.shoe) == ("shoe_camera_mismatch", sighting, "9d")


def test_what_the_camera_saw_and_no_word_came_for_halts_at_the_end() -> None:
    table = betting()
    table.takeover(of="shoe")
    table.draw("9c 3h Kd", by_hand=True)
    table.see("9c Kd", "punto")
    table.see("3h 2d", "banca")
    assert table.trouble is None
    table.draw("4s", by_hand=True)
    assert table.trouble == "shoe_camera_mismatch"


def test_the_finger_of_a_dealer_who_stands_in_for_the_shoe_is_his_word() -> None:
    table = betting(camera=False)
    table.takeover()
    table.see("9c", "punto", by_hand=True)
    assert table.cards("punto") == "9c"
    assert table.awaits == ("draw", "banca", "10")
    table.see("9c", "punto", by_hand=True)
    assert table.cards("punto") == "9c"
    table.draw("3h", by_hand=True)
    table.see("4s", "banca", by_hand=True)
    assert table.cards("banca") == "3h"
    table.see("Kd", "punto", by_hand=True)
    assert (table.cards("punto"), table.cards("banca")) == ("9c Kd", "3h 4s")
    assert table.now.by_hand
    assert table.waits == "close"


def test_a_finger_on_a_card_that_is_never_due_halts_at_the_end() -> None:
    table = betting(camera=False)
    table.takeover()
    table.see("2d", "banca", by_hand=True)
    table.see("4s", "banca", by_hand=True)
    table.see("5s", "banca", by_hand=True)
    table.see("9c Kd", "punto", by_hand=True)
    assert table.trouble == "shoe_camera_mismatch"


# Tables without a shoe: the sightings tell the cards.


def seen_only() -> Table:
    """A table without a shoe, and a bet on Punto."""
    return betting(shoe="none")


def test_without_a_shoe_the_sightings_are_laid_in_the_order_of_the_rules() -> None:
    table = seen_only()
    assert table.waits == "bets"
    table.see("3h 4s", "banca")
    assert table.awaits == ("seen", "punto", "op.camera")
    assert table.cards("banca") == ""
    table.see("9c", "punto")
    assert table.cards("banca") == "3h"
    table.see("Kd", "punto")
    assert table.waits == "close"
    assert table.paid() == {"punto": 1000}


def test_without_a_shoe_the_first_sighting_without_bets_is_early() -> None:
    table = Table(shoe="none", camera=True)
    table.see("9c", "punto")
    assert table.trouble == "early_card"
    table.rule("resume")
    assert table.cards("punto") == "9c"


def test_without_a_shoe_a_face_seen_twice_is_asked_about() -> None:
    table = seen_only()
    table.see("9c", "punto")
    again = table.see("9c", "punto")
    assert table.trouble == "same_card_again"
    table.rule("resume", again)
    table.see("3h 4s", "banca")
    assert table.cards("punto") == "9c 9c"


def test_without_a_shoe_a_face_that_waits_and_is_seen_again_is_asked_about() -> None:
    table = seen_only()
    table.see("3h", "banca")
    again = table.see("3h", "banca")
    assert table.trouble == "same_card_again"
    table.rule("strike", again)
    table.see("9c Kd", "punto")
    table.see("4s", "banca")
    assert table.cards("banca") == "3h 4s"


def test_without_a_shoe_a_sighting_that_is_never_due_is_extra_and_may_be_burned() -> None:
    table = seen_only()
    table.see("9c Kd", "punto")
    table.see("3h 4s", "banca")
    extra = table.see("5d", "banca")
    assert table.trouble == "extra_card"
    table.rule("burn", extra)
    assert table.waits == "close"
    table.see("5d", "banca")
    assert table.waits == "close"


def test_without_a_shoe_one_copy_too_many_halts() -> None:
    table = betting(shoe="none", decks=1)
    table.see("9c", "punto")
    second = table.see("9c", "banca")
    assert table.trouble == "count_exceeded"
    table.rule("replace", second, seen("9d", "banca"))
    assert table.cards("banca") == "9d"


def test_without_a_shoe_what_lies_where_no_hand_is_says_nothing() -> None:
    table = seen_only()
    table.see("9c", "burn")
    assert table.waits == "bets"
    table.unsure("punto")
    table.see("9c", "punto")
    assert table.now.unsure == {}


def test_without_a_shoe_a_card_from_the_dealers_hand_is_laid_where_it_is_due() -> None:
    table = seen_only()
    table.see("3h", "banca")
    table.draw("9c", by_hand=True)
    assert (table.cards("punto"), table.cards("banca")) == ("9c", "3h")


def test_without_a_camera_either_the_dealer_enters_every_card() -> None:
    table = seen_only()
    table.takeover()
    table.see("9c", "punto")
    assert table.cards("punto") == ""
    for name, at in (("9c", "punto"), ("3h", "banca"), ("Kd", "punto"), ("4s", "banca")):
        table.see(name, at, by_hand=True)
    assert table.waits == "close"


# Shoes that count: they tell that a card left, the sightings tell which.


def counting() -> Table:
    """A table whose shoe counts cards and does not read them, and a bet on Punto."""
    return betting(shoe="counts")


def test_a_counting_shoe_waits_for_the_card_and_then_for_its_sighting() -> None:
    table = counting()
    table.draw("??")
    assert table.awaits == ("seen", "punto", "op.camera")
    table.see("9c", "punto")
    assert table.awaits == ("draw", "banca", "10")
    table.see("3h", "banca")
    assert table.cards("banca") == ""
    table.draw("??")
    assert table.cards("banca") == "3h"


def test_a_counting_shoe_may_be_ahead_of_the_camera_by_a_whole_deal() -> None:
    table = counting()
    table.draw("?? ?? ?? ??")
    table.see("4s 3h", "banca")
    table.see("9c Kd", "punto")
    assert table.cards("banca") == "4s 3h"
    assert table.waits == "close"


def test_an_extra_card_of_a_counting_shoe_halts_at_once_where_all_were_seen() -> None:
    table = counting()
    table.draw("?? ?? ?? ??")
    table.see("9c Kd", "punto")
    table.see("3h 4s", "banca")
    extra = table.draw("??")
    assert table.trouble == "extra_card"
    table.rule("burn", extra)
    assert table.waits == "close"
    assert table.felt.standing.shoe.out == 5


def test_an_extra_card_of_a_counting_shoe_halts_when_the_sightings_tell_that_it_was() -> None:
    table = counting()
    table.draw("?? ?? ?? ??")
    extra = table.draw("??")
    table.see("9c Kd", "punto")
    table.see("3h 4s", "banca")
    assert table.now.irregularity is not None
    assert (table.trouble, table.now.irregularity.n) == ("extra_card", extra)
    table.rule("burn", extra)
    assert table.waits == "close"


def test_a_sighting_that_the_counting_shoe_has_no_card_for_halts_at_the_end() -> None:
    table = counting()
    table.draw("?? ?? ?? ??")
    table.see("9c Kd", "punto")
    table.see("3h 4s 5d", "banca")
    assert table.trouble == "shoe_camera_mismatch"


def test_a_card_that_a_counting_shoe_did_read_is_believed() -> None:
    table = counting()
    table.draw("9c")
    table.see("9c", "punto")
    assert table.trouble == "same_card_again"
    table = counting()
    table.draw("9c ??")
    table.see("3h", "banca")
    assert (table.cards("punto"), table.cards("banca")) == ("9c", "3h")


def test_the_dealer_enters_what_a_counting_shoe_cannot() -> None:
    table = counting()
    table.draw("??")
    table.see("9c", "punto")
    table.takeover()
    assert table.awaits == ("draw", "banca", "10")
    table.draw("3h", by_hand=True)
    table.see("Kd", "punto", by_hand=True)
    table.draw("4s", by_hand=True)
    assert table.waits == "close"
