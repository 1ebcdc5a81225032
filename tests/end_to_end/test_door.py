"""Who may open which page: other sites, other machines and strangers may not."""

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from controller.journal import Reading
from controller.operators import TRIES
from controller.simulate.demo import Demo, Settings


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    folder: Path = tmp_path_factory.mktemp("door")
    with Demo(Settings(headless=True), folder) as running:
        running.ready()
        running.people.screen.wait(lambda: running.people.screen.awaits == "shoe")
        yield running


def get(table: Demo, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    request = urllib.request.Request(f"http://127.0.0.1:{table.port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()


def cookie(table: Demo) -> str:
    return get(table, "/dealer")[1]["set-cookie"].split(";")[0]


def socket_of(
    table: Demo, page: str, *, origin: str | None = "", with_cookie: bool = True, tab: str = "t"
) -> connect:
    at = f"127.0.0.1:{table.port}"
    said = Origin(f"http://{at}" if origin == "" else origin) if origin is not None else None
    headers = {"Cookie": cookie(table)} if with_cookie else {}
    return connect(f"ws://{at}/{page}/socket?tab={tab}", origin=said, additional_headers=headers)


@pytest.mark.parametrize("origin", [None, "http://evil.example", "http://127.0.0.1:1", "null"])
def test_a_socket_from_another_site_is_turned_away(table: Demo, origin: str | None) -> None:
    with pytest.raises(InvalidStatus), socket_of(table, "dealer", origin=origin):
        pass


def test_a_socket_without_the_kiosk_s_cookie_is_closed(table: Demo) -> None:
    with (
        pytest.raises(ConnectionClosed) as closed,
        socket_of(table, "dealer", with_cookie=False) as opened,
    ):
        opened.recv(timeout=5)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401


def test_a_page_asked_for_by_another_name_is_refused(table: Demo) -> None:
    assert get(table, "/dealer", Host="evil.example")[0] == 400


def test_nothing_inline_is_allowed_and_nobody_frames_us(table: Demo) -> None:
    _, headers, html = get(table, "/dealer")
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert "<style" not in html
    assert "onclick" not in html


def test_the_cookie_is_for_this_site_only(table: Demo) -> None:
    said = get(table, "/dealer")[1]["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=strict" in said


@pytest.mark.parametrize("name", ["x" * 64, "..%2f..%2ftable.toml", "0" * 64])
def test_a_picture_that_there_is_not_is_not_found(table: Demo, name: str) -> None:
    assert get(table, f"/picture/{name}", Cookie=cookie(table))[0] == 404


def test_the_players_page_takes_no_taps(table: Demo) -> None:
    before = sum(1 for _ in Reading(table.journal).since())
    with socket_of(table, "public", with_cookie=False) as opened:
        opened.recv(timeout=5)
        opened.send(json.dumps({"id": "1", "act": "shoe_loaded", "args": {}, "stage": "1:shoe:0:0:0:0:0"}))
        opened.recv(timeout=5)
    words = [entry.word for entry in Reading(table.journal).since(before)]
    assert "shoe_loaded" not in words


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{", '{"act": 1}', '{"act":"rule","args":[]}', "x" * 100_000]
)
def test_a_tap_that_is_none_changes_nothing_and_breaks_nothing(table: Demo, text: str) -> None:
    with socket_of(table, "dealer") as opened:
        opened.recv(timeout=5)
        opened.send(text)
        opened.send(json.dumps({"id": text[:9], "act": "ui.close", "args": {}, "stage": ""}))
        while "regions" not in json.loads(opened.recv(timeout=5)):
            pass


def test_bytes_are_no_tap(table: Demo) -> None:
    with socket_of(table, "dealer") as opened:
        opened.recv(timeout=5)
        opened.send(b"\x00\xff")
        opened.send(json.dumps({"id": "b", "act": "ui.close", "args": {}, "stage": ""}))
        while "regions" not in json.loads(opened.recv(timeout=5)):
            pass


def test_a_cookie_of_no_letters_is_the_wrong_one(table: Demo) -> None:
    assert get(table, "/picture/" + "0" * 64, Cookie="sabot_kiosk=\xe9")[0] == 404


@pytest.mark.parametrize("way", ["at once", "by the sheet of cards"])
def test_a_page_does_not_say_whether_a_pin_was_right(table: Demo, way: str) -> None:
    before = max(entry.seq for entry in Reading(table.journal).since())
    claim = {"operator": "4471", "good": True}
    with socket_of(table, "dealer", tab=way.replace(" ", "-")) as opened:
        opened.recv(timeout=5)

        def tap(number: int, act: str, /, **args: object) -> None:
            opened.send(json.dumps({"id": f"{way}{number}", "act": act, "args": args, "stage": ""}))

        if way == "at once":
            tap(1, "pin", **claim)
        else:
            tap(1, "ui.pick", act="pin", **claim)
            tap(2, "ui.rank", value="9")
            tap(3, "pick_suit", value="c")
        tap(4, "ui.sheet", value="history")
        while "ui.close" not in opened.recv(timeout=5):
            pass
    assert [entry.word for entry in Reading(table.journal).since(before)] == []


def test_tries_at_the_same_moment_are_counted_like_any_others(table: Demo) -> None:
    with ExitStack() as stack:
        screens = [stack.enter_context(socket_of(table, "dealer", tab=f"t{n}")) for n in range(12)]
        for n, screen in enumerate(screens):
            screen.recv(timeout=5)
            taps: list[tuple[str, dict[str, object]]] = [
                ("rule", {"action": "void_round"}),
                ("ui.operator", {"value": "4471"}),
                *(("ui.digit", {"value": digit}) for digit in f"11{n:02}"),
            ]
            for i, (act, args) in enumerate(taps):
                tap = {"id": f"{n}-{i}", "act": act, "args": args, "stage": ""}
                screen.send(json.dumps(tap))
        for n, screen in enumerate(screens):
            screen.send(json.dumps({"id": f"{n}-x", "act": "enter_pin", "args": {}, "stage": ""}))
        refused = 0
        for screen in screens:
            said = ""
            while not (locked := "Bloqueado por" in said) and "PIN incorrecto" not in said:
                said = screen.recv(timeout=20)
            refused += locked
    tries = [entry.fact for entry in Reading(table.journal).since() if entry.word == "pin"]
    assert len(tries) == TRIES
    assert refused == 12 - TRIES


def test_a_ruling_without_a_pin_is_not_sent(table: Demo) -> None:
    before = max(entry.seq for entry in Reading(table.journal).since())
    with socket_of(table, "dealer") as opened:
        opened.recv(timeout=5)
        tap = {"act": "rule", "args": {"action": "void_round", "by": "4471"}, "stage": "1:shoe:0:0:0:0:0"}
        opened.send(json.dumps({"id": "3", **tap}))
        while "ui.operator" not in opened.recv(timeout=5):
            pass
    assert [entry.word for entry in Reading(table.journal).since(before)] == []


def test_the_port_is_open_on_this_machine_only(table: Demo) -> None:
    with socket.socket() as probe:
        probe.settimeout(2)
        others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        for address in others - {"127.0.0.1", "127.0.1.1"}:
            with pytest.raises((ConnectionRefusedError, TimeoutError)):
                probe.connect((address, table.port))
