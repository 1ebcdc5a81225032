"""`sabot run`: the processes of a table, kept alive until Ctrl-C."""

import signal
import sys
from pathlib import Path

from config.load import ConfigError, Table, load
from controller.alone import TakenError, alone
from controller.process import UNUSABLE, logs
from controller.processes import processes
from controller.supervise import Supervisor


def run_table(path: Path, capture: Path | None = None) -> int:
    """Run the table; the exit code of what ended it. Raises `ConfigError` for a file that cannot be used.

    One process a table: a second one must not start what reads the same port.
    """
    config = load(path)
    if capture and config.file.shoe is None:
        raise ConfigError(f"{path}: has no [shoe] whose bytes could be kept")
    folder = config.at(config.file.bus.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = alone(folder / "run.lock")
    except TakenError as holder:
        raise ConfigError(f"{path}: process {holder} runs this table; stop it first") from None
    except OSError as error:
        raise ConfigError(f"{path}: bus.folder {folder} cannot be used: {error.strerror}") from None
    with lock:
        return _run(config, path, capture)


def _run(config: Table, path: Path, capture: Path | None) -> int:
    logs()
    told: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda got, _frame: told.append(got))
    where = f"http://{config.file.display.host}:{config.file.display.port}"
    sys.stdout.write(f"dealer   {where}/dealer\nplayers  {where}/public\n")
    sys.stdout.flush()
    capture = capture.resolve() if capture else None
    supervisor = Supervisor(processes(config, path.resolve(), capture=capture))
    try:
        unusable = supervisor.run(lambda: bool(told))
    finally:
        supervisor.stop()
    return UNUSABLE if unusable else 0
