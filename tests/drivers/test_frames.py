"""The loop that every driver shares, with a toy's frames: a digit, and as many letters."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.frames import Counts, Damage, Framer


def toy(buffer: bytes) -> tuple[int, str | Damage | None]:
    """`3abc` is a frame, `3ab!` has a wrong check."""
    if not buffer[:1].isdigit():
        return 1, Damage.NOISE
    size = int(buffer[:1]) + 1
    if len(buffer) < size:
        return 0, None
    body = buffer[1:size]
    return size, body.decode() if body.isalpha() else Damage.CHECK


def run(*pieces: bytes, longest: int = 10) -> tuple[list[str], Counts]:
    counts = Counts()
    framer = Framer(toy, longest, counts)
    return [str(found) for piece in pieces for found in framer.feed(piece)], counts


def test_frames_in_one_piece_and_in_many() -> None:
    assert run(b"3abc2de")[0] == ["abc", "de"]
    assert run(b"3", b"a", b"", b"bc2d", b"e")[0] == ["abc", "de"]


def test_what_is_lost_is_counted_by_its_reason() -> None:
    found, counts = run(b"xx3a!c1z")
    assert found == ["noise", "noise", "check", "z"]
    assert counts == Counts(bytes=8, frames=1, bad_check=1, dropped=6)


def test_a_frame_without_end_costs_its_first_byte_and_not_the_stream() -> None:
    found, counts = run(b"9" + b"x" * 4, b"", longest=5)
    assert found == ["oversize", *["noise"] * 4]
    assert counts.oversize == 1
    assert run(b"9aaaaa1z", longest=5)[0][-1] == "z"


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_any_bytes_in_any_pieces_give_the_same_and_leave_little_behind(pieces: list[bytes]) -> None:
    counts, whole = Counts(), Counts()
    framer, once = Framer(toy, 10, counts), Framer(toy, 10, whole)
    found = [one for piece in pieces for one in framer.feed(piece)]
    assert found == list(once.feed(b"".join(pieces)))
    assert counts == whole
    assert len(framer._rest) < 10
    frames = sum(len(one) + 1 for one in found if not isinstance(one, Damage))
    assert counts.bytes == frames + counts.dropped + len(framer._rest)
