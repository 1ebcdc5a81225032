"""A device behind a serial-to-TCP gateway: `socket://host:port`.

pyserial's own handler has no keep-alive, and its `close` sleeps; a gateway that loses power would never be
missed. Here a connection that is dead for about six seconds ends with an error.
"""

import os
import select
import socket

from drivers import trouble

_CONNECT_WITHIN = 3.0
"""Seconds."""
_CHUNK = 4096
_OPTIONS = (
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 3),
    (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3),
    (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 6000),
)


class Tcp:
    """A connection that is begun by `open`, and stands when `ready` says so: nothing here waits unasked.

    But for one thing: a host that is given by name is looked up by `open`, and that may take seconds. Tables
    name their gateways by number.
    """

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._socket = socket.socket()
        self._socket.close()
        self._deadline = 0.0

    def open(self, now: float) -> None:
        """Begin to connect; raises `OSError`."""
        family, kind, _, _, address = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)[0]
        self._socket = socket.socket(family, kind)
        self._deadline = now + _CONNECT_WITHIN
        self._socket.settimeout(0)
        for level, option, value in _OPTIONS:
            self._socket.setsockopt(level, option, value)
        self._socket.connect_ex(address)

    def ready(self, timeout: float, now: float) -> bool:
        """Whether it stands, after `timeout` seconds at most; raises `OSError` if it never will."""
        _, writable, _ = select.select([], [self._socket], [], timeout)
        if not writable:
            if now > self._deadline:
                raise TimeoutError
            return False
        number = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if number:
            raise OSError(number, os.strerror(number))
        return True

    def fileno(self) -> int:
        """For `select`."""
        return self._socket.fileno()

    def read(self) -> bytes:
        """What has come; raises `OSError` or `EOFError`."""
        data = self._socket.recv(_CHUNK)
        if not data:
            raise EOFError
        return data

    def write(self, data: bytes) -> None:
        """Send all, or raise `OSError`."""
        self._socket.sendall(data)

    def close(self) -> None:
        """At once."""
        self._socket.close()

    def trouble(self, error: Exception) -> str:
        """What this error means here, in words."""
        return trouble.of_host(self._host, self._port, error)

    def readers(self) -> str:
        """Nobody else reads this connection."""
        return ""
