"""A match may be long: nothing costs more for it, and what is followed row by row is what a new look finds."""

import sys
from collections.abc import Callable
from functools import partial
from random import Random
from types import FrameType

import pytest

from referee.bench.dashboard import long_match
from referee.record.match import Match, undone
from referee.record.observations import AnyObservation, Corrected, Landed, Taken, Undone, Voted
from referee.record.rulings import Penalty, Question, Settled, Turn
from referee.table.session import Session
from referee.table.view import SHOWN
from tests.referee.test_store_kill import OPTIONS, played

SHORT, LONG = 150, 2_400
MOST = 4
"""How many times the work may be more in the long match: what lies on the table differs, too."""


def calls(what: Callable[[], object]) -> int:
    """How many functions are called to do `what`: a measure of the work that no busy machine changes."""
    counted = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        what()
    finally:
        sys.setprofile(None)
    return counted


@pytest.fixture(scope="module")
def sessions() -> dict[int, Session]:
    return {rows: Session(long_match(rows), {}, lambda rows=rows: rows + 10.0) for rows in (SHORT, LONG)}


def test_nothing_that_happens_costs_more_in_a_long_match(sessions: dict[int, Session]) -> None:
    work: dict[str, dict[int, int]] = {}
    for rows, session in sessions.items():
        tapped = partial(session.tap, Taken(t=0.0, seat="A"))
        acts = {"tap": tapped, "judge": session.flush, "undo": session.undo, "redo": session.redo, "view": session.view}
        for act in acts.values():  # what is looked up once is looked up now
            act()
        for name, act in acts.items():
            work.setdefault(name, {})[rows] = calls(act)
    for name, spent in work.items():
        assert spent[LONG] <= MOST * spent[SHORT], (name, spent)


def test_the_page_is_sent_the_last_penalties_and_all_are_counted(sessions: dict[int, Session]) -> None:
    session = sessions[LONG]
    view = session.view()
    became = {ruling.ruling: ruling.outcome for ruling in session.match.rulings if isinstance(ruling, Settled)}
    for seat in view["seats"]:
        given = [r for r in session.match.rulings if isinstance(r, Penalty) and r.seat == seat["seat"]]
        stand = [r for r in given if r.cards and became.get(r.number) != "overturned"]
        assert len(given) > SHOWN
        assert seat["penalties"] == len(stand)
        assert seat["earlier"] == len(given) - SHOWN
        assert [r["number"] for r in view["ledger"][seat["seat"]]] == [r.number for r in given[-SHOWN:]]


def stirred(seed: int) -> Match:
    """A match in which rows are undone, put back, corrected and voted on, long after they happened."""
    random = Random(seed)
    match = Match("uncle-baiting", OPTIONS)
    for row in range(1, 40):
        if not isinstance(played(row), Undone | Corrected):
            match.add(played(row))
        of = random.randint(1, len(match.record))
        edit: AnyObservation = random.choice(
            (
                Undone(t=row * 0.8, of=of, source="tap"),
                Undone(t=row * 0.8, of=len(match.record), source="tap"),
                Voted(t=row * 0.8, seat=random.choice("ABC"), uphold=random.random() < 0.5),
                Corrected(t=row * 0.8, of=of, by=Landed(t=of * 0.7, seat="A", card=None), source="tap"),
            )
        )
        if not (isinstance(edit, Corrected) and isinstance(match.record[of - 1], Undone | Corrected)):
            match.add(edit)
    return match


def taken_out(record: list[AnyObservation]) -> set[int]:
    """The rows that were undone, seen from the end: an undo that was undone undoes nothing."""
    gone: set[int] = set()
    for row in range(len(record), 0, -1):
        edit = record[row - 1]
        if isinstance(edit, Undone) and row not in gone:
            gone.add(edit.of)
    return gone


@pytest.mark.parametrize("seed", range(5))
def test_a_match_that_was_edited_is_what_reading_it_from_the_beginning_gives(seed: int) -> None:
    match = stirred(seed)
    state, rulings = match.state, [ruling.what() for ruling in match.rulings]
    for _ in match._judge_again(0):
        pass
    assert match.state == state
    assert [ruling.what() for ruling in match.rulings] == rulings
    assert match.undone() == undone(match.record) == taken_out(match.record)
    rows = [row for row in range(1, len(match.record) + 1) if match.happening(row)]
    assert sorted((match.happening(row).t, row) for row in rows) == [(t, row) for t, row, _ in match._read]  # type: ignore[union-attr]
    assert all(match.before(row) is not None for row in rows)


@pytest.mark.parametrize("seed", range(5))
def test_what_became_of_each_ruling_is_what_all_rulings_say(seed: int) -> None:
    match = stirred(seed)
    became = {ruling.ruling: ruling.outcome for ruling in match.rulings if isinstance(ruling, Settled)}
    questions = tuple(r for r in match.rulings if isinstance(r, Question) and r.number not in became)
    ledger = match.ledger
    assert ledger.open_questions == questions
    assert {r.number: ledger.became(r.number) for r in match.rulings if ledger.became(r.number)} == became
    assert list(ledger.newest(1000)) == [r for r in match.rulings if not isinstance(r, Turn)]
    assert all(ledger.numbered(ruling.number) is ruling for ruling in match.rulings)
    assert ledger.numbered(0) is ledger.numbered(len(match.rulings) + 1) is None
