"""Rounds through the real processes, in a browser: bytes of the shoe, pictures of the felt, taps, pages."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from controller.journal import Reading
from controller.rounds import told
from controller.simulate.demo import Demo

pytestmark = pytest.mark.browser

SAYS = {
    "es": {"bets": "Apuestas abiertas", "wins": "Gana", "public": "Hagan sus apuestas"},
    "en": {"bets": "Bets are open", "wins": "wins", "public": "Place your bets"},
    "zh": {"bets": "请下注", "wins": "赢", "public": "请下注"},
}

ROUND = """() => {
  const said = document.querySelector("[data-awaits]").dataset;
  return [said.awaits, said.spot, document.querySelectorAll(".felt .card:not(.back):not(.due)").length];
}"""


def place(page: Page, bet: str, seat: int, chip: int = 0) -> None:
    """A chip on a bet, as a finger does it."""
    page.locator(".keys .chip").nth(chip).dispatch_event("pointerdown")
    page.wait_for_selector(f".keys .chip.c{chip}.on")
    spot = page.locator(f".spot.{bet}").nth(seat - 1)
    before = spot.inner_text()
    spot.dispatch_event("pointerdown")
    page.wait_for_function(
        "([s, was]) => document.querySelectorAll(s[0])[s[1]].innerText !== was",
        arg=[[f".spot.{bet}", seat - 1], before],
    )


def deal(page: Page, table: Demo) -> int:
    """Cards until the round waits for the paying; how many."""
    drawn = 0
    while True:
        what, spot, _ = page.evaluate(ROUND)
        if what == "close":
            return drawn
        table.people.hands.draw(spot if what == "draw" else "punto")
        drawn += 1
        page.wait_for_function(f"() => ({ROUND})()[2] === {drawn} && ({ROUND})()[0] !== 'seen'")


@pytest.mark.parametrize("lang", ["es", "en", "zh"])
def test_a_round_from_the_wire_to_the_money(lang: str, table: Demo, open_page: Callable[..., Page]) -> None:
    page = open_page("dealer", lang)
    expect(page.locator("#prompt .text")).to_have_text(SAYS[lang]["bets"])
    place(page, "punto", 1)
    place(page, "punto", 1)
    place(page, "banca", 3)
    place(page, "empate", 3)
    deal(page, table)
    truth = {spot: [str(card) for card in table.people.hands.at(spot)] for spot in ("punto", "banca")}
    expect(page.locator(".result")).to_be_visible()
    assert page.locator("#side .line .pays").count() == 3
    assert page.locator("#side .line .why").first.inner_text().strip() != ""
    page.locator("[data-act=paid]").dispatch_event("pointerdown")
    expect(page.locator("#prompt .text")).to_have_text(SAYS[lang]["bets"])
    table.people.hands.clear()
    round_ = next(told(Reading(table.journal).since())).round
    assert {spot: [str(card) for card in round_.cards(spot)] for spot in truth} == truth
    assert [(pay.seat, pay.bet, pay.stake) for pay in round_.payouts] == [
        (1, "punto", 5000),
        (3, "banca", 2500),
        (3, "empate", 2500),
    ]
    public = open_page("public", lang, 1920, 1080)
    expect(public.locator("#hands .state")).to_have_text(SAYS[lang]["public"])
    assert public.locator("#roads .bead circle").count() == 1
    assert public.locator("#hands .result").inner_text().strip() != ""


def test_a_misdeal_is_ruled_on_with_the_pin_and_survives_a_reload(
    table: Demo, open_page: Callable[..., Page]
) -> None:
    page = open_page("dealer", "es")
    place(page, "punto", 2)
    deal(page, table)
    before = page.locator("#felt").inner_html()
    table.shoe.draw("overdraw")
    page.wait_for_selector("[data-alarm=device_fault]")
    table.shoe.do("clear")
    page.wait_for_selector("[data-alarm=extra_card]")
    halted = page.locator("#halt").inner_html()
    page.reload()
    page.wait_for_selector("[data-alarm=extra_card]")
    assert page.locator("#halt").inner_html() == halted

    page.locator("#keys [data-act=rule].main").dispatch_event("pointerdown")
    page.locator("#sheet .operators .key").first.dispatch_event("pointerdown")
    for digit in "1111":
        page.locator(f"#sheet .pad .key:has-text('{digit}')").first.dispatch_event("pointerdown")
    page.locator("[data-act=enter_pin]").dispatch_event("pointerdown")
    expect(page.locator("#sheet .message")).to_contain_text("PIN incorrecto")
    for digit in "2468":
        page.locator(f"#sheet .pad .key:has-text('{digit}')").first.dispatch_event("pointerdown")
    page.locator("[data-act=enter_pin]").dispatch_event("pointerdown")
    page.wait_for_selector("[data-act=paid]")
    assert page.locator("#felt").inner_html() == before
    words = [entry.word for entry in Reading(table.journal).since()]
    assert words.count("pin") == 2
    assert words.count("rule") == 1


def test_a_reload_in_mid_round_finds_the_same_screen(table: Demo, open_page: Callable[..., Page]) -> None:
    page = open_page("dealer", "es")
    place(page, "banca", 4, chip=1)
    regions = ["top", "prompt", "felt", "side", "keys"]
    for spot in ("punto", "banca", "punto"):
        table.people.hands.draw(spot)
        page.wait_for_function(f"() => ({ROUND})()[2] === {len(table.people.hands.lying)}")
        shown = {name: page.locator(f"#{name}").inner_html() for name in regions}
        page.reload()
        page.wait_for_selector("body[data-seq]")
        assert {name: page.locator(f"#{name}").inner_html() for name in regions} == shown


def test_a_shoe_that_dies_in_mid_round_is_taken_over_by_hand(
    table: Demo, open_page: Callable[..., Page]
) -> None:
    page = open_page("dealer", "es")
    place(page, "punto", 1)
    for spot in ("punto", "banca"):
        table.people.hands.draw(spot)
        page.wait_for_function(f"() => ({ROUND})()[2] === {len(table.people.hands.lying)}")
    table.shoe.do("unplug")
    page.wait_for_selector("[data-alarm=device_fault]")
    page.locator("[data-act=takeover]").dispatch_event("pointerdown")
    page.wait_for_selector("[data-act='ui.pick']")
    while page.evaluate(ROUND)[0] == "draw":
        card = table.people.hands.draw(page.evaluate(ROUND)[1])
        page.locator("#keys [data-act='ui.pick']").dispatch_event("pointerdown")
        ranks = "A23456789TJQK"
        page.locator("#sheet .ranks .key").nth(ranks.index(card.rank)).dispatch_event("pointerdown")
        page.wait_for_selector("#sheet .ranks .key.on")
        page.locator("#sheet .suits .key").nth("cdhs".index(card.suit)).dispatch_event("pointerdown")
        page.wait_for_function(f"() => ({ROUND})()[2] === {len(table.people.hands.lying)}")
    page.locator("[data-act=paid]").dispatch_event("pointerdown")
    page.wait_for_function(f"() => ({ROUND})()[0] === 'bets'")
    round_ = next(told(Reading(table.journal).since())).round
    assert round_.by_hand
    assert [laid.by_hand for laid in round_.laid[:2]] == [False, False]
    assert all(laid.by_hand for laid in round_.laid[2:])


def test_a_tap_on_a_stale_screen_does_nothing_and_says_so(
    table: Demo, open_page: Callable[..., Page]
) -> None:
    page = open_page("dealer", "es")
    place(page, "punto", 1)
    tap = page.evaluate("() => [document.querySelector('.spot.banca').dataset.args, stage]")
    table.people.hands.draw("punto")
    page.wait_for_function(f"() => ({ROUND})()[2] === 1")
    late = "{id: 'late', act: 'bet', args: JSON.parse(args), stage: was}"
    page.evaluate(f"([args, was]) => socket.send(JSON.stringify({late}))", tap)
    expect(page.locator("#prompt .refused")).to_have_text("La mesa ya avanzó; mire de nuevo")
