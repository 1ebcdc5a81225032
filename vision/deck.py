"""What an enrolled deck looks like: its ranks and suits as printed in the corner, and its back.

A deck is a folder: `deck.json` says where on a card the glyphs stand, in millimetres from the upper left
corner of the upright card; `glyphs.png` holds them (thirteen ranks above four suits, in the order of
`rules.cards`, at `CARD_PX` pixels per millimetre, ink dark); `back.png` is the back, small.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import cv2
import msgspec
import numpy as np
from cv2.typing import MatLike

from rules.cards import RANKS, SUITS, Card
from vision.find import CARD_PX

BACK_SIZE = (21, 22)
"""Width and height of the small picture of the back; whole parts of a card's, which shrinks faster."""


class DeckError(ValueError):
    """A deck that cannot be used; the message names the file."""


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rectangle on the card, in millimetres."""

    left: float
    upper: float
    width: float
    height: float

    @property
    def pixels(self) -> tuple[int, int, int, int]:
        """Left, upper, width and height in pixels of an upright card."""
        left, upper = round(self.left * CARD_PX), round(self.upper * CARD_PX)
        return left, upper, round(self.width * CARD_PX), round(self.height * CARD_PX)

    def of(self, card: MatLike) -> MatLike:
        """That part of the picture of an upright card."""
        left, upper, width, height = self.pixels
        return card[upper : upper + height, left : left + width]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    rank: Box
    suit: Box


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """An enrolled deck."""

    name: str
    rank: Box
    suit: Box
    ranks: MatLike
    """Thirteen grey pictures, 0..255, in the order of `RANKS`."""
    suits: MatLike
    """Four, in the order of `SUITS`."""
    back: MatLike

    @classmethod
    def enrolled(cls, name: str, rank: Box, suit: Box, faces: Mapping[Card, MatLike], back: MatLike) -> Self:
        """A deck from one flat, upright, evenly lit picture of each card, of any size.

        A rank is the mean of its four suits and both corners, a suit that of its thirteen ranks.
        """
        inks = {card: _ink(_upright(picture)) for card, picture in faces.items()}
        ranks = [_mean(rank, [ink for card, ink in inks.items() if card.rank == one]) for one in RANKS]
        suits = [_mean(suit, [ink for card, ink in inks.items() if card.suit == one]) for one in SUITS]
        small = cv2.resize(back, BACK_SIZE, interpolation=cv2.INTER_AREA)
        return cls(name, rank, suit, np.array(ranks), np.array(suits), small)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a deck; raises `DeckError` that names the file."""
        try:
            file = msgspec.json.decode((folder / "deck.json").read_bytes(), type=_File)
        except OSError as error:
            raise DeckError(f"{folder / 'deck.json'}: {error.strerror}") from error
        except msgspec.DecodeError as error:
            raise DeckError(f"{folder / 'deck.json'}: {error}") from error
        sheet = _picture(folder / "glyphs.png", cv2.IMREAD_GRAYSCALE)
        back = _picture(folder / "back.png", cv2.IMREAD_COLOR)
        sizes = [box.pixels[2:] for box in (file.rank, file.suit)]
        height, width = sizes[0][1] + sizes[1][1], max(13 * sizes[0][0], 4 * sizes[1][0])
        if sheet.shape != (height, width) or back.shape[1::-1] != BACK_SIZE:
            raise DeckError(f"{folder}: the pictures are not of the sizes that deck.json says")
        ranks = np.array(np.split(sheet[: sizes[0][1], : 13 * sizes[0][0]], 13, axis=1))
        suits = np.array(np.split(sheet[sizes[0][1] :, : 4 * sizes[1][0]], 4, axis=1))
        return cls(file.name, file.rank, file.suit, ranks, suits, back)

    def save(self, folder: Path) -> None:
        """Write the deck into a folder, which is made if need be."""
        folder.mkdir(parents=True, exist_ok=True)
        written = msgspec.json.encode(_File(self.name, self.rank, self.suit))
        (folder / "deck.json").write_bytes(msgspec.json.format(written) + b"\n")
        rows = [np.hstack(list(self.ranks)), np.hstack(list(self.suits))]
        width = max(row.shape[1] for row in rows)
        sheet = np.vstack([np.pad(row, ((0, 0), (0, width - row.shape[1]))) for row in rows])
        cv2.imwrite(str(folder / "glyphs.png"), sheet)
        cv2.imwrite(str(folder / "back.png"), self.back)


def _picture(path: Path, how: int) -> MatLike:
    picture = cv2.imread(str(path), how) if path.is_file() else None
    if picture is None:
        raise DeckError(f"{path}: there is no picture")
    return picture


def _upright(picture: MatLike) -> MatLike:
    """A flat picture at the size at which the camera's cards are cut out, and about as sharp."""
    size = (round(63.0 * CARD_PX), round(88.0 * CARD_PX))
    return cv2.GaussianBlur(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), (0, 0), 0.9)


def _ink(card: MatLike) -> MatLike:
    """The channel in which red ink is as dark as black."""
    return cv2.extractChannel(card, 1)


def _mean(box: Box, inks: list[MatLike]) -> MatLike:
    parts = [box.of(ink) for picture in inks for ink in (picture, cv2.rotate(picture, cv2.ROTATE_180))]
    mean: MatLike = np.rint(np.mean(parts, axis=0)).astype(np.uint8)
    return mean
