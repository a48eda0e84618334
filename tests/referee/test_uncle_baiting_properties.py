"""Whatever happens at the table, Uncle Baiting answers, keeps its books and stays the same when it is replayed."""

import json
from dataclasses import fields
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.answers import NO_SUCH_ROW, edit
from referee.cards import FRENCH, JOKER, Card
from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.options import PRESETS
from referee.games.uncle_baiting.random_play import RandomPlay
from referee.games.uncle_baiting.state import State
from referee.match import Match
from referee.observations import (
    Claimed,
    Elapsed,
    Happening,
    Landed,
    OptionSet,
    Pointed,
    Recycled,
    Said,
    Seated,
    Taken,
    TakenBack,
    TimeOut,
    TurnEnded,
    Undone,
    Voted,
)
from referee.rulings import AnyRuling, Penalty, Question, Settled, Turn

FEW = [Card.of(name) for name in ("Ah", "2h", "2c", "3h", "4h", "5h", "6h", "7h", "7s", "8h", "9h", "Th", "Jh", "Js")]
SEATS = st.sampled_from("AAABBBCCC?Q")
CARDS = st.sampled_from([*FEW, *FEW, *FRENCH, JOKER, JOKER, Card.of("Qh"), Card.of("Kh"), Card.of("r7"), None])
TEXTS = ("sorry", "last card", "in", "out", "you", "hearts", "diamonds i mean spades", "apologies", "what suit", "hm")
CODES = ("slow", "hinted", "officious", "no-sorry", "unjust-claim", "nonsense")
NUMBERS = st.one_of(st.none(), st.integers(1, 60))


def one_of_each_kind(t: float, confidence: float, of_seat: float, of_count: float) -> st.SearchStrategy[Happening]:
    when = {"t": st.just(t), "confidence": st.just(confidence)}
    by = {"seat": SEATS, "seat_confidence": st.just(of_seat)}
    many = {"count": st.sampled_from((1, 1, 1, 2, 4, 8, 999)), "count_confidence": st.just(of_count)}
    others = st.sampled_from(((), ((Card.of("6h"), 0.4), (Card.of("9h"), 0.3))))
    landed = st.builds(Landed, card=CARDS, alternatives=others, **by, **when)
    taken = st.builds(Taken, **many, **by, **when)
    said = st.builds(Said, text=st.sampled_from(TEXTS), **by, **when)
    return st.one_of(
        landed,
        landed,
        landed,
        taken,
        taken,
        said,
        said,
        st.builds(TakenBack, card=CARDS, **by, **when),
        st.builds(Pointed, at=st.sampled_from("ABCQ"), hand=st.integers(0, 2), **by, **when),
        st.builds(Claimed, against=SEATS, code=st.sampled_from(CODES), **by, **when),
        st.builds(Voted, uphold=st.booleans(), ruling=NUMBERS, **by, **when),
        st.builds(Recycled, **when),
        st.builds(TimeOut, **when),
        st.builds(TurnEnded, **by, **when),
        st.builds(Elapsed, **when),
        st.builds(
            OptionSet, name=st.sampled_from(("auto_butt_in", "x_y")), value=st.sampled_from(("forbid", "allow")), **when
        ),
    )


PROBABLY = st.sampled_from((1.0, 1.0, 1.0, 0.95, 0.5))
MOMENTS = st.tuples(st.sampled_from((0.0, 0.2, 1.0, 1.0, 1.0, 4.0, 25.0)), PROBABLY, PROBABLY, PROBABLY)


@st.composite
def happenings(draw: st.DrawFn) -> list[Happening]:
    t, seen = 0.0, []
    for pause, *sure in draw(st.lists(MOMENTS, max_size=40)):
        t += pause
        seen.append(draw(one_of_each_kind(t, *sure)))
    return seen


@st.composite
def tables(draw: st.DrawFn) -> dict[str, str]:
    options = {"players": draw(st.sampled_from(("AB", "ABC", "ABCD"))), "preset": draw(st.sampled_from(tuple(PRESETS)))}
    if draw(st.booleans()):
        options["start"] = draw(st.sampled_from(("7h", "Ah", "Jk", "9s")))
    if draw(st.booleans()):
        options["hands"] = "A1,B2"
    if draw(st.booleans()):
        options |= {"strict": "on", "auto_butt_in": "forbid"}
    if draw(st.booleans()):
        options["level"] = draw(st.sampled_from(("normal", "gentle")))
    return options


def judged(options: dict[str, str], seen: list[Happening]) -> list[tuple[State, tuple[AnyRuling, ...]]]:
    state, answers = GAME.start(options), []
    for observation in seen:
        state, rulings = GAME.observe(state, observation)
        answers.append((state, rulings))
    return answers


def cards_in_all(state: State) -> int:
    in_the_air = 1 if state.pile.lifted else 0
    return sum(state.hands.counts) + state.pile.pick_up + state.pile.discard + in_the_air


many = settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])


@many
@given(tables(), happenings())
def test_any_sequence_of_observations_is_answered(options: dict[str, str], seen: list[Happening]) -> None:
    start, numbers = GAME.start(options), []
    for state, rulings in judged(options, seen):
        numbers += [ruling.number for ruling in rulings]
        assert cards_in_all(state) == start.table.pack == cards_in_all(start)
        assert all(held >= 0 for held in state.hands.counts[:-1])
        assert min(*state.hands.penalties, *state.hands.later, state.debt) >= 0
        assert all(1 <= row <= state.seen for ruling in rulings for row in ruling.rests_on)
        assert [ruling for ruling in rulings if isinstance(ruling, Turn)] in ([], [rulings[-1:] and rulings[-1]])
        standing = GAME.standing(state)
        assert standing.turn is None or standing.turn in options["players"]
        assert GAME.explain(state)
        assert str(state)
        assert State.from_json(json.loads(json.dumps(state.to_json()))) == state
        assert isinstance(hash(state), int)
    assert numbers == list(range(1, len(numbers) + 1))


