"""What people can do on a screen, and which facts it is: one record a tap.

A tap names the stage of the table that its screen showed; on another stage it does nothing but say so. The
screens decide nothing: they send what was tapped, and `facts` says what it means where the table stands.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from controller.notes import InputRefused, Note, PinTried, SupervisorCalled
from rules.cards import Card
from rules.facts import (
    BetPlaced,
    CardDrawn,
    CardsBurned,
    CardSeen,
    Closed,
    CutCardOut,
    Fact,
    FreeHandCalled,
    GapFound,
    Ruled,
    ShoeLoaded,
    TakenOver,
)

if TYPE_CHECKING:
    from controller.table import Table


MOST = 10**12
"""More chips than any table has, in minor units; arithmetic stays exact wherever it is read."""


class Tap(msgspec.Struct, frozen=True, tag_field="act", kw_only=True):
    """What every tap carries."""

    stage: str
    """What the screen showed when it was tapped (`Table.stage`)."""
    by: str = ""
    """The operator whose PIN was entered for it; checked by the screens before it comes here."""


class Bet(Tap, frozen=True, tag="bet", kw_only=True):
    """Chips added to a bet."""

    seat: int
    bet: str
    add: Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
    player: str = "main"


class ClearBet(Tap, frozen=True, tag="clear_bet", kw_only=True):
    """The chips of a bet taken away."""

    seat: int
    bet: str
    player: str = "main"


class RepeatBets(Tap, frozen=True, tag="repeat_bets", kw_only=True):
    """The bets of the last round once more."""


class ClearBets(Tap, frozen=True, tag="clear_bets", kw_only=True):
    """All chips taken away."""


class FreeHand(Tap, frozen=True, tag="free_hand", kw_only=True):
    """A round without bets."""


class Paid(Tap, frozen=True, tag="paid", kw_only=True):
    """The bets are paid and taken."""


class Rule(Tap, frozen=True, tag="rule", kw_only=True):
    """A supervisor's ruling; `card` is what the fact should have said."""

    action: Literal["strike", "replace", "insert", "burn", "void_round", "void_seat", "resume"]
    n: int | None = None
    card: Card | None = None
    seat: int | None = None
    reason: str = ""


class TakeOver(Tap, frozen=True, tag="takeover", kw_only=True):
    """The dealer stands in for a device, or gives it back."""

    mode: Literal["manual", "device"]
    of: Literal["shoe", "camera", "both"]


class EnterCard(Tap, frozen=True, tag="card", kw_only=True):
    """The dealer says which card was drawn, or which lies at a spot."""

    card: Card
    at: str | None = None
    """Where it lies; without it the card was drawn."""


class LoadShoe(Tap, frozen=True, tag="shoe_loaded", kw_only=True):
    """A new shoe stands on the table."""


class BurnCard(Tap, frozen=True, tag="burn_card", kw_only=True):
    """A card of a new shoe was burned; the first is turned, the others may stay covered."""

    card: Card | None = None


class CutCard(Tap, frozen=True, tag="cut_card", kw_only=True):
    """The cut card came out, and the shoe did not say so."""


class Call(Tap, frozen=True, tag="call", kw_only=True):
    """The dealer calls the supervisor, or the call is answered."""

    on: bool


class Pin(Tap, frozen=True, tag="pin", kw_only=True):
    """A PIN was entered as this operator; the screens say whether it was right."""

    operator: str
    good: bool


AnyTap = (
    Bet
    | ClearBet
    | RepeatBets
    | ClearBets
    | FreeHand
    | Paid
    | Rule
    | TakeOver
    | EnterCard
    | LoadShoe
    | BurnCard
    | CutCard
    | Call
    | Pin
)

ANY_STAGE = (Call, Pin, TakeOver)
"""What means the same whatever the screen showed."""


