"""Three copies, of which two decide; numbers, of which none may be missing in silence."""

from collections.abc import Callable

import pytest

from drivers.angel_eye import AngelEye, speak
from drivers.angel_eye.telegrams import Dealt, Place
from drivers.angel_eye.wire import Telegram, encode
from rules.cards import Card
from rules.facts import (
    CardDrawn,
    CardReread,
    CutCardOut,
    DeviceHello,
    DeviceState,
    Fact,
    FaultCleared,
    FaultRaised,
    GapFound,
    LockChanged,
    ShoeResult,
    UnknownReport,
)

A, B, C = (speak.dealt("punto", 1, card) for card in (Card.S8, Card.S9, Card.S7))
DRAWN, RAISED, CLEARED = (
    CardDrawn(Card.S8, "punto", 1),
    FaultRaised("copies_differ", active=False),
    FaultCleared("copies_differ"),
)
UNREAD, CORRECTED = CardReread(None, "punto", 1), CardReread(Card.S9, "punto", 1)
NEXT = CardDrawn(Card.KD, "banca", 1)

Thrice = Callable[[str, bytes], bytes]


def copies(*data: bytes, seq: str = "1") -> bytes:
    """One telegram, copy by copy; an empty one is damaged."""
    good = [encode(Telegram(seq, one or A)) for one in data]
    return b"".join(one[:-1] + b"?" if not said else one for one, said in zip(good, data, strict=True))


def hear(data: bytes, shoe: AngelEye | None = None) -> list[Fact]:
    return [fact for fact, _ in (shoe or AngelEye()).feed(data)]


DAMAGED = b""


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ((A,), [DRAWN]),
        ((A, A), [DRAWN]),
        ((A, A, A), [DRAWN]),
        ((DAMAGED, A, A), [DRAWN]),
        ((A, DAMAGED, A), [DRAWN]),
        ((A, A, DAMAGED), [DRAWN]),
        ((DAMAGED, DAMAGED, A), [DRAWN]),
        ((DAMAGED, A, DAMAGED), [DRAWN]),
        ((A, DAMAGED, DAMAGED), [DRAWN]),
        ((DAMAGED, DAMAGED, DAMAGED), []),
        ((A, A, B), [DRAWN, RAISED, CLEARED]),
        ((A, B), [DRAWN, RAISED]),
        ((A, B, A), [DRAWN, RAISED, CLEARED]),
        ((A, B, B), [DRAWN, RAISED, CORRECTED, CLEARED]),
        ((A, B, C), [DRAWN, RAISED, UNREAD, CLEARED]),
        ((A, B, DAMAGED), [DRAWN, RAISED, UNREAD, CLEARED]),
        ((A, DAMAGED, B), [DRAWN, RAISED]),
        ((A, B, DAMAGED, B), [DRAWN, RAISED, UNREAD, CLEARED, CORRECTED]),
        ((A, B, DAMAGED, A), [DRAWN, RAISED, UNREAD, CLEARED, CardReread(Card.S8, "punto", 1)]),
        ((A, B, DAMAGED, C), [DRAWN, RAISED, UNREAD, CLEARED]),
    ],
)
def test_two_of_three(said: tuple[bytes, ...], facts: list[Fact]) -> None:
    assert hear(copies(*said)) == facts


def test_two_that_differ_are_given_up_when_the_next_telegram_comes(thrice: Thrice) -> None:
    stream = copies(A, B) + thrice("2", speak.dealt("banca", 1, Card.KD))
    assert hear(stream) == [DRAWN, RAISED, UNREAD, CLEARED, NEXT]


def test_the_first_good_copy_is_told_before_the_others_come(once: Thrice) -> None:
    shoe = AngelEye()
    assert hear(once("1", A), shoe) == [DRAWN]
    assert hear(once("1", A), shoe) == []


@pytest.mark.parametrize(
    ("first", "others", "facts"),
    [
        (speak.CUT_CARD, A, [CutCardOut(), RAISED, DRAWN, CLEARED]),
        (A, speak.CUT_CARD, [DRAWN, RAISED, UNREAD, CutCardOut(), CLEARED]),
        (A, speak.dealt("banca", 1, Card.S8), [DRAWN, RAISED, CardReread(Card.S8, "banca", 1), CLEARED]),
        (
            speak.lock(locked=True),
            speak.lock(locked=False),
            [LockChanged(locked=True), RAISED, LockChanged(locked=False), CLEARED],
        ),
        (A, b"D\x81\xbf", [DRAWN, RAISED, UNREAD, UnknownReport("05314481bf033438"), CLEARED]),
        (b"D\x81\xbf", A, [UnknownReport("05314481bf033438"), RAISED, DRAWN, CLEARED]),
    ],
)
def test_other_telegrams_are_outvoted_too(first: bytes, others: bytes, facts: list[Fact]) -> None:
    assert hear(copies(first, others, others)) == facts


