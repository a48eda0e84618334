"""The record is the match: late words, undo and corrections give what a table would expect."""

import pytest

from referee.record.cards import Card
from referee.record.match import Match
from referee.record.notation import parse
from referee.record.observations import Corrected, Landed, Said, Undone
from referee.record.rulings import Penalty, Settled, Turn
from referee.text.faults import RefereeError

OPTIONS = {"players": "ABC", "preset": "full", "start": "7h"}


def match_of(script: str, options: dict[str, str] = OPTIONS) -> Match:
    return Match("uncle-baiting", options, parse(script))


def penalties(match: Match) -> list[tuple[str, str]]:
    return [(r.seat, r.code) for r in match.rulings if isinstance(r, Penalty)]


def test_a_penalty_names_the_rows_it_rests_on() -> None:
    match = match_of("A:Ah B+4")
    (penalty,) = [r for r in match.rulings if isinstance(r, Penalty)]
    assert (penalty.seat, penalty.code, penalty.cards) == ("A", "no-sorry", 1)
    assert penalty.rests_on == (1, 2)
    assert penalty.rule.startswith("UB-")


def test_a_word_recognised_late_counts_from_when_it_was_spoken() -> None:
    match = match_of("A:Ah B+4")
    assert penalties(match) == [("A", "no-sorry")]
    changes = match.add(Said(t=1.5, seat="A", text="sorry"))
    assert [(r.ruling, r.outcome) for r in changes if isinstance(r, Settled)] == [(2, "overturned")]
    assert penalties(match) == []
    assert match.state == match_of('A:Ah @1.5 A"sorry" @2 B+4').state


def test_undo_gives_the_state_before() -> None:
    match = match_of("A:Ah")
    before = match.state
    match.add(Said(t=2, seat="A", text="sorry"))
    match.add(match.undoing(3))
    assert match.state == before
    assert len(match.record) == 3


def test_undo_goes_on_backwards_and_then_says_there_is_nothing_left() -> None:
    match = match_of("A:9h")
    match.add(match.undoing(2))
    assert match.state == match_of("").state
    with pytest.raises(RefereeError, match="nothing to undo"):
        match.add(match.undoing(3))


def test_an_undo_can_be_undone() -> None:
    match = match_of("A:Kh C+1")
    after = match.state
    match.add(match.undoing(3))
    match.add(Undone(t=4, of=3))
    assert match.state == after


def test_a_correction_judges_again_and_says_only_what_changed() -> None:
    match = match_of("A:9c")
    assert penalties(match) == [("A", "illegal-card")]
    changes = match.add(Corrected(t=2, of=1, by=Landed(t=1, seat="A", card=Card.of("9h"))))
    assert [type(r) for r in changes] == [Settled, Turn]
    assert penalties(match) == []
    assert match.standing.turn == match_of("A:9h").standing.turn


def test_an_edit_of_a_row_that_is_not_there_changes_nothing() -> None:
    match = match_of("A:9h")
    for of in (0, 2, 99):
        with pytest.raises(RefereeError):
            match.add(Undone(t=2, of=of))
    assert len(match.record) == 1


def test_a_correction_cannot_be_corrected_but_undone() -> None:
    match = match_of("A:9c")
    match.add(Corrected(t=2, of=1, by=Landed(t=1, seat="A", card=Card.of("9h"))))
    with pytest.raises(RefereeError, match="undo it instead"):
        match.add(Corrected(t=3, of=2, by=Landed(t=1, seat="A", card=Card.of("8h"))))
    match.add(Undone(t=3, of=2))
    assert penalties(match) == [("A", "illegal-card")]


def test_replaying_the_record_gives_the_same_match() -> None:
    match = match_of('A:Ah B+4 C:Ks A"sorry" C:-Ks C:9h')
    match.add(Said(t=1.2, seat="?", text="sorry"))
    match.add(match.undoing(9))
    again = Match("uncle-baiting", OPTIONS, match.record)
    assert again.state == match.state
    assert again.rulings == match.rulings


@pytest.mark.parametrize(
    ("options", "what"),
    [
        pytest.param({"players": "ABC", "preset": "wild"}, "wild", id="preset"),
        pytest.param({"players": "ABC", "start": "7x"}, "7x", id="start-card"),
        pytest.param({"players": "A"}, "player", id="one-player"),
        pytest.param({"players": "ABC", "colour": "green"}, "colour", id="unknown-option"),
        pytest.param({"players": "ABC", "hands": "Z4"}, "Z", id="hands-of-nobody"),
    ],
)
def test_an_unknown_option_is_named(options: dict[str, str], what: str) -> None:
    with pytest.raises(RefereeError, match=what):
        Match("uncle-baiting", options)


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(RefereeError, match=r"'whist'.*uncle-baiting"):
        Match("whist", OPTIONS)
