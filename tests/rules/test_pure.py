"""The rules know nothing but the log: no clock, no chance, no files, no other package of this project."""

import ast
from pathlib import Path

import pytest

RULES = Path(__file__).parent.parent.parent / "rules"
PURE = {
    "bisect",
    "collections",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "itertools",
    "math",
    "operator",
    "typing",
}
"""Modules of the standard library that say the same of the same, always."""
IMPURE_CALLS = {"open", "print", "input", "id", "hash", "exec", "eval", "globals", "__import__"}

FILES = sorted(RULES.rglob("*.py"))


def imported(tree: ast.AST) -> set[str]:
    """The first names of everything that a file imports."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(str(node.module).partition(".")[0])
    return found


def test_there_are_rules_to_look_at() -> None:
    assert len(FILES) > 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_a_file_of_the_rules_imports_only_rules_and_what_is_pure(path: Path) -> None:
    assert imported(ast.parse(path.read_text(encoding="utf-8"))) <= PURE | {"rules"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_a_file_of_the_rules_calls_nothing_that_depends_on_the_day(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & IMPURE_CALLS


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_money_is_never_a_broken_number(path: Path) -> None:
    """No float stands in the rules but the camera's certainty, which is no money."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    floats = [
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is float
    ]
    assert not floats or path.stem == "facts"
    assert not any(isinstance(node, ast.Div) for node in ast.walk(tree)) or path.stem == "odds"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_no_file_of_the_rules_is_longer_than_an_evening(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 320
