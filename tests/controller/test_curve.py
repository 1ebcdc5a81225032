"""The bus by tcp: encrypted, only for the keys of the list, and every key speaks for itself alone."""

import os
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zmq
from zmq.auth import create_certificates, load_certificate

from config.load import load
from controller import topics
from controller.bus import Bus, remote
from controller.codec import encode
from controller.loop import Loop
from controller.notes import ReportRejected
from controller.topics import Ack, Answer, Entries, Hello, Rejected, Report, Since, Welcome
from rules.facts import BetPlaced

ROOT = Path(__file__).parent.parent.parent
NAMES = ("table", "chips-1", "recorder", "stranger")


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key pairs as `sabot keys` makes them."""
    folder = tmp_path_factory.mktemp("keys")
    done = run_keys(str(folder), "table")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{folder / 'table'}.key", f"{folder / 'table'}.key_secret"]
    for name in NAMES[1:]:
        create_certificates(folder, name)
    return folder


def run_keys(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """`sabot keys` with those arguments."""
    command = [sys.executable, "-P", "-m", "controller", "keys", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


class Far:
    """A table with endpoints by tcp, and those who call it."""

    def __init__(self, folder: Path, keys: Path, table_file: Callable[..., Path]) -> None:
        self.keys = keys
        self.ends = {name: f"tcp://127.0.0.1:{free_port()}" for name in ("reports", "feed", "since")}
        chips, recorder = (load_certificate(keys / f"{name}.key")[0].decode() for name in NAMES[1:3])
        more = "\n".join(
            [
                "[bus]",
                *(f'{name} = "{end}"' for name, end in self.ends.items()),
                f'secret = "{keys / "table.key_secret"}"',
                f'[bus.readers]\nrecorder = "{recorder}"',
            ]
        )
        config = load(table_file(folder, more, may=f'["bet"]\nkey = "{chips}"'))
        self.bus = Bus(config.at("run"), remote(config))
        self.loop = Loop(config, self.bus)
        self.context: zmq.Context[Any] = zmq.Context()
        self.sockets: list[zmq.Socket[Any]] = []

    def calls(self, name: str | None, end: str, kind: int = zmq.DEALER) -> zmq.Socket[Any]:
        """A socket with the key of that name, or without any."""
        one = self.context.socket(kind)
        self.sockets.append(one)
        one.linger = 0
        if name:
            one.curve_publickey, secret = load_certificate(self.keys / f"{name}.key_secret")
            assert secret
            one.curve_secretkey = secret
            one.curve_serverkey = load_certificate(self.keys / "table.key")[0]
        if kind == zmq.SUB:
            one.subscribe(b"")
        one.connect(self.ends[end])
        return one

    def hears(self, one: zmq.Socket[Any], seconds: float = 3.0) -> Answer | None:
        """What the table says to it, or nothing."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.loop.turn(0.02)
            if one.poll(0):
                return msgspec.json.decode(one.recv_multipart()[-1], type=Answer)
        return None

    def close(self) -> None:
        """All go."""
        for one in self.sockets:
            one.close()
        self.context.term()
        self.loop.close()
        self.bus.close()


@pytest.fixture
def far(folder: Path, keys: Path, a_table_file: Callable[..., Path]) -> Iterator[Far]:
    one = Far(folder, keys, a_table_file)
    yield one
    one.close()


def said(message: Hello | Report | Since) -> bytes:
    """A message as it travels."""
    return msgspec.json.encode(message)


def bet(source: str) -> bytes:
    """A bet, reported under that name."""
    word, body = encode(BetPlaced(1, "banca", 2500))
    return said(Report(source=source, boot="b", n=1, word=word, fact=msgspec.Raw(body)))


def test_a_source_of_the_list_reports_and_is_acknowledged(far: Far) -> None:
    chips = far.calls("chips-1", "reports")
    chips.send(said(Hello(source="chips-1", boot="b")))
    assert isinstance(far.hears(chips), Welcome)
    chips.send(bet("chips-1"))
    assert isinstance(far.hears(chips), Ack)
    assert far.loop.table.heard["chips-1"].n == 1


