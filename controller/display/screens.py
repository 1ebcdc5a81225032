"""The open screens: what each shows, what it sends, and who taps.

A tap is passed to the controller with the stage of the view that it was made on; what comes of it comes back
by the feed like everything else. A PIN is checked here, in a thread of its own, and never passed on.
"""

import asyncio
import contextlib
import time
from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import structlog
import zmq
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from starlette.websockets import WebSocket, WebSocketDisconnect

from config.load import Table as TableConfig
from config.schema import Operator
from controller import operators
from controller.answer import TAP
from controller.display import dealer, public, words
from controller.display.follow import Follower
from controller.display.language import language
from controller.display.session import Session
from controller.reporter import Reporter
from controller.table import PEOPLE
from controller.taps import AnyTap

TEMPLATES = Path(__file__).parent / "templates"
BEAT_EVERY = 1.0
"""Seconds between two words to a screen that has nothing new; it veils itself after three."""
BROKEN = 1011
"""Closes a socket whose page cannot be drawn, or is not read."""
SLOWEST = 5.0
"""Seconds that a browser may take to read a message."""
COUNTED_EVERY = 0.01
"""Seconds between two looks whether a try is in the journal."""
MOST_TABS = 64
"""Browser tabs whose open sheets are remembered."""
MOST_TAP = 4096
"""Characters of a tap; more is no tap."""
MOST_IDS = 1000
"""Taps that are remembered by their numbers, so that none counts twice."""

GONE = "websocket.disconnect"
PICKS = ("rule", "card", "burn_card")
"""The taps for which a card is picked."""
PIN = "pin"
"""The tap that says whether a PIN was right: ours alone."""

log = structlog.get_logger()

templates = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
templates.globals["letters"] = {"B": "B", "P": "P", "T": "T"}
_taps: msgspec.json.Decoder[AnyTap] = msgspec.json.Decoder(AnyTap)


REGIONS: Mapping[str, tuple[str, ...]] = {
    "dealer": ("top", "prompt", "felt", "side", "halt", "sheet", "keys"),
    "public": ("top", "hands", "roads"),
}
"""The regions of each kind of page, as they lie in it."""


def _template(audience: str, region: str) -> Template:
    return templates.get_template(f"{audience}/{region}.html")


@dataclass(slots=True, eq=False)
class Screen:
    """One page in one browser."""

    socket: WebSocket
    audience: str
    session: Session
    shown: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    """What the regions show, and in which language."""
    page: dict[str, str] = field(default_factory=dict)
    """The regions as the page has them."""
    stage: str = ""
    answer: bool = False
    """A tap waits for a word, whether or not it changed anything."""
    due: asyncio.Event = field(default_factory=asyncio.Event)
    """There may be something new to show."""


