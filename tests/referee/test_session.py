"""A live table: turns are called at once, penalties wait for late words, doubt is asked."""

from collections.abc import Callable

import pytest

from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Corrected, Happening, Landed, Said, Taken, Undone
from referee.record.rulings import AnyRuling, Penalty, Turn, Win
from referee.table.clock import RecordedClock
from referee.table.health import Health
from referee.table.session import Event, Session

OPTIONS = {"players": "ABC", "preset": "full", "start": "7h"}
NAMES = {"A": "Ann", "B": "Bo", "C": "Cy"}


class Table:
    """A session with a clock that the test turns, and what was called so far."""

    def __init__(self, options: dict[str, str] = OPTIONS) -> None:
        self.clock = RecordedClock()
        self.session = Session(Match("uncle-baiting", options), NAMES, self.clock)
        self.events: list[Event] = []
        self.session.listen(self.events.append)

    def at(self, now: float, *seen: Happening, heard_until: float | None = None) -> None:
        self.clock.now = now
        for happening in seen:
            self.session.observe(happening)
        self.session.tick(heard_until=heard_until)

    def calls(self, kind: type[AnyRuling]) -> list[AnyRuling]:
        return [call for event in self.events for call in event.calls if isinstance(call, kind)]


@pytest.fixture
def table() -> Table:
    return Table()


def landed(t: float, card: str, seat: str = "?", **more: object) -> Landed:
    return Landed(t=t, seat=seat, card=Card.of(card), **more)


def test_a_turn_is_called_at_once_and_only_once(table: Table) -> None:
    table.at(1.0, landed(1.0, "9h"))
    assert [turn.seat for turn in table.calls(Turn)] == ["C"]
    table.at(5.0)
    assert [turn.seat for turn in table.calls(Turn)] == ["C"]
    assert len(table.session.match.record) == 1


def test_a_penalty_waits_for_the_word_that_is_still_being_recognised(table: Table) -> None:
    table.at(10.0, landed(10.0, "Ah", "A"))
    table.at(11.0, Taken(t=11.0, seat="B", count=4))
    assert table.calls(Penalty) == []
    table.at(11.5, Said(t=10.4, seat="?", text="sorry"))
    table.at(20.0)
    assert table.calls(Penalty) == []


def test_a_penalty_comes_when_the_grace_period_is_over(table: Table) -> None:
    table.at(10.0, landed(10.0, "Ah", "A"))
    table.at(11.0, Taken(t=11.0, seat="B", count=4))
    table.at(12.3)
    assert [(p.seat, p.code) for p in table.calls(Penalty)] == [("A", "no-sorry")]


def test_a_word_that_comes_after_the_penalty_strikes_it_out(table: Table) -> None:
    table.at(10.0, landed(10.0, "Ah", "A"), Taken(t=11.0, seat="B", count=4))
    table.at(13.0)
    table.at(14.0, Said(t=10.4, seat="?", text="sorry"))
    assert table.session.view()["seats"][0]["owes"] == 0


def test_a_win_is_called_by_the_clock_alone() -> None:
    table = Table({**OPTIONS, "hands": "A1,B5,C5"})
    table.at(1.0, landed(1.0, "3h", "A"))
    assert table.calls(Win) == []
    table.at(9.0)
    assert [win.seat for win in table.calls(Win)] == ["A"]
    assert table.session.view()["winner"] == "A"


def test_a_win_can_be_undone_though_time_passed_since() -> None:
    table = Table({**OPTIONS, "hands": "A1,B5,C5"})
    table.at(1.0, landed(1.0, "3h", "A"))
    table.at(9.0)
    table.session.undo()
    table.at(10.0)
    assert table.session.view()["winner"] is None
    assert table.session.view()["turn"]["seat"] == "A"


def test_close_judges_what_is_held(table: Table) -> None:
    table.at(1.0, landed(1.0, "9h"))
    table.session.close()
    assert len(table.session.match.record) == 1


