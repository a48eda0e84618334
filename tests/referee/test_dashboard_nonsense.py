"""What no honest page sends: every request and every message is answered, clearly, and nothing goes wrong behind it."""

import json
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from referee.dashboard.live import MESSAGES
from referee.store import Store
from referee.store import settings as household
from referee.text.faults import RefereeError
from tests.referee.bare_pages import JPEG, Phone, receive
from tests.referee.dashboard_table import NAMES, LiveTable, live_table
from vision.faults import VisionError
from vision.layout.places import Layout

DEEP = "[" * 1500 + "]" * 1500
DEEPER = '{"a":' * 300 + "1" + "}" * 300
DIGITS = "9" * 3500
ODD = {
    "half-a-character": r'"\ud800"',
    "half-a-character-as-a-name": r'{"\udfff": 1}',
    "no-character": r'"\u0000"',
    "many-digits": "9" * 3500,
    "a-large-number": "1" + "0" * 30,
    "a-negative-number": "-1",
    "no-number": "NaN",
    "endless": "-Infinity",
    "endless-as-digits": "1e999",
    "a-fraction": "0.5",
    "deep": DEEP,
    "deep-objects": DEEPER,
    "nothing": "null",
    "yes": "true",
    "a-list": "[0, 0]",
    "an-object": '{"kind": {}}',
    "empty": '""',
    "long": f'"{"x" * 3000}"',
    "from-right-to-left": r'"\u202e"',
}
BAD = [b"\xff\xfe{", b"{", b'"\xc3', b"", DEEP.encode(), DIGITS.encode(), b"[" * 4000, b'{"do": "\xed\xa0\x80"}']
"""Bodies and messages that are no JSON, or no text at all."""


class Senses:
    wants = frozenset({"camera", "microphone"})

    def see(self, jpeg: bytes, t: float) -> None: ...

    def hear(self, pcm: bytes, rate: int, t: float) -> None: ...


