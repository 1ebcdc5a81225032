"""The state of one table: a fold of its journal, the same in the controller and in every screen.

`after` takes the entries in their order and nothing else; two tables that took the same entries are equal.
"""

from collections.abc import Mapping
from typing import NamedTuple

from config.load import Table as TableConfig
from controller.journal import Entry
from controller.notes import InputRefused, JournalOpened, Note, PinTried, SourceStarted, SupervisorCalled
from controller.taps import bets_again
from rules.facts import BetPlaced, Closed, DeviceState, Fact, RoundOpened, ShoeLoaded, TableSet
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
        self.heard: dict[str, Heard] = {}
        self.pins: dict[str, tuple[int, int]] = {}
        """By operator: wrong PINs in a row, and when the last was entered (wall clock, nanoseconds)."""
        self._begin(0)

    def _begin(self, last_round: int) -> None:
        """What begins anew with every journal."""
        self.play = Play(GAMES)
        self.law: TableSet | None = None
        """Under which it plays from the next round on."""
        self.last_round = last_round
        """The highest round number that was used."""
        self.last_bets: tuple[BetPlaced, ...] = ()
        """The bets of the last round that was paid, ready to be placed again."""
        self.shoe_began = 0
        """The place of the first round of this shoe in the log."""
        self._opened = 0
        self.devices: dict[str, Mapping[str, str | int]] = {}
        """What each device last said of its link: `rung` and `why`."""
        self.called = False
        """The supervisor was called and has not come yet."""
        self.refused: InputRefused | None = None
        """Why the last tap changed nothing."""

    def after(self, entry: Entry) -> None:
        """Take in the next entry of the journal."""
        fact = entry.fact
        self.head = entry.seq
        if entry.n:
            self.heard[entry.source] = Heard(entry.boot, entry.n, entry.cursor)
        if isinstance(fact, Note):
            self._note(fact, entry.at)
        elif isinstance(fact, DeviceState):
            if "rung" in fact.detail:
                self.devices[entry.source] = fact.detail
        else:
            self._judge(entry.seq, fact, by_hand=entry.source == PEOPLE)

    def _judge(self, n: int, fact: Fact, *, by_hand: bool) -> None:
        if by_hand:
            self.refused = None
        felt = self.play.felt if self.play.ready else None
        bets = felt.bets if isinstance(fact, Closed) and felt and not felt.over else None
        self.play.after(n, fact, by_hand)
        if self.play.felt.begun:
            # A round that began without being opened (a card that was ruled to count) has its number too.
            self.last_round = max(self.last_round, self.play.felt.number)
        match fact:
            case TableSet():
                self.law = fact
            case RoundOpened(number=number):
                self.last_round, self._opened = number, len(self.play)
            case ShoeLoaded():
                self.shoe_began = len(self.play) - 1
            case Closed() if bets and felt and felt.over:
                self.last_bets = bets_again(bets)

    def _note(self, note: Note, at: int) -> None:
        match note:
            case JournalOpened(last_round=last_round, heard=heard, pins=pins):
                # Whoever followed the journal before forgets it: he stands where a new reader stands.
                self._begin(last_round)
                self.heard = {source: Heard(*last) for source, last in heard.items()}
                self.pins = dict(pins)
            case SourceStarted(source=source):
                self.devices.pop(source, None)
            case InputRefused():
                self.refused = note
            case SupervisorCalled(on=on):
                self.called = on
            case PinTried(operator=operator, good=good):
                wrong, _ = self.pins.get(operator, (0, 0))
                self.pins[operator] = (0 if good else wrong + 1, at)

    @property
    def stage(self) -> str:
        """Names what a screen shows, so that a tap on anything else is known to be stale.

        It changes with everything that a tap may depend on (the round, what is awaited, the cards, a halt, a
        ruling), and with nothing else: while bets are made, or while a device talks of itself, it stays.
        """
        felt = self.play.felt
        held = felt.irregularity if felt.halted else felt.fault()
        shoe = felt.standing.shoe
        marks = (
            felt.number,
            felt.awaits().what,
            len(felt.laid),
            felt.unseen,
            len(felt.burned),
            len(felt.held),
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
