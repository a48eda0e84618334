"""Who speaks without end, says nothing or reads nothing: they are hung up on, and everybody else gets in."""

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest

from referee.dashboard import door as doors
from referee.dashboard import serve, server
from referee.dashboard.certificate import certificate_for
from referee.dashboard.door import MOST, Door
from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Landed
from referee.table.clock import LiveClock
from referee.table.session import Session
from tests.referee.test_dashboard_server import asleep, hello

BACKSTOP = 60.0
HOST = b"Host: 127.0.0.1\r\n"
HALF = {
    "nothing": b"",
    "half-a-head": b"GET / HTTP/1.1\r\nHost: ",
    "half-a-greeting": b"GET /live HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgr",
    "half-a-body": b"POST /enter HTTP/1.1\r\n" + HOST + b"Origin: http://127.0.0.1\r\n"
    b"Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n{",
    "an-unwanted-body": b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: 100000000\r\n\r\n{",
    "half-a-second-head": b"GET /health HTTP/1.1\r\n" + HOST + b"\r\nGET / HTTP/1.1\r\nHo",
}
CASES = [
    *(pytest.param("http", words, id=name) for name, words in HALF.items()),
    pytest.param("https", b"", id="https-nothing"),
    pytest.param("https", b"\x16\x03\x01\x02\x00\x01\x00\x01", id="half-a-handshake"),
]


@pytest.fixture
def session() -> Session:
    match = Match("uncle-baiting", {"players": "ABC", "start": "9h"})
    return Session(match, {}, LiveClock())


@asynccontextmanager
async def served(session: Session, https: Path | None = None) -> AsyncIterator[Door]:
    """The dashboard of `session`, and its door."""
    certificate = certificate_for("127.0.0.1", https) if https else None
    door = server.listen(0)
    async with serve(session, certificate=certificate, listener=door):
        yield door


def stranger(door: Door, words: bytes = b"") -> socket.socket:
    """A connection that says these words and no more."""
    connection = socket.create_connection(door.getsockname(), BACKSTOP)
    with suppress(OSError):  # whoever was hung up on notices when they speak
        connection.sendall(words)
    return connection


def addressed(words: bytes, door: Door) -> bytes:
    return words.replace(b"127.0.0.1\r", b"127.0.0.1:%d\r" % door.getsockname()[1])


def wrapped(plain: socket.socket) -> socket.socket:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(plain)


def hung_up(connection: socket.socket) -> bool:
    """Whether the other side hangs up, after whatever it says; waits for it."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionError:
        pass
    return True


def status(door: Door, scheme: str = "http") -> int:
    with httpx.Client(transport=httpx.HTTPTransport(verify=False), trust_env=False) as web:
        return web.get(f"{scheme}://127.0.0.1:{door.getsockname()[1]}/", timeout=BACKSTOP).status_code


async def until(happens: Callable[[], bool]) -> None:
    async with asyncio.timeout(BACKSTOP):
        while not happens():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(("scheme", "words"), CASES)
async def test_a_crowd_that_says_nothing_keeps_nobody_out(
    session: Session, tmp_path: Path, scheme: str, words: bytes
) -> None:
    async with served(session, tmp_path if scheme == "https" else None) as door:
        with ExitStack() as crowd:
            for _ in range(MOST + 40):
                crowd.enter_context(await asyncio.to_thread(stranger, door, addressed(words, door)))
            assert await asyncio.to_thread(status, door, scheme) == 200
            assert door.inside <= MOST + doors.LEAVING


async def test_a_crowd_elsewhere_pushes_out_its_own(session: Session) -> None:
    async with served(session) as door:
        quiet = await asyncio.to_thread(stranger, door)
        with ExitStack() as crowd:
            for _ in range(MOST + 10):
                crowd.enter_context(await asyncio.to_thread(distant, door))
            port = door.getsockname()[1]
            quiet.sendall(f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            assert b" 200 " in await asyncio.to_thread(quiet.recv, 4096)
        quiet.close()


def distant(door: Door) -> socket.socket:
    return socket.create_connection(door.getsockname(), BACKSTOP, ("127.0.0.3", 0))


@pytest.mark.parametrize(("scheme", "words"), CASES)
async def test_whoever_does_not_say_what_they_want_is_hung_up_on(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str, words: bytes
) -> None:
    monkeypatch.setattr(doors, "PATIENCE", 0.3)
    async with served(session, tmp_path if scheme == "https" else None) as door:
        with await asyncio.to_thread(stranger, door, addressed(words, door)) as silent:
            assert await asyncio.to_thread(hung_up, silent)
        await until(lambda: door.inside == 0)


@pytest.mark.parametrize("half", ["half-a-head", "half-a-body", "an-unwanted-body", "half-a-second-head"])
async def test_who_speaks_a_letter_now_and_then_is_hung_up_on(
    session: Session, monkeypatch: pytest.MonkeyPatch, half: str
) -> None:
    monkeypatch.setattr(doors, "PATIENCE", 0.3)

    def dribble(slow: socket.socket) -> None:
        with suppress(ConnectionError):
            while True:
                slow.settimeout(0.05)
                try:
                    if not slow.recv(65536):
                        return
                except TimeoutError:
                    slow.settimeout(BACKSTOP)
                    slow.sendall(b"x")

    async with served(session) as door:
        with await asyncio.to_thread(stranger, door, addressed(HALF[half], door)) as slow:
            async with asyncio.timeout(BACKSTOP):
                await asyncio.to_thread(dribble, slow)
        await until(lambda: door.inside == 0)


@pytest.mark.parametrize(
    "piece",
    [
        pytest.param(b"X-More: " + b"x" * 4000 + b"\r\n", id="many-lines"),
        pytest.param(b"x" * 4000, id="one-line"),
    ],
)
async def test_a_head_without_end_is_not_taken(session: Session, piece: bytes) -> None:
    """Today's browsers send 1 kB; 64 MB are offered here."""

    def offer(talker: socket.socket) -> int:
        taken = 0
        with suppress(OSError):
            for _ in range(64_000_000 // len(piece)):
                taken += talker.send(piece)
        return taken

    async with served(session) as door:
        with await asyncio.to_thread(stranger, door, b"GET / HTTP/1.1\r\n") as talker:
            assert await asyncio.to_thread(offer, talker) < 16_000_000  # what two kernels' buffers hold, at most
        assert await asyncio.to_thread(status, door) == 200


async def test_who_does_not_read_the_answers_is_hung_up_on(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "UNREAD", 0.3)
    async with served(session) as door:
        ask = f"GET /static/table.css HTTP/1.1\r\nHost: 127.0.0.1:{door.getsockname()[1]}\r\n\r\n".encode()
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        deaf.connect(door.getsockname())
        await until(lambda: door.inside == 1)
        deaf.setblocking(False)

        def asks_on() -> bool:
            with suppress(OSError):
                deaf.send(ask * 20)
            return door.inside == 0

        await until(asks_on)
        deaf.close()


async def test_a_slow_visitor_gets_all_of_a_long_answer(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "PATIENCE", 0.3)
    picture = b"x" * 12_000_000

    def slowly(port: int, code: str) -> int:
        own = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=own, headers={"origin": own}, trust_env=False) as web:
            web.post("/join", json={"code": code})
            cookie = "; ".join(f"{name}={value}" for name, value in web.cookies.items())
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            slow.connect(("127.0.0.1", port))
            head = f"GET /picture HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
            slow.sendall(head.encode())
            got = 0
            while piece := slow.recv(131_072):
                got += len(piece)
                time.sleep(0.01)  # a slow link
            return got

    async with serve(session, picture=lambda: (picture, 1)) as dashboard:
        assert await asyncio.to_thread(slowly, dashboard.port, dashboard.code) > len(picture)


async def test_a_page_that_never_answers_a_ping_leaves_its_place(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone that sleeps: it reads nothing, though much waits to be sent to it."""
    monkeypatch.setattr(server, "PING_EVERY", 0.2)
    monkeypatch.setattr(server, "PONG_WITHIN", 0.2)
    async with served(session) as door:
        page = await asyncio.to_thread(asleep, door.getsockname()[1])
        for _ in range(300):
            session.tap(Landed(t=0.0, seat="A", card=Card.of("3h")))
            session.flush()
            await asyncio.sleep(0)
        await until(lambda: door.inside == 0)
        page.close()


async def test_a_page_that_asks_without_end_and_reads_nothing_is_cut_off(session: Session) -> None:
    ping = b"\x89\xfd\0\0\0\0" + b"x" * 125

    def flood(page: socket.socket) -> int:
        taken = 0
        with suppress(OSError):
            while taken < 64_000_000:
                taken += page.send(ping * 100)
        return taken

    async with served(session) as door:
        page = await asyncio.to_thread(asleep, door.getsockname()[1])
        assert await asyncio.to_thread(flood, page) < 32_000_000
        page.close()
        assert await asyncio.to_thread(status, door) == 200


async def test_a_message_of_endlessly_many_pieces_is_cut_off(session: Session) -> None:
    async with served(session) as door:
        page = await asyncio.to_thread(asleep, door.getsockname()[1])

        def pieces() -> None:
            page.sendall(b"\x01\x80\0\0\0\0")
            with suppress(ConnectionError):
                while True:
                    page.sendall(b"\x00\x80\0\0\0\0" * 1000)

        async with asyncio.timeout(BACKSTOP):
            await asyncio.to_thread(pieces)
        page.close()


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_nobody_who_is_hung_up_on_makes_a_noise(
    session: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    scheme: str,
) -> None:
    async with served(session, tmp_path if scheme == "https" else None) as door:
        port = door.getsockname()[1]
        odd = b"\0\xff\r\n\r\n", hello(scheme, port)[:-2] + b"X: " + b"y" * 9000 + b"\r\n\r\n"
        with ExitStack() as stack:
            silent: list[socket.socket] = []
            for words in (*HALF.values(), *odd):
                visitor = stack.enter_context(await asyncio.to_thread(stranger, door, addressed(words, door)))
                silent.append(visitor)
                if scheme == "https":
                    plain = stack.enter_context(await asyncio.to_thread(stranger, door))
                    silent.append(stack.enter_context(await asyncio.to_thread(wrapped, plain)))
                    silent[-1].sendall(addressed(words, door))
            monkeypatch.setattr(doors, "PATIENCE", 0.3)
            for visitor in silent:
                await asyncio.to_thread(hung_up, visitor)
        await until(lambda: door.inside == 0)
    assert [record for record in caplog.records if record.levelname in ("WARNING", "ERROR", "CRITICAL")] == []
