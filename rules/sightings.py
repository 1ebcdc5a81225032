"""Shoe and camera compared, card by card."""

from collections.abc import Sequence
from typing import Literal

from rules.cards import Card
from rules.facts import Spot
from rules.round import Laid

Verdict = Literal["confirms", "repeats", "wrong_spot", "mismatch", "elsewhere"]


def compare(
    card: Card, at: Spot, laid: Sequence[Laid], due_at: Spot | None, before: Sequence[Laid]
) -> tuple[Verdict, int]:
    """What a sighting says of the cards of this round; the index of the card of `laid` that it speaks of.

    `due_at` is where the next card of the shoe is due, and `before` are the cards of the round before, which
    may still lie on the felt while nothing of this round does.

    - `confirms`: a card that was drawn for this spot lies there.
    - `repeats`: a card that was already seen there, or one that moved after it was seen.
    - `wrong_spot`: a card of this round that nobody has seen yet lies where it was not drawn for.
    - `mismatch`: a card lies there that the shoe did not give to this spot.
    - `elsewhere`: a card of the round before.
    """
    same = [i for i, other in enumerate(laid) if other.card is card]
    for i in same:
        if laid[i].spot == at and not laid[i].seen:
            return "confirms", i
    if any(laid[i].spot == at for i in same):
        return "repeats", -1
    for i in same:
        if not laid[i].seen:
            return "wrong_spot", i
    unseen_here = next((i for i, other in enumerate(laid) if other.spot == at and not other.seen), -1)
    if unseen_here < 0 and due_at != at:
        if same:
            return "repeats", -1
        if not laid and any(other.card is card for other in before):
            return "elsewhere", -1
    return "mismatch", unseen_here
