"""What the types of a table file cannot say: that its sections fit each other, and the game."""

import re
from collections import Counter
from collections.abc import Iterator

from config.schema import TableFile
from rules.facts import WORDS
from rules.law import Law

OURS = ("shoe", "camera", "dealer", "controller")
"""The sources that a table has of itself; nobody else may speak under their names."""
NOT_FOR_OTHERS = frozenset({"table", "round", "rule", "takeover"})
"""What the controller and the supervisor say, and no other source."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""What names files and sources."""
_CURRENCY = re.compile(r"[A-Z]{3}")
_PIN = re.compile(r"\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{16,}")
_KEY = re.compile(r"[0-9a-zA-Z.\-:+=^!/*?&<>()\[\]{}@%$#]{40}")
_TCP = re.compile(r"tcp://\S+:([1-9]\d*)")


def check(file: TableFile, law: Law) -> None:
    """Raise `ValueError` for the first thing that makes no sense: its place, and what may stand there."""
    for complaints in (_names, _money, _devices, _bus, _readers, _sources, _operators):
        for complaint in complaints(file):
            raise ValueError(complaint)
    for complaint in _bets(file, law):
        raise ValueError(complaint)


def _names(file: TableFile) -> Iterator[str]:
    if not NAME.fullmatch(file.table):
        yield f"table: {file.table!r} names files; write it in letters, digits, '-', '_' and '.', like BAC-07"


def _money(file: TableFile) -> Iterator[str]:
    if not _CURRENCY.fullmatch(file.money.currency):
        yield f"money.currency: {file.money.currency!r} is none; write its three letters, like PEN"
    if not file.money.chips:
        yield "money.chips: list the denominations of the house, the smallest first"
    if sorted(set(file.money.chips)) != file.money.chips:
        yield "money.chips: list every denomination once, the smallest first"


def _devices(file: TableFile) -> Iterator[str]:
    if file.shoe is None and file.camera is None:
        yield "shoe: a table without a shoe needs a camera, or nobody sees the cards"
    told = file.options.get("shoe")
    if file.shoe is None and told not in (None, "none"):
        yield f"options.shoe: is {told!r}, and there is no [shoe]; add it, or take the option out"
    if file.shoe is not None and told == "none":
        yield "options.shoe: is 'none', and there is a [shoe]; take one of them out"


def _bus(file: TableFile) -> Iterator[str]:
    ends = {"reports": file.bus.reports, "feed": file.bus.feed, "since": file.bus.since}
    named = {name: end for name, end in ends.items() if end is not None}
    many = Counter(named.values())
    for name, end in named.items():
        if not _TCP.fullmatch(end):
            yield f"bus.{name}: {end!r} is no endpoint for others; write tcp://ADDRESS:PORT"
        if many[end] > 1:
            yield f"bus.{name}: {end} is named twice; every endpoint has a port of its own"
    if named and not file.bus.secret:
        yield "bus.secret: a tcp endpoint is encrypted; name the file with our CURVE keys (sabot keys)"


def _readers(file: TableFile) -> Iterator[str]:
    keys = Counter([*file.bus.readers.values(), *(source.key for source in file.sources.values())])
    for name, key in file.bus.readers.items():
        if name in file.sources or name in OURS:
            yield f"bus.readers.{name}: a source has that name; a reader has one of his own"
        if not _KEY.fullmatch(key):
            yield f"bus.readers.{name}: is no public CURVE key; it has 40 characters (sabot keys)"
        if keys[key] > 1:
            yield f"bus.readers.{name}: that key is listed twice; everybody has a key of his own"


def _sources(file: TableFile) -> Iterator[str]:
    keys = Counter(source.key for source in file.sources.values() if source.key)
    words = [word for word in WORDS if word not in NOT_FOR_OTHERS]
    for name, source in file.sources.items():
        if name in OURS or not NAME.fullmatch(name) or len(name) > 64:  # noqa: PLR2004 - the bus's longest
            yield f"sources.{name}: is no name for a source of others; take one like chips-1"
        if not source.may:
            yield f"sources.{name}.may: list the facts that are taken from it, like bet"
        for word in source.may:
            if word not in words:
                yield f"sources.{name}.may: {word!r} is no fact of others; there are {', '.join(words)}"
        if file.bus.reports and not source.key:
            yield f"sources.{name}.key: its public CURVE key is needed, as it comes by tcp (sabot keys)"
        if source.key and not _KEY.fullmatch(source.key):
            yield f"sources.{name}.key: is no public CURVE key; it has 40 characters (sabot keys)"
        if source.key and keys[source.key] > 1:
            yield f"sources.{name}.key: another source has that key; everybody has a key of his own"


def _operators(file: TableFile) -> Iterator[str]:
    pins = Counter(operator.pin for operator in file.operators.values())
    for number, operator in file.operators.items():
        if not _PIN.fullmatch(operator.pin):
            yield f"operators.{number}.pin: is no hash of a PIN; `sabot pin` makes one"
        if pins[operator.pin] > 1:
            yield f"operators.{number}.pin: another operator has the same; everybody has a PIN of his own"


def _bets(file: TableFile, law: Law) -> Iterator[str]:
    known = ", ".join(("main", *law.game.bets))
    for section, bets in (("limits", file.limits), ("rounding.bets", file.rounding.bets)):
        for bet in bets:
            if bet not in law.game.bets and not (bet == "main" and section == "limits"):
                yield f"{section}.{bet}: {file.game} has no such bet; it has {known}"
    for bet in law.offered:
        if law.limits(bet) is None:
            yield f"limits.{bet}: art. 14 wants a least and a most for every bet; {bet} = [2500, 500000], say"
