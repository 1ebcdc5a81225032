"""A whole table without hardware, and a browser on it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from controller.simulate.demo import Demo, Settings

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a head."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own for each test."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Demo]:
    """A table that is running, with its shoe loaded; nobody plays but the test."""
    with Demo(Settings(seed=7, headless=True), tmp_path) as running:
        running.ready()
        running.people.new_shoe()
        yield running


@pytest.fixture
def open_page(page: Page, table: Demo) -> Iterator[Callable[..., Page]]:
    """Opens a page of the table: `open_page("dealer", "es")`."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def opened(audience: str, lang: str = "es", width: int = 1280, height: int = 800) -> Page:
        page.set_viewport_size({"width": width, "height": height})
        page.set_default_timeout(20_000)
        page.goto(f"http://127.0.0.1:{table.port}/{audience}?lang={lang}")
        page.wait_for_selector("body[data-seq]")
        return page

    yield opened
    assert complaints == []
