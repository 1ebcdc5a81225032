"""What a round does with the inputs of people: what is not due is refused, and says why."""

from rules.bets import Bets, Refusal
from rules.facts import BetPlaced, Closed, FreeHandCalled, Ruled, TakenOver
from rules.felt import Felt
from rules.law import Law


def bet(felt: Felt, _n: int, fact: BetPlaced, _by_hand: bool, _mark: str) -> None:
    """Chips on a spot (art. 7 of every game): until the first card, and as the game allows."""
    law = felt.law
    articles = law.game.articles
    if felt.book is not None:
        return felt.refuse("bets_closed", articles["bets"], seat=fact.seat)
    if felt.standing.shoe.over:
        return felt.refuse("shoe_over", articles["shoe"])
    felt.refused = objects(law, felt.bets, fact)
    if felt.refused is None:
        felt.bets.place(fact)
    return None


def objects(law: Law, bets: Bets, bet: BetPlaced) -> Refusal | None:
    """Why the table takes no such bet beside those that lie there, or `None`."""
    article = law.game.articles["bets"]
    if not 1 <= bet.seat <= law.options.seats:
        return Refusal("no_seat", article, {"seat": bet.seat, "seats": law.options.seats})
    if bet.stake < 0:
        return Refusal("negative", article, {"seat": bet.seat})
    return law.game.refuses(law, bets, bet)


def free_hand(felt: Felt, _n: int, _fact: FreeHandCalled, _by_hand: bool, _mark: str) -> None:
    """A round without bets (op.free_hand)."""
    if felt.book is not None or felt.bets or felt.standing.shoe.over:
        felt.refuse("not_due", felt.law.game.articles["bets"])
    else:
        felt.free_hand = True


def close(felt: Felt, _n: int, fact: Closed, _by_hand: bool, _mark: str) -> None:
    """The bets are paid and taken; not before every card is known and seen."""
    awaited = felt.awaited
    if felt.book is None or awaited is None or awaited.what != "close" or felt.unseen:
        # Not the article of what is awaited instead: it may tell of cards that nobody has turned.
        return felt.refuse("not_due", felt.law.game.articles["close"])
    try:
        felt.awaited = felt.book.send(fact)
    except StopIteration:
        felt.end()
    return None


def takeover(felt: Felt, fact: TakenOver) -> None:
    """The dealer stands in for devices, or gives them back; their faults hold nothing meanwhile."""
    standing = felt.standing
    devices = frozenset({"shoe", "camera"} if fact.of == "both" else {fact.of})
    if fact.mode == "manual":
        standing.by_hand |= devices
        standing.faults = {key: value for key, value in standing.faults.items() if key[0] not in devices}
    else:
        standing.by_hand -= devices


def rule(felt: Felt, fact: Ruled) -> None:
    """The rulings that act where they stand; the others have changed the facts before they came here."""
    if fact.action == "void_round":
        felt.halted, felt.irregularity, felt.void = False, None, True
        if not felt.over:
            felt.end()
    else:
        felt.void_seats |= {fact.seat or 0}
