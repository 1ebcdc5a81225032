"""A device as a source: opened where the journal last heard of it, read while there is room, closed."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from config.load import load
from controller import reporter, source
from controller.bus import Bus
from controller.loop import Loop
from controller.reporter import Reporter
from rules.facts import Fact, UnknownReport


class Device:
    """A device that counts."""

    def __init__(self, cursor: str, most: int = 10**9) -> None:
        self.count = int(cursor or 0)
        self.most = most
        self.reads = 0
        self.closed = False
        self.broken = False

    def read(self, timeout: float) -> list[tuple[Fact, str]]:
        """The next number."""
        self.reads += 1
        if self.broken:
            raise ValueError("the program is wrong")
        if self.count >= self.most:
            time.sleep(timeout)
            return []
        self.count += 1
        return [(UnknownReport(str(self.count)), str(self.count))]

    def close(self) -> None:
        """It is given back."""
        self.closed = True


class Running:
    """A source in a thread of its own, and the controller in this one."""

    def __init__(self, path: Path) -> None:
        self.config = load(path)
        self.folder = self.config.at("run")
        self.devices: list[Device] = []
        self.most = 20
        self.stopped = threading.Event()
        self.error: Exception | None = None
        self.thread = threading.Thread(target=self._run)
        self.parts: list[Any] = []

    def controller(self) -> None:
        """The controller starts."""
        bus = Bus(self.folder)
        self.parts = [Loop(self.config, bus), bus]

    def ends(self) -> None:
        """The controller ends."""
        for part in self.parts:
            part.close()
        self.parts = []

    def _open(self, cursor: str) -> Device:
        self.devices.append(Device(cursor, self.most))
        return self.devices[-1]

    def _run(self) -> None:
        try:
            source.run("shoe", self.folder, self._open, self.stopped.is_set)
        except ValueError as error:
            self.error = error

    def until(self, done: Callable[[], Any]) -> None:
        """Go on until that is so."""
        end = time.monotonic() + 10
        while not done():
            assert time.monotonic() < end
            if self.parts:
                self.parts[0].turn(0.02)
            else:
                time.sleep(0.02)

    def told(self) -> list[str]:
        """What the journal has of the device."""
        facts = [entry.fact for entry in self.parts[0]._journal.since(0)]
        return [fact.raw for fact in facts if isinstance(fact, UnknownReport)]

    def restart(self) -> None:
        """The source's process ends and starts anew."""
        self.stopped.set()
        self.thread.join()
        self.stopped.clear()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()


@pytest.fixture
def running(folder: Path, a_table_file: Callable[..., Path]) -> Iterator[Running]:
    one = Running(a_table_file(folder))
    yield one
    one.stopped.set()
    if one.thread.ident:
        one.thread.join()
    one.ends()


def test_a_source_starts_anew_where_the_journal_last_heard_of_it(running: Running) -> None:
    running.controller()
    running.thread.start()
    running.until(lambda: len(running.told()) == 20)
    running.most = 30
    running.restart()
    running.until(lambda: len(running.told()) == 30)
    assert running.told() == [str(n) for n in range(1, 31)]
    assert [device.count for device in running.devices] == [20, 30]
    assert running.devices[0].closed


def test_no_device_is_opened_before_the_controller_says_where(running: Running) -> None:
    running.thread.start()
    time.sleep(0.1)
    assert not running.devices
    running.controller()
    running.until(lambda: running.devices)


def test_a_source_that_waits_for_its_controller_can_be_told_to_end(running: Running) -> None:
    running.thread.start()
    running.stopped.set()
    running.thread.join(3)
    assert not running.thread.is_alive()
    assert not running.devices


def test_what_a_device_said_while_the_controller_was_away_is_kept(running: Running) -> None:
    running.most = 5
    running.controller()
    running.thread.start()
    running.until(lambda: len(running.told()) == 5)
    running.ends()
    running.devices[0].most = 12
    running.until(lambda: running.devices[0].count == 12)
    running.controller()
    running.until(lambda: len(running.told()) == 12)
    assert running.told() == [str(n) for n in range(1, 13)]


def test_a_queue_that_is_full_stops_the_reading_of_the_device(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reporter, "MOST", 8)
    running.most = 3
    running.controller()
    running.thread.start()
    running.until(lambda: len(running.told()) == 3)
    running.ends()
    device = running.devices[0]
    device.most = 100
    running.until(lambda: device.count >= 8)
    time.sleep(0.1)
    reads = device.reads
    time.sleep(0.1)
    assert device.reads == reads
    assert device.count <= 11
    running.controller()
    running.until(lambda: len(running.told()) == 100)
    assert running.told() == [str(n) for n in range(1, 101)]


def test_a_device_whose_program_is_wrong_is_closed_and_the_error_is_heard(running: Running) -> None:
    running.controller()
    running.thread.start()
    running.until(lambda: running.devices)
    running.devices[0].broken = True
    running.until(lambda: running.error)
    assert running.devices[0].closed


def test_a_reporter_says_how_many_reports_wait(folder: Path) -> None:
    one = Reporter(folder, "shoe")
    one.report("unknown", b'{"raw":""}')
    assert one.waiting == 1
    one.close()
