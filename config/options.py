"""The options of a game, read and checked: from a table file, or from a scenario."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

import msgspec

from config.messages import placed
from rules.known import GAMES
from rules.law import Game, Law, Options

MOST_DECKS = 12
"""Macau allows shoes of six to twelve decks; nobody plays with more."""
MOST_SEATS = 14
"""The large baccarat table."""


def game(name: str) -> Game:
    """The game of that name; raises `ValueError` that lists those there are."""
    if name not in GAMES:
        raise ValueError(f"game {name!r} is not played here; there is {', '.join(GAMES)}")
    return GAMES[name]


def law(name: str, options: Mapping[str, Any]) -> Law:
    """The law under those options; raises `ValueError` that names the option and what may stand there."""
    chapter = game(name)
    Law.of(chapter, dict.fromkeys(options))
    common = _converted(Options, options)
    own = _converted(chapter.own, options)
    _sensible(common)
    return Law(chapter, common, own)


def said(ruled: Law) -> dict[str, Any]:
    """All options of a law, with their values, whether they were named or left as they are."""
    return asdict(ruled.options) | asdict(ruled.own)


def _converted(kind: type[Any], options: Mapping[str, Any]) -> Any:
    names = {f.name for f in fields(kind)}
    try:
        return msgspec.convert({key: value for key, value in options.items() if key in names}, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"options.{placed(error, kind)}") from None


def _sensible(options: Options) -> None:
    """What the types cannot say."""
    if not 1 <= options.decks <= MOST_DECKS:
        raise ValueError(f"options.decks: {options.decks} decks are no shoe; 1 to {MOST_DECKS} are")
    if not 1 <= options.seats <= MOST_SEATS:
        raise ValueError(f"options.seats: {options.seats} seats do not fit a table; 1 to {MOST_SEATS} do")
    for bet, (least, most) in options.limits.items():
        if not 0 <= least <= most:
            raise ValueError(f"limits.{bet} = [{least}, {most}]: the least comes first, then the most")
