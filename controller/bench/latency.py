"""From the last byte of a shoe's telegram to the pixel: real processes, a real terminal, a real Chromium.

The telegram is written to a pseudo-terminal; driver, bus, journal (durable first), feed and page do what they
do at a table. The page's clock is the wall clock of the same machine, set against ours in the same run.
"""

import os
import statistics
import tempfile
import time
import tty
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Page, sync_playwright

from config.load import load
from controller.processes import processes
from controller.progress import console
from controller.simulate.tables import OPERATOR, PIN, VAR, table_file
from controller.supervise import Supervisor
from drivers.angel_eye import speak, wire
from rules.cards import DECK, Card

CARDS = 1000
ALARMS = 100
CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
SETTLE = 0.1
"""Seconds after which the page is asked what it painted, and the next card comes.

Asking sooner would slow what is measured; and no dealer draws ten cards a second, for which a browser that is
still drawing frames would keep a card waiting for its next one.
"""
PATIENCE = 10.0
FEWEST = 14
"""Cards behind the cut card."""

WATCH = """
window.painted = [];
const any = {childList: true, subtree: true, attributes: true, characterData: true};
document.addEventListener("DOMContentLoaded", () => {
  for (const name of ["felt", "halt"])
    new MutationObserver(() => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => painted.push([name, performance.timeOrigin + performance.now()]);
      channel.port2.postMessage(0);
    })).observe(document.getElementById(name), any);
});
"""
"""Notes when a region that changed was painted: after its frame, when the page has time again."""

TAP = """
([act, args]) => {
  const fits = (one) => one.dataset.act === act &&
    Object.entries(args).every(([name, value]) => JSON.parse(one.dataset.args)[name] === value);
  const key = [...document.querySelectorAll("[data-act]")].find(fits);
  key?.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true}));
  return Boolean(key);
}
"""
"""Taps the key with that act and at least those arguments; whether there was one."""

AWAITS = "() => { const said = document.querySelector('[data-awaits]')?.dataset; "
AWAITS += "return document.querySelector('[data-alarm]') ? ['alarm', ''] : [said?.awaits, said?.spot]; }"
"""What the page says is awaited, and where."""


def percentile(values: list[float], share: int) -> float:
    """The value below which that share of all lies, in percent."""
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]


