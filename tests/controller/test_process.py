"""A process of a table: one line when it cannot run, and an end when it is told to or left alone."""

import gc
import json
import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from config.load import load
from controller.bus import Bus
from controller.journal import Draft, Journal
from controller.journals import of_day
from controller.notes import JournalOpened
from controller.process import Stop, calm, tidy
from controller.processes import processes

Writes = Callable[..., Path]


def run(name: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """One process, to its end."""
    command = [sys.executable, "-P", "-m", f"controller.run.{name}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=30)


def complaint(done: "subprocess.CompletedProcess[str]") -> str:
    """The one line with which it ended; what it logs is JSON."""
    assert done.returncode == 2, done.stderr
    assert not done.stdout
    lines = [line for line in done.stderr.splitlines() if not line.startswith("{")]
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_a_table_file_that_cannot_be_used_is_said_in_one_line(tmp_path: Path, a_table_file: Writes) -> None:
    assert complaint(run("table", str(tmp_path / "nowhere.toml"))).endswith(
        "nowhere.toml: cannot be read: No such file or directory"
    )
    path = a_table_file(tmp_path, seats="70")
    assert f"sabot: {path}" in complaint(run("table", str(path)))


def test_a_journal_that_somebody_writes_is_said_in_one_line(tmp_path: Path, a_table_file: Writes) -> None:
    path = a_table_file(tmp_path)
    folder = load(path).at("journals")
    folder.mkdir()
    with Journal(of_day(folder, "T-1", date(2026, 1, 1))) as journal:
        journal.append([Draft(JournalOpened("T-1", "0.1.0"), "controller")])
        journal.commit()
        assert f"process {os.getpid()} writes this journal" in complaint(run("table", str(path)))


def test_a_bus_that_somebody_serves_is_said_in_one_line(tmp_path: Path, a_table_file: Writes) -> None:
    path = a_table_file(tmp_path)
    bus = Bus(load(path).at("run"))
    try:
        assert f"process {os.getpid()} serves this bus" in complaint(run("table", str(path)))
    finally:
        bus.close()


NO_COMMAND = (
    "shoe.commands: 'open' is no command of this shoe; it knows cancel_error, confirm_game, lock, unlock"
)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("driver", '"angle-eye"', "shoe.driver: 'angle-eye' is no driver; known: angel-eye-2ex"),
        ("port", '"COM3"', "shoe.port: 'COM3' is no port: write /dev/serial/by-id/... or socket://host:port"),
        ("driver", '"angel-eye-2ex"\ncommands = ["open"]', NO_COMMAND),
    ],
)
def test_what_no_shoe_can_be_is_said_at_the_start_with_its_key(
    key: str, value: str, says: str, tmp_path: Path, a_table_file: Writes
) -> None:
    path = a_table_file(tmp_path, **{key: value})
    assert complaint(run("shoe", str(path))) == f"sabot: {path}: {says}"


def test_a_layout_that_there_is_not_is_said_with_its_key(
    tmp_path: Path, a_table_file: Writes, with_camera: str
) -> None:
    path = a_table_file(tmp_path, with_camera)
    layout = tmp_path / "nowhere"
    assert (
        complaint(run("camera", str(path)))
        == f"sabot: {path}: camera.layout: {layout}: No such file or directory"
    )


def test_a_process_whose_parent_is_gone_before_it_looks_ends(tmp_path: Path, a_table_file: Writes) -> None:
    done = run("table", str(a_table_file(tmp_path)), "--parent", "999999999")
    assert done.returncode == 0
    assert json.loads(done.stderr.splitlines()[-1])["event"] == "the table is ready"


def test_a_process_that_is_told_to_ends(tmp_path: Path, a_table_file: Writes) -> None:
    command = [sys.executable, "-P", "-m", "controller.run.table", str(a_table_file(tmp_path))]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        assert "the table is ready" in process.stderr.readline()
        process.terminate()
        assert process.wait(5) == 0


def test_to_end_is_to_be_told_or_to_be_left_alone() -> None:
    before = signal.getsignal(signal.SIGTERM)
    try:
        assert Stop(os.getppid() + 1)()
        stop = Stop(os.getppid())
        assert not stop()
        os.kill(os.getpid(), signal.SIGTERM)
        while not stop():
            time.sleep(0.01)
    finally:
        signal.signal(signal.SIGTERM, before)


def test_the_processes_are_those_that_the_table_file_needs(
    tmp_path: Path, a_table_file: Writes, with_camera: str
) -> None:
    path = a_table_file(tmp_path, with_camera)
    assert [child.name for child in processes(load(path), path)] == ["table", "shoe", "camera", "display"]
    path = a_table_file(tmp_path)
    children = processes(load(path), path, capture=tmp_path / "shift.bin")
    assert [child.name for child in children] == ["table", "shoe", "display"]
    kept = [child.name for child in children if "--capture" in child._command]
    assert kept == ["shoe"]


def test_the_collector_rests_while_a_table_runs() -> None:
    before = gc.get_threshold()
    try:
        calm()
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold() > before
        circle: list[object] = [{"a card"}]
        circle.append(circle)
        seen = weakref.ref(circle[0])
        del circle
        assert seen() is not None
        tidy()
        assert seen() is None
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
