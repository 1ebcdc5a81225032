"""A table on which cards are laid, turned and taken away, and the pictures that a camera takes of it.

A picture depends on what was laid, the seed and the picture's number, and on nothing else. One thread may lay
cards while another takes pictures.
"""

import threading
from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike

from rules.cards import Card
from rules.facts import Spot
from vision.drawn.faces import FOREIGN, HOUSE, Style, face
from vision.drawn.felt import felt
from vision.drawn.scene import Fault, Light, Patch, Scene, blurred
from vision.layout import Layout

__all__ = ["DAYLIGHT", "FOREIGN", "HOUSE", "DrawnTable", "Fault", "Light", "Style"]

DAYLIGHT = Light()


class DrawnTable:
    """A felt with places for cards, under a camera.

    Raises `KeyError` for a spot that the layout does not have, `IndexError` for a place, and `ValueError`
    where a card lies already, or none.
    """

    def __init__(self, layout: Layout, seed: int = 0, light: Light = DAYLIGHT) -> None:
        """An empty table; the seed chooses the noise, and how askew a hand lays the cards."""
        self._layout = layout
        self._seed = seed
        self._light = light
        self._gains = light.gains(layout.image)
        bare = np.clip(felt(layout) * self._gains, 0, 255).astype(np.uint8)
        self._bare = blurred(bare, light.blur)
        self._noise = _noise_pool(self._bare.size, light.noise)
        self._cards: dict[tuple[Spot, int], Patch] = {}
        self._picture: MatLike | None = self._bare
        self._laid = 0
        self._lock = threading.Lock()

    def lay(
        self,
        card: Card | None,
        spot: Spot,
        place: int,
        *,
        angle: float | None = None,
        shift: tuple[float, float] | None = None,
        style: Style = HOUSE,
        fault: Fault | None = None,
    ) -> None:
        """Lay a card (`None`: face down); without angle and shift as a hand lays it, not quite straight.

        Degrees clockwise and millimetres, both from how the place lies.
        """
        where = self._layout.zone(spot).places[place]
        if (spot, place) in self._cards:
            raise ValueError(f"a card lies at {spot} {place} already")
        self._laid += 1
        hand = np.random.default_rng((self._seed, self._laid))
        turn, dx, dy = hand.normal(0, (1.5, 0.8, 0.8))
        turn = turn if angle is None else angle
        dx, dy = (dx, dy) if shift is None else shift
        at = (where.at[0] + dx, where.at[1] + dy)
        scene = Scene(self._layout, face(card, style), at, turn + (90 if where.across else 0), fault)
        patch = scene.patch(self._light, self._gains)
        with self._lock:
            self._cards[spot, place] = patch
            self._picture = None

    def turn(self, card: Card | None, spot: Spot, place: int, *, style: Style = HOUSE) -> None:
        """Turn the card that lies there over: it now shows this face, or its back for `None`."""
        self.remove(spot, place)
        self.lay(card, spot, place, style=style)

    def remove(self, spot: Spot, place: int) -> None:
        """Take that card away."""
        with self._lock:
            if self._cards.pop((spot, place), None) is None:
                raise ValueError(f"no card lies at {spot} {place}")
            self._picture = None

    def clear(self) -> None:
        """Take all cards away."""
        with self._lock:
            self._cards.clear()
            self._picture = None

    def render(self, number: int) -> MatLike:
        """The picture with that number: blue, green, red, of the layout's size."""
        with self._lock:
            if self._picture is None:
                self._picture = self._bare.copy()
                for patch in self._cards.values():
                    patch.onto(self._picture)
            picture = self._picture
        if self._noise is None:
            return picture.copy()
        more, less = self._noise
        start = int(np.random.default_rng((self._seed, number)).integers(more.size - picture.size))
        part = slice(start, start + picture.size)
        noisy = cv2.add(picture, more[part].reshape(picture.shape))
        return cv2.subtract(noisy, less[part].reshape(picture.shape), dst=noisy)


@lru_cache(maxsize=4)
def _noise_pool(size: int, sigma: float) -> tuple[MatLike, MatLike] | None:
    """What the sensor adds and takes, one long row each; a picture's number chooses its stretch of it."""
    if sigma <= 0:
        return None
    noise = np.random.default_rng(0).normal(0, sigma, size + (1 << 20))
    return np.rint(noise.clip(0)).astype(np.uint8), np.rint((-noise).clip(0)).astype(np.uint8)
