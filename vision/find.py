"""Finds the cards that lie in a zone by their white paper, and cuts each out upright.

A card may lie at any angle. Cards that do not overlap are told apart down to a gap of about a millimetre.
What is as white as paper and about as large as a card, but has not the four sides of one, is found and not
cut out.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.layout import SCALE, Layout, Matrix, Quad, Zone
from vision.outline import Outline, fit

CARD_PX = 2.0
"""Pixels per millimetre in the upright picture of a card."""

_DIM = 55
"""Nothing darker than this is taken for paper, in the darkest of its three colours."""
_SAME_SHEET = 0.72
"""A pixel that much darker than the paper around it is a gap between two cards (or ink)."""
_GREYISH = 0.7
"""The darkest of a pixel's colours over its brightest: paper, not skin or cloth."""
_PART = 0.3
"""So much of a card's surface is worth asking about."""
_CRUMB, _CRUMBS_APART = 0.03, 45
"""Under things that lie on it a card is seen in pieces: so much of its surface each, so many pixels apart."""
_SAME_CLOTH = 0.975
"""Cosine between two colours of cloth, light and shade aside (13 degrees)."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Something that lies in a zone and is a card, or part of one, or several."""

    x: float
    """The middle on the felt, in millimetres."""
    y: float
    angle: float
    """Of the long side against the vertical, clockwise, from -90 to 90 degrees."""
    quad: Quad
    """The corners in the camera's image, clockwise from the upper left one of the upright card."""
    picture: MatLike | None
    """The upright card, `CARD_PX` pixels per millimetre; `None` when it has not the outline of one card.

    Upright is one of two: whether it stands on its head is not known yet.
    """


def find_cards(image: MatLike, flat: MatLike, zone: Zone, layout: Layout) -> list[Found]:
    """The cards of a zone from left to right; `flat` is its rectified part of `image`."""
    card = (layout.card[0] * SCALE, layout.card[1] * SCALE)
    surface = card[0] * card[1]
    found = []
    sheets = _sheets(_paper(flat), surface)
    while sheets:
        sheet = sheets.pop()
        fitted = fit(sheet, card)
        if fitted is not None and cv2.contourArea(sheet.astype(np.float32)) > (1 + _PART) * surface:
            # What is left of the sheet is another card, joined to this one by a glare or a touch.
            sheets += _without(sheet, fitted, card)
        for x, y, angle in _rough(sheet, surface) if fitted is None else [fitted]:
            at = (zone.origin[0] + (x + 0.5) / SCALE, zone.origin[1] + (y + 0.5) / SCALE)
            if zone.holds(*at):
                found.append(_cut_out(image, layout, (*at, angle), whole=fitted is not None))
    return sorted(found, key=lambda one: one.x)


def is_bare(flat: MatLike, zone: Zone, layout: Layout, at: tuple[float, float]) -> bool:
    """Whether the felt shows where a card lay with its middle at that felt position, so that it is gone.

    A hand or a sleeve over the card is not bare felt.
    """
    reach = min(layout.card) / 2 * 0.9
    left, upper = ((at[axis] - reach - zone.origin[axis]) * SCALE for axis in (0, 1))
    side = 2 * reach * SCALE
    part = flat[max(0, int(upper)) : int(upper + side), max(0, int(left)) : int(left + side)]
    small = cv2.resize(part, (12, 12), interpolation=cv2.INTER_AREA).reshape(-1, 3).astype(np.float64)
    felt = np.array(layout.felt, np.float64)
    full = np.linalg.norm(felt)
    length = np.linalg.norm(small, axis=1)
    alike = (small * felt).sum(axis=1) >= _SAME_CLOTH * length * full
    lit = (length > 0.25 * full) & (length < 2.0 * full)
    return float(np.mean(alike & lit)) > 0.85


def _paper(flat: MatLike) -> MatLike:
    """Where paper lies: bright, without colour, and as bright as the paper around it."""
    blue, green, red = cv2.split(flat)
    low = cv2.min(blue, cv2.min(green, red))
    high = cv2.max(blue, cv2.max(green, red))
    level, _ = cv2.threshold(low, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    around = cv2.dilate(low, np.ones((19, 19), np.uint8))
    wanted = cv2.max(
        cv2.convertScaleAbs(around, alpha=_SAME_SHEET), cv2.convertScaleAbs(high, alpha=_GREYISH)
    )
    paper = cv2.compare(low, cv2.max(wanted, np.full_like(low, max(_DIM, level))), cv2.CMP_GT)
    return cv2.morphologyEx(paper, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))


