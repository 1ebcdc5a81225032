"""Money: whole units, odds as pairs, and what is done with a fraction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.bets import Bets
from rules.facts import BetPlaced
from rules.known import GAMES
from rules.law import Law
from rules.money import ROUNDINGS, winnings
from rules.round import Outcome
from rules.settle import settle

SIX_TO_FIVE = Outcome("punto", {"punto": (6, 5)}, "8.a")
"""No bet of baccarat pays a fraction; the rule for one is shared by all games."""


@pytest.mark.parametrize(
    ("stake", "odds", "toward_zero", "nearest", "up"),
    [
        (1000, (1, 1), 1000, 1000, 1000),
        (125, (8, 1), 1000, 1000, 1000),
        (1, (40, 1), 40, 40, 40),
        (10, (6, 5), 12, 12, 12),
        (1, (6, 5), 1, 1, 2),
        (2, (6, 5), 2, 2, 3),
        (3, (6, 5), 3, 4, 4),
        (1, (1, 2), 0, 1, 1),
        (3, (1, 2), 1, 2, 2),
        (0, (8, 1), 0, 0, 0),
        (1000, (0, 1), 0, 0, 0),
    ],
)
def test_winnings_by_every_rounding(
    stake: int, odds: tuple[int, int], toward_zero: int, nearest: int, up: int
) -> None:
    assert winnings(stake, odds) == winnings(stake, odds, "toward_zero") == toward_zero
    assert winnings(stake, odds, "nearest") == nearest
    assert winnings(stake, odds, "up") == up


@given(st.integers(0, 10**12), st.integers(0, 50), st.integers(1, 20))
def test_no_rounding_is_off_by_a_whole_unit(stake: int, pays: int, to: int) -> None:
    for rounding in ROUNDINGS:
        assert abs(winnings(stake, (pays, to), rounding) * to - stake * pays) < to


@given(st.integers(0, 10**12), st.integers(0, 50), st.integers(1, 20))
def test_the_roundings_are_in_order(stake: int, pays: int, to: int) -> None:
    down, near, up = (winnings(stake, (pays, to), rounding) for rounding in ("toward_zero", "nearest", "up"))
    assert down <= near <= up <= down + 1


def _paid(**options: object) -> int:
    law = Law.of(GAMES["ez_baccarat"], options)
    bets = Bets()
    bets.place(BetPlaced(1, "punto", 3))
    return settle(law, bets, SIX_TO_FIVE)[0].net


def test_the_rounding_is_the_tables_and_a_bet_may_have_its_own() -> None:
    assert _paid() == 3
    assert _paid(rounding="up") == 4
    assert _paid(rounding="up", rounding_table={"punto": "toward_zero"}) == 3
    assert _paid(rounding="up", rounding_table={"banca": "toward_zero"}) == 4


def test_seats_are_paid_in_rising_order_and_each_stake_once() -> None:
    law = Law.of(GAMES["ez_baccarat"], {})
    bets = Bets()
    for seat in (3, 1, 2):
        bets.place(BetPlaced(seat, "punto", 100 * seat))
    bets.place(BetPlaced(1, "empate", 50, "Ana"))
    payouts = settle(law, bets, Outcome("punto", {"punto": (1, 1)}, "8.a"))
    assert [(pay.seat, pay.player, pay.stake, pay.net) for pay in payouts] == [
        (1, "main", 100, 100),
        (1, "Ana", 50, -50),
        (2, "main", 200, 200),
        (3, "main", 300, 300),
    ]


def test_a_payout_says_its_odds_unless_the_bet_lost_or_is_void() -> None:
    law = Law.of(GAMES["ez_baccarat"], {})
    bets = Bets()
    for bet in ("punto", "empate", "dragon_7"):
        bets.place(BetPlaced(1, bet, 100))
    outcome = Outcome("punto", {"punto": (1, 1), "empate": (0, 1)}, "8.a")
    odds = {pay.bet: (pay.result, pay.odds) for pay in settle(law, bets, outcome)}
    assert odds == {"punto": ("win", (1, 1)), "empate": ("push", (0, 1)), "dragon_7": ("lose", None)}
    assert {(pay.result, pay.odds) for pay in settle(law, bets, None)} == {("void", None)}
