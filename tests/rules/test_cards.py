"""Cards and decks."""

import pytest

from rules.cards import DECK, JOKER, RANKS, SUITS, Card, card


def test_a_deck_has_every_rank_in_every_suit_once() -> None:
    assert len(DECK) == 52
    assert {(face.rank, face.suit) for face in DECK} == {(rank, suit) for rank in RANKS for suit in SUITS}
    assert JOKER not in DECK


@pytest.mark.parametrize("face", list(Card))
def test_a_card_is_read_as_it_is_written(face: Card) -> None:
    assert card(str(face)) is face
    assert str(face) == face.value


def test_a_joker_has_no_rank_and_no_suit() -> None:
    assert (JOKER.rank, JOKER.suit) == ("", "")


@pytest.mark.parametrize("name", ["", "10h", "1h", "TH", "th", "T", "Tx", "??", "back", "Joker", " Th"])
def test_what_is_no_card_says_what_a_card_looks_like(name: str) -> None:
    with pytest.raises(ValueError, match="is no card: write rank A23456789TJQK and suit cdhs, like Th"):
        card(name)


def test_equal_faces_are_one_value_and_one_key() -> None:
    assert {card("Th"): 1}[Card.TH] == 1
    assert len(set(DECK)) == 52
