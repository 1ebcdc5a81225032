"""Every face is read, and what cannot be read is unsure and never a wrong card."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from rules.cards import DECK, Card, card
from vision.deck import BACK_SIZE, Deck, DeckError
from vision.drawn.faces import face
from vision.drawn.table import DAYLIGHT, FOREIGN, HOUSE, DrawnTable, Fault, Light, Style
from vision.find import CARD_PX, Found
from vision.layout import Layout
from vision.read import IndexReader, Reading

Look = Callable[[MatLike, str], list[Found]]
PLACES = [(spot, place) for spot in ("punto", "banca") for place in range(3)]


class Session:
    """Lays cards six at a time, reads each once, and counts right, wrong and unsure."""

    def __init__(self, layout: Layout, cards_at: Look, reader: IndexReader, light: Light, seed: int) -> None:
        self.table = DrawnTable(layout, seed, light)
        self._cards_at = cards_at
        self._reader = reader
        self._pictures = 0

    def read(self, cards: list[Card | None], angle: float | None = None, **how: object) -> list[Reading]:
        """One reading of each card."""
        readings: list[Reading] = []
        for first in range(0, len(cards), 6):
            some = cards[first : first + 6]
            self.table.clear()
            for one, (spot, place) in zip(some, PLACES, strict=False):
                self.table.lay(one, spot, place, angle=angle, **how)  # type: ignore[arg-type]
            self._pictures += 1
            picture = self.table.render(self._pictures)
            found = self._cards_at(picture, "punto") + self._cards_at(picture, "banca")
            assert len(found) == len(some)
            for outline in found:
                assert outline.picture is not None
                readings.append(self._reader.read(outline.picture))
        return readings


@pytest.fixture
def session(layout: Layout, cards_at: Look, reader: IndexReader) -> Callable[..., Session]:
    def begin(light: Light = DAYLIGHT, seed: int = 11) -> Session:
        return Session(layout, cards_at, reader, light, seed)

    return begin


@pytest.mark.parametrize(
    ("light", "angle"),
    [
        (Light(), None),
        (Light(), -9.0),
        (Light(noise=8), None),
        (Light(gain=0.5, noise=4), 3.0),
        (Light(gain=1.15, gradient=0.6), None),
        (Light(blur=0.0), -3.0),
    ],
)
def test_all_faces_are_read(session: Callable[..., Session], light: Light, angle: float | None) -> None:
    cards = [*DECK, None]
    readings = session(light).read(cards, angle)
    sure = [(reading.card, one) for reading, one in zip(readings, cards, strict=True) if reading.sure]
    assert all(got is one for got, one in sure)
    assert len(sure) >= 52


def test_two_thousand_cards_and_none_is_wrong(session: Callable[..., Session]) -> None:
    rng = np.random.default_rng(5)
    count: Counter[str] = Counter()
    for seed in range(4):
        gain, gradient, noise, blur = rng.uniform((0.5, 0.1, 1.5, 0.3), (1.1, 0.5, 6.0, 0.9))
        light = Light(float(gain), float(gradient), float(noise), float(blur))
        cards = [(*DECK, None)[int(pick)] for pick in rng.integers(53, size=510)]
        for reading, one in zip(session(light, seed).read(cards), cards, strict=True):
            count["unsure" if not reading.sure else "right" if reading.card is one else "wrong"] += 1
    assert count["wrong"] == 0
    assert count["right"] >= 2000
    assert count["unsure"] <= 20


@pytest.mark.parametrize(
    ("fault", "reason"), [(Fault.GLARE, "glare"), (Fault.CHIPS, "covered"), (Fault.BLUR, "blurred")]
)
def test_what_hides_an_index_is_named(session: Callable[..., Session], fault: Fault, reason: str) -> None:
    readings = []
    for one in DECK[::4]:
        readings += session().read([one], fault=fault)
    assert not any(reading.sure for reading in readings)
    reasons = Counter(reading.reason for reading in readings)
    assert reasons[reason] >= 0.9 * len(readings)
    assert all(reading.confidence < 0.9 for reading in readings)


@pytest.mark.parametrize("blur", [1.0, 1.5, 2.0, 3.0])
def test_the_less_sharp_the_less_is_believed_and_nothing_wrong(
    session: Callable[..., Session], blur: float
) -> None:
    cards = DECK[::2]
    readings = session(Light(blur=blur)).read(list(cards))
    assert all(reading.card is one for reading, one in zip(readings, cards, strict=True) if reading.sure)
    if blur >= 2.0:
        assert not any(reading.sure for reading in readings)
        assert {reading.reason for reading in readings} == {"blurred"}


@pytest.mark.parametrize("style", [FOREIGN, Style(font="italic"), Style(rank=(9.0, 11.0), suit=9.0)])
def test_another_design_is_not_believed(session: Callable[..., Session], style: Style) -> None:
    readings = session().read(list(DECK), style=style)
    assert not any(reading.sure for reading in readings)
    assert Counter(reading.reason for reading in readings)["foreign"] >= 45


@pytest.mark.parametrize("style", [Style(weight=400), Style(weight=800), Style(pointed=True)])
def test_a_design_that_is_nearly_ours_is_never_a_wrong_card(
    session: Callable[..., Session], style: Style
) -> None:
    readings = session().read(list(DECK), style=style)
    assert all(reading.card is one for reading, one in zip(readings, DECK, strict=True) if reading.sure)


def test_a_foreign_back_is_not_our_back(session: Callable[..., Session]) -> None:
    (reading,) = session().read([None], style=FOREIGN)
    assert not reading.sure


def cut_out(name: str | None, style: Style = HOUSE) -> MatLike:
    """A card as if it had been found, without a camera."""
    size = (round(63 * CARD_PX), round(88 * CARD_PX))
    flat = face(card(name) if name else None, style)
    return cv2.GaussianBlur(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), (0, 0), 0.9)


def test_a_card_on_its_head_is_the_same_card(reader: IndexReader) -> None:
    for name in ("6s", "9s", "Ah", "Tc"):
        for picture in (cut_out(name), cv2.rotate(cut_out(name), cv2.ROTATE_180)):
            assert reader.read(picture).card is card(name)


def test_corners_must_agree(reader: IndexReader) -> None:
    picture = cut_out("8s").copy()
    picture[88:] = cut_out("8c")[88:]
    reading = reader.read(picture)
    assert (reading.sure, reading.reason) == (False, "corners_differ")
    assert reading.card in {card("8s"), card("8c")}


def test_one_good_corner_is_not_enough(reader: IndexReader) -> None:
    picture = cut_out("8s").copy()
    picture[100:] = (236, 240, 242)
    reading = reader.read(picture)
    assert not reading.sure
    assert reading.card is card("8s")


def test_ink_of_the_wrong_colour_is_not_believed(reader: IndexReader) -> None:
    grey = cv2.cvtColor(cv2.extractChannel(cut_out("8h"), 1), cv2.COLOR_GRAY2BGR)
    reading = reader.read(grey)
    assert (reading.sure, reading.reason) == (False, "weak")


@pytest.mark.parametrize("level", [0, 120, 240, 255])
def test_a_blank_is_no_card(reader: IndexReader, level: int) -> None:
    assert not reader.read(np.full((176, 126, 3), level, np.uint8)).sure


def test_noise_is_no_card(reader: IndexReader) -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        assert not reader.read(rng.integers(0, 256, (176, 126, 3), np.uint8)).sure


def test_the_threshold_decides(reader: IndexReader) -> None:
    strict = IndexReader(reader.deck, threshold=0.9999)
    reading = strict.read(cut_out("8s"))
    assert (reading.card, reading.sure, reading.reason) == (card("8s"), False, "weak")
    assert 0.9 < reading.confidence < 0.9999


def test_a_deck_that_cannot_be_used_says_which_file(reader: IndexReader, tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"deck\.json: No such file"):
        Deck.load(tmp_path)
    reader.deck.save(tmp_path)
    assert Deck.load(tmp_path).name == "drawn"
    cv2.imwrite(str(tmp_path / "glyphs.png"), np.zeros((9, 9), np.uint8))
    with pytest.raises(DeckError, match=r"not of the sizes that deck\.json says"):
        Deck.load(tmp_path)
    (tmp_path / "glyphs.png").unlink()
    with pytest.raises(DeckError, match=r"glyphs\.png: there is no picture"):
        Deck.load(tmp_path)
    (tmp_path / "deck.json").write_text('{"name": "x", "rank": {}}')
    with pytest.raises(DeckError, match=r"deck\.json: .*\$\.rank"):
        Deck.load(tmp_path)
    assert BACK_SIZE == (21, 22)
