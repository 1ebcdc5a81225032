"""Pictures from a device, a file, a network camera or a drawn table; only this file opens `cv2.VideoCapture`.

A source that is missing is no error: its state says why in one line, and it is tried again, at least once a
second, until it is there. A gap of less than a second is no change of state.
"""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import msgspec
import numpy as np
import structlog
import zmq
from cv2.typing import MatLike

GRACE = 1.0
"""Seconds without a picture after which a source is no longer live."""
_FIRST_WAIT, _LONGEST_WAIT = 0.05, 1.0
_STILLS = {".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"}

# Our own state says what is wrong, once; the libraries below would say it at every try.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

_log = structlog.get_logger(__name__)

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table."""

    image: MatLike
    """Height x width x 3, 0..255, blue, green, red; not to be written to."""
    number: int
    """The source's own number; it rises while the source stays."""
    at: float
    """When it was taken, in seconds of the monotonic clock."""


@dataclass(frozen=True, slots=True)
class State:
    """How far a source got: `live` (pictures come), `silent` (it is there, and none come) or `absent`."""

    rung: str
    why: str = ""
    """What keeps pictures from coming, in one line; empty while they come."""


class Camera(Protocol):
    """Where frames come from."""

    @property
    def state(self) -> State:
        """As of the last grab."""

    def grab(self, timeout: float) -> Frame | None:
        """The newest picture not given before; `None` when there is none within about so many seconds."""

    def close(self) -> None:
        """Give the source back."""


def open_camera(source: str, *, clock: Clock = time.monotonic) -> Camera:
    """A camera by its name in a table file; it need not be there yet.

    `drawn:ENDPOINT`; `rtsp://...`, `http://...`; `/dev/video0` or the number of a device; else the path of a
    picture (looked at again and again) or of a video (played once). Raises `ValueError` for an empty name.
    """
    if not source:
        raise ValueError("a camera needs a source: a device, a file, an address or drawn:ENDPOINT")
    if source.startswith("drawn:"):
        return DrawnCamera(source.removeprefix("drawn:"), clock)
    if source.isdecimal():
        source = f"/dev/video{source}"
    if "://" in source or source.startswith("/dev/"):
        return StreamCamera(source, clock)
    path = Path(source)
    return PictureCamera(path, clock) if path.suffix.lower() in _STILLS else VideoCamera(path, clock)


class _Link:
    """Whether a source is live; said once when it breaks and once when it heals."""

    def __init__(self, source: str, clock: Clock) -> None:
        self.state = State("absent", f"{source}: not opened yet")
        self._source = source
        self._clock = clock
        self._last = clock()

    def came(self) -> None:
        self._last = self._clock()
        if self.state.rung != "live":
            _log.info("camera is live", source=self._source)
            self.state = State("live")

    def missed(self, rung: str, why: str) -> None:
        """No picture this time."""
        state = State(rung, f"{self._source}: {why}")
        if state != self.state and self._clock() - self._last >= GRACE:
            _log.warning("camera gives no pictures", rung=rung, why=state.why)
            self.state = state


class _Header(msgspec.Struct, frozen=True):
    number: int
    width: int
    height: int
    at: float


class DrawnCamera:
    """A drawn table behind a ZeroMQ socket: `frame` is asked, a header and raw pixels are answered."""

    def __init__(self, endpoint: str, clock: Clock) -> None:
        self._link = _Link(endpoint, clock)
        self._clock = clock
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.REQ)
        self._socket.linger = 0
        # A table that went and came back answers a new question; late answers to old ones are dropped.
        self._socket.setsockopt(zmq.REQ_RELAXED, 1)
        self._socket.setsockopt(zmq.REQ_CORRELATE, 1)
        self._socket.setsockopt(zmq.IMMEDIATE, 1)
        self._socket.setsockopt(zmq.RECONNECT_IVL, int(1000 * _FIRST_WAIT))
        self._socket.setsockopt(zmq.RECONNECT_IVL_MAX, int(1000 * _LONGEST_WAIT))
        self._socket.connect(endpoint)
        self._asked: float | None = None

    @property
    def state(self) -> State:
        """As of the last grab."""
        return self._link.state

    def grab(self, timeout: float) -> Frame | None:
        """The table as it is when it is asked."""
        if not self._ask(timeout):
            self._link.missed("absent", "no drawn table there")
            return None
        if not self._socket.poll(max(0, int(1000 * timeout))):
            self._link.missed("silent", "the drawn table does not answer")
            return None
        self._asked = None
        parts = self._socket.recv_multipart(copy=False)
        try:
            header = msgspec.json.decode(parts[0].buffer, type=_Header)
            flat = np.frombuffer(parts[1].buffer, np.uint8)
            image = flat.reshape(header.height, header.width, 3)
        except (IndexError, ValueError, msgspec.DecodeError) as error:
            self._link.missed("silent", f"no picture in the answer: {error}")
            return None
        self._link.came()
        return Frame(image, header.number, header.at)

    def close(self) -> None:
        """Close the socket."""
        self._context.destroy(linger=0)

    def _ask(self, timeout: float) -> bool:
        """Have a question on its way; whether there is one."""
        now = self._clock()
        if self._asked is not None and now - self._asked < GRACE / 2:
            return True
        self._asked = None
        if not self._socket.poll(max(0, int(1000 * timeout)), zmq.POLLOUT):
            return False
        self._socket.send(b"frame")
        self._asked = now
        return True


