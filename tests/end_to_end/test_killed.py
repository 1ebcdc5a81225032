"""A process of a table is killed in mid-round: it comes back; no card is lost in silence or counted twice."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.journal import Reading
from controller.rounds import told
from controller.simulate.demo import Demo, Settings
from controller.supervise import Child
from rules.cards import Card
from rules.facts import CardDrawn, FaultCleared, FaultRaised, GapFound

SHOE_ITSELF = "shoe itself"
TURNED = "document.querySelectorAll('.felt .card:not(.back):not(.due)').length"


def child(table: Demo, name: str) -> Child:
    """The process of that name."""
    return next(one for one in table.supervisor.children if one.name == name)


def kill(table: Demo, name: str) -> None:
    """Kill a process of the table, or the program that is its shoe."""
    pid = table.shoe.pid if name == SHOE_ITSELF else child(table, name).pid
    assert pid, f"{name} does not run"
    os.kill(pid, signal.SIGKILL)


@contextmanager
def away(table: Demo, name: str) -> Iterator[None]:
    """A process is killed and stays away."""
    children, gone = table.supervisor.children, child(table, name)
    table.supervisor.children = [one for one in children if one is not gone]
    try:
        assert gone.pid
        os.kill(gone.pid, signal.SIGKILL)
        yield
    finally:
        table.supervisor.children = children


@pytest.mark.parametrize("name", ["table", "shoe", "camera", "display", SHOE_ITSELF])
def test_what_is_paid_is_what_lay_there_whatever_is_killed(name: str, tmp_path: Path) -> None:
    """It is killed thrice, each time as the next card is pulled."""
    truth: list[list[Card]] = []
    with Demo(Settings(seed=3, headless=True, rounds=4), tmp_path) as table:
        table.ready()
        hands = table.people.hands
        pulled = 0

        def before_card() -> None:
            nonlocal pulled
            pulled += 1
            if pulled in (3, 8, 14):
                kill(table, name)

        table.people.before_card = before_card
        for _ in table.rounds():
            pass
        # The people clear the felt when a round is paid: what lay there stands in their own record.
        truth = [list(round_.values()) for round_ in hands.cleared]
        with Reading(table.journal) as reading:
            assert reading.verify() is None
            rounds = [one.round for one in told(reading.since()) if one.round.over]
    assert pulled > 14
    assert len(rounds) == 4
    for round_, lay_there in zip(rounds, truth, strict=True):
        assert not round_.void
        assert [laid.card for laid in round_.laid] == lay_there
        assert round_.payouts


def facts(table: Demo) -> list[Any]:
    """What the journal holds."""
    with Reading(table.journal) as reading:
        return [entry.fact for entry in reading.since()]


def cleared(table: Demo) -> set[str]:
    """The faults that are over."""
    return {fact.code for fact in facts(table) if isinstance(fact, FaultCleared)}


def test_what_a_shoe_sent_to_nobody_stops_the_round_and_is_missed_or_told_late(table: Demo) -> None:
    screen, hands = table.people.screen, table.people.hands
    screen.tap("free_hand", until=lambda: not screen.keys("free_hand"))
    hands.draw("punto")
    screen.wait(lambda: screen.cards("punto") == [True])
    with away(table, "shoe"):
        hands.draw("banca")
        screen.wait(lambda: FaultRaised("silent", "shoe") in facts(table))
    screen.wait(lambda: {"silent", "link_lost"} <= cleared(table))
    # The camera saw a card of which the shoe has not told: nobody goes on as if nothing were.
    assert screen.alarm == "shoe_camera_mismatch"
    hands.draw("punto")

    def told_or_missed() -> bool:
        told = facts(table)
        drawn = [fact.card for fact in told if isinstance(fact, CardDrawn)]
        missed = sum(fact.count for fact in told if isinstance(fact, GapFound))
        assert set(drawn) <= set(hands.lying.values())
        return len(drawn) + missed == 3

    screen.wait(told_or_missed)
    assert screen.alarm == "shoe_camera_mismatch"


@pytest.mark.browser
@pytest.mark.parametrize("name", ["table", "display"])
def test_a_screen_without_its_table_veils_itself_and_comes_back_as_it_was(
    name: str, table: Demo, page: Page
) -> None:
    page.goto(f"http://127.0.0.1:{table.port}/dealer?lang=es")
    page.locator("[data-act=free_hand]").dispatch_event("pointerdown")
    page.wait_for_selector("[data-act=free_hand]", state="detached")
    for spot in ("punto", "banca"):
        table.people.hands.draw(spot)
        page.wait_for_function(f"() => {TURNED} === {len(table.people.hands.lying)}")
    before = page.locator("#felt").inner_html()
    with away(table, name):
        page.wait_for_selector("body.veiled", timeout=8000)
        expect(page.locator("#veil")).to_contain_text("Sin conexión")
    page.wait_for_selector("body:not(.veiled)", timeout=8000)
    assert page.locator("#felt").inner_html() == before
    table.people.hands.draw("punto")
    page.wait_for_function(f"() => {TURNED} === 3")
