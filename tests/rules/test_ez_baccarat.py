"""EZ Baccarat, article by article: one test or more for every number of the ledger, found by their names."""

import pytest

from rules.cards import DECK, Card, card
from rules.ez_baccarat import BETS, GAME, POINTS, burn_count, result, total
from rules.facts import BetPlaced, CardDrawn, CardsBurned, FreeHandCalled
from rules.law import Law
from rules.play import Play
from tests.rules.table import Table, faces


def dealt(names: str, **options: object) -> Table:
    """A table with one bet on Punto and one on Banca, after these cards."""
    table = Table(**options)
    table.bet("punto", seat=1)
    table.bet("banca", seat=2)
    table.draw(names)
    return table


# Article 6: the shoe.


def test_art_6_d_a_new_shoe_deals_nothing_before_its_cards_are_burned() -> None:
    table = Table(burn="first_card")
    assert table.awaits == ("shoe", None, "6.d")
    table.loaded()
    assert table.awaits == ("shoe", None, "6.d")
    table.burned("2c Kd 9h")
    assert table.awaits == ("bets", None, "7.d")


def test_art_6_d_where_the_burn_is_as_reported_a_new_shoe_waits_for_it() -> None:
    table = Table()
    table.loaded()
    assert table.waits == "shoe"
    table.burned("5c")
    assert table.waits == "bets"


def test_art_6_d_burned_cards_have_left_the_shoe() -> None:
    table = Table(decks=1)
    table.loaded(1)
    table.burned("9c")
    table.bet("punto")
    table.draw("9c")
    assert table.trouble == "count_exceeded"


# Article 7: who plays.


def test_art_7_a_another_bettor_joins_a_zone_where_the_operator_allows_it() -> None:
    table = Table(joining=True)
    table.bet("punto", 1000)
    table.bet("punto", 500, player="Ana")
    assert table.refused is None
    table.draw("9c 3h Kd 4s")
    assert table.paid() == {"punto": 1000, "punto Ana": 500}


def test_art_7_a_nobody_joins_where_the_operator_does_not_allow_it() -> None:
    table = Table(joining=False)
    table.bet("punto", 500, player="Ana")
    assert table.refused == "joining_off"
    assert table.play.refused is not None
    assert table.play.refused.article == "7.a"


def test_art_7_a_a_zone_counts_as_one_player_for_his_side_bets() -> None:
    table = Table()
    table.bet("banca", 1000)
    table.bet("dragon_7", 100, player="Ana")
    table.draw("2c 3h 5d 4s")
    assert table.waits == "close"


def test_art_7_a_a_zone_counts_as_one_player_for_the_limits() -> None:
    table = Table(limits={"punto": (500, 1000)})
    table.bet("punto", 800)
    table.bet("punto", 300, player="Ana")
    assert table.refused == "over_limit"
    table.bet("punto", 200, player="Ana")
    assert table.refused is None


def test_art_7_b_who_joins_by_name_plays_no_second_zone() -> None:
    table = Table()
    table.bet("punto", seat=1, player="Ana")
    table.bet("banca", seat=2, player="Ana")
    assert table.refused == "two_zones"
    table.bet("empate", seat=1, player="Ana")
    assert table.refused is None


def test_art_7_b_who_takes_his_chips_away_may_play_another_zone() -> None:
    table = Table()
    table.bet("punto", seat=1, player="Ana")
    table.bet("punto", 0, seat=1, player="Ana")
    table.bet("banca", seat=2, player="Ana")
    assert table.refused is None


def test_art_7_b_the_occupants_of_two_zones_are_two_players() -> None:
    table = Table()
    table.bet("punto", seat=1)
    table.bet("banca", seat=2)
    assert table.refused is None


def test_art_7_d_bets_are_made_until_the_first_card_leaves_the_shoe() -> None:
    table = Table()
    table.bet("punto", 1000)
    table.bet("punto", 2000)
    assert table.refused is None
    table.draw("9c")
    table.bet("punto", 3000)
    assert table.refused == "bets_closed"
    table.bet("banca", 1000, seat=2)
    assert table.refused == "bets_closed"
    table.bet("punto", 0)
    assert table.refused == "bets_closed"
    table.draw("3h Kd 4s")
    assert table.paid() == {"punto": 2000}


