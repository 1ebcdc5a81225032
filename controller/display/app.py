"""The displays' server: pages, their sockets, and who may open them.

A page gets all its regions when it connects, and afterwards those that changed. The dealer's page is for the
kiosk: the cookie that its socket needs is given to browsers of this machine only. Host and origin of every
handshake are checked, and nothing inline is allowed, so that no other page can act here.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import structlog
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from config.load import Table as TableConfig
from controller.display import words
from controller.display.follow import Follower
from controller.display.language import LOCALES, language
from controller.display.screens import REGIONS, Screens, templates

STATIC = Path(__file__).parent / "static"
COOKIE = "sabot_kiosk"
LOCAL = ("127.0.0.1", "::1")
RELOAD = 4401
"""Closes a socket whose page must be loaded anew, as its cookie is not ours."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

log = structlog.get_logger()


class Headers:
    """Adds the headers that keep a page to itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, with our headers on every answer."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [
                    (b"content-security-policy", POLICY.encode()),
                    (b"x-content-type-options", b"nosniff"),
                    (b"referrer-policy", b"no-referrer"),
                    (b"cache-control", b"no-store"),
                ]
            await send(message)

        await self.app(scope, receive, with_headers)


def kiosk_token(folder: Path) -> str:
    """The secret that this table's kiosk is known by; made once, readable by us alone."""
    path = folder / "kiosk.token"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(32))
    return path.read_text()


class Pages:
    """The pages of one table, and who may open which."""

    def __init__(self, config: TableConfig, screens: Screens, token: str) -> None:
        self._config = config
        self._screens = screens
        self._token = token
        camera = config.file.camera
        self._pictures = config.at(camera.pictures) if camera and camera.pictures else None

    def _kiosk(self, connection: HTTPConnection) -> bool:
        return secrets.compare_digest(connection.cookies.get(COOKIE, "").encode(), self._token.encode())

    async def page(self, request: Request) -> Response:
        """A page without its regions; they come by its socket."""
        audience = request.url.path.strip("/")
        if audience == "dealer" and not (_local(request) or self._kiosk(request)):
            return PlainTextResponse("This page opens on the table's own screen only.", 403)
        file = self._config.file
        lang = language(request.query_params.get("lang", file.display.language))
        html = templates.get_template("page.html").render(
            lang=lang,
            audience=audience,
            names=REGIONS[audience],
            title=f"{file.table} · {lang.say(words.TITLES[audience])}",
        )
        response = HTMLResponse(html)
        if audience == "dealer":
            response.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
        return response

    async def socket(self, socket: WebSocket) -> None:
        """The socket of a page; one from another site, or without the kiosk's cookie, is turned away."""
        audience = socket.url.path.split("/")[1]
        origin = urlsplit(socket.headers.get("origin", "")).netloc
        if not origin or origin != socket.headers.get("host"):
            log.warning("a socket from elsewhere", origin=origin)
            await socket.close()
            return
        await socket.accept()
        if audience == "dealer" and not self._kiosk(socket):
            await socket.close(RELOAD)
            return
        asked = socket.query_params.get("lang", "")
        tab = socket.query_params.get("tab", "")
        await self._screens.serve(socket, audience, tab, asked if asked in LOCALES else None)

    async def picture(self, request: Request) -> Response:
        """A still of what the camera saw, by its hash."""
        name = request.path_params["name"]
        if self._pictures and self._kiosk(request) and set(name) <= set("0123456789abcdef"):
            path = self._pictures / f"{name}.jpg"
            if path.is_file():
                return FileResponse(path)
        return PlainTextResponse("no such picture", 404)


async def home(_request: Request) -> Response:
    """The pages that there are."""
    return PlainTextResponse("/dealer  /public\n")


def _local(request: Request) -> bool:
    return request.client is not None and request.client.host in LOCAL


def application(config: TableConfig, folder: Path) -> Starlette:
    """The server of one table's screens; `folder` is that of the bus."""
    follower = Follower(config, folder)
    screens = Screens(config, follower, folder)
    pages = Pages(config, screens, kiosk_token(folder))

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(follower.run(screens.changed)), asyncio.create_task(screens.tend())]
        for task in tasks:
            task.add_done_callback(_fail_loudly)
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        screens.close()
        follower.close()

    hosts = ["127.0.0.1", "localhost", "[::1]", *config.file.display.allow]
    return Starlette(
        routes=[
            Route("/", home),
            Route("/dealer", pages.page),
            Route("/public", pages.page),
            Route("/picture/{name}", pages.picture),
            WebSocketRoute("/dealer/socket", pages.socket),
            WebSocketRoute("/public/socket", pages.socket),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=hosts), Middleware(Headers)],
        lifespan=lifespan,
    )


def _fail_loudly(task: asyncio.Task[None]) -> None:
    """A task that must not end has ended: the process goes, and is started anew from the journal."""
    if not task.cancelled() and task.exception() is not None:
        log.critical("the displays cannot go on", exc_info=task.exception())
        asyncio.get_running_loop().call_soon(_stop)


def _stop() -> None:
    raise SystemExit(1)
