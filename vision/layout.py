"""Where the camera's pixels lie on the felt, and which part of the felt is which spot.

Felt positions are millimetres, x to the right and y downwards in the camera's picture; image positions are
pixels, as OpenCV counts them: 0, 0 is the middle of the first pixel. A layout is a TOML file, as a
calibration would have written it; colours in it are red, green, blue.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import cv2
import msgspec
import numpy as np
import numpy.typing as npt
from cv2.typing import MatLike

from rules.facts import Spot

SCALE = 1.5
"""Pixels per millimetre in the rectified picture of a zone."""

Matrix = npt.NDArray[np.float64]
Quad = npt.NDArray[np.float64]
"""Points, one `[x, y]` a row."""

_Pair = tuple[float, float]
_Positive = Annotated[float, msgspec.Meta(gt=0)]
_Channel = Annotated[int, msgspec.Meta(ge=0, le=255)]


class LayoutError(ValueError):
    """A layout file that cannot be used; the message names the file and the key."""


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a card is meant to lie."""

    at: _Pair
    """The middle of the card."""
    across: bool = False
    """The card lies with its long side from left to right."""


class _Point(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    px: _Pair
    mm: _Pair


class _Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    spot: Annotated[str, msgspec.Meta(min_length=1)]
    area: Annotated[tuple[_Pair, ...], msgspec.Meta(min_length=3)]
    places: tuple[Place, ...] = ()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    image: tuple[Annotated[int, msgspec.Meta(gt=0)], Annotated[int, msgspec.Meta(gt=0)]]
    felt: tuple[_Channel, _Channel, _Channel]
    points: Annotated[tuple[_Point, ...], msgspec.Meta(min_length=4)]
    zones: Annotated[tuple[_Zone, ...], msgspec.Meta(min_length=1)]
    card: tuple[_Positive, _Positive] = (63.0, 88.0)


@dataclass(frozen=True, slots=True, eq=False)
class Zone:
    """One spot on the felt, ready to be cut out of pictures."""

    spot: Spot
    area: Quad
    """Its outline on the felt; a card belongs to the zone that holds its middle."""
    places: tuple[Place, ...]
    origin: tuple[float, float]
    """The felt position of the upper left corner of its rectified picture."""
    size: tuple[int, int]
    """Width and height of its rectified picture."""
    maps: tuple[MatLike, MatLike]
    """Where in the camera's picture each pixel of its rectified picture lies, for `cv2.remap`."""
    box: tuple[slice, slice]
    """Rows and columns of the camera's picture that hold it; cheap to look at, not rectified."""

    def rectify(self, image: MatLike) -> MatLike:
        """The zone as seen from straight above, `SCALE` pixels per millimetre."""
        return cv2.remap(image, *self.maps, cv2.INTER_LINEAR)

    def holds(self, x: float, y: float) -> bool:
        """Whether that felt position lies in the zone."""
        return cv2.pointPolygonTest(self.area.astype(np.float32), (x, y), measureDist=False) >= 0


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """One camera's view of one table."""

    image: tuple[int, int]
    """Width and height of the camera's picture."""
    card: tuple[float, float]
    """Width and height of a card."""
    felt: tuple[int, int, int]
    """The colour of the bare felt: blue, green, red."""
    to_image: Matrix
    """From felt to image."""
    zones: tuple[Zone, ...]

    def on_image(self, points: npt.ArrayLike) -> Quad:
        """Felt positions to image positions, one a row."""
        return _through(self.to_image, points)

    def on_felt(self, points: npt.ArrayLike) -> Quad:
        """Image positions to felt positions, one a row."""
        return _through(np.linalg.inv(self.to_image).astype(np.float64), points)

    def zone(self, spot: Spot) -> Zone:
        """The zone of a spot; raises `KeyError` that names the spots there are."""
        for zone in self.zones:
            if zone.spot == spot:
                return zone
        raise KeyError(f"no spot {spot!r} in this layout: {', '.join(zone.spot for zone in self.zones)}")


def load_layout(path: Path) -> Layout:
    """Read a layout file; raises `LayoutError` that names the file and the key."""
    try:
        read = msgspec.toml.decode(path.read_bytes(), type=_File)
    except OSError as error:
        raise LayoutError(f"{path}: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LayoutError(f"{path}: {error}") from error
    to_image = _homography(path, read.points)
    zones: list[Zone] = []
    for number, zone in enumerate(read.zones):
        if zone.spot in {other.spot for other in zones}:
            raise LayoutError(f"{path}: $.zones[{number}].spot: {zone.spot!r} stands there twice")
        zones.append(_zone(path, number, zone, to_image, read.image))
    red, green, blue = read.felt
    return Layout(read.image, read.card, (blue, green, red), to_image, tuple(zones))


def _homography(path: Path, points: Sequence[_Point]) -> Matrix:
    """From felt to image, from pairs that a calibration measured."""
    felt: Quad = np.array([point.mm for point in points], np.float64)
    image: Quad = np.array([point.px for point in points], np.float64)
    found = cv2.findHomography(felt, image, 0)[0]
    if found is None or not np.isfinite(found).all() or abs(np.linalg.det(found)) < 1e-9:
        raise LayoutError(f"{path}: $.points: they lie on one line or on one another; spread them out")
    matrix: Matrix = found.astype(np.float64)
    off = np.hypot(*(_through(matrix, felt) - image).T)
    worst = int(off.argmax())
    if off[worst] > 3.0:
        raise LayoutError(f"{path}: $.points[{worst}]: {off[worst]:.0f} px off what the others say")
    return matrix


def _zone(path: Path, number: int, zone: _Zone, to_image: Matrix, image: tuple[int, int]) -> Zone:
    area = np.array(zone.area)
    (left, upper), (right, lower) = area.min(axis=0), area.max(axis=0)
    corners = _through(to_image, [(left, upper), (right, upper), (right, lower), (left, lower)])
    first, last = corners.min(axis=0), corners.max(axis=0)
    if (first < 0).any() or (last > image).any():
        raise LayoutError(f"{path}: $.zones[{number}].area: {zone.spot!r} reaches out of the picture")
    size = (round((right - left) * SCALE), round((lower - upper) * SCALE))
    if min(size) < 2:
        raise LayoutError(f"{path}: $.zones[{number}].area: {zone.spot!r} has no surface")
    rows = slice(int(first[1]), int(last[1]) + 1)
    columns = slice(int(first[0]), int(last[0]) + 1)
    return Zone(
        spot=zone.spot,
        area=area,
        places=zone.places,
        origin=(float(left), float(upper)),
        size=size,
        maps=_maps(to_image, (left, upper), size),
        box=(rows, columns),
    )


def _maps(to_image: Matrix, origin: tuple[float, float], size: tuple[int, int]) -> tuple[MatLike, MatLike]:
    """For each pixel of a rectified picture where its middle lies in the camera's."""
    columns, rows = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    pixels = np.column_stack([columns.ravel(), rows.ravel()])
    image = _through(to_image, np.array(origin) + (pixels + 0.5) / SCALE)
    across, down = image.T.reshape(2, size[1], size[0]).astype(np.float32)
    whole, fraction = cv2.convertMaps(across, down, cv2.CV_16SC2)
    return whole, fraction


def _through(matrix: Matrix, points: npt.ArrayLike) -> Quad:
    """Points through a homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    moved = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    quad: Quad = moved[:, :2] / moved[:, 2:]
    return quad
