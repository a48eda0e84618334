"""What a page may say to the table, and what it is told: read and attacked without a browser."""

import json
from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from referee.dashboard.requests import LARGEST
from referee.record.observations import Landed, Voted
from tests.referee.bare_pages import ask, host_page, page, receive
from tests.referee.dashboard_table import LiveTable, live_table

TAP = {"do": "tap", "what": {"kind": "landed", "seat": "A", "card": "9d"}}


@pytest.fixture
def table() -> Iterator[LiveTable]:
    with live_table() as running:
        yield running


@pytest.fixture
def web(table: LiveTable) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=table.dashboard.watch_url, trust_env=False) as client:
        yield client


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
        pytest.param('{"do": "answer", "question": {"rows": [1]}, "answer": "9h"}', id="answer-to-no-question"),
        pytest.param('{"do": "answer", "question": 1, "answer": "9h"}', id="question-is-a-number"),
        pytest.param('{"do": "answer", "question": {"rows": [-1]}, "answer": "9h"}', id="question-about-no-row"),
        pytest.param('{"do": "answer", "question": {}, "answer": ["9h"]}', id="answer-is-a-list"),
        pytest.param('{"do": "tap", "what": {"kind": "voted", "seat": "A", "uphold": true, "ruling": 1}}', id="number"),
        pytest.param(
            '{"do": "tap", "what": {"kind": "voted", "seat": "A", "uphold": true, "subject": {"rows": [1]}}}',
            id="vote-on-nothing",
        ),
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
        assert ask(connection, do="undo") == ""  # and the connection still works


def test_a_vote_is_not_undone_before_people_were_asked(table: LiveTable, web: httpx.Client) -> None:
    table.play("B:9d")
    table.see(Voted(t=0.0, seat="C", uphold=False))
    with host_page(table, web) as connection:
        connection.send(json.dumps({"do": "undo", "id": 1}))
        answer = receive(connection, "answer")
        assert (answer["error"], answer["of"]) == ("Undo this vote? Cy votes no.", 2)
        assert len(table.record()) == 2
        assert "meanwhile" in ask(connection, do="undo", of=1)
        assert len(table.record()) == 2
        assert ask(connection, do="undo", of=2) == ""
        assert ask(connection, do="undo") == ""  # nobody is asked about what is no vote
    assert [row["kind"] for row in table.record()[2:]] == ["undone", "undone"]


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
        assert ask(connection, **TAP) == ""


def test_a_tap_cannot_pretend_to_be_something_else(table: LiveTable, web: httpx.Client) -> None:
    forged = {"source": "eye", "confidence": 0.1, "t": 99999.0, "evidence": ["../x"], "alternatives": [["9d", 0.5]]}
    with host_page(table, web) as connection:
        assert ask(connection, do="tap", what={**TAP["what"], **forged}) == ""  # type: ignore[dict-item]
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
