"""The eye over a drawn table: cards in, facts out; once each, and cheaply."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from rules.cards import card
from rules.facts import CardSeen, CardUnsure, DeviceState, Fact, FaultCleared, FaultRaised
from vision.camera import Frame, State, open_camera
from vision.drawn.server import FrameServer
from vision.drawn.table import FOREIGN, DrawnTable, Fault
from vision.eye import Eye, Settings
from vision.layout import Layout
from vision.read import IndexReader, Reading

HAND = (120, 150, 205)
LIVE = DeviceState({"rung": "live", "why": ""})


class World:
    """A camera over a drawn table, thirty pictures a second, in the test's own time."""

    def __init__(self, table: DrawnTable) -> None:
        self.table = table
        self.now = 100.0
        self.number = 0
        self.state = State("live")
        self.over: Callable[[MatLike], MatLike] = lambda picture: picture
        self.closed = False

    def __call__(self) -> float:
        """Its clock."""
        return self.now

    def grab(self, timeout: float) -> Frame | None:  # noqa: ARG002 - time is the test's own
        """The next picture."""
        self.now += 1 / 30
        if self.state.rung != "live":
            return None
        self.number += 1
        return Frame(self.over(self.table.render(self.number)), self.number, self.now)

    def close(self) -> None:
        """Note it."""
        self.closed = True


