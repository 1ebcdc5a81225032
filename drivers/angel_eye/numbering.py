"""The order of Seq, the number of a telegram of the Angel Eye II-EX: what follows what, and what is missing.

Which characters the device counts with is not known, nor what comes after the last one. So:

- the next character of ASCII always follows (`1` `2` `3` ...);
- a turn is learned, and kept for good. `9` to `0` is believed at once, unless the cards show a hole there
  (Player's second card after his first). `9` to `1` or to a letter is believed at once where the cards prove
  that none is missing (Banker's first card after Player's first), since a lost `0` would look the same. Any
  other turn is reported as a gap the first time, and believed the second time;
- nothing is learned that contradicts what was seen: a turn leaves from a character whose next was never seen,
  and arrives at one whose previous was never seen;
- whatever else comes is a gap. In doubt a gap is reported: a false one costs a look, a card lost in silence
  costs a round.
"""

from dataclasses import dataclass, replace
from typing import Self

_MOST = 94
"""Printable characters without the space: no count is longer."""
_REMEMBERED = 4
"""Leaps that may turn out to be turns; an alphabet of digits and letters has three turns at most."""


def _plain(seq: str) -> str:
    return chr(ord(seq) + 1)


@dataclass(frozen=True, slots=True)
class Numbering:
    """Where the device's count stands, and what is known of its alphabet."""

    tip: str = ""
    """The newest number; empty before the first."""
    stepped: str = ""
    """Characters whose next one of ASCII was seen to follow."""
    turns: tuple[str, ...] = ()
    """Learned turns, two characters each: `90`."""
    leaps: tuple[str, ...] = ()
    """What could have been a turn and was reported as a gap; the same once more is a turn."""
    skipped: str = ""
    """The one number that was skipped just before the tip: it may still come, out of order."""

    def restarted(self, seq: str) -> Self:
        """The device booted: whatever it says now is where it counts from."""
        return replace(self, tip=seq, skipped="")

    def after(self, seq: str, *, follows: bool | None) -> tuple[Self, int]:
        """A new telegram has this number: the count after it, and how many telegrams before it never came.

        `follows` is what the cards say: nothing is missing (True), a card is (False), no telling (None). A
        number that is the tip itself is a telegram one whole turn later.
        """
        if not self.tip or seq in (_plain(self.tip), self._turn(self.tip)):
            return self._step(seq), 0
        if seq == self.skipped:
            return replace(self, skipped=""), 0
        leap = self.tip + seq
        if not self._may_turn(seq) or follows is False:
            return self._leap(seq, self.leaps)
        if leap == "90" or leap in self.leaps or (follows and leap in ("91", "9A", "9a")):
            return replace(self, tip=seq, turns=(*self.turns, leap), skipped=""), 0
        return self._leap(seq, (*self.leaps, leap)[-_REMEMBERED:])

    def _step(self, seq: str) -> Self:
        if not self.tip or seq != _plain(self.tip):
            return replace(self, tip=seq, skipped="")
        stepped = self.stepped if self.tip in self.stepped else self.stepped + self.tip
        # A plain step is certain: a turn from here, or to there, was a wrong lesson.
        turns = tuple(turn for turn in self.turns if turn[0] != self.tip and turn[1] != seq)
        return replace(self, tip=seq, stepped=stepped, turns=turns, skipped="")

    def _leap(self, seq: str, leaps: tuple[str, ...]) -> tuple[Self, int]:
        way = self._way(seq)
        return replace(self, tip=seq, leaps=leaps, skipped=way if len(way) == 1 else ""), max(1, len(way))

    def _turn(self, seq: str) -> str:
        return next((turn[1] for turn in self.turns if turn[0] == seq), "")

    def _may_turn(self, seq: str) -> bool:
        """Nothing that was seen contradicts a turn from the tip to `seq`."""
        left = self.tip in self.stepped or self._turn(self.tip)
        arrived = chr(ord(seq) - 1) in self.stepped or any(turn[1] == seq for turn in self.turns)
        return not (left or arrived or seq == self.tip)

    def _way(self, seq: str) -> str:
        """The numbers between the tip and `seq`; empty where nobody knows the way."""
        way, here = "", self.tip
        for _ in range(_MOST):
            here = self._turn(here) or ("0" if here == "9" else _plain(here))
            if here == seq:
                return way
            way += here
        return ""
