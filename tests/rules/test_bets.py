"""The chips on the felt: what lies where, and who may put it there."""

from hypothesis import given
from hypothesis import strategies as st

from rules.bets import Bets
from rules.facts import BetPlaced
from tests.rules.table import Table


def test_a_later_stake_replaces_the_one_before_and_nothing_takes_it_away() -> None:
    bets = Bets()
    bets.place(BetPlaced(1, "punto", 100))
    bets.place(BetPlaced(1, "punto", 300))
    assert list(bets) == [BetPlaced(1, "punto", 300)]
    assert bets
    bets.place(BetPlaced(1, "punto", 0))
    assert not bets
    assert list(bets) == []


def test_taking_away_what_is_not_there_takes_nothing() -> None:
    bets = Bets()
    bets.place(BetPlaced(1, "punto", 0))
    assert not bets


def test_the_stakes_of_a_zone_are_told_together_and_one_by_one() -> None:
    bets = Bets()
    bets.place(BetPlaced(1, "punto", 100))
    bets.place(BetPlaced(1, "punto", 50, "Ana"))
    bets.place(BetPlaced(2, "empate", 10, "Luis"))
    assert (bets.on(1, "punto"), bets.of(1, "Ana", "punto"), bets.of(1, "Luis", "punto")) == (150, 50, 0)
    assert bets.on(3, "punto") == 0
    assert bets.seats() == (1, 2)
    assert bets.zones_of("Ana") == {1}
    assert bets.zones_of("Eva") == set()


@given(
    st.lists(
        st.builds(
            BetPlaced,
            st.integers(1, 3),
            st.sampled_from(["punto", "banca", "empate"]),
            st.integers(0, 5),
            st.sampled_from(["main", "Ana"]),
        )
    )
)
def test_what_lies_in_a_zone_is_the_sum_of_what_its_players_placed_last(placed: list[BetPlaced]) -> None:
    bets = Bets()
    last: dict[tuple[int, str, str], int] = {}
    for bet in placed:
        bets.place(bet)
        last[bet.seat, bet.player, bet.bet] = bet.stake
    assert {(bet.seat, bet.player, bet.bet): bet.stake for bet in bets} == {
        key: stake for key, stake in last.items() if stake
    }
    for seat in (1, 2, 3):
        for kind in ("punto", "banca", "empate"):
            assert bets.on(seat, kind) == sum(
                stake for (where, _, what), stake in last.items() if (where, what) == (seat, kind)
            )


def test_there_are_as_many_seats_as_the_table_has() -> None:
    table = Table(seats=3)
    for seat, refused in ((0, "no_seat"), (1, None), (3, None), (4, "no_seat"), (-1, "no_seat")):
        table.bet("punto", seat=seat)
        assert table.refused == refused


def test_a_stake_is_not_negative() -> None:
    table = Table()
    table.bet("punto", -1)
    assert table.refused == "negative"
    assert table.now.bets == ()


def test_a_refusal_says_of_what_it_speaks() -> None:
    table = Table(seats=3)
    table.bet("punto", seat=9)
    assert table.play.refused is not None
    assert table.play.refused.about == {"seat": 9, "seats": 3}
    assert table.play.refused.article == "7.d"


def test_the_occupant_of_a_seat_may_be_joined_before_he_bets() -> None:
    table = Table()
    table.bet("punto", player="Ana")
    assert table.refused is None


def test_a_bettor_who_takes_nothing_away_is_refused_nothing() -> None:
    table = Table(joining=False)
    table.bet("punto", 0, player="Ana")
    assert table.refused is None


def test_a_table_offers_what_its_operator_lets_it_take() -> None:
    assert Table().felt.law.offered == ("punto", "banca", "empate", "dragon_7")
    assert Table(panda_8=True).felt.law.offered == ("punto", "banca", "empate", "dragon_7", "panda_8")
