"""What the dealer's and the players' pages say of a table, without a browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.load import load
from controller.display import dealer, public
from controller.display.language import language
from controller.display.pages import chips, face, written
from controller.display.screens import REGIONS, templates
from controller.display.session import Session
from controller.journal import Entry
from controller.notes import JournalOpened, SupervisorCalled
from controller.simulate.tables import table_file
from controller.table import PEOPLE, Table
from rules.cards import Card
from rules.facts import (
    BetPlaced,
    CardDrawn,
    CardsBurned,
    CardSeen,
    CardUnsure,
    Closed,
    FaultRaised,
    RoundOpened,
    Ruled,
    ShoeLoaded,
    TableSet,
    TakenOver,
)


class Story:
    """A table that is told what happens, and asked what it shows."""

    def __init__(self, folder: Path, *, camera: bool) -> None:
        config = load(table_file(folder, 8080, fps=30 if camera else None))
        self.table = Table(config)
        self.session = Session()
        self._n = 0
        self.tell("controller", JournalOpened("BAC-07", "test"))
        self.tell("controller", TableSet("ez_baccarat", "", config.options, config.fingerprint))

    def tell(self, source: str, *facts: Any) -> None:
        for fact in facts:
            self._n += 1
            self.table.after(Entry(self._n, 0, 0, source, "", 0, "", fact, "", ""))

    def open(self) -> None:
        """A shoe is in and burned, and bets are open."""
        self.tell(PEOPLE, ShoeLoaded(8))
        self.tell("shoe", CardsBurned((Card.AS,), first=True), CardsBurned((Card.AC,)))
        self.tell("controller", RoundOpened(1))

    def draw(self, *cards: str) -> None:
        self.tell("shoe", *(CardDrawn(Card(card)) for card in cards))

    def dealer(self, lang: str = "en") -> dict[str, dict[str, Any]]:
        return dealer.regions(self.table, self.session, language(lang))

    def html(self, lang: str = "en") -> str:
        """All regions of both pages, drawn."""
        said = language(lang)
        pages = {"dealer": self.dealer(lang), "public": public.regions(self.table, said)}
        return "".join(
            templates.get_template(f"{page}/{name}.html").render(lang=said, **shown)
            for page, regions in pages.items()
            for name, shown in regions.items()
            if shown
        )

    def acts(self) -> set[str]:
        return {key.act for key in self.dealer()["keys"]["keys"]}


@pytest.fixture
def plain(tmp_path: Path) -> Story:
    story = Story(tmp_path, camera=False)
    story.open()
    return story


@pytest.fixture
def watched(tmp_path: Path) -> Story:
    story = Story(tmp_path, camera=True)
    story.open()
    return story


def test_a_table_without_a_shoe_says_how_one_is_put_in(tmp_path: Path) -> None:
    story = Story(tmp_path, camera=False)
    assert story.dealer()["prompt"]["awaits"] == "shoe"
    assert [step["now"] for step in story.dealer()["felt"]["loading"]] == [True, False, False, False]
    assert "shoe_loaded" in story.acts()


def test_a_new_shoe_counts_the_cards_that_are_still_to_burn(tmp_path: Path) -> None:
    story = Story(tmp_path, camera=False)
    story.tell(PEOPLE, ShoeLoaded(8))
    assert story.dealer()["prompt"]["text"] == "Turn the first card of the new shoe and burn"
    story.tell("shoe", CardsBurned((Card.H3,), first=True))
    assert story.dealer()["prompt"]["text"] == "Burn: 3 to go"


def test_who_joins_one_seat_is_not_who_joins_another(plain: Story) -> None:
    plain.session.joined = True
    keys = [key for row in plain.dealer()["felt"]["bets"]["rows"] for key in row["cells"]]
    assert {(key.args["seat"], key.args["player"]) for key in keys} == {
        (n, f"joined {n}") for n in range(1, 8)
    }


def test_the_prompt_names_the_card_the_hand_and_the_article(plain: Story) -> None:
    plain.tell(PEOPLE, BetPlaced(1, "punto", 5000))
    plain.draw("2c", "Ah", "3d", "4s")
    prompt = plain.dealer()["prompt"]
    assert (prompt["text"], prompt["hand_name"], prompt["article"]) == ("Third card", "Punto", "11.c")


def test_the_settlement_says_what_to_take_to_pay_and_to_leave(plain: Story) -> None:
    bets = [("banca", 1), ("dragon_7", 1), ("punto", 2), ("empate", 2)]
    plain.tell(PEOPLE, *(BetPlaced(seat, bet, 2500) for bet, seat in bets))
    plain.draw("2c", "Ah", "3d", "4s", "6h", "2d")
    shown = plain.dealer()
    assert shown["prompt"]["text"] == "Take Punto and Tie · Pay Dragon 7 · Banca stays"
    assert plain.dealer("es")["prompt"]["text"] == "Recoger Punto y Empate · Pagar Dragón 7 · Banca se queda"
    pays = shown["side"]["rows"][0]["lines"][1]["pays"]
    assert (pays["amount"], pays["odds"], pays["article"]) == ("1,000", "40:1", "8.d")
    assert [(value, many) for _, value, many in pays["chips"]] == [("1,000", 1)]


def test_nothing_that_follows_from_a_card_is_shown_before_it_is_turned(watched: Story) -> None:
    watched.tell(PEOPLE, BetPlaced(1, "punto", 5000))
    watched.draw("9c", "3h", "Kd", "4s")
    shown = watched.dealer()
    assert shown["prompt"]["awaits"] == "seen"
    assert shown["felt"]["result"] is None
    assert all(not card.rank for hand in shown["felt"]["hands"] for card in hand["cards"])
    assert all(line["pays"] is None for row in shown["side"]["rows"] for line in row["lines"])
    assert "paid" not in watched.acts()
    assert public.regions(watched.table, language("en"))["hands"]["result"] is None


def test_an_unsure_camera_asks_the_dealer(watched: Story) -> None:
    watched.tell(PEOPLE, BetPlaced(1, "punto", 5000))
    watched.draw("9c", "3h", "Kd", "4s")
    for card, spot in (("9c", "punto"), ("3h", "banca"), ("Kd", "punto")):
        watched.tell("camera", CardSeen(Card(card), spot))
    watched.tell("camera", CardUnsure("banca", "glare"))
    assert watched.dealer()["prompt"]["text"] == "The camera is not sure: which card lies here?"
    watched.tell(PEOPLE, CardSeen(Card.S4, "banca"))
    assert watched.dealer()["prompt"]["awaits"] == "close"


def test_a_halt_shows_both_readings_and_offers_either(watched: Story) -> None:
    watched.tell(PEOPLE, BetPlaced(1, "punto", 5000))
    watched.draw("8s")
    watched.tell("camera", CardSeen(Card.S6, "punto", 0.994))
    halt = watched.dealer()["halt"]
    assert [reading.card.rank for reading in halt["readings"]] == ["8", "6"]
    rulings = [key.args for key in halt["keys"] if key.act == "rule"]
    assert {"action": "replace", "n": 9, "card": "8s"} in rulings
    assert {"action": "replace", "n": 8, "card": "6s"} in rulings


def test_a_card_that_the_shoe_missed_is_offered_to_be_entered(watched: Story) -> None:
    watched.tell(PEOPLE, BetPlaced(1, "punto", 5000))
    watched.draw("8s")
    watched.tell("camera", CardSeen(Card.S8, "punto"), CardSeen(Card.D2, "banca"))
    rulings = [key.args for key in watched.dealer()["halt"]["keys"] if key.act == "rule"]
    assert {"action": "insert", "n": 10, "card": "2d"} in rulings


def test_a_fault_says_how_it_is_mended_and_that_the_dealer_may_take_over(plain: Story) -> None:
    plain.tell("shoe", FaultRaised("link_lost", "shoe"))
    halt = plain.dealer()["halt"]
    assert halt["title"] == "Shoe: no connection"
    assert "check its cable and its power" in halt["steps"][1]
    assert plain.acts() == {"call", "takeover"}
    plain.tell(PEOPLE, TakenOver("manual", of="shoe"))
    assert plain.dealer()["halt"] == {}
    assert plain.dealer()["top"]["lamps"][0]["word"] == "by hand"


def test_a_refusal_says_why(plain: Story) -> None:
    plain.tell(PEOPLE, BetPlaced(3, "punto", 100))
    assert plain.dealer()["prompt"]["refused"] == "Under the minimum of S/ 25"
    plain.tell(PEOPLE, BetPlaced(3, "punto", 2500), BetPlaced(3, "banca", 2500))
    assert plain.dealer("es")["prompt"]["refused"] == "Nadie apuesta a Punto y a Banca a la vez"
    plain.tell(PEOPLE, BetPlaced(4, "banca", 2500))
    assert plain.dealer()["prompt"]["refused"] == ""


def test_the_history_recalls_rounds_with_their_payouts(plain: Story) -> None:
    plain.tell(PEOPLE, BetPlaced(1, "punto", 5000))
    plain.draw("9c", "3h", "Kd", "4s")
    plain.tell(PEOPLE, Closed())
    plain.tell("controller", RoundOpened(2))
    plain.session.sheet = "history"
    chosen = plain.dealer()["sheet"]["chosen"]
    assert (chosen["number"], chosen["payouts"][0]["net"], chosen["payouts"][0]["article"]) == (
        1,
        "50",
        "8.a",
    )


def test_a_void_round_gives_the_bets_back_and_leaves_no_mark_on_the_roads(plain: Story) -> None:
    plain.tell(PEOPLE, BetPlaced(1, "punto", 5000))
    plain.draw("9c", "3h")
    plain.tell(PEOPLE, Ruled("void_round", by="4471"))
    assert plain.table.play.now.payouts[0].result == "void"
    plain.tell("controller", RoundOpened(2))
    assert public.shoe_results(plain.table) == ""
    assert plain.dealer()["side"]["last"]["text"] == "void"


def _states(story: Story) -> Iterator[str]:
    """A walk through the states of a table; every one must be drawn without an error."""
    yield "bets"
    story.tell(PEOPLE, BetPlaced(1, "punto", 5000), BetPlaced(7, "empate", 2500), BetPlaced(7, "banca", 2500))
    yield "placed"
    for cards in (("2c",), ("Ah",), ("3d",), ("4s",), ("6h",), ("2d",)):
        story.draw(*cards)
        yield "dealt"
    story.draw("5d")
    yield "halted"
    story.tell(PEOPLE, Ruled("burn", 16, by="4471"), SupervisorCalled(on=True))
    yield "ruled"
    story.tell(PEOPLE, Closed())
    yield "closed"
    story.tell("controller", RoundOpened(2))
    yield "opened"
    story.tell("shoe", FaultRaised("jam"))
    yield "fault"


@pytest.mark.parametrize("lang", ["es", "en", "zh"])
@pytest.mark.parametrize("sheet", ["", "pin", "pick", "correct", "history", "more"])
def test_every_state_is_drawn_with_every_sheet(plain: Story, lang: str, sheet: str) -> None:
    plain.session.sheet = sheet
    for state in _states(plain):
        html = plain.html(lang)
        assert "None" not in html, state
        assert "{" not in html.replace("'{", "").replace("{&", ""), state


def test_every_region_has_its_template() -> None:
    for audience, names in REGIONS.items():
        for name in names:
            assert templates.get_template(f"{audience}/{name}.html")


def test_words_of_people_cannot_become_markup(plain: Story) -> None:
    plain.tell(PEOPLE, BetPlaced(1, "punto", 5000, player="<script>alert(1)</script>"))
    assert "<script" not in plain.html()


def test_an_amount_is_handed_out_in_the_largest_chips() -> None:
    assert chips(122500, [2500, 10000, 100000]) == ([(100000, 1), (10000, 2), (2500, 1)], 0)
    assert chips(2600, [2500, 10000]) == ([(2500, 1)], 100)


def test_a_ten_is_written_ten_and_a_back_has_no_face() -> None:
    assert face(Card.TH).rank == "10"
    assert face(None).rank == ""
    assert written(Card.S8).startswith("8 ♠")
