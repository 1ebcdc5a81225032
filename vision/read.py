"""The upright picture of a card -> which card it is, and how sure that is.

The two corners are read apart, each by the shape of its rank and suit against an enrolled deck and by the
colour of its ink; both must say the same. What another design prints there fits badly and is not believed.
"""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt
from cv2.typing import MatLike

from rules.cards import RANKS, SUITS, Card, card
from vision.deck import BACK_SIZE, Box, Deck

_REACH = 3
"""So many pixels off its place a glyph may be found: the outline is not exact, and print is not either."""
_PIXELS = 16.0
"""How many independent pixels a glyph is worth; far fewer than it has, as neighbours err together."""
_FITS = (0.92, 0.96)
"""Correlation with its template below which a glyph is of another design, and above which it is not."""
_BACK_FITS = (0.75, 0.92)
"""The same for the whole back."""
_RED_INK, _INK_SPREAD = 0.52, 0.05
"""Red light that ink throws back, against paper, from which on it is more likely red than black."""

_GLARE_LEVEL, _GLARE_PART = 248.0, 0.4
"""A corner of which so much is as white as this shows a lamp."""
_PAPER_PART = 0.3
"""A corner of which less is paper has something lying on it."""
_SHARP = 0.2
"""The steepest edge of sharp ink, from one pixel to the next, over the contrast of ink and paper."""

