"""How long the dealer waits for the next card when a process of the table is killed in mid-round."""

import os
import signal
import statistics
import time

from controller.progress import console
from controller.simulate.demo import Demo, Settings, demo

PROCESSES = ("table", "shoe", "camera", "display")
RUNS = 5
LOOK = 0.01
"""Seconds between two looks whether the shoe is heard."""


def seconds() -> dict[str, float]:
    """By process: seconds from `kill -9` until the next card shows its face; medians.

    It is drawn at once, or as soon as the shoe is heard again: what it says to nobody would be a gap.
    """
    with demo(Settings(seed=1, headless=True)) as table, console.status("kills") as status:
        table.people.new_shoe()
        took: dict[str, list[float]] = {}
        for run in range(RUNS):
            for name in PROCESSES:
                took.setdefault(name, []).append(_killed(table, name))
                status.update(f"kills: {run + 1} of {RUNS}")
        return {name: statistics.median(times) for name, times in took.items()}


def _killed(table: Demo, name: str) -> float:
    """A free hand of two cards, and a kill before the second."""
    screen, hands, people = table.people.screen, table.people.hands, table.people
    screen.tap("free_hand", until=lambda: not screen.keys("free_hand"))
    hands.draw("punto")
    screen.wait(lambda: screen.cards("punto") == [True])
    child = next(child for child in table.supervisor.children if child.name == name)
    pid = child.pid
    if pid is None:
        raise RuntimeError(f"the process {name} does not run")
    began = time.perf_counter()
    os.kill(pid, signal.SIGKILL)
    while child.pid == pid or not hands.shoe.do("look")["listening"]:
        time.sleep(LOOK)
    hands.draw("banca")
    screen.wait(lambda: screen.cards("banca") == [True])
    took = time.perf_counter() - began
    people.rule("rule", action="void_round")
    hands.clear()
    hands.shoe.do("end_round")
    screen.wait(lambda: bool(screen.keys("free_hand")))
    return took
