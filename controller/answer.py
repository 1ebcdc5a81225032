"""What the controller writes for a report: pure, from the table and the report to drafts of entries.

A device's facts go into the journal as they are. A tap becomes the facts that it means, or a refusal. Then
follows what the table does by itself: the next round opens.
"""

from collections.abc import Iterable

import msgspec

from controller import VERSION
from controller.codec import decode_strictly
from controller.journal import Draft
from controller.notes import JournalOpened, Note, SourceStarted, SupervisorCalled
from controller.table import CONTROLLER, PEOPLE, Table
from controller.taps import MOST, AnyTap, facts
from controller.topics import Report
from rules.facts import (
    WORD_OF,
    BetPlaced,
    CardDrawn,
    CardFaceUp,
    CardReread,
    CardReturned,
    CardsBurned,
    CardSeen,
    CardUnsure,
    CutCardOut,
    DeviceHello,
    DeviceState,
    Fact,
    FaultCleared,
    FaultRaised,
    GapFound,
    LockChanged,
    RoundOpened,
    ShoeEmptied,
    ShoeResult,
    TableSet,
    TakenOver,
    UnknownReport,
)

_OF_ITSELF = (DeviceHello, DeviceState, FaultRaised, FaultCleared, UnknownReport)
MAY: dict[str, tuple[type[Fact], ...]] = {
    "shoe": (
        *(CardDrawn, CardReread, CardsBurned, CutCardOut, CardReturned, CardFaceUp, GapFound),
        *(ShoeEmptied, ShoeResult, LockChanged),
        *_OF_ITSELF,
    ),
    "camera": (CardSeen, CardUnsure, *_OF_ITSELF),
}
"""What the table's own devices may report."""
_WORDS = {source: frozenset(WORD_OF[kind] for kind in kinds) for source, kinds in MAY.items()}

TAP = "tap"
"""The word of a report of a screen; its fact is a tap."""

_taps = msgspec.json.Decoder(AnyTap)


class RefusedError(ValueError):
    """The report will never be taken; the message says why."""


def answer(table: Table, report: Report) -> list[Draft]:
    """The entries of a report; raises `RefusedError` for one that its source may not make."""
    if report.source == PEOPLE:
        made: Iterable[Fact | Note] = facts(_tap(report), table)
    else:
        made = [_reported(table, report)]
    return [Draft(fact, report.source, report.boot, report.n, report.cursor) for fact in made]


def _tap(report: Report) -> AnyTap:
    if report.word != TAP:
        raise RefusedError(f"a screen sends taps, not {report.word!r}")
    try:
        tap: AnyTap = _taps.decode(report.fact)
    except msgspec.DecodeError as error:
        raise RefusedError(f"a tap that nobody understands: {error}") from None
    return tap


def _reported(table: Table, report: Report) -> Fact | Note:
    declared = table.config.file.sources.get(report.source)
    may = _WORDS.get(report.source, declared.may if declared else ())
    if report.word not in may:
        raise RefusedError(f"{report.source!r} may not report {report.word!r} at this table")
    try:
        fact = decode_strictly(report.word, bytes(report.fact))
    except ValueError as error:
        raise RefusedError(str(error)) from None
    if isinstance(fact, FaultRaised | FaultCleared) and fact.source != report.source:
        raise RefusedError(f"{report.source!r} may not report faults of {fact.source!r}")
    if isinstance(fact, BetPlaced) and not 0 <= fact.stake <= MOST:
        raise RefusedError(f"a stake is 0 to {MOST}")
    return fact


def follows(table: Table) -> list[Draft]:
    """What the table does by itself where it stands now."""
    return [Draft(RoundOpened(table.last_round + 1), CONTROLLER)] if table.opens else []


def silent(table: Table, source: str, *, heard: bool) -> list[Draft]:
    """A device whose process is silent holds the round, until it is heard again."""
    standing = table.play.standing
    held = (source, "silent") in table.faults
    if heard and held:
        return [Draft(FaultCleared("silent", source), CONTROLLER)]
    if not heard and not held and source not in standing.by_hand:
        return [Draft(FaultRaised("silent", source), CONTROLLER)]
    return []


def started(table: Table, source: str, boot: str) -> list[Draft]:
    """A source that started anew: the faults of its link are told anew, those of its device stay."""
    faults = [
        Draft(FaultCleared(code, source), CONTROLLER)
        for where, code in table.faults
        if where == source and code in ("silent", "link_lost", "garbled")
    ]
    return [Draft(SourceStarted(source, boot), CONTROLLER), *faults]


def continued(table: Table, previous: str, head: str, law: TableSet) -> list[Draft]:
    """The first entries of a journal that follows another: who was heard, and what still holds the table."""
    standing = table.play.standing
    opened = JournalOpened(
        table.config.file.table, VERSION, previous, head, table.last_round, table.heard, table.pins
    )
    carried: list[Fact | Note] = [TakenOver("manual", of=device) for device in sorted(standing.by_hand)]
    carried += table.faults.values()
    if table.called:
        carried.append(SupervisorCalled(on=True))
    links = [Draft(DeviceState(detail), device) for device, detail in table.devices.items()]
    return [*(Draft(fact, CONTROLLER) for fact in (opened, law, *carried)), *links]