class PictureCamera:
    """One picture in a file, given again and again; read anew when the file changes."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._link = _Link(str(path), clock)
        self._clock = clock
        self._path = path
        self._stamp = -1
        self._image: MatLike | None = None
        self._number = 0

    @property
    def state(self) -> State:
        """As of the last grab."""
        return self._link.state

    def grab(self, timeout: float) -> Frame | None:  # noqa: ARG002 - a file does not make one wait
        """The picture, under the next number."""
        stamp = _stamp(self._path)
        if stamp is None:
            self._link.missed("absent", "no such file")
            return None
        if stamp != self._stamp:
            self._stamp, self._image = stamp, cv2.imread(str(self._path), cv2.IMREAD_COLOR)
        if self._image is None:
            self._link.missed("silent", "not a picture")
            return None
        self._link.came()
        self._number += 1
        return Frame(self._image, self._number, self._clock())

    def close(self) -> None:
        """Forget the picture."""
        self._image = None


class VideoCamera:
    """A video in a file, frame by frame as fast as it is asked; silent at its end, until the file changes."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._link = _Link(str(path), clock)
        self._clock = clock
        self._path = path
        self._stamp = -1
        self._capture = cv2.VideoCapture()
        self._number = 0

    @property
    def state(self) -> State:
        """As of the last grab."""
        return self._link.state

    def grab(self, timeout: float) -> Frame | None:  # noqa: ARG002 - a file does not make one wait
        """The next picture of the video."""
        stamp = _stamp(self._path)
        if stamp is None:
            self._link.missed("absent", "no such file")
            return None
        if stamp != self._stamp:
            self._stamp = stamp
            self._capture.open(str(self._path))
        there, image = self._capture.read()
        if not there or image is None:
            self._link.missed("silent", "the video has ended" if self._number else "not a video")
            return None
        self._link.came()
        self._number += 1
        return Frame(image, self._number, self._clock())

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


def _stamp(path: Path) -> int | None:
    """What changes when a file is written; `None` when it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


class StreamCamera:
    """A device or a network camera; its own thread opens and empties it.

    So the newest picture is at hand, and nobody else waits when opening or reading hangs for seconds.
    """

    def __init__(self, source: str, clock: Clock) -> None:
        self._link = _Link(source, clock)
        self._source = source
        self._clock = clock
        self._newest: Frame | None = None
        self._trouble = ("absent", "not opened yet")
        self._change = threading.Condition()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {source}", daemon=True)
        self._thread.start()

    @property
    def state(self) -> State:
        """As of the last grab."""
        return self._link.state

    def grab(self, timeout: float) -> Frame | None:
        """The newest picture; those in between are dropped."""
        with self._change:
            self._change.wait_for(lambda: self._newest is not None, timeout)
            frame, self._newest = self._newest, None
            trouble = self._trouble
        if frame is None:
            self._link.missed(*trouble)
        else:
            self._link.came()
        return frame

    def close(self) -> None:
        """Stop the thread; a read that hangs is left to end by itself."""
        self._closed.set()
        self._thread.join(timeout=GRACE)

    def _run(self) -> None:
        wait, number = _FIRST_WAIT, 0
        while not self._closed.is_set():
            capture = self._open()
            while capture is not None and not self._closed.is_set():
                there, image = capture.read()
                if not there or image is None:
                    self._say("silent", "it stopped giving pictures")
                    break
                wait, number = _FIRST_WAIT, number + 1
                with self._change:
                    self._newest = Frame(image, number, self._clock())
                    self._change.notify_all()
            if capture is not None:
                capture.release()
            self._closed.wait(wait)
            wait = min(2 * wait, _LONGEST_WAIT)

    def _open(self) -> cv2.VideoCapture | None:
        if self._source.startswith("/dev/"):
            if not Path(self._source).exists():
                self._say("absent", "no such device")
                return None
            capture = cv2.VideoCapture(self._source, cv2.CAP_V4L2)
        else:
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 3000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 2000]
            capture = cv2.VideoCapture(self._source, cv2.CAP_FFMPEG, limits)
        if not capture.isOpened():
            capture.release()
            self._say("absent", "it cannot be opened")
            return None
        self._say("silent", "it is open and gives no pictures")
        return capture

    def _say(self, rung: str, why: str) -> None:
        with self._change:
            self._trouble = (rung, why)
