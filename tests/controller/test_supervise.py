"""The processes of a table: there, or started again; none outlives the one that started it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.supervise import AGAIN, AT_FIRST, Child, Supervisor

SLEEPER = "import time; time.sleep(60)"
ENDING = "import sys; sys.exit(int(sys.argv[1]))"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
)


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Child]]:
    """Makes children that run a program."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    made: list[Child] = []

    def make(program: str, *arguments: str) -> Child:
        name = f"program_{len(made)}"
        (tmp_path / f"{name}.py").write_text(program)
        made.append(Child(name, [name, *arguments]))
        return made[-1]

    yield make
    for one in made:
        one.stop(0.5)


def ended(one: Child) -> None:
    """Wait until it is gone."""
    until(lambda: one.pid is None)


def until(done: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait until that is so."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_process_that_is_not_there_is_started_and_one_that_is_there_is_left_alone(
    child: Callable[..., Child],
) -> None:
    one = child(SLEEPER)
    assert one.pid is None
    one.tend(0)
    pid = one.pid
    assert pid
    one.tend(100)
    assert (one.pid, one.starts, one.code) == (pid, 1, None)


def test_a_process_that_was_killed_is_started_again_at_once(child: Callable[..., Child]) -> None:
    one = child(SLEEPER)
    one.tend(0)
    for start in range(2, 4):
        assert one.pid
        os.kill(one.pid, signal.SIGKILL)
        ended(one)
        one.tend(0.01 * start)
        assert one.starts == start
        assert one.pid


def test_a_process_that_cannot_live_is_tried_again_every_second_and_no_more_often(
    child: Callable[..., Child],
) -> None:
    one = child(ENDING, "1")
    one.tend(0)
    ended(one)
    for now in (0.1, 0.5, AGAIN - 0.01):
        one.tend(now)
        assert (one.starts, one.code) == (1, 1)
    one.tend(AGAIN)
    assert one.starts == 2
    assert not one.unusable


def test_a_process_that_says_at_its_first_start_that_it_cannot_run_ends_the_table(
    child: Callable[..., Child],
) -> None:
    good, bad = child(SLEEPER), child(ENDING, "2")
    supervisor = Supervisor([good, bad])
    assert supervisor.run(lambda: False) is bad
    assert bad.starts == 1
    supervisor.stop()
    assert good.pid is None


@pytest.mark.parametrize("when", ["at a later start", "after hours"])
def test_a_process_that_says_so_later_is_tried_again(child: Callable[..., Child], when: str) -> None:
    one = child(ENDING, "2" if when == "after hours" else "1")
    one.tend(0)
    ended(one)
    if when == "after hours":
        one.tend(AT_FIRST + 1)
    else:
        one.tend(0.5)
        one._command = [part if part != "1" else "2" for part in one._command]
        one.tend(AGAIN)
        ended(one)
        one.tend(AGAIN + 0.5)
        assert one.code == 2
    assert not one.unusable
    one.tend(AT_FIRST * 2)
    assert one.starts > 1


def test_a_supervisor_that_is_told_to_stop_ends_all(child: Callable[..., Child]) -> None:
    children = [child(SLEEPER) for _ in range(3)]
    supervisor = Supervisor(children)
    assert supervisor.run(lambda: all(one.pid for one in children)) is None
    supervisor.stop()
    assert [one.pid for one in children] == [None] * 3
    supervisor.stop()


def test_a_process_that_will_not_end_is_made_to(child: Callable[..., Child]) -> None:
    one = child(STUBBORN)
    one.tend(0)
    time.sleep(0.3)
    one.stop(0.2)
    assert one.pid is None


def test_a_process_that_never_was_started_is_ended_easily(child: Callable[..., Child]) -> None:
    child(SLEEPER).stop()


# Orphans.

PARENT = """
import sys, time
from pathlib import Path
from controller.supervise import Child
child = Child("table", ["controller.run.table", sys.argv[1]])
child.tend(0)
print(child.pid, flush=True)
time.sleep(60)
"""


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("when", ["before it looks", "while it works"])
def test_a_process_ends_when_the_one_that_started_it_is_killed(
    tmp_path: Path, a_table_file: Callable[..., Path], when: str
) -> None:
    path = a_table_file(tmp_path)
    command = [sys.executable, "-P", "-c", PARENT, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        if when == "while it works":
            until((tmp_path / "run" / "reports").exists)
        parent.kill()
    until(lambda: not alive(pid))
