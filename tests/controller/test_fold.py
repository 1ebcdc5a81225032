"""The table is a fold of its journal: whatever people and devices do, the journal alone gives it back.

Hypothesis plays: bets, cards, faults, rulings, restarts, days, and reports that no sane device would make.
"""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.journal import Reading
from controller.journals import joint
from controller.table import Table
from rules.cards import Card
from rules.facts import (
    BetPlaced,
    CardDrawn,
    CardFaceUp,
    CardReread,
    CardReturned,
    CardsBurned,
    CardSeen,
    CutCardOut,
    DeviceHello,
    DeviceState,
    FaultCleared,
    FaultRaised,
    GapFound,
    LockChanged,
    ShoeEmptied,
    ShoeResult,
    UnknownReport,
)
from rules.play import ACTIONS

SHARED = Path("/dev/shm")  # noqa: S108 - where Linux has it

CAMERA = """
[camera]
source = "nowhere"
layout = "nowhere"
deck   = "nowhere"
"""

cards = st.sampled_from([card for card in Card if card is not Card.JOKER])
seats = st.integers(0, 8)
bets = st.sampled_from(["punto", "banca", "empate", "dragon_7", "panda_8", "x"])
spots = st.sampled_from(["punto", "banca", "burn", "seat 1"])
codes = st.sampled_from(["jam", "link_lost", "silent"])

taps = st.one_of(
    st.tuples(
        st.just("bet"),
        st.fixed_dictionaries(
            {"seat": seats, "bet": bets, "add": st.sampled_from([2500, 10000, -2500, 10**12])}
        ),
    ),
    st.tuples(st.just("clear_bet"), st.fixed_dictionaries({"seat": seats, "bet": bets})),
    st.tuples(
        st.sampled_from(["repeat_bets", "clear_bets", "free_hand", "shoe_loaded", "cut_card"]), st.just({})
    ),
    st.tuples(st.just("paid"), st.just({})),
    st.tuples(st.just("burn_card"), st.fixed_dictionaries({"card": st.one_of(st.none(), cards)})),
    st.tuples(
        st.just("takeover"),
        st.fixed_dictionaries(
            {"mode": st.sampled_from(["manual", "device"]), "of": st.sampled_from(["shoe", "camera", "both"])}
        ),
    ),
    st.tuples(st.just("card"), st.fixed_dictionaries({"card": cards, "at": st.one_of(st.none(), spots)})),
    st.tuples(st.just("call"), st.fixed_dictionaries({"on": st.booleans()})),
    st.tuples(st.just("pin"), st.fixed_dictionaries({"operator": st.just("1001"), "good": st.booleans()})),
)
rulings = st.tuples(
    st.sampled_from(ACTIONS), st.integers(0, 12), st.one_of(st.none(), cards), st.one_of(st.none(), seats)
)
from_shoe = st.one_of(
    st.builds(CardDrawn, st.one_of(st.none(), cards), st.one_of(st.none(), spots), st.none()),
    st.builds(CardDrawn, cards),
    st.builds(CardReread, st.one_of(st.none(), cards), spots, st.integers(0, 4)),
    st.builds(CardsBurned, st.tuples(cards), st.booleans()),
    st.builds(GapFound, st.integers(0, 3)),
    st.builds(FaultRaised, codes),
    st.builds(FaultCleared, codes),
    st.just(CutCardOut()),
    st.just(ShoeEmptied()),
    st.builds(ShoeResult, st.sampled_from([None, "punto", "banca", "empate", "x"])),
)
from_camera = st.one_of(
    st.builds(CardSeen, st.one_of(st.none(), cards), spots), st.builds(FaultRaised, codes, st.just("camera"))
)
# What no sane device would say, and a broken one may.
counts = st.one_of(st.none(), st.integers(0, 9))
odd = st.one_of(
    st.builds(
        CardDrawn,
        st.one_of(st.none(), st.sampled_from(Card)),
        st.text(max_size=3),
        counts,
        st.text(max_size=3),
    ),
    st.builds(CardReread, st.one_of(st.none(), st.sampled_from(Card)), st.text(max_size=3), counts),
    st.builds(CardsBurned, st.lists(st.one_of(st.none(), st.sampled_from(Card)), max_size=12).map(tuple)),
    st.builds(CardReturned, st.text(max_size=3)),
    st.builds(CardFaceUp, st.sampled_from(Card)),
    st.builds(GapFound, st.integers(-5, 2**53)),
    st.builds(ShoeResult, st.text(max_size=3), st.lists(spots, max_size=3).map(tuple)),
    st.builds(LockChanged, st.booleans()),
    st.builds(UnknownReport, st.text(max_size=8)),
    st.builds(DeviceHello, st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)),
    st.builds(
        DeviceState,
        st.fixed_dictionaries({"rung": st.sampled_from(["silent", "decoding"]), "why": st.just("")}),
    ),
)
rounds = st.lists(cards, min_size=4, max_size=7)

