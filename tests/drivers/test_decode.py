"""Facts in words, as `sabot decode` prints them."""

import json
from collections.abc import Callable
from dataclasses import fields

import pytest

from drivers.decode import line, lines
from rules.cards import Card
from rules.facts import (
    CardDrawn,
    CardReread,
    CardReturned,
    CardsBurned,
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

Thrice = Callable[[str, bytes], bytes]


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (
            CardDrawn(Card.S8, "punto", 1),
            '{"fact": "draw", "card": "8s", "hint": "punto", "ordinal": 1, "mode": "game"}',
        ),
        (
            CardDrawn(None, None, None, "lock"),
            '{"fact": "draw", "card": "??", "hint": null, "ordinal": null, "mode": "lock"}',
        ),
        (CardReread(None, "banca", 2), '{"fact": "correction", "card": "??", "hint": "banca", "ordinal": 2}'),
        (CardsBurned((Card.D9,), first=True), '{"fact": "burned", "card": "9d", "first": true}'),
        (CardsBurned((None,)), '{"fact": "burned", "card": "??", "first": false}'),
        (CutCardOut(), '{"fact": "cut_card"}'),
        (CardReturned("midway"), '{"fact": "card_back", "where": "midway"}'),
        (GapFound(2), '{"fact": "gap", "count": 2}'),
        (FaultRaised("unreadable"), '{"fact": "fault", "code": "unreadable", "active": true}'),
        (FaultCleared("unreadable"), '{"fact": "fault_cleared", "code": "unreadable"}'),
        (ShoeResult("banca", ("punto",)), '{"fact": "result", "winner": "banca", "pairs": ["punto"]}'),
        (ShoeResult(None), '{"fact": "result", "winner": null, "pairs": []}'),
        (LockChanged(locked=True), '{"fact": "lock", "locked": true}'),
        (DeviceHello({"device": "x"}), '{"fact": "hello", "detail": {"device": "x"}}'),
        (DeviceState({"burn_count": 7}), '{"fact": "state", "detail": {"burn_count": 7}}'),
        (UnknownReport("05"), '{"fact": "unknown", "raw": "05"}'),
    ],
    ids=lambda value: type(value).__name__ if fields else "",
)
def test_every_fact_of_a_device_in_words(fact: Fact, words: str) -> None:
    assert json.dumps(line(fact)) == words


def test_repeated_telegrams_of_one_event_give_one_line(thrice: Thrice) -> None:
    data = thrice("1", b"D\x81\xb8") + thrice("2", b"R\x81\xb8") + thrice("3", b"C")
    assert [told["fact"] for told in lines("angel-eye-2ex", data)] == ["draw", "cut_card"]


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(ValueError, match="known: angel-eye-2ex"):
        list(lines("nobody", b""))


def test_a_capture_of_any_size_is_read(thrice: Thrice) -> None:
    data = b"\xff" * 5000 + thrice("1", b"S") + b"\xff" * 5000
    assert [told["fact"] for told in lines("angel-eye-2ex", data)] == ["hello"]
