"""Where the Angel Eye II-EX stands: three copies of each telegram, two of which decide.

A fold: `take` gives the stand after a telegram, and the facts that are new. The first good copy is told at
once and never waited for. What the others say then:

| good copies               | told                                                                   |
|---------------------------|------------------------------------------------------------------------|
| a; a a; a a a             | a                                                                      |
| a a b                     | a; `copies_differ` raised and cleared at once                          |
| a b                       | a; `copies_differ` is raised: the round holds until the third copy     |
| a b a                     | a stands, `copies_differ` is cleared                                   |
| a b b                     | b corrects a, `copies_differ` is cleared                               |
| a b c; a b and no third   | the card is as good as unread, `copies_differ` is cleared: people look |

A fourth copy is none: it is another telegram with the same number, one whole turn of Seq later.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

from drivers.angel_eye.dealing import Dealing, as_reread, follows
from drivers.angel_eye.numbering import Numbering
from drivers.angel_eye.telegrams import ImpossibleError, Said, read
from drivers.angel_eye.wire import Telegram, encode
from rules.facts import Fact, FaultCleared, FaultRaised, GapFound, UnknownReport

COPIES = 3
_REMEMBERED = 3
"""Telegrams whose late copies are still known; how far apart the device sends its copies is not known."""
_BOOT = b"S"
_RAISED: Fact = FaultRaised("copies_differ", active=False)
_CLEARED: Fact = FaultCleared("copies_differ")
_NOTHING: tuple[Fact, ...] = ()


@lru_cache(maxsize=1024)  # a shoe says few different things, three times each
def meaning(data: bytes) -> Said | None:
    """What a telegram says, or None where nobody understands it."""
    try:
        return read(data)
    except ImpossibleError:
        return None


@dataclass(frozen=True, slots=True)
class Heard:
    """The good copies of one telegram."""

    seq: str
    copies: tuple[bytes, ...]
    told: bytes
    """The copy whose facts stand."""
    doubt: str = ""
    """`open`: two copies differ and the fault is raised; `unread`: it was given up."""


@dataclass(frozen=True, slots=True)
class Stand:
    """All that one telegram must be compared with."""

    numbering: Numbering = field(default_factory=Numbering)
    heard: tuple[Heard, ...] = ()
    """The last telegrams, the newest last."""
    dealing: Dealing = field(default_factory=Dealing)

    def take(self, telegram: Telegram) -> tuple[Self, tuple[Fact, ...]]:
        """One good copy of a telegram."""
        for k in reversed(range(len(self.heard))):
            if self._is_copy(k, telegram):
                return self._copy(k, telegram.data)
        return self._new(telegram)

    def lose(self) -> tuple[Self, tuple[Fact, ...]]:
        """Bytes were lost, or another telegram began: no third copy will settle the newest one."""
        if not self.heard or self.heard[-1].doubt != "open":
            return self, ()
        newest = self.heard[-1]
        dealing, facts = self.dealing.correct(meaning(newest.told), None)
        stand = self._put(len(self.heard) - 1, replace(newest, doubt="unread"))
        return replace(stand, dealing=dealing), (*facts, _CLEARED)

    def _is_copy(self, k: int, telegram: Telegram) -> bool:
        heard, newest = self.heard[k], k == len(self.heard) - 1
        if heard.seq != telegram.seq or len(heard.copies) == COPIES:
            return False
        # A boot restarts the numbers, so that it may have the number of what came just before it.
        booted = telegram.data == _BOOT and heard.told != _BOOT
        return telegram.data in heard.copies or (newest and not booted)

    def _copy(self, k: int, data: bytes) -> tuple[Self, tuple[Fact, ...]]:
        heard = replace(self.heard[k], copies=(*self.heard[k].copies, data))
        right = max(heard.copies, key=heard.copies.count)
        if heard.copies.count(right) > 1:
            return self._agreed(k, heard, right)
        if len(heard.copies) < COPIES:
            return self._put(k, replace(heard, doubt="open")), (_RAISED,)
        return self._put(k, heard).lose()

    def _agreed(self, k: int, heard: Heard, right: bytes) -> tuple[Self, tuple[Fact, ...]]:
        """Two copies or three say the same: that is what the device said."""
        said, facts = meaning(right), _NOTHING
        stand = self._put(k, replace(heard, told=right, doubt=""))
        if right != heard.told or (heard.doubt == "unread" and as_reread(said)):
            dealing, facts = self.dealing.correct(meaning(heard.told), said)
            stand = replace(stand, dealing=dealing)
            if said is None:
                facts = (*facts, _unknown(Telegram(heard.seq, right)))
        if heard.doubt == "open":
            facts = (*facts, _CLEARED)
        elif not heard.doubt and len(set(heard.copies)) > 1:
            facts = (_RAISED, _CLEARED)
        return stand, facts

    def _new(self, telegram: Telegram) -> tuple[Self, tuple[Fact, ...]]:
        stand, facts = self.lose()
        said, missing = meaning(telegram.data), 0
        if telegram.data == _BOOT:
            stand, numbering = replace(stand, heard=()), self.numbering.restarted(telegram.seq)
        else:
            before = meaning(self.heard[-1].told) if self.heard else None
            numbering, missing = self.numbering.after(telegram.seq, follows=follows(before, said))
        dealing, told = stand.dealing.say((_unknown(telegram),) if said is None else said)
        heard = (*stand.heard, Heard(telegram.seq, (telegram.data,), telegram.data))[-_REMEMBERED:]
        gap = (GapFound(missing),) if missing else ()
        return replace(self, numbering=numbering, heard=heard, dealing=dealing), (*facts, *gap, *told)

    def _put(self, k: int, heard: Heard) -> Self:
        return replace(self, heard=(*self.heard[:k], heard, *self.heard[k + 1 :]))


def _unknown(telegram: Telegram) -> Fact:
    return UnknownReport(encode(telegram).hex())
