"""Bytes of the Angel Eye II-EX to facts, each with its cursor."""

from drivers.angel_eye import commands, cursors, wire
from drivers.angel_eye.commands import Answer
from drivers.angel_eye.stand import meaning
from drivers.frames import Counts, Damage, Framer
from rules.facts import DeviceState, Fact, FaultRaised, GapFound

Report = tuple[Fact, str]


class AngelEye:
    """Listens; pure but for what it remembers. Any bytes in any pieces give facts and never an error."""

    def __init__(self, cursor: str = "", *, bcc_includes_stx: bool = True) -> None:
        """`cursor` is that of the last fact in the journal; raises `ValueError` if it is none."""
        self.counts = Counts()
        self.asked = ""
        """The command that waits for its answer; empty when none does."""
        self._bcc_includes_stx = bcc_includes_stx
        self._framer: Framer[wire.Telegram | Answer] = Framer(self._decode, wire.LONGEST, self.counts)
        self._stand, self._owed = cursors.read(cursor)

    def feed(self, data: bytes) -> list[Report]:
        """The facts that these bytes complete, in order."""
        reports: list[Report] = []
        if self._owed is not None:
            owed, self._owed = self._owed, None
            reports += self._hear(owed.found)[owed.told :]
        for found in self._framer.feed(data):
            reports += [self._answered(found)] if isinstance(found, Answer) else self._hear(found)
        return reports

    def ask(self, name: str, number: int = 0) -> bytes:
        """The bytes of a command, whose answer is awaited from here on; `ValueError` as of `command`."""
        data = commands.command(name, number, bcc_includes_stx=self._bcc_includes_stx)
        self.asked = name
        return data

    def _decode(self, buffer: bytes) -> tuple[int, wire.Telegram | Damage | Answer | None]:
        if self.asked and buffer[:1] in (commands.ACK, commands.NAK):
            used, answer = commands.answer(buffer)
            if answer or not used:
                return used, answer
        return wire.decode(buffer)

    def _answered(self, answer: Answer) -> Report:
        fact = DeviceState({"command": self.asked, "answer": answer.word})
        self.asked = ""
        return fact, cursors.write(self._stand)

    def _hear(self, found: cursors.Found) -> list[Report]:
        before = self._stand
        self._stand, facts = before.take(found) if isinstance(found, wire.Telegram) else before.lose()
        self._count(found, facts)
        # Each fact may be the last that reaches the journal: only the last of them closes the telegram.
        cut = [(fact, cursors.write(before, cursors.Owed(found, n))) for n, fact in enumerate(facts[:-1], 1)]
        return cut + [(fact, cursors.write(self._stand)) for fact in facts[-1:]]

    def _count(self, found: cursors.Found, facts: tuple[Fact, ...]) -> None:
        counts = self.counts
        if isinstance(found, wire.Telegram):
            counts.duplicates += not facts
            counts.unknown += meaning(found.data) is None
        for fact in facts:
            if isinstance(fact, GapFound):
                counts.gaps += fact.count
            elif isinstance(fact, FaultRaised) and fact.code == "copies_differ":
                counts.differing += 1
