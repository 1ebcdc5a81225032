"""`sabot demo`: the same seed plays the same table, and a scenario file is played as it is written."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.journal import Reading
from controller.rounds import told
from controller.scenario import UnusableError, load
from controller.simulate.actable import check
from controller.simulate.playing import ACTS
from controller.simulate.tables import LAYOUT
from vision.layout import load_layout

ROOT = Path(__file__).parent.parent.parent
SCENARIOS = ROOT / "tests" / "scenarios" / "ez_baccarat"


def demo(*arguments: object) -> "subprocess.CompletedProcess[str]":
    """The command, as it is typed."""
    command = [sys.executable, "-P", "-m", "controller", "demo", "--headless", "--json", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def figures(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    """What it says in the end."""
    assert (done.returncode, done.stderr) == (0, "")
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_one_seed_has_one_summary_and_every_round_of_it_is_settled_or_ruled_on() -> None:
    arguments = ("--game", "ez_baccarat", "--rounds", 16, "--faults", "--seed", 7)
    first, second = figures(demo(*arguments)), figures(demo(*arguments))
    assert first == second
    assert first["rounds"] == 16
    assert first["misdeals"] >= 1
    assert first["rulings"] >= 1
    with Reading(Path(second["journal"])) as reading:
        assert reading.verify() is None
        rounds = [one.round for one in told(reading.since())]
    assert [round_.over for round_ in rounds] == [True] * 16
    assert all(pay.article for round_ in rounds for pay in round_.payouts)
    paid = [pay.net for round_ in rounds for pay in round_.payouts]
    assert first["paid"] == sum(net for net in paid if net > 0)
    assert first["taken"] == -sum(net for net in paid if net < 0)


@pytest.mark.parametrize(
    "name",
    ["joined_bettor", "missing_card", "void_round", "cut_card_within_a_round", "a_closed_round_is_void"],
)
def test_a_scenario_is_played_by_the_processes_and_settled_as_it_is_written(name: str) -> None:
    figures(demo("--scenario", SCENARIOS / f"{name}.toml", "--seed", 11))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("card_face_up", "'face_up' has nobody to do it"),
        ("two_faults", "the simulated shoe has no fault 'door_open'; it has 'jam'"),
        ("a_fault_holds_the_round", "no card leaves a shoe that is jammed"),
        ("foreign_card", "the shoe has no word for the card joker"),
        ("card_on_the_burn_pile", "the felt has no spot 'burn'; it has banca, punto"),
        ("hidden_until_it_is_turned", "the hands lay cards face up"),
    ],
)
def test_what_the_simulated_table_cannot_act_is_said_before_anything_is_done(name: str, why: str) -> None:
    scenario = load(SCENARIOS / f"{name}.toml")
    with pytest.raises(UnusableError, match=f"{name}.toml: facts, table .*: cannot be acted .*: {why}"):
        check(scenario, ACTS, load_layout(LAYOUT))
