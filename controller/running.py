"""`sabot run`: the processes of a table, kept alive until Ctrl-C."""

import signal
import sys
from pathlib import Path

from config.load import load
from controller.process import UNUSABLE, logs
from controller.processes import processes
from controller.supervise import Supervisor


def run_table(path: Path) -> int:
    """Run the table; the exit code of what ended it. Raises `ConfigError` for a file that cannot be used."""
    config = load(path)
    logs()
    told: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda got, _frame: told.append(got))
    where = f"http://{config.file.display.host}:{config.file.display.port}"
    sys.stdout.write(f"dealer   {where}/dealer\nplayers  {where}/public\n")
    sys.stdout.flush()
    supervisor = Supervisor(processes(config, path.resolve()))
    try:
        unusable = supervisor.run(lambda: bool(told))
    finally:
        supervisor.stop()
    return UNUSABLE if unusable else 0