def test_three_different_telegrams_that_are_no_cards_are_left_as_they_are() -> None:
    said = [speak.result(winner) for winner in ("punto", "banca", "empate")]
    assert hear(copies(*said)) == [ShoeResult("punto"), RAISED, CLEARED]
    assert hear(copies(said[0], said[1], DAMAGED, said[0])) == [ShoeResult("punto"), RAISED, CLEARED]


def test_two_real_cards_with_one_face_are_two(thrice: Thrice) -> None:
    assert hear(thrice("1", A) + thrice("2", A)) == [DRAWN, DRAWN]


def test_a_fourth_copy_is_a_telegram_one_turn_later(thrice: Thrice) -> None:
    assert hear(thrice("1", A) + thrice("1", A)) == [DRAWN, GapFound(9), DRAWN]
    assert hear(thrice("1", A) + thrice("1", B)) == [DRAWN, GapFound(9), CardDrawn(Card.S9, "punto", 1)]


def test_copies_that_come_late_between_the_next_ones_are_known(once: Thrice) -> None:
    one, two = once("1", A), once("2", speak.dealt("banca", 1, Card.KD))
    assert hear(one + two + one + two + one + two) == [DRAWN, NEXT]


def test_a_telegram_that_was_lost_is_a_gap_before_the_next(thrice: Thrice) -> None:
    stream = thrice("1", A) + copies(DAMAGED, DAMAGED, DAMAGED, seq="2") + thrice("3", speak.CUT_CARD)
    assert hear(stream) == [DRAWN, GapFound(1), CutCardOut()]


def test_two_telegrams_in_the_wrong_order_are_both_told(thrice: Thrice) -> None:
    stream = b"".join(thrice(seq, A) for seq in "132") + thrice("4", speak.CUT_CARD)
    assert hear(stream) == [DRAWN, GapFound(1), DRAWN, DRAWN, CutCardOut()]


def test_a_boot_in_the_middle_of_a_round_expects_nothing(thrice: Thrice) -> None:
    stream = thrice("7", A) + thrice("1", b"S") + thrice("2", speak.dealt("banca", 1, Card.KD))
    assert hear(stream) == [DRAWN, DeviceHello({"device": "angel-eye-2ex"}), NEXT]


def test_a_boot_with_the_number_of_the_card_before_it_is_a_boot(once: Thrice, thrice: Thrice) -> None:
    hello = DeviceHello({"device": "angel-eye-2ex"})
    assert hear(once("1", A) + thrice("1", b"S") + thrice("2", A)) == [DRAWN, hello, DRAWN]
    assert hear(thrice("1", b"S") + thrice("1", b"S")) == [hello, hello]


def test_a_boot_forgets_the_copies_of_before(once: Thrice, thrice: Thrice) -> None:
    assert len(hear(once("2", A) + thrice("1", b"S") + thrice("2", A))) == 3


def test_unknown_telegrams_are_facts_and_counted(thrice: Thrice) -> None:
    shoe = AngelEye()
    assert hear(thrice("1", b"Z\x80") + thrice("2", b"P"), shoe) == [
        UnknownReport("05315a80034538"),
        DeviceState({"state": "standby"}),
    ]
    assert (shoe.counts.unknown, shoe.counts.frames, shoe.counts.duplicates) == (3, 6, 4)


def test_everything_is_counted(thrice: Thrice) -> None:
    shoe = AngelEye()
    stream = copies(A, B, DAMAGED) + thrice("4", speak.CUT_CARD) + b"noise" + b"\x05" + b"x" * 40
    hear(stream, shoe)
    counts = shoe.counts
    assert (counts.frames, counts.bad_check, counts.duplicates) == (5, 1, 2)
    assert (counts.differing, counts.gaps, counts.oversize) == (1, 2, 1)


@pytest.mark.parametrize("alphabet", ["1234567890", "123456789", "0123456789ABCDEF"])
def test_no_card_is_lost_in_silence_whatever_the_shoe_counts_with(alphabet: str, thrice: Thrice) -> None:
    """One telegram in seven is lost, wholly: each is a gap before the next, with the turn known or not."""
    said = [speak.dealt(spot, n, Card.S8) for n in (1, 2) for spot in ("punto", "banca")] + [
        speak.result("banca")
    ]
    shoe, lost = AngelEye(), 0
    for n in range(300):
        facts = [] if n % 7 == 6 else hear(thrice(alphabet[n % len(alphabet)], said[n % 5]), shoe)
        lost += n % 7 == 6
        if n % 7 == 0 and n:
            assert any(isinstance(fact, GapFound) for fact in facts), n
    assert shoe.counts.gaps >= lost


def test_a_place_in_words() -> None:
    assert Dealt(Place("first", 0), Card.S8, again=False).place.hint == "burn"
