"""Follows the journal by the feed, and folds it: the displays' own copy of the table.

Nothing is ever shown that did not come by the feed, and so nothing that is not durable.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import zmq

from config.load import Table as TableConfig
from controller import topics
from controller.feed import Feed
from controller.table import Table
from controller.topics import Alive, Answer, Entries, EntryMessage, Since

AT_ONCE = 5000
"""Entries that are asked for in one go."""
ASK_AGAIN = 1.0
"""Seconds after which an unanswered request is made again."""
LOOK = 0.25
"""Seconds after which the sockets are looked at even when nothing wakes us."""


class Follower:
    """The table as far as the feed has told it."""

    def __init__(self, config: TableConfig, folder: Path) -> None:
        """Connect to the bus in `folder`; the controller need not be there yet."""
        self.table = Table(config)
        self.heard = float("-inf")
        """When the controller last said anything (monotonic)."""
        self._feed = Feed()
        self._asked_at = float("-inf")
        self._decode = msgspec.json.Decoder(Answer)
        self._encode = msgspec.json.Encoder()
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context.instance()
        self._sub = context.socket(zmq.SUB)
        self._sub.subscribe(b"")
        self._ask = context.socket(zmq.DEALER)
        for socket, name in ((self._sub, topics.FEED), (self._ask, topics.SINCE)):
            socket.linger = 0
            socket.reconnect_ivl = 20
            socket.connect(topics.endpoint(folder, name))

    @property
    def lost(self) -> bool:
        """The controller is silent, or has not told us of a table yet."""
        return not self.table.play.ready or time.monotonic() - self.heard > topics.SILENT_AFTER

    async def run(self, changed: Callable[[], Awaitable[None]]) -> None:
        """Follow for ever; `changed` is awaited after every turn in which the table took something."""
        loop, woken = asyncio.get_running_loop(), asyncio.Event()
        for socket in (self._sub, self._ask):
            loop.add_reader(socket.fileno(), woken.set)
        self._request(0)
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(woken.wait(), LOOK)
            woken.clear()
            # The descriptors only say that something changed: every socket is read until it is empty.
            if self._take(self._drain(self._sub) + self._drain(self._ask)):
                await changed()

    def _take(self, messages: list[EntryMessage]) -> bool:
        took = False
        for entry in self._feed.take(messages):
            self.table.after(entry)
            took = True
        if self._feed.hole:
            self._ask_again()
        return took

    def _drain(self, socket: zmq.Socket[bytes]) -> list[EntryMessage]:
        """All entries that wait on a socket."""
        messages: list[EntryMessage] = []
        with contextlib.suppress(zmq.Again):
            while True:
                message = self._decode.decode(socket.recv_multipart(zmq.NOBLOCK)[-1])
                self.heard = time.monotonic()
                match message:
                    case EntryMessage():
                        messages.append(message)
                    case Entries(entries=entries, head=head):
                        messages += entries
                        if entries and entries[-1].seq < head:
                            self._request(entries[-1].seq)
                    case Alive(head=head) if head > self._feed.head:
                        self._ask_again()
                    case _:
                        pass  # A beat says no more than that the controller is alive.
        return messages

    def _ask_again(self) -> None:
        if time.monotonic() - self._asked_at > ASK_AGAIN:
            self._request(self._feed.head)

    def _request(self, since: int) -> None:
        self._asked_at = time.monotonic()
        self._ask.send(self._encode.encode(Since(seq=since, limit=AT_ONCE)))

    def close(self) -> None:
        """Give the sockets back."""
        self._sub.close()
        self._ask.close()
