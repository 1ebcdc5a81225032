"""Rulings: each mends one thing, the later one wins, and the log keeps everything."""

import pytest

from rules.facts import BetPlaced, Closed, Fact, GapFound, RoundOpened, Ruled, TableSet
from tests.rules.table import Table, drawn, seen

NATURAL = "9c 3h Kd 4s"
"""Punto wins with nine, and nobody draws."""


def betting(**options: object) -> Table:
    """A table with a bet on Punto."""
    table = Table(**options)
    table.bet("punto")
    return table


def ruling(action: str, n: int | None = None, right: Fact | None = None, seat: int | None = None) -> Ruled:
    """A ruling, as the right fact of another."""
    return Ruled(action, n, right, seat)


# Strike, replace, insert.


def test_a_fact_that_is_struck_did_not_happen() -> None:
    table = betting()
    bet = table.bet("banca", seat=2)
    table.rule("strike", bet)
    assert [bet.bet for bet in table.now.bets] == ["punto"]


def test_a_card_that_is_struck_gives_its_place_to_the_next() -> None:
    table = betting()
    first = table.draw("2c")
    table.draw(NATURAL)
    assert table.trouble == "extra_card"
    table.rule("strike", first)
    assert (table.cards("punto"), table.cards("banca")) == ("9c Kd", "3h 4s")
    assert table.waits == "close"


def test_a_replaced_card_changes_what_is_due_further_on() -> None:
    table = betting()
    table.draw("9c 3h")
    king = table.draw("Kd")
    table.draw("4s")
    table.rule("replace", king, drawn("5d"))
    assert table.awaits == ("draw", "punto", "11.c")
    table.rule("replace", king, drawn("7d"))
    assert table.waits == "close"


def test_a_replaced_card_makes_a_later_one_extra_and_the_supervisor_is_led_there() -> None:
    table = betting()
    table.draw("9c 3h")
    third = table.draw("5d")
    table.draw("4s")
    fifth = table.draw("2h")
    assert table.cards("punto") == "9c 5d 2h"
    table.rule("replace", third, drawn("Kd"))
    assert table.trouble == "extra_card"
    assert table.now.irregularity is not None
    assert table.now.irregularity.n == fifth
    table.rule("burn", fifth)
    assert table.waits == "close"


def test_a_replaced_card_may_be_one_too_many_of_its_kind() -> None:
    table = betting(decks=1)
    table.draw("9c")
    second = table.draw("3h")
    table.rule("replace", second, drawn("9c"))
    assert table.trouble == "count_exceeded"


def test_a_card_that_is_inserted_comes_before_the_fact_that_is_named() -> None:
    table = betting()
    table.draw("9c")
    third = table.draw("Kd")
    table.draw("4s")
    inserted = table.rule("insert", third, drawn("3h"))
    assert (table.cards("punto"), table.cards("banca")) == ("9c Kd", "3h 4s")
    assert [laid.n for laid in table.now.laid] == [2, inserted, 3, 4]


def test_cards_inserted_before_one_fact_come_in_the_order_of_their_rulings() -> None:
    table = betting()
    last = table.draw("4s")
    for name in ("9c", "3h", "Kd"):
        table.rule("insert", last, drawn(name))
    assert (table.cards("punto"), table.cards("banca")) == ("9c Kd", "3h 4s")


def test_a_card_may_be_inserted_at_the_end_under_the_number_of_the_ruling() -> None:
    table = betting()
    table.draw("9c 3h Kd")
    table.rule("insert", table.n + 1, drawn("4s"))
    assert table.refused is None
    assert table.waits == "close"


def test_an_insertion_at_its_own_number_is_struck_like_any_other() -> None:
    table = betting()
    table.draw("9c 3h Kd")
    inserted = table.rule("insert", table.n + 1, drawn("4s"))
    table.rule("strike", inserted)
    assert table.awaits == ("draw", "banca", "10")


def test_a_card_that_a_ruling_brought_was_entered_by_a_person() -> None:
    table = betting()
    first = table.draw("2c")
    table.rule("replace", first, drawn("9c"))
    assert table.now.by_hand