actions = st.one_of(
    st.tuples(st.just("tap"), taps),
    st.tuples(st.just("tap"), taps),
    st.tuples(st.just("shoe"), from_shoe),
    st.tuples(st.just("camera"), from_camera),
    st.tuples(st.just("odd"), odd),
    st.tuples(st.just("chips"), st.builds(BetPlaced, seats, bets, st.sampled_from([0, 2500, 10000]))),
    st.tuples(st.just("rule"), rulings),
    st.tuples(st.just("round"), rounds),
    st.tuples(st.just("again"), st.integers(1, 4)),
    st.tuples(st.sampled_from(["restart", "reboot", "day", "silence", "shoe anew"]), st.none()),
)


def act(table: Any, kind: str, what: Any) -> None:  # noqa: C901, PLR0912 - one case a kind of thing that happens
    """Something happens at the table."""
    match kind:
        case "tap":
            table.tap(what[0], **what[1])
        case "shoe":
            table.report("shoe", what)
        case "camera":
            table.beats("shoe")
            table.report("camera", what)
        case "odd":
            table.report("shoe", what)
        case "chips":
            table.report("chips-1", what)
        case "rule":
            action, back, card, seat = what
            n = table.table.head - back if back else None
            table.tap("rule", action=action, n=n, card=card, seat=seat, by="1001")
        case "round":
            table.bets()
            for card in what:
                table.report("shoe", CardDrawn(card))
                table.beats("shoe")
                table.report("camera", CardSeen(card, table.table.play.felt.awaits().spot or "punto"))
            table.tap("paid")
        case "again":
            for report in table.sent[-what:]:
                table.send(report)
        case "restart":
            table.restart()
        case "reboot":
            table.reboot("shoe")
        case "day":
            table.time.next_day()
        case "silence":
            table.time.passes(3)
            table.loop.turn(0)
        case "shoe anew":
            table.loads()


@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.lists(actions, max_size=25), st.booleans())
def test_the_journal_alone_gives_the_table_back_at_every_entry(
    a_desk: Callable[..., Any],
    a_table_file: Callable[..., Path],
    state_of: Callable[[Table], Any],
    course: list[tuple[str, Any]],
    seen: bool,  # noqa: FBT001 - Hypothesis says whether there is a camera
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="sabot-", dir=SHARED if SHARED.is_dir() else None))
    table = a_desk(a_table_file(folder, CAMERA if seen else ""))
    try:
        stood = {table.table.head: state_of(table.table)}
        table.loads()
        for kind, what in course:
            if kind == "camera" and not seen:
                continue
            act(table, kind, what)
            stood[table.table.head] = state_of(table.table)
        table.close()
        _check(sorted((folder / "journals").glob("*.journal")), table, stood, state_of)
    finally:
        table.close()
        shutil.rmtree(folder)


def _check(paths: list[Path], table: Any, stood: dict[int, Any], state_of: Callable[[Table], Any]) -> None:
    """Fold every journal from its own beginning: at every entry it stands where the controller stood."""
    entries, numbers = [], list[int]()
    for path in paths:
        folded = Table(table.table.config)
        with Reading(path) as reading:
            assert reading.verify() is None
            for entry in reading.since():
                folded.after(entry)
                entries.append(entry)
                if entry.seq in stood:
                    assert state_of(folded) == stood[entry.seq]
        assert joint(path) is None
        rounds = (folded.play.round(i) for i in range(len(folded.play)))
        numbers += [one.number for one in rounds if one.bets or one.laid]
    assert [entry.seq for entry in entries] == list(range(1, table.table.head + 1))
    # Whatever a reader was told is in the journal, each entry once and in order.
    assert table.wire.published == entries
    # A report is in the journal once.
    reported = {(entry.source, entry.boot, entry.n) for entry in entries if entry.n}
    runs = [
        (e.source, e.boot, e.n) for i, e in enumerate(entries) if e.n and _first_of_its_report(entries, i)
    ]
    assert len(runs) == len(reported)
    opened = [entry.fact.number for entry in entries if entry.word == "round"]
    for used in (numbers, opened):
        assert used == sorted(set(used)), "a number is used once"


def _first_of_its_report(entries: list[Any], i: int) -> bool:
    entry, before = entries[i], entries[i - 1]
    return bool((entry.source, entry.boot, entry.n) != (before.source, before.boot, before.n))
