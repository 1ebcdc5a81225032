"""A table in a test: facts go in by their words, and what stands is read off."""

from collections.abc import Mapping

from rules.bets import Refusal
from rules.cards import Card, card
from rules.facts import (
    BetPlaced,
    CardDrawn,
    CardFaceUp,
    CardReread,
    CardReturned,
    CardsBurned,
    CardSeen,
    CardUnsure,
    Closed,
    CutCardOut,
    DealingErrorReported,
    Fact,
    FaultCleared,
    FaultRaised,
    FreeHandCalled,
    GapFound,
    Ruled,
    ShoeEmptied,
    ShoeLoaded,
    ShoeResult,
    TakenOver,
)
from rules.felt import Felt
from rules.known import GAMES
from rules.law import Law
from rules.play import Play
from rules.round import Payout, Round


def faces(names: str) -> tuple[Card | None, ...]:
    """Cards by their names; `??` has no face."""
    return tuple(None if name == "??" else card(name) for name in names.split())


def drawn(name: str) -> CardDrawn:
    """A card that left the shoe, as the right fact of a ruling."""
    return CardDrawn(*faces(name))


def seen(name: str, at: str) -> CardSeen:
    """A sighting, as the right fact of a ruling."""
    return CardSeen(card(name), at)


class Table:
    """One table of EZ Baccarat under some options; every method that says something returns its number."""

    def __init__(self, **options: object) -> None:
        self.play = Play(GAMES, Law.of(GAMES["ez_baccarat"], options))
        self.n = 0
        self.log: list[tuple[int, Fact, bool]] = []

    def __repr__(self) -> str:
        """The log, so that a failure can be read."""
        return "\n".join(f"{n}{' by hand' * by_hand}: {fact}" for n, fact, by_hand in self.log)

    # What happens.

    def say(self, fact: Fact, *, by_hand: bool = False) -> int:
        """The next fact."""
        self.n += 1
        self.log.append((self.n, fact, by_hand))
        self.play.after(self.n, fact, by_hand)
        return self.n

    def bet(self, bet: str, stake: int = 1000, seat: int = 1, player: str = "main") -> int:
        """Chips on a bet."""
        return self.say(BetPlaced(seat, bet, stake, player))

    def draw(self, names: str, *, by_hand: bool = False) -> int:
        """Cards leave the shoe one after the other; the number of the last."""
        for face in faces(names):
            self.say(CardDrawn(face), by_hand=by_hand)
        return self.n

    def hint(self, name: str, at: str) -> int:
        """A card leaves the shoe, and the shoe says where it goes."""
        return self.say(CardDrawn(card(name), at))

    def see(self, names: str, at: str, *, by_hand: bool = False) -> int:
        """Cards are found lying there; `back` lies face down."""
        for name in names.split():
            self.say(CardSeen(None if name == "back" else card(name), at), by_hand=by_hand)
        return self.n

    def unsure(self, at: str) -> int:
        """The camera will not say which card lies there."""
        return self.say(CardUnsure(at, "chips on it"))

    def reread(self, name: str, hint: str | None, ordinal: int | None) -> int:
        """The shoe says otherwise about a card."""
        return self.say(CardReread(*faces(name), hint, ordinal))

    def burned(self, names: str) -> int:
        """Cards for nobody."""
        return self.say(CardsBurned(faces(names)))

    def face_up(self, name: str) -> int:
        """A card was found face up in the shoe."""
        return self.say(CardFaceUp(card(name)))

    def gap(self, count: int = 1) -> int:
        """Reports that never came."""
        return self.say(GapFound(count))

    def cut_card(self) -> int:
        """The cut card came out."""
        return self.say(CutCardOut())

    def card_back(self) -> int:
        """A card was pushed back into the shoe."""
        return self.say(CardReturned())

    def fault(self, code: str = "jam", source: str = "shoe") -> int:
        """A device cannot go on."""
        return self.say(FaultRaised(code, source))

    def cleared(self, code: str = "jam", source: str = "shoe") -> int:
        """The fault is over."""
        return self.say(FaultCleared(code, source))

    def takeover(self, mode: str = "manual", of: str = "both") -> int:
        """The dealer stands in for devices, or gives them back."""
        return self.say(TakenOver(mode, "4471", of), by_hand=True)

    def loaded(self, decks: int = 8) -> int:
        """A new shoe."""
        return self.say(ShoeLoaded(decks))

    def empty(self) -> int:
        """The shoe has no more cards."""
        return self.say(ShoeEmptied())

    def result(self, winner: str | None) -> int:
        """The shoe's own opinion of the result."""
        return self.say(ShoeResult(winner))

    def dealing_error(self, what: str = "wrong_seat", *seats: int) -> int:
        """An error that no device sees."""
        return self.say(DealingErrorReported(what, seats))

    def free_hand(self) -> int:
        """A round without bets is called."""
        return self.say(FreeHandCalled())

    def close(self) -> int:
        """The bets are paid and taken."""
        return self.say(Closed())

    def rule(
        self, action: str, n: int | None = None, right: Fact | None = None, seat: int | None = None
    ) -> int:
        """The supervisor rules."""
        return self.say(Ruled(action, n, right, seat, "4471", "test"), by_hand=True)

    def dealt(self, names: str, bet: str = "punto", stake: int = 1000) -> Round:
        """A whole round with one bet, paid and over."""
        self.bet(bet, stake)
        self.draw(names)
        self.close()
        return self.play.now

    # What stands.

    @property
    def now(self) -> Round:
        """The present round."""
        return self.play.now

    @property
    def felt(self) -> Felt:
        """The present round as the fold holds it."""
        return self.play.felt

    @property
    def awaits(self) -> tuple[str, str | None, str]:
        """What is awaited, where, and by which article."""
        awaited = self.now.awaits
        return awaited.what, awaited.spot, awaited.article

    @property
    def waits(self) -> str:
        """What is awaited, in one word."""
        return self.now.awaits.what

    @property
    def trouble(self) -> str | None:
        """The irregularity that holds the round, or that the last fact was."""
        return self.now.irregularity.code if self.now.irregularity else None

    @property
    def refused(self) -> str | None:
        """Why the last fact was refused."""
        refusal: Refusal | None = self.play.refused
        return refusal.code if refusal else None

    def cards(self, spot: str) -> str:
        """The cards that lie there."""
        return " ".join(self.now.cards(spot))

    def paid(self, index: int = -1) -> dict[str, int]:
        """What every bet of a round is worth; seat and player are named where they are not the first."""
        return {_name(pay): pay.net for pay in self.play.round(index).payouts}

    def results(self, index: int = -1) -> Mapping[str, str]:
        """How every bet of a round ended."""
        return {_name(pay): pay.result for pay in self.play.round(index).payouts}


def _name(pay: Payout) -> str:
    name = pay.bet if pay.seat == 1 else f"{pay.bet} {pay.seat}"
    return name if pay.player == "main" else f"{name} {pay.player}"