def test_a_bet_that_was_too_late_counts_when_the_card_before_it_is_struck() -> None:
    table = Table()
    table.bet("punto", 1000)
    first = table.draw("2c")
    late = table.bet("punto", 3000)
    assert table.refused == "bets_closed"
    table.rule("strike", first)
    assert table.refused is None
    table.draw(NATURAL)
    assert table.paid() == {"punto": 3000}
    assert late == 3


def test_a_ruling_that_would_leave_a_seat_without_its_bet_is_refused_with_the_reason() -> None:
    table = Table(limits={"main": (500, 2000)})
    table.bet("punto", 1000)
    draw = table.bet("punto", 1000, player="joined 1")
    table.draw("9c 3h Kd 4s")
    table.rule("replace", draw, BetPlaced(1, "punto", 5000, "joined 1"))
    assert table.refused == "over_limit"
    table.rule("replace", draw - 1, BetPlaced(1, "punto", 1500))
    assert table.refused == "over_limit"
    table.rule("replace", draw - 1, BetPlaced(9, "punto", 1000))
    assert table.refused == "no_seat"
    assert [bet.stake for bet in table.now.bets] == [1000, 1000]


def test_a_bet_that_another_kept_off_counts_when_the_other_is_struck() -> None:
    table = Table()
    punto = table.bet("punto")
    table.bet("banca")
    assert table.refused == "both_mains"
    table.rule("strike", punto)
    assert [bet.bet for bet in table.now.bets] == ["banca"]


# Burn.


def test_a_burned_card_counts_for_nobody_and_has_left_the_shoe() -> None:
    table = betting()
    first = table.draw("2c")
    table.rule("burn", first)
    assert [str(card) for card in table.now.burned] == ["2c"]
    table.draw(NATURAL)
    assert table.felt.standing.shoe.out == 5
    assert table.paid() == {"punto": 1000}


def test_a_burned_card_moves_all_that_came_after_it() -> None:
    table = betting()
    table.draw("9c")
    second = table.draw("2c")
    table.draw("3h Kd 4s")
    table.rule("burn", second)
    assert (table.cards("punto"), table.cards("banca")) == ("9c Kd", "3h 4s")


def test_an_inserted_card_is_burned_under_the_number_of_its_ruling() -> None:
    table = betting()
    table.draw(NATURAL)
    inserted = table.rule("insert", 5, drawn("2c"))
    assert table.trouble == "extra_card"
    table.rule("burn", inserted)
    assert table.refused is None
    assert [str(card) for card in table.now.burned] == ["2c"]


def test_only_a_card_is_burned() -> None:
    table = betting()
    table.rule("burn", 1)
    assert table.refused == "not_a_card"
    gap = table.gap()
    table.rule("burn", gap)
    assert table.refused == "not_a_card"
    resumed = table.rule("resume", gap)
    table.rule("burn", resumed)
    assert table.refused == "not_a_card"


def test_a_sighting_is_burned_only_where_it_tells_the_card() -> None:
    table = betting(camera=True)
    table.draw("9c")
    sighting = table.see("9c", "punto")
    table.rule("burn", sighting)
    assert table.refused == "not_a_card"
    table = Table(shoe="none", camera=True)
    sighting = table.see("9c", "punto")
    assert table.trouble == "early_card"
    table.rule("burn", sighting)
    assert table.waits == "bets"
    assert [str(card) for card in table.now.burned] == ["9c"]


# Void and resume.


def test_a_void_round_is_over_and_every_stake_goes_back() -> None:
    table = betting()
    table.bet("empate", 200)
    table.draw("9c")
    table.rule("void_round")
    assert table.waits == "nothing"
    assert table.results() == {"punto": "void", "empate": "void"}
    assert table.paid() == {"punto": 0, "empate": 0}
    assert table.now.outcome is None


def test_closing_a_void_round_is_accepted_and_changes_nothing() -> None:
    table = betting()
    table.rule("void_round")
    for _ in range(2):
        table.close()
        assert table.refused is None
        assert len(table.play) == 1
    table.bet("punto")
    assert len(table.play) == 2


