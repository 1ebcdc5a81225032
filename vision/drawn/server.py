"""Hands out pictures of a drawn table over a socket, as a camera hands out frames: pixels, no answers.

A request is `frame`; the reply is a JSON header (`number`, `width`, `height`, and `at`, seconds of the
machine's monotonic clock) and the raw picture, blue, green, red.
"""

import json
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import zmq
from cv2.typing import MatLike


class FrameServer:
    """Answers from its own thread until it is closed; a picture is taken when it is asked for."""

    def __init__(
        self, endpoint: str, render: Callable[[int], MatLike], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Serve what `render` draws for each number; raises `zmq.ZMQError` where it cannot be served."""
        self._render = render
        self._clock = clock
        self._served = 0
        self._change = threading.Condition()
        self._context = zmq.Context()
        self._stop = self._context.socket(zmq.PAIR)
        self._stop.bind("inproc://stop")
        self._socket = self._context.socket(zmq.REP)
        self._socket.linger = 0
        try:
            self._socket.bind(endpoint)
        except zmq.ZMQError:
            self._context.destroy(linger=0)
            raise
        self._thread = threading.Thread(target=self._serve, name="drawn camera", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def wait(self, pictures: int, timeout: float) -> bool:
        """Wait until that many more pictures were taken from now; whether they were.

        Who lays cards faster than a hand waits for this, so that the camera sees each state of the table.
        """
        with self._change:
            # One may be on its way that shows the table as it was before.
            due = self._served + pictures + 1
            return self._change.wait_for(lambda: self._served >= due, timeout)

    def close(self) -> None:
        """Stop answering; the endpoint is free afterwards."""
        if self._thread.is_alive():
            self._stop.send(b"")
            self._thread.join()
        self._context.destroy(linger=0)

    def _serve(self) -> None:
        stop = self._context.socket(zmq.PAIR)
        stop.connect("inproc://stop")
        poller = zmq.Poller()
        poller.register(stop, zmq.POLLIN)
        poller.register(self._socket, zmq.POLLIN)
        number = 0
        while stop not in dict(poller.poll()):
            self._socket.recv()
            number += 1
            self._answer(number)
            with self._change:
                self._served = number
                self._change.notify_all()
        stop.close()

    def _answer(self, number: int) -> None:
        at = self._clock()
        picture = self._render(number)
        height, width = picture.shape[:2]
        header = {"number": number, "width": width, "height": height, "at": at}
        self._socket.send_multipart([json.dumps(header).encode(), picture.data], copy=False)
