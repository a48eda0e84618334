"""What the referee is not sure of is a question with answers, and an answer puts the record right."""

from dataclasses import replace

import pytest

from referee.doubt.parameters import PARAMETERS
from referee.record.cards import Card
from referee.record.match import Match
from referee.record.notation import parse
from referee.record.observations import AnyObservation, Corrected, Elapsed, Happening, Landed, Taken, Undone, from_json
from referee.record.rulings import AnyRuling, Penalty, Question, Settled
from referee.record.sequencer import HEARING_GRACE
from referee.table.answers import edit
from referee.table.session import Event, Session
from referee.text.calls import answer, call
from referee.text.faults import RefereeError

PATIENCE = PARAMETERS.ask_after + HEARING_GRACE + 0.1
NAMES = {"A": "Ana", "B": "Bo", "C": "Cy", "D": "Di", "E": "Ed", "F": "Flo"}


def card(t: float, seat: str, name: str | None, confidence: float = 1.0, *others: str, share: float = 0.4) -> Landed:
    return Landed(
        t=t,
        seat=seat,
        card=Card.of(name) if name else None,
        confidence=confidence,
        source="eye",
        alternatives=tuple((Card.of(other), share) for other in others),
    )


class Table:
    """A table at which nothing is held back, where nobody acts for a while after all that was seen."""

    def __init__(self, *seen: AnyObservation, players: str = "ABC") -> None:
        self.called: list[AnyRuling] = []
        self.session = Session(Match("uncle-baiting", {"players": players, "start": "7h"}), NAMES, lambda: self.now)
        self.now = 0.0
        self.session.listen(lambda event: self._hear(event))
        for observation in seen:
            self.see(observation)
        if seen:
            self.wait()

    def wait(self) -> None:
        """Nobody acts until the referee asks what it would know."""
        self.now += PATIENCE
        self.session.tick()

    def _hear(self, event: Event) -> None:
        self.called += event.calls

    def see(self, observation: AnyObservation) -> None:
        self.now = observation.t
        assert not isinstance(observation, Undone | Corrected)
        self.session.observe(observation)
        self.session.flush()

    @property
    def question(self) -> Question:
        (question,) = self.session.open_questions
        return question

    def answer(self, offered: str, by: str = "?") -> None:
        self.session.answer(self.question.subject, offered, by)

    @property
    def rows(self) -> list[AnyObservation]:
        return [row for row in self.session.match.record if not isinstance(row, Elapsed)]

    @property
    def codes(self) -> list[str]:
        return [ruling.code for ruling in self.session.match.rulings if isinstance(ruling, Penalty)]


UNREAD = card(1, "A", None, 0.5, "6h", "9h")
MISFIT = card(1, "A", "9c", 0.985, "9h", share=0.015)


@pytest.mark.parametrize(
    ("seen", "players", "asked", "answers"),
    [
        pytest.param([UNREAD], "ABC", "Did Ana play 6♥ or 9♥?", ["6♥", "9♥"], id="card-between-two"),
        pytest.param([card(1, "?", None, 0.5, "6h", "9h")], "ABC", "Was that 6♥ or 9♥?", ["6♥", "9♥"], id="nobodys"),
        pytest.param(
            [card(1, "A", None, 0.3)], "ABC", "Which card did Ana play?", [], id="card-of-which-nothing-is-known"
        ),
        pytest.param([MISFIT], "ABC", "Did Ana play 9♣? It does not fit.", ["9♣", "9♥"], id="card-that-does-not-fit"),
        pytest.param(
            [card(1, "A", "9h"), card(2, "A", "9h", 0.6)],
            "ABC",
            "Was that a second 9♥, or the same one nudged?",
            ["A second one", "The same, nudged"],
            id="nudged",
        ),
        pytest.param(
            [card(1, "A", "9h"), card(2, "?", "9h")],
            "ABC",
            "Who played 9♥?",
            ["Cy", "Ana", "Bo"],
            id="butt-in-of-an-unknown-seat",
        ),
        pytest.param(
            [card(1, "A", "9h"), card(2, "?", "9h")],
            "ABCDEF",
            "Who played 9♥?",
            ["Flo", "Ana", "Bo", "Cy"],
            id="four-answers-at-most",
        ),
        pytest.param(
            [card(1, "A", "Ah"), Taken(t=2, seat="B", count=3, confidence=0.8)],
            "ABC",
            "Did Bo take 4 cards?",
            ["4 cards", "3 cards", "None"],
            id="count-that-is-not-what-is-owed",
        ),
    ],
)
def test_a_doubt_is_asked_with_its_answers(
    seen: list[AnyObservation], players: str, asked: str, answers: list[str]
) -> None:
    table = Table(*seen, players=players)
    questions = {call(question, NAMES): question for question in table.session.open_questions}
    assert asked in questions
    question = questions[asked]
    assert [answer(question, offered, NAMES) for offered in question.answers] == answers
    assert question in table.called