def test_a_round_that_was_paid_may_be_void_until_the_next_begins() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.rule("void_round")
    assert table.results() == {"punto": "void"}
    assert len(table.play) == 1


def test_a_round_of_which_nothing_has_begun_cannot_be_void() -> None:
    table = Table()
    table.rule("void_round")
    assert table.refused == "not_due"
    assert not table.now.over


def test_a_void_seat_has_its_bets_back_and_the_others_play() -> None:
    table = betting()
    table.bet("banca", seat=2)
    table.bet("empate", seat=2)
    table.draw("9c")
    table.rule("void_seat", seat=2)
    table.draw("3h Kd 4s")
    table.close()
    assert table.results() == {"punto": "win", "banca 2": "void", "empate 2": "void"}


def test_a_seat_without_bets_is_not_void() -> None:
    table = betting()
    table.rule("void_seat", seat=3)
    assert table.refused == "no_bet_there"
    table.rule("void_seat")
    assert table.refused == "no_bet_there"


def test_a_seat_of_a_round_that_is_closed_may_be_void() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.bet("banca")
    table.rule("void_seat", 1, seat=1)
    assert table.results(0) == {"punto": "void"}
    assert table.results(1) == {}


def test_a_round_that_is_closed_may_be_void() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.bet("banca")
    table.draw("2c")
    table.rule("void_round", 3)
    assert table.results(0) == {"punto": "void"}
    assert table.awaits == ("draw", "banca", "10")


def test_there_is_nothing_to_resume_while_nothing_is_halted() -> None:
    table = betting()
    table.rule("resume")
    assert table.refused == "nothing_to_resume"
    table.rule("resume", 1)
    assert table.refused == "cannot_resume"


# The later ruling wins, and a ruling may name a ruling.


def test_of_two_rulings_on_one_fact_the_later_one_wins() -> None:
    table = betting()
    first = table.draw("2c")
    table.rule("strike", first)
    table.rule("replace", first, drawn("9c"))
    assert table.cards("punto") == "9c"
    table.rule("burn", first)
    assert table.cards("punto") == ""
    table.rule("replace", first, drawn("8c"))
    assert table.cards("punto") == "8c"
    table.rule("strike", first)
    assert table.cards("punto") == ""
    table.rule("burn", first)
    assert [str(card) for card in table.now.burned] == ["2c"]


@pytest.mark.parametrize(
    ("action", "right"),
    [
        ("strike", None),
        ("replace", drawn("5d")),
        ("insert", drawn("5d")),
        ("burn", None),
        ("void_round", None),
    ],
)
def test_a_ruling_that_is_struck_leaves_the_round_as_it_was(action: str, right: Fact | None) -> None:
    table = betting()
    card = table.draw("9c")
    table.draw("3h Kd")
    before = table.now
    ruled = table.rule(action, card, right)
    assert table.now != before
    table.rule("strike", ruled)
    assert table.now == before


def test_a_void_that_is_struck_lets_the_round_go_on() -> None:
    table = betting()
    table.draw("9c 3h")
    void = table.rule("void_round")
    table.close()
    table.rule("strike", void)
    assert table.awaits == ("draw", "punto", "10")
    table.draw("Kd 4s")
    table.close()
    assert table.paid() == {"punto": 1000}


def test_a_void_seat_that_is_struck_plays_again() -> None:
    table = betting()
    table.draw(NATURAL)
    void = table.rule("void_seat", seat=1)
    table.rule("strike", void)
    assert table.results() == {"punto": "win"}


def test_a_strike_that_is_struck_brings_the_ruling_back() -> None:
    table = betting()
    table.draw(NATURAL)
    extra = table.draw("2c")
    burn = table.rule("burn", extra)
    strike = table.rule("strike", burn)
    assert table.trouble == "extra_card"
    table.rule("strike", strike)
    assert table.waits == "close"


def test_a_ruling_is_replaced_by_another() -> None:
    table = betting()
    table.draw("9c 3h")
    extra = table.draw("2c")
    struck = table.rule("strike", extra)
    table.rule("replace", struck, ruling("burn", extra))
    assert [str(card) for card in table.now.burned] == ["2c"]
    table.rule("replace", struck, ruling("void_round"))
    assert table.now.void