def test_art_7_d_a_card_before_any_bet_is_early() -> None:
    table = Table()
    table.draw("9c")
    assert table.trouble == "early_card"
    assert table.now.irregularity is not None
    assert table.now.irregularity.about["against"] == "7.d"


# Article 8: the bets.


def test_art_8_there_are_five_bets_and_no_other() -> None:
    table = Table(panda_8=True)
    table.bet("pair")
    assert table.refused == "unknown_bet"
    assert set(BETS) == {"punto", "banca", "empate", "dragon_7", "panda_8"}
    for bet in ("punto", "empate", "dragon_7", "panda_8"):
        table.bet(bet)
        assert table.refused is None


@pytest.mark.parametrize("alone", [("empate",), ("dragon_7",), ("empate", "dragon_7")])
def test_art_8_nobody_plays_only_the_empate_or_only_the_dragon_7(alone: tuple[str, ...]) -> None:
    table = Table()
    table.bet("punto", seat=1)
    for bet in alone:
        table.bet(bet, seat=2)
    table.draw("9c")
    assert table.trouble == "early_card"
    assert table.now.irregularity is not None
    assert table.now.irregularity.about == {
        "lack": "side_bet_alone",
        "against": "8",
        "seat": 2,
        "bet": alone[0],
    }


def test_art_8_banca_empate_and_dragon_7_are_played_together() -> None:
    table = Table()
    for bet in ("dragon_7", "empate", "banca"):
        table.bet(bet)
        assert table.refused is None
    table.draw("9c")
    assert table.trouble is None


def test_art_8_taking_the_main_bet_away_leaves_the_side_bet_alone() -> None:
    table = Table()
    table.bet("banca")
    table.bet("empate")
    table.bet("banca", 0)
    table.bet("punto", seat=2)
    table.draw("9c")
    assert table.trouble == "early_card"


def test_art_8_a_punto_pays_even_when_it_wins_and_loses_otherwise() -> None:
    assert dealt("9c 3h Kd 4s").paid() == {"punto": 1000, "banca 2": -1000}
    assert dealt("3c 9h 4d Ks").paid() == {"punto": -1000, "banca 2": 1000}


def test_art_8_every_payout_carries_the_article_of_its_bet() -> None:
    table = Table(panda_8=True)
    for bet in ("banca", "empate", "dragon_7", "panda_8"):
        table.bet(bet)
    table.bet("punto", seat=2)
    table.draw("9c 3h Kd 4s")
    articles = {payout.bet: payout.article for payout in table.now.payouts}
    assert articles == {
        "punto": "8.a",
        "banca": "8.b",
        "empate": "8.c",
        "dragon_7": "8.d",
        "panda_8": "op.panda_8",
    }


def test_art_8_b_banca_pays_even_without_commission() -> None:
    table = Table()
    table.bet("banca", 333)
    table.draw("2c 9h 5d Ks")
    assert table.paid() == {"banca": 333}


def test_art_8_b_seven_in_three_cards_gives_banca_back_and_takes_punto_and_empate() -> None:
    table = Table()
    table.bet("banca", 2500)
    table.bet("empate", 300)
    table.bet("punto", 1000, seat=2)
    table.draw("2c Ah 3d 4s 6h 2d")
    assert table.paid() == {"banca": 0, "empate": -300, "punto 2": -1000}
    assert table.results() == {"banca": "push", "empate": "lose", "punto 2": "lose"}


def test_art_8_b_seven_in_two_cards_is_an_ordinary_win() -> None:
    table = Table()
    table.bet("banca")
    table.bet("dragon_7", 100)
    table.draw("2c 3h 4d 4s")
    assert table.cards("banca") == "3h 4s"
    assert table.paid() == {"banca": 1000, "dragon_7": -100}


