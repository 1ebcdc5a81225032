"""The drawn table: pictures that only depend on what lies there, the seed and their number."""

import threading
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
import zmq
from cv2.typing import MatLike

import vision
from rules.cards import DECK, JOKER, Card, card
from vision.camera import open_camera
from vision.deck import Deck
from vision.drawn.__main__ import main
from vision.drawn.faces import face
from vision.drawn.server import FrameServer
from vision.drawn.table import FOREIGN, DrawnTable, Fault, Light
from vision.layout import Layout


def differ(one: MatLike, other: MatLike) -> int:
    return int(cv2.absdiff(one, other).max())


def test_every_card_has_a_face_of_its_own() -> None:
    faces = [face(one).tobytes() for one in (*DECK, None)]
    assert len(set(faces)) == 53
    with pytest.raises(ValueError, match="no joker"):
        face(JOKER)


def test_the_same_cards_seed_and_number_give_the_same_picture(layout: Layout) -> None:
    def picture(seed: int, number: int) -> MatLike:
        table = DrawnTable(layout, seed)
        table.lay(card("8s"), "punto", 0)
        table.lay(None, "banca", 2, fault=Fault.GLARE)
        return table.render(number)

    assert differ(picture(1, 5), picture(1, 5)) == 0
    assert differ(picture(1, 5), picture(1, 6)) > 0
    assert differ(picture(1, 5), picture(2, 5)) > 0


def test_a_picture_shows_what_lies_there_now(layout: Layout) -> None:
    table = DrawnTable(layout, light=Light(noise=0))
    bare = table.render(1)
    table.lay(card("8s"), "punto", 0)
    laid = table.render(1)
    assert differ(bare, laid) > 100
    table.turn(None, "punto", 0)
    assert differ(laid, table.render(1)) > 100
    table.remove("punto", 0)
    assert differ(bare, table.render(1)) == 0
    table.lay(card("8s"), "punto", 0)
    table.lay(card("8s"), "banca", 1)
    table.clear()
    assert differ(bare, table.render(1)) == 0


def test_nobody_may_paint_the_bare_table(layout: Layout) -> None:
    table = DrawnTable(layout, light=Light(noise=0))
    bare = table.render(1)
    table.render(1)[:] = 0
    assert differ(bare, table.render(1)) == 0


@pytest.mark.parametrize("fault", list(Fault))
def test_a_fault_shows(layout: Layout, fault: Fault) -> None:
    pictures = []
    for one in (None, fault):
        table = DrawnTable(layout, light=Light(noise=0))
        table.lay(card("8s"), "punto", 0, angle=0, shift=(0, 0), fault=one)
        pictures.append(table.render(1))
    assert differ(*pictures) > 60


def test_places_are_taken_and_free(table: DrawnTable) -> None:
    table.lay(card("8s"), "punto", 0)
    with pytest.raises(ValueError, match="a card lies at punto 0 already"):
        table.lay(card("9s"), "punto", 0)
    with pytest.raises(ValueError, match="no card lies at punto 1"):
        table.turn(card("9s"), "punto", 1)
    with pytest.raises(KeyError, match="no spot 'seat 1'"):
        table.lay(card("9s"), "seat 1", 0)
    with pytest.raises(IndexError):
        table.lay(card("9s"), "punto", 3)


def test_cards_are_laid_while_pictures_are_taken(table: DrawnTable) -> None:
    done = threading.Event()

    def lay() -> None:
        for one in DECK[:20]:
            table.lay(one, "punto", 0)
            table.clear()
        done.set()

    thread = threading.Thread(target=lay)
    thread.start()
    number = 0
    while not done.is_set():
        number += 1
        assert table.render(number).shape == (720, 1280, 3)
    thread.join()


def test_a_server_gives_pictures_and_no_answers(table: DrawnTable, tmp_path: Path) -> None:
    endpoint = f"ipc://{tmp_path}/table"
    with FrameServer(endpoint, table.render, clock=lambda: 12.5):
        camera = open_camera(f"drawn:{endpoint}")
        frames = [camera.grab(5), camera.grab(5)]
        camera.close()
    assert [frame.number for frame in frames if frame] == [1, 2]
    assert frames[1] is not None
    assert frames[1].at == 12.5
    assert differ(frames[1].image, table.render(2)) == 0


def test_a_server_tells_when_the_table_was_looked_at(table: DrawnTable, tmp_path: Path) -> None:
    endpoint = f"ipc://{tmp_path}/table"
    with FrameServer(endpoint, table.render) as server:
        assert not server.wait(1, timeout=0.01)
        camera = open_camera(f"drawn:{endpoint}")
        seen: list[bool] = []
        waiting = threading.Thread(target=lambda: seen.append(server.wait(2, timeout=20)))
        waiting.start()
        while waiting.is_alive():
            camera.grab(0.1)
        camera.close()
        assert seen == [True]


def test_an_endpoint_is_served_once_and_free_afterwards(table: DrawnTable) -> None:
    endpoint = f"tcp://127.0.0.1:{_free_port()}"
    with FrameServer(endpoint, table.render), pytest.raises(zmq.ZMQError):
        FrameServer(endpoint, table.render)
    FrameServer(endpoint, table.render).close()


def _free_port() -> int:
    with zmq.Context() as context, context.socket(zmq.REP) as socket:
        return socket.bind_to_random_port("tcp://127.0.0.1")


def test_the_deck_that_comes_along_is_a_fresh_enrolment(tmp_path: Path) -> None:
    assert main(["enrol", str(tmp_path)]) == 0
    folder = Path(vision.__file__).parent / "decks" / "drawn"
    fresh, kept = Deck.load(tmp_path), Deck.load(folder)
    assert (fresh.name, fresh.rank, fresh.suit) == (kept.name, kept.rank, kept.suit)
    for part in ("ranks", "suits", "back"):
        assert np.array_equal(getattr(fresh, part), getattr(kept, part))
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 100_000


def test_no_other_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "enrol" in capsys.readouterr().err


def test_a_foreign_deck_is_another_design() -> None:
    flat: Callable[[Card], MatLike] = lambda one: face(one, FOREIGN)  # noqa: E731 - a word for it
    assert all(differ(face(one), flat(one)) > 100 for one in DECK)
