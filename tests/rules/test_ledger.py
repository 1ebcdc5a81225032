"""The ledger holds: what is done has code, tests and a written round, and nothing else is cited."""

from typing import Any

import pytest

from controller import ledger

ROWS = list(ledger.table())
DONE = [row for row in ROWS if row["status"] == "done"]


def named(rows: list[dict[str, Any]]) -> list[Any]:
    """Rows with their articles as names."""
    return [pytest.param(row, id=f"{row['game']} {row['article']}") for row in rows]


def test_there_is_a_ledger_for_every_game() -> None:
    assert ledger.games() == ["ez_baccarat"]


@pytest.mark.parametrize("row", named(ROWS))
def test_an_article_is_done_or_exempt_and_has_a_title(row: dict[str, Any]) -> None:
    assert row["status"] in ("done", "exempt")
    assert row["title"]


@pytest.mark.parametrize("row", named(DONE))
def test_what_is_done_has_code_a_test_and_a_written_round(row: dict[str, Any]) -> None:
    assert row["code"]
    assert row["tests"]
    assert row["scenarios"]


@pytest.mark.parametrize("row", named([row for row in ROWS if row["status"] == "exempt"]))
def test_what_is_exempt_says_why(row: dict[str, Any]) -> None:
    assert row["why"]
    assert not row["code"]


@pytest.mark.parametrize("row", named([row for row in ROWS if row["article"].startswith("op.")]))
def test_what_the_directive_leaves_out_says_where_it_was_taken_from(row: dict[str, Any]) -> None:
    assert row["source"]


@pytest.mark.parametrize("game", ledger.games())
def test_no_code_cites_an_article_that_the_ledger_has_not(game: str) -> None:
    assert set(ledger.cited(game)) <= set(ledger.ledger(game))


@pytest.mark.parametrize("game", ledger.games())
def test_no_test_carries_an_article_that_the_ledger_has_not(game: str) -> None:
    assert set(ledger.tested(game, ledger.ledger(game))) <= set(ledger.ledger(game))


@pytest.mark.parametrize("game", ledger.games())
def test_no_written_round_shows_an_article_that_is_not_done(game: str) -> None:
    assert set(ledger.played(game)) == {row["article"] for row in DONE if row["game"] == game}


def test_a_row_is_read_by_a_person() -> None:
    row = next(row for row in ROWS if row["article"] == "11.a")
    text = ledger.written(row)
    assert text.startswith("ez_baccarat  11.a")
    assert "    code: rules/ez_baccarat.py:" in text
    assert "test_art_11_a_with_eight_or_nine_in_two_cards_nobody_draws" in text
    assert "natural_of_banca.toml" in text
