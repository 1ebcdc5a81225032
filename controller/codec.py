"""Facts to bytes and back: the one form of the bus, the journal and its exports.

A fact is its word (`rules.facts.WORDS`, `controller.notes.NOTES`) and a JSON object of its fields. Bytes are
checked against the types of the fact; in bytes from elsewhere an unknown field is an error too, since a fact
that we only half understand is not understood.
"""

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

import msgspec

from controller.notes import NOTES, Note
from rules.facts import WORDS, Fact, Ruled


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


_KINDS: Mapping[str, type[Any]] = {**WORDS, **NOTES}
_WORD_OF: Mapping[type[Any], str] = {kind: word for word, kind in _KINDS.items()}
_FIELDS = {word: frozenset(f.name for f in fields(kind)) for word, kind in _KINDS.items()}

_encoder = msgspec.json.Encoder()
_ruling = msgspec.json.Decoder(_Ruling)
_object = msgspec.json.Decoder(dict[str, msgspec.Raw])
_decoders: Mapping[str, msgspec.json.Decoder[Any]] = {
    word: msgspec.json.Decoder(kind) for word, kind in _KINDS.items() if kind is not Ruled
}


def encode(fact: Fact | Note) -> tuple[str, bytes]:
    """The word of a fact, and its fields as JSON."""
    if isinstance(fact, Ruled):
        right = None
        if fact.right is not None:
            word, body = encode(fact.right)
            right = _Right(word, msgspec.Raw(body))
        form = _Ruling(fact.action, fact.n, right, fact.seat, fact.by, fact.reason)
        return "rule", _encoder.encode(form)
    return _WORD_OF[type(fact)], _encoder.encode(fact)


def decode(word: str, body: bytes | str) -> Fact | Note:
    """The fact of that word from our own bytes; raises `ValueError` that says what is wrong with them."""
    decoder = _decoders.get(word)
    if decoder is not None:
        fact: Fact | Note = decoder.decode(body)
        return fact
    if word != "rule":
        raise ValueError(f"{word!r} is no word of a fact; there are {', '.join(_KINDS)}")
    form = _ruling.decode(body)
    right = decode(form.right.word, bytes(form.right.fact)) if form.right else None
    return Ruled(form.action, form.n, right, form.seat, form.by, form.reason)  # type: ignore[arg-type]


decode_ours = lru_cache(1024)(decode)
"""Decodes what the journal holds; the same card is drawn a thousand times a day, and a fact is a value."""


def decode_strictly(word: str, body: bytes) -> Fact | Note:
    """The fact of that word from somebody else's bytes: a field that the fact has not is an error too."""
    try:
        fact = decode(word, body)
    except RecursionError:
        raise ValueError(f"{word!r} is nested too deeply") from None
    for key in _object.decode(body):
        if key not in _FIELDS[word]:
            raise ValueError(f"{word!r} has no field {key!r}; it has {', '.join(sorted(_FIELDS[word]))}")
    return fact
