"""A reader's side of the feed: every entry once, in order, whatever was missed.

Pure: what came goes in, what is next comes out, with the number to ask from when there is a hole.
"""

from collections.abc import Iterable, Iterator

from controller.codec import decode_ours
from controller.journal import Entry
from controller.topics import EntryMessage

OPENED = "opened"
"""The word of the first entry of every journal: a reader may begin there, whatever came before."""
MOST_EARLY = 10_000
"""What waits for a hole to be filled; beyond it, it is asked for again anyway."""


class Feed:
    """The entries of a journal as a reader has them; `head` is the last it has."""

    def __init__(self, head: int = 0) -> None:
        self.head = head
        self._early: dict[int, EntryMessage] = {}

    @property
    def hole(self) -> bool:
        """Something is missing before what came: ask since `head`."""
        return bool(self._early)

    def take(self, messages: Iterable[EntryMessage]) -> Iterator[Entry]:
        """What is next in order, now that these came; repeats are dropped, what is early waits."""
        for message in messages:
            if message.seq > self.head:
                if message.word == OPENED:
                    self.head = message.seq - 1
                self._early[message.seq] = message
        while (following := self._early.pop(self.head + 1, None)) is not None:
            self.head += 1
            yield entry(following)
        if self._early and len(self._early) > MOST_EARLY:
            self._early.clear()


def entry(message: EntryMessage) -> Entry:
    """An entry as the journal has it; raises `ValueError` for one that this Sabot cannot read."""
    body = bytes(message.fact).decode()
    return Entry(
        message.seq,
        message.at,
        message.mono,
        message.source,
        message.boot,
        message.n,
        message.cursor,
        decode_ours(message.word, body),
        message.word,
        body,
    )