def test_a_reader_of_the_list_has_the_feed_and_the_journal(far: Far) -> None:
    feed = far.calls("recorder", "feed", zmq.SUB)
    assert far.hears(feed) is not None
    asking = far.calls("recorder", "since", zmq.REQ)
    asking.send(said(Since(seq=0)))
    answer = far.hears(asking)
    assert isinstance(answer, Entries)
    assert [entry.word for entry in answer.entries] == ["opened", "table", "round"]


@pytest.mark.parametrize("name", ["stranger", None])
def test_whoever_is_not_on_the_list_or_does_not_encrypt_hears_nothing(far: Far, name: str | None) -> None:
    before = far.loop.table.head
    reports, since = far.calls(name, "reports"), far.calls(name, "since")
    feed = far.calls(name, "feed", zmq.SUB)
    reports.send(bet("chips-1"))
    since.send(said(Since(seq=0)))
    for one in (reports, since, feed):
        assert far.hears(one, 0.3) is None
    assert far.loop.table.head == before
    # And those of the list are served all the same.
    chips = far.calls("chips-1", "reports")
    chips.send(bet("chips-1"))
    assert isinstance(far.hears(chips), Ack)


@pytest.mark.parametrize(
    ("key", "source"),
    [("recorder", "chips-1"), ("chips-1", "shoe"), ("chips-1", "dealer"), ("recorder", "recorder")],
)
def test_a_key_of_the_list_that_names_another_source_is_turned_away_and_noted(
    far: Far, key: str, source: str
) -> None:
    caller = far.calls(key, "reports")
    caller.send(bet(source))
    answer = far.hears(caller)
    assert isinstance(answer, Rejected)
    assert source in answer.why
    last = list(far.loop._journal.since(0))[-1]
    assert last.fact == ReportRejected("bet", answer.why)
    assert source not in far.loop.table.heard


@pytest.mark.usefixtures("far")
def test_our_own_endpoints_stay_in_the_box(folder: Path) -> None:
    assert sorted(path.name for path in (folder / "run").iterdir() if path.is_socket()) == [
        topics.FEED,
        topics.REPORTS,
        topics.SINCE,
    ]


# Keys.


def test_a_secret_key_is_for_its_owner_alone(keys: Path) -> None:
    assert stat.S_IMODE((keys / "table.key_secret").stat().st_mode) == 0o600


def test_keys_that_are_there_are_not_made_anew(keys: Path) -> None:
    before = (keys / "table.key").read_bytes()
    done = run_keys(str(keys), "table")
    assert done.returncode == 2
    assert "table.key: is there already" in done.stderr
    assert (keys / "table.key").read_bytes() == before


def test_keys_with_a_path_for_a_name_are_refused(tmp_path: Path) -> None:
    done = run_keys(str(tmp_path / "keys"), f"..{os.sep}table")
    assert done.returncode == 2
    assert "in letters, digits" in done.stderr
    assert not list(tmp_path.rglob("*.key*"))


def test_a_public_key_where_the_secret_one_belongs_is_said(
    folder: Path, keys: Path, a_table_file: Callable[..., Path]
) -> None:
    def opened(secret: Path) -> None:
        remote(load(a_table_file(folder, f'[bus]\nfeed = "tcp://127.0.0.1:5555"\nsecret = "{secret}"')))

    with pytest.raises(ValueError, match=r"holds no secret key; name the file that ends in \.key_secret"):
        opened(keys / "table.key")
    with pytest.raises(ValueError, match=r"holds no CURVE keys: .*; `sabot keys` makes them"):
        opened(keys / "nowhere")
    with pytest.raises(ValueError, match="holds no CURVE keys"):
        opened(ROOT / "LICENSE")


def test_a_port_that_somebody_has_is_said_and_nothing_is_left_open(
    folder: Path, keys: Path, a_table_file: Callable[..., Path]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        end = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        more = f'[bus]\nfeed = "{end}"\nsecret = "{keys / "table.key_secret"}"'
        config = load(a_table_file(folder, more))
        with pytest.raises(OSError, match=f"{end}: cannot be bound: Address already in use"):
            Bus(config.at("run"), remote(config))
    Bus(config.at("run"), remote(config)).close()
