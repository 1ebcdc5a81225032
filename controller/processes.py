"""The list of processes of a table, and nothing else."""

from pathlib import Path
from typing import IO

from config.load import Table
from controller.supervise import Child


def processes(
    config: Table, path: Path, output: IO[bytes] | None = None, capture: Path | None = None
) -> list[Child]:
    """The processes that `sabot run` keeps alive on that table file."""
    file = config.file
    kept = ["--capture", str(capture)] if capture else []
    return [
        Child("table", ["controller.run.table", str(path)], output),
        *([Child("shoe", ["controller.run.shoe", str(path), *kept], output)] if file.shoe else []),
        *([Child("camera", ["controller.run.camera", str(path)], output)] if file.camera else []),
        Child("display", ["controller.run.display", str(path)], output),
    ]
