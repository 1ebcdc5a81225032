"""A source keeps every report until the journal has it: over real sockets, with a controller of our own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zmq

from controller import reporter, topics
from controller.reporter import AGAIN_AFTER, Reporter
from controller.topics import Ack, Alive, Answer, Beat, Expected, Hello, Rejected, Report, Welcome

WAIT = 2000


class Clock:
    """Time that is told."""

    now = 100.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now


class Controller:
    """The other side, as a test wants it."""

    def __init__(self, folder: Path) -> None:
        self.context: zmq.Context[Any] = zmq.Context()
        self.folder = folder
        self.peer = b""
        self.bind()

    def bind(self) -> None:
        """It is there (again)."""
        self.router = self.context.socket(zmq.ROUTER)
        self.router.linger = 0
        self.router.bind(topics.endpoint(self.folder, topics.REPORTS))

    def hears(self) -> Any:
        """The next message."""
        assert self.router.poll(WAIT)
        self.peer, raw = self.router.recv_multipart()
        return msgspec.json.decode(raw, type=Hello | Beat | Report)

    def hears_reports(self, count: int) -> list[int]:
        """The numbers of so many reports; beats are passed over."""
        numbers: list[int] = []
        while len(numbers) < count:
            heard = self.hears()
            numbers += [heard.n] if isinstance(heard, Report) else []
        return numbers

    def quiet(self) -> bool:
        """Nothing more comes."""
        return not self.router.poll(50)

    def says(self, answer: Answer) -> None:
        """Answer the last that was heard."""
        self.router.send_multipart([self.peer, msgspec.json.encode(answer)])

    def close(self) -> None:
        """It is gone."""
        self.router.close()


@pytest.fixture
def controller(tmp_path: Path) -> Iterator[Controller]:
    one = Controller(tmp_path)
    yield one
    one.close()
    one.context.term()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def source(controller: Controller, clock: Clock) -> Iterator[Reporter]:
    """A source `shoe` that is connected."""
    context: zmq.Context[Any] = zmq.Context()
    one = Reporter(controller.folder, "shoe", context=context, clock=clock)
    assert one.socket.poll(WAIT, zmq.POLLOUT)
    yield one
    one.close()
    context.term()


def until(source: Reporter, done: Callable[[], bool]) -> list[Rejected]:
    """Let the source take answers until that is so."""
    rejected: list[Rejected] = []
    for _ in range(200):
        rejected += source._take_answers()
        if done():
            return rejected
        source.socket.poll(20)
    raise AssertionError("it never came to that")


def test_a_greeting_brings_the_cursor_of_the_last_report(controller: Controller, source: Reporter) -> None:
    assert source.greet(0.05) is None
    heard = controller.hears()
    assert heard == Hello(source="shoe", boot=source.boot)
    controller.says(Welcome(boot=source.boot, n=0, cursor="7:3", head=12))
    assert source.greet(2.0) == "7:3"


def test_a_report_stays_until_it_is_acknowledged(controller: Controller, source: Reporter) -> None:
    assert [source.report("draw", b'{"card":null}') for _ in range(3)] == [1, 2, 3]
    assert controller.hears_reports(3) == [1, 2, 3]
    assert source.waiting == 3
    controller.says(Ack(boot=source.boot, n=2, seq=9))
    until(source, lambda: source.waiting == 1)
    controller.says(Ack(boot=source.boot, n=2, seq=9))
    controller.says(Ack(boot=source.boot, n=3, seq=9))
    until(source, lambda: source.waiting == 0)


def test_what_is_not_acknowledged_in_time_is_sent_again(
    controller: Controller, source: Reporter, clock: Clock
) -> None:
    source.report("draw", b"{}")
    source.report("draw", b"{}")
    assert controller.hears_reports(2) == [1, 2]
    clock.now += AGAIN_AFTER - 0.01
    source.pump()
    assert isinstance(controller.hears(), Beat)
    assert controller.quiet()
    clock.now += 0.02
    source.pump()
    assert controller.hears_reports(2) == [1, 2]


def test_what_the_controller_expects_is_sent_at_once_and_once(
    controller: Controller, source: Reporter, clock: Clock
) -> None:
    for _ in range(3):
        source.report("draw", b"{}")
    controller.hears_reports(3)
    clock.now += 0.1
    for _ in range(3):
        controller.says(Expected(boot=source.boot, n=1))
    until(source, lambda: source._sent_at == clock.now)
    assert controller.hears_reports(3) == [1, 2, 3]
    assert controller.quiet()


def test_a_report_that_is_rejected_is_given_up_and_the_next_goes_on(
    controller: Controller, source: Reporter
) -> None:
    source.report("hologram", b"{}")
    source.report("draw", b"{}")
    controller.hears_reports(2)
    controller.says(Rejected(boot=source.boot, n=1, why="no such word"))
    rejected = until(source, lambda: source.waiting == 1)
    assert [(one.n, one.why) for one in rejected] == [(1, "no such word")]


def test_a_controller_that_comes_back_is_told_what_it_does_not_have(
    controller: Controller, source: Reporter, clock: Clock
) -> None:
    source.report("draw", b"{}")
    controller.hears_reports(1)
    controller.close()
    for _ in range(3):
        source.report("draw", b"{}")
    controller.bind()

    def heard() -> bool:
        # What still goes to the one that is gone is said once more.
        clock.now += AGAIN_AFTER
        source.pump()
        return bool(controller.router.poll(20))

    until(source, heard)
    assert controller.hears_reports(4) == [1, 2, 3, 4]
    controller.says(Ack(boot=source.boot, n=4, seq=4))
    until(source, lambda: source.waiting == 0)


def test_a_journal_that_lost_what_it_had_of_us_gets_the_rest_as_a_new_run(
    controller: Controller, source: Reporter
) -> None:
    for _ in range(3):
        source.report("draw", b"{}")
    controller.hears_reports(3)
    controller.says(Ack(boot=source.boot, n=2, seq=9))
    until(source, lambda: source.waiting == 1)
    before = source.boot
    controller.says(Expected(boot=before, n=1))
    # An answer to the run that is over comes late: it must not count for the new one.
    controller.says(Ack(boot=before, n=3, seq=9))
    until(source, lambda: source.boot != before)
    heard = controller.hears()
    assert (heard.boot, heard.n) == (source.boot, 1)
    until(source, lambda: True)
    assert source.waiting == 1
    assert source.report("draw", b"{}") == 2


def test_a_source_beats_four_times_a_second_and_hears_the_controller(
    controller: Controller, source: Reporter, clock: Clock
) -> None:
    source.pump({"left": 300})
    assert controller.hears() == Beat(source="shoe", boot=source.boot, health={"left": 300})
    clock.now += 0.2
    source.pump()
    assert controller.quiet()
    clock.now += 0.1
    source.report("draw", b"{}")
    source.pump()
    assert controller.hears_reports(1)
    assert controller.hears() == Beat(source="shoe", boot=source.boot, n=1)
    clock.now += 1
    controller.says(Alive(head=3))
    until(source, lambda: source.heard == clock.now)


def test_what_the_controller_says_and_nobody_understands_is_passed_over(
    controller: Controller, source: Reporter
) -> None:
    source.report("draw", b"{}")
    controller.hears_reports(1)
    for raw in (b"rubbish", b'{"kind":"ack","v":9,"boot":"x","n":1,"seq":1}', b'{"kind":"dance"}'):
        controller.router.send_multipart([controller.peer, raw])
    controller.says(Rejected(why="not understood: something"))
    until(source, lambda: source._complaint == "not understood: something")
    assert source.waiting == 1
    controller.says(Ack(boot=source.boot, n=1, seq=1))
    until(source, lambda: source.waiting == 0)


def test_a_queue_that_is_full_stops_the_device_and_not_the_memory(
    source: Reporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reporter, "MOST", 5)
    for _ in range(5):
        assert not source.full
        source.report("draw", b"{}")
    assert source.full


def test_a_report_that_no_message_can_carry_is_refused_where_it_is_made(source: Reporter) -> None:
    with pytest.raises(ValueError, match="longer than the 65536 bytes of a message"):
        source.report("unknown", b'{"raw":"%s"}' % (b"0" * topics.MOST))
    assert source.waiting == 0
    assert source.report("draw", b"{}") == 1, "it took no number"
