"""The controller's side of the bus: reports in, acknowledged; the feed out, numbered; the journal on request.

"Acknowledged" means "in the journal": the loop acknowledges after the commit, never before. What a reader of
the feed missed it asks for by number, so a slow reader delays nobody. Inside the box the endpoints are ipc,
kept by the permissions of their folder; an endpoint by tcp is encrypted (CURVE) and only for listed keys.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec
import structlog
import zmq
from zmq.auth import load_certificate
from zmq.auth.thread import ThreadAuthenticator

from config.load import Table as TableConfig
from controller import topics
from controller.alone import TakenError, alone
from controller.journal import Entry
from controller.topics import (
    Alive,
    Answer,
    Beat,
    Entries,
    EntryMessage,
    Hello,
    Rejected,
    Report,
    Since,
)

MOST_ENTRIES = 5000
"""The most entries in one answer."""
QUEUE = 20_000
"""Messages that wait for a slow reader before it misses some and must ask."""
ANSWERS = 8
"""Answers that wait for a reader who asks and does not read; each may be thousands of entries."""
AT_ONCE = 256
"""Messages that one turn takes from a socket, so that a flood delays nobody by more than a turn."""
ASKED_AT_ONCE = 4
"""Requests of readers that one turn answers."""
HEARTBEAT = 2000
"""Milliseconds between two signs of life on a tcp connection; one that is dead is let go."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Remote:
    """The further endpoints by tcp: our key pair (Z85), and the names of the keys that may connect."""

    public: bytes
    secret: bytes
    names: Mapping[str, str]
    """Name by public key."""
    reports: str | None = None
    feed: str | None = None
    since: str | None = None


def remote(config: TableConfig) -> Remote | None:
    """The endpoints by tcp that a table file names; raises `ValueError` when our keys cannot be read."""
    bus = config.file.bus
    if not (bus.reports or bus.feed or bus.since):
        return None
    path = config.at(bus.secret or "")
    try:
        public, secret = load_certificate(path)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: holds no CURVE keys: {error}; `sabot keys` makes them") from None
    if secret is None:
        raise ValueError(f"{path}: holds no secret key; name the file that ends in .key_secret")
    names = {key: name for name, key in bus.readers.items()}
    names |= {source.key: name for name, source in config.file.sources.items() if source.key}
    return Remote(public, secret, names, bus.reports, bus.feed, bus.since)


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message of a source, and where its answer goes."""

    message: Hello | Beat | Report
    back: "Back"
    remote: bool
    """It came by tcp; then `key_name` is who it is by its key."""
    key_name: str | None


@dataclass(frozen=True, slots=True)
class Back:
    """The way back to whoever sent a message."""

    router: zmq.Socket[bytes]
    envelope: tuple[bytes, ...]


class Bus:
    """The sockets of the controller."""

    def __init__(self, folder: Path, remote: Remote | None = None) -> None:
        """Bind in `folder`, which is made for us alone; raises `OSError` when it cannot be."""
        self._remote = remote
        self._from_sources = msgspec.json.Decoder(Hello | Beat | Report)
        self._from_readers = msgspec.json.Decoder(Since)
        self._encoder = msgspec.json.Encoder()
        with contextlib.ExitStack() as opened:
            opened.enter_context(_only_here(folder))
            self._opened = opened
            self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
            opened.callback(self._context.term)
            if remote:
                opened.callback(_guard(self._context, remote).stop)
            self._feeds = [self._bound(zmq.PUB, topics.endpoint(folder, topics.FEED), QUEUE)]
            self._reports = [self._bound(zmq.ROUTER, topics.endpoint(folder, topics.REPORTS), QUEUE)]
            self._since = [self._bound(zmq.ROUTER, topics.endpoint(folder, topics.SINCE), ANSWERS)]
            if remote:
                self._feeds += self._bound_to(remote.feed, zmq.PUB, QUEUE)
                self._reports += self._bound_to(remote.reports, zmq.ROUTER, QUEUE)
                self._since += self._bound_to(remote.since, zmq.ROUTER, ANSWERS)
            self._opened = opened.pop_all()
        self._poller = zmq.Poller()
        for socket in self._reports + self._since:
            self._poller.register(socket, zmq.POLLIN)

    def _bound_to(self, address: str | None, kind: int, queue: int) -> list[zmq.Socket[bytes]]:
        """A further endpoint by tcp, where the table file names one: encrypted, or not at all."""
        return [self._bound(kind, address, queue, self._remote)] if address else []

    def _bound(self, kind: int, address: str, queue: int, keys: Remote | None = None) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        self._opened.callback(socket.close)
        socket.linger = 0
        socket.maxmsgsize = topics.MOST
        socket.sndhwm = queue
        if keys:
            socket.curve_server = True
            socket.curve_publickey = keys.public
            socket.curve_secretkey = keys.secret
            socket.zap_domain = b"sabot"
            socket.heartbeat_ivl = HEARTBEAT
        try:
            socket.bind(address)
        except zmq.ZMQError as error:
            raise OSError(f"{address}: cannot be bound: {error}") from None
        return socket

    def wait(self, seconds: float) -> tuple[list[Incoming], list[tuple[Back, Since]]]:
        """The messages that are there, waiting at most so long for the first: of sources, and of readers."""
        incoming: list[Incoming] = []
        asked: list[tuple[Back, Since]] = []
        strange: list[str] = []
        for socket, _ in self._poller.poll(int(seconds * 1000)):
            readers = socket in self._since
            decoder = self._from_readers if readers else self._from_sources
            for back, frame in _waiting(socket, ASKED_AT_ONCE if readers else AT_ONCE):
                try:
                    message = _read(decoder, frame.bytes)
                except ValueError as error:
                    strange.append(str(error))
                    self.answer(back, Rejected(why=f"not understood: {error}"))
                    continue
                if isinstance(message, Since):
                    asked.append((back, message))
                else:
                    remote = socket is not self._reports[0]
                    incoming.append(Incoming(message, back, remote, self._who(frame) if remote else None))
        if strange:
            log.warning("messages on the bus that nobody understands", many=len(strange), error=strange[0])
        return incoming, asked

    def _who(self, frame: zmq.Frame) -> str | None:
        """The name of the key that sent it."""
        with contextlib.suppress(zmq.ZMQError, KeyError):
            return self._remote.names.get(str(frame["User-Id"])) if self._remote else None
        return None

    def answer(self, back: Back, answer: Answer) -> None:
        """Answer a message; whoever is gone misses it, and asks again when he is back."""
        with contextlib.suppress(zmq.Again):
            back.router.send_multipart([*back.envelope, self._encoder.encode(answer)], zmq.NOBLOCK)

    def give(self, back: Back, entries: Iterable[Entry], head: int) -> None:
        """Answer a reader."""
        self.answer(back, Entries(entries=[message(entry) for entry in entries], head=head))

    def publish(self, entries: Iterable[Entry]) -> None:
        """Put durable entries on the feed."""
        for entry in entries:
            frames = [(topics.ENTRY + entry.word).encode(), self._encoder.encode(message(entry))]
            for feed in self._feeds:
                feed.send_multipart(frames)

    def beat(self, head: int) -> None:
        """Say on the feed that we are alive."""
        for feed in self._feeds:
            feed.send_multipart([topics.BEAT.encode(), self._encoder.encode(Alive(head=head))])

    def close(self) -> None:
        """Give the endpoints back."""
        self._opened.close()


def _only_here(folder: Path) -> IO[bytes]:
    """Make the folder for us alone: whoever may write in it could speak for a device.

    A second controller would take the endpoints away from the first, who would not even know.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = alone(folder / "bus.lock")
    except TakenError as holder:
        raise OSError(f"{folder}: process {holder} serves this bus; stop it first") from None
    except OSError as error:
        raise OSError(f"{folder}: cannot be the bus.folder: {error.strerror}") from None
    if folder.stat().st_mode & 0o022:
        lock.close()
        raise OSError(f"{folder}: others may write in it; chmod 700 it, or name another bus.folder")
    return lock


