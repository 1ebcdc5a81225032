"""What every process of a table has in common: its logs, when it ends, and how it says that it cannot run.

Exit code 2: the table file, the journal or an endpoint cannot be used, and standard error says in one line
why. Logs are JSON lines on standard error, for engineers; the journal is the record.
"""

import argparse
import contextlib
import gc
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import structlog
import zmq

from config.load import ConfigError, Table, load
from controller.journal_form import JournalError

UNUSABLE = 2


class Stop:
    """Whether this process was told to end, or was left alone by the one that started it."""

    def __init__(self, parent: int) -> None:
        self._told = False
        self._parent = parent
        signal.signal(signal.SIGTERM, self._tell)

    def _tell(self, _number: int, _frame: object) -> None:
        self._told = True

    def __call__(self) -> bool:
        """Whether to end now."""
        return self._told or os.getppid() != self._parent


def run(main: Callable[[Table, Stop], None]) -> None:
    """Run one process on the table file that the command line names, and exit."""
    logs()
    parser = argparse.ArgumentParser()
    parser.add_argument("table", type=Path)
    parser.add_argument("--parent", type=int, default=os.getppid(), help="ends when this process is gone")
    parser.add_argument("--capture", type=Path, help="keeps every byte of the shoe")
    given = parser.parse_args()
    stop = Stop(given.parent)
    try:
        config = load(given.table)
        main(config.capturing(given.capture) if given.capture else config, stop)
    except (ConfigError, JournalError, ValueError, OSError, zmq.ZMQError) as error:
        sys.stderr.write(f"sabot: {error}\n")
        sys.exit(UNUSABLE)


@contextlib.contextmanager
def value_of(config: Table, key: str) -> Iterator[None]:
    """Raise what is wrong with the value of a key (`ValueError`) as `ConfigError` that names file and key."""
    try:
        yield
    except ValueError as error:
        raise ConfigError(f"{config.path}: {key}: {error}") from None


def calm() -> None:
    """Let the collector rest: what is here stays, and what comes is mostly freed without it.

    A collection in the middle of a card costs milliseconds, and the fold makes no cycles; who calls this
    calls `tidy` when nobody waits. Only a process that is never at rest collects by itself.
    """
    gc.freeze()
    gc.set_threshold(1_000_000, 50, 100)


def tidy() -> None:
    """Collect what came since the last time, and is in nobody's way now."""
    gc.collect(0)


def logs() -> None:
    """Logs for machines, coloured where a person reads them."""
    renderer = structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
