"""The rungs of a link, and what stands on them."""

from drivers.frames import Counts
from drivers.link import Change, Link, Rung


def heard(link: Link, at: float, size: int = 0, **counted: int) -> Link:
    """A piece of so many bytes came, and the decoder counted this in it."""
    link.counts.bytes += size
    for name, count in counted.items():
        setattr(link.counts, name, getattr(link.counts, name) + count)
    link.hear(b"x" * size, at)
    return link


def opened() -> Link:
    link = Link(Counts())
    link.open(1)
    return link


def test_a_link_begins_at_the_foot() -> None:
    link = Link(Counts())
    assert link.rung is Rung.ABSENT
    link.absent("held by another process: pid 7 (cat)")
    assert link.change() == Change(Rung.ABSENT, "held by another process: pid 7 (cat)")


def test_silent_until_something_comes() -> None:
    link = opened()
    assert link.rung is Rung.SILENT
    assert heard(link, 1.0, 10).rung is Rung.SILENT


def test_bytes_that_are_no_frames() -> None:
    link = heard(opened(), 1.0, 100)
    assert link.rung is Rung.BYTES
    assert "baud" in link.why


def test_frames_with_a_wrong_check_and_frames_that_nobody_understands() -> None:
    assert heard(opened(), 1.0, 100, bad_check=3).rung is Rung.FRAMES
    assert heard(opened(), 1.0, 100, frames=3, unknown=3).rung is Rung.FRAMES


def test_reports() -> None:
    link = heard(opened(), 7.0, 8, frames=1)
    assert link.rung is Rung.LIVE
    assert link.why == ""
    assert link.last_good == 7.0


def test_a_live_link_stays_live_in_silence_and_over_a_little_damage() -> None:
    link = heard(heard(opened(), 1.0, 8, frames=1), 2.0, 16, bad_check=2)
    assert link.rung is Rung.LIVE


def test_a_live_link_falls_when_nothing_is_understood_any_more() -> None:
    link = heard(heard(opened(), 1.0, 8, frames=1), 2.0, 100)
    assert link.rung is Rung.BYTES
    assert heard(link, 3.0, 8, frames=1).rung is Rung.LIVE


def test_garbled_after_seconds_of_bytes_without_one_right_check() -> None:
    link = heard(opened(), 1.0, 100)
    assert not link.garbled
    assert not heard(link, 3.9, 100).garbled
    assert heard(link, 4.0, 100, bad_check=1).garbled
    assert not heard(link, 4.1, 8, frames=1).garbled


def test_frames_that_nobody_understands_are_not_garbled() -> None:
    link = heard(opened(), 1.0, 100, frames=3, unknown=3)
    assert not heard(link, 9.0, 100, frames=3, unknown=3).garbled


def test_a_port_that_came_back_begins_anew() -> None:
    link = heard(opened(), 1.0, 100)
    link.absent("port absent")
    link.open(2)
    assert link.rung is Rung.SILENT
    assert link.reconnects == 1
    assert not heard(link, 9.0, 10).garbled


def test_a_change_is_told_once() -> None:
    link = opened()
    assert link.change() == Change(Rung.SILENT, "the port is open, nothing came yet")
    assert link.change() is None
    assert heard(link, 1.0, 8, frames=1).change() == Change(Rung.LIVE, "")
    assert heard(link, 2.0, 8, frames=1).change() is None
    link.absent("port absent")
    assert link.change() == Change(Rung.ABSENT, "port absent")
    link.absent("permission denied")
    assert link.change() == Change(Rung.ABSENT, "permission denied")
    assert link.change() is None


def test_another_reader_is_a_reason_on_a_live_link() -> None:
    link = heard(opened(), 1.0, 8, frames=1)
    link.shared = "pid 7 (cat)"
    assert link.change() == Change(Rung.LIVE, "read by another process as well: pid 7 (cat)")


def test_the_last_pieces_are_kept_for_a_dump_and_given_once() -> None:
    link = opened()
    for n in range(300):
        link.hear(bytes([n % 256]), float(n))
    assert len(link.dump().split()) == 256
    assert link.dump() == ""
