"""A driver killed at any point goes on from its cursor: no card lost in silence, none told twice.

The model is the list of what the shoe said. The journal holds what reached it before each kill, and then what
the next driver told; every entry must be the next of the list, or a gap that skips as many as it says.
"""

from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.angel_eye import AngelEye, speak
from drivers.angel_eye.telegrams import Dealt, read
from drivers.angel_eye.wire import Telegram, encode
from rules.cards import DECK
from rules.facts import Fact, GapFound

NUMBERS = "1234567890"
LESS_THAN_A_TURN = 6 * 3 * 6
"""Bytes: six telegrams of the shortest."""

cards = st.sampled_from(DECK)
between = st.sampled_from(
    [b"C", b"P", speak.error(4), speak.error_over(4), speak.lock(locked=True), b"Z\x80"]
)


@st.composite
def rounds(draw: st.DrawFn) -> list[bytes]:
    """What a shoe says in some rounds, with this and that in between."""
    said = [b"S", *[b"P"] * 12]
    for _ in range(draw(st.integers(1, 4))):
        places = [(spot, n) for n in (1, 2) for spot in ("punto", "banca")]
        places += draw(st.sampled_from([[], [("punto", 3)], [("banca", 3)], [("punto", 3), ("banca", 3)]]))
        for place in places:
            said.append(speak.dealt(*place, draw(cards | st.none())))
            said += draw(st.lists(between, max_size=1))
        said += [speak.result("banca"), b"P"]
    return said


def facts_of(data: bytes) -> list[Fact]:
    if data == b"Z\x80":
        return []
    said = read(data)
    return [said.fact()] if isinstance(said, Dealt) else list(said)


class Life(NamedTuple):
    """One life of a driver, and the time until the next."""

    pieces: int
    """How many it reads."""
    kept: int
    """How many facts of its last piece reach the journal."""
    lost: int
    """How many pieces nobody hears afterwards."""


lives = st.lists(st.builds(Life, st.integers(1, 12), st.integers(0, 3), st.integers(0, 10)), max_size=8)


@settings(max_examples=100, deadline=None)
@given(rounds(), lives, st.integers(1, 40))
def test_killed_at_any_point(said: list[bytes], lives: list[Life], size: int) -> None:
    stream = b"".join(encode(Telegram(NUMBERS[n % 10], data)) * 3 for n, data in enumerate(said))
    # The first turn of the count is heard undisturbed, and so learned.
    stream, start = stream[18 * 12 :], stream[: 18 * 12]
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    journal = AngelEye().feed(start)
    heard_at = len(pieces)
    for life in [*lives, Life(len(pieces), 99, 0)]:
        shoe = AngelEye(journal[-1][1])
        for n in range(life.pieces):
            reports = shoe.feed(pieces.pop(0) if pieces else b"")
            kept = reports if n < life.pieces - 1 else reports[: life.kept]
            journal += kept
            heard_at = len(pieces) if kept else heard_at
        # A whole turn of the count would be lost without a trace: that is what the counting cannot see.
        for _ in range(life.lost):
            if (heard_at - len(pieces) + 1) * size < LESS_THAN_A_TURN and pieces:
                pieces.pop(0)
    check(journal, said)


def check(journal: list[tuple[Fact, str]], said: list[bytes]) -> None:
    """Every entry is the next that was said, or skips what it says."""
    at, told = 0, 0
    for fact, _ in journal:
        if isinstance(fact, GapFound):
            assert told == 0, "a gap in the middle of a telegram"
            at += fact.count
            continue
        expected = facts_of(said[at])
        if expected:
            assert fact == expected[told], (at, told)
        told += 1
        if told >= max(1, len(expected)):
            at, told = at + 1, 0
    assert told == 0
