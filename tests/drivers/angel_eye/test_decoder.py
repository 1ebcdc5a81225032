"""The whole driver under whatever a line can send."""

import sys
import time
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.angel_eye import AngelEye, speak
from drivers.angel_eye.wire import LONGEST, Telegram, encode
from rules.cards import DECK, Card
from rules.facts import CardDrawn, CardReread, DeviceHello, Fact, FaultCleared, FaultRaised, GapFound

Thrice = Callable[[str, bytes], bytes]
PLACES = [(spot, n) for n in (1, 2) for spot in ("punto", "banca")]
NUMBERS = "1234567890"


def shoe_of(cards: list[Card]) -> bytes:
    """Every card of a shoe, in rounds of four, as fast as bytes go."""
    said = [speak.dealt(*PLACES[n % 4], card) for n, card in enumerate(cards)]
    return b"".join(encode(Telegram(NUMBERS[n % 10], data)) * 3 for n, data in enumerate(said))


@pytest.mark.parametrize("size", [1, 7, 24, 4096, 1 << 20])
def test_a_whole_shoe_in_one_burst_is_all_there_and_in_order(size: int) -> None:
    cards = list(DECK) * 8
    Random(1).shuffle(cards)  # noqa: S311
    stream, shoe = shoe_of(cards), AngelEye()
    facts = [fact for at in range(0, len(stream), size) for fact, _ in shoe.feed(stream[at : at + size])]
    assert [fact.card for fact in facts if isinstance(fact, CardDrawn)] == cards
    assert len(facts) == 416
    assert shoe.counts.gaps == 0
    assert shoe.counts.duplicates == 2 * 416


