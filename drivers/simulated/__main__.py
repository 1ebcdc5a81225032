"""The simulated shoe as a program: JSON lines in, JSON lines out, and bytes on a pseudo-terminal.

It ends when its standard input does.
"""

import argparse
import json
import os
import select
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from drivers.simulated.host import obey
from drivers.simulated.line import Line
from drivers.simulated.sender import Sender
from drivers.simulated.shoe import Shoe, Truth

_GLANCE_MS = 50
"""How often a shoe that nobody listens to looks whether somebody does."""


class Program:
    """A shoe on its line, and the words by which it is told what to do."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.line = Line(options.link)
        random = Random(options.seed)  # noqa: S311 - repeatable on purpose
        self.sender = Sender(
            self.line, random, options.numbers, pace=options.pace / 1000, gap=options.copies_gap / 1000
        )
        self.shoe = Shoe(self.sender, random, decks=options.decks, seed=options.seed, cut=options.cut)
        self.shoe.skip(options.gone)
        shoe = self.shoe
        self._acts: dict[str, Callable[..., Truth]] = {
            "look": self.look,
            "draw": self.draw,
            "burn": shoe.burn,
            "stack": shoe.stack,
            "lose": shoe.lose,
            "cut_card": shoe.cut_card,
            "end_round": shoe.end_round,
            "load": shoe.load,
            "reboot": shoe.reboot,
            "reread": shoe.reread,
            "push_back": shoe.push_back,
            "jam": shoe.jam,
            "clear": shoe.clear,
            "lock": lambda: shoe.lock(locked=True),
            "unlock": lambda: shoe.lock(locked=False),
            "noise": self.noise,
            "unplug": self.unplug,
            "replug": self.replug,
        }

    def do(self, text: str) -> Truth:
        """One command, and its answer; a bad one is answered by what is wrong with it."""
        try:
            order = json.loads(text)
            act = order.pop("do")
            return {"do": act} | self._acts[act](**order)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            return {"error": f"{text.strip()}: {type(error).__name__}: {error}"}

    def look(self) -> Truth:
        """How the shoe and its line stand."""
        line = {"port": self.line.name, "listening": self.line.listening(), "dropped": self.line.dropped}
        return self.shoe.look() | line

    def draw(self, fault: str = "", copies: int = 1, copy: int = 0) -> Truth:
        """A card comes out, with a fault or without."""
        if fault not in _FAULTS:
            raise ValueError(f"no fault is called {fault}: {', '.join(sorted(_FAULTS))}")
        return self.shoe.draw(fault, copies=copies, copy=copy)

    def noise(self, size: int = 32) -> Truth:
        """Bytes that mean nothing are on the line."""
        self.sender.noise(size)
        return {}

    def unplug(self) -> Truth:
        """The cable is out."""
        self.line.unplug()
        return {}

    def replug(self) -> Truth:
        """The cable is in again; the terminal has another name and the link leads to it."""
        self.line.plug()
        return {"port": self.line.name}


_FAULTS = frozenset(
    {
        "",
        "cut_short",
        "damage",
        "differ",
        "double_scan",
        "misread",
        "overdraw",
        "silent_draw",
        "swap_order",
        "unread",
    }
)


def orders(program: Program) -> Iterator[str]:
    """The lines of standard input as they come; what the host says on the line is answered meanwhile."""
    rest = b""
    poll = select.poll()
    poll.register(0, select.POLLIN)
    while True:
        listened = program.line.listening()
        host = program.line.fileno()
        if listened and host is not None:
            poll.register(host, select.POLLIN)
        events = dict(poll.poll(None if listened else _GLANCE_MS))
        if listened and host is not None:
            poll.unregister(host)
            said = program.line.read()
            if said:
                program.line.write(obey(program.shoe, said))
        if 0 in events:
            read = os.read(0, 65536)
            if not read:
                return
            *whole, rest = (rest + read).split(b"\n")
            yield from (line.decode() for line in whole if line.strip())


def options(arguments: list[str]) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m drivers.simulated", description=__doc__)
    add = parser.add_argument
    add("--link", type=Path, help="a stable name for the terminal, made and removed as the shoe is plugged")
    add("--decks", type=int, default=8)
    add("--seed", type=int, default=0, help="one seed, one order of cards and one noise")
    add("--cut", type=int, default=14, help="cards behind the cut card")
    add("--from", dest="gone", type=int, default=0, metavar="N", help="so many cards have already left")
    add("--numbers", default="1234567890", help="the characters that the shoe counts with")
    add("--pace", type=float, default=0.0, help="milliseconds before each telegram")
    add("--copies-gap", type=float, default=0.0, help="milliseconds between the copies of one")
    return parser.parse_args(arguments)


def main() -> None:
    """Play the shoe until standard input ends."""
    program = Program(options(sys.argv[1:]))
    program.line.plug()
    try:
        print(json.dumps({"port": program.line.name}), flush=True)  # noqa: T201 - answers are its output
        for order in orders(program):
            print(json.dumps(program.do(order)), flush=True)  # noqa: T201
    finally:
        program.line.unplug()


if __name__ == "__main__":
    main()
