"""What every command says in the same way: a complaint, a line of JSON, its exit code."""

import sys
from typing import Annotated, NoReturn

import msgspec
import typer

WRONG = 1
UNUSABLE = 2

Json = Annotated[bool, typer.Option("--json", help="JSON lines on standard output, and nothing else.")]


def fail(message: str) -> NoReturn:
    """One clear line, and the exit code of what cannot be used."""
    complain(message)
    sys.exit(UNUSABLE)


def complain(message: str) -> None:
    """One line on standard error, whatever the names of files have in them."""
    said = " ".join(message.split())
    sys.stderr.write(f"sabot: {''.join(c if c.isprintable() else '?' for c in said)}\n")


def line(value: object) -> None:
    """One JSON object on a line of its own."""
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
