"""What the simulated shoe thinks of a round: the tableau of baccarat, written out once more."""

import pytest

from drivers.simulated.opinion import Round, points
from rules.cards import Card


def play(*cards: str) -> tuple[list[str], Round]:
    """Where each card went."""
    game, went = Round(), []
    for card in cards:
        place = game.place()
        assert place is not None
        went.append(f"{place[0]} {place[1]}")
        game.take(place[0], Card(card))
    return went, game


def test_points() -> None:
    assert [points(Card(card)) for card in ("Ac", "2c", "9c", "Tc", "Jc", "Qc", "Kc")] == [
        1,
        2,
        9,
        0,
        0,
        0,
        0,
    ]


def test_two_cards_each_and_a_natural_ends_it() -> None:
    went, game = play("9c", "2d", "Tc", "4h")
    assert went == ["punto 1", "banca 1", "punto 2", "banca 2"]
    assert game.place() is None
    assert game.result() == ("punto", ())


def test_both_stand_on_six_and_seven() -> None:
    _, game = play("6c", "7d", "Tc", "Th")
    assert game.place() is None
    assert game.result() == ("banca", ())


def test_banca_draws_on_five_when_punto_stands() -> None:
    went, game = play("6c", "5d", "Tc", "Th", "Ah")
    assert went[-1] == "banca 3"
    assert game.result() == ("empate", ())


def test_pairs_and_the_last_card_taken_back() -> None:
    _, game = play("2c", "3d", "2d", "3h")
    assert game.result()[1] == ("punto", "banca")
    game.take_back("banca")
    assert game.place() == ("banca", 2)


TABLEAU = {  # by the total of Banca: the third cards of Punto on which Banca takes one
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}


@pytest.mark.parametrize("total", TABLEAU)
def test_the_tableau(total: int) -> None:
    second = {0: "Th"}.get(total, f"{total}h" if total > 1 else "Ah")
    for third in range(10):
        card = {0: "Td", 1: "Ad"}.get(third, f"{third}d")
        _, game = play("Tc", "Ts", "2c", second, card)
        assert (game.place() == ("banca", 3)) is (str(third) in TABLEAU[total]), (total, third)
        assert game.begun
