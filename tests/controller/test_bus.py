"""The bus over real sockets: whoever speaks it badly, too much, or not at all harms nobody else."""

import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zmq

import controller.bus
from config.load import load
from controller import topics
from controller.bus import ASKED_AT_ONCE, AT_ONCE, Bus
from controller.codec import encode
from controller.feed import Feed
from controller.journal import Entry, Reading
from controller.journal_form import JournalError
from controller.loop import Loop
from controller.reporter import Reporter
from controller.table import Table
from controller.topics import (
    Ack,
    Alive,
    Answer,
    Beat,
    Entries,
    EntryMessage,
    Hello,
    Rejected,
    Report,
    Since,
    Welcome,
)
from rules.cards import Card
from rules.facts import CardDrawn, UnknownReport

WAIT = 3000
DRAW = encode(CardDrawn(Card.S8))


class Client:
    """Somebody with sockets of his own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.context: zmq.Context[Any] = zmq.Context()
        self.sockets: list[zmq.Socket[Any]] = []

    def socket(self, kind: int, name: str, **options: Any) -> zmq.Socket[Any]:
        """A socket that is connected."""
        one = self.context.socket(kind)
        self.sockets.append(one)
        one.linger = 0
        for option, value in options.items():
            setattr(one, option, value)
        if kind == zmq.SUB:
            one.subscribe(b"")
        one.connect(topics.endpoint(self.folder, name))
        return one

    def close(self) -> None:
        """He goes."""
        for one in self.sockets:
            one.close()
        self.context.term()


class Wired:
    """A table on a real bus; its turns are taken by the test."""

    def __init__(self, path: Path) -> None:
        self.config = load(path)
        self.folder = self.config.at("run")
        self.turns = 0
        self.start()

    def start(self) -> None:
        """The controller starts."""
        self.bus = Bus(self.folder)
        self.loop = Loop(self.config, self.bus)

    def stop(self) -> None:
        """It ends."""
        self.loop.close()
        self.bus.close()

    def turn(self) -> None:
        """One turn."""
        self.turns += 1
        self.loop.turn(0.02)

    def until(self, done: Callable[[], Any]) -> Any:
        """Take turns until there is something."""
        end = time.monotonic() + WAIT / 1000
        while time.monotonic() < end:
            self.turn()
            found = done()
            if found:
                return found
        raise AssertionError("it never came to that")

    def answer(self, socket: zmq.Socket[Any]) -> Answer:
        """What the controller answers on that socket."""
        self.until(lambda: socket.poll(0))
        return msgspec.json.decode(socket.recv_multipart()[-1], type=Answer)

    def entries(self) -> list[Entry]:
        """The journal."""
        with Reading(self.loop.journal) as reading:
            assert reading.verify() is None
            return list(reading.since())


@pytest.fixture
def wired(folder: Path, a_table_file: Callable[..., Path]) -> Iterator[Wired]:
    one = Wired(a_table_file(folder))
    yield one
    one.stop()


@pytest.fixture
def client(wired: Wired) -> Iterator[Client]:
    one = Client(wired.folder)
    yield one
    one.close()


def said(message: Hello | Beat | Report | Since) -> bytes:
    """A message as it travels."""
    return msgspec.json.encode(message)


def report(
    n: int, word: str = DRAW[0], body: bytes = DRAW[1], source: str = "shoe", boot: str = "b"
) -> bytes:
    """A report as it travels."""
    return said(Report(source=source, boot=boot, n=n, word=word, fact=msgspec.Raw(body)))


# Acknowledged means durable.


def test_a_report_is_acknowledged_and_on_the_feed_once_it_is_in_the_journal(
    wired: Wired, client: Client
) -> None:
    feed = client.socket(zmq.SUB, topics.FEED)
    wired.until(lambda: feed.poll(0))
    source = client.socket(zmq.DEALER, topics.REPORTS)
    source.send(said(Hello(source="shoe", boot="b")))
    assert isinstance(wired.answer(source), Welcome)
    source.send(report(1))
    answer = wired.answer(source)
    assert answer == Ack(boot="b", n=1, seq=wired.entries()[-1].seq)
    heard = []
    wired.until(lambda: heard.append(feed.recv_multipart()) or heard[-1][0] == b"entry.draw")
    entry = msgspec.json.decode(heard[-1][1], type=EntryMessage)
    assert (entry.seq, entry.source, entry.n, bytes(entry.fact)) == (answer.seq, "shoe", 1, DRAW[1])


def test_when_the_journal_refuses_nobody_hears_of_the_report(
    wired: Wired, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed, source = client.socket(zmq.SUB, topics.FEED), client.socket(zmq.DEALER, topics.REPORTS)
    wired.until(lambda: feed.poll(0))
    while feed.poll(0):
        feed.recv_multipart()

    def refuses() -> None:
        raise JournalError("the disk is gone")

    monkeypatch.setattr(wired.loop._journal, "commit", refuses)
    source.send(report(1))
    with pytest.raises(JournalError, match="the disk is gone"):
        wired.until(lambda: source.poll(0))
    assert not source.poll(100)
    assert all(frames[0] == b"beat" for frames in iter(lambda: _next(feed), None))


def _next(socket: zmq.Socket[Any]) -> list[bytes] | None:
    return socket.recv_multipart() if socket.poll(0) else None


def test_reports_survive_a_controller_that_starts_again_and_again(wired: Wired) -> None:
    context: zmq.Context[Any] = zmq.Context()
    source = Reporter(wired.folder, "shoe", context=context)
    try:
        for n in range(1, 201):
            source.report("unknown", b'{"raw":"%d"}' % n)
            source.pump()
            if n % 3 == 0:
                wired.turn()
            if n % 50 == 20:
                wired.stop()
                wired.start()
        wired.until(lambda: source.pump() or not source.waiting)
    finally:
        source.close()
        context.term()
    told = [entry.fact.raw for entry in wired.entries() if isinstance(entry.fact, UnknownReport)]
    assert told == [str(n) for n in range(1, 201)]


# Those who speak it badly.


def nested(open_: bytes, close: bytes) -> bytes:
    """A report whose fact goes down for ever."""
    return report(1).replace(DRAW[1], open_ * 8000 + close * 8000)


BAD = {
    "nothing": (b"", "not understood: Input data was truncated"),
    "rubbish": (b"\x00\xff\x17", "not understood: JSON is malformed"),
    "a number": (b"7", "not understood: Expected `object`, got `int`"),
    "no kind": (b"{}", "not understood: Object missing required field `kind`"),
    "another kind": (b'{"kind":"dance"}', "not understood: Invalid value 'dance'"),
    "half a report": (report(1)[:-5], "not understood: Input data was truncated"),
    "no number": (b'{"kind":"report","source":"shoe"}', "missing required field"),
    "number 0": (report(1).replace(b'"n":1', b'"n":0'), "not understood: Expected `int` >= 1"),
    "number 2^70": (report(1).replace(b'"n":1', b'"n":1180591620717411303424'), "`int` <= 9007199254740992"),
    "number of digits": (report(1).replace(b'"n":1', b'"n":' + b"9" * 9000), "not understood: "),
    "an endless name": (report(1, source="x" * 65), "`str` of length <= 64"),
    "no name": (report(1, source=""), "`str` of length >= 1"),
    "an endless cursor": (
        report(1).replace(b'"cursor":""', b'"cursor":"%s"' % (b"x" * 2000)),
        "length <= 1024",
    ),
    "a deep list": (nested(b"[", b"]"), "not understood: it is nested too deeply"),
    "a deep object": (nested(b'{"a":', b"}"), "not understood: "),
    "a since": (said(Since(seq=1)), "not understood: Invalid value 'since'"),
    "an answer": (b'{"kind":"ack","v":1,"boot":"b","n":1,"seq":1}', "not understood: Invalid value 'ack'"),
    "another version": (
        report(1).replace(b'"v":1', b'"v":2'),
        "it speaks version 2 of the bus, and this is version 1",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_nobody_understands_is_answered_and_changes_nothing(
    wired: Wired, client: Client, kind: str
) -> None:
    raw, why = BAD[kind]
    source = client.socket(zmq.DEALER, topics.REPORTS)
    before = len(wired.entries())
    source.send(raw)
    answer = wired.answer(source)
    assert isinstance(answer, Rejected)
    assert (answer.n, answer.boot) == (0, "")
    assert why in answer.why
    assert len(wired.entries()) == before
    source.send(report(1))
    assert isinstance(wired.answer(source), Ack), "the same source is served all the same"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{}",
        said(Since(seq=1)).replace(b"1,", b"-1,", 1),
        report(1),
        b'{"kind":"since","seq":%d}' % 2**70,
    ],
)
def test_a_reader_who_asks_badly_is_answered_too(wired: Wired, client: Client, raw: bytes) -> None:
    reader = client.socket(zmq.DEALER, topics.SINCE)
    reader.send(raw)
    assert isinstance(wired.answer(reader), Rejected)
    reader.send(said(Since(seq=0)))
    assert isinstance(wired.answer(reader), Entries)


def test_a_message_without_end_ends_its_own_connection_and_no_other(wired: Wired, client: Client) -> None:
    good, bad = (client.socket(zmq.DEALER, topics.REPORTS) for _ in range(2))
    bad.send(b"x" * 5_000_000)
    good.send(report(1))
    assert isinstance(wired.answer(good), Ack)
    assert not bad.poll(50)


def test_frames_in_front_of_a_message_are_given_back_as_they_came(wired: Wired, client: Client) -> None:
    source = client.socket(zmq.DEALER, topics.REPORTS)
    source.send_multipart([b"mine", b"", report(1)])
    wired.until(lambda: source.poll(0))
    *envelope, _answer = source.recv_multipart()
    assert envelope == [b"mine", b""]


def test_bad_messages_are_told_once_a_turn_and_not_one_by_one(
    wired: Wired, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    source = client.socket(zmq.DEALER, topics.REPORTS)
    for _ in range(100):
        source.send(b"rubbish")
    time.sleep(0.05)
    wired.until(lambda: source.poll(0))
    lines = [line for line in capsys.readouterr().out.splitlines() if "nobody understands" in line]
    assert 0 < len(lines) < 20


# Those who speak too much.


def test_a_flood_of_one_source_does_not_keep_the_others_until_it_is_over(
    wired: Wired, client: Client
) -> None:
    flood, shoe = (client.socket(zmq.DEALER, topics.REPORTS, sndhwm=20_000) for _ in range(2))
    for n in range(1, 10_001):
        flood.send(report(n, "bet", b'{"seat":1,"bet":"banca","stake":2500}', "chips-1"))
    wired.turn()
    assert flood.poll(WAIT), "the flood is on"
    shoe.send(report(1))
    assert isinstance(wired.answer(shoe), Ack)
    assert wired.loop.table.heard["chips-1"].n < 10_000, "long before the flood was over"


def test_a_turn_takes_no_more_than_it_can_tell_soon(wired: Wired, client: Client) -> None:
    source = client.socket(zmq.DEALER, topics.REPORTS)
    for n in range(1, AT_ONCE * 2):
        source.send(report(n))
    time.sleep(0.1)
    incoming, _ = wired.bus.wait(1)
    assert len(incoming) == AT_ONCE


def test_a_reader_who_asks_for_everything_all_the_time_delays_nobody(wired: Wired, client: Client) -> None:
    reader, shoe = client.socket(zmq.DEALER, topics.SINCE), client.socket(zmq.DEALER, topics.REPORTS)
    shoe.send(report(1))
    assert isinstance(wired.answer(shoe), Ack), "it is connected"
    turns = 100
    for _ in range(ASKED_AT_ONCE * turns):
        reader.send(said(Since(seq=0, limit=5000)))
    shoe.send(report(2))
    before = wired.turns
    assert isinstance(wired.answer(shoe), Ack)
    assert wired.turns - before < turns / 2, "long before the reader has all that he asked for"


# Those who do not read.


def test_a_reader_who_never_reads_neither_slows_nor_fills_the_controller(
    wired: Wired, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(controller.bus, "QUEUE", 50)
    wired.stop()
    wired.start()
    lazy, good = client.socket(zmq.SUB, topics.FEED, rcvhwm=10), client.socket(zmq.SUB, topics.FEED)
    for feed in (lazy, good):
        wired.until(lambda feed=feed: feed.poll(0))
    source = client.socket(zmq.DEALER, topics.REPORTS)
    body = b'{"raw":"%s"}' % (b"0" * 2000)
    heard = 0
    for n in range(1, 2001):
        source.send(report(n, "unknown", body))
        if n % 20 == 0:
            wired.until(lambda: wired.loop.table.heard.get("shoe") and wired.loop.table.heard["shoe"].n == n)  # noqa: B023
            while good.poll(10):
                heard += good.recv_multipart()[0] == b"entry.unknown"
    assert heard == 2000
    kept = []
    while lazy.poll(50):
        kept.append(lazy.recv_multipart())
    # Its queue was full: it missed most, sees the hole, and gets all by asking.
    assert len(kept) < 1000
    reader = Reader(wired, client)
    assert reader.catch_up() == wired.entries()


def test_answers_to_a_reader_who_does_not_take_them_are_dropped(wired: Wired, client: Client) -> None:
    source = client.socket(zmq.DEALER, topics.REPORTS)
    for n in range(1, 200):
        source.send(report(n, "unknown", b'{"raw":"%s"}' % (b"0" * 5000)))
    wired.until(lambda: wired.loop.table.heard.get("shoe") and wired.loop.table.heard["shoe"].n == 199)
    reader = client.socket(zmq.DEALER, topics.SINCE, rcvhwm=1)
    for _ in range(60):
        reader.send(said(Since(seq=0)))
    for _ in range(30):
        wired.turn()
    answers = 0
    while reader.poll(100):
        reader.recv_multipart()
        answers += 1
    assert 0 < answers < 40


# Readers.


class Reader:
    """Follows a table by the feed, as `BUS.md` says: asks for what it misses."""

    def __init__(self, wired: Wired, client: Client, head: int = 0) -> None:
        self.wired = wired
        self.feed = Feed(head)
        self.sub = client.socket(zmq.SUB, topics.FEED)
        self.ask = client.socket(zmq.DEALER, topics.SINCE)
        self.entries: list[Entry] = []

    def request(self, limit: int = 1000) -> Entries:
        """Ask for what comes next."""
        self.ask.send(said(Since(seq=self.feed.head, limit=limit)))
        answer = self.wired.answer(self.ask)
        assert isinstance(answer, Entries)
        self.entries += self.feed.take(answer.entries)
        return answer

    def listen(self) -> None:
        """Take what is on the feed."""
        while self.sub.poll(50):
            message = msgspec.json.decode(self.sub.recv_multipart()[1], type=Answer)
            if isinstance(message, EntryMessage):
                self.entries += self.feed.take([message])

    def catch_up(self, limit: int = 1000) -> list[Entry]:
        """Ask until nothing is missing."""
        while self.feed.head < self.request(limit).head:
            pass
        return self.entries


def test_a_late_reader_has_in_batches_what_one_who_followed_has(
    wired: Wired, client: Client, state_of: Callable[[Table], Any]
) -> None:
    early = Reader(wired, client)
    wired.until(lambda: early.sub.poll(0))
    early.request()
    source = client.socket(zmq.DEALER, topics.REPORTS)
    for n in range(1, 31):
        source.send(report(n))
        wired.answer(source)
    late = Reader(wired, client)
    assert len(late.request(limit=7).entries) == 7
    assert late.catch_up(limit=7) == wired.entries()
    early.listen()
    assert early.entries == late.entries
    tables = [Table(wired.config), Table(wired.config)]
    for table, reader in zip(tables, (early, late), strict=True):
        for entry in reader.entries:
            table.after(entry)
    assert state_of(tables[0]) == state_of(tables[1]) == state_of(wired.loop.table)


def test_a_reader_that_lagged_behind_fills_its_hole(wired: Wired, client: Client) -> None:
    reader, source = Reader(wired, client), client.socket(zmq.DEALER, topics.REPORTS)
    reader.catch_up()
    client.sockets.remove(reader.sub)
    reader.sub.close()
    for n in range(1, 11):
        source.send(report(n))
        wired.answer(source)
    reader.sub = client.socket(zmq.SUB, topics.FEED)
    wired.until(lambda: reader.sub.poll(0))
    source.send(report(11))
    wired.answer(source)
    reader.listen()
    assert reader.feed.hole
    assert reader.catch_up() == wired.entries()


def test_a_plain_request_socket_is_enough_to_read(wired: Wired, client: Client) -> None:
    asking = client.socket(zmq.REQ, topics.SINCE)
    asking.send(said(Since(seq=1, limit=2)))
    answer = wired.answer(asking)
    assert isinstance(answer, Entries)
    assert [one.seq for one in answer.entries] == [2, 3]
    assert answer.head == wired.loop.table.head


def test_the_feed_says_that_the_controller_is_alive(wired: Wired, client: Client) -> None:
    feed = client.socket(zmq.SUB, topics.FEED)
    wired.until(lambda: feed.poll(0))
    topic, body = feed.recv_multipart()
    assert topic == b"beat"
    assert msgspec.json.decode(body, type=Answer) == Alive(head=wired.loop.table.head)


# One controller, alone in its folder.


def test_a_second_controller_is_turned_away_and_the_first_stays_in_touch(
    wired: Wired, client: Client
) -> None:
    with pytest.raises(OSError, match=r"process \d+ serves this bus; stop it first"):
        Bus(wired.folder)
    source = client.socket(zmq.DEALER, topics.REPORTS)
    source.send(report(1))
    assert isinstance(wired.answer(source), Ack)


def test_the_folder_of_the_bus_is_for_us_alone(wired: Wired) -> None:
    assert stat.S_IMODE(wired.folder.stat().st_mode) == 0o700


def test_a_folder_in_which_others_may_write_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o770)
    for _ in range(2):
        with pytest.raises(
            OSError, match=r"others may write in it; chmod 700 it, or name another bus\.folder"
        ):
            Bus(tmp_path)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "run").touch()
    with pytest.raises(OSError, match=r"run: cannot be the bus.folder: File exists"):
        Bus(tmp_path / "run")


def test_a_folder_whose_name_no_socket_can_have_is_said_and_nothing_is_left_open(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 100)
    for _ in range(2):
        with pytest.raises(OSError, match=r"cannot be bound: .*longer than 107 characters"):
            Bus(folder)