def test_a_tap_happens_now_and_is_certain(table: Table) -> None:
    table.clock.now = 7.0
    table.session.tap(landed(0.0, "9h", "A", confidence=0.2, source="eye"))
    (held,) = table.session.sequencer.pending
    assert (held.t, held.confidence, held.source) == (7.0, 1.0, "tap")


def test_a_word_that_was_recognised_late_stands_where_it_was_said(table: Table) -> None:
    table.at(1.0, landed(1.0, "Ah", "A"))
    table.session.flush()
    table.at(2.0, landed(2.0, "9h", "C"))
    table.session.flush()
    table.at(3.0, Said(t=1.5, seat="A", text="sorry"))
    table.session.flush()
    assert [row["row"] for row in table.session.view()["record"]] == [1, 3, 2]


def test_an_undo_judges_what_is_held_first(table: Table) -> None:
    table.at(1.0, landed(1.0, "9h", "A"))
    table.session.undo()
    assert len(table.session.match.record) == 2
    assert table.session.view()["turn"]["seat"] == "A"
    assert [turn.seat for turn in table.calls(Turn)] == ["C", "A"]


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda: Undone(t=0, of=1), id="undone"),
        pytest.param(lambda: Corrected(t=0, of=1, by=landed(1.0, "8h", "A")), id="corrected"),
    ],
)
def test_an_edit_is_stamped_with_the_time_it_was_made(table: Table, edit: Callable[[], Undone | Corrected]) -> None:
    table.at(1.0, landed(1.0, "9h", "A"))
    table.at(8.0)
    table.session.edit(edit())
    assert table.session.match.record[-1].t == 8.0


def test_a_source_that_freezes_is_told_once(table: Table) -> None:
    before = len(table.events)
    for age in (3.5, 3.6, 3.7):
        table.session.report(Health("camera", "waiting", age, "look at the cable"))
    assert len(table.events) == before + 1
    table.session.report(Health("camera", "ok"))
    assert len(table.events) == before + 2
    assert table.session.view()["health"][0]["state"] == "ok"


def test_a_listener_can_leave(table: Table) -> None:
    heard: list[Event] = []
    leave = table.session.listen(heard.append)
    leave()
    table.at(5.0, landed(1.0, "9h"))
    assert heard == []


def test_a_card_nobody_could_read_is_no_empty_place(table: Table) -> None:
    assert table.session.view()["top"] == "7h"
    table.at(1.0, Landed(t=1.0, seat="A", card=None, confidence=0.3, source="eye"))
    assert table.session.view()["top"] == "?"
    assert Table({"players": "ABC"}).session.view()["top"] is None


UNDEALT = {name: value for name, value in OPTIONS.items() if name != "start"}


def told(table: Table) -> list[str]:
    return [row["text"] for row in table.session.view()["record"]]


def test_an_undo_is_told_by_what_it_undoes_however_often_it_was_undone_itself() -> None:
    table = Table(UNDEALT)
    table.at(1.0, landed(1.0, "9h"))
    for row in range(1, 2001):
        table.session.edit(Undone(t=0, of=row))
    assert told(table)[-2:] == ["Undone: The first card is 9♥", "Put back: The first card is 9♥"]


def test_a_first_card_that_was_wrong_and_the_next_one_are_both_nobodys_play() -> None:
    table = Table(UNDEALT)
    assert table.session.view()["opening"]
    table.at(1.0, landed(1.0, "9h"))
    assert not table.session.view()["opening"]
    table.session.undo()
    assert table.session.view()["opening"]
    table.at(4.0, landed(4.0, "8h"))
    table.at(6.0, landed(6.0, "8c", "A"))
    assert told(table) == ["The first card is 9♥", "Undone: The first card is 9♥", "The first card is 8♥"]
    table.at(9.0)
    assert told(table)[-1] == "Ann played 8♣"
