"""The controller's process: the journal, the fold and the bus."""

from contextlib import closing

import structlog

from config.load import Table
from controller.bus import Bus, remote
from controller.loop import Loop
from controller.process import Stop, calm, run

WAIT = 0.25
"""Seconds that a turn waits for something to happen."""

log = structlog.get_logger()


def main(config: Table, stop: Stop) -> None:
    """Take turns until told to end."""
    calm()
    with (
        closing(Bus(config.at(config.file.bus.folder), remote(config))) as bus,
        closing(Loop(config, bus)) as loop,
    ):
        calm()
        log.info("the table is ready", journal=str(loop.journal), head=loop.table.head)
        while not stop():
            loop.turn(WAIT)


if __name__ == "__main__":
    run(main)
