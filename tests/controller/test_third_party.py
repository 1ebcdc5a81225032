"""A chip sensor and a recorder, built by somebody who has read `controller/BUS.md` and nothing else.

Only the standard library and pyzmq: nothing here imports Sabot. The table is a process, and is killed.
"""

import hashlib
import json
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zmq

ROOT = Path(__file__).parent.parent.parent
TABLE = """
table = "BAC-07"
game  = "ez_baccarat"
[money]
currency = "PEN"
chips = [2500]
[limits]
main     = [2500, 500000]
empate   = [2500, 100000]
dragon_7 = [2500, 50000]
[camera]
source = "nowhere"
layout = "nowhere"
deck   = "nowhere"
[sources.chips-1]
may = ["bet"]
"""


class Table:
    """The table's controller, as a process that can be killed."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "table.toml"
        self.file.write_text(TABLE)
        self.bus = folder / "run"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it."""
        command = [sys.executable, "-P", "-m", "controller.run.table", str(self.file)]
        self.process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        """The power goes."""
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def verify(self) -> str:
        """What `sabot journal verify` says."""
        (journal,) = (self.file.parent / "journals").glob("*.journal")
        command = [sys.executable, "-P", "-m", "controller", "journal", "verify", str(journal)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    one = Table(tmp_path)
    one.start()
    yield one
    one.kill()


@pytest.fixture
def context() -> Iterator["zmq.Context[Any]"]:
    one: zmq.Context[Any] = zmq.Context()
    yield one
    one.term()


class ChipSensor:
    """Reports the chips of a table, each report until it is acknowledged."""

    def __init__(self, context: "zmq.Context[Any]", bus: Path) -> None:
        self.boot = secrets.token_hex(6)
        self.kept: list[dict[str, Any]] = []
        self.n = 0
        self.sent_at = self.beaten_at = 0.0
        self.socket = context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.connect(f"ipc://{bus}/reports")
        self.welcome: dict[str, Any] | None = None
        self.rejected: list[dict[str, Any]] = []
        self.say("hello")

    def say(self, kind: str, **more: Any) -> dict[str, Any]:
        """Send a message of that kind."""
        message = {"v": 1, "kind": kind, "source": "chips-1", "boot": self.boot, **more}
        self.socket.send(json.dumps(message).encode())
        return message

    def sense(self, seat: int, bet: str, stake: int, word: str = "bet") -> None:
        """What lies there has changed."""
        self.n += 1
        fact = {"seat": seat, "bet": bet, "stake": stake}
        if not self.kept:
            self.sent_at = time.monotonic()
        self.kept.append(self.say("report", n=self.n, word=word, fact=fact, cursor=f"sweep {self.n}"))

    def tend(self) -> None:
        """Take the answers, send again what is not acknowledged, beat."""
        while self.socket.poll(10):
            answer = json.loads(self.socket.recv_multipart()[-1])
            if answer.get("boot", self.boot) not in (self.boot, ""):
                continue
            match answer["kind"]:
                case "welcome":
                    self.welcome = answer
                case "ack" | "rejected":
                    self.rejected += [answer] if answer["kind"] == "rejected" else []
                    self.kept = [report for report in self.kept if report["n"] > answer["n"]]
                    self.sent_at = time.monotonic()
                case "expected":
                    self.sent_at = 0
        now = time.monotonic()
        if self.kept and now - self.sent_at > 0.5:
            self.sent_at = now
            for report in self.kept:
                self.socket.send(json.dumps(report).encode())
        if now - self.beaten_at > 1:
            self.beaten_at = now
            self.say("beat", health={})

    def until(self, done: Any) -> None:
        """Go on until that is so."""
        end = time.monotonic() + 15
        while not done():
            assert time.monotonic() < end
            self.tend()


class Recorder:
    """Keeps every entry, and the chain."""

    def __init__(self, context: "zmq.Context[Any]", bus: Path) -> None:
        self.context, self.bus = context, bus
        self.entries: list[dict[str, Any]] = []
        self.early: dict[int, dict[str, Any]] = {}
        self.link = bytes(32)
        self.feed = context.socket(zmq.SUB)
        self.feed.linger = 0
        self.feed.subscribe(b"")
        self.feed.connect(f"ipc://{bus}/feed")
        self.known = 0

    @property
    def head(self) -> int:
        """The last entry that is here."""
        return self.entries[-1]["seq"] if self.entries else 0

    def take(self, entry: dict[str, Any]) -> None:
        """An entry came: keep it when its turn is."""
        if entry["seq"] > self.head:
            self.early[entry["seq"]] = entry
        while following := self.early.pop(self.head + 1, None):
            columns = [
                following[key] for key in ("seq", "at", "mono", "source", "boot", "n", "cursor", "word")
            ]
            array = plain([*columns, plain(following["fact"])])
            self.link = hashlib.sha256(self.link + array.encode()).digest()
            self.entries.append(following)

    def listen(self) -> None:
        """Take what is on the feed, and ask for what is missing."""
        while self.feed.poll(10):
            message = json.loads(self.feed.recv_multipart()[1])
            if message["kind"] == "entry":
                self.take(message)
            elif message["kind"] == "beat":
                self.known = message["head"]
        if self.early or self.known > self.head:
            self.ask()

    def ask(self) -> None:
        """Ask for the next entries, a few at a time."""
        asking = self.context.socket(zmq.REQ)
        asking.linger = 0
        asking.connect(f"ipc://{self.bus}/since")
        asking.send(json.dumps({"v": 1, "kind": "since", "seq": self.head, "limit": 5}).encode())
        if asking.poll(1000):
            for entry in json.loads(asking.recv())["entries"]:
                self.take(entry)
        asking.close()


def plain(value: object) -> str:
    """JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def test_a_chip_sensor_and_a_recorder_live_through_a_controller_that_is_killed(
    table: Table, context: "zmq.Context[Any]"
) -> None:
    sensor, recorder = ChipSensor(context, table.bus), Recorder(context, table.bus)
    try:
        sensor.until(lambda: sensor.welcome)
        assert sensor.welcome
        assert (sensor.welcome["n"], sensor.welcome["cursor"]) == (0, "")
        stakes = iter(range(2500, 200_000, 2500))

        def sense(count: int) -> None:
            for _ in range(count):
                sensor.sense(3, "banca", next(stakes))

        sense(3)
        sensor.until(lambda: not sensor.kept)
        recorder.listen()
        for _ in range(2):
            sense(5)
            table.kill()
            sense(2)
            table.start()
            sensor.until(lambda: not sensor.kept)
        # What is none of its business is refused, and the next report goes on.
        sensor.sense(3, "banca", 0, word="draw")
        sensor.sense(3, "banca", 0)
        sensor.until(lambda: not sensor.kept)
        assert [one["n"] for one in sensor.rejected] == [18]
        assert "may not report 'draw'" in sensor.rejected[0]["why"]
        bets = []
        end = time.monotonic() + 10
        while len(bets) < 18:
            assert time.monotonic() < end
            recorder.listen()
            bets = [entry for entry in recorder.entries if entry["word"] == "bet"]
        # The recorder's own chain ends where the journal's does.
        while (
            f"to entry {recorder.head}, which ends the chain with {recorder.link.hex()}" not in table.verify()
        ):
            assert time.monotonic() < end
            recorder.listen()
    finally:
        sensor.socket.close()
        recorder.feed.close()
    assert [bet["fact"]["stake"] for bet in bets] == [*range(2500, 45_000, 2500), 0]
    assert [bet["n"] for bet in bets] == [*range(1, 18), 19]
    assert all(bet["source"] == "chips-1" and bet["boot"] == sensor.boot for bet in bets)
    assert [entry["seq"] for entry in recorder.entries] == list(range(1, recorder.head + 1))