def test_art_8_c_equal_totals_pay_eight_to_one() -> None:
    table = Table()
    table.bet("punto")
    table.bet("empate", 125)
    table.draw("4c 5h 5d 4s")
    assert table.paid() == {"punto": 0, "empate": 1000}
    assert table.awaits == ("close", None, "8.c")


def test_art_8_c_a_tie_of_seven_in_three_cards_is_a_tie() -> None:
    table = Table()
    table.bet("banca")
    table.bet("empate", 100)
    table.bet("dragon_7", 100)
    table.draw("Tc Th Td 2s 7h 5d")
    assert table.paid() == {"banca": 0, "empate": 800, "dragon_7": -100}


def test_art_8_d_dragon_7_pays_forty_to_one() -> None:
    table = Table()
    table.bet("banca", 2500)
    table.bet("dragon_7", 500)
    table.draw("2c Ah 3d 4s 6h 2d")
    assert table.now.outcome is not None
    assert table.now.outcome.marks == ("dragon_7",)
    assert table.paid() == {"banca": 0, "dragon_7": 20000}


def test_art_8_d_dragon_7_loses_when_banca_has_another_total() -> None:
    table = Table()
    table.bet("banca")
    table.bet("dragon_7", 500)
    table.draw("2c Ah 3d 4s 6h 3d")
    assert table.paid() == {"banca": 1000, "dragon_7": -500}


# Article 10: four cards first.


def test_art_10_the_first_and_third_card_go_to_punto_the_second_and_fourth_to_banca() -> None:
    table = Table()
    table.bet("punto")
    for spot, name in (("punto", "2c"), ("banca", "3h"), ("punto", "4d"), ("banca", "4s")):
        assert table.waits == "bets" or table.awaits == ("draw", spot, "10")
        table.draw(name)
    assert table.cards("punto") == "2c 4d"
    assert table.cards("banca") == "3h 4s"


# Article 11: the third card.


@pytest.mark.parametrize("names", ["9c 3h Kd 4s", "8c 3h Kd 4s", "3c 9h Kd Ks", "3c 8h Kd Ks", "4c 8h 4d Ks"])
def test_art_11_a_with_eight_or_nine_in_two_cards_nobody_draws(names: str) -> None:
    table = dealt(names)
    assert table.waits == "close"
    table.draw("2c")
    assert table.trouble == "extra_card"


def test_art_11_a_a_natural_is_told_with_the_result() -> None:
    outcome = dealt("9c 3h Kd 4s").now.outcome
    assert outcome is not None
    assert outcome.marks == ("natural",)


@pytest.mark.parametrize("punto", ["Tc 6d", "Tc 7d"])
def test_art_11_b_punto_stands_on_six_and_seven(punto: str) -> None:
    first, second = punto.split()
    assert dealt(f"{first} Th {second} 6s").waits == "close"
    assert dealt(f"{first} Th {second} 5s").awaits == ("draw", "banca", "11.b")


@pytest.mark.parametrize("second", ["T", "A", "2", "3", "4", "5"])
@pytest.mark.parametrize("banca", ["T", "A", "2", "3", "4", "5", "6", "7"])
def test_art_11_c_punto_always_draws_on_five_or_less(second: str, banca: str) -> None:
    assert dealt(f"Tc Th {second}d {banca}s").awaits == ("draw", "punto", "11.c")


@pytest.mark.parametrize("third", "A23456789T")
def test_art_11_d_banca_stands_on_seven_and_draws_on_two_or_less(third: str) -> None:
    assert dealt(f"Tc Th 5d 7s {third}c").waits == "close"
    for low in "TA2":
        assert dealt(f"Tc Th 5d {low}s {third}c").awaits == ("draw", "banca", "11.d")


DRAW_TABLE = """
Banca | Punto stands | 0 1 2 3 4 5 6 7 8 9
    0 |       D      | D D D D D D D D D D
    1 |       D      | D D D D D D D D D D
    2 |       D      | D D D D D D D D D D
    3 |       D      | D D D D D D D D - D
    4 |       D      | - - D D D D D D - -
    5 |       D      | - - - - D D D D - -
    6 |       -      | - - - - - - D D - -
    7 |       -      | - - - - - - - - - -
"""
"""Art. 11 as it is printed: when Banca draws, by its two cards and the value of the Punto's third card."""

