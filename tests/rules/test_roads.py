"""The five roads: worked examples, published shoes, and what holds for every shoe."""

from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.roads import ROWS, Cell, Tail, bead_plate, big_road, columns, derived, derived_road

SHOES = st.text("BPT", max_size=90)
TAILS: tuple[Tail, ...] = ("keep_right", "probe")


def cells(road: list[Cell]) -> list[tuple[int, int]]:
    """Column and row of every mark."""
    return [(cell.col, cell.row) for cell in road]


def depths(results: str) -> list[int]:
    """How long every streak is."""
    return [len(column.ties) for column in columns(results)]


# The bead plate.


def test_the_bead_plate_fills_down_six_rows_and_then_the_next_column() -> None:
    assert bead_plate("BPTBPTB") == [
        Cell(0, 0, "B"),
        Cell(0, 1, "P"),
        Cell(0, 2, "T"),
        Cell(0, 3, "B"),
        Cell(0, 4, "P"),
        Cell(0, 5, "T"),
        Cell(1, 0, "B"),
    ]


def test_a_shoe_without_rounds_has_empty_roads() -> None:
    assert bead_plate("") == big_road("") == columns("") == derived_road("") == []
    assert derived("", 1) == ""


# The big road.


def test_a_streak_goes_down_and_another_winner_begins_a_column() -> None:
    assert big_road("BBBPPB") == [
        Cell(0, 0, "B"),
        Cell(0, 1, "B"),
        Cell(0, 2, "B"),
        Cell(1, 0, "P"),
        Cell(1, 1, "P"),
        Cell(2, 0, "B"),
    ]


def test_a_tie_lies_on_the_last_result() -> None:
    assert big_road("BTTBT") == [Cell(0, 0, "B", 2), Cell(0, 1, "B", 1)]


def test_ties_before_the_first_result_lie_on_it() -> None:
    assert big_road("TTB") == [Cell(0, 0, "B", 2)]
    assert big_road("TTBTP") == [Cell(0, 0, "B", 3), Cell(1, 0, "P", 0)]


def test_a_shoe_of_ties_alone_shows_one_cell() -> None:
    assert big_road("T") == [Cell(0, 0, "T", 1)]
    assert big_road("TTTTT") == [Cell(0, 0, "T", 5)]
    assert columns("TTTTT") == []


def test_a_streak_of_more_than_six_turns_right() -> None:
    for tail in TAILS:
        assert cells(big_road("B" * 8, tail))[5:] == [(0, 5), (1, 5), (2, 5)]


@pytest.mark.parametrize(
    ("tail", "last"), [("probe", [(4, 4), (4, 5), (5, 5)]), ("keep_right", [(4, 4), (5, 4), (6, 4)])]
)
def test_a_streak_that_meets_the_tail_of_another_turns_above_it(
    tail: Tail, last: list[tuple[int, int]]
) -> None:
    road = cells(big_road("B" * 9 + "P" * 10, tail))
    assert road[:9] == [*((0, row) for row in range(6)), (1, 5), (2, 5), (3, 5)]
    assert road[9:16] == [*((1, row) for row in range(5)), (2, 4), (3, 4)]
    assert road[16:] == last


def test_probing_goes_down_through_cells_of_the_same_winner() -> None:
    # Banca's tail lies under its own new streak: the walk passes over it and comes out beside it.
    results = "B" * 8 + "P" + "B" * 6
    assert cells(big_road(results, "probe"))[-2:] == [(2, 4), (3, 5)]
    assert cells(big_road(results, "keep_right"))[-2:] == [(2, 4), (3, 4)]


def test_a_new_streak_begins_in_the_next_column_whose_first_cell_is_free() -> None:
    # One long streak after another: the tails pile up until one runs along the first row.
    results = "".join(side * 20 for side in "BPBPBPBP")
    for tail in TAILS:
        road = big_road(results, tail)
        heads = [cell for cell in road if cell.row == 0]
        assert len(set(cells(road))) == len(road)
        assert len(heads) >= 8


# The derived roads.


