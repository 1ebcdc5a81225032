"""The people of the demo: players who bet, a dealer who deals and pays, a supervisor who rules.

They see the screen and the felt, and tap; they never hear the bus. What a supervisor rules follows from the
cards that truly lie there.
"""

import time
from collections.abc import Callable
from random import Random

from controller.simulate.faults import Trouble
from controller.simulate.hands import Hands
from controller.simulate.screen import PATIENCE, Screen, StuckError
from controller.simulate.tables import OPERATOR, PIN
from rules.cards import Card

HANDS = ("punto", "banca")
SOON = 1.5
"""Seconds that a supervisor waits for a device that may only be late."""


class People:
    """Everybody at one table."""

    def __init__(self, screen: Screen, hands: Hands, random: Random, seats: int, pace: float = 0.0) -> None:
        """`pace` is how many seconds a calm dealer takes for a card; 0 is as fast as the table goes."""
        self.screen = screen
        self.hands = hands
        self._random = random
        self._seats = seats
        self._pace = pace
        self._void_next = False
        self.before_card: Callable[[], None] = lambda: None
        """Called when a card is about to be pulled; a test makes things go wrong here."""

    def rest(self, cards: float = 1.0) -> None:
        """Take the time that people take."""
        if self._pace:
            time.sleep(self._pace * cards)

    # A shoe.

    def new_shoe(self) -> None:
        """Put in the first shoe, or the next: load, confirm, turn the first card, burn."""
        self.hands.clear()
        self._listened()
        self.hands.shoe.do("load")
        self.screen.tap("shoe_loaded", until=lambda: not self.screen.keys("shoe_loaded"))
        self.rest(2)
        self.hands.shoe.do("burn")
        self.screen.wait(lambda: self.screen.awaits == "bets" or bool(self.screen.alarm))

    # A round.

    def round(self, trouble: Trouble | None = None) -> None:
        """Play one round to its end, with or without trouble."""
        self._ready()
        if trouble is Trouble.EARLY:
            self._early()
        self._bet()
        dealt = 0
        while not self._over():
            if self.screen.alarm:
                self._mend(trouble)
            elif self.screen.awaits in ("draw", "bets"):
                self._deal(trouble if trouble and trouble.card == dealt else None)
                dealt += 1
            elif self.screen.awaits == "seen":
                self._show()
            elif self.screen.awaits == "close":
                if trouble is Trouble.OVERDRAW and not self._void_next:
                    self._overdraw()
                    trouble = None
                    continue
                self.rest(3)
                self.screen.tap("paid", until=lambda: self.screen.awaits != "close")
            else:
                self.screen.wait(lambda: bool(self.screen.alarm) or self.screen.awaits in ("bets", "draw"))
        self._clear(trouble)

    def _ready(self) -> None:
        """Wait until bets are open; a shoe that is over is changed first."""
        self._void_next = False
        self._calm()
        if self.screen.awaits == "shoe":
            self.new_shoe()

    def _calm(self) -> None:
        """Mend whatever halts the table, until bets may be made or a shoe is wanted."""
        while True:
            self.screen.wait(lambda: self.screen.awaits in ("bets", "shoe") or bool(self.screen.alarm))
            if not self.screen.alarm:
                return
            self._mend(None)

    def _over(self) -> bool:
        """The felt may be cleared: bets or a shoe are awaited, and cards were dealt or nothing lies there."""
        self.screen.wait(lambda: bool(self.screen.awaits or self.screen.alarm))
        return self.screen.awaits in ("bets", "shoe") and bool(self.hands.lying or self._void_next)

    def _bet(self) -> None:
        """Some seats bet; sometimes what they had."""
        repeat = self._random.random() < 0.25 and self.screen.keys("repeat_bets")  # noqa: PLR2004 - one in four
        if repeat:
            self.screen.tap("repeat_bets", until=lambda: bool(self.screen.keys("clear_bets")))
            self.rest()
            return
        for seat in range(1, self._seats + 1):
            if self._random.random() < 0.5 or seat == self._seats:  # noqa: PLR2004 - every other seat
                self._place(seat, self._random.choice(HANDS), self._random.randint(1, 3))
                for side in ("empate", "dragon_7"):
                    if self._random.random() < 0.2:  # noqa: PLR2004 - now and then
                        self._place(seat, side, 1)
                self.rest(0.5)

    def _place(self, seat: int, bet: str, chips: int) -> None:
        self._calm()
        chip = self._random.choice(self.screen.keys("ui.chip")[:3])
        self.screen.tap("ui.chip", value=chip.args["value"])
        self.screen.wait(lambda: bool(self.screen.keys("bet", add=chip.args["value"])))
        for _ in range(chips):
            self._add(seat, bet)

    def _add(self, seat: int, bet: str) -> None:
        """The chosen chip on a bet; wait until the screen has it."""
        before = self.lies(seat, bet)
        while self.lies(seat, bet) == before:
            self._calm()
            self.screen.tap("bet", seat=seat, bet=bet)
            self.screen.glance(lambda: self.lies(seat, bet) != before or bool(self.screen.alarm), PATIENCE)

    def lies(self, seat: int, bet: str) -> str:
        """What the screen says of a bet."""
        return next((key.label for key in self.screen.keys("bet", seat=seat, bet=bet)), "")

    def _deal(self, trouble: Trouble | None) -> None:
        """Pull the card that the prompt asks for and lay it there; wait until the table has taken it."""
        self.rest()
        # The first card of a round closes the bets; the prompt names the hand of every other.
        spot = self.screen.spot or HANDS[0]
        lying = len(self.screen.cards(spot))
        self.before_card()
        self._pull(spot, trouble)
        if not self.screen.alarm:
            self.screen.glance(lambda: self._taken(spot, lying + 1), 6.0)

    def _taken(self, spot: str, many: int) -> bool:
        cards = self.screen.cards(spot)
        turned = len(cards) >= many and all(cards)
        return bool(self.screen.alarm) or turned

    def _pull(self, spot: str, trouble: Trouble | None) -> None:
        """A card with its trouble."""
        hands, shoe = self.hands, self.hands.shoe
        by_hand = bool(self.screen.keys("ui.pick", act="card")) and self.screen.awaits == "draw"
        match trouble:
            case Trouble.JAM:
                shoe.do("jam")
                self.screen.wait(lambda: bool(self.screen.alarm))
                self._mend(None)
                hands.draw(spot)
            case Trouble.UNPLUG:
                shoe.do("unplug")
                self.screen.wait(lambda: bool(self.screen.alarm))
                shoe.do("replug")
                self.screen.wait(lambda: not self.screen.alarm)
                hands.draw(spot)
            case Trouble.TAKEOVER:
                shoe.do("unplug")
                self.screen.tap("takeover", of="shoe", until=lambda: not self.screen.alarm)
                self._enter(hands.draw(spot))
            case Trouble.DOUBLE_SCAN:
                hands.draw(spot, trouble.fault)
                # The dealer sees a card on the screen that he never dealt.
                self.screen.wait(lambda: self._shown() > len(hands.lying))
                self._strike_last()
                self._void()
            case Trouble.WRONG_SPOT:
                hands.draw(HANDS[spot == "punto"])
            case Trouble.COVERED:
                hands.draw(spot, covered=True)
            case Trouble.PUSH_BACK:
                hands.draw(spot)
                self.screen.glance(lambda: self._taken(spot, 1), 3.0)
                hands.take(spot)
                shoe.do("push_back")
                self.screen.wait(lambda: bool(self.screen.alarm))
            case None:
                card = hands.draw(spot)
                if by_hand:
                    self._enter(card)
            case _:
                hands.draw(spot, trouble.fault, trouble.more)

    def _enter(self, card: Card) -> None:
        """The dealer says which card was drawn."""
        before = self.screen.seq
        self.pick(card, "ui.pick", act="card")
        self.screen.wait(lambda: self.screen.seq > before)

    def _show(self) -> None:
        """Wait for the camera; where it is not sure, say which card it is."""
        if self.screen.glance(lambda: self.screen.awaits != "seen", 4.0):
            return
        spot = self.screen.spot
        shown, lying = self.screen.cards(spot), self.hands.at(spot)
        if len(shown) > len(lying):
            # The screen has a card that nobody dealt.
            self._strike_last()
            return
        self.pick(lying[shown.index(False)], "ui.pick", act="card", at=spot)
        self.screen.glance(lambda: self.screen.cards(spot) != shown, 4.0)

    def _early(self) -> None:
        """A card before the bets."""
        self.hands.shoe.draw()
        self.screen.wait(lambda: bool(self.screen.alarm))
        self._mend(Trouble.EARLY)
        self.hands.shoe.do("end_round")

    def _overdraw(self) -> None:
        """A card more than the round takes."""
        self.hands.shoe.draw("overdraw")
        self.screen.wait(lambda: bool(self.screen.alarm))

    def _clear(self, trouble: Trouble | None) -> None:
        """The felt is cleared, and the shoe made ready."""
        shoe = self.hands.shoe
        self.hands.clear()
        if trouble is Trouble.TAKEOVER:
            shoe.do("replug")
            self._listened()
        before = self.screen.seq
        shoe.do("end_round")
        # The shoe says that it stands by, and with it what it may still have held back.
        self.screen.glance(lambda: self.screen.seq > before, 2.0)
        if trouble is Trouble.TAKEOVER:
            self.screen.tap("ui.sheet", value="more", until=lambda: self.screen.sheet)
            self.screen.tap(
                "takeover",
                of="shoe",
                mode="device",
                until=lambda: bool(self.screen.keys("takeover", mode="manual")),
            )
            self.screen.tap("ui.close", until=lambda: not self.screen.sheet)

    def _listened(self) -> None:
        """Wait until somebody listens to the shoe again."""
        end = time.monotonic() + 10
        while not self.hands.shoe.do("look")["listening"]:
            if time.monotonic() > end:
                raise StuckError("nobody listens to the shoe again")
            time.sleep(0.05)

    # The supervisor.

    def _mend(self, trouble: Trouble | None) -> None:
        """Do what ends the halt: by the device where it is the device's, by a ruling where it is ours."""
        screen, shoe = self.screen, self.hands.shoe
        code = screen.alarm
        self.rest(2)
        match code:
            case "device_fault":
                shoe.do("clear")
                screen.wait(lambda: screen.alarm != code, 20)
            case _ if trouble and trouble.hopeless:
                self._void()
            case "extra_card" | "early_card":
                self.rule("rule", action="burn")
            case "unreadable":
                shoe.do("clear")
                self.rule_card(self._missing(), "ui.pick", action="replace")
            case "missing_card" if not screen.glance(self._all_known, 1.0):
                self.rule_card(self._missing(), "ui.pick", action="replace")
            case "shoe_camera_mismatch":
                self._which()
            case "wrong_spot":
                self._move()
                self.rule("rule", action="resume")
            case "reading_changed":
                self.rule_card(
                    self.hands.at(screen.spot or self._last_spot())[-1], "ui.pick", action="replace"
                )
            case _ if screen.keys("rule", action="resume"):
                self.rule("rule", action="resume")
            case _:
                self._void()

    def _shown(self) -> int:
        """How many cards the screen knows of, turned or not, judged or waiting."""
        return sum(len(self.screen.cards(hand)) for hand in HANDS) + self.screen.waiting

    def _missing(self) -> Card:
        """The first card on the felt that the screen does not have."""
        for place in range(3):
            for hand in HANDS:
                at = self.hands.at(hand)
                if len(at) > place >= len(self.screen.cards(hand)):
                    return at[place]
        raise StuckError(f"no card is missing: {self.screen.describe()}")

    def _last_spot(self) -> str:
        return list(self.hands.lying)[-1][0]

    def _all_known(self) -> bool:
        """Every card on the felt is on the screen, or waits there."""
        return self._shown() >= len(self.hands.lying)

    def _strike_last(self) -> None:
        """The card that came last never came."""
        self.screen.tap("ui.sheet", value="correct", until=lambda: bool(self.screen.keys("ui.correct")))
        last = self.screen.keys("ui.correct")[-1]
        self.screen.tap(
            "ui.correct", until=lambda: bool(self.screen.keys("rule", action="strike")), **last.args
        )
        self.rule("rule", action="strike")

    def _which(self) -> None:
        """The shoe and the camera differ: the truth lies on the felt."""
        truths = {str(card) for card in self.hands.lying.values()}
        if self.screen.keys("rule", action="insert") and self.screen.glance(
            lambda: self.screen.waiting > 0, SOON
        ):
            # The shoe was only late: the card is here, and the camera was before it.
            self.rule("rule", action="resume")
            return
        keys = self.screen.keys("rule", action="insert") or self.screen.keys("rule", action="replace")
        for key in keys:
            if key.args.get("card") in truths:
                self.rule("rule", **key.args)
                return
        self._void()

    def _move(self) -> None:
        """Put the card that was laid last where it belongs."""
        wrong = self._last_spot()
        self.hands.lay(self.hands.take(wrong), HANDS[wrong == "punto"])

    def _void(self) -> None:
        """The round is void; every bet goes back."""
        self._void_next = True
        self.hands.shoe.do("clear")
        if not self.screen.keys("rule", action="void_round"):
            self.screen.tap("ui.sheet", value="more", until=lambda: self.screen.sheet)
        self.rule("rule", action="void_round")

    def rule(self, act: str, /, **args: object) -> None:
        """Tap a ruling and confirm it with the PIN; one that has no key is sent as a key would."""
        asked = lambda: bool(self.screen.keys("ui.operator"))  # noqa: E731 - asked twice
        if self.screen.keys(act, **args):
            self.screen.tap(act, until=asked, **args)
        else:
            self.screen.send(act, **args)
            self.screen.wait(asked)
        self._pin()

    def rule_card(self, card: Card, act: str, /, **args: object) -> None:
        """Pick the card of a ruling and confirm it with the PIN."""
        self.pick(card, act, **args)
        self.screen.wait(lambda: bool(self.screen.keys("ui.operator")))
        self._pin()

    def pick(self, card: Card, act: str, /, **args: object) -> None:
        """Pick a card on the sheet: rank, then suit."""
        self.screen.tap(act, until=lambda: bool(self.screen.keys("ui.rank")), **args)
        self.screen.tap("ui.rank", value=card.rank)
        self.screen.wait(
            lambda: any("on" in key.kind.split() for key in self.screen.keys("ui.rank", value=card.rank))
        )
        self.screen.tap("pick_suit", value=card.suit, until=lambda: not self.screen.keys("ui.rank"))

    def _pin(self) -> None:
        rulings = self.screen.rulings
        self.screen.tap("ui.operator", value=OPERATOR)
        for digit in PIN:
            self.screen.tap("ui.digit", value=digit)
        self.screen.tap("enter_pin")
        self.screen.glance(lambda: self.screen.rulings > rulings, PATIENCE)
