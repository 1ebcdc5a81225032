"""Cards are found where they lie; hands, chips and print are not taken for cards."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from rules.cards import DECK, card
from vision.drawn.table import DrawnTable, Fault, Light
from vision.find import Found, is_bare
from vision.layout import Layout

Look = Callable[[MatLike, str], list[Found]]
SKIN = (120, 150, 205)


def turned(angle: float) -> float:
    """An angle as it is reported, from -90 to 90."""
    return (angle + 90) % 180 - 90


@pytest.mark.parametrize("light", [Light(), Light(gain=0.45, noise=6), Light(gradient=0.6, blur=1.1)])
def test_cards_are_found_where_they_lie(layout: Layout, cards_at: Look, light: Light) -> None:
    rng = np.random.default_rng(3)
    table = DrawnTable(layout, 3, light)
    for number in range(8):
        table.clear()
        for zone in layout.zones:
            laid = []
            for place in range(3):
                angle, shift = float(rng.uniform(-6, 6)), tuple(rng.uniform(-1.2, 1.2, 2))
                one = DECK[int(rng.integers(52))]
                table.lay(one, zone.spot, place, angle=angle, shift=(float(shift[0]), float(shift[1])))
                x, y = zone.places[place].at
                laid.append((x + shift[0], y + shift[1], angle + 90 * (place == 2)))
            found = cards_at(table.render(number), zone.spot)
            assert len(found) == 3
            for one_found, (x, y, angle) in zip(found, laid, strict=True):
                assert one_found.picture is not None
                assert np.hypot(one_found.x - x, one_found.y - y) < 0.5
                assert abs(turned(one_found.angle - angle)) < 0.6


@pytest.mark.parametrize("angle", [-80, -60, -45, -20, 15, 44, 46, 75, 90])
def test_a_card_may_lie_at_any_angle(layout: Layout, table: DrawnTable, cards_at: Look, angle: float) -> None:
    table.lay(card("Kd"), "punto", 1, angle=angle)
    (found,) = cards_at(table.render(1), "punto")
    assert found.picture is not None
    assert abs(turned(found.angle - angle)) < 0.6
    inside = layout.on_image([(found.x, found.y)])[0]
    assert cv2.pointPolygonTest(found.quad.astype(np.float32), (inside[0], inside[1]), measureDist=False) > 0


@pytest.mark.parametrize("gap", [5.0, 2.0, 1.0])
@pytest.mark.parametrize("angle", [-4.0, 0.0, 3.0])
def test_neighbours_are_told_apart(table: DrawnTable, cards_at: Look, gap: float, angle: float) -> None:
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    reach = (63 + gap) / 2
    middle = (262 - 189) / 2
    table.lay(card("8s"), "punto", 0, angle=angle, shift=(middle - reach * cos, -reach * sin))
    table.lay(card("8s"), "punto", 1, angle=angle, shift=(reach * cos - middle, reach * sin))
    found = cards_at(table.render(1), "punto")
    assert [one.picture is not None for one in found] == [True, True]
    assert found[1].x - found[0].x == pytest.approx(2 * reach * cos, abs=0.5)


@pytest.mark.parametrize("overlap", [0.0, 8.0, 30.0])
def test_a_heap_is_two_cards_that_are_not_cut_out(table: DrawnTable, cards_at: Look, overlap: float) -> None:
    table.lay(card("8s"), "punto", 0, angle=0, shift=(0, 0))
    table.lay(card("9d"), "punto", 1, angle=0, shift=(-10 - overlap, 0))
    found = cards_at(table.render(1), "punto")
    assert [one.picture for one in found] == [None, None]
    assert found[0].x < found[1].x


def test_a_back_is_found(table: DrawnTable, cards_at: Look) -> None:
    table.lay(None, "banca", 2)
    (found,) = cards_at(table.render(1), "banca")
    assert found.picture is not None


def test_two_cards_under_one_glare_are_two(table: DrawnTable, cards_at: Look) -> None:
    table.lay(card("8s"), "punto", 0, angle=4, shift=(1, 2))
    table.lay(card("Kh"), "punto", 1, angle=-7, shift=(0, 0), fault=Fault.GLARE)
    found = cards_at(table.render(1), "punto")
    assert [one.picture is not None for one in found] == [True, True]


@pytest.mark.parametrize("name", ["Kh", "2c", "Td", "Qs"])
def test_a_card_under_chips_is_found(table: DrawnTable, cards_at: Look, name: str) -> None:
    table.lay(card(name), "punto", 1, angle=2, shift=(0, 0), fault=Fault.CHIPS)
    (found,) = cards_at(table.render(1), "punto")
    assert found.picture is not None
    assert np.hypot(found.x - 262, found.y - 135) < 1.5


def test_an_empty_spot_has_no_cards(layout: Layout, cards_at: Look) -> None:
    for light in (Light(), Light(gain=0.3), Light(gain=1.4, noise=8), Light(gradient=0.7)):
        picture = DrawnTable(layout, light=light).render(1)
        assert [cards_at(picture, zone.spot) for zone in layout.zones] == [[], []]


def test_a_card_between_two_spots_is_at_neither(table: DrawnTable, cards_at: Look) -> None:
    table.lay(card("8s"), "punto", 2, angle=0, shift=(100, 0))
    picture = table.render(1)
    assert cards_at(picture, "punto") == cards_at(picture, "banca") == []


def test_a_hand_is_no_card_and_no_bare_felt(layout: Layout, table: DrawnTable, cards_at: Look) -> None:
    zone = layout.zone("punto")
    at = zone.places[0].at

    def bare(picture: MatLike) -> bool:
        return is_bare(zone.rectify(picture), zone, layout, at)

    assert bare(table.render(1))
    table.lay(card("8s"), "punto", 0)
    picture = table.render(2)
    assert not bare(picture)
    x, y = (round(value) for value in layout.on_image([at])[0])
    cv2.ellipse(picture, (x, y), (70, 120), 20, 0, 360, SKIN, -1)
    assert cards_at(picture, "punto") == []
    assert not bare(picture)
    picture[:] = (38, 36, 40)
    assert not bare(picture), "a dark sleeve over everything"


def test_bare_felt_is_known_in_any_light(layout: Layout) -> None:
    for light in (Light(), Light(gain=0.4, noise=6), Light(gain=1.3), Light(gradient=0.7)):
        picture = DrawnTable(layout, light=light).render(1)
        for zone in layout.zones:
            flat = zone.rectify(picture)
            assert all(is_bare(flat, zone, layout, place.at) for place in zone.places)
