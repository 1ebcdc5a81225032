"""A source's side of the bus: keeps every report until the journal has it.

For drivers, the camera and the screens; it knows nothing of what it carries. Not for threads: one owner calls
`report` and `pump`.
"""

import contextlib
import secrets
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import structlog
import zmq

from controller import topics
from controller.topics import Ack, Answer, Beat, Expected, Hello, Rejected, Report, Welcome

AGAIN_AFTER = 0.5
"""Seconds without an acknowledgement after which what is not acknowledged is sent again."""
MOST = 10_000
"""Reports that wait for the controller before the source must stop reading its device."""

log = structlog.get_logger()


class Reporter:
    """Reports of one source in one run, in order, each until it is acknowledged."""

    def __init__(
        self,
        folder: Path,
        source: str,
        *,
        context: zmq.Context[Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Connect to the bus in `folder`; the controller need not be there yet."""
        self.source = source
        self.boot = secrets.token_hex(6)
        self.welcome: Welcome | None = None
        self.heard = clock()
        """When the controller last said anything, on the clock."""
        self._clock = clock
        self._unacked: deque[Report] = deque()
        self._n = 0
        self._sent_at = 0.0
        self._beaten_at = float("-inf")
        self._complaint = ""
        self._encoder = msgspec.json.Encoder()
        self._answers = msgspec.json.Decoder(Answer)
        self.socket: zmq.Socket[bytes] = (context or zmq.Context.instance()).socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.sndhwm = MOST * 2
        # A controller that is gone must not be spoken to when it is back with what we say again anyway.
        self.socket.immediate = True
        self.socket.reconnect_ivl = 20
        self.socket.connect(topics.endpoint(folder, topics.REPORTS))

    @property
    def waiting(self) -> int:
        """Reports that the journal does not have yet."""
        return len(self._unacked)

    @property
    def full(self) -> bool:
        """No more may be reported: stop reading the device until the controller is back."""
        return len(self._unacked) >= MOST

    def greet(self, seconds: float) -> str | None:
        """Say hello, and wait for where the journal stands; the cursor, or `None` after so long.

        The controller may only just be there: what is said before there is a connection is not heard.
        """
        wait = int(seconds * 1000)
        if self.socket.poll(wait, zmq.POLLOUT):
            self._send(Hello(source=self.source, boot=self.boot))
            if self.socket.poll(wait):
                self._take_answers()
        return self.welcome.cursor if self.welcome else None

    def report(self, word: str, fact: bytes, cursor: str = "") -> int:
        """Report a fact as its word and JSON; its number is acknowledged when it is durable.

        Raises `ValueError` for one that the bus does not carry: it would be sent for ever.
        """
        report = Report(
            source=self.source,
            boot=self.boot,
            n=self._n + 1,
            word=word,
            fact=msgspec.Raw(fact),
            cursor=cursor,
        )
        if len(self._encoder.encode(report)) > topics.MOST:
            raise ValueError(f"a report of {word!r} is longer than the {topics.MOST} bytes of a message")
        self._n += 1
        if not self._unacked:
            self._sent_at = self._clock()
        self._unacked.append(report)
        self._send(report)
        return self._n

    def pump(self, health: dict[str, Any] | None = None) -> list[Rejected]:
        """Take answers, send again what was not acknowledged in time, beat; what was rejected."""
        rejected = self._take_answers()
        now = self._clock()
        if self._unacked and now - self._sent_at >= AGAIN_AFTER:
            self._again()
        if now - self._beaten_at >= topics.BEAT_EVERY:
            self._beaten_at = now
            self._send(Beat(source=self.source, boot=self.boot, n=self._n, health=health or {}))
        return rejected

    def _take_answers(self) -> list[Rejected]:
        rejected = []
        behind = False
        while self.socket.poll(0):
            self.heard = self._clock()
            match self._answer(self.socket.recv()):
                case Welcome() as welcome:
                    self.welcome = welcome
                case Ack(n=n):
                    self._acked(n)
                case Rejected(n=n, why=why) as answer:
                    self._complain(why)
                    rejected.append(answer)
                    self._acked(n)
                case Expected(n=n):
                    behind = True
                    if self._unacked and n < self._unacked[0].n:
                        self._begin_anew()
                case _:
                    pass  # The controller is alive, or it speaks of a run that is over.
        # A burst of early reports is answered by as many requests: one repetition serves them all.
        if behind and self._clock() - self._sent_at >= AGAIN_AFTER / 10:
            self._again()
        return rejected

    def _answer(self, raw: bytes) -> Answer | None:
        """What the controller says to this run, if it is for us to understand."""
        try:
            answer: Answer = self._answers.decode(raw)
        except msgspec.DecodeError as error:
            self._complain(f"an answer that nobody understands: {error}")
            return None
        if answer.v != topics.VERSION:
            self._complain(f"the controller speaks version {answer.v} of the bus")
            return None
        about = getattr(answer, "boot", "")
        return answer if about in ("", self.boot) else None

    def _complain(self, why: str) -> None:
        """Say it once."""
        if why != self._complaint:
            self._complaint = why
            log.error("the controller does not take what this source says", source=self.source, why=why)

    def _acked(self, n: int) -> None:
        while self._unacked and self._unacked[0].n <= n:
            self._unacked.popleft()
        self._sent_at = self._clock()

    def _begin_anew(self) -> None:
        """The journal was replaced by one that lacks what it once had of us: what it has not is a new run."""
        log.warning("the journal does not know this run any more", source=self.source, boot=self.boot)
        self.boot = secrets.token_hex(6)
        self._n = len(self._unacked)
        self._unacked = deque(
            msgspec.structs.replace(report, boot=self.boot, n=n)
            for n, report in enumerate(self._unacked, start=1)
        )
        self._sent_at = float("-inf")

    def _again(self) -> None:
        self._sent_at = self._clock()
        for report in self._unacked:
            self._send(report)

    def _send(self, message: Hello | Beat | Report) -> None:
        # Where no controller is connected, reports are sent again later, and beats are for those who listen.
        with contextlib.suppress(zmq.Again):
            self.socket.send(self._encoder.encode(message), zmq.NOBLOCK)

    def close(self) -> None:
        """Give the socket back; what was not acknowledged is lost with this process, and shows as a gap."""
        self.socket.close()
