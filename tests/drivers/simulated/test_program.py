"""The simulated shoe as a program, heard through the real port and the real driver."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from drivers.device import Device
from rules.cards import DECK
from rules.facts import (
    CardDrawn,
    CardReread,
    CardReturned,
    CardsBurned,
    CutCardOut,
    DeviceHello,
    DeviceState,
    Fact,
    FaultCleared,
    FaultRaised,
    GapFound,
    LockChanged,
    ShoeResult,
)

Start = Callable[..., Any]


class Ear:
    """Listens to the shoe; what the line and the ladder say of themselves is left out."""

    def __init__(self, path: Path, **settings: Any) -> None:
        self.device = Device("angel-eye-2ex", str(path), **settings)
        while not self.device.link.opened:
            self.device.read(0.01)

    def hear(self, quiet: float = 0.02) -> list[Fact]:
        """All that comes until nothing comes."""
        facts: list[Fact] = []
        before, reports = -1, self.device.read(0)
        facts += [fact for fact, _ in reports]
        while reports or before < self.device.link.counts.bytes:
            before = self.device.link.counts.bytes
            reports = self.device.read(quiet)
            facts += [fact for fact, _ in reports]
        return [fact for fact in facts if not (isinstance(fact, DeviceState) and "rung" in fact.detail)]


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[Callable[..., Ear]]:
    made: list[Ear] = []

    def listen(**settings: Any) -> Ear:
        made.append(Ear(tmp_path / "shoe", **settings))
        return made[-1]

    yield listen
    for one in made:
        one.device.close()


@pytest.fixture
def shoe(simulated: Start) -> Any:
    """A shoe of which nothing was said yet."""
    return simulated("--seed", "7")


def drawn(facts: list[Fact]) -> list[str]:
    return [str(fact.card or "??") for fact in facts if isinstance(fact, CardDrawn)]


def test_a_new_shoe_starts_and_burns(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard = ear()
    shoe.do("load")
    answer = shoe.do("burn")
    facts = heard.hear()
    assert facts[:2] == [DeviceHello({"device": "angel-eye-2ex"}), DeviceState({"state": "standby"})]
    first, count, *rest = facts[2:]
    assert first == CardsBurned((answer["card"],), first=True)
    assert count == DeviceState({"burn_count": len(answer["burned"])})
    assert rest == [CardsBurned((card,)) for card in answer["burned"]]


def test_every_card_of_a_shoe_with_its_rounds_and_its_cut_card(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard, facts, physical = ear(), [], []
    for _ in range(416):
        shoe.tell("draw")
        shoe.tell("end_round")
        answer, _ = shoe.answers(2)
        physical.append(answer["card"])
        facts += heard.hear(0.002)
    facts += heard.hear()
    assert drawn(facts) == physical
    assert Counter(physical) == dict.fromkeys(DECK, 8)
    assert facts.count(CutCardOut()) == 1
    behind = [fact for fact in facts[facts.index(CutCardOut()) :] if isinstance(fact, CardDrawn)]
    assert len(behind) == 14
    assert not any(isinstance(fact, GapFound) for fact in facts)


def test_a_burst_of_rounds_is_all_there_and_in_order(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard = ear()
    for _ in range(400):
        shoe.tell("draw")
    facts = heard.hear(0.3)
    physical = [answer["card"] for answer in shoe.answers(400)]
    assert drawn(facts) == physical
    assert shoe.do("look")["dropped"] == 0


def test_a_round_and_its_result(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard, facts = ear(), []
    while not any(isinstance(fact, ShoeResult) for fact in facts):
        shoe.do("draw")
        facts += heard.hear()
    cards = [fact for fact in facts if isinstance(fact, CardDrawn)]
    assert [(card.hint, card.ordinal) for card in cards[:4]] == [
        ("punto", 1),
        ("banca", 1),
        ("punto", 2),
        ("banca", 2),
    ]
    shoe.do("draw")
    assert [type(fact) for fact in heard.hear()] == [FaultRaised, CardDrawn], "it draws too much"
    shoe.do("clear")
    shoe.do("end_round")
    assert heard.hear() == [FaultCleared("overdraw"), DeviceState({"state": "standby"})]
    shoe.do("draw")
    shoe.do("end_round")
    assert heard.hear()[1:] == [ShoeResult(None), DeviceState({"state": "standby"})]


def test_a_card_that_cannot_be_read_and_is_told_later(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard = ear()
    answer = shoe.do("draw", fault="unread")
    assert heard.hear() == [CardDrawn(None, "punto", 1), FaultRaised("unreadable")]
    shoe.do("clear")
    shoe.do("reread")
    assert heard.hear() == [FaultCleared("unreadable"), CardReread(answer["card"], "punto", 1)]
    shoe.do("reread")
    assert heard.hear() == []


def test_a_card_that_is_read_twice_misread_or_silent(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard = ear()
    answer = shoe.do("draw", fault="double_scan")
    assert drawn(heard.hear()) == [answer["card"]] * 2
    answer = shoe.do("draw", fault="misread")
    told = drawn(heard.hear())
    assert len(told) == 1
    assert told != [answer["card"]]
    assert shoe.do("draw", fault="silent_draw")["sent"] is False
    assert heard.hear() == []


@pytest.mark.parametrize(("copies", "gap"), [(1, False), (2, False), (3, True)])
def test_damaged_copies(shoe: Any, ear: Callable[..., Ear], copies: int, gap: bool) -> None:  # noqa: FBT001
    heard = ear()
    first = shoe.do("draw")["card"]
    second = shoe.do("draw", fault="damage", copies=copies)["card"]
    third = shoe.do("draw")["card"]
    facts = heard.hear()
    assert drawn(facts) == [first, third] if gap else [first, second, third]
    assert (GapFound(1) in facts) is gap


@pytest.mark.parametrize("copy", [0, 1, 2])
def test_a_copy_that_differs(shoe: Any, ear: Callable[..., Ear], copy: int) -> None:
    heard = ear()
    answer = shoe.do("draw", fault="differ", copy=copy)
    facts = heard.hear()
    last = [fact.card for fact in facts if isinstance(fact, CardDrawn | CardReread)][-1]
    assert last == answer["card"]
    assert FaultRaised("copies_differ", active=False) in facts
    assert FaultCleared("copies_differ") in facts


def test_two_telegrams_in_the_wrong_order(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard = ear()
    one, two, three, four = (shoe.do("draw", fault="swap_order" if n == 1 else "")["card"] for n in range(4))
    facts = [fact for fact in heard.hear() if not isinstance(fact, ShoeResult)]
    assert drawn(facts) == [one, three, two, four]
    assert sum(isinstance(fact, GapFound) for fact in facts) == 1


def test_a_card_pushed_back_comes_again(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard = ear()
    answer = shoe.do("draw")
    shoe.do("push_back")
    assert heard.hear()[1:] == [FaultRaised("reverse"), CardReturned("exit")]
    shoe.do("clear")
    again = shoe.do("draw")
    assert again["card"] == answer["card"]
    assert heard.hear() == [FaultCleared("reverse"), CardDrawn(answer["card"], "punto", 1)]
    shoe.do("push_back")
    assert "error" in shoe.do("push_back")
    assert "error" in shoe.do("reread")


def test_a_jam_an_overdraw_and_a_lock(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard = ear()
    shoe.do("jam")
    assert heard.hear() == [FaultRaised("timeout")]
    answer = shoe.do("draw")
    assert heard.hear() == [CardDrawn(answer["card"], None, None, "error")]
    shoe.do("clear")
    shoe.do("clear")
    assert heard.hear() == [FaultCleared("timeout")]
    answer = shoe.do("draw", fault="overdraw")
    assert heard.hear() == [FaultRaised("overdraw"), CardDrawn(answer["card"], None, None, "error")]
    shoe.do("clear")
    shoe.do("lock")
    answer = shoe.do("draw")
    shoe.do("unlock")
    assert heard.hear()[1:] == [
        LockChanged(locked=True),
        CardDrawn(answer["card"], None, None, "lock"),
        LockChanged(locked=False),
    ]


def test_noise_is_no_fact(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard = ear()
    shoe.do("noise", size=30)
    shoe.do("draw")
    assert len(drawn(heard.hear())) == 1
    assert heard.device.link.counts.dropped >= 30


def test_a_reboot_in_the_middle_of_a_round(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard = ear()
    shoe.do("draw")
    shoe.do("reboot")
    shoe.do("draw")
    facts = heard.hear()
    assert len(drawn(facts)) == 2
    assert DeviceHello({"device": "angel-eye-2ex"}) in facts
    assert not any(isinstance(fact, GapFound) for fact in facts)


def test_unplugged_in_the_middle_of_a_telegram_and_plugged_in_again(
    shoe: Any, ear: Callable[..., Ear], clock: Any
) -> None:
    heard = ear(clock=clock, pause=clock.pause)
    shoe.do("draw")
    assert len(drawn(heard.hear())) == 1
    old = shoe.do("look")["port"]
    shoe.do("draw", fault="cut_short")
    shoe.do("unplug")
    assert heard.hear()[-1] == FaultRaised("link_lost")
    shoe.do("draw")
    assert shoe.do("look")["dropped"] == 24
    assert shoe.do("replug")["port"] != old
    clock.now += 1.1
    assert heard.hear() == [FaultCleared("link_lost")]
    answer = shoe.do("draw")
    assert heard.hear()[:2] == [GapFound(2), CardDrawn(answer["card"], "banca", 2)]
    assert heard.device.link.reconnects == 1


def test_nobody_listens_and_nothing_waits(shoe: Any) -> None:
    for _ in range(300):
        shoe.tell("draw")
    assert len(shoe.answers(300)) == 300
    assert shoe.do("look")["listening"] is False
    assert shoe.do("look")["dropped"] >= 300 * 24


def test_a_listener_that_reads_nothing_is_not_waited_for(simulated: Start) -> None:
    shoe = simulated("--decks", "1", "--cut", "0")
    idle = os.open(shoe.link, os.O_RDWR | os.O_NOCTTY)
    shoe.do("noise", size=100_000)
    assert shoe.do("look")["dropped"] > 0
    os.close(idle)


def test_a_killed_shoe_is_replaced_by_one_that_knows_how_many_are_gone(simulated: Start) -> None:
    first = simulated("--seed", "3", "--cut", "20")
    came = [first.do("draw")["card"] for _ in range(400)]
    second = simulated("--seed", "3", "--cut", "20", "--from", "390")
    assert [second.do("draw")["card"] for _ in range(10)] == came[390:]
    assert second.do("look")["cut"] is False or second.do("look")["left"] < 20


def test_it_counts_with_what_it_is_given(simulated: Start, ear: Callable[..., Ear]) -> None:
    shoe = simulated("--numbers", "AB")
    heard = ear()
    shoe.do("draw")
    shoe.do("draw")
    heard.hear()
    assert '"A"' in heard.device.cursor


def test_the_host_may_lock_it_where_the_table_allows(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard = ear(commands={"lock", "unlock", "cancel_error", "confirm_game"})
    heard.device.command("lock")
    assert heard.hear(0.2) == [
        LockChanged(locked=True),
        DeviceState({"command": "lock", "answer": "accepted"}),
    ]
    assert shoe.do("look")["locked"] is True
    shoe.do("jam")
    heard.device.command("cancel_error", 7)
    assert DeviceState({"command": "cancel_error", "answer": "accepted"}) in heard.hear(0.2)
    heard.device.command("confirm_game")
    assert heard.hear(0.2) == [DeviceState({"command": "confirm_game", "answer": "accepted"})]


def test_a_check_of_the_other_kind_is_refused(shoe: Any, ear: Callable[..., Ear]) -> None:
    heard = ear(commands={"lock"}, settings={"bcc_includes_stx": False})
    heard.device.command("lock")
    assert heard.hear(0.2) == [DeviceState({"command": "lock", "answer": "check"})]
    heard.device._port.write(b"hello?")
    heard.hear()
    assert shoe.do("look")["locked"] is False


@pytest.mark.parametrize(
    "order", ['{"do": "fly"}', "{}", "[]", "hm", '{"do": "draw", "fault": "x"}', '{"do": "draw", "at": 1}']
)
def test_an_order_that_is_none_is_answered_by_what_is_wrong(shoe: Any, order: str) -> None:
    shoe._program.stdin.write(order + "\n")
    shoe._program.stdin.flush()
    assert set(shoe.answers(1)[0]) == {"error"}
    assert shoe.do("draw")["sent"] is True


def test_the_last_card_and_no_more(simulated: Start) -> None:
    shoe = simulated("--decks", "1", "--from", "51")
    assert shoe.do("draw")["left"] == 0
    assert "the shoe is empty" in shoe.do("draw")["error"]


def test_it_ends_with_its_input_and_takes_its_name_away(tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "drivers.simulated", "--link", str(link)],
        input="",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith('{"port": "/dev/pts/')
    assert not link.is_symlink()
