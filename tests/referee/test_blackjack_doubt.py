"""What the belief makes of Blackjack: a card taken says what a silence cannot, and no world of weight is forgotten."""

from __future__ import annotations

from dataclasses import replace

from referee.bench.doubt import PEOPLE, SENSES, judged
from referee.doubt.referee import Referee
from referee.games import game_named
from referee.record.observations import Elapsed
from tests.referee.test_doubt import noticed, penalties


def referee(script: str, **options: str) -> Referee:
    judge = Referee(game_named("blackjack"), {"players": "ABC", **options})
    for row, one in enumerate(noticed(script), 1):
        judge.observe(one, row)
    return judge


def test_who_takes_a_card_for_a_turn_that_was_not_capped_is_told_so_and_owes_no_other() -> None:
    judge = referee('A:9h A"done" B:9c B:9d B+1')
    assert penalties(judge) == [("B", "uncapped")]
    assert judge.standing.penalties_owed == (0, 0, 0)
    assert judge.standing.turn == "C"


def test_a_turn_that_looks_uncapped_is_no_fault_where_the_eye_may_have_missed_a_card() -> None:
    assert penalties(referee('A:9h A"done" B:9c B:9d B"done" C:9s')) == []
    assert penalties(referee('A:9h A"done" B:9c B:9d C:4d')) == []


def test_time_that_passes_after_a_win_speaks_neither_for_nor_against_it() -> None:
    judge = Referee(game_named("blackjack"), {"players": "AB", "hands": "A1,B9"})
    taken, *others = noticed('A+2 B+1 A:9h A"done" B+1 A:9c A"done"')
    for row, one in enumerate([replace(taken, count_confidence=0.5), *others], 1):  # type: ignore[call-arg]
        judge.observe(one, row)
    before = judge.belief.winners()
    assert 0.1 < before["A"] < 0.9
    for row in range(8, 12):
        judge.observe(Elapsed(t=8.0 + row), row)
    assert judge.belief.winners() == before


def test_worlds_that_may_be_true_are_kept_however_many_there_are() -> None:
    """Seats that nobody saw, three in a row: the one that had put the queen there was forgotten, another penalised."""
    counts, _ = judged("", PEOPLE[""], SENSES["half the seats unseen"], 5024, game="blackjack")
    assert counts["false"] == 0
    assert counts["given"] >= 5
