"""A validator's complaint in our words, with its line where that is known."""

from typing import Annotated, Literal

import msgspec
import pytest

from config.messages import line, placed


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    """A section."""

    colour: Literal["red", "black"]
    size: Annotated[int, msgspec.Meta(ge=1)] = 1


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    """A file."""

    inner: Inner | None = None
    others: dict[str, Inner] = {}
    names: list[str] = []


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ({"inner": {"colour": "blue"}}, "inner.colour: Invalid enum value 'blue'; there are red, black"),
        ({"inner": {}}, "inner: the key 'colour' is missing"),
        ({"inner": {"colour": "red", "weight": 3}}, "inner: unknown key 'weight'"),
        ({"inner": {"colour": "red", "size": 0}}, "inner.size: should be int >= 1"),
        ({"inner": 7}, "inner: should be object | null, is int"),
        ({"outer": {}}, "unknown key 'outer'"),
        ({"names": ["a", 7]}, "names[1]: should be str, is int"),
    ],
)
def test_the_place_comes_first_then_what_is_wrong(tables: dict[str, object], said: str) -> None:
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(tables, Outer)
    assert placed(error.value, Outer, tables) == said


def test_a_key_of_a_free_section_is_named() -> None:
    tables = {"others": {"good": {"colour": "red"}, "bad": {"colour": "red", "size": "x"}}}
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(tables, Outer)
    assert placed(error.value, Outer, tables) == "others.bad.size: should be int, is str"
    assert placed(error.value) == "others[...].size: should be int, is str"


def test_any_error_can_be_placed() -> None:
    assert placed(ValueError("something else")) == "something else"
    assert placed(ValueError("two\nlines")) == "two\nlines"


TEXT = """\
title = "x"
[shoe]  # the first
port = 1
[display]
port = 2
["operators".7]
facts = [
  { draw = "9x" },
]
"""


@pytest.mark.parametrize(
    ("message", "at"),
    [
        ("shoe.port: is wrong", ":3"),
        ("display.port: is wrong", ":5"),
        ("display.port[1]: is wrong", ":5"),
        ("display: unknown key 'port'", ":5"),
        ("shoe: the key 'driver' is missing", ":2"),
        ("operators.7: is wrong", ":6"),
        ("title = 7: is wrong", ":1"),
        ("facts, table 1: 'draw': card: Invalid enum value '9x'", ":8"),
        ("nothing of the kind", ""),
        ("'port' stands there twice", ""),
    ],
)
def test_a_line_is_told_where_it_is_known(message: str, at: str) -> None:
    assert line(TEXT, message) == at
