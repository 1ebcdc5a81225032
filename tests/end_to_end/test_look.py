"""What a tired finger and a tired eye need: keys of 20 mm, nothing cut off, in every language and size."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from controller.simulate.demo import Demo

pytestmark = pytest.mark.browser

SIZES = ((1280, 800, 118), (1920, 1080, 130))
"""A 10.1-inch and a 13.3-inch panel, with the pixels of 20 mm on each."""

CUT_OFF = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const style = getComputedStyle(one);
  if (!one.offsetParent || one.closest("svg") || style.overflow === "auto") return false;
  return one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && style.display !== "inline";
}).map((one) => `${one.className}: ${one.innerText}`)"""

OUTSIDE = """() => [...document.querySelectorAll(".key, .spot, .card, .result, .prompt *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && (box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1);
}).map((one) => one.className)"""

UNSEEN = """() => [...document.querySelectorAll(".side .line *")].filter((one) => {
  const box = one.getBoundingClientRect(), rows = one.closest(".rows").getBoundingClientRect();
  return box.width && (box.right > rows.right + 1 || box.bottom > rows.bottom + 1);
}).map((one) => one.innerText)"""

SMALL = """(least) => [...document.querySelectorAll(".keys .key, .spot, .pad .key, .ranks .key, .suits .key")]
  .map((one) => [one.innerText, one.getBoundingClientRect()])
  .filter(([text, box]) => box.width < least - 1 || box.height < least - 1)
  .map(([text, box]) => `${text}: ${Math.round(box.width)}x${Math.round(box.height)}`)"""


def good(page: Page, least: int) -> None:
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(UNSEEN) == []
    assert page.evaluate(SMALL, least) == []


@pytest.mark.parametrize("lang", ["es", "en", "zh"])
def test_every_stage_fits_and_every_key_in_play_is_large(
    lang: str, table: Demo, open_page: Callable[..., Page]
) -> None:
    people, page = table.people, open_page("dealer", lang)

    def look() -> None:
        for width, height, least in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(50)
            good(page, least)
        page.set_viewport_size({"width": 1280, "height": 800})

    look()
    for seat in range(1, 8):
        people._place(seat, "punto" if seat % 2 else "banca", 1)
        people._place(seat, "empate", 1)
        people._place(seat, "dragon_7", 1)
    page.wait_for_selector(".spot.full >> nth=20")
    look()
    for _ in range(3):
        people._deal(None)
    look()
    while people.screen.awaits != "close":
        people._deal(None)
    page.wait_for_selector("[data-act=paid]")
    look()
    for name in ("more", "history", "correct"):
        page.locator(f"[data-act='ui.sheet'][data-args*='{name}']").first.dispatch_event("pointerdown")
        page.wait_for_selector(f"#sheet .{name}")
        look()
        page.locator("#sheet .shut").dispatch_event("pointerdown")
        page.wait_for_selector("#sheet .open", state="detached")
    table.shoe.draw("overdraw")
    page.wait_for_selector("[data-alarm=device_fault]")
    look()
    table.shoe.do("clear")
    page.wait_for_selector("[data-alarm=extra_card]")
    look()
    page.locator("#keys .main").dispatch_event("pointerdown")
    page.wait_for_selector("#sheet .pin")
    look()


@pytest.mark.parametrize("lang", ["es", "en", "zh"])
def test_the_players_page_fits(lang: str, table: Demo, open_page: Callable[..., Page]) -> None:
    for _ in range(3):
        table.people.round()
    page = open_page("public", lang)
    for width, height, _ in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(50)
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(CUT_OFF) == []