CELLS = [
    (int(banca), value, mark)
    for row in DRAW_TABLE.strip().splitlines()[1:]
    for banca, stands, drawn in [[part.strip() for part in row.split("|")]]
    for value, mark in [("stands", stands), *((str(i), mark) for i, mark in enumerate(drawn.split()))]
]


def face(points: int | str, suit: str) -> str:
    """A card of that value."""
    return f"{'TA23456789'[int(points)]}{suit}"


@pytest.mark.parametrize(("banca", "third", "mark"), CELLS)
def test_art_11_e_banca_draws_by_the_table(banca: int, third: str, mark: str) -> None:
    for punto in (6, 7) if third == "stands" else range(6):
        table = dealt(f"Tc Th {face(punto, 'd')} {face(banca, 's')}")
        if third != "stands":
            table.draw(face(third, "h"))
        assert (table.awaits[:2] == ("draw", "banca")) == (mark == "D")
        assert (table.waits == "close") == (mark == "-")


def test_art_11_e_the_table_has_eight_rows_of_eleven() -> None:
    assert len(CELLS) == 8 * 11


@pytest.mark.parametrize("banca", "3456")
def test_art_11_e_the_prompt_cites_the_letter_that_decides(banca: str) -> None:
    assert dealt(f"Tc Th 5d {banca}s 6c").awaits == ("draw", "banca", "11.e")


def test_art_11_e_a_figure_counts_as_nothing_for_banca() -> None:
    for figure in "TJQK":
        assert dealt(f"Tc Th 5d 3s {figure}c").awaits == ("draw", "banca", "11.e")
        assert dealt(f"Tc Th 5d 4s {figure}c").waits == "close"


# Article 12: errors. What follows from each is in test_irregularities.py.


def test_art_12_an_error_halts_the_round_and_a_ruling_corrects_it() -> None:
    table = dealt("9c 3h Kd 4s")
    extra = table.draw("5d")
    assert table.awaits == ("ruling", None, "12")
    assert table.paid() == {}
    table.rule("burn", extra)
    assert table.paid() == {"punto": 1000, "banca 2": -1000}


def test_art_12_bets_of_a_void_round_go_back_by_the_article_on_errors() -> None:
    table = dealt("9c 3h")
    table.rule("void_round")
    assert [(pay.result, pay.net, pay.article) for pay in table.now.payouts] == [("void", 0, "12")] * 2


# Article 14: limits.


def test_art_14_stakes_keep_the_limits_of_their_bet() -> None:
    table = Table(limits={"punto": (500, 1000), "empate": (100, 200)})
    for stake, refused in ((499, "under_limit"), (500, None), (1000, None), (1001, "over_limit")):
        table.bet("punto", stake)
        assert table.refused == refused
    for stake, refused in ((99, "under_limit"), (100, None), (200, None), (201, "over_limit")):
        table.bet("empate", stake)
        assert table.refused == refused
    table.bet("dragon_7", 1)
    assert table.refused is None


def test_art_14_main_speaks_for_every_main_bet_that_is_not_named() -> None:
    table = Table(limits={"main": (500, 1000), "banca": (700, 1000)})
    table.bet("punto", 499)
    assert table.refused == "under_limit"
    table.bet("banca", 600, seat=2)
    assert table.refused == "under_limit"
    table.bet("punto", 500)
    assert table.refused is None
    table.bet("empate", 1)
    assert table.refused is None


def test_art_14_the_refusal_says_the_limit() -> None:
    table = Table(limits={"punto": (500, 1000)})
    table.bet("punto", 1500)
    assert table.play.refused is not None
    assert (table.play.refused.article, table.play.refused.about["limit"]) == ("14", 1000)


def test_art_14_what_is_refused_leaves_the_stake_before_it() -> None:
    table = Table(limits={"punto": (500, 1000)})
    table.bet("punto", 800)
    table.bet("punto", 1500)
    table.draw("9c 3h Kd 4s")
    assert table.paid() == {"punto": 800}


