"""What people claim and dispute is decided by vote, and what the referee gave by itself can be struck out."""

import pytest

from referee.record.match import Match
from referee.record.notation import parse
from referee.record.rulings import AnyRuling, Notice, Penalty, Question, Settled, Turn
from referee.record.standing import Standing

TABLE = {"players": "ABCD", "preset": "full", "start": "7h"}


def judge(script: str, **options: str) -> tuple[Standing, list[AnyRuling]]:
    match = Match("uncle-baiting", {**TABLE, **options}, parse(script))
    return match.standing, match.rulings


def notices(answers: list[AnyRuling]) -> list[str]:
    return [ruling.code for ruling in answers if isinstance(ruling, Notice)]


def penalties(answers: list[AnyRuling]) -> list[tuple[str, str]]:
    return [(ruling.seat, ruling.code) for ruling in answers if isinstance(ruling, Penalty)]


def test_a_claim_is_a_question_that_names_both_seats() -> None:
    _, answers = judge("A+1 @40 C!B:slow")
    (question,) = [ruling for ruling in answers if isinstance(ruling, Question)]
    assert (question.seat, question.claimed_by, question.code, question.cards) == ("B", "C", "slow", 1)
    assert question.rests_on == (2,)


def test_the_clock_says_how_long_the_turn_has_lasted() -> None:
    state, _ = judge("A+1 @40 C!B:slow")
    now = state
    assert (now.turn, now.turn_since) == ("B", 1.0)
    assert now.deadline == 60.0  # the question lapses


def test_upheld_is_settled_before_the_penalty_is_given() -> None:
    _, answers = judge("A+1 C!B:slow A^1 D^1")
    assert [type(ruling) for ruling in answers[1:]] == [Question, Settled, Penalty]
    assert answers[2].ruling == answers[1].number  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("script", "notice"),
    [
        pytest.param("A+1 C!B:nonsense", "unclear-claim", id="unknown-code"),
        pytest.param("A+1 ?!B:slow", "unclear-claim", id="unknown-claimer"),
        pytest.param("A+1 C!Q:slow", "unclear-claim", id="nobody-sits-there"),
        pytest.param("A+1 C!B:unjust-claim", "unclear-claim", id="an-unjust-claim-cannot-be-claimed"),
        pytest.param("|| C!B:hinted", "no-claims-now", id="in-time-out"),
        pytest.param("A:9h ~ C!B:hinted", "no-claims-now", id="while-the-pile-is-renewed"),
        pytest.param("A:9c C!A:illegal-card", "already-given", id="the-referee-saw-it-too"),
        pytest.param("A+1 C!B:slow D!B:slow", "already-asked", id="being-voted-on"),
        pytest.param("A^1", "no-vote", id="vote-on-nothing"),
        pytest.param("A+1 C!B:slow ?^1", "no-vote", id="vote-of-nobody"),
        pytest.param("A+1 C!B:slow A^1#99", "no-vote", id="vote-on-a-ruling-that-is-no-question"),
    ],
)
def test_refused(script: str, notice: str) -> None:
    _, answers = judge(script)
    assert notices(answers)[-1] == notice
    assert "slow" not in [code for _, code in penalties(answers)]


def test_a_number_picks_an_older_question() -> None:
    script = "A+1 C!B:slow D!A:hinted"  # rulings 2 and 3
    assert penalties(judge(script + " A^1#2 D^1#2")[1]) == [("B", "slow")]
    assert penalties(judge(script + " B^1 C^1")[1]) == [("A", "hinted")]


def test_a_vote_can_be_changed_until_it_decides() -> None:
    _, answers = judge("A+1 C!B:slow A^0#9 A^1 A^1 D^1")
    assert penalties(answers) == [("B", "slow")]


def test_a_penalty_struck_out_is_owed_no_longer() -> None:
    state, answers = judge("A:9c B^0#1 C^0")
    assert state.penalties_owed == (0, 0, 0, 0)
    settled = [(ruling.ruling, ruling.outcome) for ruling in answers if isinstance(ruling, Settled)]
    (dispute,) = [ruling for ruling in answers if isinstance(ruling, Question)]
    assert settled == [(dispute.number, "overturned"), (1, "overturned")]
    assert dispute.disputes == 1
    assert penalties(answers) == [("A", "illegal-card")]


