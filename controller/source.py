"""Runs a device as a source of the bus: what it reads is reported, and kept until the journal has it."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import structlog

from controller.codec import encode
from controller.reporter import Reporter
from rules.facts import Fact

READ = 0.05
"""Seconds that a device may wait for something before the bus is looked after."""

log = structlog.get_logger()


class Device(Protocol):
    """What drivers and eye have in common."""

    def read(self, timeout: float) -> list[tuple[Fact, str]]:
        """What happened, each with where the device stood; waits at most so many seconds."""

    def close(self) -> None:
        """Give the device back."""


def run(source: str, folder: Path, open_device: Callable[[str], Device], stopped: Callable[[], bool]) -> None:
    """Report until stopped.

    The device is opened where the journal last heard of it, so that nothing that it sent meanwhile is taken
    twice, and what is missing shows as a gap.
    """
    reporter = Reporter(folder, source)
    try:
        while (cursor := reporter.greet(1.0)) is None:
            if stopped():
                return
        device = open_device(cursor)
        log.info("a source reports", source=source, boot=reporter.boot, cursor=cursor)
        try:
            while not stopped():
                if not reporter.full:
                    for fact, stood in device.read(READ):
                        word, body = encode(fact)
                        reporter.report(word, body, stood)
                reporter.pump()
        finally:
            device.close()
    finally:
        reporter.close()