def facts(tap: AnyTap, table: "Table") -> list[Fact | Note]:  # noqa: C901, PLR0911, PLR0912 - one case a kind of tap
    """The facts of a tap where the table stands; a refusal when it means nothing there."""
    if _stale(tap, table):
        return [_refused(tap, "stale")]
    bets = table.play.felt.bets
    match tap:
        case Bet(seat=seat, bet=bet, add=add, player=player):
            return [BetPlaced(seat, bet, bets.of(seat, player, bet) + add, player)]
        case ClearBet(seat=seat, bet=bet, player=player):
            return [BetPlaced(seat, bet, 0, player)]
        case RepeatBets():
            return (not bets and list(table.last_bets)) or [_refused(tap, "nothing_to_repeat")]
        case ClearBets():
            return [BetPlaced(bet.seat, bet.bet, 0, bet.player) for bet in bets] or [_refused(tap, "no_bets")]
        case FreeHand():
            return [FreeHandCalled()]
        case Paid():
            return [Closed()]
        case Rule():
            return (
                [_ruling(tap, table)] if _supervisor(tap.by, table) else [_refused(tap, "needs_supervisor")]
            )
        case TakeOver(mode="device", of=of) if table.faulty(of):
            return [_refused(tap, "fault_holds")]
        case TakeOver(mode=mode, of=of):
            return [TakenOver(mode, tap.by, of)]
        case EnterCard() if not _stands_in(tap, table):
            return [_refused(tap, "not_due")]
        case EnterCard(card=card, at=at):
            return [CardSeen(card, at) if at else CardDrawn(card)]
        case LoadShoe() | BurnCard() if table.dealing:
            return [_refused(tap, "not_due")]
        case LoadShoe():
            return [ShoeLoaded(table.play.felt.law.options.decks)]
        case BurnCard(card=card):
            return [CardsBurned((card,), first=table.play.felt.standing.shoe.to_burn is None)]
        case CutCard():
            return [CutCardOut()]
        case Call(on=on):
            return [SupervisorCalled(on, tap.by)]
        case Pin(operator=operator, good=good):
            known = operator in table.config.file.operators
            return [PinTried(operator, good) if known else _refused(tap, "needs_supervisor")]


def _stands_in(tap: EnterCard, table: "Table") -> bool:
    """The dealer may say what was drawn in place of the shoe, and what lies there where a sighting is due."""
    if tap.at is None:
        return table.by_hand("shoe")
    felt = table.play.felt
    unseen = any(laid.spot == tap.at and not laid.seen for laid in felt.laid)
    return table.by_hand("camera") or unseen or felt.awaits().what == "seen"


def _stale(tap: AnyTap, table: "Table") -> bool:
    """The table moved on since the screen showed what was tapped.

    A ruling names the fact that it speaks of, and takes the time of a PIN: its round must be the same.
    """
    if isinstance(tap, ANY_STAGE):
        return False
    if isinstance(tap, Rule):
        return tap.stage.partition(":")[0] != table.stage.partition(":")[0]
    return tap.stage != table.stage


def _supervisor(operator: str, table: "Table") -> bool:
    known = table.config.file.operators.get(operator)
    return known is not None and known.role == "supervisor"


def _ruling(tap: Rule, table: "Table") -> Fact | Note:
    """The ruling that was tapped; a card stands in it as the kind of fact that it mends."""
    right: Fact | None = None
    if tap.card is not None:
        mended = table.play.fact(tap.n) if tap.n is not None and tap.action == "replace" else None
        match mended:
            case CardSeen():
                right = CardSeen(tap.card, mended.at)
            case CardDrawn() | GapFound() | None:
                right = CardDrawn(tap.card)
            case CardsBurned():
                right = CardsBurned((tap.card,), mended.first)
            case _:
                return _refused(tap, "not_a_card")
    return Ruled(tap.action, tap.n, right, tap.seat, tap.by, tap.reason)


def _refused(tap: AnyTap, code: str) -> InputRefused:
    return InputRefused(str(tap.__struct_config__.tag), code)


def bets_again(bets: Iterable[BetPlaced]) -> tuple[BetPlaced, ...]:
    """Bets as they would be placed once more, main bets of every seat first."""
    return tuple(sorted(bets, key=lambda bet: (bet.seat, bet.bet not in ("punto", "banca", "main"))))