def test_what_a_ruling_inserted_is_replaced_and_comes_once() -> None:
    table = betting()
    table.draw("9c")
    third = table.draw("Kd")
    inserted = table.rule("insert", third, drawn("2h"))
    table.rule("replace", inserted, drawn("3h"))
    table.draw("4s")
    assert (table.cards("punto"), table.cards("banca")) == ("9c Kd", "3h 4s")


def test_a_burn_of_an_inserted_card_ends_when_another_card_is_inserted_in_its_place() -> None:
    table = betting()
    table.draw("9c")
    third = table.draw("Kd")
    inserted = table.rule("insert", third, drawn("2h"))
    table.rule("burn", inserted)
    table.rule("replace", inserted, drawn("3h"))
    assert table.cards("banca") == "3h"


def test_a_card_may_be_inserted_before_a_ruling() -> None:
    table = betting()
    table.draw("9c 3h")
    table.rule("void_seat", seat=1)
    void = table.rule("void_round")
    table.rule("insert", void, drawn("Kd"))
    assert table.cards("punto") == "9c Kd"
    assert table.now.void


def test_of_two_rulings_on_one_ruling_the_later_one_wins() -> None:
    table = betting()
    card = table.draw("2c")
    burn = table.rule("burn", card)
    table.rule("strike", burn)
    table.rule("replace", burn, ruling("replace", card, drawn("9c")))
    assert table.cards("punto") == "9c"
    table.rule("strike", burn)
    assert table.cards("punto") == "2c"


# Closed rounds.


def test_a_ruling_on_a_closed_round_changes_what_it_pays() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.dealt(NATURAL)
    table.rule("replace", 5, drawn("6s"))
    assert table.paid(0) == {"punto": 0}
    assert table.paid(1) == {"punto": 1000}


def test_later_rounds_keep_their_facts() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.bet("banca", seat=2)
    table.draw("2c 3h")
    table.rule("strike", 6)
    assert table.play.round(0).payouts == ()
    assert table.awaits == ("draw", "punto", "10")
    assert [bet.seat for bet in table.now.bets] == [2]


def test_a_closed_round_that_a_ruling_opens_says_what_it_lacks() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.bet("banca")
    table.rule("strike", 5)
    lacking = table.play.round(0).irregularity
    assert lacking is not None
    assert (lacking.code, lacking.spot, lacking.halts) == ("missing_card", "banca", True)
    table.rule("insert", 6, drawn("4s"))
    assert table.paid(0) == {"punto": 1000}


def test_a_closed_round_that_a_ruling_halts_is_mended_by_another() -> None:
    table = Table()
    table.bet("banca")
    table.draw("2c 3h 4d 2s")
    fifth = table.draw("Kd")
    table.close()
    assert table.paid() == {"banca": -1000}
    table.bet("punto")
    table.rule("replace", 5, drawn("5s"))
    halted = table.play.round(0).irregularity
    assert halted is not None
    assert (halted.code, halted.n) == ("extra_card", fifth)
    assert table.paid(0) == {}
    table.rule("burn", fifth)
    assert table.paid(0) == {"banca": 1000}


def test_an_irregularity_of_a_closed_round_may_be_resumed() -> None:
    table = betting(camera=True)
    table.draw("9c")
    table.see("9c", "punto")
    table.draw("3h Kd 4s")
    table.see("3h 4s", "banca")
    sighting = table.see("Kd", "punto")
    table.close()
    table.bet("punto")
    table.rule("replace", sighting, seen("Kd", "banca"))
    trouble = table.play.round(0).irregularity
    assert trouble is not None
    assert trouble.code == "wrong_spot"
    table.rule("resume", sighting)
    assert table.refused is None
    assert table.paid(0) == {"punto": 1000}


