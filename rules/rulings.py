"""What the supervisor's rulings make of the log, which itself never changes.

The later ruling wins, so that a wrong ruling is mended by a ruling.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rules.facts import Fact, Ruled
from rules.felt import Line


@dataclass(slots=True)
class Amendments:
    """The rulings in force, by the number of the fact that they speak of."""

    right: dict[int, Fact | None] = field(default_factory=dict)
    """What the fact really was; `None` when it did not happen."""
    before: dict[int, list[Line]] = field(default_factory=dict)
    """What came before it; each under the number of its ruling."""
    marks: dict[int, str] = field(default_factory=dict)
    """`burn` or `resume`."""
    acting: set[int] = field(default_factory=set)
    """The rulings that were not struck."""

    def amended(self, lines: Sequence[Line]) -> Iterator[tuple[int, Fact, bool, str]]:
        """The lines as the supervisor left them, each with its mark."""
        for n, fact, by_hand in lines:
            for inserted_n, inserted, _ in self.before.get(n, ()):
                yield inserted_n, inserted, True, self.marks.get(inserted_n, "")
            if n in self.right:
                right = self.right[n]
                if right is not None:
                    yield n, right, True, self.marks.get(n, "")
            else:
                yield n, fact, by_hand, self.marks.get(n, "")


def in_force(rulings: Sequence[tuple[int, Ruled]]) -> Amendments:
    """The amendments of a log's rulings, given in their order."""
    numbers = {n for n, _ in rulings}
    made = Amendments()
    # Rulings on rulings, the last first: one that was struck does nothing, not even to others.
    acting: list[tuple[int, Fact]] = []
    for n, ruling in reversed(rulings):
        if n in made.right and made.right[n] is None:
            continue
        right: Fact | None = made.right.get(n, ruling)
        if isinstance(right, Ruled):
            if right.n is not None and right.n in numbers and right.action in ("strike", "replace"):
                made.right.setdefault(right.n, right.right)
        elif ruling.action == "insert":
            # Another fact was to be inserted.
            right = Ruled("insert", ruling.n, right, by=ruling.by, reason=ruling.reason)
        if right is not None:
            acting.append((n, right))
    made.acting = {n for n, _ in acting}
    for n, acts in reversed(acting):
        if isinstance(acts, Ruled) and acts.n is not None and acts.n not in numbers:
            _apply(made, n, acts, acts.n)
    return made


def _apply(made: Amendments, n: int, ruling: Ruled, target: int) -> None:
    match ruling.action:
        case "strike":
            made.right[target] = None
        case "replace" if ruling.right is not None:
            made.right[target] = ruling.right
            made.marks.pop(target, None)
        case "insert" if ruling.right is not None:
            made.before.setdefault(target, []).append((n, ruling.right, True))
        case "burn" | "resume":
            made.marks[target] = ruling.action
            if made.right.get(target, ruling) is None:
                del made.right[target]
        case _:
            pass  # void_round and void_seat act where they stand.
