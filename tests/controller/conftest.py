"""What the tests of the controller share: a table file, a table without wires, time that is told."""

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from config.load import load
from controller.bus import Back, Incoming
from controller.codec import encode
from controller.journal import Clock, Draft, Entry, Journal, Reading
from controller.loop import Loop
from controller.notes import JournalOpened
from controller.table import PEOPLE, Table
from controller.topics import Answer, Beat, Hello, Report, Since
from rules.cards import Card, card
from rules.facts import BetPlaced, CardDrawn, CardsBurned, CardSeen, Fact, Ruled

TABLE = """
table   = "T-1"
game    = "ez_baccarat"
[money]
currency = "PEN"
chips    = [2500, 10000]
[limits]
punto    = [2500, 500000]
banca    = [2500, 500000]
empate   = [2500, 100000]
dragon_7 = [2500, 50000]
[options]
seats = 7
[shoe]
driver = "angel-eye-2ex"
port   = "/dev/nowhere"
[sources.chips-1]
may = ["bet"]
[operators.1001]
name = "A. Rojas"
pin  = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
[operators.2002]
name = "B. Quispe"
role = "dealer"
pin  = "$argon2id$v=19$m=19456,t=2,p=1$BBBBBBBBBBBBBBBBBBBBBB$BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"
"""
CAMERA = """
[camera]
source = "nowhere"
layout = "nowhere"
deck   = "nowhere"
"""


def table_file(folder: Path, more: str = "", **instead: str) -> Path:
    """A table file in the folder; `instead` replaces whole lines, by their keys."""
    text = TABLE + more
    for key, value in instead.items():
        lines = text.splitlines()
        at = next(i for i, line in enumerate(lines) if line.split("=")[0].strip() == key)
        lines[at] = f"{key} = {value}"
        text = "\n".join(lines)
    path = folder / "table.toml"
    path.write_text(text)
    return path


@dataclass
class Time:
    """All clocks of a table; they move when they are told to."""

    seconds: float = 1000.0
    day: date = date(2026, 11, 30)

    def passes(self, seconds: float) -> None:
        """So many seconds."""
        self.seconds += seconds

    def next_day(self) -> None:
        """It is tomorrow."""
        self.day += timedelta(days=1)

    def nanoseconds(self) -> int:
        """Of the wall and of the machine alike."""
        return int(self.seconds * 1e9)


@dataclass
class Wire:
    """In place of the bus: what is put in is taken in the next turn, and what comes out is kept."""

    incoming: list[Incoming] = field(default_factory=list)
    asked: list[tuple[Back, Since]] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    published: list[Entry] = field(default_factory=list)
    given: list[list[Entry]] = field(default_factory=list)
    beats: list[int] = field(default_factory=list)

    def wait(self, _seconds: float) -> tuple[list[Incoming], list[tuple[Back, Since]]]:
        """As `Bus.wait`."""
        taken = self.incoming, self.asked
        self.incoming, self.asked = [], []
        return taken

    def answer(self, _back: Back, answer: Answer) -> None:
        """As `Bus.answer`."""
        self.answers.append(answer)

    def give(self, _back: Back, entries: Iterable[Entry], _head: int) -> None:
        """As `Bus.give`."""
        self.given.append(list(entries))

    def publish(self, entries: Iterable[Entry]) -> None:
        """As `Bus.publish`."""
        self.published += entries

    def beat(self, head: int) -> None:
        """As `Bus.beat`."""
        self.beats.append(head)


NOBODY: Any = None