def test_the_last_round_opened_again_goes_on_with_what_comes() -> None:
    table = Table()
    table.dealt(NATURAL)
    table.rule("strike", 5)
    assert table.awaits == ("draw", "banca", "10")
    table.draw("5s")
    table.close()
    assert len(table.play) == 1
    assert table.paid() == {"punto": 1000}


def test_a_ruling_in_one_round_counts_for_the_shoe_of_the_next() -> None:
    table = Table(decks=1)
    table.dealt(NATURAL)
    table.bet("punto")
    table.draw("2c")
    table.rule("replace", 3, drawn("2c"))
    assert table.trouble == "count_exceeded"
    assert table.paid(0) == {"punto": 1000}


def test_rulings_reach_back_over_many_rounds() -> None:
    table = Table(decks=12)
    cards = ["9c 3h Kd 4s", "8c 3d Qd 4h", "9d 3s Kh 4c", "8d 3c Qh 4d", "9h 2h Ks 5s", "8h 2d Qs 5h"]
    for i in range(150):
        table.dealt(cards[i % 6])
        if i % 18 == 17:
            table.loaded(12)
            table.burned("Ac")
    table.bet("punto")
    sixth = 6 * 70 + 3 * 2 + 3
    assert table.play.fact(sixth) is not None
    before = [table.play.round(i) for i in range(150)]
    ruled = table.rule("void_round", sixth)
    changed = [i for i in range(150) if table.play.round(i) != before[i]]
    assert len(changed) == 1
    table.rule("strike", ruled)
    assert [table.play.round(i) for i in range(150)] == before


def test_a_ruling_put_right_may_speak_of_an_earlier_round_than_the_one_it_replaces() -> None:
    table = Table(decks=12)
    for _ in range(70):
        table.dealt(NATURAL)
        table.loaded(12)
        table.burned("Ac")
    table.bet("punto")
    last = table.draw("2c")
    burn = table.rule("burn", last)
    table.rule("replace", burn, ruling("void_round", 3))
    assert table.results(0) == {"punto": "void"}
    assert table.cards("punto") == "2c"
    table.rule("strike", burn)
    assert table.results(0) == {"punto": "win"}


# What was refused comes again, and nothing that left the shoe is lost.


def test_a_close_that_was_refused_counts_when_the_ruling_makes_it_due() -> None:
    table = betting()
    table.draw(NATURAL)
    extra = table.draw("5d")
    table.close()
    assert table.refused == "halted"
    table.rule("burn", extra)
    assert table.waits == "nothing"
    assert table.paid() == {"punto": 1000}


def test_a_close_that_was_refused_ends_nothing_while_a_card_comes_after_it() -> None:
    table = betting()
    table.draw(NATURAL)
    extra = table.draw("5d")
    table.close()
    another = table.draw("6d")
    table.rule("burn", extra)
    assert table.trouble == "extra_card"
    table.rule("burn", another)
    assert table.waits == "nothing"
    assert [str(card) for card in table.now.burned] == ["5d", "6d"]


def test_a_sighting_that_tells_a_card_keeps_a_refused_close_from_counting_too() -> None:
    table = betting(shoe="none", camera=True)
    table.see("9c Kd", "punto")
    table.see("3h 4s", "banca")
    extra = table.see("5d", "banca")
    assert table.trouble == "extra_card"
    table.close()
    table.see("6d", "banca")
    table.rule("burn", extra)
    assert table.trouble == "extra_card"


def test_what_comes_after_the_end_that_a_ruling_brought_only_moves_the_shoe() -> None:
    table = betting()
    table.draw(NATURAL)
    extra = table.draw("5d")
    table.close()
    table.fault()
    table.cleared()
    table.face_up("7d")
    table.burned("8d")
    table.bet("punto", seat=2)
    table.cut_card()
    table.rule("burn", extra)
    assert table.paid() == {"punto": 1000}
    assert table.felt.standing.shoe.out == 7
    assert table.waits == "shoe"


