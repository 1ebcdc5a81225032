"""The cards of a round as the shoe placed them."""

from itertools import pairwise

import pytest

from drivers.angel_eye.dealing import Dealing, as_reread, follows
from drivers.angel_eye.telegrams import Dealt, Place, Said
from rules.cards import Card
from rules.facts import CardDrawn, CardReread, CardsBurned, CutCardOut, Fact, ShoeResult


def drawn(spot: str, index: int, card: Card | None = Card.S8) -> Dealt:
    return Dealt(Place(spot, index), card, again=False)


def again(spot: str, index: int, card: Card | None = Card.S8) -> Dealt:
    return Dealt(Place(spot, index), card, again=True)


def run(*said: Said) -> list[Fact]:
    """The facts of the last one."""
    dealing, facts = Dealing(), ()
    for one in said:
        dealing, facts = dealing.say(one)
    return list(facts)


P1, B1, P2, B2, P3, B3 = (drawn(spot, n) for n in (1, 2, 3) for spot in ("punto", "banca"))
RESULT: Said = (ShoeResult("banca"),)


def test_the_same_place_and_card_again_is_nothing() -> None:
    assert run(P1, B1, again("punto", 1)) == []


def test_another_card_at_a_place_is_a_correction() -> None:
    assert run(P1, B1, again("punto", 1, Card.S9)) == [CardReread(Card.S9, "punto", 1)]
    assert run(drawn("burn", 4), again("burn", 4, Card.S9)) == [CardReread(Card.S9, "burn", 4)]


def test_an_unread_card_is_filled_in() -> None:
    assert run(drawn("banca", 1, None), again("banca", 1)) == [CardReread(Card.S8, "banca", 1)]


def test_a_place_that_was_never_heard_of_is_a_card() -> None:
    assert run(P1, again("banca", 1)) == [CardDrawn(Card.S8, "banca", 1)]
    assert run(again("first", 0)) == [CardsBurned((Card.S8,), first=True)]
    assert run(again("banca", 1), again("banca", 1)) == []


def test_the_round_that_is_over_can_still_be_told_again() -> None:
    assert run(P1, B1, P2, B2, RESULT, again("banca", 2)) == []


def test_a_new_round_forgets_the_old_one() -> None:
    assert run(P1, B1, P2, B2, P3, RESULT, P1, again("punto", 3)) == [CardDrawn(Card.S8, "punto", 3)]
    assert run(P1, B1, P2, B2, P3, P1, again("banca", 1)) == [CardDrawn(Card.S8, "banca", 1)]
    assert run(P1, B1, RESULT, B1, again("punto", 1)) == [CardDrawn(Card.S8, "punto", 1)]


def test_a_card_drawn_again_after_it_was_pushed_back_keeps_what_came_before() -> None:
    assert run(P1, B1, P2, P2, again("punto", 1)) == []


def test_a_new_shoe_forgets_everything() -> None:
    assert run(P1, B1, drawn("first", 0), again("punto", 1)) == [CardDrawn(Card.S8, "punto", 1)]


@pytest.mark.parametrize(("before", "after"), list(pairwise([P1, B1, P2, B2, P3, B3, RESULT])))
def test_the_cards_prove_that_nothing_is_missing(before: Said, after: Said) -> None:
    assert follows(before, after) is True


@pytest.mark.parametrize(("before", "after"), [(P1, P2), (P1, B2), (B1, B2), (P2, P3), (B1, B3)])
def test_the_cards_show_a_hole(before: Said, after: Said) -> None:
    assert follows(before, after) is False


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, P1),
        (P1, None),
        (B2, B3),
        (B2, RESULT),
        (P3, RESULT),
        (P1, P1),
        (B2, P1),
        (RESULT, B1),
        (RESULT, P1),
        ((CutCardOut(),), P1),
        (P1, again("banca", 1)),
        (drawn("burn", 3), P1),
        (drawn("burn", 3), drawn("burn", 2)),
    ],
)
def test_the_cards_do_not_tell(before: Said | None, after: Said | None) -> None:
    assert follows(before, after) is None


def test_burned_cards_are_a_chain_too() -> None:
    assert follows(drawn("first", 0), drawn("burn", 1)) is True
    assert follows(drawn("first", 0), drawn("burn", 2)) is False
    assert follows(drawn("burn", 1), drawn("burn", 2)) is True
    assert follows(drawn("burn", 1), drawn("burn", 3)) is False


OUTSIDE: Said = (CardDrawn(Card.H5, None, None, "error"),)


@pytest.mark.parametrize(
    ("wrong", "right", "facts"),
    [
        (P1, drawn("punto", 1, Card.S9), [CardReread(Card.S9, "punto", 1)]),
        (P1, B1, [CardReread(Card.S8, "banca", 1)]),
        (P1, OUTSIDE, [CardReread(Card.H5)]),
        (OUTSIDE, P1, [CardReread(Card.S8, "punto", 1)]),
        (P1, (CutCardOut(),), [CardReread(None, "punto", 1), CutCardOut()]),
        (P1, None, [CardReread(None, "punto", 1)]),
        ((CutCardOut(),), P1, [CardDrawn(Card.S8, "punto", 1)]),
        ((CutCardOut(),), None, []),
        (None, P1, [CardDrawn(Card.S8, "punto", 1)]),
        (again("punto", 1, Card.S9), again("punto", 1), [CardReread(Card.S8, "punto", 1)]),
        (
            again("punto", 2),
            again("punto", 1),
            [CardReread(None, "punto", 2), CardReread(Card.S8, "punto", 1)],
        ),
    ],
)
def test_a_telegram_that_was_outvoted(wrong: Said | None, right: Said | None, facts: list[Fact]) -> None:
    dealing, _ = Dealing().say(again("punto", 1, Card.S9))
    if wrong is not None:
        dealing, _ = dealing.say(wrong)
    dealing, told = dealing.correct(wrong, right)
    assert list(told) == facts
    if isinstance(right, Dealt):
        assert dict(dealing.cards)[right.place] is right.card


def test_only_a_card_can_be_read_again() -> None:
    assert as_reread(RESULT) is None
    assert as_reread(None) is None
