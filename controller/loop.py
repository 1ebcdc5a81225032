"""The table: note it down, think, say so.

The one loop of the controller: reports in, the journal, the fold, the feed out; nothing is acknowledged or
published before it is durable. A journal that cannot be written ends the process, since nothing may be shown
that is not written down.
"""

import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import structlog

from config.load import ConfigError
from config.load import Table as TableConfig
from controller import VERSION, topics
from controller.answer import RefusedError, answer, continued, follows, silent, started
from controller.bus import MOST_ENTRIES, Bus, Incoming
from controller.journal import Clock, Draft, Entry, Journal
from controller.journals import latest, of_day
from controller.notes import JournalOpened, ReportRejected
from controller.table import CONTROLLER, PEOPLE, Table
from controller.topics import Ack, Alive, Answer, Beat, Expected, Hello, Rejected, Report, Welcome
from rules.facts import ShoeLoaded, TableSet

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
        self._law = TableSet(file.game, config.law.game.edition, config.options, config.fingerprint)
        self._fresh: list[Entry] = []
        self._heard = {name: clock() for name, part in (("shoe", file.shoe), ("camera", file.camera)) if part}
        self._known = {PEOPLE, *self._heard, *file.sources}
        self._boots: dict[str, str] = {}
        self._beaten = float("-inf")
        for entry in self._journal.since(0):
            self.table.after(entry)
        self._set_table()

    @property
    def journal(self) -> Path:
        """The file that is written."""
        return self._journal.path

    def _set_table(self) -> None:
        """The law of the table file, unless the journal has it already."""
        table, config = self.table, self.table.config
        if table.head == 0:
            self._note([Draft(JournalOpened(config.file.table, VERSION), CONTROLLER)])
        if table.fingerprint != config.fingerprint:
            felt = table.play.felt if table.play.ready else None
            if felt and felt.begun and not felt.over:
                raise ConfigError(
                    f"{config.path}: was changed in the middle of round {felt.number}; "
                    "put the file back, finish the round, then change it"
                )
            self._note([Draft(self._law, CONTROLLER)])
        self._note(follows(table))
        self._commit()

    def _note(self, drafts: list[Draft]) -> None:
        """Append and fold, with all that follows; not durable, and not to be told, before `_commit`."""
        while drafts:
            for draft in drafts:
                if isinstance(draft.fact, ShoeLoaded):
                    self._turn_the_page()
                for entry in self._journal.append([draft]):
                    self.table.after(entry)
                    self._fresh.append(entry)
            drafts = follows(self.table)

    def _turn_the_page(self) -> None:
        """A shoe that is loaded on a new day begins a new journal."""
        name = self.table.config.file.table
        path = of_day(self._folder, name, self._today())
        if path.name <= self._journal.path.name:
            return
        self._commit()
        drafts = continued(self.table, self._journal.path.name, self._journal.chain.hex(), self._law)
        old = self._journal
        self._journal = Journal(path, self._stamps, after=old.head)
        old.close()
        log.info("a new journal", path=str(path))
        for entry in self._journal.append(drafts):
            self.table.after(entry)
            self._fresh.append(entry)

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
        self._watch()
        self._commit()
        for message, answered in answers:
            if answered is not None:
                self._bus.answer(message, answered)
        for router, peer, since in asked:
            limit = max(1, min(since.limit, MOST_ENTRIES))
            self._bus.give(router, peer, self._journal.since(since.seq, limit), self.table.head)
        if not incoming:
            self._journal.rest()

    def _take(self, incoming: Incoming) -> Answer | None:
        """What a source is answered, once all is durable."""
        message, source = incoming.message, incoming.message.source
        if source not in self._known or (incoming.remote and incoming.key_name != source):
            why = f"no source {source!r} at this table; the table file lists them"
            return Rejected(n=message.n, why=why) if isinstance(message, Report) else None
        if source in self._heard:
            self._heard[source] = self._clock()
        heard = self.table.heard.get(source)
        if self._boots.get(source) != message.boot:
            self._boots[source] = message.boot
            if heard is None or heard.boot != message.boot:
                self._note(started(self.table, source, message.boot))
        last = heard.n if heard and heard.boot == message.boot else 0
        match message:
            case Hello():
                return Welcome(n=last, cursor=heard.cursor if heard else "", head=self.table.head)
            case Beat():
                return Alive(head=self.table.head)
            case Report():
                return self._report(message, last)

    def _report(self, report: Report, last: int) -> Answer:
        if report.n <= last:
            return Ack(n=last, seq=self.table.head)
        if report.n != last + 1:
            return Expected(n=last + 1)
        try:
            self._note(answer(self.table, report))
        except RefusedError as error:
            rejected = ReportRejected(report.word, str(error))
            self._note([Draft(rejected, report.source, report.boot, report.n, report.cursor)])
            return Rejected(n=report.n, why=str(error))
        return Ack(n=report.n, seq=self.table.head)

    def _watch(self) -> None:
        """Beat, and note which device fell silent or was heard again."""
        now = self._clock()
        if now - self._beaten < topics.BEAT_EVERY / 4:
            return
        self._beaten = now
        for source, heard in self._heard.items():
            self._note(silent(self.table, source, heard=now - heard < topics.SILENT_AFTER))
        self._bus.beat(self.table.head)

    def close(self) -> None:
        """Give the journal back."""
        self._journal.close()
