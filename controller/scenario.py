"""Scenario files: rounds written down, read into facts and expectations.

The format is the contract of the scenario files: one table a fact, named by its word, and `expect` between
them. An unknown key anywhere is an error that names file and key.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from config.messages import line, placed
from config.options import law
from rules.cards import card
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
    """Neither a fact nor an expectation: what people enter in other games, which this one refuses."""
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


# What people enter in other games, with its other keys: known, never due here, and so refused.
_ELSEWHERE: Mapping[str, tuple[str, ...]] = {
    "decide": ("at", "amount"),
    "set": ("at", "low", "high"),
    "dice": (),
    "banker": (),
    "voluntary": (),
    "dealt": (),
}


class _Fits(NamedTuple):
    """What may stand under a key where the type does not say it, and how that is said."""

    value: Callable[[Any], bool]
    said: str


def _one_of(*words: str) -> _Fits:
    return _Fits(lambda value: value in words, f"there are {', '.join(words)}")


_SPOT = re.compile(r"(punto|banca|burn|(dealer|seat [1-9]\d*(\.[12])*)( low| high)?)")

_FITS: Mapping[str, _Fits] = {
    "mode": _one_of("manual", "device"),
    "of": _one_of("shoe", "camera", "both"),
    "what": _one_of("wrong_seat", "skipped", "extra_card", "missing_card", "dice", "groups"),
    "at": _Fits(
        lambda value: isinstance(value, str) and _SPOT.fullmatch(value) is not None,
        "there are punto, banca, dealer, burn and seat 1, seat 2 and so on",
    ),
    "count": _Fits(lambda value: not isinstance(value, int) or value > 0, "it is one at least"),
    "decks": _Fits(lambda value: not isinstance(value, int) or value > 0, "it is one at least"),
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
            _law(file),
            tuple(file.articles),
            tuple(_steps(file.facts)),
            tuple(file.settlement),
        )
    except ValueError as error:
        message = placed(error)
        raise UnusableError(f"{path}{_line(text, message)}: {message}") from None


def _law(file: File) -> Law:
    """The law of the file; limits speak of bets that the game has."""
    ruled = law(file.game, file.options)
    for bet in ruled.options.limits:
        if bet not in ("main", *ruled.game.bets):
            known = ", ".join(("main", *ruled.game.bets))
            raise ValueError(f"options.limits: {file.game} has no bet {bet!r}; it has {known}")
    return ruled


def _steps(tables: list[dict[str, Any]]) -> list[Step]:
    steps: list[Step] = []
    n, by_hand = 0, False
    for i, table in enumerate(tables, start=1):
        place = f"facts, table {i}"
        try:
            if "expect" in table:
                steps.append(Step(0, None, by_hand, _expect(table), place))
                continue
            n += 1
            read = None if _of_another_game(table) else fact(table)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
        if isinstance(read, TakenOver):
            by_hand = read.mode == "manual"
        entered = by_hand and not isinstance(read, FaultRaised | FaultCleared)
        steps.append(Step(n, read, entered, None, place))
    return steps


def _expect(table: Mapping[str, Any]) -> Expect:
    _only(table, ("expect",), "an expectation")
    try:
        return msgspec.convert(table["expect"], Expect)
    except msgspec.ValidationError as error:
        said = placed(error)
        there_are = f"; there are {', '.join(get_args(What))}" if said.startswith("awaits: Invalid") else ""
        raise ValueError(f"'expect': {said}{there_are}") from None


def _of_another_game(table: Mapping[str, Any]) -> bool:
    for word, others in _ELSEWHERE.items():
        if word in table:
            _only(table, (word, *others), f"{word!r}")
            return True
    return False


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
        values[main] = _face(table[word], word) if main in ("card", "cards") else table[word]
    for key, value in values.items():
        fits = _FITS.get(key)
        if fits and not fits.value(value):
            raise ValueError(f"{word!r}: {value!r} does not fit; {fits.said}")
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


def _face(value: Any, word: str) -> Any:
    """`??` is a card whose face was not read; one that is seen may also lie face down, `back`."""
    if isinstance(value, list):
        return [_face(one, word) for one in value]
    if value == "??" or (value == "back" and word == "seen"):
        return None
    return card(value) if isinstance(value, str) else value


def _only(table: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    for key in table:
        if key not in known:
            raise ValueError(f"unknown key {key!r}; {what} has {', '.join(known)}")


_TOKEN = re.compile(r"""\"{3}[\s\S]*?"{3}|'{3}[\s\S]*?'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*|[\[\]{}]""")


def _line(text: str, message: str) -> str:
    """`:12` for the line that a message speaks of: of a fact, of the options, or of a key."""
    counted = re.match(r"facts, table (\d+):", message)
    if counted:
        starts, i = _tables(text), int(counted[1])
        return f":{text.count(chr(10), 0, starts[i - 1]) + 1}" if len(starts) >= i else ""
    speaks_of_options = message.startswith(("options.", "limits."))
    return line(text, message) or (line(text, "options: ") if speaks_of_options else "")


def _tables(text: str) -> list[int]:
    """Where the tables of the facts begin; strings and comments are passed over."""
    starts = [found.start() for found in re.finditer(r"^\[\[\s*facts\s*]]", text, re.MULTILINE)]
    opened = re.search(r"^\s*facts\s*=", text, re.MULTILINE)
    depth = 0
    for token in _TOKEN.finditer(text, opened.end()) if opened else ():
        if token[0] in "]}":
            depth -= 1
        elif token[0] in "[{":
            if token[0] == "{" and depth == 1:
                starts.append(token.start())
            depth += 1
    return starts
