"""Who may do what at the table: joining, seats, guests and those who only watch; attacked without a browser."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from referee.dashboard.access import ALL_TRIES, LETTERS, MOST_BEARERS, TRIES, TRY_EVERY, Access, Bearer
from referee.dashboard.live import MESSAGES, MOST_PAGES
from referee.dashboard.phones import LARGEST_FRAME, Timing
from referee.faults import RefereeError
from tests.referee.dashboard_table import LiveTable, live_table

JPEG = b"\xff\xd8 a picture \xff\xd9"
PORT = 1


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
    def open(self, path: str = "live") -> Iterator[ClientConnection]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.web.cookies.items())
        url = f"{self.origin.replace('http', 'ws')}/{path}"
        with connect(url, origin=self.origin, additional_headers={"Cookie": cookie}, proxy=None) as connection:  # type: ignore[arg-type]
            yield connection


def receive(connection: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(connection.recv(10))
        if message["type"] == kind:
            return message


def ask(connection: ClientConnection, **message: Any) -> str:
    connection.send(json.dumps({**message, "id": 1}))
    return str(receive(connection, "answer")["error"])


def tap(connection: ClientConnection, kind: str, **what: Any) -> str:
    return ask(connection, do="tap", what={"kind": kind, **what})


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
    phones: list[Phone] = []

    def make() -> Phone:
        phones.append(Phone(table))
        return phones[-1]

    yield make
    for phone in phones:
        phone.web.close()


@pytest.fixture
def phone(new_phone: NewPhone) -> Phone:
    return new_phone()


@pytest.fixture
def bo(phone: Phone) -> Phone:
    assert phone.join("B").status_code == 200
    return phone


# Coming in


def test_a_phone_joins_with_the_code_and_is_told_its_seat(bo: Phone) -> None:
    with bo.open() as connection:
        hello = receive(connection, "hello")
    assert (hello["role"], hello["seat"], "join" in hello) == ("seat", "B", False)


def test_the_code_may_be_typed_in_small_letters(phone: Phone) -> None:
    assert phone.join(code=phone.table.dashboard.code.lower()).status_code == 200


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param({"code": "WRONG2"}, id="wrong"),
        pytest.param({"code": ""}, id="empty"),
        pytest.param({"code": ["A"]}, id="list"),
        pytest.param({"code": "x" * 5000}, id="long"),
        pytest.param({"token": "x"}, id="none"),
        pytest.param([], id="no-object"),
    ],
)
def test_a_wrong_code_buys_nothing(phone: Phone, asked: Any) -> None:
    answer = phone.web.post("/join", json=asked)
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
    assert answer.json()["error"]


@pytest.mark.parametrize("seat", ["Z", "AB", "<b>", "a" * 300])
def test_a_seat_that_is_not_there_cannot_be_taken(phone: Phone, seat: str) -> None:
    answer = phone.join(seat)
    assert (answer.status_code, "set-cookie" in answer.headers) == (409, False)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", ""])
def test_another_site_cannot_join_for_somebody(phone: Phone, origin: str) -> None:
    answer = phone.web.post("/join", json={"code": phone.table.dashboard.code}, headers={"origin": origin})
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


def test_a_form_cannot_join(phone: Phone) -> None:
    answer = phone.web.post("/join", data={"code": phone.table.dashboard.code, "seat": "B"})
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


def test_guessing_is_stopped_and_the_right_code_does_not_help_then(phone: Phone) -> None:
    answers = [phone.join(code="WRONG2").status_code for _ in range(TRIES)]
    assert answers == [403] * TRIES
    assert phone.join().status_code == 429
    assert phone.web.post("/enter", json={"token": phone.table.dashboard.token}).status_code == 429


def test_tries_come_back_with_time_and_each_address_has_its_own() -> None:
    now = [0.0]
    access = Access(seats="AB", clock=lambda: now[0])
    assert [access.may_try("10.0.0.1") for _ in range(TRIES + 1)] == [True] * TRIES + [False]
    assert access.may_try("10.0.0.2")
    now[0] = TRY_EVERY
    assert [access.may_try("10.0.0.1") for _ in range(2)] == [True, False]


def test_many_addresses_together_are_stopped_too() -> None:
    access = Access(seats="AB", clock=lambda: 0.0)
    assert sum(access.may_try(f"10.0.{n // 250}.{n % 250}") for n in range(1000)) == ALL_TRIES


def test_codes_are_not_the_same_twice_and_are_easy_to_read() -> None:
    codes = {Access().code for _ in range(200)}
    assert len(codes) == 200
    assert set("".join(codes)) <= set(LETTERS)
    assert not set(LETTERS) & set("IO01L")


def test_a_taken_seat_stays_taken_until_the_host_frees_it(new_phone: NewPhone, bo: Phone) -> None:
    other, host = new_phone(), new_phone().enter()
    assert other.join("B").status_code == 409
    with host.open() as hosting, bo.open() as playing:
        assert ask(playing, do="free", seat="B")  # not the host
        assert other.join("B").status_code == 409
        assert ask(hosting, do="free", seat="B") == ""
        assert "watching" in tap(playing, "taken", seat="B", count=1)  # at once, on the open connection
    assert other.join("B").status_code == 200


def test_a_phone_that_joins_again_keeps_its_seat_or_gives_it_up(new_phone: NewPhone, bo: Phone) -> None:
    assert bo.join("B").status_code == 200
    assert bo.join("C").status_code == 200
    assert new_phone().join("B").status_code == 200


def test_the_host_stays_the_host(phone: Phone) -> None:
    phone.enter().join("B")
    with phone.open() as connection:
        assert receive(connection, "hello")["role"] == "host"


def test_guests_come_and_go_and_never_push_out_a_host_or_a_seat() -> None:
    access = Access(seats="AB")
    host, ann = access.enter(access.token), access.join(access.code, "A")
    guests = [access.join(access.code) for _ in range(MOST_BEARERS + 10)]

    def role(secret: str | None) -> Bearer:
        return access.bearer({f"referee-{PORT}": secret or ""}, PORT)

    assert (role(host), role(ann)) == (Bearer("host"), Bearer("seat", "A"))
    assert (role(guests[0]), role(guests[-1])) == (Bearer(), Bearer("guest"))


@pytest.mark.parametrize("cookie", ["", "host", "x" * 3000, "../../etc/passwd"])
def test_a_made_up_cookie_is_a_spectators(cookie: str) -> None:
    assert Access().bearer({f"referee-{PORT}": cookie}, PORT) == Bearer()


def test_a_code_with_odd_letters_is_only_wrong() -> None:
    access = Access(seats="AB")
    assert access.join("ÄÖÜ\0\ud800".encode("utf-8", "replace").decode()) is None
    with pytest.raises(RefereeError):
        access.join(access.code, "")


# What a seat may do


@pytest.mark.parametrize(
    "what",
    [
        pytest.param({"kind": "landed", "card": "9d"}, id="card"),
        pytest.param({"kind": "taken", "count": 2}, id="took"),
        pytest.param({"kind": "said", "text": "last card"}, id="said"),
        pytest.param({"kind": "pointed", "at": "C"}, id="pointed"),
        pytest.param({"kind": "claimed", "against": "A", "code": "slow"}, id="claimed"),
        pytest.param({"kind": "voted", "uphold": False}, id="voted"),
    ],
)
def test_a_seat_taps_for_itself_and_for_nobody_else(bo: Phone, what: dict[str, Any]) -> None:
    with bo.open() as connection:
        for other in ("A", "C", "?"):
            assert "own seat" in tap(connection, **what, seat=other)
        assert bo.table.call(lambda session: session.sequencer.pending) == ()
        assert tap(connection, **what, seat="B") == ""


FORBID = {"kind": "option-set", "name": "auto_butt_in", "value": "forbid"}


@pytest.mark.parametrize(
    "message",
    [
        pytest.param({"do": "undo"}, id="undo"),
        pytest.param({"do": "redo"}, id="redo"),
        pytest.param({"do": "free", "seat": "A"}, id="free"),
        pytest.param({"do": "tap", "what": FORBID}, id="option"),
        pytest.param({"do": "explode"}, id="nonsense"),
    ],
)
def test_a_seat_does_not_do_what_is_the_hosts(bo: Phone, message: dict[str, Any]) -> None:
    bo.table.play("A:9d")
    before = bo.table.record()
    with bo.open() as connection:
        assert ask(connection, **message)
    assert bo.table.record() == before


def test_a_seat_changes_what_it_tapped_and_nothing_else(bo: Phone) -> None:
    bo.table.play("A:9d", "B:9s")
    before = bo.table.record()
    with bo.open() as connection:
        card = {"kind": "landed", "seat": "B", "card": "9c"}
        assert "yourself" in ask(connection, do="correct", of=1, what=card)
        assert "yourself" in ask(connection, do="remove", of=1)
        assert "own seat" in ask(connection, do="correct", of=2, what={**card, "seat": "A"})
        assert bo.table.record() == before
        assert ask(connection, do="correct", of=2, what=card) == ""
        assert "yourself" in ask(connection, do="remove", of=3)  # an edit is nobody's
    by = bo.table.record()[2]["by"]
    assert isinstance(by, dict)
    assert {name: by[name] for name in card} == card


def test_a_guest_sees_the_picture_and_changes_nothing(phone: Phone) -> None:
    assert phone.web.get("/picture").status_code == 403
    phone.join()
    assert phone.web.get("/picture").content == JPEG
    with phone.open() as connection:
        assert receive(connection, "hello")["role"] == "guest"
        assert "watching" in tap(connection, "landed", seat="A", card="9d")


def test_only_the_host_is_shown_the_code(new_phone: NewPhone, table: LiveTable, bo: Phone) -> None:
    code, token = table.dashboard.code, table.dashboard.token
    assert bo.web.get("/qr.svg").status_code == 403
    host = new_phone().enter()
    with host.open() as hosting:
        assert receive(hosting, "hello")["join"]["code"] == code
        assert host.web.get("/qr.svg").headers["content-type"] == "image/svg+xml"
    with bo.open() as connection:
        told = "".join(str(connection.recv(10)) for _ in range(2))
    for path in ("/", "/join", "/phone"):
        told += bo.web.get(path).text
    assert code not in told
    assert token not in told


def test_seats_get_in_though_many_watch(new_phone: NewPhone, bo: Phone) -> None:
    watcher = new_phone()
    crowd = [watcher.open() for _ in range(MOST_PAGES)]
    for one in crowd:
        receive(one.__enter__(), "snapshot")
    with bo.open() as connection:
        assert tap(connection, "taken", seat="B", count=1) == ""
    for one in crowd:
        one.__exit__(None, None, None)


def test_a_page_that_floods_the_table_is_cut_off_and_the_others_go_on(new_phone: NewPhone, bo: Phone) -> None:
    with bo.open() as other, new_phone().open() as flood:
        with pytest.raises(ConnectionClosed):
            for _ in range(MESSAGES * 20):
                ask(flood, do="explode")
        assert tap(other, "taken", seat="B", count=1) == ""


# A phone as camera or microphone


CAMERA = json.dumps({"kind": "camera"})
MICROPHONE = json.dumps({"kind": "microphone", "rate": 16000})
STAMP = b"\0\0\0\0\0\0\xf0\x3f"  # 1.0


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


def test_the_newest_phone_is_the_camera(table: LiveTable, phone: Phone, senses: Senses) -> None:
    phone.join()
    with phone.open("push") as first, phone.open("push") as second:
        for connection in (first, second):
            connection.send(CAMERA)
            connection.recv(10)
        with pytest.raises(ConnectionClosed) as closed:
            first.recv(10)
        second.send(STAMP + JPEG)
        second.recv(10)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4000
    assert senses.seen == [JPEG]


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
