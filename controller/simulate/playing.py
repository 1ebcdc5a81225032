"""A scenario file, played on the simulated table: its cards come from the shoe, its people tap.

What the file says of devices is done to the simulated shoe and laid on the drawn felt; what it says of people
is tapped. The numbers of its facts become those of the journal as they come.
"""

from collections.abc import Callable, Container
from itertools import islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from config.options import said
from controller.journal import Entry, Reading
from controller.notes import InputRefused
from controller.scenario import Row, Scenario
from controller.simulate.actable import check, joined
from controller.simulate.screen import Screen, StuckError
from controller.simulate.tables import LAYOUT, table_file
from rules.cards import Card
from rules.facts import (
    WORD_OF,
    BetPlaced,
    CardDrawn,
    CardReturned,
    CardsBurned,
    CardSeen,
    Closed,
    CutCardOut,
    Fact,
    FaultCleared,
    FaultRaised,
    FreeHandCalled,
    GapFound,
    Ruled,
    ShoeLoaded,
    TakenOver,
)
from vision.layout import load_layout

if TYPE_CHECKING:
    from controller.simulate.demo import Demo


ANY = (1, 10**9)
"""Limits that every stake is within."""


def chips(scenario: Scenario) -> list[int]:
    """Chips with which every stake of the file is one tap."""
    stakes = {step.fact.stake for step in scenario.steps if isinstance(step.fact, BetPlaced)}
    return sorted(stakes - {0}) or [1000]


def limits(scenario: Scenario) -> dict[str, tuple[int, int]]:
    """The limits of the file; a bet that it does not limit takes every stake."""
    return {bet: scenario.law.limits(bet) or ANY for bet in scenario.law.offered}


def table(folder: Path, port: int, fps: float, scenario: Scenario) -> Path:
    """Write the file of the table that the scenario is played on."""
    ruled = scenario.law
    elsewhere = ("limits", "camera", "rounding", "rounding_table")
    options = {key: value for key, value in said(ruled).items() if key not in elsewhere}
    return table_file(
        folder,
        port,
        fps=fps if ruled.options.camera else None,
        chips=chips(scenario),
        limits=limits(scenario),
        options=options,
    )


def settlement(scenario: Scenario) -> list[Row]:
    """What the file writes of the bets, with the names that the screen gives to those who joined."""
    return [
        row if row.player == "main" else replace(row, player=joined(row.seat)) for row in scenario.settlement
    ]


TRIES = 3
SOON = 1.0
"""Seconds in which a key comes that comes at all without a sheet."""


class NotOfferedError(StuckError):
    """The screen has no key for it."""


ITS_OWN = frozenset({"out_of_step", "result_mismatch"})
"""Halts by which the simulated shoe, which counts its own game, disagrees with what was ruled on ours."""