class Screens:
    """All open screens of this table."""

    def __init__(self, config: TableConfig, follower: Follower, folder: Path) -> None:
        self._config = config
        self._follower = follower
        self._screens: set[Screen] = set()
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._ids: OrderedDict[str, None] = OrderedDict()
        self._checking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """By operator: a PIN of his is being checked."""
        self._encoder = msgspec.json.Encoder()
        self._reporter = Reporter(folder, PEOPLE, context=zmq.Context.instance())

    # Showing.

    async def serve(self, socket: WebSocket, audience: str, tab: str, lang: str | None) -> None:
        """Serve one screen until it goes."""
        session = self._session(tab)
        if lang:
            session.lang = lang
        screen = Screen(socket, audience, session)
        screen.due.set()
        self._screens.add(screen)
        writer = asyncio.create_task(self._write(screen))
        try:
            while (message := await socket.receive())["type"] != GONE:
                if audience == "dealer":
                    await self._tap(screen, message.get("text") or "")
        finally:
            self._screens.discard(screen)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    def _session(self, tab: str) -> Session:
        session = self._sessions.pop(tab, None) or Session(lang=self._config.file.display.language)
        if tab:
            self._sessions[tab] = session
        while len(self._sessions) > MOST_TABS:
            self._sessions.popitem(last=False)
        return session

    async def changed(self) -> None:
        """The table took something: every screen has something to show, each at its own pace."""
        for screen in self._screens:
            screen.due.set()

    async def _write(self, screen: Screen) -> None:
        """Send one screen what is new, or a word that we are there; a browser that does not read is let go.

        It fetches the whole page when it is back.
        """
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(screen.due.wait(), BEAT_EVERY)
                screen.due.clear()
                message = self._encoder.encode(self._message(screen)).decode()
                await asyncio.wait_for(screen.socket.send_text(message), SLOWEST)
        except (TimeoutError, RuntimeError, WebSocketDisconnect) as error:
            log.info("a screen is gone", audience=screen.audience, why=type(error).__name__)
        except Exception:
            # A page that cannot be drawn must not go on showing what was: it veils itself when it is closed.
            log.exception("a page cannot be drawn", audience=screen.audience, head=self._follower.table.head)
        with contextlib.suppress(RuntimeError):
            await screen.socket.close(BROKEN)

    def _message(self, screen: Screen) -> dict[str, Any]:
        """What changed since this screen was last told."""
        table = self._follower.table
        if self._follower.lost:
            screen.shown, screen.page = {}, {}
            return {"lost": True}
        changes = self._changes(screen)
        if not (changes or screen.answer or screen.stage != table.stage):
            return {"seq": table.head}
        screen.stage, screen.answer = table.stage, False
        return {"seq": table.head, "stage": table.stage, "lang": screen.session.lang, "regions": changes}

    def _changes(self, screen: Screen) -> dict[str, str]:
        """The regions that must be drawn anew, drawn."""
        table, lang = self._follower.table, language(screen.session.lang)
        if screen.audience == "dealer":
            regions = dealer.regions(table, screen.session, lang)
        else:
            regions = public.regions(table, lang)
        changes = {}
        for name, shown in regions.items():
            # A region that would say the same, in the same language, need not be drawn to know it.
            if screen.shown.get(name) == (lang.code, shown):
                continue
            screen.shown[name] = (lang.code, shown)
            html = _template(screen.audience, name).render(lang=lang, **shown) if shown else ""
            if screen.page.get(name) != html:
                screen.page[name] = changes[name] = html
        return changes

    async def tend(self) -> None:
        """Keep in touch with the controller."""
        while True:
            await asyncio.sleep(0.1)
            for rejected in self._reporter.pump():
                log.error("a tap that the controller does not take", why=rejected.why)

    # Tapping.

    async def _tap(self, screen: Screen, text: str) -> None:
        """Take a tap; what is no tap is dropped, with a word in the log."""
        try:
            tap = msgspec.json.decode(text, type=dict[str, Any]) if len(text) <= MOST_TAP else {}
            act, args, stage = str(tap["act"]), dict(tap.get("args") or {}), str(tap.get("stage", ""))
            # Who it was is not the page's to say.
            args.pop("by", None)
            if self._seen_before(str(tap.get("id", ""))):
                return
            await self._do(screen, act, args, stage)
        except (msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
            log.warning("a tap that is none", error=str(error))
        screen.answer = True
        screen.due.set()

    def _seen_before(self, number: str) -> bool:
        if number in self._ids:
            return True
        self._ids[number] = None
        if len(self._ids) > MOST_IDS:
            self._ids.popitem(last=False)
        return False

    async def _do(self, screen: Screen, act: str, args: dict[str, Any], stage: str) -> None:
        session = screen.session
        if act == PIN:
            raise ValueError("whether a PIN was right is not a page's to say")
        if act == "ui.pick" and args.get("act") not in PICKS:
            raise ValueError("no card is picked for that")
        if session.act(act, args):
            return
        match act:
            case "pick_suit":
                picked = session.picked(str(args.get("value", "")))
                if picked:
                    session.close()
                    await self._do(screen, picked.pop("act"), picked, stage)
            case "enter_pin":
                await self._enter_pin(session, stage)
            case "rule":
                session.close()
                session.sheet, session.pending = "pin", {**args, "act": act, "stage": stage}
            case "bet" if not args.get("add"):
                session.message = ""
            case _:
                self._report({**args, "act": act, "stage": stage})

    async def _enter_pin(self, session: Session, stage: str) -> None:
        """Check the PIN; a right one sends the tap that waited for it."""
        operator = self._config.file.operators.get(session.operator)
        pending, digits = session.pending, session.digits
        session.digits = ""
        if operator is None or operator.role != "supervisor" or pending is None:
            session.message = words.CHOOSE
            return
        async with self._checking[session.operator]:
            await self._check_pin(session, operator, digits, stage)

    async def _check_pin(self, session: Session, operator: Operator, digits: str, stage: str) -> None:
        """One at a time for each operator: the next is checked when the journal has counted this one."""
        number, pending = session.operator, session.pending
        if pending is None:
            return
        tries = self._follower.table.pins.get(number)
        wait = operators.locked_for(tries, time.time_ns())
        if wait:
            session.message, session.values = words.LOCKED, {"seconds": wait}
            return
        good = await asyncio.to_thread(operators.good, operator.pin, digits)
        self._report({"act": PIN, "stage": stage, "operator": number, "good": good})
        if not await self._counted(number, tries):
            return
        if good:
            pending["by"] = number
            session.close()
            self._report(pending)
        else:
            left = max(operators.tries_left(tries) - 1, 0)
            session.message, session.values = words.WRONG_PIN, {"left": left}

    async def _counted(self, operator: str, before: tuple[int, int] | None) -> bool:
        """Whether the journal has the try; while the controller is silent nothing is tried."""
        end = time.monotonic() + SLOWEST
        while self._follower.table.pins.get(operator) == before:
            if time.monotonic() > end:
                return False
            await asyncio.sleep(COUNTED_EVERY)
        return True

    def _report(self, tap: dict[str, Any]) -> None:
        body = self._encoder.encode(tap)
        _taps.decode(body)
        self._reporter.report(TAP, body)

    def close(self) -> None:
        """Give the socket to the controller back."""
        self._reporter.close()
