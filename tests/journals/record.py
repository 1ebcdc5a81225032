"""Plays the golden journals: `python tests/journals/record.py`, an explicit act whose result is reviewed.

Shoes with a seed, through the controller's own loop: bets, refusals, irregularities, rulings, people who
stand in for devices. What the rules make of them is told by `expected.py` and compared by `test_golden.py`.
"""

import importlib.util
import json
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from controller.journal import Reading
from rules.cards import DECK, Card
from rules.facts import (
    CardDrawn,
    CardFaceUp,
    CardReread,
    CardReturned,
    CardsBurned,
    CardSeen,
    CardUnsure,
    CutCardOut,
    DealingErrorReported,
    DeviceHello,
    Fact,
    FaultCleared,
    FaultRaised,
    GapFound,
    ShoeEmptied,
    ShoeResult,
)

HERE = Path(__file__).parent


def _module(path: Path) -> Any:
    """A module of the tests, which are no packages."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


SHARED = _module(HERE.parent / "controller" / "conftest.py")
EXPECTED = _module(HERE / "expected.py")


class Player:
    """A dealer, his players, a shoe and a supervisor, all of one seed."""

    def __init__(self, folder: Path, seed: int, decks: int, more: str = "", **lines: str) -> None:
        """`more` are further sections of the table file; `lines` stand in place of its own."""
        options = lines.pop("options", "")
        path = SHARED.table_file(folder, more, seats=f"5\ndecks = {decks}\n{options}", **lines)
        self.desk = SHARED.Desk(path)
        self.random = Random(seed)  # noqa: S311 - a seed is a shoe
        self.decks, self.camera = decks, bool(more)
        self.shoe: list[Card] = []
        self.cut = 14

    @property
    def felt(self) -> Any:
        """The round as it lies there."""
        return self.desk.table.play.felt

    def says(self, fact: Fact, source: str = "shoe") -> None:
        """A device reports; the camera is heard when the shoe has told all that it had."""
        if source == "camera":
            self.desk.beats("shoe")
        self.desk.report(source, fact)

    def load(self) -> None:
        """A new shoe, shuffled, and burned as its first card says."""
        self.shoe = list(DECK) * self.decks
        self.random.shuffle(self.shoe)
        self.desk.tap("shoe_loaded")
        first = self.shoe.pop()
        self.says(CardsBurned((first,), first=True))
        for _ in range(self.felt.standing.shoe.to_burn or 0):
            self.shoe.pop()
            self.says(CardsBurned((None,)))

    def bet(self, amounts: tuple[int, ...] = (2500, 5000, 10000)) -> None:
        """Players bet on the Punto or the Banca, and on something beside it."""
        for seat in self.random.sample(range(1, 6), self.random.randint(1, 4)):
            main = self.random.choice(["punto", "banca"])
            self.desk.bets(main, seat=seat, add=self.random.choice(amounts))
            if self.random.random() < 0.5:
                self.desk.bets(self.random.choice(["empate", "dragon_7", main]), seat=seat)
        if not self.felt.bets:
            self.desk.bets("banca", seat=3)

    def draw(self) -> Card:
        """The next card leaves the shoe, and the camera sees it where it is due."""
        card, spot = self.shoe.pop(), self.felt.awaits().spot or "punto"
        if len(self.shoe) == self.cut:
            self.says(CutCardOut())
        self.says(CardDrawn(card))
        if self.camera and not self.felt.halted:
            self.says(CardSeen(card, spot, 0.998), "camera")
        return card

    def deal(self) -> None:
        """Cards until the bets are to be paid."""
        while self.felt.awaits().what in ("bets", "draw"):
            self.draw()

    def rule(self, action: str, **more: Any) -> None:
        """The supervisor rules on what holds the round."""
        n = self.felt.irregularity.n if self.felt.irregularity else None
        self.desk.tap("rule", **{"action": action, "n": n, "by": "1001", **more})

    def pay(self) -> None:
        """The bets are paid and taken."""
        self.desk.tap("paid")

    def round(self) -> None:
        """One round of players who wish too much.

        Where a side bet lies there alone, the first card is early, and the round is given up.
        """
        self.bet((2500, 5000, 10000, 600_000))
        self.deal()
        if self.felt.halted:
            self.rule("void_round", n=None)
        self.pay()

    def fact(self, kind: type[Any], back: int = 1) -> int:
        """The number of the last fact of that kind, or of one before it."""
        with Reading(self.desk.loop.journal) as reading:
            found = [entry.seq for entry in reading.since() if isinstance(entry.fact, kind)]
        return found[-back]


def calm(player: Player) -> None:
    """Two shoes to their cut cards."""
    for _ in range(2):
        player.load()
        while not player.felt.standing.shoe.over:
            player.round()


def troubled(player: Player) -> None:
    """Every irregularity of a shoe, with its rulings."""
    player.load()
    player.says(CardDrawn(player.shoe.pop()))
    player.rule("burn")
    _errors_of_cards(player)
    _errors_of_the_shoe(player)
    _rulings_on_rulings(player)
    player.bet()
    player.draw()
    player.says(DealingErrorReported("wrong_seat"), "chips-1")
    player.rule("resume")
    player.deal()
    player.pay()
    player.bet()
    player.draw()
    player.says(ShoeEmptied())
    player.rule("void_round")
    player.load()
    player.round()
    player.bet()
    player.draw()
    player.says(DeviceHello())
    player.rule("resume")
    player.deal()
    player.pay()


def _errors_of_cards(player: Player) -> None:
    player.bet()
    player.deal()
    player.draw()
    player.pay()
    player.rule("burn")
    player.pay()
    player.bet()
    player.draw()
    player.says(CardDrawn(None))
    player.rule("replace", card=player.shoe.pop())
    player.draw()
    player.says(GapFound(1))
    player.draw()
    player.rule("replace", card=player.shoe.pop())
    player.deal()
    player.pay()
    player.bet()
    player.draw()
    player.says(CardReturned())
    player.rule("resume")
    player.says(CardFaceUp(player.shoe.pop()))
    player.deal()
    player.says(ShoeResult("x"))
    player.rule("resume")
    player.pay()
    player.bet()
    player.says(CardDrawn(player.shoe.pop(), "banca", 1))
    player.rule("resume")
    player.says(CardReread(Card.AC, "punto", 1))
    player.rule("replace", n=player.fact(CardDrawn), card="Ac")
    player.rule("resume")
    player.deal()
    player.pay()
    player.bet()
    player.says(CardDrawn(Card.JOKER))
    player.rule("strike")
    player.rule("replace", card="9c")
    player.deal()
    player.pay()


def _errors_of_the_shoe(player: Player) -> None:
    player.bet()
    player.draw()
    player.says(FaultRaised("jam"))
    player.desk.bets()
    player.draw()
    player.says(FaultCleared("jam"))
    player.deal()
    player.pay()
    player.bet()
    player.draw()
    player.says(FaultRaised("cannot_read"))
    player.desk.tap("takeover", mode="manual", of="shoe", by="1001")
    while player.felt.awaits().what == "draw":
        player.desk.tap("card", card=player.shoe.pop())
    player.pay()
    player.desk.tap("takeover", mode="device", of="shoe", by="1001")
    player.says(FaultCleared("cannot_read"))
    player.desk.tap("takeover", mode="device", of="shoe", by="1001")
    player.bet()
    player.desk.tap("rule", action="void_seat", seat=player.felt.bets.seats()[0], by="1001")
    player.deal()
    player.pay()


def _rulings_on_rulings(player: Player) -> None:
    player.round()
    n = player.fact(CardDrawn)
    player.desk.tap("rule", action="replace", n=n, card="Kd", by="1001", reason="read aloud wrongly")
    player.desk.tap("rule", action="strike", n=player.desk.table.head, by="1001", reason="it was right")
    player.desk.tap("rule", action="fly", n=n, by="1001")
    player.desk.tap("rule", action="strike", n=1, by="1001")
    player.round()


def exceeded(player: Player) -> None:
    """A card that this shoe has given already."""
    player.load()
    player.bet()
    twice = player.draw()
    player.says(CardDrawn(twice))
    player.rule("replace", card=player.shoe.pop())
    player.deal()
    player.pay()
    player.says(CardFaceUp(twice))
    player.rule("burn")
    player.round()


def seen(player: Player) -> None:
    """A camera that is late, wrong, unsure, and out of order."""
    player.load()
    player.round()
    player.bet()
    cards = [player.shoe.pop() for _ in range(4)]
    for card in cards:
        player.says(CardDrawn(card))
    for card, spot in zip(cards, ("punto", "banca", "punto", "banca"), strict=True):
        player.says(CardSeen(card, spot, 0.99), "camera")
    player.deal()
    player.pay()
    player.bet()
    card = player.shoe.pop()
    player.says(CardDrawn(card))
    player.says(CardUnsure("punto", "blurred", card, 0.61), "camera")
    player.says(CardSeen(card, "banca"), "camera")
    player.rule("resume")
    card = player.shoe.pop()
    player.says(CardDrawn(card))
    player.says(CardSeen(Card.KC if card is not Card.KC else Card.KD, "banca"), "camera")
    player.rule("replace", card=card)
    player.deal()
    player.pay()
    player.desk.tap("takeover", mode="manual", of="camera", by="1001")
    player.bet()
    while player.felt.awaits().what in ("bets", "draw"):
        card, spot = player.shoe.pop(), player.felt.awaits().spot or "punto"
        player.says(CardDrawn(card))
        player.desk.tap("card", card=card, at=spot)
    player.pay()
    player.desk.tap("takeover", mode="device", of="camera")
    player.round()


JOURNALS: dict[str, tuple[Any, dict[str, Any]]] = {
    "calm": (calm, {"seed": 11, "decks": 2}),
    "plus_one": (
        calm,
        {
            "seed": 12,
            "decks": 1,
            "dragon_7": "[2500, 50000]\npanda_8 = [2500, 50000]",
            "options": 'after_cut = "finish_plus_one"\npanda_8 = true\nside_bet_requires = "banca_only"',
        },
    ),
    "troubled": (troubled, {"seed": 13, "decks": 4, "may": '["bet", "dealing_error"]'}),
    "exceeded": (exceeded, {"seed": 15, "decks": 1}),
    "seen": (seen, {"seed": 14, "decks": 4, "more": SHARED.CAMERA}),
}


def record(name: str) -> None:
    """Play a journal, and write its facts without clocks."""
    plays, settings = JOURNALS[name]
    with tempfile.TemporaryDirectory() as folder:
        player = Player(Path(folder), settings.pop("seed"), settings.pop("decks"), **settings)
        plays(player)
        player.desk.close()
        with Reading(player.desk.loop.journal) as reading:
            lines = [EXPECTED.line(entry) for entry in reading.since()]
    (HERE / f"{name}.jsonl").write_text(
        "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    )
    (HERE / f"{name}.txt").write_text(EXPECTED.replayed(lines))


if __name__ == "__main__":
    for each in JOURNALS:
        record(each)
