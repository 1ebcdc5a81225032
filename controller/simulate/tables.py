"""Table files for tables that have no hardware."""

import json
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

from controller.operators import hashed

ROOT = Path(__file__).parent.parent.parent
VAR = ROOT / "var"
LAYOUT = ROOT / "vision" / "layouts" / "drawn_ez_baccarat.toml"
DECK = ROOT / "vision" / "decks" / "drawn"

OPERATOR, PIN = "4471", "2468"
"""The supervisor of every such table, and what he enters."""

_TABLE = """
table   = "BAC-07"
game    = "ez_baccarat"
journal = "journals"
[money]
currency = "PEN"
chips    = {chips}
[limits]
{limits}
[options]
{options}
[shoe]
driver = "angel-eye-2ex"
port   = "{folder}/shoe"
[bus]
folder = "run"
[display]
port = {port}
[operators.{operator}]
name = "M. Rojas"
pin  = "{pin}"
"""

_CAMERA = """
[camera]
source   = "drawn:ipc://{folder}/felt"
layout   = "{layout}"
deck     = "{deck}"
pictures = "pictures"
fps      = {fps}
"""


CHIPS = (2500, 10000, 50000, 100000, 500000)
LIMITS: Mapping[str, tuple[int, int]] = {
    "punto": (2500, 500000),
    "banca": (2500, 500000),
    "empate": (2500, 100000),
    "dragon_7": (2500, 50000),
}
OPTIONS: Mapping[str, object] = {"seats": 7}


def table_file(
    folder: Path,
    port: int | None = None,
    *,
    fps: float | None = None,
    chips: Sequence[int] = CHIPS,
    limits: Mapping[str, tuple[int, int]] = LIMITS,
    options: Mapping[str, object] = OPTIONS,
) -> Path:
    """Write the file of a table with a simulated shoe; with `fps` it has a drawn camera, too."""
    text = _TABLE.format(
        folder=folder,
        port=port or free_port(),
        operator=OPERATOR,
        pin=hashed(PIN),
        chips=list(chips),
        limits=_lines({bet: list(limit) for bet, limit in limits.items()}),
        options=_lines(options),
    )
    if fps is not None:
        text += _CAMERA.format(folder=folder, layout=LAYOUT, deck=DECK, fps=fps)
    path = folder / "table.toml"
    path.write_text(text)
    return path


def _lines(values: Mapping[str, object]) -> str:
    """Keys and values; what JSON writes of them is TOML, too."""
    return "\n".join(f"{key} = {json.dumps(value)}" for key, value in values.items())


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