@settings(max_examples=100)
@given(st.lists(st.binary(max_size=100), max_size=30), st.booleans())
def test_any_bytes_in_any_pieces_give_facts_and_no_error(pieces: list[bytes], asked: bool) -> None:  # noqa: FBT001
    shoe = AngelEye()
    if asked:
        shoe.ask("lock")
    for piece in pieces:
        for fact, cursor in shoe.feed(piece):
            assert AngelEye(cursor).feed(b"") is not None
            assert fact is not None
    assert shoe.counts.bytes == sum(map(len, pieces))


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Telegrams of a shoe, whole and damaged, between other bytes."""
    pieces = []
    for _ in range(draw(st.integers(1, 12))):
        data = draw(st.sampled_from([b"S", b"C", b"R\x81\xb8", b"D\x81\xb8", b"D\x91\xb9", b"E\xc4", b"Z"]))
        copy = bytearray(encode(Telegram(draw(st.sampled_from("12390")), data)))
        for _ in range(draw(st.integers(0, 2))):
            copy[draw(st.integers(0, len(copy) - 1))] ^= 1 << draw(st.integers(0, 7))
        pieces.append(bytes(copy) * draw(st.integers(1, 4)))
        pieces.append(draw(st.binary(max_size=5)))
    return b"".join(pieces)


@settings(max_examples=100)
@given(lines())
def test_cursors_restore_the_stand_whatever_came(stream: bytes) -> None:
    shoe = AngelEye()
    for at in range(len(stream)):
        for _, cursor in shoe.feed(stream[at : at + 1]):
            again = AngelEye(cursor)
            # A telegram that was cut between two facts is finished first, and then both stand alike.
            again.feed(b"")
        assert len(shoe._framer._rest) < LONGEST
    raised = differ(stream, FaultRaised)
    assert differ(stream, FaultCleared) in (raised, raised - 1)


def differ(stream: bytes, kind: type[Fact]) -> int:
    told = [fact for fact, _ in AngelEye().feed(stream)]
    return sum(isinstance(fact, kind) and getattr(fact, "code", "") == "copies_differ" for fact in told)


@settings(max_examples=100)
@given(st.binary(max_size=300))
def test_after_any_garbage_the_next_telegram_is_told(garbage: bytes) -> None:
    shoe = AngelEye()
    shoe.feed(garbage)
    told = [fact for fact, _ in shoe.feed(encode(Telegram("1", b"S")) * 3)]
    assert DeviceHello({"device": "angel-eye-2ex"}) in told


def test_memory_stays_flat_under_a_flood() -> None:
    shoe, random = AngelEye(), Random(2)  # noqa: S311
    shoe.feed(random.randbytes(100_000))
    before = len(shoe.feed(b"")), sys.getsizeof(shoe._framer._rest)
    shoe.feed(b"\x05" + b"x" * 200_000)
    shoe.feed(random.randbytes(200_000))
    assert len(shoe._framer._rest) < LONGEST
    assert len(shoe._stand.heard) <= 3
    assert before[0] == 0


def test_a_flood_from_a_broken_shoe_is_read_faster_than_a_line_can_send(thrice: Thrice) -> None:
    flood = b"".join(thrice(NUMBERS[n % 10], speak.dealt(*PLACES[n % 4], Card.S8)) for n in range(1000))
    shoe, began = AngelEye(), time.process_time()
    assert len(shoe.feed(flood)) == 1000
    # Three thousand frames: more than a second of the fastest flood, and six of the line at its own speed.
    assert time.process_time() - began < 1.0


def test_a_broken_cursor_is_refused() -> None:
    for cursor in ("nonsense", "{}", "[]", "[[1]]", '[["1","",[],[],""],[],[],false,[1,["1","zz"]]]'):
        with pytest.raises(ValueError, match="no cursor"):
            AngelEye(cursor)


def test_copies_that_come_late_after_a_restart_are_known(thrice: Thrice, once: Thrice) -> None:
    shoe = AngelEye()
    ((fact, cursor),) = shoe.feed(once("4", speak.dealt("punto", 1, Card.S8)))
    again = AngelEye(cursor)
    assert again.feed(once("4", speak.dealt("punto", 1, Card.S8)) * 2) == []
    assert [fact for fact, _ in again.feed(thrice("5", speak.dealt("banca", 1, Card.S8)))] == [
        CardDrawn(Card.S8, "banca", 1)
    ]
    assert fact == CardDrawn(Card.S8, "punto", 1)


def test_what_was_lost_between_two_lives_is_a_gap_before_the_next(thrice: Thrice) -> None:
    ((_, cursor),) = AngelEye().feed(thrice("4", speak.dealt("punto", 1, Card.S8)))
    told = [fact for fact, _ in AngelEye(cursor).feed(thrice("7", speak.dealt("banca", 2, Card.S8)))]
    assert told == [GapFound(2), CardDrawn(Card.S8, "banca", 2)]


def test_a_correction_that_comes_after_a_restart_still_corrects(once: Thrice) -> None:
    ((_, cursor),) = AngelEye().feed(once("4", speak.dealt("punto", 1, Card.S8)))
    told = [fact for fact, _ in AngelEye(cursor).feed(once("4", speak.dealt("punto", 1, Card.S9)) * 2)]
    assert told == [
        FaultRaised("copies_differ", active=False),
        CardReread(Card.S9, "punto", 1),
        FaultCleared("copies_differ"),
    ]


def test_a_telegram_of_two_facts_cut_between_them_is_finished_by_the_next_life(thrice: Thrice) -> None:
    reports = AngelEye().feed(thrice("4", speak.error(4)))
    assert len(reports) == 2
    again = AngelEye(reports[0][1])
    assert again.feed(b"") == reports[1:]
    assert again.feed(b"") == []
    assert AngelEye(reports[1][1]).feed(b"") == []


def test_a_card_told_again_after_a_restart_is_not_a_second_card(thrice: Thrice) -> None:
    reports = AngelEye().feed(thrice("4", speak.dealt("punto", 1, Card.S8)))
    assert AngelEye(reports[-1][1]).feed(thrice("5", speak.told_again("punto", 1, Card.S8))) == []


def test_a_loss_that_told_two_facts_is_finished_by_the_next_life_too(once: Thrice) -> None:
    one, other = (once("4", speak.dealt("punto", 1, card)) for card in (Card.S8, Card.S9))
    *_, unread, cleared = AngelEye().feed(one + other + one[:-1] + b"?")
    assert unread[0] == CardReread(None, "punto", 1)
    assert AngelEye(unread[1]).feed(b"") == [cleared]