def test_art_14_what_is_left_of_a_zone_keeps_its_minimum_at_the_first_card() -> None:
    table = Table(limits={"punto": (500, 1000)})
    table.bet("punto", 500)
    table.bet("punto", 100, player="Ana")
    table.bet("punto", 0)
    table.draw("9c")
    assert table.trouble == "early_card"
    assert table.now.irregularity is not None
    assert table.now.irregularity.about["lack"] == "under_limit"


def test_art_14_every_stake_may_be_taken_away() -> None:
    table = Table(limits={"punto": (500, 1000)})
    table.bet("punto", 800)
    table.bet("punto", 0)
    assert table.refused is None
    assert not table.now.bets


# What the directive leaves out.


@pytest.mark.parametrize(
    ("rank", "points"), [("A", 1), *((str(n), n) for n in range(2, 10)), *((r, 0) for r in "TJQK")]
)
def test_op_values_of_every_rank_in_every_suit(rank: str, points: int) -> None:
    for suit in "cdhs":
        assert POINTS[card(f"{rank}{suit}")] == points


def test_op_values_the_total_is_the_last_digit_of_the_sum() -> None:
    assert total([card("9c"), card("9d"), card("9h")]) == 7
    assert total([card("Tc"), card("Kd")]) == 0
    assert total([]) == 0


def test_op_values_every_face_of_the_deck_has_one() -> None:
    assert set(POINTS) == set(DECK)
    assert Card.JOKER not in GAME.pack


@pytest.mark.parametrize(("banca", "draws"), [(n, n <= 5) for n in range(8)])
def test_op_punto_stands_and_banca_draws_on_five_or_less(banca: int, draws: bool) -> None:  # noqa: FBT001
    for punto in (6, 7):
        table = dealt(f"Tc Th {face(punto, 'd')} {face(banca, 's')}")
        assert (table.waits == "draw") == draws


def test_op_tie_gives_punto_and_banca_back() -> None:
    table = dealt("4c 5h 5d 4s")
    assert table.paid() == {"punto": 0, "banca 2": 0}
    assert table.results() == {"punto": "push", "banca 2": "push"}


def test_op_both_mains_are_not_bet_in_one_zone() -> None:
    table = Table()
    table.bet("punto")
    table.bet("banca")
    assert table.refused == "both_mains"
    table.bet("banca", player="Ana")
    assert table.refused == "both_mains"
    table.bet("punto", 0)
    table.bet("banca")
    assert table.refused is None


def test_op_side_bet_requires_any_main_bet_by_default() -> None:
    for main in ("punto", "banca"):
        table = Table()
        table.bet(main)
        table.bet("empate")
        table.bet("dragon_7")
        table.draw("9c")
        assert table.trouble is None


def test_op_side_bet_requires_banca_where_the_operator_reads_article_8_strictly() -> None:
    table = Table(side_bet_requires="banca_only")
    table.bet("punto")
    table.bet("empate")
    table.draw("9c")
    assert table.trouble == "early_card"
    table = Table(side_bet_requires="banca_only")
    table.bet("banca")
    table.bet("empate")
    table.draw("9c")
    assert table.trouble is None


def test_op_panda_8_pays_twenty_five_to_one_where_it_is_offered() -> None:
    table = Table(panda_8=True)
    table.bet("punto")
    table.bet("panda_8", 100)
    table.draw("2c 3h Td 4s 6h")
    assert table.cards("punto") == "2c Td 6h"
    assert table.paid() == {"punto": 1000, "panda_8": 2500}


def test_op_panda_8_is_no_bet_where_it_is_not_offered() -> None:
    table = Table()
    table.bet("panda_8")
    assert table.refused == "unknown_bet"


@pytest.mark.parametrize(
    "names",
    [
        pytest.param("8c 3h Td 4s", id="eight in two cards"),
        pytest.param("2c Th Td 4s 6h 4c", id="a tie on eight"),
        pytest.param("2c Th Td 4s 6h 5c", id="Banca has nine"),
        pytest.param("2c Th Td 4s 7h 2d", id="nine in three cards"),
    ],
)
def test_op_panda_8_loses_unless_punto_wins_with_eight_in_three_cards(names: str) -> None:
    table = Table(panda_8=True)
    table.bet("banca")
    table.bet("panda_8", 100)
    table.draw(names)
    assert table.paid()["panda_8"] == -100


