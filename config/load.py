"""Reads a table file, or says in one line which file, section and key is wrong and what may stand there."""

import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from config.messages import placed
from config.options import law
from config.schema import TableFile
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
    """All options of the game as they go into the journal."""
    fingerprint: str
    """SHA-256 of the file, in hexadecimal."""

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
        tables = tomllib.loads(raw.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: is no TOML: {error}") from None
    try:
        file = msgspec.convert(tables, TableFile)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {placed(error, TableFile)}") from None
    options = _options(path, file)
    try:
        ruled = law(file.game, options)
        _sensible(file, ruled)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None
    return Table(path, file, ruled, options, hashlib.sha256(raw).hexdigest())


def _options(path: Path, file: TableFile) -> dict[str, Any]:
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
            raise ConfigError(f"{path}: options.{key}: is said by {section}; take it out of [options]")
    options = {"burn": "first_card", "joining": False, **file.options, **elsewhere}
    if file.shoe is None:
        options.setdefault("shoe", "none")
    return options


def _sensible(file: TableFile, ruled: Law) -> None:
    """What the types cannot say."""
    for bet in (*file.limits, *file.rounding.bets):
        if bet not in ruled.game.bets and bet != "main":
            known = ", ".join(("main", *ruled.game.bets))
            raise ValueError(f"limits.{bet}: {file.game} has no such bet; it has {known}")
    if not file.limits:
        raise ValueError("limits: art. 14 wants a least and a most for every bet; main = [2500, 500000], say")
    if sorted(set(file.money.chips)) != file.money.chips:
        raise ValueError("money.chips: list every denomination once, the smallest first")
    if file.shoe is None and file.camera is None:
        raise ValueError("shoe: a table without a shoe needs a camera, or nobody sees the cards")
    tcp = [end for end in (file.bus.reports, file.bus.feed, file.bus.since) if end]
    if tcp and not file.bus.secret:
        raise ValueError("bus.secret: a tcp endpoint is encrypted; name the file with our CURVE keys")
    for name, source in file.sources.items():
        if file.bus.reports and not source.key:
            raise ValueError(f"sources.{name}.key: its public CURVE key is needed, as it comes by tcp")
