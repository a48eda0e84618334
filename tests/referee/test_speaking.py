"""Is the right thing said aloud, to those who want to hear it, and nothing that is no longer true?"""

from __future__ import annotations

import pytest

from referee.doubt.parameters import PARAMETERS
from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Landed, Said, Taken, Voted
from referee.record.rulings import Penalty
from referee.table.session import Session
from referee.table.speaking import NOTHING, PENALTY, TURN, Speaker, Spoken, aloud

NAMES = {"A": "Ann", "B": "Ben", "C": "Cleo"}


class Outlet:
    """Remembers what a loudspeaker would be given."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def say(self, spoken: Spoken) -> None:
        self.given.append(spoken.text)

    def drop(self, about: str) -> None:
        self.given.append(f"(nothing about {about})")

    def forget(self) -> None:
        self.given.append("(silence)")


class Table:
    def __init__(self, **options: str) -> None:
        options = {"preset": "full", "start": "9h", "turn": "A", "players": "ABC", **options}
        self.now = 0.0
        self.session = Session(Match("uncle-baiting", options), NAMES, lambda: self.now)
        self.speaker = Speaker(self.session)
        self.outlet = Outlet()
        self.speaker.outlets.append(self.outlet)

    def play(self, *cards: str) -> None:
        for token in cards:
            self.now += 3.0
            seat, _, card = token.partition(":")
            self.session.observe(Landed(t=self.now, seat=seat, card=Card.of(card)))
            self.session.tick(self.now + 5.0)


@pytest.fixture
def table() -> Table:
    return Table()


def test_turn_is_said_at_once_and_a_penalty_after_it(table: Table) -> None:
    table.play("A:Ah")
    table.session.observe(Taken(t=table.now + 4.0, seat="B", count=4))
    table.session.tick(table.now + 9.0)
    assert table.outlet.given[0] == "Ben picks up 4."
    assert "Ann takes a card: nobody heard “sorry”." in table.outlet.given
    levels = {call["text"]: call["level"] for call in table.speaker.view()["calls"]}
    assert levels["Ann takes a card: nobody heard “sorry”."] == PENALTY
    assert max(levels.values()) == TURN


def test_turns_are_about_the_same_so_that_only_the_newest_is_said(table: Table) -> None:
    table.play("A:3h", "B:8h")
    assert {call["about"] for call in table.speaker.view()["calls"] if call["level"] == TURN} == {"turn"}


def test_each_seat_chooses_how_much_is_said(table: Table) -> None:
    table.speaker.choose("?", NOTHING)
    table.speaker.choose("B", TURN)
    table.play("A:3h", "B:8h")
    assert [text for text in table.outlet.given if "play" in text] == ["Ben to play."]


def test_correction_silences_what_was_said_about_a_wrong_state(table: Table) -> None:
    table.play("A:Ah")
    first = [call["number"] for call in table.speaker.view()["calls"]]
    table.session.undo()
    assert table.outlet.given[1:] == ["(silence)", "Ann to play."]
    view = table.speaker.view()
    assert all(number < view["since"] for number in first)
    assert [call["text"] for call in view["calls"]] == ["Ann to play."]


def test_a_question_that_play_has_answered_is_not_asked_any_more(table: Table) -> None:
    table.play("A:8h", "?:8h")
    table.now += PARAMETERS.ask_after + 2.0
    table.session.tick()
    (question,) = table.session.open_questions
    asked = next(call for call in table.speaker.view()["calls"] if call["text"].startswith("Who played"))
    assert table.speaker.view()["dropped"] == []
    table.play("A:3h")  # only after an eight of Ben's it is Ann's turn
    assert table.session.open_questions == ()
    assert f"(nothing about {question.number})" in table.outlet.given
    assert table.speaker.view()["dropped"] == [asked["number"]]


def test_a_penalty_that_was_struck_out_is_not_called_and_that_is_said_once(table: Table) -> None:
    table.play("A:3h", "A:4h")
    (penalty,) = (r for r in table.session.match.rulings if isinstance(r, Penalty))
    for seat in "BC":
        table.session.observe(Voted(t=table.now + 6, seat=seat, uphold=False, ruling=penalty.number))
    table.session.flush()
    assert f"(nothing about {penalty.number})" in table.outlet.given
    assert table.outlet.given.count("Struck out.") == 1


def test_turn_that_has_to_be_paid_for_is_not_said() -> None:
    table = Table(strict="on")
    assert table.session.standing.turn_hidden
    table.play("A:3h")
    assert table.outlet.given == []


def test_page_reports_only_calls_of_this_table(table: Table) -> None:
    played: list[tuple[str, object, bool]] = []
    table.speaker.playing = lambda *what: played.append(what)
    table.play("A:3h")
    number = table.speaker.view()["calls"][0]["number"]
    for reported in (number, 999, None, "1"):
        table.speaker.report(reported, "page", True)
    assert played == [("Ben to play.", "page", True)]


def test_words_that_somebody_owes_are_told_to_the_ear(table: Table) -> None:
    assert table.session.owed == frozenset()
    table.play("A:Ah")
    assert table.session.owed == {"sorry"}
    table.session.observe(Said(t=table.now + 0.5, seat="A", text="sorry"))
    table.session.tick(table.now + 6.0)
    assert table.session.owed == frozenset()


@pytest.mark.parametrize(
    ("shown", "spoken"),
    [
        ("Who played Q♥?", "Who played queen of Hearts?"),
        ("10♠ and A♦", "ten of Spades and ace of Diamonds"),
        ("Ben", "Ben"),
    ],
)
def test_cards_are_read_in_words(shown: str, spoken: str) -> None:
    assert aloud(shown) == spoken
