"""A gateway on this machine: refused, reset, closed, silent, and there again."""

import socket
import struct
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from drivers.device import Device
from drivers.port import Line, Port
from drivers.tcp import Tcp


class Gateway:
    """Listens on a port of this machine; can be told to go away and come back."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.number = self.server.getsockname()[1]
        self.clients: list[socket.socket] = []

    def accept(self) -> socket.socket:
        """The next client."""
        self.clients.append(self.server.accept()[0])
        return self.clients[-1]

    def close(self) -> None:
        """All of it."""
        for client in self.clients:
            client.close()
        self.server.close()

    def again(self) -> None:
        """Listen where it listened before."""
        self.server = socket.create_server(("127.0.0.1", self.number), reuse_port=False)


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    made = Gateway()
    yield made
    made.close()


@pytest.fixture
def connect(gateway: Gateway, clock: Any) -> Iterator[Callable[[], Port]]:
    made: list[Port] = []

    def make() -> Port:
        made.append(Port(f"socket://127.0.0.1:{gateway.number}", Line(), clock=clock, pause=clock.pause))
        return made[-1]

    yield make
    for port in made:
        port.close()


def opened(port: Port) -> Port:
    for _ in range(100):
        if port.is_open:
            break
        port.read(0.01)
    assert port.is_open, port.why
    return port


def test_bytes_come_and_go(gateway: Gateway, connect: Callable[[], Port]) -> None:
    port = opened(connect())
    client = gateway.accept()
    client.sendall(b"\x051D")
    assert port.read(1) == b"\x051D"
    assert port.write(b"\x02") is True
    assert client.recv(10) == b"\x02"
    assert port.shared == ""


def test_a_dead_peer_will_be_missed(gateway: Gateway, connect: Callable[[], Port]) -> None:
    port = opened(connect())
    gateway.accept()
    assert isinstance(port._wire, Tcp)
    line = port._wire._socket
    assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    idle = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)
    probes = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT)
    every = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL)
    assert idle + probes * every <= 6


def test_refused_says_so_and_is_tried_again(
    gateway: Gateway, connect: Callable[[], Port], clock: Any
) -> None:
    gateway.close()
    port = connect()
    port.read(1)
    assert port.why.startswith(f"refused by 127.0.0.1:{gateway.number}: nothing listens there, or it has all")
    gateway.again()
    began = clock.now
    opened(port)
    assert clock.now - began <= 1.0


def test_reset_in_the_middle_of_a_telegram(gateway: Gateway, connect: Callable[[], Port]) -> None:
    port = opened(connect())
    client = gateway.accept()
    client.sendall(b"\x051D\x81")
    assert port.read(1) == b"\x051D\x81"
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()
    assert port.read(1) == b""
    assert port.why == f"reset by 127.0.0.1:{gateway.number}: the gateway cut the connection"
    opened(port)
    gateway.accept().sendall(b"whole")
    assert port.read(1) == b"whole"
    assert port.opened == 2


def test_closed_by_the_gateway(gateway: Gateway, connect: Callable[[], Port]) -> None:
    port = opened(connect())
    gateway.accept().close()
    assert port.read(1) == b""
    assert port.why.startswith("closed by 127.0.0.1")


def test_no_answer(gateway: Gateway, connect: Callable[[], Port], clock: Any) -> None:
    # A server whose queue is full answers nobody: connections to it hang.
    gateway.server.listen(0)
    full = [socket.socket() for _ in range(3)]
    for waiting in full:
        waiting.setblocking(False)  # noqa: FBT003
        waiting.connect_ex(("127.0.0.1", gateway.number))
    port = connect()
    assert port.read(0.01) == b""
    assert not port.tried
    device = Device("angel-eye-2ex", port.address, clock=clock, pause=clock.pause)
    assert device.read(0.01) == [], "nothing is wrong before the first attempt has ended"
    device.close()
    clock.now += 4
    port.read(0.01)
    assert port.why == f"no answer from 127.0.0.1:{gateway.number}"
    for waiting in full:
        waiting.close()