@pytest.mark.parametrize(
    ("results", "streaks", "big_eye_boy", "small_road", "cockroach_pig"),
    [
        ("BP", [1, 1], "", "", ""),
        ("BPB", [1, 1, 1], "R", "", ""),
        ("BBPP", [2, 2], "R", "", ""),
        ("BBPPP", [2, 3], "RB", "", ""),
        ("BBPPPP", [2, 4], "RBR", "", ""),
        ("BTPTB", [1, 1, 1], "R", "", ""),
        ("BBPTPB", [2, 2, 1], "RR", "", ""),
        ("BPPPB", [1, 3, 1], "BRB", "", ""),
        ("BBPPB", [2, 2, 1], "RR", "", ""),
        ("BBPPPBPBB", [2, 3, 1, 1, 2], "RBBBRB", "BBB", "BR"),
        ("BTBPPTPBTPBB", [2, 3, 1, 1, 2], "RBBBRB", "BBB", "BR"),
        ("B" * 7, [7], "", "", ""),
        (
            "PBPPBPPPPBPPBPTBPPPP",
            [1, 1, 2, 1, 4, 1, 2, 1, 1, 1, 4],
            "RBBBBRRBBBBBRRBRR",
            "BBRRBRBRRBRBRBRR",
            "RBRRBBBBBRBBRR",
        ),
    ],
)
def test_worked_examples(
    results: str, streaks: list[int], big_eye_boy: str, small_road: str, cockroach_pig: str
) -> None:
    assert depths(results) == streaks
    assert [derived(results, k) for k in (1, 2, 3)] == [big_eye_boy, small_road, cockroach_pig]


PUBLISHED = (
    "PPBBPBPPPTPPTBPPBBTPPPPPPPBBBPPTTPPBPPPTPPBBTPPBTPBPPPBPBBTPPPPPPBBPBBBBBTPBPBPBBBPBBPPPBTBBBBBBPBPB"
)
"""A hundred rounds whose roads were published."""


def test_a_published_shoe() -> None:
    assert derived(PUBLISHED, 1) == (
        "RRBRBRRRBBBBRRRBRRRRBRRBRRBBBBRRRBRBRRBRRBRBBRBBRBRRRBRBBBRRRBBRRRRBRBBBBRBBRRBRRRBBRR"
    )
    assert derived(PUBLISHED, 2) == (
        "BBBRRRBRRBBBRBRRRRBRBBRRRBBRRRBBBBRBBBRBRBRBBBBRRRRBRRBRBRRBRBRRRBRBRRBBRBRBRRRRBBBR"
    )
    assert derived(PUBLISHED, 3) == (
        "BRBRRBRBBRBBRRRRRBRBBRBRBBRRBRBRBBBBBBBRBRRRBBRRRRBBBBRRRRBBRBRRBRBRBBRRRBRRRRRBBBB"
    )


def test_a_derived_road_is_drawn_like_a_big_road_of_its_colours() -> None:
    assert derived_road("RRBR") == [Cell(0, 0, "R"), Cell(0, 1, "R"), Cell(1, 0, "B"), Cell(2, 0, "R")]
    assert cells(derived_road("B" * 7)) == [*((0, row) for row in range(6)), (1, 5)]


# What holds for every shoe.


def _by_hand(results: str, k: int) -> str:
    """The rule of the derived roads once more, from the rows of a big road as deep as its streaks."""
    marks, heights = "", [sum(1 for _ in streak) for _, streak in groupby(results.replace("T", ""))]
    for col, height in enumerate(heights):
        for row in range(height):
            if row == 0 and col - 1 - k >= 0:
                marks += "R" if heights[col - 1] == heights[col - 1 - k] else "B"
            elif row and col - k >= 0:
                marks += "B" if row == heights[col - k] else "R"
    return marks


@settings(max_examples=150)
@given(SHOES)
def test_the_derived_roads_follow_from_the_depths_of_the_big_road(results: str) -> None:
    for k in (1, 2, 3):
        assert derived(results, k) == _by_hand(results, k)


@settings(max_examples=150)
@given(SHOES)
def test_no_mark_is_lost_and_none_covers_another(results: str) -> None:
    assert len(bead_plate(results)) == len(results)
    for tail in TAILS:
        road = big_road(results, tail)
        assert len(set(cells(road))) == len(road)
        assert all(0 <= cell.row < ROWS and cell.col >= 0 for cell in road)
        if results.strip("T"):
            assert "".join(cell.side for cell in road) == results.replace("T", "")
        assert sum(cell.ties for cell in road) == results.count("T")


@settings(max_examples=100)
@given(SHOES, st.sampled_from("BPT"))
def test_another_round_adds_to_the_roads_and_changes_nothing_before_it(results: str, more: str) -> None:
    for k in (1, 2, 3):
        assert derived(results + more, k).startswith(derived(results, k))
    if results.strip("T"):
        before, after = big_road(results), big_road(results + more)
        assert [cell[:3] for cell in after[: len(before)]] == [cell[:3] for cell in before]