class Desk:
    """A table without wires: its loop, its journal, and who reports to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.time = Time()
        self.wire = Wire()
        self.boots: dict[str, str] = {}
        self.counts: dict[str, int] = {}
        self.sent: list[Report] = []
        """Every report, as it went."""
        self.loop: Loop
        self.start()

    def start(self) -> None:
        """Start the controller on what its journal holds."""
        time = self.time
        self.loop = Loop(
            load(self.path),
            self.wire,  # type: ignore[arg-type]
            clock=lambda: time.seconds,
            stamps=Clock(time.nanoseconds, time.nanoseconds),
            today=lambda: time.day,
        )

    def close(self) -> None:
        """End the controller."""
        self.loop.close()

    def restart(self) -> None:
        """End it and start it again; the sources live on."""
        self.close()
        self.start()

    @property
    def table(self) -> Table:
        """Where it stands."""
        return self.loop.table

    def send(self, message: Hello | Beat | Report, key: str | None = None) -> Answer:
        """One message in a turn of its own, and its answer; `key` names the key of one that is remote."""
        self.wire.incoming.append(Incoming(message, NOBODY, key is not None, key))
        self.loop.turn(0)
        return self.wire.answers[-1]

    def boot(self, source: str) -> str:
        """The run in which a source reports."""
        return self.boots.setdefault(source, f"{source}-boot-1")

    def reboot(self, source: str) -> Answer:
        """A source starts anew."""
        self.boots[source] = f"{self.boot(source)}'"
        self.counts[source] = 0
        return self.send(Hello(source=source, boot=self.boot(source)))

    def made(self, source: str, word: str, body: bytes, cursor: str = "") -> Report:
        """The next report of a source."""
        self.counts[source] = self.counts.get(source, 0) + 1
        n, fact = self.counts[source], msgspec.Raw(body)
        report = Report(source=source, boot=self.boot(source), n=n, word=word, fact=fact, cursor=cursor)
        self.sent.append(report)
        return report

    def report(self, source: str, fact: Fact, cursor: str = "") -> Answer:
        """A source reports a fact."""
        return self.send(self.made(source, *encode(fact), cursor))

    def tap(self, act: str, stage: str | None = None, **args: object) -> Answer:
        """Somebody taps on what the screen shows now, or showed at that stage."""
        body = {"act": act, "stage": self.table.stage if stage is None else stage, **args}
        return self.send(self.made(PEOPLE, "tap", msgspec.json.encode(body)))

    def bets(self, bet: str = "banca", seat: int = 1, add: int = 2500) -> Answer:
        """Chips on a bet."""
        return self.tap("bet", seat=seat, bet=bet, add=add)

    def draws(self, *faces: str) -> None:
        """Cards leave the shoe, one after the other."""
        for face in faces:
            self.report("shoe", CardDrawn(card(face)))

    def beats(self, source: str, more: int = 0) -> Answer:
        """A source beats; it has made so many reports more than were heard."""
        n = self.counts.get(source, 0) + more
        return self.send(Beat(source=source, boot=self.boot(source), n=n))

    def sees(self, face: str, at: str) -> Answer:
        """The camera sees a card, and the shoe has nothing more to tell."""
        self.beats("shoe")
        return self.report("camera", CardSeen(card(face), at))

    def loads(self, first: str = "Ah", burns: int = 1) -> None:
        """A shoe is loaded, its first card turned, and so many burned."""
        self.tap("shoe_loaded")
        self.report("shoe", CardsBurned((card(first),), first=True))
        for _ in range(burns):
            self.report("shoe", CardsBurned((None,)))

    def plays(self, *faces: str) -> None:
        """A round: a bet on the Banca, these cards, and the payment."""
        self.bets()
        self.draws(*faces or ("2c", "Ah", "3d", "4s", "6h", "2d"))
        self.tap("paid")

    def entries(self) -> list[Entry]:
        """What is durably in the journal that is written."""
        with Reading(self.loop.journal) as reading:
            assert reading.verify() is None
            return list(reading.since())

    def facts(self) -> list[Any]:
        """The facts of the journal that is written."""
        return [entry.fact for entry in self.entries()]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory: durable enough for a test, and as fast as the code."""
    shared = Path("/dev/shm")  # noqa: S108 - where Linux has it
    name = tempfile.mkdtemp(prefix="sabot-", dir=shared if shared.is_dir() else None)
    yield Path(name)
    shutil.rmtree(name)


DRAFTS = [
    Draft(JournalOpened("T-1", "0.1.0"), "controller"),
    Draft(BetPlaced(1, "banca", 2500, "señora Ñáñez"), "dealer", "b-1", 1),
    Draft(CardDrawn(Card.S8, "punto", 1), "shoe", "b-2", 1, "7:3"),
    Draft(CardDrawn(None), "shoe", "b-2", 2, "8:1"),
    Draft(Ruled("replace", 4, CardDrawn(Card.H9), by="1001", reason="read aloud"), "dealer", "b-1", 2),
]


class Book:
    """One journal, and what people do with it."""

    drafts = DRAFTS

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, times: int = 1) -> list[Entry]:
        """Write all kinds of entries, each lot committed on its own."""
        with Journal(self.path) as journal:
            made = []
            for _ in range(times):
                made += journal.append(DRAFTS)
                journal.commit()
        return made

    def read(self) -> list[Entry]:
        """All its entries."""
        with Reading(self.path) as reading:
            return list(reading.since())

    def verify(self) -> str | None:
        """What is wrong with its chain."""
        with Reading(self.path) as reading:
            return reading.verify()

    @contextlib.contextmanager
    def tampering(self) -> Iterator[apsw.Connection]:
        """The file in the hands of somebody who takes the triggers out first, and puts them back."""
        with contextlib.closing(apsw.Connection(str(self.path))) as db:
            triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type='trigger'").fetchall()
            for name, _ in triggers:
                db.execute(f"DROP TRIGGER {name}")
            yield db
            for _, sql in triggers:
                db.execute(sql)


@pytest.fixture
def book(folder: Path) -> Book:
    """A journal that is not written yet."""
    return Book(folder / "a.journal")


@pytest.fixture
def desk(folder: Path) -> Iterator[Callable[..., Desk]]:
    """Opens tables without wires, and ends them."""
    opened: list[Desk] = []

    def opens(more: str = "", **instead: str) -> Desk:
        opened.append(Desk(table_file(folder, more, **instead)))
        return opened[-1]

    yield opens
    for one in opened:
        one.close()


@pytest.fixture(scope="session")
def a_table_file() -> Callable[..., Path]:
    """Writes a table file: `a_table_file(folder, more_sections, key="value")`."""
    return table_file


@pytest.fixture(scope="session")
def with_camera() -> str:
    """The section of a camera."""
    return CAMERA


@pytest.fixture(scope="session")
def a_desk() -> type[Desk]:
    """For tests that open and end many."""
    return Desk


def state(table: Table) -> dict[str, Any]:
    """All that a table knows, as values that can be compared."""
    ready = table.play.ready
    return {
        "head": table.head,
        "heard": dict(table.heard),
        "pins": dict(table.pins),
        "devices": dict(table.devices),
        "called": table.called,
        "refused": table.refused,
        "law": table.law,
        "last_round": table.last_round,
        "last_bets": table.last_bets,
        "shoe_began": table.shoe_began,
        "rounds": [table.play.round(i) for i in range(len(table.play))],
        "standing": table.play.standing.copy() if ready else None,
        "stage": table.stage if ready else "",
        "opens": table.opens,
    }


@pytest.fixture(scope="session")
def state_of() -> Callable[[Table], dict[str, Any]]:
    """All that a table knows, as values that can be compared."""
    return state
