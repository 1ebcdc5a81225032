"""Sources of pictures: absent, back again, and what they say meanwhile."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
import zmq
from cv2.typing import MatLike

from vision.camera import Camera, Frame, StreamCamera, open_camera
from vision.drawn.server import FrameServer
from vision.drawn.table import DrawnTable


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Its time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opened(clock: Clock) -> Iterator[Callable[[str], Camera]]:
    """Opens cameras, and closes them after the test."""
    cameras: list[Camera] = []

    def open_one(source: str) -> Camera:
        cameras.append(open_camera(source, clock=clock))
        return cameras[-1]

    yield open_one
    for one in cameras:
        one.close()


def grabbed(one: Camera, seconds: float = 20.0) -> Frame:
    """The next frame, within real time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        frame = one.grab(0.05)
        if frame is not None:
            return frame
    raise AssertionError(one.state)


def picture(level: int) -> MatLike:
    return np.full((32, 48, 3), level, np.uint8)


def test_a_camera_needs_a_source() -> None:
    with pytest.raises(ValueError, match="a camera needs a source"):
        open_camera("")


def test_a_picture_is_looked_at_again_and_again(
    opened: Callable[[str], Camera], clock: Clock, tmp_path: Path
) -> None:
    path = tmp_path / "table.png"
    one = opened(str(path))
    assert one.grab(0) is None
    assert one.state.rung == "absent"
    clock.now += 1.0
    assert one.grab(0) is None
    assert one.state.why == f"{path}: no such file"

    cv2.imwrite(str(path), picture(50))
    first, second = one.grab(0), one.grab(0)
    assert first is not None
    assert second is not None
    assert (first.number, second.number, second.at) == (1, 2, 101.0)
    assert (one.state.rung, one.state.why) == ("live", "")

    path.write_bytes(b"no picture")
    assert one.grab(0) is None
    assert one.state.rung == "live", "a short gap is no change of state"
    clock.now += 1.0
    assert one.grab(0) is None
    assert (one.state.rung, one.state.why) == ("silent", f"{path}: not a picture")

    cv2.imwrite(str(path), picture(90))
    changed = one.grab(0)
    assert changed is not None
    assert int(changed.image[0, 0, 0]) == 90
    assert one.state.rung == "live"


def test_a_video_is_played_once(opened: Callable[[str], Camera], clock: Clock, tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    one = opened(str(path))
    clock.now += 1.0
    assert one.grab(0) is None
    assert one.state.why == f"{path}: no such file"
    path.write_bytes(b"no video")
    assert one.grab(0) is None
    assert (one.state.rung, one.state.why) == ("silent", f"{path}: not a video")
    path.unlink()

    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (48, 32))
    for level in (40, 80, 120):
        writer.write(picture(level))
    writer.release()
    levels = [int(frame.image[0, 0, 0]) for frame in (one.grab(0), one.grab(0), one.grab(0)) if frame]
    assert levels == pytest.approx([40, 80, 120], abs=3)
    clock.now += 1.0
    assert one.grab(0) is None
    assert (one.state.rung, one.state.why) == ("silent", f"{path}: the video has ended")


def test_a_device_that_is_not_there(opened: Callable[[str], Camera], clock: Clock) -> None:
    for source in ("97", "/dev/video97"):
        one = opened(source)
        clock.now += 1.0
        while one.grab(0.01) is None and "not opened yet" in one.state.why:
            clock.now += 1.0
        assert (one.state.rung, one.state.why) == ("absent", "/dev/video97: no such device")


def test_an_address_where_nobody_answers(opened: Callable[[str], Camera], clock: Clock) -> None:
    one = opened("rtsp://127.0.0.1:1/table")
    end = time.monotonic() + 20
    while "cannot be opened" not in one.state.why and time.monotonic() < end:
        clock.now += 1.0
        assert one.grab(0.02) is None
    assert (one.state.rung, one.state.why) == ("absent", "rtsp://127.0.0.1:1/table: it cannot be opened")