class Playing:
    """One scenario on one table."""

    def __init__(self, demo: "Demo", scenario: Scenario) -> None:
        self._demo = demo
        self._scenario = scenario
        self._screen: Screen = demo.people.screen
        self._numbers: dict[int, int] = {}
        """The journal's number of each fact of the file."""
        self._by_hand = False
        self._void = False
        """The round that the file is in was made void, and the screen has gone on to the next."""

    def play(self) -> None:
        """Do everything that the file says, in its order.

        Raises `UnusableError` for a fact that this table cannot act, before anything is done.
        """
        check(self._scenario, ACTS, load_layout(LAYOUT))
        for step, then in zip_longest(self._scenario.steps, self._scenario.steps[1:]):
            if step.fact is None:
                continue
            if isinstance(step.fact, Closed) and self._void:
                # Nothing is paid of it, and the screen has no key to say so.
                self._void = False
                continue
            expect = then.expect if then else None
            self._by_hand = step.by_hand
            try:
                self._do(step.n, step.fact)
            except NotOfferedError:
                # What is not allowed has no key, and so there is nothing to refuse.
                if expect and expect.refused:
                    continue
                raise
            if self._screen.alarm in ITS_OWN - {expect.irregularity if expect else None}:
                self._agree()

    def _do(self, n: int, fact: Fact) -> None:
        """Do it until the journal has it, where a refused input is, too, and the screen shows it."""
        for _ in range(TRIES):
            before = self._head()
            ACTS[type(fact)](self, fact)
            found = self._found({WORD_OF[type(fact)], "refused"}, before)
            if not isinstance(found.fact, InputRefused) or found.fact.code != "stale":
                break
            # The screen changed under the finger: a person looks, and taps again.
        self._numbers[n] = found.seq
        self._screen.glance(lambda: self._screen.seq >= found.seq, SOON)

    def _found(self, words: Container[str], after: int) -> Entry:
        """Wait for the first entry that is one of these words."""
        found: list[Entry] = []

        def look() -> bool:
            with Reading(self._demo.journal) as reading:
                found.extend(islice((one for one in reading.since(after) if one.word in words), 1))
            return bool(found)

        self._screen.wait(look, 10)
        return found[0]

    def _head(self) -> int:
        with Reading(self._demo.journal) as reading:
            return reading.end[0]

    # The devices.

    def draw(self, fact: CardDrawn) -> None:
        """A card from the shoe; the dealer's word where he stands in for it."""
        if self._by_hand and fact.card is not None:
            self._pick(fact.card, act="card")
            return
        shoe = self._demo.shoe
        shoe.do("stack", cards=[str(fact.card or Card.AS)])
        shoe.draw("" if fact.card else "unread")
        shoe.do("clear")

    def seen(self, fact: CardSeen) -> None:
        """A card lies there."""
        if self._by_hand and fact.card is not None:
            self._pick(fact.card, act="card", at=fact.at)
        elif fact.card is not None:
            self._demo.people.hands.lay(fact.card, fact.at)

    def gap(self, fact: GapFound) -> None:
        """Reports that never come."""
        self._demo.shoe.do("lose", count=fact.count)

    def returned(self, _fact: CardReturned) -> None:
        """A card goes back."""
        self._demo.shoe.do("push_back")
        self._demo.shoe.do("clear")

    def raised(self, _fact: FaultRaised) -> None:
        """The shoe cannot go on."""
        self._demo.shoe.do("jam")

    def cleared(self, _fact: FaultCleared) -> None:
        """It can again."""
        self._demo.shoe.do("clear")

    def cut(self, _fact: CutCardOut) -> None:
        """The cut card."""
        self._demo.shoe.do("cut_card")

    def loaded(self, _fact: ShoeLoaded) -> None:
        """A new shoe."""
        self._demo.shoe.do("load")
        self._open("shoe_loaded")
        self._screen.tap("shoe_loaded")
        if self._screen.sheet:
            self._screen.tap("ui.close")

    def burned(self, fact: CardsBurned) -> None:
        """Its first cards."""
        self._demo.shoe.do("stack", cards=[str(card or Card.AS) for card in fact.cards])
        self._demo.shoe.do("burn", many=len(fact.cards))

    # The people.

    def bet(self, fact: BetPlaced) -> None:
        """Chips on a spot, or away."""
        where: dict[str, Any] = {"seat": fact.seat, "bet": fact.bet}
        self._offered("bet", **where)
        if fact.player == "main":
            self._place(fact, where)
            return
        self._offered("ui.joined")
        screen = self._screen
        where["player"] = joined(fact.seat)
        screen.tap("ui.joined", until=lambda: bool(screen.keys("bet", **where)))
        self._place(fact, where)
        screen.tap("ui.joined", until=lambda: not screen.keys("bet", **where))

    def _place(self, fact: BetPlaced, where: dict[str, Any]) -> None:
        screen = self._screen
        if self._demo.people.lies(fact.seat, fact.bet) or not fact.stake:
            screen.tap("ui.erase")
            screen.tap("clear_bet", **where)
            screen.tap("ui.erase")
        if fact.stake:
            screen.tap("ui.chip", value=fact.stake)
            screen.wait(lambda: bool(screen.keys("bet", add=fact.stake)))
            screen.tap("bet", **where)

    def free_hand(self, _fact: FreeHandCalled) -> None:
        """A round without bets."""
        self._offered("free_hand")
        self._screen.tap("free_hand")

    def close(self, _fact: Closed) -> None:
        """Paid."""
        self._offered("paid")
        self._screen.tap("paid")
        self._demo.people.hands.clear()
        self._demo.shoe.do("end_round")

    def takeover(self, fact: TakenOver) -> None:
        """By hand, or by the device again."""
        self._open("takeover", mode=fact.mode)
        for key in self._screen.keys("takeover", mode=fact.mode):
            self._screen.tap("takeover", **key.args)

    def rule(self, fact: Ruled) -> None:
        """A ruling, with the PIN."""
        number = self._screen.round
        args: dict[str, Any] = {"action": fact.action}
        if fact.n is not None:
            # A number that no fact has stays one.
            args["n"] = self._numbers.get(fact.n, fact.n + 10**6)
        if fact.seat is not None:
            args["seat"] = fact.seat
        card = getattr(fact.right, "card", None)
        if fact.right is not None and card is None:
            raise NotOfferedError(f"no key says {WORD_OF[type(fact.right)]!r} in place of another fact")
        self._screen.glance(lambda: bool(self._screen.keys("ui.pick" if card else "rule", **args)), SOON)
        if card is not None and self._screen.keys("ui.pick", **args):
            self._demo.people.rule_card(card, "ui.pick", **args)
        else:
            self._demo.people.rule("rule", **args, **({"card": str(card)} if card else {}))
        if fact.action == "void_round" and self._screen.glance(lambda: self._screen.round > number, SOON):
            self._void = True
            self._demo.people.hands.clear()
            self._demo.shoe.do("end_round")

    def _agree(self) -> None:
        """The shoe was not told of a ruling; a supervisor says that the felt is right."""
        self._demo.people.rule("rule", action="resume")

    def _pick(self, card: Card, **args: Any) -> None:
        self._demo.people.pick(card, "ui.pick", **args)

    def _offered(self, act: str, **args: Any) -> None:
        """Wait for a key that comes without a sheet; raises `NotOfferedError`."""
        there = lambda: bool(self._screen.keys(act, **args))  # noqa: E731 - asked twice
        if not self._screen.glance(there, SOON) and self._screen.alarm in ITS_OWN:
            self._agree()
        if not self._screen.glance(there, SOON):
            raise NotOfferedError(f"the screen offers no {act} {args}: {self._screen.describe()}")

    def _open(self, act: str, **args: Any) -> None:
        """Open the sheet that has such a key, where the screen has none."""
        try:
            self._offered(act, **args)
        except NotOfferedError:
            for sheet in ("more", "correct"):
                if self._screen.keys("ui.sheet", value=sheet):
                    self._screen.tap("ui.sheet", value=sheet, until=lambda: self._screen.sheet)
                    if self._screen.keys(act, **args):
                        return
            raise


ACTS: dict[type[Any], Callable[..., None]] = {
    CardDrawn: Playing.draw,
    CardSeen: Playing.seen,
    GapFound: Playing.gap,
    CardReturned: Playing.returned,
    FaultRaised: Playing.raised,
    FaultCleared: Playing.cleared,
    CutCardOut: Playing.cut,
    ShoeLoaded: Playing.loaded,
    CardsBurned: Playing.burned,
    BetPlaced: Playing.bet,
    FreeHandCalled: Playing.free_hand,
    Closed: Playing.close,
    TakenOver: Playing.takeover,
    Ruled: Playing.rule,
}
"""How each kind of fact is acted."""
