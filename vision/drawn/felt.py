"""The cloth and what is printed on it, as the camera sees it before any card lies there.

Drawn once, flat and from above, then seen through the camera's pose. Only what the layout calls zones is
ever read; the rest (the bets of EZ Baccarat, the dealer's tray, a shoe) makes it the picture of a table.
"""

import math
from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.drawn.faces import Colour, stamp, text
from vision.layout import Layout

PX = 3
_MARGIN = 20.0
_GOLD: Colour = (92, 172, 206)
_IVORY: Colour = (200, 222, 226)
_RED: Colour = (66, 62, 208)
_WOOD: Colour = (26, 40, 66)

_CENTRE = (450.0, -1096.0)
_SEATS = tuple(range(-3, 4))
_SEAT_ANGLE = 4.6


@lru_cache(maxsize=2)
def felt(layout: Layout) -> MatLike:
    """The empty table as the camera sees it: unlit, without noise, `layout.image` wide and high."""
    width, height = layout.image
    corners = layout.on_felt([(0, 0), (width, 0), (width, height), (0, height)])
    cloth = _Cloth(layout, corners.min(axis=0) - _MARGIN, corners.max(axis=0) + _MARGIN)
    _print_betting_area(cloth)
    _print_card_boxes(cloth, layout)
    _stand_rail_and_chips(cloth)
    _stand_shoe(cloth)
    return cloth.seen()


class _Cloth:
    """A flat picture of the table, with its own millimetres."""

    def __init__(self, layout: Layout, first: MatLike, last: MatLike) -> None:
        self._layout = layout
        self._first = first
        size = np.ceil((last - first) * PX).astype(int)
        self._picture = _weave(layout.felt, (int(size[0]), int(size[1])))

    def px(self, x: float, y: float) -> tuple[int, int]:
        return round((x - self._first[0]) * PX), round((y - self._first[1]) * PX)

    def path(self, points: Iterable[tuple[float, float]], ink: Colour, width: float) -> None:
        pixels = np.array([self.px(x, y) for x, y in points], np.int32)
        closed = False
        cv2.polylines(self._picture, [pixels], closed, ink, round(width * PX), cv2.LINE_AA)

    def box(self, x: float, y: float, size: tuple[float, float], ink: Colour, width: float = -1) -> None:
        half = (size[0] / 2, size[1] / 2)
        thickness = round(width * PX) if width > 0 else -1
        upper, lower = self.px(x - half[0], y - half[1]), self.px(x + half[0], y + half[1])
        cv2.rectangle(self._picture, upper, lower, ink, thickness, cv2.LINE_AA)

    def disc(self, x: float, y: float, radius: float, ink: Colour, width: float = -1) -> None:
        thickness = round(width * PX) if width > 0 else -1
        cv2.circle(self._picture, self.px(x, y), round(radius * PX), ink, thickness, cv2.LINE_AA)

    def words(
        self, words: str, at: tuple[float, float], height: float, ink: Colour, *, turn: float = 0.0
    ) -> None:
        """Print words with their middle at a place, turned clockwise by degrees."""
        mask = text(words, "sans", 500)
        scale = height * PX / mask.shape[0]
        mask = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        side = math.ceil(math.hypot(*mask.shape))
        spin = cv2.getRotationMatrix2D((mask.shape[1] / 2, mask.shape[0] / 2), -turn, 1.0)
        spin[:, 2] += ((side - mask.shape[1]) / 2, (side - mask.shape[0]) / 2)
        stamp(self._picture, cv2.warpAffine(mask, spin, (side, side)), self.px(*at), ink)

    def seen(self) -> MatLike:
        """Through the camera; drawn twice as large and shrunk, so that lines do not break into steps."""
        to_felt = np.array([[1 / PX, 0, self._first[0]], [0, 1 / PX, self._first[1]], [0, 0, 1]])
        width, height = self._layout.image
        double = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]]) @ self._layout.to_image @ to_felt
        large = cv2.warpPerspective(self._picture, double, (2 * width, 2 * height), flags=cv2.INTER_LINEAR)
        return cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)


