"""A reader has every entry once and in order, however it came."""

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import controller.feed
from controller.feed import OPENED, Feed, entry
from controller.topics import EntryMessage


def message(seq: int, word: str = "pin") -> EntryMessage:
    """An entry as it travels."""
    fact = b'{"table":"T-1","version":"0"}' if word == OPENED else b'{"operator":"%d","good":true}' % seq
    return EntryMessage(
        seq=seq, at=seq, mono=seq, source="x", boot="b", n=0, cursor="", word=word, fact=msgspec.Raw(fact)
    )


def taken(feed: Feed, messages: Sequence[EntryMessage]) -> list[int]:
    """The numbers of what came out."""
    return [one.seq for one in feed.take(messages)]


@settings(deadline=None)
@given(st.data(), st.integers(1, 30))
def test_in_any_order_and_however_often_every_entry_comes_out_once(data: st.DataObject, count: int) -> None:
    numbers = list(range(1, count + 1))
    arrivals = data.draw(st.permutations(numbers * 2))
    feed, out = Feed(), list[int]()
    while arrivals:
        size = data.draw(st.integers(1, 7))
        out += taken(feed, [message(seq) for seq in arrivals[:size]])
        arrivals = arrivals[size:]
        assert out == numbers[: len(out)]
        assert feed.head == len(out)
    assert out == numbers
    assert not feed.hole


@settings(deadline=None)
@given(st.data(), st.integers(1, 30))
def test_what_was_lost_is_asked_for_and_then_all_is_there(data: st.DataObject, count: int) -> None:
    numbers = list(range(1, count + 1))
    came = data.draw(st.lists(st.sampled_from(numbers)))
    feed = Feed()
    out = taken(feed, [message(seq) for seq in came])
    assert feed.hole == any(seq > feed.head for seq in came)
    out += taken(feed, [message(seq) for seq in numbers if seq > feed.head])
    assert out == numbers


def test_a_reader_may_begin_at_the_beginning_of_a_journal_whatever_came_before() -> None:
    feed = Feed()
    assert taken(feed, [message(501, OPENED), message(502)]) == [501, 502]
    assert feed.head == 502
    # One that lags behind from the journal before begins there too: all that holds is in its first entries.
    lagging = Feed(head=40)
    assert taken(lagging, [message(42)]) == []
    assert lagging.hole
    assert taken(lagging, [message(501, OPENED), message(502)]) == [501, 502]


def test_what_waits_for_a_hole_to_be_filled_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller.feed, "MOST_EARLY", 10)
    feed = Feed()
    assert taken(feed, [message(seq) for seq in range(2, 13)]) == []
    assert len(feed._early) == 0
    assert taken(feed, [message(seq) for seq in range(1, 14)]) == list(range(1, 14))


def test_an_entry_comes_as_the_journal_has_it() -> None:
    made = entry(message(7))
    assert (made.seq, made.at, made.mono, made.source, made.boot, made.n, made.cursor) == (
        7,
        7,
        7,
        "x",
        "b",
        0,
        "",
    )
    assert made.body == '{"operator":"7","good":true}'
    assert made.word == "pin"


def test_an_entry_that_this_sabot_cannot_read_is_said() -> None:
    with pytest.raises(ValueError, match="'hologram' is no word of a fact"):
        list(Feed().take([message(1, "hologram")]))