@pytest.mark.parametrize(
    ("first", "many"), [("Ac", 1), ("2c", 2), ("9c", 9), ("Tc", 10), ("Jc", 10), ("Qc", 10), ("Kc", 10)]
)
def test_op_burn_the_first_card_says_how_many_follow(first: str, many: int) -> None:
    assert burn_count(card(first)) == many
    table = Table(burn="first_card")
    table.loaded()
    table.burned(first)
    for _ in range(many):
        assert table.waits == "shoe"
        table.burned("??")
    assert table.waits == "bets"


def test_op_burn_an_unread_first_card_is_asked_for() -> None:
    table = Table(burn="first_card")
    table.loaded()
    first = table.burned("??")
    assert table.trouble == "unreadable"
    table.rule("replace", first, CardsBurned(faces("2c")))
    table.burned("?? ??")
    assert table.waits == "bets"


def test_op_after_cut_the_round_of_the_cut_card_is_the_last() -> None:
    table = Table()
    table.bet("punto")
    table.draw("9c 3h")
    table.cut_card()
    table.draw("Kd 4s")
    table.close()
    assert table.awaits == ("shoe", None, "6.d")


def test_op_after_cut_one_more_round_follows_where_the_operator_says_so() -> None:
    table = Table(after_cut="finish_plus_one")
    table.bet("punto")
    table.draw("9c 3h")
    table.cut_card()
    table.draw("Kd 4s")
    table.close()
    assert table.waits == "nothing"
    table.dealt("9c 3h Kd 4s")
    assert table.waits == "shoe"


def test_op_free_hand_is_dealt_without_bets() -> None:
    table = Table()
    table.free_hand()
    table.draw("9c 3h Kd 4s")
    assert table.waits == "close"
    table.close()
    assert table.waits == "nothing"
    assert table.now.free_hand
    assert table.paid() == {}


def test_op_free_hand_is_not_called_when_bets_lie_or_cards_are_out() -> None:
    table = Table()
    table.bet("punto")
    table.free_hand()
    assert table.refused == "not_due"
    table.draw("9c")
    table.free_hand()
    assert table.refused == "not_due"


def test_op_free_hand_whoever_bets_after_the_call_needs_a_main_bet() -> None:
    table = Table()
    table.free_hand()
    table.bet("empate")
    table.draw("9c")
    assert table.trouble == "early_card"


def test_op_camera_every_card_is_confirmed_before_the_bets_are_paid() -> None:
    table = dealt("9c 3h Kd 4s", camera=True)
    assert table.awaits == ("seen", "punto", "op.camera")
    table.close()
    assert table.refused == "not_due"
    table.see("9c Kd", "punto")
    assert table.awaits == ("seen", "banca", "op.camera")
    table.see("4s 3h", "banca")
    assert table.awaits == ("close", None, "8.a")


def test_op_errors_every_irregularity_has_its_remedies() -> None:
    table = dealt("9c 3h Kd 4s")
    table.draw("5d")
    assert table.now.irregularity is not None
    assert table.now.irregularity.remedies[0] == "burn"


# The rule book by itself.


def test_a_rule_book_opens_and_closes_by_itself() -> None:
    law = Law.of(GAME, {})
    play = Play({}, law)
    play.after(1, FreeHandCalled())
    for n, name in enumerate(["9c", "3h", "Kd", "4s"], start=2):
        play.after(n, CardDrawn(card(name)))
    assert play.now.awaits.outcome == result(9, 2, 7, 2)


def test_a_rule_book_pays_nothing_for_a_bet_of_no_chips() -> None:
    play = Play({}, Law.of(GAME, {}))
    play.after(1, BetPlaced(1, "punto", 0))
    assert play.now.bets == ()
    assert play.refused is None
