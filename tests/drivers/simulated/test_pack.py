"""The cards in the simulated shoe."""

from collections import Counter

import pytest

from drivers.simulated.pack import EmptyError, Pack
from rules.cards import DECK


def test_a_pack_holds_its_decks_and_one_seed_is_one_order() -> None:
    one, other = Pack(8, 1, 14), Pack(8, 1, 14)
    cards = [one.draw()[0] for _ in range(416)]
    assert cards == [other.draw()[0] for _ in range(416)]
    assert Counter(cards) == dict.fromkeys(DECK, 8)
    assert cards != [Pack(8, 2, 14).draw()[0] for _ in range(416)]
    with pytest.raises(EmptyError):
        one.draw()


@pytest.mark.parametrize("cut", [0, 1, 14, 415])
def test_the_cut_card_comes_out_once_in_front_of_the_last_cards(cut: int) -> None:
    pack = Pack(8, 1, cut)
    came = [pack.draw()[1] for _ in range(416)]
    assert came.count(True) == bool(cut)
    assert not cut or came.index(True) == 416 - cut
    assert pack.cut_out is bool(cut)


def test_a_card_that_was_pushed_back_comes_next() -> None:
    pack = Pack(1, 1, 10)
    card, _ = pack.draw()
    pack.put_back(card)
    assert pack.left == 52
    assert pack.draw()[0] is card


def test_a_cut_card_needs_a_place() -> None:
    with pytest.raises(ValueError, match="52 cards have no place"):
        Pack(1, 1, 52)
