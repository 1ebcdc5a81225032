"""Recorded journals say today what they said when they were recorded: every prompt, refusal and payout.

A change of the rules shows here as a changed text beside the journal, to be read and committed, or not.
"""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from rules.felt import REMEDIES

HERE = Path(__file__).parent
JOURNALS = sorted(HERE.glob("*.jsonl"))


@pytest.fixture(scope="module")
def expected() -> ModuleType:
    """The program that tells what a journal says."""
    spec = importlib.util.spec_from_file_location("expected", HERE / "expected.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_recorded_journal_says_what_it_said(expected: ModuleType, path: Path) -> None:
    said = expected.replayed(expected.recorded(path))
    assert said.splitlines() == path.with_suffix(".txt").read_text(encoding="utf-8").splitlines()


def test_the_journals_show_every_irregularity_that_a_shoe_and_a_camera_can_make() -> None:
    shown = "".join(path.with_suffix(".txt").read_text(encoding="utf-8") for path in JOURNALS)
    # Those of tables whose shoe tells no face are not recorded here.
    missing = {code for code in REMEDIES if f"| {code} of " not in shown} - {"same_card_again"}
    assert not missing
    for word in ("refused: over_limit", "void", "dragon_7", "art. 11.e", "art. 8.d"):
        assert word in shown


def test_a_recorded_journal_has_no_clock_in_it() -> None:
    for path in JOURNALS:
        for text in path.read_text(encoding="utf-8").splitlines():
            assert sorted(json.loads(text)) == ["fact", "seq", "source", "word"]