def _read(decoder: msgspec.json.Decoder[Any], raw: bytes) -> Hello | Beat | Report | Since:
    """The message of these bytes; raises `ValueError` that says why there is none."""
    try:
        message: Hello | Beat | Report | Since = decoder.decode(raw)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if message.v != topics.VERSION:
        raise ValueError(f"it speaks version {message.v} of the bus, and this is version {topics.VERSION}")
    return message


def _waiting(socket: zmq.Socket[bytes], most: int) -> Iterator[tuple[Back, zmq.Frame]]:
    """The messages that wait on a socket, at most so many, each with its way back."""
    with contextlib.suppress(zmq.Again):
        for _ in range(most):
            *envelope, frame = socket.recv_multipart(zmq.NOBLOCK, copy=False)
            yield Back(socket, tuple(part.bytes for part in envelope)), frame


def message(entry: Entry) -> EntryMessage:
    """An entry as it travels."""
    return EntryMessage(
        seq=entry.seq,
        at=entry.at,
        mono=entry.mono,
        source=entry.source,
        boot=entry.boot,
        n=entry.n,
        cursor=entry.cursor,
        word=entry.word,
        fact=msgspec.Raw(entry.body.encode()),
    )


class _Listed:
    """Lets in the keys of the list (Z85), and no other."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys = frozenset(keys)

    def callback(self, _domain: str, key: bytes) -> bool:
        """Whether this public key may connect."""
        return key.decode() in self._keys


def _guard(context: zmq.Context[zmq.Socket[bytes]], remote: Remote) -> ThreadAuthenticator:
    guard = ThreadAuthenticator(context)
    guard.start()
    guard.configure_curve_callback(domain="sabot", credentials_provider=_Listed(remote.names))
    return guard