@pytest.mark.parametrize(
    ("script", "turn", "top", "held"),
    [
        pytest.param("A:9c B^0 C^0", "D", "9c", 6, id="it-counts-as-played"),
        pytest.param("A:Ac B^0 C^0", "B", "Ac", 6, id="with-all-that-it-does"),
        pytest.param("A:9c A:-9c B^0 C^0", "A", "7h", 7, id="not-when-it-was-taken-back"),
        pytest.param("A:9c A:3h B^0#1 C^0", "B", "3h", 5, id="not-when-another-was-played-since"),
        pytest.param("A:9c B^0 C^1 D^1", "A", "7h", 6, id="not-when-the-penalty-stands"),
    ],
)
def test_a_card_that_was_right_after_all_counts_as_played(script: str, turn: str, top: str, held: int) -> None:
    state, _ = judge(script)
    now = state
    assert (now.turn, str(now.top), now.counts[0]) == (turn, top, held)


def test_words_of_a_card_that_was_right_after_all_are_forgiven() -> None:
    state, answers = judge("A:Ac B^0 C^0 B+4 C:3c @90")
    assert penalties(answers) == [("A", "illegal-card")]
    assert state.penalties_owed == (0, 0, 0, 0)


def test_a_card_already_taken_stays_in_the_hand() -> None:
    state, answers = judge("A:9c A:-9c A+1 B^0#1 C^0")
    assert notices(answers)[-1] == "card-stays"
    assert state.counts[0] == 8


def test_a_deferred_penalty_can_be_struck_out() -> None:
    state, answers = judge("A:4c D+1 B+1 C^0#3 D^0", start="4h", hands="A2")
    assert penalties(answers) == [("A", "no-last-card")] or state.penalties_owed == (0, 0, 0, 0)


def test_a_claimed_penalty_that_is_overturned_later_goes_to_the_claimer() -> None:
    state, answers = judge("A+1 C!B:hinted A^1 D^1 A^0#4 D^0")
    assert penalties(answers) == [("B", "hinted"), ("C", "unjust-claim")]
    assert state.penalties_owed == (0, 0, 1, 0)


def test_a_penalty_struck_out_lets_a_seat_win() -> None:
    state, _ = judge("A:Ah B+4 C^0 B^0 D^0 @+5", hands="A1")
    assert state.winner == "A"


def test_nobody_wins_while_a_question_about_the_last_card_is_open() -> None:
    script = "A:Ah B+4 B!A:hinted"
    assert judge(script + " @+10", hands="A1")[0].winner is None
    assert judge('A:Ah A"sorry" B+4 B!A:hinted @+30', hands="A1")[0].winner == "A"


def test_strict_play_hides_the_turn_until_somebody_pays() -> None:
    state, _ = judge("A+1", strict="on")
    assert state.turn_hidden
    state, answers = judge('A+1 C"whose turn is it"', strict="on")
    assert not state.turn_hidden
    assert penalties(answers) == [("C", "asked")]
    assert notices(answers) == ["bought"]
    state, _ = judge('A+1 C"whose turn is it" B+1', strict="on")
    assert state.turn_hidden


@pytest.mark.parametrize("asking", ["whose turn is it", "who's turn is it", "what suit", "which way", "is it my turn"])
def test_ways_to_ask(asking: str) -> None:
    assert penalties(judge(f'C"{asking}"', strict="on")[1]) == [("C", "asked")]


def test_by_default_the_turn_is_shown_and_asking_is_free() -> None:
    state, answers = judge('C"whose turn is it"')
    assert not state.turn_hidden
    assert answers == []


def test_a_bought_answer_that_had_to_be_voted_on_is_shown_too() -> None:
    state, answers = judge("A+1 C!D:asked A^1 B^1", strict="on")
    assert penalties(answers) == [("D", "asked")]
    assert not state.turn_hidden


def test_time_out_moves_deadlines_on() -> None:
    _, answers = judge("A+1 C!B:slow @10 || @100 || @108 B+1 @114 C+1")
    (settled,) = [ruling for ruling in answers if isinstance(ruling, Settled)]
    assert (settled.outcome, settled.t) == ("lapsed", 112.0)


def test_only_auto_butt_in_changes_during_a_match() -> None:
    state, answers = judge("auto_butt_in=forbid")
    assert (notices(answers), state.modes) == (["auto-butt-in-forbid"], ("no-auto-butt-in",))
    state, answers = judge("settle=9 auto_butt_in=maybe")
    assert notices(answers) == ["option-stays", "option-stays"]


def test_the_turn_comes_last_and_only_when_it_changed() -> None:
    _, answers = judge('A:Ah A"sorry" D:Jk')
    assert [type(ruling) for ruling in answers] == [Turn, Turn]
    turn = answers[-1]
    assert isinstance(turn, Turn)
    assert (turn.seat, turn.owed, turn.rule, turn.rests_on) == ("C", 4, "UB-11", (3,))
