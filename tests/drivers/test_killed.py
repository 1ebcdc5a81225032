"""A driver process killed again and again, on a real terminal: its journal and the shoe agree."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

PROCESS = """
import json, sys
from drivers.decode import line
from drivers.device import Device
device = Device("angel-eye-2ex", sys.argv[1], cursor=sys.argv[2])
while True:
    for fact, cursor in device.read(0.1):
        print(json.dumps([line(fact), cursor]), flush=True)
"""


Entry = tuple[dict[str, Any], str]


class Driver:
    """A driver process; what it prints is what reaches the journal."""

    def __init__(self, link: Path, journal: list[Entry]) -> None:
        self._journal = journal
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", PROCESS, str(link), journal[-1][1] if journal else ""],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def until(self, fact: str) -> None:
        """Journal what it tells, up to a fact of that kind; what it logs is passed over."""
        assert self._process.stdout
        told = ""
        while told != fact:
            text = self._process.stdout.readline()
            assert text, "the driver died by itself"
            if text.startswith("["):
                entry = json.loads(text)
                self._journal.append((entry[0], entry[1]))
                told = entry[0]["fact"]

    def kill(self) -> None:
        """SIGKILL, whatever it is doing; what it did not print yet never reaches the journal."""
        self._process.kill()
        self._process.communicate()


def test_no_card_is_lost_in_silence_and_none_told_twice(simulated: Callable[..., Any]) -> None:
    shoe, random = simulated("--seed", "5"), Random(5)  # noqa: S311
    physical: list[str] = []
    journal: list[Entry] = []

    def draw() -> None:
        physical.append(shoe.do("draw")["card"])
        if len(physical) % 4 == 0:
            shoe.do("end_round")

    for _ in range(5):
        driver = Driver(shoe.link, journal)
        driver.until("state")
        for _ in range(random.randrange(8, 14)):
            draw()
            driver.until("draw")
        # Fewer than a turn of the count, on the way to a driver that is killed or to none.
        for _ in range(random.randrange(3)):
            draw()
        driver.kill()
        for _ in range(random.randrange(3)):
            draw()
    told = [entry[0] for entry in journal]
    assert sum(one["fact"] == "gap" for one in told) >= 2
    check(physical, told)


def check(physical: list[str], told: list[dict[str, Any]]) -> None:
    """Every card told is the next of the shoe; cards are passed over only behind a gap."""
    at, gap = 0, False
    for one in told:
        gap = gap or one["fact"] == "gap"
        if one["fact"] == "draw":
            passed = physical[at:].index(one["card"])
            assert gap or not passed, (at, passed)
            at, gap = at + passed + 1, False
