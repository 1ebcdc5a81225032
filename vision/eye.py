"""Watches the table: pictures in, facts out.

A spot whose pixels did not change since it was last read is not read again, unless what lies there is not
settled yet. The camera's own state is reported as facts, too.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
from cv2.typing import MatLike

from rules.facts import CardSeen, CardUnsure, DeviceState, Fact, FaultCleared, FaultRaised
from vision.camera import Camera, Frame, State
from vision.find import Found, find_cards, is_bare
from vision.layout import Layout, Zone
from vision.read import Reader, Reading
from vision.settle import PATIENT, Look, Patience, Settler
from vision.stills import Stills

_SHRINK = 4
"""A spot's pixels are compared in blocks of so many by so many, so that noise does not count."""
_CHANGE = 9
"""Levels of 255 by which one block must change."""
_TURN = 0.1
"""Seconds to wait for one picture, so that a camera that falls silent is noticed meanwhile."""
_NAP = 0.005
"""Seconds between two questions to a camera that says at once that it has nothing."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a camera is watched."""

    source: str = "camera"
    """Its name in facts."""
    fps: float = 30.0
    """So many pictures a second are looked at, at most."""
    patience: Patience = PATIENT
    pictures: Path | None = None
    """The folder for stills of what is reported; `None` keeps none."""


class Eye:
    """One camera over one table."""

    def __init__(
        self,
        camera: Camera,
        layout: Layout,
        reader: Reader,
        settings: Settings = Settings(),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Takes the camera over, and closes it in the end.

        OpenCV works with one thread in this process from here on: the pictures of the spots are small, and
        the table's other processes need the cores.
        """
        cv2.setNumThreads(1)
        self._camera = camera
        self._layout = layout
        self._settings = settings
        self._stills = Stills(settings.pictures) if settings.pictures else None
        self._spots = [_Spot(zone, layout, reader, settings.patience) for zone in layout.zones]
        self._clock = clock
        self._due = clock()
        self._state = camera.state
        self._lost = False
        self._number = 0

    def read(self, timeout: float) -> list[tuple[Fact, str]]:
        """What was seen, each with the number of its picture; waits at most about so many seconds for it."""
        end = self._clock() + timeout
        while True:
            facts = self._glance(end)
            if facts or self._clock() >= end:
                return [(fact, str(self._number)) for fact in facts]

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()

    def _glance(self, end: float) -> list[Fact]:
        """Look at one picture, if one comes in time."""
        now = self._clock()
        if now < self._due:
            time.sleep(max(0.0, min(self._due, end) - now))
            return []
        frame = self._camera.grab(min(_TURN, max(0.0, end - now)))
        if frame is None:
            time.sleep(min(_NAP, max(0.0, end - self._clock())))
            return self._health(self._camera.state)
        self._due = max(self._due + 1 / self._settings.fps, now)
        self._number = frame.number
        facts = self._health(self._fitting(frame))
        if self._state.rung == "live":
            for spot in self._spots:
                facts += self._seen(spot, frame)
        return facts

    def _fitting(self, frame: Frame) -> State:
        """The camera's state, in view of the size of its pictures."""
        height, width = frame.image.shape[:2]
        if (width, height) == self._layout.image:
            return self._camera.state
        wanted = "{}x{}".format(*self._layout.image)
        return State("silent", f"its pictures are {width}x{height}, and the layout is for {wanted}")

    def _health(self, state: State) -> list[Fact]:
        """What is to be said of the camera itself."""
        if state == self._state:
            return []
        self._state = state
        facts: list[Fact] = [DeviceState({"rung": state.rung, "why": state.why})]
        live = state.rung == "live"
        if self._lost and live:
            facts.append(FaultCleared("link_lost", self._settings.source))
        if not self._lost and not live:
            facts.append(FaultRaised("link_lost", self._settings.source))
        self._lost = not live
        return facts

    def _seen(self, spot: "_Spot", frame: Frame) -> list[Fact]:
        """What is new at a spot, with a still that shows it."""
        facts, flat = spot.look(frame)
        if not facts or flat is None or self._stills is None:
            return list(facts)
        name = self._stills.keep(flat)
        return [replace(fact, picture=name) for fact in facts]


class _Spot:
    """What is known of one spot."""

    def __init__(self, zone: Zone, layout: Layout, reader: Reader, patience: Patience) -> None:
        self._zone = zone
        self._layout = layout
        self._reader = reader
        self._settler = Settler(zone.spot, patience)
        self._before: MatLike | None = None

    def look(self, frame: Frame) -> tuple[list[CardSeen | CardUnsure], MatLike | None]:
        """What is new there, and the rectified picture that it was read from, if it was read."""
        if not self._changed(frame.image) and not self._settler.waiting:
            return [], None
        flat = self._zone.rectify(frame.image)
        looks = [
            Look(found.x, found.y, self._reading(found))
            for found in find_cards(frame.image, flat, self._zone, self._layout)
        ]
        bare = partial(is_bare, flat, self._zone, self._layout)
        return self._settler.see(frame.at, looks, bare), flat

    def _changed(self, image: MatLike) -> bool:
        """Whether the spot looks otherwise than when it was last read; then this is how it looks now."""
        part = image[self._zone.box]
        width, height = part.shape[1] // _SHRINK, part.shape[0] // _SHRINK
        part = part[: height * _SHRINK, : width * _SHRINK]
        blocks = cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA)
        small = cv2.cvtColor(blocks, cv2.COLOR_BGR2GRAY)
        if self._before is not None and cv2.absdiff(small, self._before).max() < _CHANGE:
            return False
        self._before = small
        return True

    def _reading(self, found: Found) -> Reading:
        if found.picture is None:
            return Reading(None, 0.0, "covered")
        return self._reader.read(found.picture)
