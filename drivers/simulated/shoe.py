"""The shoe itself: cards go out through its mouth, and it says what it thinks that it saw.

Every act gives what happened to the cards (the truth, for whoever plays the table) and sends what the shoe
makes of it (what the table hears).
"""

from random import Random

from drivers.angel_eye import speak
from drivers.simulated.opinion import Round, points
from drivers.simulated.pack import Pack
from drivers.simulated.sender import Sender
from rules.cards import DECK, Card

_UNREADABLE, _OVERDRAW, _REVERSE, _TIMEOUT = 1, 2, 4, 7
_TEN = 10

Truth = dict[str, object]


class Shoe:
    """One shoe on a table; `load` puts the next pack in."""

    def __init__(self, sender: Sender, random: Random, *, decks: int, seed: int, cut: int) -> None:
        self._sender, self._random = sender, random
        self._decks, self._seed, self._cut = decks, seed, cut
        self._pack = Pack(decks, seed, cut)
        self._round = Round()
        self._told = False
        self._error: int | None = None
        self._locked = False
        self._last: Card | None = None
        self._last_place: tuple[str, int] | None = None

    def skip(self, cards: int) -> None:
        """So many cards left before anybody looked."""
        for _ in range(cards):
            self._pack.draw()

    def look(self) -> Truth:
        """How it stands, and says nothing."""
        return {
            "left": self._pack.left,
            "cut": self._pack.cut_out,
            "locked": self._locked,
            "error": self._error,
        }

    def load(self) -> Truth:
        """A new pack, shuffled by the next seed: the shoe starts."""
        self._seed += 1
        self._pack = Pack(self._decks, self._seed, self._cut)
        return self.reboot()

    def reboot(self) -> Truth:
        """The shoe forgets its round and its errors, and counts from the beginning."""
        self._round, self._told, self._error = Round(), False, None
        self._sender.restart()
        self._sender.send(speak.START)
        self._sender.send(speak.STANDBY)
        return {}

    def stack(self, cards: list[str]) -> Truth:
        """These cards come next, in this order, whatever lay there."""
        for card in reversed(cards):
            self._pack.put_back(Card(card))
        return {}

    def lose(self, count: int = 1) -> Truth:
        """So many telegrams never leave the shoe; the next one shows it."""
        self._sender.lose(count)
        self._sender.send(speak.STANDBY)
        return {}

    def cut_card(self) -> Truth:
        """The cut card comes out now."""
        self._sender.send(speak.CUT_CARD)
        return {}

    def burn(self, many: int | None = None) -> Truth:
        """The first card, and as many more as it says, or as many in all as are told."""
        first, _ = self._pack.draw()
        count = (points(first) or _TEN) if many is None else many - 1
        self._sender.send(speak.dealt("first", 0, first))
        self._sender.send(speak.dealt("burn_count", count, None))
        burned = [self._pack.draw()[0] for _ in range(count)]
        for n, card in enumerate(burned, start=1):
            self._sender.send(speak.dealt("burn", n, card))
        return {"card": first, "burned": burned}

    def end_round(self) -> Truth:
        """The round is cleared away; one that has no result is quit."""
        if self._round.begun and not self._told:
            self._sender.send(speak.result(None))
        self._round, self._told = Round(), False
        self._sender.send(speak.STANDBY)
        return {}

    def draw(self, fault: str = "", *, copies: int = 1, copy: int = 0) -> Truth:
        """A card comes out. `fault` is what goes wrong with it; `copies` are damaged, `copy` differs."""
        card, cut = self._pack.draw()
        if cut:
            self._sender.send(speak.CUT_CARD)
        place = self._round.place()
        self._last, self._last_place = card, None
        truth: Truth = {"card": card, "cut": cut, "left": self._pack.left, "sent": fault != "silent_draw"}
        if fault == "silent_draw":
            return truth
        if self._locked or self._error is not None:
            self._sender.send(speak.outside("lock" if self._locked else "error", card))
        elif place is None or fault == "overdraw":
            self._raise(_OVERDRAW)
            self._sender.send(speak.outside("error", card))
        else:
            self._last_place = place
            self._in_game(card, place, fault, copies, copy)
        return truth

    def reread(self) -> Truth:
        """The shoe tells its last card again, rightly."""
        if self._last is None or self._last_place is None:
            raise ValueError("no card of this round can be told again")
        self._sender.send(speak.told_again(*self._last_place, self._last))
        return {"card": self._last}

    def push_back(self) -> Truth:
        """The last card is pushed back into the mouth, and lies on top again."""
        if self._last is None:
            raise ValueError("no card lies before the shoe")
        card, self._last = self._last, None
        self._pack.put_back(card)
        if self._last_place is not None:
            self._round.take_back(self._last_place[0])
            self._told = False
        self._raise(_REVERSE)
        return {"card": card}

    def jam(self) -> Truth:
        """A card is stuck in the mouth."""
        self._raise(_TIMEOUT)
        return {}

    def clear(self) -> Truth:
        """The error is cancelled, by a button or by the host."""
        if self._error is not None:
            self._sender.send(speak.error_over(self._error))
            self._error = None
        return {}

    def lock(self, *, locked: bool) -> Truth:
        """The key is turned, by hand or by the host."""
        self._locked = locked
        self._sender.send(speak.lock(locked=locked))
        return {}

    def _in_game(self, card: Card, place: tuple[str, int], fault: str, copies: int, copy: int) -> None:
        read = self._other(card) if fault == "misread" else card
        self._round.take(place[0], read)
        data = speak.dealt(*place, None if fault == "unread" else read)
        match fault:
            case "damage":
                self._sender.send(data, damaged=copies)
            case "differ":
                self._sender.send(data, other=speak.dealt(*place, self._other(card)), other_copy=copy)
            case "swap_order":
                self._sender.hold(data)
            case "cut_short":
                self._sender.send_half(data)
            case _:
                self._sender.send(data)
        if fault == "unread":
            self._raise(_UNREADABLE)
        again = self._round.place() if fault == "double_scan" else None
        if again:
            self._round.take(again[0], read)
            self._sender.send(speak.dealt(*again, read))
        self._tell_result()

    def _tell_result(self) -> None:
        if self._round.place() is None and not self._told:
            self._told = True
            self._sender.send(speak.result(*self._round.result()))

    def _raise(self, error: int) -> None:
        self._error = error
        self._sender.send(speak.error(error))

    def _other(self, card: Card) -> Card:
        return self._random.choice([other for other in DECK if other is not card])
