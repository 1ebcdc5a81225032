"""Facts to bytes and back: what was reported is what is read, and what is half understood is refused."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.codec import decode, decode_strictly, encode
from controller.notes import NOTES, Note
from rules.cards import Card
from rules.facts import WORDS, Fact, Ruled, TableSet

KINDS: Mapping[str, type[Any]] = {**WORDS, **NOTES}
# JSON has no lone halves of a surrogate pair.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
plain = st.one_of(texts, st.integers(-(2**53), 2**53))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), plain),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)
SPECIAL = {
    (TableSet, "options"): st.dictionaries(texts, values, max_size=4),
    (Ruled, "right"): st.one_of(st.none(), st.deferred(lambda: facts)),
}


SIMPLE: Mapping[Any, st.SearchStrategy[Any]] = {
    str: texts,
    int: st.integers(-(2**53), 2**53),
    float: st.floats(allow_nan=False, allow_infinity=False),
    str | int: plain,
}


def _field(kind: type[Any], name: str, annotation: Any) -> st.SearchStrategy[Any]:
    if get_origin(annotation) is Mapping and (kind, name) not in SPECIAL:
        return st.dictionaries(texts, _field(kind, "", get_args(annotation)[1]), max_size=3)
    if (kind, name) in SPECIAL:
        return SPECIAL[kind, name]
    return SIMPLE[annotation] if annotation in SIMPLE else st.from_type(annotation)


def _made(kind: type[Any]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    return st.builds(kind, **{f.name: _field(kind, f.name, hints[f.name]) for f in fields(kind)})


st.register_type_strategy(Card, st.sampled_from(Card))
st.register_type_strategy(str, texts)
facts: st.SearchStrategy[Any] = st.one_of([_made(kind) for kind in KINDS.values()])


@settings(max_examples=60, deadline=None)
@given(facts)
def test_every_fact_and_every_note_comes_back_as_it_went(fact: Fact | Note) -> None:
    word, body = encode(fact)
    assert KINDS[word] is type(fact)
    assert decode(word, body) == fact
    assert decode(word, body.decode()) == fact
    assert decode_strictly(word, body) == fact


@settings(max_examples=60, deadline=None)
@given(facts)
def test_what_was_read_is_written_as_it_was(fact: Fact | Note) -> None:
    word, body = encode(fact)
    assert encode(decode(word, body)) == (word, body)


@settings(max_examples=60, deadline=None)
@given(facts)
def test_a_field_too_many_is_refused_in_bytes_of_others(fact: Fact | Note) -> None:
    word, body = encode(fact)
    more = body[:-1] + (b"," if len(body) > 2 else b"") + b'"surplus":1}'
    with pytest.raises(ValueError, match="has no field 'surplus'; it has"):
        decode_strictly(word, more)


@pytest.mark.parametrize(("word", "kind"), KINDS.items())
def test_a_field_that_must_be_there_is_named_when_it_is_not(word: str, kind: type[Any]) -> None:
    needed = [f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING]
    if needed:
        with pytest.raises(ValueError, match=f"missing required field `{needed[0]}`"):
            decode_strictly(word, b"{}")
    else:
        assert isinstance(decode_strictly(word, b"{}"), kind)


@pytest.mark.parametrize(
    ("word", "body", "why"),
    [
        ("bets", b"{}", "'bets' is no word of a fact; there are bet, "),
        ("draw", b'{"card":"1x"}', "Invalid enum value '1x'"),
        ("bet", b'{"seat":"1","bet":"banca","stake":1}', r"Expected `int`, got `str` - at `\$.seat`"),
        ("bet", b'{"seat":1.5,"bet":"banca","stake":1}', "Expected `int`, got `float`"),
        ("bet", b'{"seat":true,"bet":"banca","stake":1}', "Expected `int`, got `bool`"),
        ("seen", b'{"card":"8s","at":"punto","confidence":1e999}', "out of range"),
        ("bet", b"[]", "Expected `object`"),
        ("bet", b"", "truncated"),
        ("bet", b'{"seat":1', "truncated"),
        ("bet", b'{"seat":1,"bet":"\xff","stake":1}', "Invalid UTF-8"),
        ("bet", b'{"seat":1,"bet":"x","stake":' + b"9" * 5000 + b"}", "out of range"),
        ("rule", b'{"action":"replace","right":{"word":"nothing","fact":{}}}', "'nothing' is no word"),
        ("rule", b'{"action":"replace","right":{"fact":{}}}', "missing required field `word`"),
    ],
)
def test_what_is_wrong_with_bytes_is_said(word: str, body: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        decode_strictly(word, body)


def test_a_ruling_in_a_ruling_in_a_ruling_ends_somewhere() -> None:
    body = b'{"action":"strike"}'
    for _ in range(1500):
        body = b'{"action":"insert","right":{"word":"rule","fact":' + body + b"}}"
    with pytest.raises(ValueError, match="'rule' is nested too deeply"):
        decode_strictly("rule", body)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(KINDS)), st.binary(max_size=80))
def test_bytes_of_any_kind_are_a_fact_or_a_clear_refusal(word: str, body: bytes) -> None:
    try:
        fact = decode_strictly(word, body)
    except ValueError:
        return
    assert isinstance(fact, KINDS[word])


def test_no_word_stands_for_two_kinds() -> None:
    assert not set(WORDS) & set(NOTES)
    assert len(set(KINDS.values())) == len(KINDS)


def test_the_bytes_of_a_fact_are_plain_json() -> None:
    word, body = encode(Ruled("replace", 4, WORDS["draw"](Card.S8), by="1001"))  # type: ignore[call-arg, arg-type]
    assert word == "rule"
    assert msgspec.json.decode(body) == {
        "action": "replace",
        "n": 4,
        "right": {
            "word": "draw",
            "fact": {"card": "8s", "hint": None, "ordinal": None, "mode": "game"},
        },
        "seat": None,
        "by": "1001",
        "reason": "",
    }
