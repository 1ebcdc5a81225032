"""What each audience may see of a round: a rule book may know more than a screen may say."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.cards import Card
from rules.facts import Spot
from rules.law import Law
from rules.round import Await, Outcome, Payout, Round


@dataclass(frozen=True, slots=True)
class View:
    """A round as the dealer's and the players' screens may show it."""

    awaits: Await
    hands: Mapping[Spot, tuple[Card | None, ...]]
    """The cards at each spot in their order; `None` lies there and was not seen yet."""
    totals: Mapping[Spot, int | None]
    """The total of the cards that were seen; `None` where none was."""
    outcome: Outcome | None
    payouts: tuple[Payout, ...]


def view(law: Law, round_: Round) -> View:
    """Hide what nobody has turned yet: faces, and every prompt or result that follows from them.

    A card counts as turned when it was seen, or at once where the table needs no sighting.
    """
    hands = {
        spot: tuple(laid.card if laid.seen else None for laid in round_.laid if laid.spot == spot)
        for spot in law.game.hands
    }
    totals = {spot: _total(law, cards) for spot, cards in hands.items()}
    unseen = next((laid.spot for laid in round_.laid if not laid.seen), None)
    awaits = round_.awaits
    if unseen is not None and _follows_from_faces(law, round_):
        awaits = Await("seen", law.game.articles["seen"], unseen)
    known = unseen is None
    return View(awaits, hands, totals, round_.outcome if known else None, round_.payouts if known else ())


def _total(law: Law, cards: tuple[Card | None, ...]) -> int | None:
    seen = [card for card in cards if card is not None]
    return law.game.total(seen) if seen else None


def _follows_from_faces(law: Law, round_: Round) -> bool:
    """The prompt would tell something of cards that nobody has turned; the closing waits for all of them."""
    return round_.awaits.what == "draw" and len(round_.laid) >= law.game.blind_cards
