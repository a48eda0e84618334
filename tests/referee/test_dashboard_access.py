"""What the dashboard turns away, and what it sends: attacked and read without a browser."""

import asyncio
import json
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from referee.dashboard import serve
from referee.dashboard.access import Access
from referee.dashboard.certificate import certificate_for
from referee.dashboard.live import MOST_PAGES
from referee.dashboard.taps import LARGEST
from referee.faults import RefereeError
from referee.observations import Landed
from referee.session import Session
from tests.referee.dashboard_table import LiveTable, live_table

JSON = {"content-type": "application/json"}
EVIL = {"origin": "http://evil.example"}
JPEG = b"\xff\xd8 a picture \xff\xd9"


@pytest.fixture
def table() -> Iterator[LiveTable]:
    with live_table(picture=lambda: (JPEG, 7)) as running:
        yield running


@pytest.fixture
def web(table: LiveTable) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=table.dashboard.watch_url, trust_env=False) as client:
        yield client


def origin(table: LiveTable) -> str:
    return table.dashboard.watch_url.rstrip("/")


def enter(table: LiveTable, web: httpx.Client) -> httpx.Response:
    return web.post("/enter", json={"token": table.dashboard.token}, headers={"origin": origin(table)})


@contextmanager
def page(table: LiveTable, cookie: str = "") -> Iterator[ClientConnection]:
    """A connection as a page of ours opens it."""
    url = table.dashboard.watch_url.replace("http", "ws") + "live"
    headers = {"Cookie": cookie} if cookie else {}
    with connect(url, origin=origin(table), additional_headers=headers, proxy=None) as connection:  # type: ignore[arg-type]
        yield connection


def host_page(table: LiveTable, web: httpx.Client) -> Any:
    enter(table, web)
    return page(table, "; ".join(f"{name}={value}" for name, value in web.cookies.items()))