class FakeCapture:
    """A capture that opens at the second try, gives two pictures, breaks, and opens again."""

    opened = 0
    released = 0
    gate = threading.Event()

    def __init__(self, *_: object) -> None:
        FakeCapture.opened += 1
        self._left = 2 if FakeCapture.opened == 2 else 10**9

    def isOpened(self) -> bool:  # noqa: N802 - as OpenCV calls it
        """From the second on."""
        return FakeCapture.opened > 1

    def read(self) -> tuple[bool, MatLike | None]:
        """A picture as bright as the count of captures."""
        self._left -= 1
        if self._left < 0:
            FakeCapture.gate.wait(20)
            return False, None
        time.sleep(0.001)
        return True, picture(FakeCapture.opened)

    def release(self) -> None:
        """Count it."""
        FakeCapture.released += 1


def test_a_stream_is_opened_again_and_gives_its_newest_picture(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", FakeCapture)
    one = StreamCamera("http://camera/", clock)
    seen = [grabbed(one)]
    while seen[-1].number < 2:
        seen.append(grabbed(one))
    assert one.state.rung == "live"
    clock.now += 1.0
    assert one.grab(0.01) is None
    assert (one.state.rung, one.state.why) == (
        "silent",
        "http://camera/: it is open and gives no pictures",
    )
    FakeCapture.gate.set()
    assert grabbed(one).number == 3
    assert one.state.rung == "live"
    time.sleep(0.05)
    one.grab(1)
    late = grabbed(one)
    assert late.number > 5, "those in between are dropped"
    assert int(late.image[0, 0, 0]) == 3
    one.close()
    assert FakeCapture.released == FakeCapture.opened == 3


def test_a_drawn_table_goes_and_comes_back(
    opened: Callable[[str], Camera], clock: Clock, table: DrawnTable, tmp_path: Path
) -> None:
    endpoint = f"ipc://{tmp_path}/table"
    one = opened(f"drawn:{endpoint}")
    clock.now += 1.0
    assert one.grab(0.01) is None
    assert (one.state.rung, one.state.why) == ("absent", f"{endpoint}: no drawn table there")
    for _ in range(2):
        with FrameServer(endpoint, table.render):
            assert grabbed(one).number >= 1
            assert one.state.rung == "live"
        assert one.grab(0.01) is None
        assert one.state.rung == "live"
        clock.now += 1.0
        while one.grab(0.05) is None and one.state.rung != "absent":
            clock.now += 1.0
        assert one.state.why == f"{endpoint}: no drawn table there"


def test_an_answer_that_is_no_picture(opened: Callable[[str], Camera], clock: Clock, tmp_path: Path) -> None:
    endpoint = f"ipc://{tmp_path}/table"
    header = b'{"number":9,"width":4,"height":2,"at":1.5}'
    bad = ([b"{"], [header], [header, b"too short"])
    good = [header, bytes(24)]
    done = threading.Event()

    def answer() -> None:
        with zmq.Context() as context, context.socket(zmq.REP) as socket:
            socket.bind(endpoint)
            for parts in (*bad, good):
                socket.recv()
                socket.send_multipart(parts)
            done.wait(20)

    thread = threading.Thread(target=answer)
    thread.start()
    one = opened(f"drawn:{endpoint}")
    for _ in bad:
        clock.now += 1.0
        assert one.grab(10) is None
        assert one.state.rung == "silent"
        assert f"{endpoint}: no picture in the answer" in one.state.why
    frame = one.grab(10)
    done.set()
    thread.join()
    assert frame is not None
    assert (frame.number, frame.at, frame.image.shape) == (9, 1.5, (2, 4, 3))


def test_a_drawn_table_that_does_not_answer(
    opened: Callable[[str], Camera], clock: Clock, tmp_path: Path
) -> None:
    endpoint = f"ipc://{tmp_path}/table"
    one = opened(f"drawn:{endpoint}")
    with zmq.Context() as context, context.socket(zmq.REP) as socket:
        socket.bind(endpoint)
        while not socket.poll(1):
            assert one.grab(0.02) is None
        clock.now += 1.0
        assert one.grab(0) is None
        assert (one.state.rung, one.state.why) == ("silent", f"{endpoint}: the drawn table does not answer")
