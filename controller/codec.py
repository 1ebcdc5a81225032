"""Facts to bytes and back: the one form of the bus, the journal and its exports.

A fact is its word (`rules.facts.WORDS`) and a JSON object of its fields. Bytes from elsewhere are checked
against the types of the fact; an unknown field is an error, since a fact that we only half understand is not
understood.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import msgspec

from rules.facts import WORD_OF, WORDS, Fact, Ruled


class _Right(msgspec.Struct):
    word: str
    fact: msgspec.Raw


class _Ruling(msgspec.Struct):
    """A ruling holds another fact, which needs its word beside it."""

    action: str
    n: int | None = None
    right: _Right | None = None
    seat: int | None = None
    by: str = ""
    reason: str = ""


_encoder = msgspec.json.Encoder()
_ruling = msgspec.json.Decoder(_Ruling)
_decoders: Mapping[str, msgspec.json.Decoder[Any]] = {
    word: msgspec.json.Decoder(kind) for word, kind in WORDS.items() if kind is not Ruled
}
_known = {word: frozenset(f.name for f in fields(kind)) for word, kind in WORDS.items()}
_object = msgspec.json.Decoder(dict[str, msgspec.Raw])


def encode(fact: Fact) -> tuple[str, bytes]:
    """The word of a fact, and its fields as JSON."""
    if isinstance(fact, Ruled):
        right = None
        if fact.right is not None:
            word, body = encode(fact.right)
            right = _Right(word, msgspec.Raw(body))
        return "rule", _encoder.encode(_Ruling(fact.action, fact.n, right, fact.seat, fact.by, fact.reason))
    return WORD_OF[type(fact)], _encoder.encode(fact)


def decode(word: str, body: bytes) -> Fact:
    """The fact of that word from our own bytes; raises `ValueError` that says what is wrong with them."""
    if word == "rule":
        form = _ruling.decode(body)
        right = decode(form.right.word, bytes(form.right.fact)) if form.right else None
        return Ruled(form.action, form.n, right, form.seat, form.by, form.reason)
    decoder = _decoders.get(word)
    if decoder is None:
        raise ValueError(f"{word!r} is no word of a fact; there are {', '.join(WORDS)}")
    fact: Fact = decoder.decode(body)
    return fact


def decode_strictly(word: str, body: bytes) -> Fact:
    """The fact of that word from somebody else's bytes: a field that the fact has not is an error too."""
    fact = decode(word, body)
    for key in _object.decode(body):
        if key not in _known[word]:
            raise ValueError(f"{word!r} has no field {key!r}; it has {', '.join(sorted(_known[word]))}")
    return fact
