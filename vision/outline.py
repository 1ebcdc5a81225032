"""The place and angle of a card, from the outline of its white paper.

Only straight sides count, not corners: what covers a corner, or shines beside the card, does not move it.
Everything here is in pixels of the picture in which the outline was found, and degrees clockwise.
"""

import numpy as np
import numpy.typing as npt

Outline = npt.NDArray[np.float64]
"""Points along the edge of something, one `[x, y]` a row, about two pixels apart."""

_NEAR = 2.0
"""So many pixels off its straight line, an outline still belongs to that side."""
_SOFT = 6
"""So many pixels narrower than the card its white may look, when the picture is not sharp."""
_SIDE_SEEN = 0.3
"""So much of each side must be seen."""
_STRAIGHT = 0.1
"""Degrees that do not matter."""


def fit(points: Outline, card: tuple[float, float]) -> tuple[float, float, float] | None:
    """Middle and angle of the upright rectangle of a card's width and height whose sides an outline follows.

    The angle lies from -90 to 90 degrees. `None` when there is no such rectangle.
    """
    angle = _direction(points)
    for turn in (angle, angle + 90):
        found = _followed(points, turn, card)
        if found is not None:
            return found
    return None


def _direction(points: Outline) -> float:
    """The direction that most of the outline runs in, or stands upright on, from 0 to 90 degrees."""
    step = np.concatenate([points[9:], points[:9]]) - points
    degrees = np.degrees(np.arctan2(step[:, 1], step[:, 0])) % 90
    count = np.bincount(degrees.astype(int), minlength=91)
    # Two neighbours together, as the direction may lie on the border between them; 90 degrees are 0 again.
    best = int((count[:90] + np.append(count[1:90], count[0])).argmax()) + 1
    off = (degrees - best + 45) % 90 - 45
    near = off[np.abs(off) < 4]
    return best + float(near.sum()) / max(1, len(near))


def _followed(points: Outline, turn: float, card: tuple[float, float]) -> tuple[float, float, float] | None:
    """The rectangle, starting from about the right angle: its sides tell it better than the whole outline."""
    middle = np.zeros(2)
    for _ in range(3):
        turned = _turned(points, turn)
        rectangle = _rectangle(turned, card)
        if rectangle is None:
            return None
        middle = _turned(rectangle.mean(axis=1), -turn)
        lean = _lean(turned, rectangle)
        turn += lean
        if abs(lean) < _STRAIGHT:
            break
    return float(middle[0]), float(middle[1]), (turn + 90) % 180 - 90


def _turned(points: Outline, degrees: float) -> Outline:
    """Points as they look with one's head turned clockwise by so many degrees."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    seen: Outline = points @ np.array([[cos, -sin], [sin, cos]])
    return seen


def _rectangle(turned: Outline, card: tuple[float, float]) -> Outline | None:
    """`[[left, right], [upper, lower]]` of an upright card in an outline."""
    pairs = []
    for axis in (0, 1):
        pair = _pair(turned[:, axis], card[axis], card[1 - axis])
        if pair is None:
            return None
        pairs.append(pair)
    return np.array(pairs)


def _pair(values: npt.NDArray[np.float64], apart: float, length: float) -> tuple[float, float] | None:
    """Two parallel sides that far apart, each seen over enough of its length."""
    first = values.min() - _NEAR
    count = np.bincount(np.rint(values - first).astype(int))
    near = count.copy()
    near[1:] += count[:-1]
    near[:-1] += count[1:]
    seen, best, gap = 0, 0, 0
    # The outline runs through the outermost pixels of the paper, further in where the picture is not sharp.
    for less in range(1, 1 + _SOFT):
        narrow = round(apart) - less
        if len(near) > narrow:
            both = np.minimum(near[:-narrow], near[narrow:])
            if both.max() > seen:
                best = int(both.argmax())
                seen, gap = int(both[best]), narrow
    if 2 * seen < _SIDE_SEEN * length:
        return None
    one, other = (values[np.abs(values - first - guess) <= _NEAR] for guess in (best, best + gap))
    return float(one.sum()) / len(one), float(other.sum()) / len(other)


def _lean(turned: Outline, rectangle: Outline) -> float:
    """How many degrees the sides of that rectangle lean in truth."""
    up, along = 0.0, 0.0
    inward = turned - rectangle[:, 0]
    outward = rectangle[:, 1] - turned
    within = np.minimum(inward, outward)
    for axis, sign in ((0, -1.0), (1, 1.0)):
        beside = within[:, 1 - axis] >= 0
        for distance in (inward[:, axis], -outward[:, axis]):
            near = beside & (np.abs(distance) <= _NEAR)
            run = turned[near, 1 - axis]
            run = run - run.sum() / max(1, len(run))
            up += sign * float(run @ distance[near])
            along += float(run @ run)
    return float(np.degrees(np.arctan2(up, along)))
