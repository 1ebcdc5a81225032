"""Small pictures of what was reported, kept as evidence, each named by the SHA-256 of its bytes."""

import hashlib
import os
from pathlib import Path

import cv2
import structlog
from cv2.typing import MatLike

_QUALITY = 80

_log = structlog.get_logger(__name__)


class Stills:
    """A folder of JPEG files."""

    def __init__(self, folder: Path) -> None:
        """The folder is made when the first still is kept."""
        self._folder = folder
        self._works = True

    def keep(self, picture: MatLike) -> str:
        """Write a still and return its name in hexadecimal; it is on the disk then.

        Empty when it could not be written: a card is reported all the same.
        """
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
        name = hashlib.sha256(jpeg).hexdigest()
        path = self._folder / f"{name}.jpg"
        part = path.with_suffix(".part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as file:
                file.write(jpeg)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            if self._works:
                _log.warning("stills cannot be kept", folder=str(self._folder), why=error.strerror)
            self._works = False
            return ""
        if not self._works:
            _log.info("stills are kept again", folder=str(self._folder))
        self._works = True
        return name
