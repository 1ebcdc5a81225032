"""Flat pictures of every card of a drawn deck, as a printer would make them.

Lengths are millimetres, colours are blue, green, red (0..255), pictures have `PX` pixels per millimetre. The
drawing is our own: type from the font inside OpenCV, suits and figures from outlines in this folder.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike

from rules.cards import JOKER, Card
from vision.drawn.suits import suit_mask

PX = 4
WIDTH, HEIGHT = 63.0, 88.0
CORNER = 3.5

Colour = tuple[int, int, int]
Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Style:
    """How a deck is printed."""

    font: str = "sans"
    weight: int = 600
    rank: tuple[float, float] = (12.0, 13.0)
    """The widest and the height of a rank in the corner."""
    suit: float = 10.5
    """Width and height of a suit in the corner."""
    centre: float = 9.5
    """From the left edge to the middle of the index."""
    top: float = 4.5
    """From the upper edge to the index."""
    black: Colour = (30, 26, 26)
    red: Colour = (38, 26, 196)
    paper: Colour = (236, 240, 242)
    back: Colour = (128, 58, 26)
    lattice: Colour = (198, 138, 106)
    pointed: bool = False
    """Suits of a narrower, pointed cut."""


HOUSE = Style()
FOREIGN = Style(
    font="uni", weight=400, rank=(9.5, 12.0), back=(36, 30, 150), lattice=(106, 110, 220), pointed=True
)

_GOLD, _SKIN, _CLOTH = (60, 178, 226), (196, 214, 236), (142, 84, 40)
_ROW = 30.0
"""From the middle to the outermost row of pips."""
_COLUMN = 9.5

_PIPS: dict[str, Points] = {
    "A": [(0.0, 0.0)],
    "2": [(0.0, -1.0), (0.0, 1.0)],
    "3": [(0.0, -1.0), (0.0, 0.0), (0.0, 1.0)],
    "4": [(x, y) for y in (-1.0, 1.0) for x in (-1.0, 1.0)],
    "5": [(x, y) for y in (-1.0, 1.0) for x in (-1.0, 1.0)] + [(0.0, 0.0)],
    "6": [(x, y) for y in (-1.0, 0.0, 1.0) for x in (-1.0, 1.0)],
    "7": [(x, y) for y in (-1.0, 0.0, 1.0) for x in (-1.0, 1.0)] + [(0.0, -0.5)],
    "8": [(x, y) for y in (-1.0, 0.0, 1.0) for x in (-1.0, 1.0)] + [(0.0, -0.5), (0.0, 0.5)],
    "9": [(x, y) for y in (-1.0, -1 / 3, 1 / 3, 1.0) for x in (-1.0, 1.0)] + [(0.0, 0.0)],
    "T": [(x, y) for y in (-1.0, -1 / 3, 1 / 3, 1.0) for x in (-1.0, 1.0)] + [(0.0, -2 / 3), (0.0, 2 / 3)],
}
_CROWNS = {"K": (13, 17, 12, 17, 13), "Q": (15, 14, 13, 14, 15), "J": (16, 14, 15, 17, 12)}


@lru_cache(maxsize=256)
def face(card: Card | None, style: Style = HOUSE) -> MatLike:
    """The flat picture of a card, or of the back for `None`; read-only, 352 x 252 x 3.

    Raises `ValueError` for the joker, which these decks do not have.
    """
    if card is JOKER:
        raise ValueError("the drawn decks have no joker")
    sheet = _Sheet(style)
    if card is None:
        sheet.print_back()
    else:
        sheet.print_face(card)
    sheet.picture.flags.writeable = False
    return sheet.picture


@lru_cache(maxsize=1)
def outline() -> MatLike:
    """The mask of a card with its round corners: 255 inside, 0 outside."""
    mask = np.zeros((round(HEIGHT * PX), round(WIDTH * PX)), np.uint8)
    for x in (CORNER, WIDTH - CORNER):
        for y in (CORNER, HEIGHT - CORNER):
            cv2.circle(mask, _px(x, y), round(CORNER * PX), (255,), -1, cv2.LINE_AA)
    cv2.rectangle(mask, _px(CORNER, 0), _px(WIDTH - CORNER, HEIGHT), (255,), -1)
    cv2.rectangle(mask, _px(0, CORNER), _px(WIDTH, HEIGHT - CORNER), (255,), -1)
    return mask


def text(words: str, font: str, weight: int) -> MatLike:
    """Words as a tight mask, 255 where ink lies; about 160 pixels high."""
    words = words.replace("0", "O")  # the font strokes its zero through; no card and no felt does
    canvas = np.zeros((320, 200 + 200 * len(words)), np.uint8)
    cv2.putText(canvas, words, (100, 230), (255, 255, 255), cv2.FontFace(font), 220, weight)
    x, y, width, height = cv2.boundingRect(canvas)
    return canvas[y : y + height, x : x + width]


def stamp(picture: MatLike, mask: MatLike, at: tuple[int, int], ink: Colour) -> None:
    """Print a mask with its middle at a pixel; what falls off the picture is lost."""
    height, width = mask.shape[:2]
    x, y = at[0] - width // 2, at[1] - height // 2
    left, upper = max(x, 0), max(y, 0)
    part = picture[upper : max(upper, y + height), left : max(left, x + width)]
    cover = mask[upper - y :, left - x :][: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    part[:] = np.rint(part * (1 - cover) + np.array(ink, np.float32) * cover)


class _Sheet:
    """A card in print; places and sizes in millimetres."""

    def __init__(self, style: Style) -> None:
        self._style = style
        self.picture: MatLike = np.empty((round(HEIGHT * PX), round(WIDTH * PX), 3), np.uint8)
        self.picture[:] = style.paper

    def print_face(self, card: Card) -> None:
        """The upper half, the same turned as the lower half, and what stands on the middle line once."""
        ink = self._ink(card.suit)
        self._index(card, ink)
        if card.rank in _CROWNS:
            self._figure(card, ink)
        pips = _PIPS.get(card.rank, ())
        size = 24.0 if card.rank == "A" else 10.0
        for x, y in pips:
            if y < 0:
                self._suit(card.suit, (WIDTH / 2 + x * _COLUMN, HEIGHT / 2 + y * _ROW), size, ink)
        np.minimum(self.picture, cv2.rotate(self.picture, cv2.ROTATE_180), out=self.picture)
        for x, y in pips:
            if y == 0:
                self._suit(card.suit, (WIDTH / 2 + x * _COLUMN, HEIGHT / 2), size, ink)

    def print_back(self) -> None:
        """A lattice within a white border, and a medallion."""
        style, border = self._style, 4.0
        (left, upper), (right, lower) = _px(border, border), _px(WIDTH - border, HEIGHT - border)
        cv2.rectangle(self.picture, (left, upper), (right, lower), style.back, -1)
        inside = self.picture[upper:lower, left:right]
        for offset in range(-400, 700, 18):
            cv2.line(inside, (offset, 0), (offset + 400, 400), style.lattice, 1, cv2.LINE_AA)
            cv2.line(inside, (offset, 0), (offset - 400, 400), style.lattice, 1, cv2.LINE_AA)
        self._oval(13, 19, style.paper)
        self._oval(11.5, 17.5, style.back)
        self._oval(7.3, 12.3, style.lattice)
        self._oval(6.6, 11.6, style.back)
        for suit, x, y in (("s", 0.0, -6.8), ("h", 4.4, 0.0), ("c", 0.0, 6.8), ("d", -4.4, 0.0)):
            self._suit(suit, (WIDTH / 2 + x, HEIGHT / 2 + y), 5.0, style.paper)

    def _ink(self, suit: str) -> Colour:
        return self._style.red if suit in "dh" else self._style.black

    def _index(self, card: Card, ink: Colour) -> None:
        style = self._style
        letters = text("10" if card.rank == "T" else card.rank, style.font, style.weight)
        widest, height = style.rank
        width = min(widest, height * letters.shape[1] / letters.shape[0])
        stamp(self.picture, _mm(letters, width, height), _px(style.centre, style.top + height / 2), ink)
        self._suit(card.suit, (style.centre, style.top + height + 1.5 + style.suit / 2), style.suit, ink)

    def _suit(self, suit: str, at: tuple[float, float], size: float, ink: Colour) -> None:
        mask = suit_mask(suit, pointed=self._style.pointed)
        stamp(self.picture, _mm(mask, size * (0.8 if suit == "d" else 0.95), size), _px(*at), ink)

    def _oval(self, across: float, high: float, ink: Colour) -> None:
        cv2.ellipse(
            self.picture, _px(WIDTH / 2, HEIGHT / 2), _px(across, high), 0, 0, 360, ink, -1, cv2.LINE_AA
        )

    def _figure(self, card: Card, ink: Colour) -> None:
        """A framed half figure: robe in bands, face, crown or cap, and its suit."""
        left, right, upper, middle, centre = 17.5, WIDTH - 17.5, 8.0, HEIGHT / 2, WIDTH / 2
        for band, colour in enumerate((_CLOTH, _GOLD, ink, _GOLD, _CLOTH)):
            neck, hem = 6.6 - 1.2 * band, min(right - centre, 16.0 - 2.4 * band)
            shoulders = [(centre - neck, 31.0 + band), (centre + neck, 31.0 + band)]
            self._fill([*shoulders, (centre + hem, middle), (centre - hem, middle)], colour)
        head = _px(centre, 25.5)
        cv2.ellipse(self.picture, head, _px(6.4, 7.4), 0, 0, 360, ink, -1, cv2.LINE_AA)
        cv2.ellipse(self.picture, head, _px(4.6, 6.2), 0, 0, 360, _SKIN, -1, cv2.LINE_AA)
        tips = [(centre - 6.5 + 3.25 * tip, float(top)) for tip, top in enumerate(_CROWNS[card.rank])]
        self._fill([*tips, (centre + 6.0, 20.5), (centre - 6.0, 20.5)], _GOLD)
        self._suit(card.suit, (left + 4.8, upper + 5.3), 7.0, ink)
        frame = (_px(left, upper), _px(right, HEIGHT - upper))
        cv2.rectangle(self.picture, *frame, _CLOTH, 2, cv2.LINE_AA)
        below = self.picture[_px(0, middle + 0.25)[1] :]
        below[:] = self._style.paper

    def _fill(self, points: Points, colour: Colour) -> None:
        shape = np.rint(np.array(points) * PX * 16).astype(np.int32)
        cv2.fillPoly(self.picture, [shape], colour, cv2.LINE_AA, 4)


def _px(x: float, y: float) -> tuple[int, int]:
    return round(x * PX), round(y * PX)


def _mm(mask: MatLike, width: float, height: float) -> MatLike:
    """A mask scaled to that size in millimetres."""
    size = (max(1, round(width * PX)), max(1, round(height * PX)))
    return cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
