"""Where the dashboard listens, and how it ends."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.dashboard import serve
from referee.dashboard.certificate import certificate_for
from referee.record.cards import Card
from referee.record.observations import Landed
from referee.table.session import Session
from referee.text.faults import RefereeError
from tests.referee.dashboard_table import LiveTable, live_table


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


def hello(scheme: str, port: int) -> bytes:
    """With what a browser opens a page's connection."""
    own = f"127.0.0.1:{port}"
    return (
        f"GET /live HTTP/1.1\r\nHost: {own}\r\nOrigin: {scheme}://{own}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()


def leaving(port: int) -> ssl.SSLSocket:
    """A page that has just said goodbye, and whose browser has not hung up yet."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    page = context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=30))
    page.sendall(hello("https", port))
    assert b" 101 " in page.recv(4096)
    page.sendall(b"\x88\x82\0\0\0\0\x03\xe8")
    while page.recv(65536):
        pass
    return page


async def test_a_page_that_is_leaving_when_the_match_ends_is_no_fault(session: Session, tmp_path: Path) -> None:
    async with serve(session, port=0, certificate=certificate_for("127.0.0.1", tmp_path)) as dashboard:
        page = await asyncio.to_thread(leaving, dashboard.port)
    page.close()


def asleep(port: int) -> socket.socket:
    """A page whose phone went to sleep: it reads nothing, and has not hung up."""
    page = socket.socket()
    page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    page.connect(("127.0.0.1", port))
    page.sendall(hello("http", port))
    assert b" 101 " in page.recv(256)
    return page


async def test_a_phone_that_sleeps_when_the_match_ends_is_no_fault(
    session: Session, capfd: pytest.CaptureFixture[str]
) -> None:
    async with serve(session, port=0) as dashboard:
        page = await asyncio.to_thread(asleep, dashboard.port)
        for _ in range(300):
            session.touch()
            session.tap(Landed(t=0.0, seat="A", card=Card.of("3h")))
            session.flush()
            await asyncio.sleep(0)
    page.close()
    assert capfd.readouterr().err == ""