class CountingReader:
    """Counts how often a card is read."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader
        self.count = 0

    def read(self, picture: MatLike) -> Reading:
        """Read it as ever."""
        self.count += 1
        return self._reader.read(picture)


@pytest.fixture
def world(table: DrawnTable) -> World:
    return World(table)


@pytest.fixture
def counting(reader: IndexReader) -> CountingReader:
    return CountingReader(reader)


@pytest.fixture
def eye(world: World, layout: Layout, counting: CountingReader, tmp_path: Path) -> Eye:
    return Eye(world, layout, counting, Settings(fps=1e6, pictures=tmp_path / "stills"), clock=world)


def facts(eye: Eye, world: World, seconds: float = 0.5) -> list[Fact]:
    """What is reported in that time."""
    end = world.now + seconds
    seen: list[Fact] = []
    while world.now < end:
        seen += [fact for fact, _ in eye.read(end - world.now)]
    return seen


def cards(some: list[Fact]) -> list[tuple[str, str]]:
    """Who lies where, as one reads it."""
    return [
        (fact.at, fact.card or "back" if isinstance(fact, CardSeen) else fact.reason)
        for fact in some
        if isinstance(fact, CardSeen | CardUnsure)
    ]


def test_cards_are_seen_where_they_are_laid(eye: Eye, world: World) -> None:
    assert facts(eye, world) == []
    for number, (spot, name) in enumerate(
        (("punto", "8s"), ("banca", "Kd"), ("punto", "8s"), ("banca", "2c"))
    ):
        world.table.lay(card(name), spot, number // 2)
        assert cards(facts(eye, world)) == [(spot, name)]
    world.table.lay(card("6h"), "punto", 2)
    assert cards(facts(eye, world)) == [("punto", "6h")], "the third lies across"


def test_the_cursor_is_the_number_of_the_picture(eye: Eye, world: World) -> None:
    world.table.lay(card("8s"), "punto", 0)
    ((fact, cursor),) = eye.read(5)
    assert isinstance(fact, CardSeen)
    assert cursor == str(world.number)
    assert world.number == 3, "three pictures that agree are enough"


def test_a_card_is_turned_and_taken_away(eye: Eye, world: World) -> None:
    world.table.lay(None, "punto", 0)
    assert cards(facts(eye, world)) == [("punto", "back")]
    world.table.turn(card("9d"), "punto", 0)
    assert cards(facts(eye, world)) == [("punto", "9d")]
    world.table.clear()
    assert cards(facts(eye, world)) == []
    world.table.lay(card("9d"), "punto", 0)
    assert cards(facts(eye, world)) == [("punto", "9d")], "the next round brings another nine"


def test_a_card_that_is_pushed_a_little_is_the_same(eye: Eye, world: World) -> None:
    for step in range(6):
        if step:
            world.table.remove("punto", 0)
        world.table.lay(card("8s"), "punto", 0, angle=0, shift=(step * 5.0, 0))
        assert cards(facts(eye, world, 0.3)) == ([] if step else [("punto", "8s")])


def test_a_swapped_card_is_reported(eye: Eye, world: World) -> None:
    world.table.lay(card("8s"), "punto", 0)
    facts(eye, world)
    world.table.turn(card("3h"), "punto", 0)
    assert cards(facts(eye, world)) == [("punto", "3h")]


@pytest.mark.parametrize(
    ("fault", "reason"), [(Fault.GLARE, "glare"), (Fault.CHIPS, "covered"), (Fault.BLUR, "blurred")]
)
def test_a_card_that_cannot_be_read_is_unsure_after_a_while(
    eye: Eye, world: World, fault: Fault, reason: str
) -> None:
    world.table.lay(card("8s"), "punto", 1, fault=fault)
    assert facts(eye, world, 1.4) == []
    assert cards(facts(eye, world, 3)) == [("punto", reason)]
    world.table.turn(card("8s"), "punto", 1)
    assert cards(facts(eye, world)) == [("punto", "8s")]


def test_a_foreign_card_and_a_heap_are_unsure(eye: Eye, world: World) -> None:
    world.table.lay(card("8s"), "punto", 1, style=FOREIGN)
    assert cards(facts(eye, world, 2)) == [("punto", "foreign")]
    world.table.lay(card("8s"), "banca", 0, shift=(0, 0))
    assert cards(facts(eye, world)) == [("banca", "8s")]
    world.table.lay(card("9s"), "banca", 1, shift=(-40, 5))
    assert cards(facts(eye, world, 2)) == [("banca", "covered")]


def test_an_idle_table_is_not_read(eye: Eye, world: World, counting: CountingReader) -> None:
    for spot in ("punto", "banca"):
        for place in range(3):
            world.table.lay(card("8s"), spot, place)
    facts(eye, world)
    before = counting.count
    assert facts(eye, world, 3) == []
    assert counting.count == before
    world.table.remove("banca", 2)
    facts(eye, world)
    assert 0 < counting.count - before <= 12, "only the spot that changed is read, until that is settled"


def test_a_hand_passes_over(eye: Eye, world: World) -> None:
    world.table.lay(card("8s"), "punto", 0)
    world.table.lay(card("Kd"), "punto", 1)
    facts(eye, world)

    def reach(picture: MatLike) -> MatLike:
        # In and out again within 1.5 s, resting in the middle.
        x = int(400 - 250 * min(1.0, 2 * abs(world.now - start - 0.75)))
        cv2.line(picture, (x, 0), (x - 40, 190), HAND, 110, cv2.LINE_AA)
        return picture

    start = world.now
    world.over = reach
    assert facts(eye, world, 1.5) == []
    world.over = lambda picture: picture
    assert facts(eye, world) == []


def test_the_room_goes_dark_and_comes_back(eye: Eye, world: World) -> None:
    world.table.lay(card("8s"), "punto", 0)
    facts(eye, world)
    world.over = lambda picture: (picture // 12).astype(np.uint8)
    assert facts(eye, world, 3) == []
    world.over = lambda picture: picture
    assert facts(eye, world) == []


def test_a_still_shows_what_was_reported(eye: Eye, world: World, layout: Layout, tmp_path: Path) -> None:
    world.table.lay(card("8s"), "punto", 0)
    (seen,) = facts(eye, world)
    assert isinstance(seen, CardSeen)
    path = tmp_path / "stills" / f"{seen.picture}.jpg"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == seen.picture
    still = cv2.imread(str(path))
    assert still is not None
    assert still.shape[1::-1] == layout.zone("punto").size
    assert path.stat().st_size < 40_000
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_card_is_reported_without_a_still_where_none_can_be_kept(
    world: World, layout: Layout, reader: IndexReader, tmp_path: Path
) -> None:
    blocked = tmp_path / "stills"
    blocked.write_text("in the way")
    eye = Eye(world, layout, reader, Settings(fps=1e6, pictures=blocked), clock=world)
    for place, name in enumerate(("8s", "9s")):
        world.table.lay(card(name), "punto", place)
        (seen,) = facts(eye, world)
        assert isinstance(seen, CardSeen)
        assert seen.picture == ""
    blocked.unlink()
    world.table.lay(card("Ts"), "punto", 2)
    (seen,) = facts(eye, world)
    assert isinstance(seen, CardSeen)
    assert (blocked / f"{seen.picture}.jpg").is_file()


def test_the_state_of_the_camera_is_told_at_each_change(eye: Eye, world: World) -> None:
    world.state = State("absent", "/dev/video0: no such device")
    assert facts(eye, world) == [
        DeviceState({"rung": "absent", "why": "/dev/video0: no such device"}),
        FaultRaised("link_lost", "camera"),
    ]
    world.state = State("silent", "/dev/video0: it is open and gives no pictures")
    assert facts(eye, world) == [
        DeviceState({"rung": "silent", "why": "/dev/video0: it is open and gives no pictures"})
    ]
    world.state = State("live")
    assert facts(eye, world) == [LIVE, FaultCleared("link_lost", "camera")]


def test_pictures_of_another_size_are_no_pictures(eye: Eye, world: World) -> None:
    world.over = lambda picture: picture[:480, :640]
    assert facts(eye, world) == [
        DeviceState({"rung": "silent", "why": "its pictures are 640x480, and the layout is for 1280x720"}),
        FaultRaised("link_lost", "camera"),
    ]
    world.over = lambda picture: picture
    assert facts(eye, world) == [LIVE, FaultCleared("link_lost", "camera")]


def test_the_camera_is_closed_with_the_eye(eye: Eye, world: World) -> None:
    eye.close()
    assert world.closed


@pytest.fixture
def served(layout: Layout, reader: IndexReader, tmp_path: Path) -> Iterator[tuple[Eye, str]]:
    """An eye that watches a socket, in real time."""
    endpoint = f"ipc://{tmp_path}/table"
    eye = Eye(open_camera(f"drawn:{endpoint}"), layout, reader, Settings(source="overhead", fps=500))
    yield eye, endpoint
    eye.close()


def next_facts(eye: Eye) -> list[Fact]:
    return [fact for fact, _ in eye.read(20)]


def test_from_the_drawn_table_to_the_facts(served: tuple[Eye, str], table: DrawnTable) -> None:
    eye, endpoint = served
    with FrameServer(endpoint, table.render):
        assert next_facts(eye) == [LIVE]
        table.lay(card("8s"), "punto", 0)
        table.lay(None, "banca", 0)
        seen = next_facts(eye)
        while len(seen) < 2:
            seen += next_facts(eye)
        assert sorted(cards(seen)) == [("banca", "back"), ("punto", "8s")]
        table.turn(card("Ah"), "banca", 0)
        assert cards(next_facts(eye)) == [("banca", "Ah")]
        table.clear()
        assert eye.read(0.3) == []
        table.lay(card("8s"), "punto", 0)
        assert cards(next_facts(eye)) == [("punto", "8s")]
    lost = next_facts(eye)
    assert [type(fact) for fact in lost] == [DeviceState, FaultRaised]
    assert lost[1] == FaultRaised("link_lost", "overhead")
    with FrameServer(endpoint, table.render):
        assert next_facts(eye) == [LIVE, FaultCleared("link_lost", "overhead")]


def test_reading_ends_in_time(served: tuple[Eye, str], world: World, eye: Eye) -> None:
    waiting, _ = served
    assert waiting.read(0.0) == []
    assert waiting.read(0.05) == []
    before = world.now
    assert eye.read(1.0) == []
    assert world.now - before == pytest.approx(1.0, abs=0.1)


def test_no_more_pictures_a_second_than_asked_for(
    layout: Layout, reader: IndexReader, table: DrawnTable, tmp_path: Path
) -> None:
    taken: list[int] = []

    def render(number: int) -> MatLike:
        taken.append(number)
        return table.render(number)

    endpoint = f"ipc://{tmp_path}/table"
    with FrameServer(endpoint, render):
        eye = Eye(open_camera(f"drawn:{endpoint}"), layout, reader, Settings(fps=20))
        assert next_facts(eye) == [LIVE]
        taken.clear()
        assert eye.read(0.5) == []
        eye.close()
    assert 5 <= len(taken) <= 11