@many
@given(tables(), happenings())
def test_nothing_unsure_becomes_a_penalty_by_itself(options: dict[str, str], seen: list[Happening]) -> None:
    for (_, rulings), observation in zip(judged(options, seen), seen, strict=True):
        if not isinstance(observation, Voted | Claimed):
            for ruling in rulings:
                if isinstance(ruling, Penalty):
                    last = seen[ruling.rests_on[-1] - 1]
                    admitted = isinstance(last, Taken | TakenBack) and last.sure and last.whose == ruling.seat
                    assert admitted or all(seen[row - 1].sure for row in ruling.rests_on), ruling
                    act = seen[ruling.rests_on[0] - 1]
                    assert admitted or not isinstance(act, Seated) or act.whose != "?" or act.seat in ("?", ruling.seat)


@many
@given(tables(), happenings())
def test_replaying_the_record_gives_equal_states(options: dict[str, str], seen: list[Happening]) -> None:
    assert judged(options, seen) == judged(dict(reversed(options.items())), seen)


@settings(max_examples=50)
@given(tables(), happenings())
def test_undo_of_the_last_observation_gives_the_state_before(options: dict[str, str], seen: list[Happening]) -> None:
    match = Match("uncle-baiting", options)
    for observation in seen:
        before = match.state
        match.add(observation)
    if seen:
        match.add(Undone(t=seen[-1].t, of=len(seen)))
        assert match.state == before


@settings(max_examples=50)
@given(tables(), happenings())
def test_every_answer_that_is_offered_settles_what_was_asked_and_nothing_else(
    options: dict[str, str], seen: list[Happening]
) -> None:
    match = Match("uncle-baiting", options, seen)
    for question in (ruling for ruling in match.rulings if isinstance(ruling, Question) and ruling.answers):
        assert 2 <= len(set(question.answers)) == len(question.answers) <= 4
        for offered in question.answers:
            again = Match("uncle-baiting", options, seen)
            again.add(edit(again, question, offered, t=9999.0))
            row = again.happening(question.rests_on[-1])
            assert (row is None) == (offered in NO_SUCH_ROW)
            if row is not None:
                before, after = (vars_of(each) for each in (match.happening(question.rests_on[-1]), row))
                changed = {name for name in after if after[name] != before[name]}
                assert changed <= SETTLES[question.asks]
                assert all(after[name] == 1.0 for name in SETTLES[question.asks] & set(after) if "confidence" in name)
            assert asks(question) not in map(asks, open_questions(again))


SETTLES = {
    "seat": {"seat", "seat_confidence"},
    "card": {"card", "alternatives", "confidence"},
    "count": {"count", "count_confidence", "confidence"},
    "event": {"confidence"},
}
"""What an answer settles: a face or a count is only there if it happened."""


def vars_of(happening: Happening | None) -> dict[str, object]:
    assert happening is not None
    return {field.name: getattr(happening, field.name) for field in fields(happening)}


def asks(question: Question) -> tuple[object, ...]:
    return question.code, question.rests_on, question.answers


def open_questions(match: Match) -> list[Question]:
    settled = {ruling.ruling for ruling in match.rulings if isinstance(ruling, Settled)}
    return [ruling for ruling in match.rulings if isinstance(ruling, Question) and ruling.number not in settled]


@settings(max_examples=50)
@given(tables(), happenings(), st.sampled_from("ABC"))
def test_legal_cards_are_those_that_cost_nothing(options: dict[str, str], seen: list[Happening], seat: str) -> None:
    state = judged(options, seen)[-1][0] if seen else GAME.start(options)
    if seat not in state.table.players or state.winner >= 0 or not state.pile.discard or state.pile.lifted:
        return
    if state.others or not state.top.sure or not state.top.suit_sure or state.hands.vague or state.ahead:
        return  # in doubt nothing is penalised
    if state.duties or state.clock.paused >= 0 or state.pile.renewal:
        return
    legal = GAME.legal_cards(state, seat)
    for card in (*FRENCH, JOKER):
        _, rulings = GAME.observe(state, Landed(t=state.clock.now, seat=seat, card=card))
        blamed = [r for r in rulings if isinstance(r, Penalty | Question) and r.code in ("illegal-card", "out-of-turn")]
        taken_back = [r for r in rulings if getattr(r, "code", "") == "take-back"]
        assert bool(blamed) == (card not in legal and state.table.penalties), card
        assert bool(taken_back) == (card not in legal), card


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", ["AB", "ABC", "ABCDEF"])
def test_people_who_make_no_mistake_are_never_penalised(preset: str, players: str) -> None:
    for seed in range(3):
        play = RandomPlay({"players": players, "preset": preset}, seed)
        seen = list(islice(play, 600))
        rulings = [ruling for _, answer in judged(play.options, seen) for ruling in answer]
        assert [ruling for ruling in rulings if isinstance(ruling, Penalty | Question)] == []
        if play.state.winner < 0:
            assert play.state.hands.counts[:-1] == tuple(len(hand) for hand in play.hands)
            assert (play.state.pile.pick_up, play.state.pile.discard) == (len(play.pick_up), len(play.discard))


def test_hands_are_counted_right_when_people_blunder() -> None:
    for seed in range(10):
        play = RandomPlay({"players": "ABCD"}, seed, mistakes=0.2)
        for _ in islice(play, 400):
            if play.state.winner < 0 and not play.state.top.fours:  # a four's hands are passed before they are counted
                assert play.state.hands.counts[:-1] == tuple(len(hand) for hand in play.hands)
