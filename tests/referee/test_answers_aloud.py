"""A question may be answered aloud: shortly after it was asked, clearly, and never by mistake for something else."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Claimed, Landed, Said, Taken, Voted
from referee.record.rulings import Penalty, Settled
from referee.table.answers import SAID
from referee.table.asking import ANSWER_WITHIN, SURE_ANSWER
from referee.table.health import Health
from referee.table.session import Session
from referee.table.sound import Expected, ear_for, said
from speech.bench.sounds import load
from speech.hearing.ear import Ear
from speech.input.chunks import RATE, Chunk
from speech.vocabulary import Vocabulary
from speech.voice.engines import Espeak, Rendered
from tests.referee.test_questions import MISFIT, PATIENCE, UNREAD, Table, card
from tests.referee.test_sound import BLOCK, CLIPS, Room, clip, referee

VOICES = Path(__file__).parents[1] / "data" / "referee" / "answers"
SECOND = [card(1, "A", "8h"), card(2, "A", "8h", 0.6)]
COUNT = [card(1, "A", "2h"), Taken(t=2, seat="B", count=1, confidence=0.8)]
WHOSE = [card(1, "A", "8h"), card(2, "?", "8h")]
OUT_OF_TURN = [card(1, "C", "9c")]


def hear(table: Table, text: str, t: float | None = None, confidence: float = 0.9) -> None:
    """The ear heard that word, a second after the newest thing that happened."""
    t = table.now + 1 if t is None else t
    table.now = max(table.now, t)
    table.session.observe(Said(t=t, seat="?", text=text, source="ear", confidence=confidence, evidence=("free: yes",)))


@pytest.mark.parametrize(
    ("seen", "word", "turn", "top", "counts"),
    [
        pytest.param([UNREAD], "answer one", "C", "6h", (6, 7, 7), id="which-card-the-first"),
        pytest.param([UNREAD], "answer two", "C", "9h", (6, 7, 7), id="which-card-the-second"),
        pytest.param([MISFIT], "no", "C", "9h", (6, 7, 7), id="not-that-card"),
        pytest.param([MISFIT], "yes", "A", "7h", (6, 7, 7), id="that-card"),
        pytest.param(SECOND, "second", "C", "8h", (5, 7, 7), id="second"),
        pytest.param(SECOND, "nudged", "C", "8h", (6, 7, 7), id="nudged"),
        pytest.param(COUNT, "answer one", "C", "2h", (6, 9, 7), id="how-many"),
        pytest.param(WHOSE, "answer three", "A", "8h", (6, 6, 7), id="who"),
    ],
)
def test_a_question_is_answered_by_a_word(
    seen: list[Landed | Taken], word: str, turn: str, top: str, counts: tuple[int, ...]
) -> None:
    table = Table(*seen)
    hear(table, word)
    now = table.session.standing
    assert (now.turn, str(now.top), now.counts) == (turn, top, counts)
    assert table.session.open_questions == ()
    row = table.session.match.record[-1]
    assert (row.source, row.evidence) == ("ear", ("free: yes",))
    again = Match("uncle-baiting", table.session.match.options, table.session.match.record)
    assert (again.state, again.rulings) == (table.session.match.state, table.session.match.rulings)


@pytest.mark.parametrize(("word", "codes", "outcome"), [("yes", ["out-of-turn"], "upheld"), ("no", [], "overturned")])
def test_what_is_voted_on_is_decided_by_the_table_and_can_be_undone_and_disputed(
    word: str, codes: list[str], outcome: str
) -> None:
    table = Table(*OUT_OF_TURN)
    question = table.question
    hear(table, word)
    assert table.codes == codes
    assert [r.outcome for r in table.session.match.rulings if isinstance(r, Settled)] == [outcome]
    vote = table.session.match.record[-1]
    assert isinstance(vote, Voted)
    assert (vote.seat, vote.subject, vote.source) == ("?", question.subject, "ear")
    table.session.undo()
    assert table.codes == []
    assert table.question.code == "out-of-turn"
    table.session.redo()
    assert table.codes == codes
    if codes:
        table.see(Voted(t=table.now + 1, seat="A", uphold=False))
        assert table.question.disputes > 0


def test_nobody_answers_by_voice_what_players_claim_or_dispute() -> None:
    table = Table(card(1, "A", "3h"), Claimed(t=2, seat="A", against="B", code="hinted"))
    assert table.question.claimed_by == "A"
    hear(table, "yes")
    table.see(Voted(t=table.now + 1, seat="?", uphold=True))
    assert table.question.claimed_by == "A"
    assert table.codes == []


@pytest.mark.parametrize(
    ("t", "confidence"),
    [
        pytest.param(PATIENCE + 1 + ANSWER_WITHIN + 0.1, 0.99, id="too-late"),
        pytest.param(0.9, 0.99, id="before-it-was-asked"),
        pytest.param(PATIENCE + 2.0, SURE_ANSWER - 0.01, id="not-clearly-heard"),
    ],
)
def test_a_word_that_may_not_be_an_answer_is_none(t: float, confidence: float) -> None:
    table = Table(MISFIT)
    hear(table, "yes", t, confidence)
    assert table.codes == []
    assert table.question.code == "illegal-card"
    assert len(table.rows) == 1  # and nobody reads in the record that somebody said yes


def test_a_word_that_would_answer_two_questions_answers_none() -> None:
    table = Table(card(1, "C", "9c"), card(8, "B", "Kd"))
    assert len(table.session.open_questions) == 2
    hear(table, "yes")
    assert table.codes == []
    assert len(table.session.open_questions) == 2


def test_a_word_that_a_rule_wants_to_be_said_is_no_answer() -> None:
    table = Table(MISFIT)
    table.session.asking.update(table.session.open_questions, frozenset({"yes"}), table.now)
    assert "yes" not in table.session.asking.words(table.now)
    table.session.listening = frozenset({"yes"})
    hear(table, "yes")
    table.session.flush()
    assert table.codes == []
    assert isinstance(table.session.match.record[-1], Said)


def test_time_begins_when_the_question_has_been_read_aloud() -> None:
    table = Table(MISFIT)
    asking, number = table.session.asking, table.question.number
    asking.asked(number, PATIENCE + 9.0)
    hear(table, "yes", PATIENCE + 18.0)
    assert table.codes == ["illegal-card"]


def test_the_ear_is_told_what_would_answer_and_the_pages_show_it() -> None:
    table = Table(MISFIT)
    expected = Expected(table.session)
    assert {"yes", "no", "answer one"} <= expected()[0]
    assert not SAID & expected()[1]
    assert table.session.view()["questions"][0]["aloud"] == ""  # no microphone
    table.session.report(Health("microphone", "ok"))
    assert table.session.view()["questions"][0]["aloud"] == "Tap, or say “yes” or “no”"
    told: list[object] = []
    table.session.listen(told.append)
    table.now += ANSWER_WITHIN + 0.5
    table.session.tick()
    assert told  # the pages change though nothing happened
    assert table.session.view()["questions"][0]["aloud"] == ""
    assert "yes" in expected()[0]  # it may have been said in time, and is only recognised now
    table.now += 3
    assert not SAID & expected()[0]


def test_a_question_from_before_the_match_was_resumed_waits_for_no_voice() -> None:
    table = Table(MISFIT)
    record = table.session.match.record
    fresh = Table()
    fresh.session = replace(fresh.session, match=Match("uncle-baiting", table.session.match.options, record))
    hear(fresh, "yes", 2.0)
    assert [question.code for question in fresh.session.open_questions] == ["illegal-card"]


def test_everything_that_answers_has_a_sentence_and_no_game_hears_it_by_itself() -> None:
    table = Vocabulary.of("uncle-baiting")
    told = {phrase.means for phrase in table.with_answers().phrases}
    assert told >= SAID
    assert SAID - {"no"} <= told - {phrase.means for phrase in table.phrases}


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        pytest.param([UNREAD], "Tap, or say “answer one” or “answer two”", id="which-card"),
        pytest.param(SECOND, "Tap, or say “second one” or “nudged”", id="second"),
        pytest.param(WHOSE, "Tap, or say “answer one” to “answer three”", id="who"),
        pytest.param(OUT_OF_TURN, "Tap, or say “yes” or “no”", id="vote"),
        pytest.param([card(1, "A", None, 0.3)], "", id="any-card"),
        pytest.param(
            [card(1, "A", "Ah"), Taken(t=2, seat="B", count=3, confidence=0.8)],
            "Tap, or say “yes”, or “answer one” to “answer three”",
            id="how-many",
        ),
    ],
)
def test_people_are_told_what_they_may_say(seen: list[Landed | Taken | Said], told: str) -> None:
    table = Table(*seen)
    table.session.report(Health("microphone", "ok"))
    assert told in [question["aloud"] for question in table.session.view()["questions"]]


# The real ear


@pytest.fixture(scope="module")
def ear() -> Ear:
    return ear_for(Session(Match("uncle-baiting", {"players": "ABC"}), {}, lambda: 0.0))


def heard(ear: Ear, pcm: np.ndarray, words: frozenset[str]) -> list[Said]:
    """What `ear` hears in the sound while it waits for `words`."""
    noise = np.random.default_rng(1).normal(0, 15, len(pcm) + 3 * RATE)
    noise[RATE : RATE + len(pcm)] += pcm
    sound = noise.astype(np.int16)
    words_heard = []
    for start in range(0, len(sound), BLOCK):
        ear.expect(words)
        words_heard += ear.listen(Chunk(sound[start : start + BLOCK], start / RATE))
    return said([*words_heard, *ear.flush()])


MEANS = {
    "yes": "yes",
    "no": "no",
    "nope": "no",
    "answer_one": "answer one",
    "answer_two": "answer two",
    "answer_three": "answer three",
    "answer_four": "answer four",
    "number_two": "answer two",
    "a_second_one": "second",
    "nudged": "nudged",
    "the_same_one": "nudged",
}


def voice(name: str, voice: str = "am_michael") -> np.ndarray:
    return load(VOICES / f"kokoro-{voice}__{name}.flac")


@pytest.mark.parametrize("by", ["am_michael", "af_sarah"])
@pytest.mark.parametrize(("name", "means"), MEANS.items(), ids=str)
def test_what_is_said_is_heard_while_it_is_waited_for_and_only_then(ear: Ear, name: str, means: str, by: str) -> None:
    pcm = voice(name, by)
    (one,) = heard(ear, pcm, SAID)
    assert one.text == means
    assert one.confidence >= SURE_ANSWER
    assert heard(ear, pcm, frozenset()) == []


def clips() -> list[object]:
    with (CLIPS / "clips.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["file"].startswith("other/")]
    return [pytest.param(row["file"], row["says"], id=f"{row['says'][:20]} {row['file'][6:22]}") for row in rows]


@pytest.mark.parametrize(("file", "says"), clips())
def test_people_who_say_something_else_answer_nothing(ear: Ear, file: str, says: str) -> None:
    answers = [one.text for one in heard(ear, load(CLIPS / file), SAID) if one.confidence >= SURE_ANSWER]
    assert answers == ([says] if says in ("yes", "no") else [])


class Asks:
    """espeak-ng, but whatever the referee asks, it says what would answer it."""

    name = "leading"

    def render(self, text: str) -> Rendered:
        sound = Espeak(words_a_minute=160).render("Yes! ... No!")
        return Rendered(text, sound.pcm, sound.rate)


def test_the_referee_does_not_answer_itself_and_people_answer_it() -> None:
    doubtful = replace(MISFIT, t=0.5, card=Card.of("8c"), alternatives=((Card.of("8h"), 0.015),))
    room = Room(-3.0, 0.3)
    alone = referee(room, 22.0, meanwhile={0.5: doubtful}, voice_engine=Asks(), judged=True)
    assert any(text.startswith("Did Ann play") for text in room.played)
    assert [question.code for question in alone.open_questions] == ["illegal-card"]
    room = Room(-3.0, 0.3)
    room.speak(clip("vinsis_6272b231"), 19.0)  # the call has ended by then, and not ten seconds ago
    session = referee(room, 23.0, meanwhile={0.5: doubtful}, voice_engine=Asks(), judged=True)
    assert session.open_questions == ()
    assert [r.code for r in session.match.rulings if isinstance(r, Penalty)] == ["illegal-card"]
    assert session.match.record[-1].source == "ear"


def test_no_still_announces_another_suit(ear: Ear) -> None:
    words = [one.text for one in heard(ear, voice("no_hearts"), SAID | {"diamonds", "hearts"})]
    assert words == ["diamonds", "hearts"]
