"""`sabot run`: the processes of a table, once, until it is told to end."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from config.load import ConfigError
from controller import running
from controller.running import run_table

ROOT = Path(__file__).parent.parent.parent


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def sabot(*arguments: object) -> "subprocess.Popen[str]":
    """A command that runs."""
    command = [sys.executable, "-P", "-m", "controller", "run", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def path(tmp_path: Path, a_table_file: Callable[..., Path]) -> Path:
    return a_table_file(tmp_path, f"[display]\nport = {free_port()}\n")


@pytest.fixture
def kept() -> Iterator[Any]:
    """Signals as they were."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_table_runs_once_and_ends_when_it_is_told_to(path: Path) -> None:
    with sabot(path) as first:
        assert first.stdout
        assert first.stdout.readline().startswith("dealer   http://127.0.0.1:")
        assert first.stdout.readline().startswith("players  http://127.0.0.1:")
        with sabot(path) as second:
            _, said = second.communicate(timeout=20)
        assert second.returncode == 2
        assert said == f"sabot: {path}: process {first.pid} runs this table; stop it first\n"
        end = time.monotonic() + 20
        while not (path.parent / "run" / "feed").exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        first.terminate()
        first.communicate(timeout=20)
    assert first.returncode == 0
    holder = int((path.parent / "run" / "bus.lock").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(holder, 0)


def test_what_one_process_cannot_run_on_ends_the_table_with_its_line(
    path: Path, a_table_file: Callable[..., Path]
) -> None:
    a_table_file(path.parent, path.read_text()[path.read_text().index("[display]") :], driver='"angle-eye"')
    with sabot(path) as table:
        _, said = table.communicate(timeout=30)
    assert table.returncode == 2
    assert f"sabot: {path}: shoe.driver: 'angle-eye' is no driver; known: angel-eye-2ex" in said.splitlines()


def test_a_capture_needs_a_shoe(tmp_path: Path, a_table_file: Callable[..., Path], with_camera: str) -> None:
    path = a_table_file(tmp_path, with_camera)
    text = path.read_text()
    path.write_text(text[: text.index("[shoe]")] + text[text.index("[sources") :])
    with pytest.raises(ConfigError, match=r"has no \[shoe\] whose bytes could be kept"):
        run_table(path, tmp_path / "shift.bin")


@pytest.mark.usefixtures("kept")
def test_a_capture_is_handed_to_the_process_of_the_shoe(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[list[str]] = []

    class Watched:
        """In place of a supervisor."""

        def __init__(self, children: Any) -> None:
            started.extend(child._command for child in children)

        def run(self, _stopped: object) -> None:
            """Nothing runs."""

        def stop(self) -> None:
            """Nothing is to be ended."""

    monkeypatch.setattr(running, "Supervisor", Watched)
    monkeypatch.setattr(running, "logs", lambda: None)
    monkeypatch.chdir(path.parent)
    assert run_table(path, Path("shift.bin")) == 0
    (shoe,) = (command for command in started if "controller.run.shoe" in command)
    assert shoe[shoe.index("--capture") + 1] == str(path.parent / "shift.bin")
    assert "dealer" in capsys.readouterr().out


def test_a_bus_folder_that_cannot_be_made_is_said(path: Path) -> None:
    (path.parent / "run").touch()
    with pytest.raises(ConfigError, match=r"bus.folder .*run cannot be used: File exists"):
        run_table(path)
