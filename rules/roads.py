"""The five roads of baccarat, from the results of a shoe.

Results are one letter a round: `B` for Banca, `P` for Punto, `T` for a tie. Columns and rows count from 0,
and a road is six rows deep. The derived roads follow the logical columns of the big road, which are as long
as their streak: how a long one is drawn changes nothing in them.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

ROWS = 6

Tail = Literal["keep_right", "probe"]
"""How a streak goes on that found no room below: to the right for good, or down again where it can."""


class Cell(NamedTuple):
    """A mark on a road; `ties` is how many ties lie on it."""

    col: int
    row: int
    side: str
    ties: int = 0


class Column(NamedTuple):
    """A streak: who won, and how many ties lie on each of its results."""

    side: str
    ties: tuple[int, ...]


def bead_plate(results: str) -> list[Cell]:
    """Every round, column by column from top to bottom."""
    return [Cell(i // ROWS, i % ROWS, side) for i, side in enumerate(results)]


def columns(results: str) -> list[Column]:
    """The logical columns of the big road: one a streak; ties lie on the result before them.

    Ties before the first result lie on it.
    """
    streaks: list[tuple[str, list[int]]] = []
    leading = 0
    for side in results:
        if side == "T":
            if streaks:
                streaks[-1][1][-1] += 1
            else:
                leading += 1
        elif streaks and streaks[-1][0] == side:
            streaks[-1][1].append(0)
        else:
            streaks.append((side, [0 if streaks else leading]))
    return [Column(side, tuple(ties)) for side, ties in streaks]


def big_road(results: str, tail: Tail = "keep_right") -> list[Cell]:
    """The big road as it is drawn; a shoe with nothing but ties shows one cell of side `T`."""
    if results and not results.strip("T"):
        return [Cell(0, 0, "T", len(results))]
    return list(_drawn(columns(results), tail))


def derived(results: str, k: int) -> str:
    """The marks of a derived road, `R` or `B`: big eye boy with k = 1, small road 2, cockroach pig 3."""
    depths: list[int] = []
    marks = ""
    for column in columns(results):
        depths.append(0)
        for depth in range(1, len(column.ties) + 1):
            depths[-1] = depth
            marks += _mark(depths, k)
    return marks


def _mark(depths: Sequence[int], k: int) -> str:
    """The mark for the newest result, from the depths of the columns; nothing where none to compare with."""
    n, depth = len(depths), depths[-1]
    if depth >= 2:
        # Red unless the streak has just grown one longer than the column k before it.
        return "" if n - k < 1 else "B" if depth == depths[n - k - 1] + 1 else "R"
    # A new column: red when the one before and the one k before that are equally deep.
    return "" if n - k - 1 < 1 else "R" if depths[n - 2] == depths[n - k - 2] else "B"


def derived_road(marks: str, tail: Tail = "keep_right") -> list[Cell]:
    """A derived road as it is drawn: a new column when the colour changes."""
    return list(_drawn(columns(marks.replace("R", "P")), tail, {"P": "R"}))


def _drawn(streaks: Sequence[Column], tail: Tail, names: dict[str, str] | None = None) -> Iterator[Cell]:
    """Lay streaks on six rows: down while there is room, then to the right."""
    taken: dict[tuple[int, int], str] = {}
    start = -1
    for column in streaks:
        start += 1
        while (start, 0) in taken:
            start += 1
        col, row, turned = start, 0, False
        for i, ties in enumerate(column.ties):
            if tail == "probe":
                col, row = _probe(taken, start, column.side)
            elif i:
                turned = turned or row + 1 == ROWS or (col, row + 1) in taken
                # To the right all is free: what lies there would reach over here, and have turned it above.
                col, row = (col + 1, row) if turned else (col, row + 1)
            taken[col, row] = column.side
            yield Cell(col, row, (names or {}).get(column.side, column.side), ties)


def _probe(taken: dict[tuple[int, int], str], start: int, side: str) -> tuple[int, int]:
    """The first free cell of a walk that goes down where it can and right where it cannot.

    It can where nothing lies below, or the same side.
    """
    col, row = start, 0
    while (col, row) in taken:
        if row + 1 < ROWS and taken.get((col, row + 1), side) == side:
            row += 1
        else:
            col += 1
    return col, row