def _weave(colour: Colour, size: tuple[int, int]) -> MatLike:
    """Bare cloth: short fibres, and patches where the nap lies the other way."""
    rng = np.random.default_rng(0)
    fleece = rng.normal(0, 1, (size[1], size[0])).astype(np.float32)
    fibres = cv2.GaussianBlur(fleece, (0, 0), 1.6, sigmaY=0.7)
    nap = cv2.resize(rng.normal(0, 1, (12, 20)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    shade: MatLike = 1 + 0.2 * fibres + 0.03 * nap
    cloth: MatLike = np.clip(shade[..., None] * np.array(colour, np.float32), 0, 255).astype(np.uint8)
    return cloth


def _print_card_boxes(cloth: _Cloth, layout: Layout) -> None:
    short, long = layout.card
    for zone in layout.zones:
        (left, upper), (right, lower) = zone.area.min(axis=0), zone.area.max(axis=0)
        middle = ((left + right) / 2, (upper + lower) / 2)
        cloth.box(*middle, (right - left + 10, lower - upper + 8), _GOLD, 1.6)
        cloth.words(zone.spot.upper(), (middle[0], lower + 19), 14.0, _GOLD)
        for place in zone.places:
            size = (long, short) if place.across else (short, long)
            cloth.box(*place.at, (size[0] + 5, size[1] + 5), _IVORY, 0.8)


def _on_arc(radius: float, degrees: float) -> tuple[float, float]:
    angle = math.radians(degrees)
    return _CENTRE[0] + radius * math.sin(angle), _CENTRE[1] + radius * math.cos(angle)


def _print_betting_area(cloth: _Cloth) -> None:
    """Three rows of bets, a seat every few degrees, and the two side bets of the game."""
    rows = ((1372, 1412, "EMPATE", _IVORY), (1412, 1460, "BANCA", _RED), (1460, 1514, "PUNTO", _IVORY))
    edge = (_SEATS[-1] + 0.5) * _SEAT_ANGLE
    sweep = [edge * (step / 60 - 1) for step in range(121)]
    for radius in (1372, 1412, 1460, 1514):
        cloth.path((_on_arc(radius, degrees) for degrees in sweep), _GOLD, 1.6)
    for seat in range(len(_SEATS) + 1):
        degrees = (seat + _SEATS[0] - 0.5) * _SEAT_ANGLE
        cloth.path((_on_arc(radius, degrees) for radius in (1372, 1514)), _GOLD, 1.6)
    for seat in _SEATS:
        degrees = seat * _SEAT_ANGLE
        for inner, outer, words, ink in rows:
            cloth.words(words, _on_arc((inner + outer) / 2, degrees), 9.5, ink, turn=-degrees)
        for words, side, ink in (("D7", -0.31, _RED), (str(4 - seat), 0.0, _GOLD), ("P8", 0.31, _IVORY)):
            at = _on_arc(1538, degrees + side * _SEAT_ANGLE)
            cloth.disc(*at, 13.5, ink, 1.3)
            cloth.words(words, at, 8.5, ink, turn=-degrees)


def _stand_rail_and_chips(cloth: _Cloth) -> None:
    """The dealer's tray at the upper edge: tubes of chips, seen from above."""
    colours: tuple[Colour, ...] = ((60, 60, 190), (150, 110, 30), (60, 130, 50), (40, 40, 40), (150, 60, 130))
    cloth.box(450, 10, (470, 62), _WOOD)
    for tube in range(11):
        x = 450 + (tube - 5) * 41.5
        colour = colours[tube % len(colours)]
        cloth.box(x, 9, (38, 56), (18, 22, 28))
        for chip in range(16):
            y = -17 + chip * 3.4
            cloth.box(x, y, (36, 3.0), colour)
            cloth.box(x, y - 1.2, (36, 0.7), (20, 20, 20))
            cloth.box(x, y, (7, 2.6), _IVORY)


def _stand_shoe(cloth: _Cloth) -> None:
    """The shoe at the dealer's left and the discard rack at the right."""
    for x, turn in ((832.0, -1), (62.0, 1)):
        cloth.box(x + 5, 118, (92, 166), (30, 62, 18))
        cloth.box(x, 112, (92, 166), (24, 22, 22))
        cloth.box(x, 112, (84, 158), (44, 40, 40))
        cloth.box(x, 112 - turn * 34, (70, 76), (70, 62, 58))
        cloth.box(x, 112 + turn * 46, (66, 44), (16, 16, 18))
