"""A phone as the table's camera or microphone: what it sends is taken, or the connection ends."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from referee.dashboard import phones
from referee.dashboard.phones import LARGEST_FRAME, Timing
from tests.referee.bare_pages import JPEG, Phone
from tests.referee.dashboard_table import LiveTable, live_table

CAMERA = json.dumps({"kind": "camera"})
MICROPHONE = json.dumps({"kind": "microphone", "rate": 16000})
STAMP = b"\0\0\0\0\0\0\xf0\x3f"  # 1.0


class Senses:
    """Notes what phones send."""

    wants = frozenset({"camera", "microphone"})

    def __init__(self) -> None:
        self.seen: list[bytes] = []
        self.heard: list[tuple[bytes, int]] = []

    def see(self, jpeg: bytes, t: float) -> None:
        self.seen.append(jpeg)

    def hear(self, pcm: bytes, rate: int, t: float) -> None:
        self.heard.append((pcm, rate))


@pytest.fixture
def senses() -> Senses:
    return Senses()


@pytest.fixture
def table(senses: Senses) -> Iterator[LiveTable]:
    with live_table(picture=lambda: (JPEG, 7), senses=senses) as running:
        yield running


NewPhone = Callable[[], Phone]


@pytest.fixture
def new_phone(table: LiveTable) -> Iterator[NewPhone]:
    with ExitStack() as stack:

        def make() -> Phone:
            phone = Phone(table)
            stack.enter_context(phone.web)
            return phone

        yield make


@pytest.fixture
def phone(new_phone: NewPhone) -> Phone:
    return new_phone()


def refused(phone: Phone, *messages: str | bytes) -> int:
    """With which code the table closes the connection on these messages."""
    with phone.open("push") as connection, pytest.raises(ConnectionClosed) as closed:
        for message in messages:
            connection.send(message)
        for _ in range(len(messages) + 1):
            connection.recv(10)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_frames_and_sound_reach_the_table(phone: Phone, senses: Senses) -> None:
    phone.join()
    for greeting, body in ((CAMERA, JPEG), (MICROPHONE, b"\1\0\2\0")):
        with phone.open("push") as connection:
            connection.send(greeting)
            assert json.loads(connection.recv(10)) == {"type": "go"}
            connection.send(STAMP + body)
            assert json.loads(connection.recv(10)) == {"type": "go"}
    assert senses.seen == [JPEG]
    assert senses.heard == [(b"\1\0\2\0", 16000)]


def test_a_spectator_is_neither_eye_nor_ear(phone: Phone, senses: Senses) -> None:
    assert refused(phone, CAMERA) == 1008
    assert senses.seen == []


@pytest.mark.parametrize(
    "greeting",
    [
        "",
        "no json",
        "[]",
        "null",
        "7",
        "[" * 5000,
        '{"kind": "nose"}',
        '{"kind": ["camera"]}',
        '{"kind": "microphone"}',
        '{"kind": "microphone", "rate": 0}',
        '{"kind": "microphone", "rate": 1e99}',
        '{"kind": "microphone", "rate": "16000"}',
        '{"kind": "microphone", "rate": 16000.5}',
        b"\xff\xd8",
    ],
)
def test_a_greeting_that_makes_no_sense_is_refused(phone: Phone, greeting: str | bytes) -> None:
    phone.join()
    assert refused(phone, greeting) == 1008


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([CAMERA, "text"], id="text"),
        pytest.param([CAMERA, b""], id="empty"),
        pytest.param([CAMERA, STAMP], id="no-picture"),
        pytest.param([CAMERA, b"\0\0\0\0\0\0\xf8\x7f" + JPEG], id="no-time"),
        pytest.param([CAMERA, b"\0\0\0\0\0\0\xf0\x7f" + JPEG], id="endless-time"),
        pytest.param([CAMERA, b"\0\0\0\0\0\0\xf0\xbf" + JPEG], id="negative-time"),
        pytest.param([MICROPHONE, STAMP + b"\1"], id="half-a-sample"),
        pytest.param([CAMERA, b"x" * (LARGEST_FRAME + 1)], id="too-large"),
    ],
)
def test_what_is_no_frame_or_sound_ends_the_connection(
    phone: Phone, senses: Senses, messages: list[str | bytes]
) -> None:
    phone.join()
    assert refused(phone, *messages) == 1009
    assert (senses.seen, senses.heard) == ([], [])


# Who lends


def lends(connection: ClientConnection, kind: str = CAMERA) -> None:
    connection.send(kind)
    assert json.loads(connection.recv(10)) == {"type": "go"}


def code_of(connection: ClientConnection) -> int:
    """With which code the table closes the connection."""
    with pytest.raises(ConnectionClosed) as closed:
        connection.recv(10)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_nobody_takes_the_place_of_a_phone_that_lends(new_phone: NewPhone, senses: Senses) -> None:
    lender, other, host = new_phone(), new_phone(), new_phone().enter()
    lender.join()
    other.join("B")
    with lender.open("push") as first:
        lends(first)
        for pretender in (other, host):
            assert refused(pretender, CAMERA) == 1008
        assert other.web.get("/lend").json()["lent"] == {"camera": "other", "microphone": ""}
        assert other.web.post("/lend", json={"free": "camera"}).status_code == 403
        assert new_phone().web.post("/lend", json={"free": "camera"}).status_code == 403
        first.send(STAMP + JPEG)
        first.recv(10)
    assert senses.seen == [JPEG]


def test_the_host_frees_the_place(new_phone: NewPhone, senses: Senses) -> None:
    lender, other, host = new_phone(), new_phone(), new_phone().enter()
    lender.join()
    other.join()
    with lender.open("push") as first:
        lends(first)
        assert host.web.post("/lend", json={"free": "camera"}).json() == {"error": ""}
        assert code_of(first) == 4000
        with other.open("push") as second:
            lends(second)
            second.send(STAMP + JPEG)
            second.recv(10)
    assert senses.seen == [JPEG]


def test_whoever_lends_stops_and_another_begins(new_phone: NewPhone) -> None:
    lender, other = new_phone(), new_phone()
    lender.join()
    other.join()
    for phone in (lender, other, lender):
        with phone.open("push") as connection:
            lends(connection)
            connection.close(1000)


def test_a_phone_that_loads_its_page_again_goes_on(phone: Phone) -> None:
    phone.join()
    with phone.open("push") as first, phone.open("push") as again:
        lends(first)
        lends(again)
        assert code_of(first) == 4000
        assert phone.web.get("/lend").json()["lent"]["camera"] == "me"


def test_a_phone_that_is_lost_keeps_its_place_for_a_while_and_no_longer(
    new_phone: NewPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    lender, other = new_phone(), new_phone()
    lender.join()
    other.join()
    with lender.open("push") as first:
        lends(first)
        first.close(1001)
    assert refused(other, CAMERA) == 1008
    monkeypatch.setattr(phones, "GONE", 0.0)
    with other.open("push") as second:
        lends(second)


def test_a_phone_that_sends_nothing_gives_way(new_phone: NewPhone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones, "GONE", 0.0)
    asleep, other = new_phone(), new_phone()
    asleep.join()
    other.join()
    with asleep.open("push") as first, other.open("push") as second:
        lends(first)
        lends(second)
        assert code_of(first) == 4000


def test_a_phone_that_does_not_say_what_it_is_to_be_is_refused(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phones, "GREETING", 0.1)
    phone.join()
    with phone.open("push") as connection:
        assert code_of(connection) == 1008


def test_a_table_with_a_camera_of_its_own_takes_none() -> None:
    with live_table() as table:
        phone = Phone(table)
        with phone.web:
            phone.join()
            assert refused(phone, CAMERA) == 1008


def test_pushing_needs_our_own_page(table: LiveTable) -> None:
    url = table.dashboard.watch_url.replace("http", "ws") + "push"
    with pytest.raises(InvalidStatus):  # noqa: SIM117
        with connect(url, origin="http://evil.example", proxy=None):  # type: ignore[arg-type]
            pass


@pytest.mark.parametrize(
    ("delays", "apart"),
    [
        pytest.param([0.05] * 5, 0.05, id="steady"),
        pytest.param([0.5, 0.05, 0.9, 0.3, 0.2], 0.05, id="the-quickest-counts"),
    ],
)
def test_capture_times_do_not_wobble_with_the_network(delays: list[float], apart: float) -> None:
    timing = Timing()
    captured = [timing.at(1000.0 + n, 10.0 + n + delay) for n, delay in enumerate(delays)]
    assert captured[-1] == pytest.approx(14.0 + apart)


def test_capture_times_follow_a_clock_that_drifts() -> None:
    timing = Timing()
    late = [timing.at(n * 1.001, float(n)) - n for n in range(1000)]
    assert max(map(abs, late[100:])) < 0.1
