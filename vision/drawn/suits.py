"""The four suits as outlines, in two cuts."""

import math
from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike

_SIDE = 256
_ROUND = tuple(math.tau * step / 72 for step in range(72))

_Points = Sequence[tuple[float, float]]


@lru_cache(maxsize=8)
def suit_mask(suit: str, *, pointed: bool) -> MatLike:
    """A suit (`c`, `d`, `h`, `s`) as a mask of 256 x 256 that it fills: 255 where ink lies."""
    mask = np.zeros((320, 320), np.uint8)
    for points in _outlines(suit, pointed=pointed):
        pixels = np.rint((np.array(points) * 0.9 + 1.5) * 16 * 106).astype(np.int32)
        cv2.fillPoly(mask, [pixels], (255,), cv2.LINE_AA, 4)
    x, y, width, height = cv2.boundingRect(mask)
    return cv2.resize(mask[y : y + height, x : x + width], (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)


def _outlines(suit: str, *, pointed: bool) -> list[_Points]:
    """Outlines within -1..1, y downwards."""
    if suit == "d":
        bend = 2.1 if pointed else 1.75
        return [[(_power(math.cos(t), bend) * 0.8, _power(math.sin(t), bend)) for t in _ROUND]]
    heart = _heart(2.6 if pointed else 2.0)
    if suit == "h":
        return [heart]
    stem = [(-0.08, 0.1), (0.08, 0.1), (0.12, 0.7), (0.4, 1.0), (-0.4, 1.0), (-0.12, 0.7)]
    if suit == "s":
        return [[(x, -y * 0.9 - 0.05) for x, y in heart], stem]
    lobe = 0.36 if pointed else 0.42
    lobes = [_disc(x, y, lobe) for x, y in ((0.0, -0.5), (-0.5, 0.2), (0.5, 0.2))]
    return [*lobes, [(-0.2, -0.2), (0.2, -0.2), (0.2, 0.3), (-0.2, 0.3)], stem]


def _heart(notch: float) -> _Points:
    return [
        (
            math.sin(t) ** 3,
            -(13 * math.cos(t) - 5 * math.cos(2 * t) - notch * math.cos(3 * t)) / 16,
        )
        for t in _ROUND
    ]


def _disc(x: float, y: float, radius: float) -> _Points:
    return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in _ROUND]


def _power(value: float, bend: float) -> float:
    return math.copysign(abs(value) ** bend, value)
