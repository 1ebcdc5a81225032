"""A device at the table: its port, its decoder and its ladder as one stream of facts.

What the port and the ladder have to say is a fact like any other: `link_lost` and `garbled` are raised and
cleared, and each change of rung is told with its reason. Their cursor is that of the last report, since they
have no place in the device's own count. Every piece that came is written to the capture before it is decoded.
"""

import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import BinaryIO

import structlog

from drivers.known import driver
from drivers.link import Link, Rung
from drivers.port import Line, Port
from rules.facts import DeviceState, Fact, FaultCleared, FaultRaised, GapFound

Report = tuple[Fact, str]

_ANSWER_WITHIN = 1.0
"""Seconds that a device has to answer a command."""

_FAULTS_OF_THE_LINE = frozenset({"link_lost", "garbled", "copies_differ"})

log = structlog.get_logger(__name__)


class Device:
    """Listens to a device for ever; sends only the commands that the table allows, and none unless told."""

    def __init__(
        self,
        name: str,
        address: str,
        *,
        cursor: str = "",
        line: Line | None = None,
        settings: Mapping[str, object] | None = None,
        commands: Collection[str] = (),
        capture: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """`name` is that of the driver, `cursor` that of the last fact in the journal.

        Raises `ValueError` on what no driver, no port or no cursor can be, and `OSError` where the capture
        cannot be written.
        """
        kind = driver(name)
        self.source = kind.source
        self.cursor = cursor
        self._decoder = kind.decoder(cursor, **(settings or {}))
        self._port = Port(address, line or kind.line, clock=clock, pause=pause)
        self._link = Link(self._decoder.counts)
        self._commands = commands
        self._capture: BinaryIO | None = capture.open("ab", buffering=0) if capture else None
        self._clock = clock
        # A new process of an old table takes nothing for granted: it also says what is well.
        self._faults: dict[str, bool] = {} if cursor else {"link_lost": False, "garbled": False}
        self._answer_by = 0.0

    @property
    def link(self) -> Link:
        """The rung, its reason, and the counts."""
        return self._link

    def read(self, timeout: float) -> list[Report]:
        """Facts with their cursors, as soon as there are any; none after `timeout` seconds."""
        data = self._port.read(timeout)
        facts = self._of_the_port()
        if data:
            facts += self._keep(data)
        reports = [(fact, self.cursor) for fact in facts] + self._decoder.feed(data)
        if data:
            self._link.hear(data, self._clock())
        if reports:
            self.cursor = reports[-1][1]
        reports += [(fact, self.cursor) for fact in (*self._of_the_ladder(), *self._of_the_command())]
        self._dump_if_wrong(reports)
        return reports

    def command(self, name: str, number: int = 0) -> None:
        """Send a command; its answer comes as a fact.

        Raises `PermissionError` unless the table allows it, and `ValueError` if the device knows none such.
        """
        if name not in self._commands:
            raise PermissionError(f"this table does not allow the command {name!r}")
        data = self._decoder.ask(name, number)
        self._port.write(data)
        self._answer_by = self._clock() + _ANSWER_WITHIN

    def close(self) -> None:
        """Let go of the port and of the capture."""
        self._port.close()
        if self._capture:
            self._capture.close()

    def _of_the_port(self) -> list[Fact]:
        """The port came or went."""
        port, link = self._port, self._link
        if not port.tried:
            return []
        if not port.is_open:
            link.absent(port.why)
        elif link.opened != port.opened:
            link.open(port.opened)
        link.shared = port.shared
        return self._fault("link_lost", raised=not port.is_open)

    def _of_the_ladder(self) -> list[Fact]:
        link = self._link
        facts: list[Fact] = []
        if link.garbled or link.rung is Rung.LIVE:
            facts += self._fault("garbled", raised=link.garbled)
        change = link.change() if self._port.tried else None
        if change:
            log.info("link.rung", source=self.source, rung=change.rung, why=change.why)
            facts.append(DeviceState({"rung": change.rung.value, "why": change.why}))
        return facts

    def _of_the_command(self) -> list[Fact]:
        """A command that was never answered; an answer that comes later is noise."""
        name = self._decoder.asked
        if not name or self._clock() < self._answer_by:
            return []
        self._decoder.asked = ""
        return [DeviceState({"command": name, "answer": "none"})]

    def _fault(self, code: str, *, raised: bool) -> list[Fact]:
        if self._faults.get(code) is raised:
            return []
        self._faults[code] = raised
        return [FaultRaised(code, self.source) if raised else FaultCleared(code, self.source)]

    def _keep(self, data: bytes) -> list[Fact]:
        """The capture is a help and not the record: a full disk ends it, and the table goes on."""
        if self._capture is None:
            return []
        try:
            self._capture.write(data)
        except OSError as error:
            self._capture.close()
            self._capture = None
            log.exception("capture.ended", source=self.source)
            return [DeviceState({"capture": "ended", "why": str(error)})]
        return []

    def _dump_if_wrong(self, reports: list[Report]) -> None:
        """What came just before a fault of the line, for whoever must find its cause."""
        wrong = [fact for fact, _ in reports if _is_of_the_line(fact)]
        if wrong and self._link.chunks:
            log.warning("link.dump", source=self.source, wrong=str(wrong), chunks=self._link.dump())


def _is_of_the_line(fact: Fact) -> bool:
    return isinstance(fact, GapFound) or (isinstance(fact, FaultRaised) and fact.code in _FAULTS_OF_THE_LINE)