def _sheets(paper: MatLike, surface: float) -> list[Outline]:
    """The outlines of all pieces of paper that may be a card; crumbs that lie together are one piece."""
    outlines, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    sizes = [cv2.contourArea(outline) / surface for outline in outlines]
    sheets = [outline for outline, size in zip(outlines, sizes, strict=True) if size >= _PART]
    crumbs = [outline for outline, size in zip(outlines, sizes, strict=True) if _CRUMB <= size < _PART]
    if len(crumbs) > 1:
        sheets += _gathered(crumbs, paper.shape, surface)
    # Every second point tells as much in half the time.
    return [sheet[::2, 0, :].astype(np.float64) for sheet in sheets]


def _gathered(crumbs: list[MatLike], shape: tuple[int, ...], surface: float) -> list[MatLike]:
    """Crumbs that lie close to one another, put together where that makes up enough of a card."""
    apart = np.zeros(shape, np.uint8)
    cv2.drawContours(apart, crumbs, -1, (255,), -1)
    near = cv2.morphologyEx(apart, cv2.MORPH_CLOSE, np.ones((_CRUMBS_APART, _CRUMBS_APART), np.uint8))
    together = []
    for region in cv2.findContours(near, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        inside = []
        for crumb in crumbs:
            point = (float(crumb[0, 0, 0]), float(crumb[0, 0, 1]))
            if cv2.pointPolygonTest(region, point, measureDist=False) >= 0:
                inside.append(crumb)
        if sum(cv2.contourArea(crumb) for crumb in inside) >= _PART * surface:
            together.append(np.concatenate(inside))
    return together


def _without(sheet: Outline, fitted: tuple[float, float, float], card: tuple[float, float]) -> list[Outline]:
    """The pieces that are left of a sheet when the card found in it is cut out."""
    first = np.floor(sheet.min(axis=0)).astype(int)
    size = np.ceil(sheet.max(axis=0)).astype(int) - first + 1
    paper = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(paper, [np.rint(sheet).astype(np.int32) - first], (255,))
    x, y, angle = fitted
    corners = cv2.boxPoints(((x, y), (card[0] + 4, card[1] + 4), angle)) - first
    cv2.fillPoly(paper, [np.rint(corners).astype(np.int32)], (0,))
    return [piece + first for piece in _sheets(paper, card[0] * card[1])]


def _rough(sheet: Outline, surface: float) -> list[tuple[float, float, float]]:
    """About where the cards lie whose outline is not that of one card: part of one, or several in a heap."""
    outline = sheet.astype(np.float32)
    (x, y), (width, height), angle = cv2.minAreaRect(outline)
    turn = angle if width <= height else angle + 90
    size = cv2.contourArea(outline) / surface
    cards = 1 if size <= 1 + _PART else max(2, round(size))
    step = max(width, height) / cards
    along = np.radians(turn + 90)
    poses = []
    for card in range(cards):
        off = step * (card + 0.5 - cards / 2)
        poses.append((x + off * np.cos(along), y + off * np.sin(along), (turn + 90) % 180 - 90))
    return poses


def _cut_out(image: MatLike, layout: Layout, pose: tuple[float, float, float], *, whole: bool) -> Found:
    width, height = layout.card
    to_felt = _card_to_felt(pose, layout.card)
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]])
    quad = layout.on_image((corners @ to_felt.T)[:, :2])
    picture = None
    if whole:
        # The middle of the card's first pixel lies half a pixel into the card.
        inward = np.array([[1 / CARD_PX, 0, 0.5 / CARD_PX], [0, 1 / CARD_PX, 0.5 / CARD_PX], [0, 0, 1]])
        matrix = layout.to_image @ to_felt @ inward
        size = (round(width * CARD_PX), round(height * CARD_PX))
        picture = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return Found(*pose, quad, picture)


def _card_to_felt(pose: tuple[float, float, float], card: tuple[float, float]) -> Matrix:
    """From a card's own millimetres to the felt's."""
    x, y, angle = pose
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    turn = np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]])
    matrix: Matrix = turn @ np.array([[1, 0, -card[0] / 2], [0, 1, -card[1] / 2], [0, 0, 1]])
    return matrix