def test_a_shoe_that_emptied_and_was_changed_after_the_end_that_a_ruling_brought() -> None:
    table = betting()
    table.draw(NATURAL)
    extra = table.draw("5d")
    table.close()
    table.empty()
    table.loaded(6)
    table.rule("burn", extra)
    assert table.waits == "nothing"
    assert table.felt.standing.shoe.decks == 6
    table = betting()
    table.draw(NATURAL)
    extra = table.draw("5d")
    table.close()
    table.empty()
    table.rule("burn", extra)
    assert table.waits == "shoe"


def test_while_the_dealer_stands_in_the_shoe_says_nothing_after_the_end_either() -> None:
    table = betting()
    table.takeover()
    table.draw(NATURAL, by_hand=True)
    extra = table.draw("5d", by_hand=True)
    table.close()
    table.face_up("7d")
    table.rule("burn", extra)
    assert table.felt.standing.shoe.out == 5


# Rulings that make no sense.


def test_rulings_that_make_no_sense_are_refused_and_say_why() -> None:
    table = betting()
    card = table.draw("9c")
    refusals: list[tuple[Ruled, str]] = [
        (ruling("annul", card), "unknown_ruling"),
        (ruling("strike"), "ruling_needs_fact"),
        (ruling("strike", 99), "no_such_fact"),
        (ruling("strike", 0), "no_such_fact"),
        (ruling("insert", 99, drawn("2c")), "no_such_fact"),
        (ruling("replace", card), "ruling_needs_right"),
        (ruling("insert", card), "ruling_needs_right"),
        (ruling("replace", card, ruling("void_round")), "ruling_needs_right"),
        (ruling("insert", card, ruling("void_round")), "ruling_needs_right"),
        (ruling("insert", card, RoundOpened(7)), "ruling_needs_right"),
    ]
    before = table.now
    for wrong, why in refusals:
        table.say(wrong, by_hand=True)
        assert table.refused == why
        assert table.now.laid == before.laid
        assert table.play.rulings == 0


def test_no_ruling_speaks_of_the_law_or_of_the_number_of_a_round() -> None:
    table = Table()
    law = table.say(TableSet("ez_baccarat", "2008", {"panda_8": True}))
    number = table.say(RoundOpened(7))
    table.bet("panda_8")
    for n in (law, number):
        table.rule("strike", n)
        assert table.refused == "no_such_fact"
    assert table.felt.law.own.panda_8


def test_a_ruling_is_not_replaced_by_a_card() -> None:
    table = betting()
    card = table.draw("9c")
    burn = table.rule("burn", card)
    table.rule("replace", burn, drawn("2c"))
    assert table.refused == "ruling_needs_right"


def test_a_ruling_is_not_replaced_by_one_that_makes_no_sense() -> None:
    table = betting()
    card = table.draw("9c")
    burn = table.rule("burn", card)
    table.rule("replace", burn, ruling("burn", 1))
    assert table.refused == "not_a_card"
    assert table.cards("punto") == ""


def test_a_ruling_that_was_refused_is_no_ruling() -> None:
    table = betting()
    refused = table.rule("burn", 1)
    table.rule("burn", refused)
    assert table.refused == "not_a_card"
    table.rule("strike", refused)
    assert table.refused is None
    assert [bet.bet for bet in table.now.bets] == ["punto"]


def test_after_a_ruling_nothing_of_what_was_refused_before_is_said() -> None:
    table = betting()
    card = table.draw("9c")
    table.bet("punto", 5)
    assert table.refused == "bets_closed"
    table.rule("replace", card, drawn("8c"))
    assert table.refused is None


def test_the_facts_of_a_log_are_found_by_their_numbers() -> None:
    table = betting()
    card = table.draw("9c")
    ruled = table.rule("burn", card)
    table.close()
    assert table.play.fact(1) == BetPlaced(1, "punto", 1000)
    assert table.play.fact(card) == drawn("9c")
    assert isinstance(table.play.fact(ruled), Ruled)
    assert table.play.fact(4) == Closed()
    assert table.play.fact(0) is table.play.fact(5) is None


def test_a_gap_replaced_by_a_card_is_still_told_as_the_gap_that_it_was() -> None:
    table = betting()
    gap = table.gap()
    table.rule("replace", gap, drawn("9c"))
    assert table.play.fact(gap) == GapFound(1)
