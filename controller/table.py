"""The state of one table: a fold of its journal, the same in the controller and in every screen.

`after` takes the entries in their order and nothing else; two tables that took the same entries are equal.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, NamedTuple

from config.load import Table as TableConfig
from controller.journal import Entry
from controller.notes import (
    InputRefused,
    JournalOpened,
    Note,
    PinTried,
    ReportRejected,
    SourceStarted,
    SupervisorCalled,
)
from controller.taps import bets_again
from rules.facts import (
    BetPlaced,
    Closed,
    DeviceHello,
    DeviceState,
    Fact,
    FaultCleared,
    FaultRaised,
    RoundOpened,
    ShoeLoaded,
    TableSet,
)
from rules.known import GAMES
from rules.play import Play
from rules.round import Round

PEOPLE = "dealer"
"""The source of what people tap; their cards stand in for a device's."""
CONTROLLER = "controller"
"""The source of what the controller itself writes."""


class Heard(NamedTuple):
    """The last report of a source that the journal holds."""

    boot: str
    n: int
    cursor: str


class Table:
    """Where the table stands after the entries it took."""

    def __init__(self, config: TableConfig) -> None:
        self.config = config
        self.head = 0
        """The last entry that was taken."""
        self._last: dict[str, Entry | Heard] = {}
        self.pins: dict[str, tuple[int, int]] = {}
        """By operator: wrong PINs in a row, and when the last was entered (wall clock, nanoseconds)."""
        self._begin(0)

    def _begin(self, last_round: int) -> None:
        """What begins anew with every journal."""
        self.play = Play(GAMES)
        self.law: TableSet | None = None
        """Under which it plays from the next round on."""
        self._last_opened = last_round
        self._last_bets: Iterable[BetPlaced] = ()
        self.shoe_began = 0
        """The place of the first round of this shoe in the log."""
        self._opened = 0
        self.devices: dict[str, Mapping[str, str | int]] = {}
        """What each device last said of its link: `rung` and `why`."""
        self.faults: dict[tuple[str, str], FaultRaised] = {}
        """By source and code: what devices said is wrong and is not over, also while the dealer stands in."""
        self.called = False
        """The supervisor was called and has not come yet."""
        self.refused: InputRefused | None = None
        """Why the last tap changed nothing."""

    def after(self, entry: Entry) -> None:
        """Take in the next entry of the journal."""
        fact: Any = entry.fact
        self.head = entry.seq
        if entry.n:
            self._last[entry.source] = entry
        keeps = self._KEEPS.get(type(fact))
        if keeps is None:
            self._judge(entry, fact)
        else:
            keeps(self, entry, fact)

    def _judge(self, entry: Entry, fact: Fact) -> None:
        """What is for the rules alone, as nearly all is."""
        by_hand = entry.source == PEOPLE
        if by_hand:
            self.refused = None
        self.play.after(entry.seq, fact, by_hand)

    def _table_set(self, entry: Entry, fact: TableSet) -> None:
        self._judge(entry, fact)
        self.law = fact

    def _round_opened(self, entry: Entry, fact: RoundOpened) -> None:
        self._judge(entry, fact)
        self._last_opened, self._opened = fact.number, len(self.play)

    def _shoe_loaded(self, entry: Entry, fact: ShoeLoaded) -> None:
        self._judge(entry, fact)
        self.shoe_began = len(self.play) - 1

    def _closed(self, entry: Entry, fact: Closed) -> None:
        felt = self.play.felt if self.play.ready else None
        bets = felt.bets if felt and not felt.over else None
        self._judge(entry, fact)
        if bets and felt and felt.over:
            self._last_bets = bets

    def _device(self, entry: Entry, fact: DeviceState) -> None:
        if "rung" in fact.detail:
            self.devices[entry.source] = fact.detail

    def _fault_raised(self, entry: Entry, fact: FaultRaised) -> None:
        self._judge(entry, fact)
        self.faults[fact.source, fact.code] = fact

    def _fault_cleared(self, entry: Entry, fact: FaultCleared) -> None:
        self._judge(entry, fact)
        self.faults.pop((fact.source, fact.code), None)

    def _hello(self, entry: Entry, fact: DeviceHello) -> None:
        # Other sources may start anew as they like.
        if entry.source == "shoe":
            self._judge(entry, fact)

    def _journal_opened(self, _entry: Entry, note: JournalOpened) -> None:
        # Whoever followed the journal before forgets it: he stands where a new reader stands.
        self._begin(note.last_round)
        self._last = {source: Heard(*last) for source, last in note.heard.items()}
        self.pins = dict(note.pins)

    def _source_started(self, _entry: Entry, note: SourceStarted) -> None:
        self.devices.pop(note.source, None)

    def _input_refused(self, _entry: Entry, note: InputRefused) -> None:
        self.refused = note

    def _supervisor_called(self, _entry: Entry, note: SupervisorCalled) -> None:
        self.called = note.on

    def _pin_tried(self, entry: Entry, note: PinTried) -> None:
        wrong, _ = self.pins.get(note.operator, (0, 0))
        self.pins[note.operator] = (0 if note.good else wrong + 1, entry.at)

    def _report_rejected(self, _entry: Entry, _note: ReportRejected) -> None:
        """Written down, and nothing more."""

    _KEEPS: ClassVar[Mapping[type[Fact | Note], Callable[["Table", Entry, Any], None]]] = {
        TableSet: _table_set,
        RoundOpened: _round_opened,
        ShoeLoaded: _shoe_loaded,
        Closed: _closed,
        FaultRaised: _fault_raised,
        FaultCleared: _fault_cleared,
        DeviceHello: _hello,
        DeviceState: _device,
        JournalOpened: _journal_opened,
        SourceStarted: _source_started,
        ReportRejected: _report_rejected,
        InputRefused: _input_refused,
        SupervisorCalled: _supervisor_called,
        PinTried: _pin_tried,
    }
    """What a table keeps of a log beside what the rules say of it, by the kind of the entry."""

    @property
    def heard(self) -> dict[str, Heard]:
        """The last report of every source that the journal holds."""
        return {source: Heard(last.boot, last.n, last.cursor) for source, last in self._last.items()}

    @property
    def last_round(self) -> int:
        """The highest round number that was used.

        A round that began without being opened (a card that was ruled to count) has its number too.
        """
        if not self.play.ready:
            return self._last_opened
        felt = self.play.felt
        return max(self._last_opened, felt.number if felt.begun else felt.number - 1)

    @property
    def last_bets(self) -> tuple[BetPlaced, ...]:
        """The bets of the last round that was paid, ready to be placed again."""
        return bets_again(self._last_bets)

    @property
    def stage(self) -> str:
        """Names what a screen shows, so that a tap on anything else is known to be stale.

        It changes with everything that a tap may depend on (the round, what is awaited, the cards, a halt, a
        ruling), and with nothing else: while bets are made, while a device talks of itself, while the camera
        sees what nobody is asked about, it stays, and a tap on its way still counts.
        """
        felt = self.play.felt
        awaited = felt.awaits().what
        held = felt.irregularity if felt.halted else felt.fault()
        shoe = felt.standing.shoe
        marks = (
            felt.number,
            awaited,
            len(felt.dealt),
            felt.unseen if awaited == "seen" else 0,
            len(felt.burned),
            sum(waiting.by_hand for waiting in felt.held),
            held.n if held else 0,
            shoe.number,
            shoe.out,
            self.play.rulings,
        )
        return ":".join(map(str, marks))

    @property
    def shoe_rounds(self) -> list[Round]:
        """The rounds of this shoe that are over, in their order."""
        rounds = (self.play.round(i) for i in range(self.shoe_began, len(self.play)))
        return [round_ for round_ in rounds if round_.over]

    @property
    def dealing(self) -> bool:
        """A card of a round lies on the felt, and the round is not over."""
        return self.play.ready and self.play.felt.book is not None and not self.play.felt.over

    def by_hand(self, device: str) -> bool:
        """The dealer stands in for that device, or the table has none that tells the faces."""
        lacks = device == "shoe" and self.play.felt.law.options.shoe != "reads"
        return lacks or device in self.play.standing.by_hand

    def faulty(self, device: str) -> bool:
        """A fault of that device, or of any for `both`, is not over."""
        return any(device in ("both", source) for source, _ in self.faults)

    @property
    def busy(self) -> bool:
        """Something lies on the felt that is not settled: a bet, a card, a halt."""
        if not self.play.ready:
            return False
        felt = self.play.felt
        return not felt.over and (felt.begun or felt.halted or bool(felt.held))

    @property
    def opens(self) -> bool:
        """A new round should open: the last is over and a shoe is there, or the present has no number yet.

        It gets its number before anything can lie on it: numbers are given here, and never by counting.
        """
        if not self.play.ready:
            return False
        felt = self.play.felt
        if felt.over:
            return not felt.standing.shoe.over
        return len(self.play) > self._opened and not self.busy
