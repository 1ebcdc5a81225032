"""The simulated shoe as the demo holds it: a program of its own, told what to do line by line."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from rules.cards import Card

ROOT = Path(__file__).parent.parent.parent


class ShoeProgram:
    """The program behind the pseudo-terminal; one that was killed is started anew where its cards were."""

    def __init__(self, link: Path, seed: int, decks: int, cut: int) -> None:
        self._link, self._decks, self._cut = link, decks, cut
        self._seed = seed
        self._gone = 0
        self._process = self._started()

    def _started(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-P", "-m", "drivers.simulated", "--link", str(self._link)]
        settings = {"seed": self._seed, "decks": self._decks, "cut": self._cut, "from": self._gone}
        for name, value in settings.items():
            command += [f"--{name}", str(value)]
        process = subprocess.Popen(  # noqa: S603 - our own module
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if process.stdout is None or not process.stdout.readline():
            raise RuntimeError("the simulated shoe did not start")
        return process

    @property
    def pid(self) -> int:
        """Of the program."""
        return self._process.pid

    def do(self, act: str, **order: Any) -> dict[str, Any]:
        """Tell it to do something; what happened to the cards. A dead program is started anew first."""
        for _ in range(2):
            try:
                answer = self._ask({"do": act, **order})
                break
            except (BrokenPipeError, EOFError):
                self.close()
                self._process = self._started()
        else:
            raise RuntimeError("the simulated shoe dies at once")
        if "do" not in answer:
            raise RuntimeError(f"the simulated shoe: {answer['error']}")
        if act == "load":
            self._seed, self._gone = self._seed + 1, 0
        self._gone += {"draw": 1, "burn": 1 + len(answer.get("burned", ())), "push_back": -1}.get(act, 0)
        return answer

    def _ask(self, order: dict[str, Any]) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise EOFError
        stdin.write(json.dumps(order) + "\n")
        stdin.flush()
        text = stdout.readline()
        if not text:
            raise EOFError
        answer: dict[str, Any] = json.loads(text)
        return answer

    def draw(self, fault: str = "", **more: int) -> Card:
        """The card that came out."""
        return Card(self.do("draw", fault=fault, **more)["card"])

    def close(self) -> None:
        """End the program."""
        if self._process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
