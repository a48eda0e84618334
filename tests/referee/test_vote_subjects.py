"""A vote stays with what it is about, however often the match is judged again."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import (
    AnyObservation,
    Corrected,
    Happening,
    Landed,
    Said,
    Subject,
    TakenBack,
    Undone,
    Voted,
    from_json,
)
from referee.record.rulings import Notice, Penalty, Question, Settled
from referee.store import Recorder, Store
from referee.text.faults import RefereeError
from tests.referee.bare_pages import ask, host_page, tap
from tests.referee.dashboard_table import LiveTable, live_table
from tests.referee.test_questions import NAMES, Table, card
from tests.referee.test_store_verbs import APP
from tests.referee.test_uncle_baiting_properties import happenings, tables

WRONG_C, WRONG_B = 1, 2
"""Rows of the wrong cards; each makes a question of whether that seat is to blame."""


def two_doubts() -> list[AnyObservation]:
    return [card(1, "C", "9c"), card(8, "B", "Kd")]


def doubts(table: Table) -> dict[str | None, Question]:
    return {q.seat: q for q in table.session.open_questions if q.cards}


def given_to(match: Match) -> list[tuple[str, str]]:
    return [(ruling.seat, ruling.code) for ruling in match.rulings if isinstance(ruling, Penalty)]


def corrected(row: int) -> Corrected:
    return Corrected(t=90, of=row, by=Landed(t=1, seat="A", card=Card.of("3h"), source="tap"))


def test_the_tables_yes_to_one_players_fault_is_never_anothers_penalty() -> None:
    table = Table(*two_doubts())
    about = doubts(table)
    assert set(about) == {"B", "C"}
    table.see(Voted(t=table.now + 1, seat="A", uphold=True, subject=about["C"].subject))
    assert given_to(table.session.match) == [("C", "out-of-turn")]
    table.session.edit(corrected(WRONG_C))  # it was Ana's, and right: nothing was to be asked about Cy
    match = table.session.match
    assert given_to(match) == []
    assert [ruling.code for ruling in match.rulings if isinstance(ruling, Notice)][-1] == "no-vote"
    assert "C" not in doubts(table)
    table.session.undo()
    assert given_to(match) == [("C", "out-of-turn")]  # and the vote counts again


def test_an_answer_said_aloud_stays_with_its_question() -> None:
    table = Table(card(1, "C", "9c"))
    table.now += 1
    table.session.observe(Said(t=table.now, seat="?", text="yes", source="ear", confidence=0.95))
    assert given_to(table.session.match) == [("C", "out-of-turn")]
    vote = table.session.match.record[-1]
    assert isinstance(vote, Voted)
    assert vote.subject == Subject(rows=(1,), code="out-of-turn", seat="C")
    table.session.edit(corrected(WRONG_C))
    assert given_to(table.session.match) == []


def test_a_dispute_stays_with_its_penalty() -> None:
    cards = card(1, "A", "9c"), card(2, "A", "3h"), card(3, "C", "9s"), card(4, "B", "3c")
    table = Table(*(replace(one, source="tap") for one in cards))
    match = table.session.match
    assert given_to(match) == [("A", "illegal-card"), ("C", "out-of-turn")]
    (_, against_c) = (r for r in match.rulings if isinstance(r, Penalty))
    for seat in "AB":
        table.see(Voted(t=table.now, seat=seat, uphold=False, subject=against_c.subject))
    struck = [r.ruling for r in match.rulings if isinstance(r, Settled) and r.outcome == "overturned"]
    assert against_c.number in struck
    table.session.edit(Undone(t=90, of=1))  # Ana's card was none: the numbers move up
    (left,) = (r for r in match.rulings if isinstance(r, Penalty))
    assert (left.seat, left.number) != ("C", against_c.number)
    struck = [r.ruling for r in match.rulings if isinstance(r, Settled) and r.outcome == "overturned"]
    assert left.number in struck


def test_votes_are_the_same_after_a_resume(tmp_path: Path) -> None:
    table = Table()
    with Store.open(tmp_path / "matches.db") as store:
        match = table.session.match
        number = store.begin(match.game.name, match.options, NAMES)
        table.session.listen(Recorder(store, number))
        for seen in two_doubts():
            table.see(seen)
        table.wait()
        table.see(Voted(t=table.now + 1, seat="A", uphold=True, subject=doubts(table)["C"].subject))
    with Store.open(tmp_path / "matches.db") as store:
        again = store.load(number).resume()
    assert given_to(again) == [("C", "out-of-turn")]
    assert (again.state, again.rulings) == (match.state, match.rulings)
    again.add(Undone(t=90, of=WRONG_B))  # that there was another doubt does not matter to this one
    assert given_to(again) == [("C", "out-of-turn")]


def test_a_number_in_notation_names_what_it_was_when_it_was_read(tmp_path: Path) -> None:
    script = "players=ABC start=7h game=uncle-baiting\nA:9c A:-9c C:9s B^0#1 C^0#1\n"
    (tmp_path / "match.txt").write_text(script)
    data = str(tmp_path / "matches.db")
    assert CliRunner().invoke(APP, ["import", str(tmp_path / "match.txt"), "--data", data]).exit_code == 0
    with Store.open(tmp_path / "matches.db") as store:
        record = store.load(1)
    assert all(seen.subject for seen in record.observations if isinstance(seen, Voted))
    match = record.resume()
    assert given_to(match) == [("A", "illegal-card"), ("C", "out-of-turn")]
    struck = {r.ruling for r in match.rulings if isinstance(r, Settled) and r.outcome == "overturned"}
    assert [r.seat for r in match.rulings if isinstance(r, Penalty) and r.number in struck] == ["A"]
    match.add(Undone(t=9, of=1))
    struck = {r.ruling for r in match.rulings if isinstance(r, Settled) and r.outcome == "overturned"}
    assert [r.seat for r in match.rulings if isinstance(r, Penalty) and r.number in struck] == []
    told = CliRunner().invoke(APP, ["export", "1", "--to", "notation", "--data", data]).stdout
    assert "B^0#1" in told


def test_numbers_in_old_records_are_judged_as_they_were() -> None:
    written = [
        {"kind": "landed", "t": 1.0, "seat": "A", "card": "9c"},
        {"kind": "taken-back", "t": 2.0, "seat": "A", "card": "9c"},
        {"kind": "landed", "t": 3.0, "seat": "C", "card": "9s"},
        {"kind": "voted", "t": 4.0, "seat": "A", "uphold": False, "ruling": 3},
        {"kind": "voted", "t": 5.0, "seat": "B", "uphold": False, "ruling": 3},
        {"kind": "voted", "t": 6.0, "seat": "C", "uphold": False},
    ]
    match = Match("uncle-baiting", {"players": "ABC", "start": "7h"}, map(from_json, written))
    settled = [(r.ruling, r.outcome) for r in match.rulings if isinstance(r, Settled)]
    assert settled == [(5, "overturned"), (3, "overturned")]
    assert [q.seat for q in match.rulings if isinstance(q, Question)] == ["C", "A"]
    assert [row.to_json() for row in match.record] == written


def penalties_on(page: LiveTable) -> list[dict[str, Any]]:
    """What the penalties are about that a page shows."""
    ruled = page.call(lambda session: session.view()["rulings"])
    return [ruling["subject"] for ruling in ruled if ruling["kind"] == "penalty"]


def test_a_page_that_was_not_told_of_an_undo_votes_for_nobody_else() -> None:
    with (
        live_table() as table,
        httpx.Client(base_url=table.dashboard.watch_url, trust_env=False) as web,
        host_page(table, web) as connection,
    ):
        table.play("B:9d")
        table.see(TakenBack(t=0.0, seat="B", card=Card.of("9d")))
        table.play("C:9c")
        first, second = penalties_on(table)
        assert ask(connection, do="remove", of=1) == ""
        before = table.record()
        assert "settled already" in tap(connection, "voted", seat="A", uphold=False, subject=first)
        assert table.record() == before
        assert penalties_on(table) == [second]
        assert tap(connection, "voted", seat="A", uphold=False, subject=second) == ""


EDITS = st.lists(st.tuples(st.sampled_from(("undo", "redo", "of", "correct")), st.integers(0, 60)), max_size=6)


@settings(max_examples=60)
@given(tables(), happenings(), EDITS)
def test_whatever_is_edited_a_vote_decides_over_nothing_else(
    options: dict[str, str], seen: list[Happening], edits: list[tuple[str, int]]
) -> None:
    match = Match("uncle-baiting", options)
    for happening in seen:
        match.add(match.named(happening) if isinstance(happening, Voted) else happening)
    for what, where in edits:
        of = 1 + where % max(1, len(match.record))
        if what in ("undo", "redo"):
            with suppress(RefereeError):  # there may be nothing to undo
                match.add(match.undoing(9999.0) if what == "undo" else match.redoing(9999.0))
        elif what == "of" and match.record:
            match.add(Undone(t=9999.0, of=of))
        elif what == "correct" and match.happening(of):
            match.add(Corrected(t=9999.0, of=of, by=Landed(t=match.record[of - 1].t, seat="A", card=Card.of("9h"))))
    about = {r.number: r.subject for r in match.rulings if isinstance(r, Question | Penalty)}
    for reading in match.read():
        vote = reading.happening
        if isinstance(vote, Voted) and vote.subject:
            for ruling in reading.rulings:
                if isinstance(ruling, Penalty) and ruling.code != "unjust-claim":
                    assert ruling.subject == vote.subject
                if isinstance(ruling, Settled) and ruling.outcome in ("upheld", "overturned"):
                    assert about[ruling.ruling] == vote.subject
    again = Match("uncle-baiting", options, [from_json(row.to_json()) for row in match.record])
    assert (again.state, again.rulings) == (match.state, match.rulings)
