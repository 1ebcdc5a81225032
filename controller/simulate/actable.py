"""What of a scenario file the simulated table can act, said before anything is done."""

from collections.abc import Container

from controller.scenario import Scenario, UnusableError
from rules.cards import DECK, Card
from rules.facts import (
    WORD_OF,
    BetPlaced,
    CardDrawn,
    CardsBurned,
    CardSeen,
    Fact,
    FaultCleared,
    FaultRaised,
    TakenOver,
)
from vision.layout import Layout

JAM = "jam"
"""The fault that the simulated shoe has and can be rid of."""


def check(scenario: Scenario, acts: Container[type], layout: Layout) -> None:
    """Raises `UnusableError` for the first fact that this table cannot act, with its place and the reason."""
    table = _Table({zone.spot for zone in layout.zones})
    for step in scenario.steps:
        if step.fact is None:
            continue
        cannot = type(step.fact) not in acts
        why = f"{WORD_OF[type(step.fact)]!r} has nobody to do it" if cannot else table.objects(step.fact)
        if why:
            raise UnusableError(
                f"{scenario.path}: {step.place}: cannot be acted on the simulated table: {why}; "
                "`sabot check` judges the file all the same"
            )


class _Table:
    """What the simulated table has come to, as far as it says what cannot be done next."""

    def __init__(self, spots: set[str]) -> None:
        self._spots = spots
        self._jammed = self._by_hand = False
        self._joined: dict[int, str] = {}

    def objects(self, fact: Fact) -> str:
        """Why this cannot be acted now, or nothing."""
        match fact:
            case BetPlaced(player=name) if (
                name != "main" and self._joined.setdefault(fact.seat, name) != name
            ):
                return "the screen knows one bettor who joined a seat, not two"
            case FaultRaised(code=code) | FaultCleared(code=code):
                self._jammed = isinstance(fact, FaultRaised)
                return "" if code == JAM else f"the simulated shoe has no fault {code!r}; it has {JAM!r}"
            case TakenOver(mode=mode):
                self._by_hand = mode == "manual"
            case CardsBurned(cards=cards):
                return next(filter(None, map(_wordless, cards)), "")
            case CardDrawn(card=card):
                stuck = self._jammed and not self._by_hand
                return "no card leaves a shoe that is jammed" if stuck else _wordless(card)
            case CardSeen(card=card, at=at):
                return self._unseen(card, at)
            case _:
                pass
        return ""

    def _unseen(self, card: Card | None, at: str) -> str:
        if card is None:
            return "the hands lay cards face up"
        here = ", ".join(sorted(self._spots))
        return "" if at in self._spots else f"the felt has no spot {at!r}; it has {here}"


def _wordless(card: Card | None) -> str:
    return "" if card is None or card in DECK else f"the shoe has no word for the card {card}"


def joined(seat: int) -> str:
    """How the dealer's screen calls who joined the bettor of a seat."""
    return f"joined {seat}"
