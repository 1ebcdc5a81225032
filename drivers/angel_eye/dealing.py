"""The cards of a round as the shoe placed them: what it tells again, what it takes back, what it left out.

The places are the shoe's opinion and are used for one thing only: to tell one report of a card from another.
Whether a card was due there is for the rule books to say.
"""

from dataclasses import dataclass, replace
from typing import Self

from drivers.angel_eye.telegrams import Dealt, Place, Said
from rules.cards import Card
from rules.facts import CardDrawn, CardReread, Fact, ShoeResult

_ORDER = tuple(Place(spot, index) for index in (1, 2, 3) for spot in ("punto", "banca"))
_PUNTO_MAY_STAND = (Place("banca", 2), Place("banca", 3))
"""From here to there no card need be missing."""
_NOTHING: tuple[Fact, ...] = ()


def follows(before: Said | None, after: Said | None) -> bool | None:
    """Is a card missing between two telegrams? True: none is; False: one is; None: the cards do not tell."""
    match before, after:
        case Dealt(Place("first"), _, False), Dealt(Place("burn", index), _, False):
            return index == 1
        case Dealt(Place("burn", earlier), _, False), Dealt(Place("burn", index), _, False):
            return None if index <= earlier else index == earlier + 1
        case Dealt(old, _, False), Dealt(new, _, False) if old in _ORDER and new in _ORDER:
            step = _ORDER.index(new) - _ORDER.index(old)
            return None if step < 1 or (old, new) == _PUNTO_MAY_STAND else step == 1
        case Dealt(Place("banca", 3), _, False), (ShoeResult(), *_):
            return True
    return None


def as_reread(said: Said | None) -> CardReread | None:
    """A card that left, as the correction of itself; None of a telegram that is no card."""
    match said:
        case Dealt(place, card):
            return CardReread(card, place.hint, place.index)
        case (CardDrawn(card=card, ordinal=ordinal), *_):
            return CardReread(card, None, ordinal)
    return None


@dataclass(frozen=True, slots=True)
class Dealing:
    """What the shoe has placed since the round began."""

    cards: tuple[tuple[Place, Card | None], ...] = ()
    over: bool = False
    """The shoe has told a result: its next card begins a round."""

    def say(self, said: Said) -> tuple[Self, tuple[Fact, ...]]:
        """A new telegram: its facts, and the round after it."""
        if not isinstance(said, Dealt):
            over = self.over or any(isinstance(fact, ShoeResult) for fact in said)
            return replace(self, over=over), said
        if not said.again:
            return self._begun(said.place).put(said), (said.fact(),)
        known = dict(self.cards)
        if said.place not in known:
            return self.put(said), (said.fact(),)
        if known[said.place] is said.card:
            return self, ()
        return self.put(said), (CardReread(said.card, said.place.hint, said.place.index),)

    def correct(self, wrong: Said | None, right: Said | None) -> tuple[Self, tuple[Fact, ...]]:
        """Copies of one telegram outvoted what was said; `None` is what nobody understands or can tell."""
        taken_back, put_right = as_reread(wrong), as_reread(right)
        told_again = isinstance(right, Dealt) and right.again
        same_place = isinstance(wrong, Dealt) and isinstance(right, Dealt) and wrong.place == right.place
        if taken_back and put_right and not told_again:
            return self.without(wrong).put(right), (put_right,)
        dealing, facts = self, _NOTHING
        if taken_back and not (told_again and same_place):
            unread = replace(wrong, card=None) if isinstance(wrong, Dealt) else wrong
            dealing, facts = self.put(unread), (replace(taken_back, card=None),)
        if right is not None:
            dealing, said = dealing.say(right)
            facts += said
        return dealing, facts

    def without(self, said: Said | None) -> Self:
        """The round without the card at that place."""
        if not isinstance(said, Dealt):
            return self
        return replace(self, cards=tuple(at for at in self.cards if at[0] != said.place))

    def put(self, said: Said | None) -> Self:
        """The round with that card at its place; what is no card at a place changes nothing."""
        if not isinstance(said, Dealt):
            return self
        return replace(self, cards=(*self.without(said).cards, (said.place, said.card)))

    def _begun(self, place: Place) -> Self:
        """A card at a place forgets the places that come after it: they were of an earlier round."""
        kept = self.cards
        if self.over or place.spot == "first":
            kept = ()
        elif place in _ORDER:
            later = _ORDER[_ORDER.index(place) :]
            kept = tuple(at for at in kept if at[0] not in later)
        return replace(self, cards=kept, over=False)
