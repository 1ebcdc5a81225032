"""The fold of one round: leads every fact to what the round does with it.

People are refused, devices are believed. While a fault or an irregularity holds the round, what people enter
is refused and what devices report waits: a fault that is cleared lets it go on, and a ruling makes
`rules.play` judge the round anew from its first fact.
"""

from collections.abc import Callable, Mapping
from typing import Any

from rules import from_camera, from_people, from_shoe
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
from rules.felt import Felt, Held

TAKE: Mapping[type[Fact], Callable[[Felt, int, Any, bool, str], None]] = {
    BetPlaced: from_people.bet,
    FreeHandCalled: from_people.free_hand,
    Closed: from_people.close,
    CardDrawn: from_shoe.draw,
    CardReread: from_shoe.reread,
    CardsBurned: from_shoe.burned,
    CardFaceUp: from_shoe.face_up,
    CutCardOut: from_shoe.cut_card,
    CardReturned: from_shoe.returned,
    GapFound: from_shoe.gap,
    ShoeLoaded: from_shoe.loaded,
    ShoeEmptied: from_shoe.emptied,
    ShoeResult: from_shoe.result,
    DealingErrorReported: from_shoe.dealing_error,
    CardSeen: from_camera.seen,
    CardUnsure: from_camera.unsure,
}
"""What the round does with which fact; what a device says of itself is not judged."""

PEOPLE = frozenset({BetPlaced, FreeHandCalled, Closed})
"""The facts that are refused when they are not due."""

DEVICE_OF: Mapping[type[Fact], str] = {
    **dict.fromkeys((CardDrawn, CardReread, CardsBurned, CardFaceUp, CutCardOut), "shoe"),
    **dict.fromkeys((CardReturned, GapFound, ShoeEmptied, ShoeResult), "shoe"),
    **dict.fromkeys((CardSeen, CardUnsure), "camera"),
}
"""Which device reports it; while the dealer stands in for that device, only his own word counts."""


def feed(felt: Felt, n: int, fact: Fact, by_hand: bool, mark: str) -> None:
    """Take in the fact with number `n`; `mark` is what a ruling made of it: `burn`, `resume` or `""`."""
    felt.refused = None
    standing, kind = felt.standing, type(fact)
    if standing.by_hand and not by_hand and DEVICE_OF.get(kind) in standing.by_hand:
        return
    if felt.halted or standing.faults:
        _held_up(felt, n, fact, by_hand, mark)
        return
    felt.irregularity = None
    take = TAKE.get(kind)
    if take is not None:
        take(felt, n, fact, by_hand, mark)
    elif isinstance(fact, FaultRaised | TakenOver | Ruled):
        _hold_or_release(felt, n, fact)


def _held_up(felt: Felt, n: int, fact: Fact, by_hand: bool, mark: str) -> None:
    """People are told that the round is held; what devices report waits for its turn."""
    if isinstance(fact, FaultRaised | FaultCleared | TakenOver | Ruled):
        _hold_or_release(felt, n, fact)
    elif type(fact) in PEOPLE:
        irregularity = felt.irregularity or felt.fault()
        felt.refuse("halted", irregularity.article if irregularity else felt.law.game.articles["errors"])
    elif type(fact) in TAKE:
        felt.held += (Held(n, fact, by_hand, mark),)


def _hold_or_release(felt: Felt, n: int, fact: FaultRaised | FaultCleared | TakenOver | Ruled) -> None:
    """What may hold the round, or let it go: then what waited is judged, in its order."""
    match fact:
        case FaultRaised():
            from_shoe.raised(felt, n, fact)
        case FaultCleared():
            felt.standing.faults.pop((fact.source, fact.code), None)
        case TakenOver():
            from_people.takeover(felt, fact)
        case Ruled():
            if fact.action == "void_round":
                _give_up(felt)
            from_people.rule(felt, fact)
    if felt.held and not felt.halted and not felt.standing.faults:
        held, felt.held = felt.held, ()
        for waiting in held:
            feed(felt, *waiting)


def _give_up(felt: Felt) -> None:
    """The cards that a void round never took have left the shoe all the same; one pushed back has not."""
    if felt.halted and felt.irregularity and felt.irregularity.code == "card_returned" and felt.laid:
        felt.standing.shoe.takes_back(felt.laid[-1].card)
    stopped_by = [felt.irregularity.fact] if felt.halted and felt.irregularity else []
    for fact in stopped_by + [held.fact for held in felt.held]:
        if isinstance(fact, CardDrawn):
            felt.standing.shoe.leaves(fact.card)
            felt.burned += (fact.card,)
    felt.held = ()
