"""Whom the dashboard turns away, and what its answers keep out: attacked without a browser."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from referee.dashboard.access import Access
from referee.dashboard.live import MOST_OF_ONE
from tests.referee.bare_pages import JPEG, ask, enter, origin, page, receive
from tests.referee.dashboard_table import LiveTable, live_table

JSON = {"content-type": "application/json"}
EVIL = {"origin": "http://evil.example"}
TAP = {"do": "tap", "what": {"kind": "landed", "seat": "A", "card": "9d"}}


@pytest.fixture
def table() -> Iterator[LiveTable]:
    with live_table(picture=lambda: (JPEG, 7)) as running:
        yield running


@pytest.fixture
def web(table: LiveTable) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=table.dashboard.watch_url, trust_env=False) as client:
        yield client


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
    assert refused.value.response.status_code in (400, 403)


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
            assert "host" in ask(connection, **message)
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
        others = [page(table) for _ in range(MOST_OF_ONE - 1)]
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


def test_a_mistyped_address_leads_to_the_table(web: httpx.Client) -> None:
    astray = web.get("/setings", headers={"accept": "text/html,*/*;q=0.8"})
    assert (astray.status_code, astray.headers["location"]) == (303, "/")
    assert web.get("/setings").status_code == 404


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
