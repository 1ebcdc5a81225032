"""The controller's side of the bus: reports in, acknowledged; the feed out, numbered; the journal on request.

"Acknowledged" means "in the journal": the loop acknowledges after the commit, never before. What a reader of
the feed missed it asks for by number, so a slow reader delays nobody. Inside the box the endpoints are ipc,
kept by the permissions of their folder; an endpoint by tcp is encrypted (CURVE) and only for listed keys.
"""

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import structlog
import zmq
from zmq.auth import load_certificate
from zmq.auth.thread import ThreadAuthenticator
from zmq.utils import z85

from config.load import Table as TableConfig
from controller import topics
from controller.journal import Entry
from controller.topics import Alive, Answer, Asked, Beat, Entries, EntryMessage, Hello, Report, Since

MOST = 1 << 16
"""The largest message that is read, in bytes; a fact is a few hundred."""
MOST_ENTRIES = 5000
"""The most entries in one answer."""
QUEUE = 20_000
"""Messages that wait for a slow reader before it misses some and must ask."""

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
    router: zmq.Socket[bytes]
    peer: bytes
    remote: bool
    """It came by tcp; then `key_name` is who it is by its key."""
    key_name: str | None


class Bus:
    """The sockets of the controller."""

    def __init__(self, folder: Path, remote: Remote | None = None) -> None:
        """Bind in `folder`, which is made for us alone; raises `OSError` when it cannot be."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._context = zmq.Context()
        self._remote = remote
        self._guard = _guard(self._context, remote) if remote else None
        self._reports = [self._bound(zmq.ROUTER, topics.endpoint(folder, topics.REPORTS))]
        self._feeds = [self._bound(zmq.PUB, topics.endpoint(folder, topics.FEED))]
        self._since = [self._bound(zmq.ROUTER, topics.endpoint(folder, topics.SINCE))]
        if remote:
            for address, kind, sockets in (
                (remote.reports, zmq.ROUTER, self._reports),
                (remote.feed, zmq.PUB, self._feeds),
                (remote.since, zmq.ROUTER, self._since),
            ):
                if address:
                    sockets.append(self._bound(kind, address))
        self._poller = zmq.Poller()
        for socket in self._reports + self._since:
            self._poller.register(socket, zmq.POLLIN)
        self._asked = msgspec.json.Decoder(Asked)
        self._encoder = msgspec.json.Encoder()

    def _bound(self, kind: int, address: str) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        socket.linger = 0
        socket.maxmsgsize = MOST
        socket.sndhwm = QUEUE
        if self._remote and address.startswith("tcp:"):
            socket.curve_server = True
            socket.curve_publickey = self._remote.public
            socket.curve_secretkey = self._remote.secret
            socket.zap_domain = b"sabot"
        try:
            socket.bind(address)
        except zmq.ZMQError as error:
            raise OSError(f"{address}: cannot be bound: {error}; is another controller running?") from None
        return socket

    def wait(self, seconds: float) -> tuple[list[Incoming], list[tuple[zmq.Socket[bytes], bytes, Since]]]:
        """The messages that are there, waiting at most so long for the first: of sources, and of readers."""
        incoming: list[Incoming] = []
        asked: list[tuple[zmq.Socket[bytes], bytes, Since]] = []
        for socket, _ in self._poller.poll(int(seconds * 1000)):
            while True:
                try:
                    peer, *frames = socket.recv_multipart(zmq.NOBLOCK, copy=False)
                except zmq.Again:
                    break
                message = self._read(frames[-1].bytes if frames else b"")
                if isinstance(message, Since):
                    asked.append((socket, peer.bytes, message))
                elif message is not None:
                    remote = socket is not self._reports[0]
                    name = self._who(frames[-1]) if remote else None
                    incoming.append(Incoming(message, socket, peer.bytes, remote, name))
        return incoming, asked

    def _read(self, raw: bytes) -> Asked | None:
        try:
            message: Asked = self._asked.decode(raw)
        except msgspec.DecodeError as error:
            log.warning("a message on the bus that nobody understands", error=str(error), start=raw[:80])
            return None
        if message.v != topics.VERSION:
            log.warning("a message of another version of the bus", theirs=message.v, ours=topics.VERSION)
            return None
        return message

    def _who(self, frame: zmq.Frame) -> str | None:
        """The name of the key that sent it."""
        with contextlib.suppress(zmq.ZMQError, KeyError):
            return self._remote.names.get(str(frame["User-Id"])) if self._remote else None
        return None

    def answer(self, incoming: Incoming, answer: Answer) -> None:
        """Answer a source; one that is gone misses it, and asks again when it is back."""
        with contextlib.suppress(zmq.Again):
            incoming.router.send_multipart([incoming.peer, self._encoder.encode(answer)], zmq.NOBLOCK)

    def give(self, router: zmq.Socket[bytes], peer: bytes, entries: Iterable[Entry], head: int) -> None:
        """Answer a reader."""
        answer = Entries(entries=[message(entry) for entry in entries], head=head)
        with contextlib.suppress(zmq.Again):
            router.send_multipart([peer, self._encoder.encode(answer)], zmq.NOBLOCK)

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
        for socket in self._reports + self._feeds + self._since:
            socket.close()
        if self._guard:
            self._guard.stop()
        self._context.term()


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
    """Lets in the keys of the list, and no other."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys = frozenset(keys)

    def callback(self, _domain: str, key: bytes) -> bool:
        """Whether this public key (raw, 32 bytes) may connect."""
        return z85.encode(key).decode() in self._keys


def _guard(context: zmq.Context[zmq.Socket[bytes]], remote: Remote) -> ThreadAuthenticator:
    guard = ThreadAuthenticator(context)
    guard.start()
    guard.configure_curve_callback(domain="sabot", credentials_provider=_Listed(remote.names))
    return guard