_Row = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one picture of one card says."""

    card: Card | None
    """The best guess. Without a reason it is sure, and `None` is the back; with one, `None` is no idea."""
    confidence: float
    """From 0 to 1."""
    reason: str = ""
    """Why it is not believed: `blurred`, `glare`, `covered`, `corners_differ`, `foreign`, `weak`."""

    @property
    def sure(self) -> bool:
        """Whether it is believed."""
        return not self.reason


class Reader(Protocol):
    """Says which card a picture shows."""

    def read(self, picture: MatLike) -> Reading:
        """Read an upright card of `CARD_PX` pixels per millimetre; it may stand on its head."""


class IndexReader:
    """Reads the corners against the templates of one enrolled deck."""

    def __init__(self, deck: Deck, threshold: float = 0.9) -> None:
        """A reading with less confidence than the threshold is not believed."""
        self.deck = deck
        self._threshold = threshold
        self._ranks = _unit(deck.ranks.astype(np.float32))
        self._suits = _unit(deck.suits.astype(np.float32))
        back = deck.back.astype(np.float32)[None]
        self._back = _unit(np.concatenate([back, back[:, ::-1, ::-1]]))

    def read(self, picture: MatLike) -> Reading:
        """Read an upright card; both corners must agree, and the less certain one decides."""
        back = self._back_confidence(picture)
        if back >= self._threshold:
            return Reading(None, back)
        better, worse = sorted(self._corners(picture), key=lambda corner: -corner.confidence)
        same = better.card is worse.card
        if same and worse.confidence >= self._threshold:
            return Reading(better.card, worse.confidence)
        best = better.card if better.confidence > 0 else None
        if worse.confidence >= self._threshold:
            return Reading(best, better.confidence, "corners_differ")
        return Reading(best, worse.confidence if same else 0.0, self._reason(worse))

    def _back_confidence(self, picture: MatLike) -> float:
        small = cv2.resize(picture, BACK_SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
        return _above(float((self._back @ _unit(small[None])[0]).max()), _BACK_FITS)

    def _corners(self, picture: MatLike) -> "list[_Corner]":
        """Both corners, each with the picture turned so that it is the upper left one."""
        pictures = (picture, cv2.rotate(picture, cv2.ROTATE_180))
        inks = [cv2.extractChannel(one, 1).astype(np.float32) for one in pictures]
        ranks, shifts = _match(inks, self.deck.rank, self._ranks, _REACH, [(0, 0), (0, 0)])
        suits, _ = _match(inks, self.deck.suit, self._suits, 1, shifts)
        rank_chances, suit_chances = _chances(ranks), _chances(suits)
        corners = []
        for number, one in enumerate(pictures):
            rank, suit = int(ranks[number].argmax()), int(suits[number].argmax())
            fit = _above(float(min(ranks[number, rank], suits[number, suit])), _FITS)
            red = _redness(self.deck.suit.of(one))
            colour = red if SUITS[suit] in "dh" else 1 - red
            chance = float(rank_chances[number, rank] * suit_chances[number, suit])
            corners.append(_Corner(card(RANKS[rank] + SUITS[suit]), chance * fit * colour, fit, one))
        return corners

    def _reason(self, corner: "_Corner") -> str:
        """What most likely keeps a corner from being read."""
        rank, suit = self.deck.rank, self.deck.suit
        box = Box(rank.left, rank.upper, rank.width, suit.upper + suit.height - rank.upper)
        part = box.of(corner.picture).astype(np.float32)
        low, high, green = part.min(axis=2), part.max(axis=2), part[..., 1]
        if np.mean(low > _GLARE_LEVEL) > _GLARE_PART:
            return "glare"
        paper = float(np.percentile(corner.picture[..., 1], 75))
        if np.mean((low > 0.7 * paper) & (low > 0.6 * high)) < _PAPER_PART:
            return "covered"
        contrast = float(np.percentile(green, 97) - np.percentile(green, 3))
        steepest = float(np.percentile(np.abs(np.diff(green, axis=1)), 98))
        if steepest < _SHARP * contrast:
            return "blurred"
        return "foreign" if corner.fit == 0 else "weak"


@dataclass(frozen=True, slots=True, eq=False)
class _Corner:
    """What one corner says."""

    card: Card
    confidence: float
    fit: float
    picture: MatLike
    """The whole card, turned so that this is its upper left corner."""


def _match(
    inks: list[_Row], box: Box, templates: _Row, reach: int, shifts: list[tuple[int, int]]
) -> tuple[_Row, list[tuple[int, int]]]:
    """For each picture how well each template fits at its best place about the box, and that place."""
    left, upper, width, height = box.pixels
    side = 2 * reach + 1
    parts = [
        ink[upper + down - reach :, left + right - reach :][: height + side - 1, : width + side - 1]
        for ink, (right, down) in zip(inks, shifts, strict=True)
    ]
    windows = np.lib.stride_tricks.sliding_window_view(np.array(parts), (height, width), axis=(1, 2))
    rows = windows.reshape(len(inks) * side * side, height * width)
    # Templates have no mean, so that of a window only counts in its length.
    variance = np.einsum("ij,ij->i", rows, rows) - rows.sum(axis=1) ** 2 / rows.shape[1]
    fits = _products(rows, templates) / np.sqrt(np.maximum(variance, 1.0))[:, None]
    fits = fits.reshape(len(inks), side * side, len(templates))
    places = [divmod(int(best), side) for best in fits.max(axis=2).argmax(axis=1)]
    found = [
        (right + column - reach, down + row - reach)
        for (right, down), (row, column) in zip(shifts, places, strict=True)
    ]
    return fits.max(axis=1), found


def _products(rows: _Row, templates: _Row) -> _Row:
    """Each row times each template, in pieces for which NumPy does not wake a thread on every core."""
    step = max(1, 250_000 // templates.size)
    pieces = [rows[first : first + step] @ templates.T for first in range(0, len(rows), step)]
    products: _Row = np.concatenate(pieces)
    return products


def _unit(pictures: _Row) -> _Row:
    """Each picture as a row without its mean, of length one: brightness and contrast are gone."""
    rows = pictures.reshape(len(pictures), -1)
    rows = rows - rows.mean(axis=1, keepdims=True)
    unit: _Row = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    return unit


def _chances(fits: _Row) -> _Row:
    """How likely each template is the one, if one is: what a correlation leaves unexplained is noise."""
    worth = -_PIXELS / 2 * np.log(1 - np.clip(fits, 0, 0.999) ** 2)
    odds = np.exp(worth - worth.max(axis=1, keepdims=True))
    chances: _Row = odds / odds.sum(axis=1, keepdims=True)
    return chances


def _above(value: float, limits: tuple[float, float]) -> float:
    """0 up to the first limit, 1 from the second on."""
    return min(1.0, max(0.0, (value - limits[0]) / (limits[1] - limits[0])))


def _redness(part: MatLike) -> float:
    """How likely the ink in a part of a card is red and not black."""
    green, red = part[..., 1], part[..., 2]
    ink = green < (int(green.max()) + int(green.min())) // 2
    brightest, inked = int(red.max()), int(np.count_nonzero(ink))
    thrown = float(red[ink].sum()) / max(1, inked) / max(1, brightest)
    return float(1 / (1 + np.exp(-(thrown - _RED_INK) / _INK_SPREAD)))
