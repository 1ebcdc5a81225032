"""Telegrams cut out of whatever the line sends."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye.telegrams import Dealt, ImpossibleError, read
from drivers.angel_eye.wire import LONGEST, Telegram, decode, encode
from drivers.frames import Counts, Damage, Framer

CARD = bytes.fromhex("05 31 44 81 B8 03 34 46")
"""Player's first card is the eight of spades."""

seqs = st.characters(min_codepoint=0x21, max_codepoint=0x7E)
letters = st.integers(0x21, 0x7E).map(lambda n: bytes([n]))
fields = st.lists(st.integers(0x20, 0x7E) | st.integers(0x80, 0xFF), max_size=20).map(bytes)
telegrams = st.builds(lambda seq, letter, rest: Telegram(seq, letter + rest), seqs, letters, fields)


def cut(*pieces: bytes) -> tuple[list[Telegram], Counts]:
    counts = Counts()
    framer = Framer(decode, LONGEST, counts)
    found = [one for piece in pieces for one in framer.feed(piece)]
    return [one for one in found if not isinstance(one, Damage)], counts


@given(telegrams)
def test_what_is_encoded_is_decoded(telegram: Telegram) -> None:
    data = encode(telegram)
    assert decode(data) == (len(data), telegram)
    assert decode(data + b"\x05anything") == (len(data), telegram)
    assert all(decode(data[:n]) == (0, None) for n in range(1, len(data)))


def test_nothing_is_said_of_nothing() -> None:
    assert decode(b"") == (0, None)
    assert cut(b"", b"") == ([], Counts())


def test_many_telegrams_in_one_piece() -> None:
    assert len(cut(CARD * 500)[0]) == 500


@pytest.mark.parametrize(
    "noise",
    [
        b"\x00",
        b"\x00" * 100,
        b"\xff\xfe",
        b"boot v1.2\r\n",
        b"\x05",
        b"\x05\x05\x05",
        b"\x05\x31",
        b"\x05\x31\x44\x81",
        b"\x05\x31\x44\x81\xb8\x03",
        b"\x05\x31\x44\x81\xb8\x03\x34",
        b"\x03",
        b"\x05\x03",
        b"\x05\x03\x34\x46",
        b"\x05\x31\x03\x34\x46",
        CARD[:-1] + b"E",
        b"\x05" + b"x" * 500,
        "čárta".encode(),
    ],
    ids=repr,
)
def test_noise_before_between_and_after_costs_no_telegram(noise: bytes) -> None:
    other = encode(Telegram("2", b"C"))
    found, counts = cut(noise + CARD + noise + other + noise + CARD)
    assert [telegram.data for telegram in found] == [b"D\x81\xb8", b"C", b"D\x81\xb8"]
    assert counts.dropped == counts.bytes - 2 * len(CARD) - len(other)


def test_noise_inside_a_telegram_costs_that_one_only() -> None:
    for at, noise in itertools.product(
        range(1, len(CARD)), (b"\x00", b"\x05", b"\x03", b"\x00\x00", b"zz", b"\xff")
    ):
        found, _ = cut(CARD[:at] + noise + CARD[at:] + CARD)
        assert found[-1].data == b"D\x81\xb8", (at, noise)
        assert all(not _is_card(telegram) for telegram in found[:-1] if telegram != found[-1]), (at, noise)


def test_a_nul_more_is_damage_though_the_xor_is_the_same() -> None:
    assert decode(CARD[:4] + b"\x00" + CARD[4:])[1] is Damage.CHECK


def test_a_telegram_without_end_is_given_up() -> None:
    found, counts = cut(b"\x05" + b"x" * 1000 + CARD)
    assert len(found) == 1
    assert counts.oversize == 1
    assert counts.dropped == 1001


def test_check_digits_are_upper_case() -> None:
    data = encode(Telegram("1", b"G\x91"))
    assert data[-2:] == b"E4"
    assert decode(data[:-2] + b"e4")[1] is Damage.CHECK


def _is_card(telegram: Telegram) -> bool:
    try:
        return isinstance(read(telegram.data), Dealt)
    except ImpossibleError:
        return False


def _flipped(bits: tuple[int, ...]) -> bytes:
    data = bytearray(CARD)
    for bit in bits:
        data[bit // 8] ^= 1 << bit % 8
    return bytes(data)


def test_no_single_flipped_bit_makes_another_card() -> None:
    for bit in range(8 * len(CARD)):
        found, _ = cut(_flipped((bit,)) + CARD)
        assert [telegram.data for telegram in found] == [b"D\x81\xb8"], bit


def test_two_flipped_bits_make_another_card_as_often_as_the_readme_says() -> None:
    accepted = cards = 0
    for bits in itertools.combinations(range(8 * len(CARD)), 2):
        found, _ = cut(_flipped(bits))
        accepted += bool(found)
        cards += any(_is_card(telegram) and telegram.data[1:] != b"\x81\xb8" for telegram in found)
    assert (accepted, cards) == (54, 18)


@given(st.binary(max_size=200), st.lists(telegrams, min_size=1, max_size=5))
def test_after_any_garbage_the_next_telegrams_are_found(garbage: bytes, sent: list[Telegram]) -> None:
    found, counts = cut(garbage, b"".join(encode(telegram) for telegram in sent))
    assert found[-len(sent) :] == sent
    assert counts.bytes == sum(len(encode(telegram)) for telegram in found) + counts.dropped