def receive(connection: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of this kind."""
    while True:
        message: dict[str, Any] = json.loads(connection.recv(10))
        if message["type"] == kind:
            return message


def ask(connection: ClientConnection, message: dict[str, Any]) -> str:
    connection.send(json.dumps({**message, "id": 1}))
    return str(receive(connection, "answer")["error"])


TAP = {"do": "tap", "what": {"kind": "landed", "seat": "A", "card": "9d"}}

# Who is let in


@pytest.mark.parametrize("path", ["/", "/static/table.js", "/picture"])
@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "192.0.2.7", "[::2]", "", "127.0.0.1, x"],
)
def test_another_name_for_us_is_not_answered(web: httpx.Client, path: str, host: str) -> None:
    assert web.get(path, headers={"host": host}).status_code in (400, 403)


@pytest.mark.parametrize(
    ("host", "lan", "answered"),
    [
        pytest.param("127.0.0.1:8710", False, True, id="loopback"),
        pytest.param("localhost", False, True, id="localhost"),
        pytest.param("LOCALHOST:1", False, True, id="case"),
        pytest.param("[::1]:8710", False, True, id="loopback-6"),
        pytest.param("192.168.1.5:8710", False, False, id="own-address-without-lan"),
        pytest.param("192.168.1.5:8710", True, True, id="own-address"),
        pytest.param("192.168.1.6:8710", True, False, id="another-address"),
        pytest.param(f"{socket.gethostname()}:8710", True, True, id="own-name"),
        pytest.param(f"{socket.gethostname()}.local", True, True, id="own-local-name"),
        pytest.param(f"{socket.gethostname()}.local", False, False, id="own-local-name-without-lan"),
        pytest.param(f"{socket.gethostname()}.local.evil.example", True, False, id="stranger-with-our-name"),
        pytest.param("other.local", True, False, id="another-local-name"),
    ],
)
def test_our_own_names(host: str, lan: bool, answered: bool) -> None:
    assert Access(lan=lan).answers_to(host, "192.168.1.5") is answered


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Origin": "http://evil.example"}, id="another-site"),
        pytest.param({"Origin": "null"}, id="no-site"),
        pytest.param({}, id="no-origin"),
        pytest.param({"Origin": "https://{host}"}, id="another-scheme"),
        pytest.param({"Origin": "http://127.0.0.1:1"}, id="another-port"),
        pytest.param({"Origin": "http://evil.example", "Host": "evil.example"}, id="rebound-name"),
    ],
)
def test_a_connection_from_elsewhere_is_refused_before_it_is_accepted(
    table: LiveTable, web: httpx.Client, headers: dict[str, str]
) -> None:
    enter(table, web)
    cookie = "; ".join(f"{name}={value}" for name, value in web.cookies.items())
    lines = {name: value.format(host=origin(table).partition("//")[2]) for name, value in headers.items()}
    url = table.dashboard.watch_url.replace("http", "ws") + "live"
    with pytest.raises(InvalidStatus) as refused:  # noqa: SIM117
        with connect(url, additional_headers={"Cookie": cookie, **lines}, proxy=None):
            pass
    assert refused.value.response.status_code == 403


def test_the_token_buys_a_cookie_that_scripts_and_other_sites_never_see(table: LiveTable, web: httpx.Client) -> None:
    answer = enter(table, web)
    cookie = answer.headers["set-cookie"].lower()
    assert answer.status_code == 200
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert table.dashboard.token not in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    "request_of",
    [
        pytest.param(lambda token: {"json": {"token": "wrong"}}, id="wrong-token"),
        pytest.param(lambda token: {"json": {"token": "wröng"}}, id="odd-token"),
        pytest.param(lambda token: {"json": {"token": 7}}, id="no-text"),
        pytest.param(lambda token: {"json": [token]}, id="no-object"),
        pytest.param(lambda token: {"content": b"\xff{", "headers": JSON}, id="no-json"),
        pytest.param(lambda token: {"data": {"token": token}}, id="a-form"),
        pytest.param(lambda token: {"json": {"token": token, "x": "x" * 5000}}, id="too-long"),
        pytest.param(lambda token: {"json": {"token": token}, "headers": EVIL}, id="origin"),
    ],
)
def test_nothing_else_buys_one(
    table: LiveTable, web: httpx.Client, request_of: Callable[[str], dict[str, Any]]
) -> None:
    request = request_of(table.dashboard.token)
    request["headers"] = {"origin": origin(table), **request.get("headers", {})}
    answer = web.post("/enter", **request)
    assert answer.status_code == 403
    assert answer.json()["error"]
    assert "set-cookie" not in answer.headers


def test_without_the_cookie_one_watches_and_changes_nothing(table: LiveTable) -> None:
    with page(table) as connection:
        assert receive(connection, "hello")["role"] == "spectator"
        assert receive(connection, "snapshot")["view"]["turn"]["seat"] == "A"
        for message in (TAP, {"do": "undo"}, {"do": "remove", "of": 1}, {"do": "correct", "of": 1, "what": {}}):
            assert "host" in ask(connection, message)
    assert table.record() == []
    assert table.call(lambda session: session.sequencer.pending) == ()


def test_the_picture_is_for_those_with_the_cookie(table: LiveTable, web: httpx.Client) -> None:
    assert web.get("/picture").status_code == 403
    enter(table, web)
    newest = web.get("/picture")
    assert (newest.content, newest.headers["x-picture"], newest.headers["cache-control"]) == (JPEG, "7", "no-store")
    assert web.get("/picture", params={"after": 7}).status_code == 204


def test_too_many_pages_are_turned_away_and_the_others_go_on(table: LiveTable) -> None:
    with page(table) as first:
        receive(first, "snapshot")
        others = [page(table) for _ in range(MOST_PAGES - 1)]
        for other in others:
            receive(other.__enter__(), "snapshot")
        with page(table) as last, pytest.raises(ConnectionClosed) as closed:
            last.recv(10)
        table.play("A:9d")
        assert receive(first, "change")["news"]["top"] == "9d"
        for other in others:
            other.__exit__(None, None, None)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1013


# What a request can reach


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/....//app.py",
        "/static//etc/passwd",
        "/static/",
        "/static/table.html",
        "/templates/table.html",
        "/docs",
        "/redoc",
        "/openapi.json",
    ],
)
def test_only_the_pages_own_files_are_there(table: LiveTable, path: str) -> None:
    host, port = origin(table).removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 10) as raw:  # a client would tidy the path up first
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert raw.makefile("rb").readline().split()[1] == b"404"


@pytest.mark.parametrize("path", ["/", "/static/table.js", "/static/nothing.js", "/picture"])
def test_every_answer_keeps_strangers_out_of_the_page(web: httpx.Client, path: str) -> None:
    headers = web.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_a_file_that_the_browser_has_is_not_sent_again(web: httpx.Client) -> None:
    first = web.get("/static/table.js")
    again = web.get("/static/table.js", headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


# What a message can do


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("not json", id="no-json"),
        pytest.param("[" * 4000, id="nested"),
        pytest.param("9" * 4000, id="long-number"),
        pytest.param("[]", id="list"),
        pytest.param("null", id="null"),
        pytest.param('{"do": 7}', id="odd-verb"),
        pytest.param('{"do": "explode"}', id="unknown-verb"),
        pytest.param('{"do": "tap"}', id="nothing-tapped"),
        pytest.param('{"do": "tap", "what": {}}', id="no-kind"),
        pytest.param('{"do": "tap", "what": {"kind": "elapsed"}}', id="clock"),
        pytest.param('{"do": "tap", "what": {"kind": "undone", "of": 1}}', id="edit-as-tap"),
        pytest.param('{"do": "tap", "what": {"kind": "option-set", "name": "preset", "value": "x"}}', id="option"),
        pytest.param('{"do": "tap", "what": {"kind": "option-set", "name": "auto_butt_in", "value": "x"}}', id="value"),
        pytest.param('{"do": "answer", "question": 1, "answer": "9h"}', id="answer-to-no-question"),
        pytest.param('{"do": "answer", "question": true, "answer": "9h"}', id="question-is-no-number"),
        pytest.param('{"do": "answer", "question": 1, "answer": ["9h"]}', id="answer-is-a-list"),
        pytest.param('{"do": "tap", "what": {"kind": "landed", "seat": "A", "card": "1x"}}', id="unknown-card"),
        pytest.param('{"do": "tap", "what": {"kind": "landed", "seat": "Z", "card": "9d"}}', id="no-such-seat"),
        pytest.param('{"do": "tap", "what": {"kind": "landed", "seat": "AB", "card": "9d"}}', id="two-seats"),
        pytest.param('{"do": "tap", "what": {"kind": "pointed", "seat": "A", "at": "Z"}}', id="at-nobody"),
        pytest.param('{"do": "tap", "what": {"kind": "taken", "seat": "A", "count": 1000000}}', id="many-cards"),
        pytest.param('{"do": "tap", "what": {"kind": "taken", "seat": "A", "count": -1}}', id="fewer-than-none"),
        pytest.param('{"do": "tap", "what": {"kind": "said", "seat": "A", "text": "' + "a" * 201 + '"}}', id="speech"),
        pytest.param('{"do": "tap", "what": {"kind": "claimed", "seat": "A", "against": "B", "code": "<"}}', id="code"),
        pytest.param('{"do": "remove", "of": 99}', id="no-such-row"),
        pytest.param('{"do": "remove", "of": true}', id="no-row"),
        pytest.param('{"do": "remove", "of": -1}', id="negative-row"),
        pytest.param('{"do": "correct", "of": 1, "what": {"kind": "landed", "seat": "A", "card": 1}}', id="correction"),
    ],
)
def test_a_message_that_makes_no_sense_is_answered_and_changes_nothing(
    table: LiveTable, web: httpx.Client, text: str
) -> None:
    table.play("A:9d")
    before = table.record()
    with host_page(table, web) as connection:
        connection.send(text)
        assert receive(connection, "answer")["error"]
        assert table.record() == before
        assert table.call(lambda session: session.sequencer.pending) == ()
        assert ask(connection, {"do": "undo"}) == ""  # and the connection still works


def test_bytes_are_no_message(table: LiveTable, web: httpx.Client) -> None:
    with host_page(table, web) as connection:
        connection.send(b'{"do": "undo"}')
        assert receive(connection, "answer")["error"]


def test_a_message_of_any_size_is_not_read(table: LiveTable, web: httpx.Client) -> None:
    with host_page(table, web) as connection:
        connection.send("x" * (LARGEST + 1))
        with pytest.raises(ConnectionClosed) as closed:
            receive(connection, "answer")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    with host_page(table, web) as connection:
        assert ask(connection, TAP) == ""


def test_a_tap_cannot_pretend_to_be_something_else(table: LiveTable, web: httpx.Client) -> None:
    forged = {"source": "eye", "confidence": 0.1, "t": 99999.0, "evidence": ["../x"], "alternatives": [["9d", 0.5]]}
    with host_page(table, web) as connection:
        assert ask(connection, {"do": "tap", "what": {**TAP["what"], **forged}}) == ""  # type: ignore[dict-item]
    table.call(lambda session: session.close())
    (landed,) = table.call(lambda session: session.match.record)
    assert isinstance(landed, Landed)
    assert (landed.source, landed.confidence, landed.evidence, landed.alternatives) == ("tap", 1.0, (), ())
    assert landed.t < 1000


# What a page is told


def test_the_snapshot_and_its_numbered_changes_always_give_the_whole_view(table: LiveTable) -> None:
    with page(table) as connection:
        snapshot = receive(connection, "snapshot")
        number, view = snapshot["number"], snapshot["view"]
        table.play("A:9d", "C:Kd", "A:2d", "B:3d")
        table.call(lambda session: session.undo())
        table.play("C:Td")
        whole = json.loads(json.dumps(table.call(lambda session: session.view())))
        while view != whole:
            change = receive(connection, "change")
            assert change["after"] == number
            number = change["number"]
            view |= change["news"]


def test_a_change_tells_only_what_changed(table: LiveTable) -> None:
    with page(table) as connection:
        receive(connection, "snapshot")
        table.call(lambda session: session.tap(Landed(t=0.0, seat="A", card=None)))
        news = receive(connection, "change")["news"]
    assert "held" in news
    assert not news.keys() & {"game", "options", "rulings", "ledger", "questions", "record", "health"}


def test_a_page_that_missed_something_asks_for_everything(table: LiveTable) -> None:
    with page(table) as connection:
        receive(connection, "snapshot")
        table.play("A:9d")
        connection.send(json.dumps({"do": "snapshot"}))
        while receive(connection, "snapshot")["view"]["top"] != "9d":
            pass


# Where it listens


async def test_a_busy_port_is_named_with_the_remedy(table: LiveTable) -> None:
    port = table.dashboard.port
    with pytest.raises(RefereeError, match=rf"port {port} is busy.*--port"):
        async with serve(table.session, port=port):
            pass


@pytest.mark.parametrize("port", [70000, -1])
async def test_a_port_that_cannot_be_is_named(table: LiveTable, port: int) -> None:
    with pytest.raises(RefereeError, match=f"port {port} .*--port"):
        async with serve(table.session, port=port):
            pass


async def test_it_stops_and_the_port_is_free_again(session: Session) -> None:
    async with serve(session, port=0) as first:
        pass
    async with serve(session, port=first.port) as second:
        assert second.port == first.port


@pytest.fixture
def session() -> Iterator[Session]:
    with live_table() as running:
        pass
    return running.session


async def test_only_this_machine_can_reach_it_unless_asked(session: Session) -> None:
    async with serve(session, port=0) as dashboard:
        assert dashboard.address == "127.0.0.1"
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as another:
            another.bind(("127.0.0.2", dashboard.port))  # free: so it does not listen on every address


def leaving(port: int) -> ssl.SSLSocket:
    """A page that has just said goodbye, and whose browser has not hung up yet."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    page = context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=30))
    own = f"127.0.0.1:{port}"
    page.sendall(
        f"GET /live HTTP/1.1\r\nHost: {own}\r\nOrigin: https://{own}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    assert b" 101 " in page.recv(4096)
    page.sendall(b"\x88\x82\0\0\0\0\x03\xe8")
    while page.recv(65536):
        pass
    return page


async def test_a_page_that_is_leaving_when_the_match_ends_is_no_fault(session: Session, tmp_path: Path) -> None:
    async with serve(session, port=0, certificate=certificate_for("127.0.0.1", tmp_path)) as dashboard:
        page = await asyncio.to_thread(leaving, dashboard.port)
    page.close()
