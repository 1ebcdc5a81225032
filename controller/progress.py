"""Shows a person at a terminal that something is on its way; says nothing where nobody watches."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

console = Console(stderr=True)


@contextmanager
def busy(what: str) -> Iterator[None]:
    """While this lasts, a line on standard error says what we are busy with."""
    if not console.is_terminal:
        yield
        return
    with console.status(what):
        yield
