"""The table: note it down, think, say so.

The one loop of the controller: reports in, the journal, the fold, the feed out; nothing is acknowledged or
published before it is durable. A journal that cannot be written ends the process, since nothing may be shown
that is not written down.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import cast

import structlog

from config.load import ConfigError
from config.load import Table as TableConfig
from controller import VERSION, topics
from controller.answer import RefusedError, answer, continued, follows, silent, started
from controller.bus import MOST_ENTRIES, Bus, Incoming
from controller.codec import decode, encode
from controller.journal import Clock, Draft, Entry, Journal
from controller.journal_form import JournalError
from controller.journals import FULL, following, latest, of_day
from controller.notes import JournalOpened, ReportRejected, SourceStarted
from controller.process import tidy
from controller.table import CONTROLLER, PEOPLE, Table
from controller.topics import Ack, Alive, Answer, Beat, Expected, Hello, Rejected, Report, Welcome
from controller.walk import whole
from rules.facts import CardSeen, ShoeLoaded, TableSet

LONGEST = 200
"""Characters of a reason that are journalled."""
MOST_STRANGERS = 64
"""Undeclared sources that are journalled in one run, each once: they do not write our journal full."""

log = structlog.get_logger()


class Loop:
    """One table, its journals and its bus."""

    def __init__(
        self,
        config: TableConfig,
        bus: Bus,
        *,
        clock: Callable[[], float] = time.monotonic,
        stamps: Clock | None = None,
        today: Callable[[], date] = date.today,
    ) -> None:
        """Fold the last journal, and note down the law of today.

        Raises `JournalError`, and `ConfigError` when the table file changed in the middle of a round.
        """
        self.table = Table(config)
        self._bus, self._clock, self._today = bus, clock, today
        self._stamps = stamps or Clock()
        file = config.file
        self._folder = config.at(file.journal)
        self._folder.mkdir(parents=True, exist_ok=True)
        path = latest(self._folder, file.table) or of_day(self._folder, file.table, today())
        self._journal = Journal(path, self._stamps)
        law = TableSet(file.game, config.law.game.edition, config.options, config.fingerprint)
        # As the journal gives it back, so that the two can be compared.
        self._law = cast("TableSet", decode(*encode(law)))
        self._fresh: list[Entry] = []
        self._heard = {name: clock() for name, part in (("shoe", file.shoe), ("camera", file.camera)) if part}
        self._known = {PEOPLE, *self._heard, *file.sources}
        self._level: set[str] = set()
        """The devices of which the journal has all that they had to say when they last beat."""
        self._boots: dict[str, str] = {}
        """The run in which each source reports."""
        self._over: set[tuple[str, str]] = set()
        """Runs that a later one of the same source has replaced."""
        self._strangers: set[tuple[str, str | None]] = set()
        self._ahead: tuple[tuple[str, int], float] = (("", 0), 0.0)
        """The report of the camera that waits for the shoe's next word, and since when."""
        self._beaten = float("-inf")
        try:
            self._fold()
            self._set_table()
        except BaseException:
            self._journal.close()
            raise

    @property
    def journal(self) -> Path:
        """The file that is written."""
        return self._journal.path

    def _fold(self) -> None:
        """Take in what the journal holds; nothing is built on a journal that was changed."""
        path, name = self._journal.path, self.table.config.file.table
        for entry in whole(self._journal):
            if isinstance(entry.fact, JournalOpened) and entry.fact.table != name:
                raise JournalError(f"{path}: is the journal of table {entry.fact.table!r}, not of {name!r}")
            try:
                self._took(entry)
            except (KeyError, ValueError) as error:
                raise JournalError(f"{path}: entry {entry.seq} cannot be judged: {error}") from None

    def _took(self, entry: Entry) -> None:
        self.table.after(entry)
        match entry.fact:
            case SourceStarted(source=source, boot=boot):
                self._over.add((source, self._boots.get(source, "")))
                self._over.discard((source, boot))
                self._boots[source] = boot
            case JournalOpened(heard=heard):
                self._boots = {source: boot for source, (boot, _, _) in heard.items()} | self._boots

    def _set_table(self) -> None:
        """The law of the table file, unless the journal has it already."""
        table, config = self.table, self.table.config
        if table.head == 0:
            self._note([Draft(JournalOpened(config.file.table, VERSION), CONTROLLER)])
        if table.law != self._law and not (table.busy and self._same_law()):
            if table.busy:
                raise ConfigError(
                    f"{config.path}: it, or Sabot, was changed in the middle of round "
                    f"{table.play.felt.number}; put it back, finish the round, then change it"
                )
            self._note([Draft(self._law, CONTROLLER)])
        self._note(follows(table))
        self._commit()

    def _same_law(self) -> bool:
        """What changed of the table file (a port, an operator) is not what a round is judged by."""
        law = self.table.law
        return law is not None and replace(law, fingerprint=self._law.fingerprint) == self._law

    def _note(self, drafts: list[Draft]) -> None:
        """Append and fold, with all that follows; not durable, and not to be told, before `_commit`."""
        while drafts:
            for draft in drafts:
                if isinstance(draft.fact, ShoeLoaded):
                    self._turn_the_page()
                self._append([draft])
            drafts = follows(self.table)

    def _append(self, drafts: list[Draft]) -> None:
        for entry in self._journal.append(drafts):
            self._took(entry)
            self._fresh.append(entry)

    def _turn_the_page(self) -> None:
        """A shoe that is loaded on a new day, or when the file is full, begins a new journal.

        Not while a round is still to be settled.
        """
        name = self.table.config.file.table
        full = len(self._journal) >= FULL
        path = following(self._journal.path, name, self._today(), full=full)
        if path is None or self.table.busy:
            return
        self._commit()
        drafts = continued(self.table, self._journal.path.name, self._journal.chain.hex(), self._law)
        old = self._journal
        self._journal = Journal(path, self._stamps, after=old.head)
        old.close()
        log.info("a new journal", path=str(path))
        self._append(drafts)

    def _commit(self) -> None:
        """Make what was noted durable, then tell it."""
        if self._fresh:
            self._journal.commit()
            self._bus.publish(self._fresh)
            self._fresh = []

    def turn(self, seconds: float) -> None:
        """Take what is there, waiting at most so long for the first; one commit for all of it."""
        incoming, asked = self._bus.wait(seconds)
        answers = [(message, self._take(message)) for message in incoming]
        now = self._clock()
        due = now - self._beaten >= topics.BEAT_EVERY
        if due:
            self._beaten = now
            self._watch(now)
        self._commit()
        for message, answered in answers:
            if answered:
                self._bus.answer(message.back, answered)
        for back, since in asked:
            limit = min(since.limit, MOST_ENTRIES)
            self._bus.give(back, self._journal.since(since.seq, limit), self.table.head)
        if due:
            self._bus.beat(self.table.head)
        if not incoming:
            self._journal.rest()
            tidy()

    def _take(self, incoming: Incoming) -> Answer | None:
        """What a source is answered, once all is durable; nothing when it should say it again later."""
        message, source = incoming.message, incoming.message.source
        if source not in self._known or (incoming.remote and incoming.key_name != source):
            return self._stranger(incoming)
        if (source, message.boot) in self._over:
            return _rejected(message, f"a later run of {source!r} has begun; this one is over")
        if source in self._heard:
            self._heard[source] = self._clock()
        if self._boots.get(source) != message.boot:
            self._level.discard(source)
            self._note(started(self.table, source, message.boot))
        heard = self.table.heard.get(source)
        last = heard.n if heard and heard.boot == message.boot else 0
        match message:
            case Hello():
                return Welcome(
                    boot=message.boot, n=last, cursor=heard.cursor if heard else "", head=self.table.head
                )
            case Beat(n=n):
                (self._level.add if n <= last else self._level.discard)(source)
                return Alive(head=self.table.head)
            case Report(n=n) if source == "camera" and n > last and self._shoe_first(message, last):
                return None
            case Report():
                return self._report(message, last)

    def _shoe_first(self, report: Report, last: int) -> bool:
        """The shoe may have drawn what the camera sees, and not have told us yet.

        So it is when we start, and when the shoe's process was away: what it kept for us must come first. And
        a card of which the shoe said nothing waits for the shoe's next word, or the camera was only quicker.
        """
        if "shoe" not in self._heard or "shoe" in self.table.play.standing.by_hand:
            return False
        late = self._clock() - self._heard["shoe"]
        if late >= topics.SILENT_AFTER:
            return False
        if "shoe" not in self._level or late > topics.LATE_AFTER:
            return True
        if report.n != last + 1 or not self._untold(report):
            return False
        run, since = self._ahead
        if run != (report.boot, report.n):
            self._ahead = (report.boot, report.n), self._clock()
            return True
        return self._heard["shoe"] <= since

    def _untold(self, report: Report) -> bool:
        """The camera sees a card where the shoe dealt none that may be this one."""
        felt = self.table.play.felt
        if report.word != "seen" or felt.faces_are_seen:
            return False
        try:
            fact = decode(report.word, report.fact)
        except ValueError:
            return False
        if not isinstance(fact, CardSeen) or fact.card is None:
            return False
        dealt = (*felt.laid, *felt.standing.before)
        return not any(laid.spot == fact.at and (not laid.seen or laid.card is fact.card) for laid in dealt)

    def _stranger(self, incoming: Incoming) -> Answer:
        """Somebody reports who may not: he is told so, and it is noted once."""
        message, key = incoming.message, incoming.key_name
        why = f"no source {message.source!r} at this table; the table file lists them"
        if message.source in self._known:
            why = f"the key of {key!r} may not report as {message.source!r}"
        if len(self._strangers) < MOST_STRANGERS and (message.source, key) not in self._strangers:
            self._strangers.add((message.source, key))
            word = message.word if isinstance(message, Report) else ""
            self._note([Draft(ReportRejected(word, why), CONTROLLER)])
        return _rejected(message, why)

    def _report(self, report: Report, last: int) -> Answer:
        if report.n <= last:
            return Ack(boot=report.boot, n=last, seq=self.table.head)
        if report.n != last + 1:
            return Expected(boot=report.boot, n=last + 1)
        try:
            self._note(answer(self.table, report))
        except RefusedError as error:
            why = str(error)[:LONGEST]
            rejected = ReportRejected(report.word, why)
            self._note([Draft(rejected, report.source, report.boot, report.n, report.cursor)])
            return _rejected(report, why)
        return Ack(boot=report.boot, n=report.n, seq=self.table.head)

    def _watch(self, now: float) -> None:
        """Note which device fell silent or was heard again."""
        for source, heard in self._heard.items():
            self._note(silent(self.table, source, heard=now - heard < topics.SILENT_AFTER))

    def close(self) -> None:
        """Give the journal back."""
        self._journal.close()


def _rejected(message: Hello | Beat | Report, why: str) -> Rejected:
    return Rejected(boot=message.boot, n=message.n if isinstance(message, Report) else 0, why=why)
