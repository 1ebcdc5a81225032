"""Reads a table file, or says in one line which file, section and key is wrong and what may stand there."""

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from config.messages import line, placed
from config.options import law, said
from config.schema import TableFile
from config.sensible import check
from rules.law import Law


class ConfigError(Exception):
    """The table file cannot be used; the message names the place and the remedy."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table file that was read and checked."""

    path: Path
    file: TableFile
    law: Law
    options: dict[str, Any]
    """All options of the game as they go into the journal, also those that the file leaves as they are: an
    old journal is judged by the options of its day, and not by what a later Sabot takes when nothing is said.
    """
    fingerprint: str
    """SHA-256 of the file, in hexadecimal."""

    def capturing(self, path: Path) -> "Table":
        """The same table, with every byte of its shoe kept in that file."""
        shoe = self.file.shoe and replace(self.file.shoe, capture=str(path.absolute()))
        return Table(self.path, replace(self.file, shoe=shoe), self.law, self.options, self.fingerprint)

    def at(self, path: str) -> Path:
        """A path of the file, from the folder where it lies."""
        return self.path.parent / path


def load(path: Path) -> Table:
    """Read the table file; raises `ConfigError`."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    return read(path, raw)


def read(path: Path, raw: bytes) -> Table:
    """Read the bytes of a table file that lies, or might lie, at `path`; raises `ConfigError`."""
    try:
        text = raw.decode("utf-8-sig")
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: is no TOML: {error}") from None
    except RecursionError:
        raise ConfigError(f"{path}: is no TOML that anybody would write: it is nested too deeply") from None
    try:
        file = _converted(tables)
        ruled = law(file.game, _options(file))
        check(file, ruled)
    except ValueError as error:
        raise ConfigError(f"{path}{line(text, str(error))}: {error}") from None
    return Table(path, file, ruled, said(ruled), hashlib.sha256(raw).hexdigest())


def _converted(tables: dict[str, Any]) -> TableFile:
    try:
        return msgspec.convert(tables, TableFile)
    except msgspec.ValidationError as error:
        raise ValueError(placed(error, TableFile, tables)) from None


def _options(file: TableFile) -> dict[str, Any]:
    """The options of the game: the section of that name, and what other sections say in its place."""
    elsewhere: dict[str, Any] = {
        "limits": dict(file.limits),
        "rounding": file.rounding.default,
        "rounding_table": dict(file.rounding.bets),
        "camera": file.camera is not None,
    }
    for key in elsewhere:
        if key in file.options:
            section = "[rounding]" if key.startswith("rounding") else f"[{key}]"
            raise ValueError(f"options.{key}: is said by {section}; take it out of [options]")
    options = {"burn": "first_card", "joining": False, **file.options, **elsewhere}
    if file.shoe is None:
        options.setdefault("shoe", "none")
    return options