def measure(cards: int = CARDS, alarms: int = ALARMS) -> tuple[list[float], list[float], float]:
    """Milliseconds from byte to paint for cards and for misdeals, and the median `fdatasync` of the disk."""
    VAR.mkdir(exist_ok=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-", dir=VAR)))
        path = table_file(folder)
        config = load(path)
        shoe = Shoe(folder / "shoe")
        stack.callback(shoe.close)
        output = stack.enter_context((folder / "log").open("ab"))
        supervisor = Supervisor(processes(config, path, output))
        stack.callback(supervisor.stop)
        supervisor.tend()
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        stack.callback(browser.close)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.add_init_script(WATCH)
        at = f"http://127.0.0.1:{config.file.display.port}/dealer"
        _until(lambda: _opened(page, at))
        return Bench(page, shoe, Disk(folder / "disk")).run(cards, alarms)


def _opened(page: Page, at: str) -> bool:
    try:
        page.goto(at)
    except Exception:  # noqa: BLE001 - the server is not up yet; `_until` gives up in time
        return False
    return True


def _until(done: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > end:
            raise RuntimeError("the table of the bench is stuck")
        time.sleep(0.02)


class Shoe:
    """Writes telegrams of the shoe to a terminal, each three times, and says when the first copy was out."""

    def __init__(self, link: Path) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        link.symlink_to(os.ttyname(self._slave))
        self._numbers = cycle("1234567890")

    def says(self, data: bytes) -> float:
        """Send a telegram; the wall clock in milliseconds at its last byte."""
        copy = wire.encode(wire.Telegram(next(self._numbers), data))
        os.write(self._master, copy)
        at = time.time() * 1000
        os.write(self._master, copy * 2)
        return at

    def close(self) -> None:
        """Unplug it."""
        os.close(self._slave)
        os.close(self._master)


class Disk:
    """The floor of everything durable: one `fdatasync` of a page, now and then in the same run."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT)
        self.took: list[float] = []

    def sync(self) -> None:
        """Write a page and wait until it is durable."""
        began = time.perf_counter()
        os.pwrite(self._file, os.urandom(4096), 4096 * len(self.took))
        os.fdatasync(self._file)
        self.took.append((time.perf_counter() - began) * 1000)


class Bench:
    """Plays free hands on the page, card by card."""

    def __init__(self, page: Page, shoe: Shoe, disk: Disk) -> None:
        self._page = page
        self._shoe = shoe
        self._disk = disk
        self._left: list[Card] = []
        self._offset = self._clocks()

    def _clocks(self) -> float:
        """What the page's clock is ahead of ours, in milliseconds: the quickest of many questions."""
        asked: list[tuple[float, float]] = []
        for _ in range(50):
            before = time.time() * 1000
            theirs = self._page.evaluate("performance.timeOrigin + performance.now()")
            after = time.time() * 1000
            asked.append((after - before, theirs - (before + after) / 2))
        return min(asked)[1]

    def run(self, cards: int, alarms: int) -> tuple[list[float], list[float], float]:
        """So many cards, then so many misdeals."""
        took: list[float] = []
        with console.status("cards") as status:
            while len(took) < cards:
                took += self._round()
                self._tap("paid")
                status.update(f"cards: {len(took)} of {cards}")
            halted: list[float] = []
            while len(halted) < alarms:
                self._round()
                halted.append(self._misdeal())
                self._tap("paid")
                status.update(f"misdeals: {len(halted)} of {alarms}")
        return took, halted, statistics.median(self._disk.took)

    def _round(self) -> list[float]:
        """A free hand: the milliseconds of each card."""
        took = []
        _until(lambda: self._awaits()[0] in ("bets", "shoe"))
        if len(self._left) < FEWEST and self._awaits()[0] == "bets":
            self._shoe.says(speak.CUT_CARD)
            _until(lambda: self._awaits()[0] == "shoe")
        if self._awaits()[0] == "shoe":
            self._load()
        self._tap("free_hand")
        indices = {"punto": 0, "banca": 0}
        spot = "punto"
        while True:
            indices[spot] += 1
            took.append(
                self._painted(self._shoe.says(speak.dealt(spot, indices[spot], self._left.pop())), "felt")
            )
            self._disk.sync()
            what, spot = self._awaits()
            if what != "draw":
                return took

    def _misdeal(self) -> float:
        """A card when none is due, and the ruling that burns it: the milliseconds of the alarm."""
        took = self._painted(self._shoe.says(speak.dealt("punto", 3, self._left.pop())), "halt")
        self._tap("rule", action="burn")
        self._tap("ui.operator", value=OPERATOR)
        for digit in PIN:
            self._tap("ui.digit", value=digit)
        self._tap("enter_pin")
        _until(lambda: self._awaits()[0] == "close")
        return took

    def _load(self) -> None:
        """A new shoe; its first card is an ace, so that one is burned."""
        self._tap("shoe_loaded")
        self._left = [card for card in DECK for _ in range(8)]
        Random(len(self._disk.took)).shuffle(self._left)  # noqa: S311 - repeatable on purpose
        self._left.remove(Card.AS)
        self._shoe.says(speak.dealt("first", 0, Card.AS))
        self._shoe.says(speak.dealt("burn", 1, self._left.pop()))
        _until(lambda: self._awaits()[0] == "bets")

    def _painted(self, at: float, region: str) -> float:
        """Milliseconds until that region was painted anew."""
        found: list[float] = []

        def asked() -> bool:
            time.sleep(SETTLE)
            painted = self._page.evaluate("painted.splice(0)")
            found.extend(when - self._offset - at for name, when in painted if name == region)
            return bool(found)

        _until(asked)
        return found[0]

    def _awaits(self) -> tuple[str, str]:
        what, spot = self._page.evaluate(AWAITS)
        return what or "", spot or ""

    def _tap(self, act: str, **args: object) -> None:
        """Tap a key as soon as it is there, and let what follows come before anything is measured."""
        _until(lambda: bool(self._page.evaluate(TAP, [act, args])))
        time.sleep(SETTLE)
        self._page.evaluate("painted.splice(0)")