@pytest.mark.parametrize(
    ("seen", "given", "turn", "top", "counts", "codes"),
    [
        pytest.param([UNREAD], "9h", "C", "9h", (6, 7, 7), [], id="it-was-the-nine"),
        pytest.param([UNREAD], "6h", "C", "6h", (6, 7, 7), [], id="it-was-the-six"),
        pytest.param([UNREAD], "8h", "C", "8h", (6, 7, 7), [], id="it-was-a-card-that-was-not-offered"),
        pytest.param([MISFIT], "9h", "C", "9h", (6, 7, 7), [], id="it-did-fit"),
        pytest.param([MISFIT], "9c", "A", "7h", (6, 7, 7), ["illegal-card"], id="it-did-not-fit"),
        pytest.param([card(1, "A", "8h"), card(2, "A", "8h", 0.6)], "nudged", "C", "8h", (6, 7, 7), [], id="nudged"),
        pytest.param([card(1, "A", "8h"), card(2, "A", "8h", 0.6)], "second", "C", "8h", (5, 7, 7), [], id="second"),
        pytest.param([card(1, "A", "8h"), card(2, "?", "8h")], "B", "A", "8h", (6, 6, 7), [], id="bo-butted-in"),
        pytest.param(
            [card(1, "A", "2h"), Taken(t=2, seat="B", count=1, confidence=0.8)], "2", "C", "2h", (6, 9, 7), [], id="two"
        ),
        pytest.param(
            [card(1, "A", "2h"), Taken(t=2, seat="B", count=1, confidence=0.8)],
            "0",
            "B",
            "2h",
            (6, 7, 7),
            [],
            id="none",
        ),
    ],
)
def test_an_answer_puts_the_record_right_and_the_match_is_judged_again(
    seen: list[AnyObservation], given: str, turn: str, top: str, counts: tuple[int, ...], codes: list[str]
) -> None:
    table = Table(*seen)
    table.answer(given)
    now = table.session.standing
    assert (now.turn, str(now.top), now.counts, table.codes) == (turn, top, counts, codes)
    assert table.session.open_questions == ()
    assert isinstance(table.session.match.record[-1], Corrected | Undone)
    again = Match("uncle-baiting", table.session.match.options, table.session.match.record)
    assert (again.state, again.rulings) == (table.session.match.state, table.session.match.rulings)


@pytest.mark.parametrize(
    ("seen", "given", "left"),
    [
        pytest.param([card(1, "A", "8h"), card(2, "?", "8h", 0.6)], "B", "second-card", id="whose-not-whether"),
        pytest.param(
            [card(1, "A", "8h"), replace(card(2, "C", None, 1.0, "8h", "9h"), seat_confidence=0.4)],
            "8h",
            "whose-card",
            id="which-not-whose",
        ),
    ],
)
def test_an_answer_settles_what_was_asked_and_nothing_else(seen: list[AnyObservation], given: str, left: str) -> None:
    table = Table(*seen)
    assert given in table.question.answers
    table.answer(given)
    table.wait()
    assert table.question.code == left
    assert table.question.rests_on == (2,)


