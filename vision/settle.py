"""Many looks at one spot -> one fact for each card that lies there; pure, time is an input.

A card is followed by its place, so two cards of one face are two, and one that slides stays one. It is
reported when it lies still and enough of the newest looks agree, and again only when it later shows another
face for certain (it was turned, or swapped). It is gone when bare felt was seen where it lay: what hides it
for a while does not take it away.
"""

import math
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from rules.cards import Card
from rules.facts import CardSeen, CardUnsure, Spot
from vision.read import Reading

Bare = Callable[[tuple[float, float]], bool]
"""Whether bare felt is seen at a place, in millimetres."""


@dataclass(frozen=True, slots=True)
class Patience:
    """When to believe."""

    agree: int = 3
    """So many sure looks, one after another, must say the same..."""
    of: int = 5
    """... and lie within so many looks; unsure ones may lie between them."""
    unsure_after: float = 1.5
    """Seconds that a card lies still and unread until that is said."""
    still: float = 4.0
    """Millimetres that a card at rest may seem to move."""
    stride: float = 45.0
    """Millimetres that a card may slide between two looks and still be known as the same."""


PATIENT = Patience()


@dataclass(frozen=True, slots=True)
class Look:
    """One card in one picture."""

    x: float
    """The middle on the felt, in millimetres."""
    y: float
    reading: Reading


class _Said(Enum):
    """What was reported of a card, when it was not a face or the back."""

    NOTHING = 0
    UNSURE = 1


class Settler:
    """Follows the cards of one spot."""

    def __init__(self, spot: Spot, patience: Patience) -> None:
        """At first nothing is known to lie there."""
        self._spot = spot
        self._patience = patience
        self._cards: list[_Followed] = []

    @property
    def waiting(self) -> bool:
        """Whether another look, at no other picture, could add something."""
        return any(card.waiting for card in self._cards)

    def see(self, at: float, looks: Sequence[Look], bare: Bare) -> list[CardSeen | CardUnsure]:
        """What a picture taken at that time adds, in the order of `looks`; time must not go back."""
        pairs = self._pairs(looks)
        missed = [card for card in self._cards if card not in pairs.values()]
        facts = []
        for number, look in enumerate(looks):
            card = pairs.get(number)
            if card is None:
                card = _Followed(self._patience, look, at)
                self._cards.append(card)
            else:
                card.add(look, at)
            fact = card.judged(self._spot, at)
            if fact is not None:
                facts.append(fact)
        for card in missed:
            if card.gone(is_bare=bare((card.x, card.y))):
                self._cards.remove(card)
        return facts

    def _pairs(self, looks: Sequence[Look]) -> "dict[int, _Followed]":
        """Which look shows which card that is known already: the nearest first."""
        near = sorted(
            (distance, number, index)
            for number, look in enumerate(looks)
            for index, card in enumerate(self._cards)
            if (distance := math.hypot(look.x - card.x, look.y - card.y)) <= self._patience.stride
        )
        pairs: dict[int, _Followed] = {}
        for _, number, index in near:
            card = self._cards[index]
            if number not in pairs and card not in pairs.values():
                pairs[number] = card
        return pairs


class _Followed:
    """One card, from when it came until it is gone."""

    def __init__(self, patience: Patience, look: Look, at: float) -> None:
        self._patience = patience
        self._looks: deque[Reading] = deque(maxlen=patience.of)
        self._said: Card | _Said | None = _Said.NOTHING
        self._bare = 0
        self._missed = 0
        self._rest = (look.x, look.y)
        self._since = self._unread_since = at
        self.x, self.y = self._rest
        self.add(look, at)

    @property
    def waiting(self) -> bool:
        newest = self._looks[-1]
        other = newest.card is not self._said if newest.sure else self._said is None
        return self._said is _Said.NOTHING or other or self._bare > 0

    def add(self, look: Look, at: float) -> None:
        """Another look at it."""
        self.x, self.y = look.x, look.y
        if math.hypot(self.x - self._rest[0], self.y - self._rest[1]) > self._patience.still:
            # It moves: only looks at it where it comes to rest count together.
            self._rest, self._since = (self.x, self.y), at
            self._looks.clear()
        if look.reading.sure or not self._unread:
            self._unread_since = at
        self._looks.append(look.reading)
        self._bare = self._missed = 0

    @property
    def _unread(self) -> bool:
        """Whether the newest look was not sure."""
        return bool(self._looks) and not self._looks[-1].sure

    def gone(self, *, is_bare: bool) -> bool:
        """No look at it this time; whether it is gone."""
        self._bare = self._bare + 1 if is_bare else 0
        self._missed += 1
        # What was never reported need not be remembered behind a hand.
        passing = self._said is _Said.NOTHING and self._missed >= self._patience.of
        return passing or self._bare >= self._patience.agree

    def judged(self, spot: Spot, at: float) -> CardSeen | CardUnsure | None:
        """What is to be reported now, if anything."""
        newest = [look for look in self._looks if look.sure][-self._patience.agree :]
        if len(newest) == self._patience.agree and len({look.card for look in newest}) == 1:
            face = newest[-1].card
            if self._said is face:
                return None
            self._said = face
            return CardSeen(face, spot, min(look.confidence for look in newest))
        if self._unread_for(at) >= self._patience.unsure_after and len(self._looks) >= self._patience.agree:
            self._said = _Said.UNSURE
            return self._unsure(spot)
        return None

    def _unread_for(self, at: float) -> float:
        """Seconds that it lies there without anything being known of it that must still be true."""
        if self._said is _Said.NOTHING:
            return at - self._since
        if self._said is None and not any(look.sure for look in self._looks):
            # It lay face down, and may have been turned.
            return at - self._unread_since
        return 0.0

    def _unsure(self, spot: Spot) -> CardUnsure:
        # Sure looks that contradict one another have no reason of their own.
        reasons = Counter(look.reason or "weak" for look in self._looks)
        guesses = Counter(look.card for look in self._looks if look.card is not None)
        if not guesses:
            return CardUnsure(spot, reasons.most_common(1)[0][0])
        best = guesses.most_common(1)[0][0]
        confidence = max(look.confidence for look in self._looks if look.card is best)
        return CardUnsure(spot, reasons.most_common(1)[0][0], best, confidence)
