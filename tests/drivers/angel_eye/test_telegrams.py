"""The fields of telegrams: all that can be said, and all that no device would say."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye import speak
from drivers.angel_eye.telegrams import Dealt, ImpossibleError, Place, read
from rules.cards import DECK, Card
from rules.facts import (
    CardDrawn,
    CardReturned,
    CardsBurned,
    CutCardOut,
    DeviceHello,
    DeviceState,
    Fact,
    FaultCleared,
    FaultRaised,
    LockChanged,
    ShoeResult,
)

PLACES = [(spot, n) for spot in ("punto", "banca") for n in (1, 2, 3)] + [("burn", n) for n in range(11)]


@pytest.mark.parametrize("card", [*DECK, None], ids=str)
def test_every_card_is_said_and_read(card: Card | None) -> None:
    for spot, index in PLACES:
        assert read(speak.dealt(spot, index, card)) == Dealt(Place(spot, index), card, again=False)
        assert read(speak.told_again(spot, index, card)) == Dealt(Place(spot, index), card, again=True)


def test_a_card_of_a_hand_is_a_draw_with_the_shoes_opinion() -> None:
    said = read(speak.dealt("banca", 3, Card.TH))
    assert isinstance(said, Dealt)
    assert said.fact() == CardDrawn(Card.TH, "banca", 3)


def test_the_first_card_and_the_cards_that_it_burns() -> None:
    for spot, first in (("first", True), ("burn", False)):
        said = read(speak.dealt(spot, 1, Card.TH))
        assert isinstance(said, Dealt)
        assert said.fact() == CardsBurned((Card.TH,), first=first)
        assert said.place.hint == "burn"


@pytest.mark.parametrize(
    ("data", "facts"),
    [
        (speak.START, (DeviceHello({"device": "angel-eye-2ex"}),)),
        (speak.STANDBY, (DeviceState({"state": "standby"}),)),
        (speak.CUT_CARD, (CutCardOut(),)),
        (speak.dealt("burn_count", 7, None), (DeviceState({"burn_count": 7}),)),
        (speak.outside("lock", Card.S5), (CardDrawn(Card.S5, None, None, "lock"),)),
        (speak.outside("error", Card.S5, 2), (CardDrawn(Card.S5, None, 2, "error"),)),
        (speak.outside("setting", None), (CardDrawn(None, None, None, "setting"),)),
        (speak.result("banca", ("punto", "banca")), (ShoeResult("banca", ("punto", "banca")),)),
        (speak.result("empate", ("banca",)), (ShoeResult("empate", ("banca",)),)),
        (speak.result(None), (ShoeResult(None),)),
        (speak.error(1), (FaultRaised("unreadable"),)),
        (speak.error(2, active=False), (FaultRaised("overdraw", active=False),)),
        (speak.error(3), (FaultRaised("button"),)),
        (speak.error(4), (FaultRaised("reverse"), CardReturned("exit"))),
        (speak.error(5), (FaultRaised("reverse"), CardReturned("midway"))),
        (speak.error(6), (FaultRaised("code_error"),)),
        (speak.error(7), (FaultRaised("timeout"),)),
        (speak.error(42), (FaultRaised("error_42"),)),
        (speak.error_over(5), (FaultCleared("reverse"),)),
        (speak.error_over(42), (FaultCleared("error_42"),)),
        (speak.lock(locked=True), (LockChanged(locked=True),)),
        (speak.lock(locked=False), (LockChanged(locked=False),)),
        (speak.preset("01", "0008"), (DeviceState({"preset": "01", "value": "0008"}),)),
    ],
    ids=repr,
)
def test_every_other_telegram(data: bytes, facts: tuple[Fact, ...]) -> None:
    assert read(data) == facts


@pytest.mark.parametrize(
    ("why", "data"),
    [
        ("no such letter", b"Z"),
        ("no letter", b""),
        ("fields where none belong", b"S\x81"),
        ("a field is missing", b"D\x81"),
        ("a field too many", b"D\x81\xb8\x80"),
        ("rank 14", b"D\x81\xbe"),
        ("rank 15", b"D\x81\xbf"),
        ("suit 5", b"D\x81\xd1"),
        ("suit 7", b"D\x81\xf1"),
        ("a suit without a rank", b"D\x81\xb0"),
        ("a rank without a suit", b"D\x81\x88"),
        ("a place without bit 7", b"D\x01\xb8"),
        ("a card without bit 7", b"D\x81\x38"),
        ("Player 0", b"D\x80\xb8"),
        ("Player 4", b"D\x84\xb8"),
        ("Banker 9", b"D\x99\xb8"),
        ("burn 11", b"D\xab\xb8"),
        ("no such place", b"D\xb1\xb8"),
        ("no such mode", b"d\xb0\xb8"),
        ("no winner", b"G\x80"),
        ("two winners", b"G\xb0"),
        ("pairs of three hands", b"G\x94"),
        ("a lock half turned", b"L\x82"),
        ("an error without bit 7", b"E\x41"),
        ("a preset that is no text", b"M01\xb0008"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_right_check_does_not_make_it_possible(why: str, data: bytes) -> None:
    with pytest.raises(ImpossibleError):
        raise AssertionError(why, read(data))


@given(st.binary(max_size=8))
def test_any_data_is_read_or_refused(data: bytes) -> None:
    with suppress(ImpossibleError):
        read(data)