class Viewfinder:
    """Takes a layout as a camera does whose picture has 640 x 480 pixels."""

    def look(self) -> dict[str, Any]:
        return {}

    def lay_out(self, asked: Mapping[str, Any]) -> None:
        try:
            Layout.from_json(dict(asked)).fitted(640, 480).within(640, 480)
        except VisionError as fault:
            raise RefereeError(str(fault)) from None


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing is logged as a fault of ours."""
    yield
    assert [record.getMessage() for record in caplog.records if record.levelno >= 30] == []


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveTable]:
    folder = tmp_path_factory.mktemp("table")
    senses, viewfinder = Senses(), Viewfinder()
    with pytest.MonkeyPatch.context() as patch, Store.open(folder / "matches.db") as store:
        patch.setattr(household, "FILE", folder / "settings.toml")
        household.settings.cache_clear()
        store.begin("uncle-baiting", {"players": "ABC", "start": "9h"}, NAMES)
        with live_table(picture=lambda: (JPEG, 7), senses=senses, viewfinder=viewfinder, store=store) as running:
            running.play("A:9d")
            yield running
    household.settings.cache_clear()


@pytest.fixture
def host(table: LiveTable) -> Iterator[Phone]:
    phone = Phone(table)
    with phone.web:
        yield phone.enter()


def with_odd(message: Any) -> Iterator[str]:
    """`message` as JSON, each of its values in turn replaced with each odd one, and each odd one added."""
    for odd in ODD.values():
        for path in (*places(message), ("more",)):
            yield json.dumps(replaced(message, path)).replace('"<odd>"', odd)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for name, inner in (
        value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    ):
        yield (*at, name)
        yield from places(inner, (*at, name))


def replaced(value: Any, path: tuple[Any, ...]) -> Any:
    if not path:
        return "<odd>"
    if isinstance(value, list):
        return [replaced(inner, path[1:]) if place == path[0] else inner for place, inner in enumerate(value)]
    return {**value, path[0]: replaced(value.get(path[0]), path[1:])}


# Requests

POSTS = {
    "/enter": {"token": "x"},
    "/join": {"code": "x", "seat": "B"},
    "/lend": {"free": "camera"},
    "/settings.json": {"camera": "1", "hearing_grace": 1.0, "training": False},
    "/calibration.json": {
        "discard": [10, 20, 200, 200],
        "seats": {"A": 90},
        "size": [640, 480],
    },
}


@pytest.mark.parametrize("path", POSTS)
def test_an_odd_body_is_answered_with_what_is_wrong(host: Phone, path: str) -> None:
    for body in (*(odd.encode() for odd in with_odd(POSTS[path])), *BAD):
        answer = host.web.post(path, content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (200, 403, 404, 409, 422, 429), (body[:200], answer.text)
        assert isinstance(answer.json()["error"], str)
    assert host.web.get("/health").json()["state"] == "ok"


def test_an_odd_code_of_a_guest_is_only_wrong(table: LiveTable) -> None:
    phone = Phone(table)
    with phone.web:
        for body in with_odd({"code": table.dashboard.code, "seat": "B"}):
            answer = phone.web.post("/join", content=body, headers={"content-type": "application/json"})
            assert answer.status_code in (200, 403, 409, 429)


PATHS = [
    "/picture?after={}",
    "/picture?after=1&drawn={}",
    "/qr.svg?page={}",
    "/static/{}",
    "/matches/{}/steps",
    "/matches/1/row/{}",
    "/matches/{}/row/1",
    "/matches/1/row/1/{}",
    "/matches/{}/row/{}/before",
    "/matches/{}/export/jsonl",
    "/matches/1/export/{}",
    "/evidence/ruling/{}",
    "/evidence/row/{}",
    "/evidence/row/{}/before",
    "/evidence/row/1/{}",
    "/{}",
    "/health?{}",
]
NAMES_IN_PATHS = [
    "9" * 25,
    "-1",
    "0",
    "1e9",
    "%00",
    "%ff%fe",
    "%ed%a0%80",
    "9" * 5000,
    "..%2f..%2fx",
    "%0d%0a",
    "x" * 9000,
]


@pytest.mark.parametrize("path", PATHS)
def test_an_odd_address_is_answered(host: Phone, path: str) -> None:
    for name in NAMES_IN_PATHS:
        answer = host.web.get(path.replace("{}", name))
        assert answer.status_code < 500, name
        if answer.status_code >= 400 and answer.headers.get("content-type") == "application/json":
            assert list(answer.json()) == ["error"]


HEADERS = [
    "host",
    "origin",
    "cookie",
    "accept",
    "content-type",
    "if-none-match",
    "content-length",
    "connection",
    "upgrade",
]
VALUES = [b"\xff\xfe", b"\xed\xa0\x80", b"9" * 5000, b"[::1", b"[", b":::", b"=;=", b"a" * 12000, b"-1", b";" * 3000]


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "OPTIONS", "BREW"])
def test_odd_headers_are_answered(table: LiveTable, method: str) -> None:
    for header in HEADERS:
        for value in VALUES:
            words = {"host": f"127.0.0.1:{table.dashboard.port}".encode(), header: value}
            lines = b"".join(name.encode() + b": " + what + b"\r\n" for name, what in words.items())
            with socket.create_connection(("127.0.0.1", table.dashboard.port), 30) as raw:
                raw.sendall(f"{method} /health HTTP/1.1\r\n".encode() + lines + b"\r\n")
                raw.shutdown(socket.SHUT_WR)
                with suppress(ConnectionError):
                    first = raw.makefile("rb").readline()
                    assert not first or first.split()[1].startswith((b"2", b"3", b"4")), (header, value, first)
    assert httpx.get(table.dashboard.watch_url + "health", trust_env=False).status_code == 200


# Messages

MESSAGES_OF_PAGES = [
    {"do": "tap", "id": 1, "what": {"kind": "landed", "seat": "A", "card": "9d"}},
    {"do": "tap", "id": 1, "what": {"kind": "taken", "seat": "A", "count": 2}},
    {"do": "tap", "id": 1, "what": {"kind": "said", "seat": "A", "text": "sorry"}},
    {"do": "tap", "id": 1, "what": {"kind": "pointed", "seat": "A", "at": "B", "hand": 0}},
    {"do": "tap", "id": 1, "what": {"kind": "claimed", "seat": "A", "against": "B", "code": "slow"}},
    {"do": "tap", "id": 1, "what": {"kind": "voted", "seat": "A", "uphold": True, "ruling": 1}},
    {"do": "tap", "id": 1, "what": {"kind": "option-set", "name": "auto_butt_in", "value": "forbid"}},
    {"do": "correct", "id": 1, "of": 1, "what": {"kind": "landed", "seat": "A", "card": "9d"}},
    {"do": "remove", "id": 1, "of": 1},
    {"do": "answer", "id": 1, "question": 1, "answer": "yes"},
    {"do": "voice", "id": 1, "seat": "A", "least": 1},
    {"do": "spoke", "id": 1, "number": 1, "state": "began"},
    {"do": "free", "id": 1, "seat": "A"},
    {"do": "undo", "id": 1},
    {"do": "redo", "id": 1},
    {"do": "snapshot", "id": 1},
]


@pytest.mark.parametrize(
    "message", MESSAGES_OF_PAGES, ids=lambda message: str(message.get("what", message).get("kind", message["do"]))
)
def test_an_odd_message_is_answered_with_what_is_wrong(host: Phone, message: dict[str, Any]) -> None:
    texts: list[str | bytes] = [*with_odd(message), *BAD]
    for start in range(0, len(texts), MESSAGES):
        with host.open() as page:
            for text in texts[start : start + MESSAGES]:
                page.send(text)
                assert isinstance(receive(page, "answer")["error"], str)


def test_half_a_character_is_not_put_in_the_record(host: Phone) -> None:
    before = host.table.record()
    with host.open() as page:
        for what in ('"kind": "said", "seat": "A", "text": "so\\ud800"', '"kind": "\\udfff"'):
            page.send('{"do": "tap", "id": 1, "what": {' + what + "}}")
            assert receive(page, "answer")["error"]
    assert host.table.call(lambda session: session.sequencer.pending) == ()
    assert host.table.record() == before


@pytest.mark.parametrize("greeting", [{"kind": "camera"}, {"kind": "microphone", "rate": 16000}])
def test_an_odd_greeting_of_a_phone_is_taken_or_refused(host: Phone, greeting: dict[str, Any]) -> None:
    for text in (*with_odd(greeting), *BAD):
        with host.open("push") as phone:
            phone.send(text)
            with suppress(ConnectionClosed):
                assert json.loads(phone.recv(10)) == {"type": "go"}


FRAMES = [
    pytest.param(b"\x81\x82\0\0\0\0\xff\xfe", id="no-text"),
    pytest.param(b"\x01\x81\0\0\0\0\xc3\x80\x81\0\0\0\0\xff", id="no-text-in-pieces"),
    pytest.param(b"\x81\x02ab", id="not-masked"),
    pytest.param(b"\xf1\x81\0\0\0\0a", id="reserved-bits"),
    pytest.param(b"\x83\x81\0\0\0\0a", id="unknown-kind"),
    pytest.param(b"\x80\x81\0\0\0\0a", id="a-piece-of-nothing"),
    pytest.param(b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", id="endless"),
    pytest.param(b"\x89\xfe\x01\0\0\0\0\0" + b"x" * 256, id="a-long-ping"),
    pytest.param(b"\x88\x81\0\0\0\0a", id="half-a-close-code"),
    pytest.param(b"\x88\x82\0\0\0\0\0\0", id="no-close-code"),
    pytest.param(b"\x88\x84\0\0\0\0\x03\xe8\xff\xfe", id="a-close-reason-that-is-no-text"),
]


@pytest.mark.parametrize("path", ["live", "push"])
@pytest.mark.parametrize("frame", FRAMES)
def test_what_is_no_websocket_ends_the_connection(host: Phone, path: str, frame: bytes) -> None:
    with ExitStack() as stack:
        page = stack.enter_context(host.open(path))
        page.socket.sendall(frame)
        with pytest.raises(ConnectionClosed):
            while True:
                page.recv(30)
    deadline = time.monotonic() + 30
    while host.web.get("/health").json()["pages"]:
        assert time.monotonic() < deadline


@pytest.mark.parametrize(
    "head",
    [
        pytest.param("Sec-WebSocket-Key: x\r\n", id="key"),
        pytest.param("Sec-WebSocket-Version: 99\r\n", id="version"),
        pytest.param("Sec-WebSocket-Extensions: \xff;;;=\r\n", id="extensions"),
        pytest.param("Sec-WebSocket-Protocol: \xff,,\r\n", id="protocol"),
        pytest.param("X: " + "y" * 9000 + "\r\n", id="a-long-line"),
        pytest.param("X: y\r\n" * 200, id="many-lines"),
        pytest.param("Content-Length: 10\r\n", id="a-body"),
        pytest.param("Transfer-Encoding: chunked\r\n", id="pieces"),
    ],
)
def test_an_odd_handshake_is_answered(table: LiveTable, head: str) -> None:
    own = f"127.0.0.1:{table.dashboard.port}"
    words = f"Host: {own}\r\nOrigin: http://{own}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{head}"
    for more in ("", "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"):
        with socket.create_connection(("127.0.0.1", table.dashboard.port), 30) as raw:
            raw.sendall(f"GET /live HTTP/1.1\r\n{words}{more}\r\n".encode("latin-1"))
            raw.shutdown(socket.SHUT_WR)
            with suppress(ConnectionError):
                while raw.recv(65536):
                    pass
    assert httpx.get(table.dashboard.watch_url + "health", trust_env=False).status_code == 200
