"""Who may do what at the table: joining, seats, guests and those who only watch; attacked without a browser."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from referee.dashboard.access import (
    ALL_TRIES,
    LETTERS,
    MOST_ADDRESSES,
    MOST_BEARERS,
    ONCE,
    TRIES,
    TRY_EVERY,
    Access,
    Bearer,
)
from referee.dashboard.door import MOST
from referee.dashboard.live import MESSAGES, MOST_OF_ONE, MOST_PAGES
from referee.text.faults import RefereeError
from tests.referee.bare_pages import JPEG, Phone, ask, receive, tap
from tests.referee.dashboard_table import LiveTable, live_table

PORT = 1


@pytest.fixture
def table() -> Iterator[LiveTable]:
    with live_table(picture=lambda: (JPEG, 7)) as running:
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


def test_no_wrong_try_shuts_out_the_host(new_phone: NewPhone) -> None:
    """Somebody at the host's own address tries as much as they like."""
    stranger, host = new_phone(), new_phone()
    for _ in range(TRIES + 5):
        assert stranger.web.post("/enter", json={"token": "wrong"}).status_code == 403
        stranger.join(code="WRONG2")
    with host.enter().open() as connection:
        assert receive(connection, "hello")["role"] == "host"


def test_whoever_scanned_the_code_gets_in_while_the_whole_house_guesses() -> None:
    access = Access(seats="AB", clock=lambda: 0.0)
    for n in range(4 * ALL_TRIES):
        access.may_try(f"10.0.0.{n % 50}")
    assert access.may_try("10.0.1.1")


def test_a_link_that_others_can_read_opens_the_hosts_page_once(phone: Phone, new_phone: NewPhone) -> None:
    link = phone.table.dashboard.url_once
    word = link.partition("#token=")[2]
    assert phone.table.dashboard.token not in link
    assert phone.web.post("/enter", json={"token": word}).status_code == 200
    with phone.open() as connection:
        assert receive(connection, "hello")["role"] == "host"
        assert new_phone().web.post("/enter", json={"token": word}).status_code == 403
        assert "watching" in ask(connection, do="undo")  # one of the two is a stranger: nobody is the host with it
    assert phone.web.post("/enter", json={"token": word}).status_code == 403
    assert phone.enter().web.get("/qr.svg").status_code == 200


def test_a_link_that_others_can_read_is_worth_nothing_later() -> None:
    now = [0.0]
    access = Access(clock=lambda: now[0])
    word = access.once()
    now[0] = ONCE
    assert access.enter(word) is None
    assert access.enter("") is None


def test_those_who_know_the_code_are_not_stopped_however_many_share_an_address(new_phone: NewPhone) -> None:
    phones = [new_phone() for _ in range(TRIES + 5)]
    assert {phone.join().status_code for phone in phones} == {200}
    assert [phones[0].join(code="WRONG2").status_code for _ in range(TRIES + 1)] == [403] * TRIES + [429]


def test_tries_come_back_with_time_and_each_address_has_its_own() -> None:
    now = [0.0]
    access = Access(seats="AB", clock=lambda: now[0])
    assert [access.may_try("10.0.0.1") for _ in range(TRIES + 1)] == [True] * TRIES + [False]
    assert access.may_try("10.0.0.2")
    now[0] = TRY_EVERY
    assert [access.may_try("10.0.0.1") for _ in range(2)] == [True, False]


def test_many_addresses_together_are_stopped_too() -> None:
    access = Access(seats="AB", clock=lambda: 0.0)
    addresses = [f"10.0.{n // 250}.{n % 250}" for n in range(1000)]
    assert all(access.may_try(address) for address in addresses)  # the first is free
    assert sum(access.may_try(address) for address in addresses) == ALL_TRIES
    crowd = [f"10.{n // 65536}.{n // 256 % 256}.{n % 256}" for n in range(65536, 65536 + 2 * MOST_ADDRESSES)]
    assert sum(access.may_try(address) for address in crowd) == MOST_ADDRESSES - len(addresses)


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


def test_guests_come_and_go_and_never_push_out_a_host_a_seat_or_a_guest_who_is_there() -> None:
    access = Access(seats="AB")
    host, ann, guest = access.enter(access.token), access.join(access.code, "A"), access.join(access.code)
    assert guest
    access.opened(guest)
    guests = [access.join(access.code) for _ in range(MOST_BEARERS + 10)]

    def role(secret: str | None) -> Bearer:
        return access.bearer({f"referee-{PORT}": secret or ""}, PORT)

    assert (role(host), role(ann), role(guest)) == (Bearer("host"), Bearer("seat", "A"), Bearer("guest"))
    assert (role(guests[0]), role(guests[-1])) == (Bearer(), Bearer("guest"))
    access.closed(guest)
    for _ in range(MOST_BEARERS):
        access.join(access.code)
    assert role(guest) == Bearer()


def test_where_every_guest_is_there_no_other_comes_in() -> None:
    access = Access(seats="AB")
    for _ in range(MOST_BEARERS):
        access.opened(access.join(access.code) or "")
    with pytest.raises(RefereeError, match="too many guests"):
        access.join(access.code)


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


def test_the_host_and_the_seats_get_in_though_all_others_open_what_they_can(new_phone: NewPhone, bo: Phone) -> None:
    guest = new_phone()
    guest.join()
    with ExitStack() as crowd:
        for who, role in ((new_phone(), "spectator"), (guest, "guest")):
            for n in range(MOST_PAGES[role]):
                opened = crowd.enter_context(who.open(address=f"127.0.1.{n // MOST_OF_ONE}"))
                assert receive(opened, "hello")["role"] == role
            with pytest.raises(ConnectionClosed):
                crowd.enter_context(who.open(address="127.0.2.1")).recv(10)
        with bo.open() as connection:
            assert tap(connection, "taken", seat="B", count=1) == ""
        with new_phone().enter().open() as connection:
            assert receive(connection, "hello")["role"] == "host"


def test_pages_leave_room_at_the_door() -> None:
    assert sum(MOST_PAGES.values()) + 30 <= MOST


def test_one_guest_leaves_room_for_the_others(new_phone: NewPhone) -> None:
    greedy, other = new_phone(), new_phone()
    other.join()
    with ExitStack() as crowd:
        for n in range(MOST_OF_ONE + 1):
            greedy.web.cookies.clear()
            greedy.join()
            opened = crowd.enter_context(greedy.open())
            if n < MOST_OF_ONE:
                receive(opened, "hello")
        with pytest.raises(ConnectionClosed):
            opened.recv(10)
        with other.open(address="127.0.1.1") as connection:
            assert receive(connection, "hello")["role"] == "guest"


def test_a_page_that_floods_the_table_is_cut_off_and_the_others_go_on(new_phone: NewPhone, bo: Phone) -> None:
    with bo.open() as other, new_phone().open() as flood:
        with pytest.raises(ConnectionClosed):
            for _ in range(MESSAGES * 20):
                ask(flood, do="explode")
        assert tap(other, "taken", seat="B", count=1) == ""
