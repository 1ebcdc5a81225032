"""The players' page: limits, the hands as they are turned, the result, and the five roads of the shoe."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from controller.display import told, words
from controller.display.language import Language
from controller.display.pages import face
from controller.table import Table
from rules.roads import Cell, bead_plate, big_road, derived, derived_road
from rules.round import Round
from rules.view import View, view

LETTERS = {"punto": "P", "banca": "B", "empate": "T"}


def regions(table: Table, lang: Language) -> dict[str, dict[str, Any]]:
    """What every region of the page shows, by its name."""
    round_ = table.play.now
    seen = view(table.play.felt.law, round_)
    results = shoe_results(table)
    return {
        "top": _top(table, results, lang),
        "hands": _hands(table, round_, seen, lang),
        "roads": _roads(results, lang),
    }


def shoe_results(table: Table) -> str:
    """The results of this shoe, one letter a round; void rounds are none."""
    return "".join(
        LETTERS[round_.outcome.winner]
        for round_ in table.shoe_rounds
        if round_.outcome is not None and not round_.void
    )


def _top(table: Table, results: str, lang: Language) -> dict[str, Any]:
    file = table.config.file
    limits = [
        {
            "name": lang.say(words.BETS.get(bet, words.MAIN_BETS)),
            "least": lang.amount(least, file.money.currency),
            "most": lang.amount(most, file.money.currency),
        }
        for bet, (least, most) in file.limits.items()
    ]
    return {
        "game": lang.say(words.GAMES[file.game]),
        "table": file.table,
        "symbol": lang.symbol(file.money.currency),
        "limits": limits,
        "counts": [
            {"side": bet, "name": lang.say(words.BETS[bet]), "count": results.count(letter)}
            for bet, letter in LETTERS.items()
        ],
    }


def _hands(table: Table, round_: Round, seen: View, lang: Language) -> dict[str, Any]:
    """The cards of this round; between rounds those of the one before, until bets are closed."""
    shown = seen
    before = None
    if not round_.laid and len(table.play) > 1:
        last = table.play.round(-2)
        if last.over and not last.void and last.outcome is not None:
            shown, before = view(table.play.felt.law, last), last.number
    return {
        "state": lang.say(words.STATES[seen.awaits.what]),
        "before": before,
        "hands": [
            {
                "spot": spot,
                "name": told.hand(spot, lang).upper(),
                "sign": {"punto": "闲", "banca": "庄"}[spot],
                "total": shown.totals[spot],
                "cards": [face(card, across=i > 1) for i, card in enumerate(cards)],
            }
            for spot, cards in shown.hands.items()
        ],
        "result": told.result(shown, lang),
    }


class Mark(NamedTuple):
    """A cell of a road, in half units so that the template needs no arithmetic."""

    x: float
    y: float
    side: str
    ties: int


class Grid(NamedTuple):
    """A road as it is drawn: how many columns are shown, and its marks."""

    name: str
    kind: str
    width: int
    marks: list[Mark]


def _roads(results: str, lang: Language) -> dict[str, Any]:
    return {
        "bead": _grid("bead", bead_plate(results), 11, lang),
        "big": _grid("big", big_road(results), 30, lang),
        "derived": [
            _grid(kind, derived_road(derived(results, k)), 22, lang)
            for k, kind in enumerate(("big_eye_boy", "small_road", "cockroach_pig"), start=1)
        ],
    }


def _grid(kind: str, cells: Sequence[Cell], width: int, lang: Language) -> Grid:
    """The newest columns of a road that fit."""
    last = max((cell.col for cell in cells), default=-1)
    first = max(0, last + 1 - width)
    marks = [
        Mark(cell.col - first + 0.5, cell.row + 0.5, cell.side, cell.ties)
        for cell in cells
        if cell.col >= first
    ]
    return Grid(lang.say(words.ROADS[kind]), kind, width, marks)
