"""Raw bytes of a device to lines that people and programs read: `sabot decode`."""

from collections.abc import Iterator, Mapping
from dataclasses import fields

from drivers.known import driver
from rules.facts import WORD_OF, CardDrawn, CardReread, CardsBurned, Fact, FaultCleared, FaultRaised

_CHUNK = 4096
UNREAD = "??"


def lines(name: str, data: bytes) -> Iterator[dict[str, object]]:
    """What the driver of that name makes of these bytes, one line a fact; `ValueError` on an unknown name."""
    decoder = driver(name).decoder("")
    for start in range(0, len(data), _CHUNK):
        for fact, _ in decoder.feed(data[start : start + _CHUNK]):
            yield line(fact)


def line(fact: Fact) -> dict[str, object]:
    """A fact in words: `{"fact": "draw", "card": "8s", "hint": "punto", "ordinal": 1, "mode": "game"}`."""
    told: dict[str, object] = {"fact": WORD_OF[type(fact)]}
    told |= {field.name: getattr(fact, field.name) for field in fields(fact)}
    match fact:
        case CardDrawn() | CardReread():
            told["card"] = fact.card or UNREAD
        case CardsBurned():
            told = {"fact": told["fact"], "card": fact.cards[0] or UNREAD, "first": fact.first}
        case FaultRaised() | FaultCleared():
            del told["source"]  # it is the device whose bytes these are
    return {key: _plain(value) for key, value in told.items()}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value
