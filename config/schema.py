"""What a table file may say: one frozen record a section, unknown keys forbidden.

Amounts are in minor units of the currency (2500 is 25.00). Paths are taken from the folder of the table file.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Port = Annotated[int, Meta(ge=1, le=65535)]
Positive = Annotated[int, Meta(ge=1)]


class Money(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The currency, and the chips of the house."""

    currency: str
    """ISO 4217: `PEN`."""
    chips: list[Positive]
    """Denominations, in minor units."""


class Rounding(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a winning that is no whole minor unit is rounded, by bet."""

    default: Literal["toward_zero", "nearest", "up"] = "toward_zero"
    bets: Mapping[str, Literal["toward_zero", "nearest", "up"]] = {}


class Shoe(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The electronic shoe."""

    driver: str
    port: str
    """`/dev/serial/by-id/…`, a pseudo-terminal, or `socket://host:port`."""
    baud: Annotated[int, Meta(ge=1, le=4_000_000)] | None = None
    """Where the device does not have the driver's own rate."""
    commands: list[str] = []
    """What may be sent to it; nothing, unless the house allows it by name."""
    capture: str | None = None
    """A file that keeps every byte it sent."""


class Camera(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The camera above the felt."""

    source: str
    """`/dev/video0`, a file, `rtsp://…`, or `drawn:ENDPOINT` for a drawn table."""
    layout: str
    """Where the felt lies in the picture."""
    deck: str
    """The folder of the deck that it knows."""
    fps: Annotated[float, Meta(gt=0)] = 30.0
    """Pictures a second that are looked at, at most."""
    pictures: str | None = None
    """A folder for the stills of what it saw."""


class Source(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody else who may report to the bus: a chip reader, say."""

    may: list[str]
    """The words of the facts that are taken from it."""
    key: str | None = None
    """Its public CURVE key; needed when it comes by tcp."""


class Bus(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The endpoints of the bus; inside the box everything runs over ipc in `folder`."""

    folder: str = "run"
    reports: str | None = None
    """A further endpoint for reports, `tcp://…`, encrypted and only for listed keys."""
    feed: str | None = None
    since: str | None = None
    secret: str | None = None
    """The file with our own CURVE key pair, needed when an endpoint is tcp."""
    readers: Mapping[str, str] = {}
    """Who may read the feed by tcp: name and public CURVE key."""


class Display(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The screens."""

    host: str = "127.0.0.1"
    port: Port = 8080
    allow: list[str] = []
    """Further host names by which browsers may call it."""
    language: Literal["es", "en", "zh"] = "es"


class Operator(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody who may rule."""

    name: str
    role: Literal["supervisor", "dealer"] = "supervisor"
    pin: str
    """Argon2 hash of the PIN; `sabot pin` makes one."""


class TableFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole file."""

    table: Annotated[str, Meta(min_length=1, max_length=32)]
    """Its name, in the names of its files too."""
    game: str
    money: Money
    limits: Mapping[str, tuple[int, int]]
    options: Mapping[str, Any] = {}
    """What the regulation leaves to the operator; the names are those of the scenario files."""
    rounding: Rounding = Rounding()
    shoe: Shoe | None = None
    camera: Camera | None = None
    bus: Bus = Bus()
    display: Display = Display()
    journal: str = "journals"
    """A folder for the journals."""
    sources: Mapping[str, Source] = {}
    operators: Mapping[str, Operator] = {}
    """By the number that each enters."""
