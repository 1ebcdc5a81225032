"""What the tests of the eye share: the drawn table's layout, its deck, and ways to look at it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cv2.typing import MatLike

import vision
from vision.deck import Deck
from vision.drawn.table import DrawnTable
from vision.find import Found, find_cards
from vision.layout import Layout, load_layout
from vision.read import IndexReader

FOLDER = Path(vision.__file__).parent


@pytest.fixture(scope="session")
def layout() -> Layout:
    return load_layout(FOLDER / "layouts" / "drawn_ez_baccarat.toml")


@pytest.fixture(scope="session")
def reader() -> IndexReader:
    return IndexReader(Deck.load(FOLDER / "decks" / "drawn"))


@pytest.fixture
def table(layout: Layout) -> DrawnTable:
    return DrawnTable(layout, seed=7)


@pytest.fixture(scope="session")
def cards_at(layout: Layout) -> Callable[[MatLike, str], list[Found]]:
    """What is found at a spot in a picture."""

    def look(image: MatLike, spot: str) -> list[Found]:
        zone = layout.zone(spot)
        return find_cards(image, zone.rectify(image), zone, layout)

    return look
