"""The power goes at any moment: what was acknowledged is there, and the journal is whole.

A file system of our own stands between SQLite and the disk. It knows of every write whether a sync has made
it durable; at a power loss any part of what was not is lost, in any order, down to halves of single writes.
"""

import contextlib
import itertools
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest

from controller.journal import Draft, Journal, Reading, blank
from controller.journal_form import JournalError
from controller.notes import JournalOpened, PinTried

SECTOR = 512


@dataclass
class Disk:
    """What the files would hold after a power loss."""

    durable: dict[str, bytearray] = field(default_factory=dict)
    pending: dict[str, list[tuple[int, bytes]]] = field(default_factory=dict)
    """Writes since the last sync, by file; a truncation is a write of nothing."""
    synced: int = 0
    images: list[tuple[int, dict[str, bytes]]] = field(default_factory=list)
    acknowledged: int = 0
    fails_at: int | None = None
    """The sync that fails, and every one after it."""

    def write(self, name: str, at: int, data: bytes) -> None:
        """Bytes on their way to the disk."""
        self.pending.setdefault(name, []).append((at, data))

    def truncate(self, name: str, size: int) -> None:
        """A file becomes shorter."""
        self.write(name, size, b"")

    def sync(self, name: str) -> None:
        """What was written to this file is durable now."""
        self.synced += 1
        if self.fails_at is not None and self.synced >= self.fails_at:
            raise apsw.IOError
        content = self.durable.setdefault(name, bytearray())
        for at, data in self.pending.pop(name, []):
            _apply(content, at, data)

    def delete(self, name: str) -> None:
        """A file goes."""
        self.durable.pop(name, None)
        self.pending.pop(name, None)

    def after_power_loss(self, random: Random) -> dict[str, bytes]:
        """Durable bytes, and whatever part of the others came through."""
        survived = {name: bytearray(content) for name, content in self.durable.items()}
        for name, writes in self.pending.items():
            torn = [piece for at, data in writes for piece in _pieces(at, data)]
            kept = [piece for piece in torn if random.random() < 0.6]
            for at, data in random.sample(kept, len(kept)) if random.random() < 0.5 else kept:
                _apply(survived.setdefault(name, bytearray()), at, data)
        return {name: bytes(content) for name, content in survived.items()}


def _pieces(at: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    """A write in sectors of the disk, which are lost one by one."""
    if not data:
        yield at, data
    while data:
        size = SECTOR - at % SECTOR
        yield at, data[:size]
        at, data = at + size, data[size:]


def _apply(content: bytearray, at: int, data: bytes) -> None:
    if not data:
        del content[at:]
        return
    content.extend(bytes(max(at + len(data) - len(content), 0)))
    content[at : at + len(data)] = data


class Files(apsw.VFS):
    """Files that tell the disk of every write."""

    def __init__(self, disk: Disk, random: Random) -> None:
        self.disk, self.random = disk, random
        super().__init__("sabot-power", "", makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> "File":  # noqa: N802 - SQLite's word
        """Open a file."""
        return File(self, name, flags)

    def xDelete(self, name: str, sync_folder: bool) -> None:  # noqa: N802, FBT001
        """Delete a file."""
        super().xDelete(name, sync_folder)
        self.disk.delete(Path(name).name)

    def perhaps(self) -> None:
        """The power may go just here: keep what would be left."""
        if self.random.random() < 0.7:
            self.disk.images.append((self.disk.acknowledged, self.disk.after_power_loss(self.random)))


class File(apsw.VFSFile):
    """One file."""

    def __init__(self, files: Files, name: Any, flags: list[int]) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self.files, self.name = files, Path(path).name if path else ""
        super().__init__("unix", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        """Write."""
        super().xWrite(data, offset)
        self.files.disk.write(self.name, offset, bytes(data))
        self.files.perhaps()

    def xTruncate(self, size: int) -> None:  # noqa: N802
        """Make shorter."""
        super().xTruncate(size)
        self.files.disk.truncate(self.name, size)

    def xSync(self, flags: int) -> None:  # noqa: N802
        """Make durable; our disk does, and the one below need not."""
        del flags
        self.files.disk.sync(self.name)
        self.files.perhaps()


@contextlib.contextmanager
def power(disk: Disk, seed: int) -> Iterator[None]:
    """While this lasts, SQLite writes to that disk."""
    files = Files(disk, Random(seed))  # noqa: S311 - a seed that fails can be tried again
    try:
        yield
    finally:
        files.unregister()


def drafts(n: int) -> list[Draft]:
    """The n-th lot of entries: some are long, so that pages split."""
    if n == 0:
        return [Draft(JournalOpened("T-1", "0.1.0"), "controller")]
    return [
        Draft(PinTried(f"{n}.{i}" + "x" * (n % 7 * 120), good=True), "dealer", "b", n)
        for i in range(n % 3 + 1)
    ]


def play(path: Path, disk: Disk, lots: int) -> None:
    """Write lots of entries, with a rest now and then, and count what was acknowledged."""
    with Journal(path) as journal:
        for n in range(lots):
            journal.append(drafts(n))
            journal.commit()
            disk.acknowledged = journal.head
            journal.rest(9)


def left(folder: Path, image: dict[str, bytes]) -> Path:
    """The files as they are after the power loss."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in image.items():
        (folder / name).write_bytes(content)
    return folder / "a.journal"


def numbers(path: Path) -> list[str]:
    """Which entries a journal holds, by what they say."""
    if not path.exists() or blank(path):
        return []
    with Reading(path) as reading:
        assert reading.verify() is None
        return [entry.body for entry in reading.since()]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_acknowledged_entry_is_lost_and_the_chain_ends_cleanly(folder: Path, seed: int) -> None:
    disk = Disk()
    with power(disk, seed):
        play(folder / "a.journal", disk, 40)
    everything = numbers(folder / "a.journal")
    assert len(disk.images) > 120
    for acknowledged, image in disk.images:
        held = numbers(left(folder / "after", image))
        assert held == everything[: len(held)]
        assert len(held) >= acknowledged


def test_after_a_power_loss_the_journal_goes_on(folder: Path) -> None:
    disk = Disk()
    with power(disk, 4):
        play(folder / "a.journal", disk, 12)
    for acknowledged, image in disk.images[::6]:
        path = left(folder / "after", image)
        with Journal(path) as journal:
            assert journal.head >= acknowledged
            journal.append(drafts(1))
            journal.commit()
        assert len(numbers(path)) == journal.head


def test_a_sync_that_fails_acknowledges_nothing_and_is_not_tried_again(folder: Path) -> None:
    for failing in itertools.count(1):
        disk, place = Disk(fails_at=failing), folder / str(failing)
        place.mkdir()
        with contextlib.suppress(JournalError, apsw.IOError), power(disk, 5):
            play(place / "a.journal", disk, 6)
        if disk.synced < failing:
            break
        # What the disk keeps of a sync that failed is its own affair; what was acknowledged before is ours.
        held = numbers(left(folder / "after", disk.after_power_loss(Random(failing))))  # noqa: S311
        assert len(held) >= disk.acknowledged
    assert failing > 10
