"""The ledger of articles: for each, what is done, where in the code, by which tests, in which scenarios.

The ledgers are `rules/articles/GAME.toml`. Code cites an article in a comment above its statement (`Art.
11.a:`, `op.burn`), a test carries it in its name (`test_art_11_a_…`, `test_op_burn_…`), a scenario lists it.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
LEDGERS = ROOT / "rules" / "articles"

CITED = re.compile(r"Art\. (\d+(?:\.[a-z])?)|(?<![\w.])(op\.[a-z_0-9]+)|\"(\d+\.[a-z]|\d+)\"")
NAMED = re.compile(r"def (test_(?:art_(\d+(?:_[a-z])?)(?=_|\()|(op_[a-z_0-9]+))\w*)")


def games() -> list[str]:
    """The games that have a ledger."""
    return sorted(path.stem for path in LEDGERS.glob("*.toml"))


def ledger(game: str) -> dict[str, dict[str, str]]:
    """The ledger of a game as it is written, articles first."""
    raw = tomllib.loads((LEDGERS / f"{game}.toml").read_text(encoding="utf-8"))
    entries: dict[str, dict[str, str]] = raw["articles"] | raw["operator"]
    return entries


def cited(game: str) -> dict[str, list[str]]:
    """Where the code cites each article: `rules/ez_baccarat.py:60`."""
    found: dict[str, list[str]] = {}
    paths = [ROOT / "rules" / f"{game}.py", *sorted((ROOT / "rules").glob("*.py"))]
    for path in dict.fromkeys(paths):
        own = path.stem == game
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            for article, operator, quoted in CITED.findall(text):
                name = operator or (article or quoted if own else "")
                if name:
                    found.setdefault(name, []).append(f"{path.relative_to(ROOT)}:{number}")
    return found


def tested(game: str, articles: Iterable[str]) -> dict[str, list[str]]:
    """The tests of each article by their names."""
    found: dict[str, list[str]] = {}
    longest_first = sorted((name for name in articles if name.startswith("op.")), key=len, reverse=True)
    path = ROOT / "tests" / "rules" / f"test_{game}.py"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for test, article, operator in NAMED.findall(text):
        names = (one for one in longest_first if operator.startswith(one.replace(".", "_")))
        found.setdefault(article.replace("_", ".") or next(names, operator), []).append(test)
    return found


def played(game: str) -> dict[str, list[str]]:
    """The scenarios that show each article."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests" / "scenarios" / game).glob("*.toml")):
        for article in tomllib.loads(path.read_text(encoding="utf-8")).get("articles", []):
            found.setdefault(str(article), []).append(path.name)
    return found


def table() -> Iterator[dict[str, Any]]:
    """The traceability table, a row an article."""
    for game in games():
        entries = ledger(game)
        code, tests, scenarios = cited(game), tested(game, entries), played(game)
        for article, entry in entries.items():
            yield {
                "game": game,
                "article": article,
                **entry,
                "code": code.get(article, []),
                "tests": tests.get(article, []),
                "scenarios": scenarios.get(article, []),
            }


def written(row: dict[str, Any]) -> str:
    """A row for a person."""
    head = f"{row['game']}  {row['article']:<22} {row['status']:<7} {row['title']}"
    more = [
        f"    {key}: {value if isinstance(value, str) else ', '.join(value)}"
        for key in ("why", "source", "option", "code", "tests", "scenarios")
        if (value := row.get(key))
    ]
    return "\n".join([head, *more])
