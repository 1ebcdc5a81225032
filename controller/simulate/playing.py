"""A scenario file, played on the simulated table: its cards come from the shoe, its people tap.

What the file says of devices is done to the simulated shoe and laid on the drawn felt; what it says of people
is tapped. The numbers of its facts become those of the journal as they come.
"""

from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from config.options import said
from controller.journal import Reading
from controller.scenario import Scenario, UnusableError
from controller.simulate.screen import Screen, StuckError
from controller.simulate.tables import table_file
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
    FaultCleared,
    FaultRaised,
    FreeHandCalled,
    GapFound,
    Ruled,
    ShoeLoaded,
    TakenOver,
)

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
    written = scenario.law.options.limits
    return {bet: written.get(bet) or written.get("main", ANY) for bet in scenario.law.offered}


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


SOON = 1.0
"""Seconds in which a key comes that comes at all without a sheet."""


class NotOfferedError(StuckError):
    """The screen has no key for it."""


class Playing:
    """One scenario on one table."""

    def __init__(self, demo: "Demo", scenario: Scenario) -> None:
        self._demo = demo
        self._scenario = scenario
        self._screen: Screen = demo.people.screen
        self._numbers: dict[int, int] = {}
        """The journal's number of each fact of the file."""
        self._by_hand = False

    def play(self) -> None:
        """Do everything that the file says, in its order.

        Raises `UnusableError` for a fact that this table cannot act, before anything is done.
        """
        for step in self._scenario.steps:
            if step.fact is not None and type(step.fact) not in _ACTS:
                word = WORD_OF[type(step.fact)]
                where = f"{self._scenario.path}: {step.place}"
                raise UnusableError(f"{where}: {word!r} cannot be acted on the simulated table")
        for step, then in zip_longest(self._scenario.steps, self._scenario.steps[1:]):
            if step.fact is None:
                continue
            before = self._head()
            self._by_hand = step.by_hand
            try:
                _ACTS[type(step.fact)](self, step.fact)
            except NotOfferedError:
                # What is not allowed has no key, and so there is nothing to refuse.
                if then and then.expect and then.expect.refused:
                    continue
                raise
            self._wait_for(step.n, {WORD_OF[type(step.fact)], "refused"}, before)

    def _wait_for(self, n: int, words: set[str], before: int) -> None:
        """Wait until the journal has it, where a refused input is, too, and the screen shows it."""
        self._screen.wait(lambda: self._found(n, words, before), 10)
        self._screen.glance(lambda: self._screen.seq >= self._numbers[n], SOON)

    def _head(self) -> int:
        reading = Reading(self._demo.journal)
        last = max((entry.seq for entry in reading.since()), default=0)
        reading.close()
        return last

    def _found(self, n: int, words: set[str], before: int) -> bool:
        reading = Reading(self._demo.journal)
        entry = next((one for one in reading.since(before) if one.word in words), None)
        reading.close()
        if entry is not None:
            self._numbers[n] = entry.seq
        return entry is not None

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
        screen = self._screen
        if fact.player != "main":
            screen.tap("ui.joined")
        where: dict[str, Any] = {"seat": fact.seat, "bet": fact.bet}
        self._offered("bet", **where)
        if self._demo.people.lies(fact.seat, fact.bet) or not fact.stake:
            screen.tap("ui.erase")
            screen.tap("clear_bet", **where)
            screen.tap("ui.erase")
        if fact.stake:
            screen.tap("ui.chip", value=fact.stake)
            screen.wait(lambda: bool(screen.keys("bet", add=fact.stake)))
            screen.tap("bet", **where)
        if fact.player != "main":
            screen.tap("ui.joined")

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
        args: dict[str, Any] = {"action": fact.action}
        if fact.n is not None:
            args["n"] = self._numbers[fact.n]
        card = getattr(fact.right, "card", None)
        if card is None:
            self._open("rule", **args)
            self._demo.people.rule("rule", **args)
        elif self._screen.keys("rule", card=str(card), **args):
            self._demo.people.rule("rule", card=str(card), **args)
        else:
            if not self._screen.glance(lambda: bool(self._screen.keys("ui.pick", **args)), SOON):
                self._screen.tap("ui.sheet", value="correct")
                self._screen.tap("ui.correct", value=args["n"])
            self._demo.people.rule_card(card, "ui.pick", **args)

    def _pick(self, card: Card, **args: Any) -> None:
        self._demo.people.pick(card, "ui.pick", **args)

    def _offered(self, act: str, **args: Any) -> None:
        """Wait for a key that comes without a sheet; raises `NotOfferedError`."""
        if not self._screen.glance(lambda: bool(self._screen.keys(act, **args)), SOON):
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


_ACTS: dict[type[Any], Callable[..., None]] = {
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
