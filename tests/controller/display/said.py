"""Every text that a screen may say: read from the code and the templates, as the catalogues must have it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import controller.display
from controller.display import words

DISPLAY = Path(controller.display.__file__).parent


def texts() -> set[str]:
    """The texts as they stand in the code, in English: what is said outright, and all of `words`."""
    found = {text for name, value in vars(words).items() if name.isupper() for text in leaves(value)}
    for path in DISPLAY.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "say":
                found |= {one.value for one in choices(node.args[0])}
    for path in DISPLAY.glob("templates/**/*.html"):
        found |= set(re.findall(r'lang\.say\("([^"]*)"', path.read_text()))
    return found - {""}


def choices(said: ast.expr) -> Iterator[ast.Constant]:
    """The literals that an argument may be."""
    if isinstance(said, ast.Constant):
        yield said
    elif isinstance(said, ast.IfExp):
        yield from choices(said.body)
        yield from choices(said.orelse)


def leaves(value: object) -> Iterator[str]:
    """The texts in a table of words; its keys are codes."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from leaves(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from leaves(one)
