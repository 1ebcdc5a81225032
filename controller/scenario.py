"""Scenario files: rounds written down, read into facts and expectations.

The format is the contract of the scenario files: one table a fact, named by its word, and `expect` between
them. An unknown key anywhere is an error that names file and key.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from config.messages import line, placed
from config.options import law
from rules.facts import WORDS, Fact, FaultCleared, FaultRaised, Ruled, TakenOver
from rules.law import Law

What = Literal["draw", "bets", "decide", "set", "dice", "close", "ruling", "seen", "shoe", "nothing"]


class UnusableError(ValueError):
    """The file cannot be run; the message names the file, the key, and what may stand there."""


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the round must stand just then; all keys given must hold."""

    awaits: What | None = None
    at: str | None = None
    choices: list[str] | None = None
    article: str | None = None
    irregularity: str | None = None
    total: int | None = None
    soft: bool | None = None
    visible: list[str] | None = None
    refused: bool | None = None


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one bet must be worth at the end."""

    seat: int
    bet: str
    net: int
    player: str = "main"
    result: str | None = None
    article: str | None = None
    at: str | None = None
    round: int = 1


class RulingForm(msgspec.Struct, frozen=True):
    """A ruling as it is written; `with` is another fact."""

    action: Literal["strike", "replace", "insert", "burn", "void_round", "void_seat", "resume"]
    n: int | None = None
    right: dict[str, Any] | None = msgspec.field(default=None, name="with")
    seat: int | None = None
    by: str = ""
    reason: str = ""


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The top of a scenario file."""

    title: str
    game: str
    facts: list[dict[str, Any]]
    articles: list[str] = []
    options: dict[str, Any] = {}
    settlement: list[Row] = []


@dataclass(frozen=True, slots=True)
class Step:
    """A fact with its number, or an expectation (number 0)."""

    n: int
    fact: Fact | None
    by_hand: bool
    expect: Expect | None
    place: str
    """Where it stands in the file, for a message."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario, ready to run."""

    path: Path
    title: str
    law: Law
    articles: tuple[str, ...]
    steps: tuple[Step, ...]
    settlement: tuple[Row, ...]


# The word of a fact, the field that stands under it, and the other keys that it may have.
_FORMS: Mapping[str, tuple[str | None, tuple[str, ...]]] = {
    "bet": ("bet", ("seat", "stake", "player")),
    "free_hand": (None, ()),
    "close": (None, ()),
    "takeover": ("mode", ("by", "of")),
    "dealing_error": ("what", ("seats",)),
    "draw": ("card", ()),
    "burned": ("cards", ()),
    "cut_card": (None, ()),
    "card_back": (None, ()),
    "face_up": ("card", ()),
    "gap": ("count", ()),
    "fault": ("code", ("source",)),
    "fault_cleared": ("code", ("source",)),
    "shoe_loaded": ("decks", ()),
    "shoe_empty": (None, ()),
    "seen": ("card", ("at",)),
    "rule": ("action", ("n", "with", "seat", "by", "reason")),
}


def load(path: Path) -> Scenario:
    """Read a scenario file; raises `UnusableError` with one line that says where and what."""
    try:
        text = path.read_text(encoding="utf-8")
        raw = tomllib.loads(text)
    except OSError as error:
        raise UnusableError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnusableError(f"{path}: is no TOML: {error}") from None
    except RecursionError:
        raise UnusableError(f"{path}: is no TOML that anybody would write: it is nested too deeply") from None
    try:
        file = msgspec.convert(raw, File)
        return Scenario(
            path,
            file.title,
            law(file.game, file.options),
            tuple(file.articles),
            tuple(_steps(file.facts)),
            tuple(file.settlement),
        )
    except ValueError as error:
        message = placed(error)
        raise UnusableError(f"{path}{line(text, message)}: {message}") from None


def _steps(tables: list[dict[str, Any]]) -> list[Step]:
    steps: list[Step] = []
    n, by_hand = 0, False
    for i, table in enumerate(tables, start=1):
        place = f"facts, table {i}"
        try:
            if "expect" in table:
                _only(table, ("expect",), "an expectation")
                steps.append(Step(0, None, by_hand, msgspec.convert(table["expect"], Expect), place))
                continue
            n += 1
            read = fact(table)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
        if isinstance(read, TakenOver):
            by_hand = read.mode == "manual"
        entered = by_hand and not isinstance(read, FaultRaised | FaultCleared)
        steps.append(Step(n, read, entered, None, place))
    return steps


def fact(table: Mapping[str, Any]) -> Fact:
    """Read one fact as it is written in a scenario: `{ draw = "8s" }`.

    Raises `ValueError` that names the key and what may stand there.
    """
    word = next((key for key in table if key in _FORMS), None)
    if word is None:
        raise ValueError(f"{dict(table)} has no word of a fact; there are {', '.join(_FORMS)}")
    main, others = _FORMS[word]
    _only(table, (word, *others), f"{word!r}")
    values = {key: value for key, value in table.items() if key in others}
    if main is None:
        if table[word] is not True:
            raise ValueError(f"{word!r} is written {word} = true")
    else:
        values[main] = _face(table[word]) if main in ("card", "cards") else table[word]
    if word == "rule":
        return _ruling(values)
    try:
        return msgspec.convert(values, WORDS[word])
    except msgspec.ValidationError as error:
        raise ValueError(f"{word!r}: {placed(error)}") from None


def _ruling(values: dict[str, Any]) -> Ruled:
    try:
        form = msgspec.convert(values, RulingForm)
    except msgspec.ValidationError as error:
        raise ValueError(f"'rule': {placed(error, RulingForm)}") from None
    right = None if form.right is None else fact(form.right)
    return Ruled(form.action, form.n, right, form.seat, form.by, form.reason)


def _face(value: Any) -> Any:
    """`??` is a card whose face was not read, `back` lies face down: both are no face."""
    if isinstance(value, list):
        return [_face(one) for one in value]
    return None if value in ("??", "back") else value


def _only(table: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    for key in table:
        if key not in known:
            raise ValueError(f"unknown key {key!r}; {what} has {', '.join(known)}")
