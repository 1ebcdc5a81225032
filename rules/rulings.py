"""What the supervisor's rulings make of the log, which itself never changes.

The later ruling wins, so that a wrong ruling is mended by a ruling.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from rules.facts import Fact, GapFound, Ruled
from rules.felt import Held, Line

VOIDS = ("void_round", "void_seat")


@dataclass(slots=True)
class Amendments:
    """The rulings in force, by the number of the fact that they speak of."""

    right: dict[int, Fact | None] = field(default_factory=dict)
    """What the fact really was; `None` when it did not happen."""
    before: dict[int, list[tuple[int, Fact]]] = field(default_factory=dict)
    """What came before it; each under the number of its ruling."""
    marks: dict[int, str] = field(default_factory=dict)
    """`burn` or `resume`."""
    acting: dict[int, Ruled] = field(default_factory=dict)
    """The rulings that were not struck, as later ones left them."""
    voids: dict[int, list[tuple[int, Ruled]]] = field(default_factory=dict)
    """Rulings that void the round of a fact, or a seat in it."""

    def meaning(self, n: int, fact: Fact | None) -> Fact | None:
        """What a line is taken for; a ruling that inserts is the fact that it inserts, any other is none."""
        if not isinstance(fact, Ruled):
            return self.right.get(n) or fact
        ruling = self.acting.get(n)
        return ruling.right if ruling and ruling.action == "insert" else None

    def amended(self, lines: Sequence[Line]) -> Iterator[Held]:
        """The lines as the supervisor left them, each with its mark; of rulings only those that void.

        Those void where they stand, or at the end of the round whose fact they name.
        """
        for n, fact, by_hand in lines:
            for inserted_n, inserted in self.before.get(n, ()):
                yield Held(inserted_n, inserted, True, self.marks.get(inserted_n, ""))
            if isinstance(fact, Ruled):
                ruling = self.acting.get(n)
                if ruling is not None and ruling.action in VOIDS and ruling.n is None:
                    yield Held(n, ruling, True, "")
            elif n not in self.right:
                yield Held(n, fact, by_hand, self.marks.get(n, ""))
            elif (right := self.right[n]) is not None:
                yield Held(n, right, True, self.marks.get(n, ""))
                # Of several that are missing, one was told; the others still are, unless they were inserted.
                missing = fact.count - 1 - len(self.before.get(n, ())) if isinstance(fact, GapFound) else 0
                if missing > 0:
                    yield Held(n, GapFound(missing), by_hand, self.marks.get(n, ""))
        for n, _, _ in lines:
            for ruling_n, ruling in self.voids.get(n, ()):
                yield Held(ruling_n, ruling, True, "")

    def changed(self, earlier: "Amendments") -> set[int]:
        """The numbers of the lines that these amendments make something else of than earlier ones did."""
        kinds: list[tuple[Mapping[int, Any], Mapping[int, Any]]] = [
            (self.right, earlier.right),
            (self.before, earlier.before),
            (self.marks, earlier.marks),
            (self.voids, earlier.voids),
            (self.acting, earlier.acting),
        ]
        return {
            n
            for now, then in kinds
            for n in now.keys() | then.keys()
            if (n in now, now.get(n)) != (n in then, then.get(n))
        }


def speaks_of(said: Mapping[int, Ruled], n: int) -> int:
    """The fact that a number stands for in the end: of a ruling, what that ruling speaks of."""
    while n in said and (further := said[n].n) not in (None, n):
        n = further
    return n


def in_force(rulings: Sequence[tuple[int, Ruled]]) -> Amendments:
    """The amendments of a log's rulings, given in their order."""
    said = dict(rulings)
    made = Amendments(acting=said.copy())
    # Rulings on rulings, the last first: one that was struck does nothing, not even to others.
    mended: set[int] = set()
    for n, _ in reversed(rulings):
        ruling = made.acting.get(n)
        if ruling is None or ruling.n not in made.acting or ruling.n in mended:
            continue
        if ruling.action == "strike":
            del made.acting[ruling.n]
        elif ruling.action == "replace":
            mended.add(ruling.n)
            # A ruling was really another, or another fact was to be inserted.
            other = ruling.right
            made.acting[ruling.n] = (
                other if isinstance(other, Ruled) else replace(made.acting[ruling.n], right=other)
            )
    for n, ruling in made.acting.items():
        if ruling.n is not None:
            target = speaks_of(said, ruling.n) if ruling.action in VOIDS else ruling.n
            _apply(made, n, ruling, target)
    return made


def _apply(made: Amendments, n: int, ruling: Ruled, target: int) -> None:
    match ruling.action:
        case "strike":
            made.right[target] = None
        case "replace":
            made.right[target] = ruling.right
            made.marks.pop(target, None)
        case "insert":
            made.before.setdefault(target, []).append((n, cast("Fact", ruling.right)))
        case "burn" | "resume":
            made.marks[target] = ruling.action
            if made.right.get(target, ruling) is None:
                del made.right[target]
        case _:
            made.voids.setdefault(target, []).append((n, ruling))
