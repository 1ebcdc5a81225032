"""The dealer's screen as a person has it: what it shows, and its keys to tap; nothing else is known here.

Opens the page for its cookie and then its socket, like a browser; loses it and finds it again, too.
"""

import contextlib
import json
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

PATIENCE = 4.0
"""Seconds after which a person taps again."""
TRIES = 5


@dataclass(frozen=True, slots=True)
class Key:
    """A key on the screen."""

    act: str
    args: dict[str, Any]
    kind: str
    label: str = ""


class Region(HTMLParser):
    """A part of the page, read: its keys, and what it says of itself."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.keys: list[Key] = []
        self.said: dict[str, str] = {}
        """Every `data-` attribute that is no key's."""
        self.cards: dict[str, list[bool]] = {}
        """By hand: whether each card there shows its face."""
        self._hand = ""
        self._labelled = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in an element."""
        given = {name: value or "" for name, value in attrs}
        kinds = given.get("class", "").split()
        if "data-act" in given:
            args = json.loads(given.get("data-args", "{}"))
            self.keys.append(Key(given["data-act"], args, given.get("class", "")))
            self._labelled = True
            return
        self.said |= {name[5:]: value for name, value in given.items() if name.startswith("data-")}
        if "hand" in kinds:
            self._hand = next(kind for kind in kinds if kind != "hand")
            self.cards[self._hand] = []
        if tag == "div" and "card" in kinds and "due" not in kinds and self._hand:
            self.cards[self._hand].append("back" not in kinds)

    def handle_data(self, data: str) -> None:
        """Take in what a key says."""
        if self._labelled and data.strip():
            key = self.keys[-1]
            self.keys[-1] = replace(key, label=f"{key.label} {data.strip()}".strip())

    def handle_endtag(self, tag: str) -> None:
        """A key ends."""
        if tag == "button":
            self._labelled = False


class StuckError(RuntimeError):
    """The screen does not come to show what the person waits for."""


class Screen:
    """One dealer's page."""

    def __init__(self, port: int) -> None:
        self._at = f"127.0.0.1:{port}"
        self._open = contextlib.ExitStack()
        self._socket: ClientConnection | None = None
        self._regions: dict[str, Region] = {}
        self._stage = ""
        self._taps = 0
        self.seq = 0
        """The last entry of the journal that the screen shows."""

    # What it shows.

    @property
    def awaits(self) -> str:
        """What the prompt says is awaited; nothing while a halt covers it."""
        return "" if self.alarm else self._said("prompt", "awaits")

    @property
    def spot(self) -> str:
        """The hand that the prompt names."""
        return self._said("prompt", "spot")

    @property
    def alarm(self) -> str:
        """The code of the halt, or nothing."""
        return self._said("halt", "alarm")

    @property
    def waiting(self) -> int:
        """Cards that came while it is halted."""
        return int(self._said("halt", "waiting") or 0)

    @property
    def round(self) -> int:
        """The number of the present round; the stage begins with it."""
        return int(self._stage.partition(":")[0] or 0)

    @property
    def rulings(self) -> int:
        """How many rulings were taken at this table; the stage ends with it."""
        return int(self._stage.rpartition(":")[2] or 0)

    @property
    def sheet(self) -> bool:
        """A sheet lies over the felt."""
        return bool(self._regions.get("sheet") and self._regions["sheet"].keys)

    def _said(self, region: str, name: str) -> str:
        part = self._regions.get(region)
        return part.said.get(name, "") if part else ""

    def cards(self, hand: str) -> list[bool]:
        """The cards of a hand: whether each shows its face."""
        part = self._regions.get("felt")
        return part.cards.get(hand, []) if part else []

    def keys(self, act: str, /, **args: Any) -> list[Key]:
        """The keys with that act and at least those arguments."""
        return [
            key
            for part in self._regions.values()
            for key in part.keys
            if key.act == act and all(key.args.get(name) == value for name, value in args.items())
        ]

    # Waiting and tapping.

    def wait(self, what: Callable[[], bool], seconds: float = 15.0) -> None:
        """Look until it shows that; raises `StuckError` when it does not in time."""
        end = time.monotonic() + seconds
        while not what():
            if time.monotonic() > end:
                raise StuckError(self.describe())
            self._hear(0.5)

    def glance(self, what: Callable[[], bool], seconds: float) -> bool:
        """Whether it comes to show that in so many seconds."""
        with contextlib.suppress(StuckError):
            self.wait(what, seconds)
        return what()

    def describe(self) -> str:
        """What it shows, for a message."""
        keys = sorted({key.act for part in self._regions.values() for key in part.keys})
        hands = {hand: self.cards(hand) for hand in ("punto", "banca")}
        shows = f"awaits {self.awaits!r} at {self.spot!r}, alarm {self.alarm!r}, {hands}, keys {keys}"
        return f"stage {self._stage}: {shows}"

    def tap(self, act: str, /, until: Callable[[], bool] | None = None, **args: Any) -> None:
        """Tap the key with that act and at least those arguments, again while nothing comes of it.

        Raises `StuckError` when there is no such key, or when it never does what it should.
        """
        self.wait(lambda: bool(self.keys(act, **args)))
        for _ in range(TRIES):
            keys = self.keys(act, **args)
            if keys:
                self._press(keys[0])
            if until is None or self.glance(until, PATIENCE):
                return
        raise StuckError(f"{act} {args} does nothing: {self.describe()}")

    def _press(self, key: Key) -> None:
        self.send(key.act, **key.args)

    def send(self, act: str, /, **args: Any) -> None:
        """Send a tap, whether or not the page has a key for it."""
        self._taps += 1
        tap = {"id": f"sim-{id(self)}-{self._taps}", "act": act, "args": args, "stage": self._stage}
        try:
            self._connected().send(json.dumps(tap))
        except (ConnectionClosed, InvalidHandshake, OSError):
            self._lost()

    def _hear(self, seconds: float) -> None:
        try:
            message = json.loads(self._connected().recv(timeout=seconds))
        except TimeoutError:
            return
        except (ConnectionClosed, InvalidHandshake, OSError):
            self._lost()
            time.sleep(0.1)
            return
        if "regions" in message:
            self._stage = message["stage"]
            for name, html in message["regions"].items():
                self._regions[name] = Region(html)
        self.seq = message.get("seq", self.seq)

    def _connected(self) -> ClientConnection:
        if self._socket is None:
            page = f"http://{self._at}/dealer"
            with urllib.request.urlopen(page, timeout=5) as answer:
                cookie = answer.headers["set-cookie"].split(";")[0]
            opening = connect(
                f"ws://{self._at}/dealer/socket?tab=sim",
                additional_headers={"Cookie": cookie},
                origin=Origin(f"http://{self._at}"),
                max_size=None,
            )
            self._socket = self._open.enter_context(opening)
        return self._socket

    def _lost(self) -> None:
        """The page lost its socket; it is opened anew when it is needed."""
        self._socket = None
        with contextlib.suppress(ConnectionClosed):
            self._open.close()

    def close(self) -> None:
        """Close the page."""
        self._lost()
