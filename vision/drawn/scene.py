"""One card under the camera: from its flat picture to what it changes in the picture of the table.

Positions on a card are millimetres from its upper left corner, upright.
"""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.drawn import faces
from vision.drawn.faces import HOUSE, Colour
from vision.layout import Layout

_ROOM, _FAULTY_ROOM = 9, 26
"""Pixels around a card that its shadow reaches, and that a chip or a blur may reach."""
_CHIP = 19.5
_CHIP_WHITE: Colour = (220, 226, 228)
_CHIPS: tuple[Colour, Colour] = ((150, 60, 30), (40, 130, 40))
_OUT_OF_FOCUS = 3.2


class Fault(StrEnum):
    """What keeps a card from being read."""

    GLARE = "glare"
    """A lamp mirrored on one of its indices."""
    CHIPS = "chips"
    """A chip on each of its indices."""
    BLUR = "blur"
    """Out of focus."""


@dataclass(frozen=True, slots=True)
class Light:
    """The lamp, the lens and the sensor."""

    gain: float = 1.0
    gradient: float = 0.3
    """How much light is lost from the brightest to the darkest corner."""
    noise: float = 2.5
    """Standard deviation, in levels of 255."""
    blur: float = 0.6
    """Standard deviation of the lens, in pixels."""

    def gains(self, size: tuple[int, int]) -> MatLike:
        """How bright each pixel is lit: by a lamp above the upper left, and less away from it."""
        rows, columns = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
        away = np.hypot(columns / size[0] - 0.35, rows / size[1] - 0.2) / 1.03
        gains: MatLike = (self.gain * (1 - self.gradient * away))[..., None]
        return gains


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """What a card adds to its part of the picture, in levels, and how much it lets through, 0 to 1."""

    rows: slice
    columns: slice
    adds: MatLike
    lets: MatLike

    def onto(self, picture: MatLike) -> None:
        """Put the card into a picture."""
        part = picture[self.rows, self.columns]
        cv2.multiply(part, self.lets, dst=part, dtype=cv2.CV_8U)
        cv2.add(part, self.adds, dst=part, dtype=cv2.CV_8U)


class Scene:
    """The part of the picture around one card; drawn twice as large and shrunk, so that edges are smooth."""

    def __init__(
        self,
        layout: Layout,
        flat: MatLike,
        at: tuple[float, float],
        degrees: float,
        fault: Fault | None = None,
    ) -> None:
        """A flat face lies with its middle at that felt position, turned clockwise."""
        self._fault = fault
        room = _ROOM if fault is None else _FAULTY_ROOM
        from_card = layout.to_image @ _pose(at, degrees)
        quad = _moved(from_card, [(0, 0), (faces.WIDTH, 0), (faces.WIDTH, faces.HEIGHT), (0, faces.HEIGHT)])
        first = np.maximum(quad.min(axis=0).astype(int) - room, 0)
        last = np.minimum(quad.max(axis=0).astype(int) + room, layout.image)
        self._part = (slice(first[1], last[1]), slice(first[0], last[0]))
        self._size = (int(last[0] - first[0]), int(last[1] - first[1]))
        # The middle of a pixel lies between the two that it is shrunk from.
        double = np.array([[2, 0, 0.5 - 2 * first[0]], [0, 2, 0.5 - 2 * first[1]], [0, 0, 1]])
        self._from_card = double @ from_card
        from_flat = self._from_card @ (np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, faces.PX]]) / faces.PX)
        size = (2 * self._size[0], 2 * self._size[1])
        self._colour = cv2.warpPerspective(flat, from_flat, size, flags=cv2.INTER_LINEAR)
        self._cover = cv2.warpPerspective(faces.outline(), from_flat, size, flags=cv2.INTER_LINEAR)

    def patch(self, light: Light, gains: MatLike) -> Patch:
        """The card in that light."""
        if self._fault is Fault.CHIPS:
            self._put_chips()
        blur = _OUT_OF_FOCUS if self._fault is Fault.BLUR else light.blur
        cover: MatLike = self._cover.astype(np.float32) / 255
        colour: MatLike = self._shrunk(self._colour * cover[..., None]) * gains[self._part]
        colour = blurred(colour, blur)
        cover = blurred(self._shrunk(cover), blur)
        if self._fault is Fault.GLARE:
            colour = colour + self._glare()
        # The card stands off the cloth by its thickness: a thin soft shadow away from the lamp.
        moved = cv2.warpAffine(cover, np.array([[1, 0, 1.2], [0, 1, 1.6]]), self._size)
        lets = (1 - cover) * (1 - 0.45 * cv2.GaussianBlur(moved, (0, 0), 2.2))
        return Patch(*self._part, colour.astype(np.float32), cv2.merge([lets, lets, lets]))

    def _shrunk(self, picture: MatLike) -> MatLike:
        return cv2.resize(picture, self._size, interpolation=cv2.INTER_AREA)

    def _put_chips(self) -> None:
        for (x, y), colour in zip(_indices(), _CHIPS, strict=True):
            for radius, ink in ((_CHIP, colour), (0.72 * _CHIP, _CHIP_WHITE), (0.66 * _CHIP, colour)):
                self._disc(x, y, radius, ink)
            for angle in np.arange(6) * np.pi / 3:
                self._disc(
                    x + 0.87 * _CHIP * np.cos(angle), y + 0.87 * _CHIP * np.sin(angle), 2.4, _CHIP_WHITE
                )

    def _disc(self, x: float, y: float, radius: float, ink: Colour) -> None:
        centre, edge = _moved(self._from_card, [(x, y), (x + radius, y)])
        middle = (round(centre[0] * 16), round(centre[1] * 16))
        reach = round(float(np.hypot(*(edge - centre))) * 16)
        cv2.circle(self._colour, middle, reach, ink, -1, cv2.LINE_AA, 4)
        cv2.circle(self._cover, middle, reach, (255,), -1, cv2.LINE_AA, 4)

    def _glare(self) -> MatLike:
        """The lamp's image over the first index."""
        x, y = _moved(self._from_card, [_indices()[0]])[0] / 2
        rows, columns = np.mgrid[0 : self._size[1], 0 : self._size[0]].astype(np.float32)
        spread = ((columns - x) ** 2 + (rows - y) ** 2) / (2 * 17.0**2)
        lamp: MatLike = 420 * np.exp(-(spread**1.5))[..., None]
        return lamp


def blurred(picture: MatLike, sigma: float) -> MatLike:
    """A picture through a lens that spreads a point so many pixels wide."""
    return cv2.GaussianBlur(picture, (0, 0), sigma) if sigma > 0 else picture


def _indices() -> tuple[tuple[float, float], tuple[float, float]]:
    """The middles of both indices on a card of the house."""
    x, y = HOUSE.centre, HOUSE.top + HOUSE.rank[1]
    return (x, y), (faces.WIDTH - x, faces.HEIGHT - y)


def _pose(at: tuple[float, float], degrees: float) -> MatLike:
    """From a card's own millimetres to the felt's."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turn = np.array([[cos, -sin, at[0]], [sin, cos, at[1]], [0, 0, 1]])
    pose: MatLike = turn @ np.array([[1, 0, -faces.WIDTH / 2], [0, 1, -faces.HEIGHT / 2], [0, 0, 1]])
    return pose


def _moved(matrix: MatLike, points: faces.Points) -> MatLike:
    """Points through a homography."""
    moved = np.column_stack([np.array(points), np.ones(len(points))]) @ matrix.T.astype(np.float64)
    flat: MatLike = moved[:, :2] / moved[:, 2:]
    return flat