@pytest.mark.parametrize(
    ("face", "after"),
    [
        pytest.param("Ah", "@2 B+4 C:Kh", id="no-sorry"),
        pytest.param("Js", '@2 A"hearts" A"spades"', id="changed-suit"),
        pytest.param("7s", "@2 B+1 C+1 A+1 B+1", id="no-apologies"),
    ],
)
def test_a_card_that_seems_to_be_another_players_costs_nobody_a_card(face: str, after: str) -> None:
    table = Table(replace(card(1, "C", face), seat_confidence=0.7))
    now = table.now
    for seen in parse(after):
        assert isinstance(seen, Happening)
        table.see(replace(seen, t=now + seen.t))
    table.wait()
    assert table.codes == []


def test_records_from_before_with_one_confidence_for_everything_are_read_and_cost_nobody_a_card() -> None:
    written = [
        {"kind": "landed", "t": 1.0, "seat": "C", "card": "9h", "confidence": 0.6, "source": "eye"},
        {"kind": "taken", "t": 2.0, "seat": "B", "count": 3, "confidence": 0.8, "source": "eye"},
        {"kind": "landed", "t": 3.0, "seat": "B", "card": "9h", "confidence": 0.6, "source": "eye"},
        {"kind": "landed", "t": 4.0, "seat": "A", "card": "2s", "source": "eye"},
    ]
    match = Match("uncle-baiting", {"players": "ABC", "start": "7h"}, map(from_json, written))
    assert not [ruling for ruling in match.rulings if isinstance(ruling, Penalty)]
    assert [row.to_json() for row in match.record] == written


def test_nobody_is_told_aloud_that_a_question_was_answered() -> None:
    table = Table(UNREAD)
    table.answer("9h")
    table.see(card(table.now + 1, "?", "9h"))
    table.see(card(table.now + 2, "A", "9c"))
    assert not [ruling for ruling in table.called if isinstance(ruling, Settled)]


def test_a_later_play_that_leaves_no_doubt_drops_the_question() -> None:
    table = Table(card(1, "A", "8h"), card(2, "?", "8h"))
    assert table.question.code == "whose-card"
    table.see(card(table.now + 1, "A", "3h"))  # only after an eight of Bo's it is Ana's turn
    assert table.session.open_questions == ()
    settled = [ruling for ruling in table.session.match.rulings if isinstance(ruling, Settled)]
    assert [ruling.outcome for ruling in settled] == ["answered"]


def test_whom_it_may_cost_a_card_may_admit_and_not_deny() -> None:
    table = Table(MISFIT)
    with pytest.raises(RefereeError, match="somebody else"):
        table.answer("9h", by="A")
    table.answer("9c", by="A")
    assert table.codes == ["illegal-card"]


@pytest.mark.parametrize("given", ["Kd", "nudged", "A", "", "9" * 300], ids=repr)
def test_what_is_no_answer_changes_nothing(given: str) -> None:
    table = Table(MISFIT)
    with pytest.raises(RefereeError, match="no answer"):
        table.answer(given)
    assert len(table.rows) == 1


@pytest.mark.parametrize("given", ["nudged", "0", "1h"])
def test_a_card_is_named_by_a_card(given: str) -> None:
    table = Table(UNREAD)
    with pytest.raises(RefereeError, match="no card"):
        table.answer(given)
    assert len(table.rows) == 1


def test_a_question_that_is_settled_takes_no_answer() -> None:
    table = Table(UNREAD)
    about = table.question.subject
    table.answer("9h")
    with pytest.raises(RefereeError, match="settled already"):
        table.session.answer(about, "6h")


def test_an_answer_about_a_row_that_was_undone_is_refused() -> None:
    table = Table(UNREAD)
    question, match = table.question, table.session.match
    table.session.undo()
    with pytest.raises(RefereeError, match="no answer"):
        edit(match, question, "9h", 2.0)
