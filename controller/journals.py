"""Which journal is written: one file a gaming day, and a shoe is never cut in two.

A new file begins with the first shoe that is loaded on a new day. It names the file before it and the last
link of its chain, and its entries go on counting where that one ended.
"""

from datetime import date
from pathlib import Path

SUFFIX = ".journal"


def latest(folder: Path, table: str) -> Path | None:
    """The journal that was written last, or `None`."""
    return max(folder.glob(f"{table}-*{SUFFIX}"), default=None, key=lambda path: path.name)


def of_day(folder: Path, table: str, day: date) -> Path:
    """The journal of that day."""
    return folder / f"{table}-{day.isoformat()}{SUFFIX}"
