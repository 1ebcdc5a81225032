"""The fold of one round: leads every fact to what the round does with it.

People are refused, devices are believed. While a fault or an irregularity holds the round, what people enter
is refused and what devices report waits: a fault that is cleared lets it go on, and a ruling makes
`rules.play` judge the round anew from its first fact.
"""

from collections.abc import Callable, Iterable, Mapping
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
    DeviceHello,
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
from rules.felt import Felt, Held, Line
from rules.law import Law

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
    DeviceHello: from_shoe.restarted,
    ShoeLoaded: from_shoe.loaded,
    ShoeEmptied: from_shoe.emptied,
    ShoeResult: from_shoe.result,
    DealingErrorReported: from_shoe.dealing_error,
    CardSeen: from_camera.seen,
    CardUnsure: from_camera.unsure,
}
"""What the round does with which fact; what else a device says of itself is not judged."""

PEOPLE = frozenset({BetPlaced, FreeHandCalled, Closed})
"""The facts that are refused when they are not due."""

DEVICE_OF: Mapping[type[Fact], str] = {
    **dict.fromkeys((CardDrawn, CardReread, CardsBurned, CardFaceUp, CutCardOut), "shoe"),
    **dict.fromkeys((CardReturned, GapFound, DeviceHello, ShoeEmptied, ShoeResult), "shoe"),
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
        if felt.held and kind is CardDrawn:
            # The camera was before the dealer, who stands in for the shoe: here is his word.
            _release(felt)
    elif isinstance(fact, FaultRaised | TakenOver | Ruled):
        _hold_or_release(felt, n, fact)


def anew(felt: Felt, came: Iterable[Line], lines: Iterable[Held], laws: Mapping[int, Law]) -> None:
    """Judge a round from its first fact: its lines as they came, and as the rulings left them.

    `laws` are the laws of the table, by the numbers of their lines.

    Which facts are of this round was settled as they came. So a close that was refused, and would be due now,
    ends nothing while a card of the round comes after it; and what comes after the end only moves the shoe.
    """
    lines = list(lines)
    kinds = (CardDrawn, CardSeen) if felt.law.options.shoe == "none" else (CardDrawn,)
    cards = (i for i, line in enumerate(lines) if isinstance(line.fact, kinds) and line.mark != "burn")
    last_card = max(cards, default=-1)
    voids = (line.fact for line in lines if isinstance(line.fact, Ruled) and line.fact.action == "void_seat")
    felt.void_seats = frozenset(fact.seat or 0 for fact in voids)
    restarts = any(line.mark == "resume" and isinstance(line.fact, DeviceHello) for line in lines)
    felt.ruled = restarts or _cards(came) != _cards(line[:3] for line in lines if not line.mark)
    for i, (n, fact, by_hand, mark) in enumerate(lines):
        if isinstance(fact, Ruled):
            feed(felt, n, fact, by_hand, mark)
        elif n in laws:
            felt.law = felt.law if felt.begun or felt.over else laws[n]
        elif felt.over:
            _after_the_end(felt, n, fact, by_hand)
        elif isinstance(fact, Closed) and i < last_card:
            felt.refuse("not_due", felt.law.game.articles["close"])
        else:
            feed(felt, n, fact, by_hand, mark)


def _cards(lines: Iterable[Line]) -> list[tuple[int, Fact]]:
    """The cards of a round that the shoe deals."""
    return [(n, fact) for n, fact, _ in lines if isinstance(fact, CardDrawn)]


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
        case _:
            if fact.action == "void_round":
                _give_up(felt)
            from_people.rule(felt, fact)
    if felt.held and not felt.standing.faults:
        _release(felt)


def _release(felt: Felt) -> None:
    """Judge what waited, in its order, as far as nothing halts the round.

    It was believed when it came: that the dealer stands in for the device since is no matter.
    """
    held, felt.held = felt.held, ()
    for waiting in held:
        if felt.halted:
            felt.held += (waiting,)
        else:
            felt.irregularity = None
            TAKE[type(waiting.fact)](felt, *waiting)


def _give_up(felt: Felt) -> None:
    """What a void round never took has left the shoe all the same; a card pushed back has not."""
    stopped_by = felt.irregularity if felt.halted else None
    if stopped_by and stopped_by.code == "card_returned" and felt.laid:
        felt.standing.shoe.takes_back(felt.laid[-1].card)
    if stopped_by:
        from_shoe.moves_the_shoe(felt, stopped_by.fact)
    for waiting in felt.held:
        from_shoe.moves_the_shoe(felt, waiting.fact)
    felt.held = ()


def _after_the_end(felt: Felt, n: int, fact: Fact, by_hand: bool) -> None:
    """A fact of a round that a ruling has ended before it: only what outlives the round matters."""
    if isinstance(fact, FaultRaised | FaultCleared | TakenOver):
        _hold_or_release(felt, n, fact)
    elif by_hand or DEVICE_OF.get(type(fact)) not in felt.standing.by_hand:
        from_shoe.moves_the_shoe(felt, fact)
