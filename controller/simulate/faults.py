"""What goes wrong in a demo, and when: placed by card and round, so that one seed gives one course."""

from collections.abc import Mapping
from enum import Enum
from random import Random

EVERY = 0.15
"""The share of rounds in which something goes wrong."""


class Trouble(Enum):
    """An irregularity of a round."""

    EARLY = "early"
    """A card before the bets."""
    DOUBLE_SCAN = "double_scan"
    """The shoe reports one card twice."""
    UNREAD = "unread"
    JAM = "jam"
    ONE_COPY = "one_copy"
    """One of the three copies of a report is damaged: nobody notices."""
    ALL_COPIES = "all_copies"
    """All three are damaged: the card is missing in the shoe's count."""
    DIFFER = "differ"
    """One copy names another card."""
    MISREAD = "misread"
    """The shoe reads another face than the card has."""
    SWAPPED = "swapped"
    """Two reports come in the wrong order."""
    WRONG_SPOT = "wrong_spot"
    PUSH_BACK = "push_back"
    OVERDRAW = "overdraw"
    UNPLUG = "unplug"
    TAKEOVER = "takeover"
    """The shoe dies, and the dealer enters the cards."""
    COVERED = "covered"
    """Chips lie on a card: the camera is not sure."""

    @property
    def card(self) -> int:
        """The card of the round with which it happens, from 0; -1 where it is no card's."""
        return _CARD.get(self, 1)

    @property
    def fault(self) -> str:
        """What the simulated shoe calls it."""
        return _FAULT.get(self, ("", {}))[0]

    @property
    def more(self) -> Mapping[str, int]:
        """What the simulated shoe needs to know beside it."""
        return _FAULT.get(self, ("", {}))[1]

    @property
    def hopeless(self) -> bool:
        """The shoe's own count of the round is off for good: a supervisor voids it."""
        return self in (Trouble.DOUBLE_SCAN, Trouble.SWAPPED, Trouble.PUSH_BACK)


_CARD = {Trouble.EARLY: -1, Trouble.OVERDRAW: -1, Trouble.DOUBLE_SCAN: 0, Trouble.WRONG_SPOT: 2}

_FAULT: Mapping[Trouble, tuple[str, Mapping[str, int]]] = {
    Trouble.DOUBLE_SCAN: ("double_scan", {}),
    Trouble.UNREAD: ("unread", {}),
    Trouble.ONE_COPY: ("damage", {"copies": 1}),
    Trouble.ALL_COPIES: ("damage", {"copies": 3}),
    Trouble.DIFFER: ("differ", {"copy": 0}),
    Trouble.MISREAD: ("misread", {}),
    Trouble.SWAPPED: ("swap_order", {}),
}


def course(seed: int, rounds: int) -> dict[int, Trouble]:
    """The troubles of a demo by the number of the round, from 1; each kind comes before any comes again."""
    random = Random(seed)  # noqa: S311 - repeatable on purpose
    found: dict[int, Trouble] = {}
    bag: list[Trouble] = []
    for number in range(1, rounds + 1):
        if random.random() < EVERY:
            if not bag:
                bag = list(Trouble)
                random.shuffle(bag)
            found[number] = bag.pop()
    return found
