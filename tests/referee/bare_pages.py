"""Pages without a browser: what they ask of the table, and what it answers."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.referee.dashboard_table import LiveTable

JPEG = b"\xff\xd8 a picture \xff\xd9"


class Phone:
    """A browser with its cookies."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        self.origin = table.dashboard.watch_url.rstrip("/")
        self.web = httpx.Client(base_url=self.origin, headers={"origin": self.origin}, trust_env=False)

    def enter(self) -> "Phone":
        assert self.web.post("/enter", json={"token": self.table.dashboard.token}).status_code == 200
        return self

    def join(self, seat: str = "?", code: str | None = None) -> httpx.Response:
        return self.web.post("/join", json={"code": code or self.table.dashboard.code, "seat": seat})

    @contextmanager
    def open(self, path: str = "live", address: str = "127.0.0.1") -> Iterator[ClientConnection]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.web.cookies.items())
        url = f"{self.origin.replace('http', 'ws')}/{path}"
        more: Any = {"origin": self.origin, "proxy": None, "source_address": (address, 0)}
        with connect(url, additional_headers={"Cookie": cookie}, **more) as connection:
            yield connection


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


def ask(connection: ClientConnection, **message: Any) -> str:
    """Why the table refuses what `message` asks for; empty when it does it."""
    connection.send(json.dumps({**message, "id": 1}))
    return str(receive(connection, "answer")["error"])


def tap(connection: ClientConnection, kind: str, **what: Any) -> str:
    return ask(connection, do="tap", what={"kind": kind, **what})
