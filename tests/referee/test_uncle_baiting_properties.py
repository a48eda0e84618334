"""Whatever happens at the table, Uncle Baiting answers, keeps its books and judges alike what is alike."""

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from referee.games import adjudicate
from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.options import PRESETS
from referee.games.uncle_baiting.owed import discarded
from referee.games.uncle_baiting.random_play import RandomPlay
from referee.games.uncle_baiting.state import STATE, State
from referee.record.cards import FRENCH, JOKER, Card
from referee.record.observations import (
    Claimed,
    Elapsed,
    Happening,
    Landed,
    OptionSet,
    Pointed,
    Recycled,
    Said,
    Taken,
    TakenBack,
    TimeOut,
    TurnEnded,
    Voted,
)
from referee.record.rulings import AnyRuling, Notice, Penalty, Win

FEW = [Card.of(name) for name in ("Ah", "2h", "2c", "3h", "4h", "5h", "6h", "7h", "7s", "8h", "9h", "Th", "Jh", "Js")]
SEATS = st.sampled_from("AAABBBCCCQ?")
CARDS = st.sampled_from([*FEW, *FEW, *FRENCH, JOKER, JOKER, Card.of("Qh"), Card.of("Kh"), Card.of("r7")])
TEXTS = ("sorry", "last card", "in", "out", "you", "hearts", "diamonds i mean spades", "apologies", "what suit", "hm")


def one_of_each_kind(t: float) -> st.SearchStrategy[Happening]:
    when = {"t": st.just(t)}
    landed = st.builds(Landed, seat=SEATS, card=CARDS, **when)
    taken = st.builds(Taken, seat=SEATS, count=st.sampled_from((1, 1, 1, 2, 4, 8, 999)), **when)
    said = st.builds(Said, seat=SEATS, text=st.sampled_from(TEXTS), **when)
    return st.one_of(
        landed,
        landed,
        landed,
        taken,
        taken,
        said,
        said,
        st.builds(TakenBack, seat=SEATS, card=st.one_of(CARDS, st.none()), **when),
        st.builds(Pointed, seat=SEATS, at=st.sampled_from("ABCQ"), hand=st.integers(0, 2), **when),
        st.builds(Claimed, seat=SEATS, against=SEATS, code=st.just("slow"), **when),
        st.builds(Voted, seat=SEATS, uphold=st.booleans(), **when),
        st.builds(Recycled, **when),
        st.builds(TimeOut, **when),
        st.builds(TurnEnded, seat=SEATS, **when),
        st.builds(Elapsed, **when),
        st.builds(
            OptionSet,
            name=st.sampled_from(("auto_butt_in", "words", "x_y")),
            value=st.sampled_from(("forbid", "allow", "on", "off")),
            **when,
        ),
    )


@st.composite
def happenings(draw: st.DrawFn) -> list[Happening]:
    t, seen = 0.0, []
    for pause in draw(st.lists(st.sampled_from((0.0, 0.2, 1.0, 1.0, 1.0, 4.0, 25.0)), max_size=40)):
        t += pause
        seen.append(draw(one_of_each_kind(t)))
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
    return options


def judged(options: dict[str, str], seen: list[Happening]) -> list[tuple[State, tuple[AnyRuling, ...]]]:
    state, answers = GAME.start(options), []
    for row, happening in enumerate(seen, 1):
        state, rulings = adjudicate(GAME, state, happening, row)
        answers.append((state, rulings))
    return answers


def reached(options: dict[str, str], seen: list[Happening]) -> State:
    return judged(options, seen)[-1][0] if seen else GAME.start(options)


def cards_in_all(state: State) -> int:
    return sum(state.counts) + state.pick_up + discarded(state) + (state.pile.lifted is not None)


def wrong_plays(rulings: tuple[AnyRuling, ...]) -> list[AnyRuling]:
    return [r for r in rulings if isinstance(r, Penalty) and r.code in ("illegal-card", "out-of-turn")]


many = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@many
@given(tables(), happenings())
def test_any_sequence_of_happenings_is_answered(options: dict[str, str], seen: list[Happening]) -> None:
    start = GAME.start(options)
    for row, (state, rulings) in enumerate(judged(options, seen), 1):
        assert all(isinstance(ruling, Penalty | Notice | Win) for ruling in rulings)
        assert all(0 < rested <= row for ruling in rulings for rested in ruling.rests_on)
        assert cards_in_all(state) == start.table.pack == cards_in_all(start)
        assert min(*state.counts, discarded(state), *state.owed.penalties, *state.owed.later, state.debt) >= 0
        assert GAME.explain(state)
        assert STATE.validate_json(STATE.dump_json(state)) == state
        assert isinstance(hash(state), int)
        standing, brief = GAME.standing(state), GAME.brief(state)
        assert standing.turn is None or standing.turn in options["players"]
        assert (brief.players, brief.turn, brief.winner) == (standing.players, standing.turn, standing.winner)
        assert (brief.owed, brief.wrong, brief.due) == (max(1, standing.owed), standing.wrong, standing.due)
        assert brief.penalties == standing.owed_penalty
        assert standing.deadline is None or state.owed.out


@many
@given(tables(), happenings())
def test_replaying_the_record_gives_equal_states(options: dict[str, str], seen: list[Happening]) -> None:
    assert judged(options, seen) == judged(dict(reversed(options.items())), seen)


@many
@given(tables(), happenings(), st.data())
def test_states_of_equal_key_judge_alike_what_comes_next(
    options: dict[str, str], seen: list[Happening], data: st.DataObject
) -> None:
    """The same match, later on and under other row numbers."""
    state, later = reached(options, seen), GAME.start(options)
    for row, happening in enumerate(seen, 101):
        later, _ = adjudicate(GAME, later, replace(happening, t=happening.t + 50), row)
    assert GAME.key(state) == GAME.key(later)
    assert hash(GAME.key(state)) == hash(GAME.key(later))
    next_ = data.draw(one_of_each_kind(seen[-1].t + 1.0 if seen else 1.0))
    one, rulings = GAME.observe(state, next_)
    other, again = GAME.observe(later, replace(next_, t=next_.t + 50.0))
    assert [ruling.what() for ruling in rulings] == [ruling.what() for ruling in again]
    assert GAME.key(one) == GAME.key(other)


def test_only_large_hands_are_alike() -> None:
    def key(held: int) -> object:
        return GAME.key(GAME.start({"players": "AB", "hands": f"A{held}"}))

    assert key(8) == key(9)
    assert len({key(held) for held in range(9)}) == 9


@many
@given(tables(), happenings(), st.sampled_from("AB"), st.sampled_from(("out-of-turn", "no-last-card")))
def test_a_penalty_is_owed_once_given_and_no_longer_when_struck_out(
    options: dict[str, str], seen: list[Happening], seat: str, code: str
) -> None:
    def owed(state: State) -> int:
        return GAME.standing(state).penalties_owed[options["players"].index(seat)]

    state = reached(options, seen)
    given_ = GAME.given(state, seat, 1, code)
    assert owed(given_) == owed(state) + 1
    assert owed(GAME.given(given_, seat, -1, code)) == owed(state)
    assert owed(GAME.given(given_, seat, 0, code)) == owed(given_)
    assert owed(GAME.given(GAME.given(state, seat, -99, code), seat, -99, "out-of-turn")) == 0


@many
@given(tables(), happenings(), st.sampled_from("ABC"))
def test_legal_cards_are_those_that_cost_nothing(options: dict[str, str], seen: list[Happening], seat: str) -> None:
    state = reached(options, seen)
    assume(seat in options["players"] and state.winner < 0 and state.top.card is not None and not state.pile.lifted)
    assume(state.paused < 0 and not state.pile.renewal and not state.owed.out)
    legal = GAME.legal_cards(state, seat)
    for card in (*FRENCH, JOKER):
        assert GAME.right(state, seat, card) == (card in legal)
        landed = Landed(t=seen[-1].t if seen else 0.0, seat=seat, card=card)
        _, rulings = GAME.observe(state, landed)
        blamed = wrong_plays(rulings)
        taken_back = [r for r in rulings if isinstance(r, Notice) and r.code == "take-back"]
        assert bool(blamed) == (card not in legal and state.table.penalties), card
        assert bool(taken_back) == (card not in legal), card
        allowed, rulings = GAME.forced(state, landed)
        assert not wrong_plays(rulings)
        assert allowed.pile.wrong == ()


@pytest.mark.parametrize(
    "options",
    [{}, {"auto_butt_in": "forbid"}, {"hands": "A2,B2,C2"}, {"cards": "A,2,J,4r,Jk", "hands": "A3,B1,C2"}],
    ids=str,
)
def test_legal_cards_of_a_match_are_those_that_are_right(options: dict[str, str]) -> None:
    """They are kept by what they depend on, so this plays until the same positions come back."""
    for seed in range(12):
        play = RandomPlay({"players": "ABC", "jokers": "20", **options}, seed, mistakes=0.1)
        for _ in islice(play, 80):
            for seat in "ABC":
                right = {card for card in (*FRENCH, JOKER) if GAME.right(play.state, seat, card)}
                assert GAME.legal_cards(play.state, seat) == right


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", ["AB", "ABC", "ABCDEF"])
def test_people_who_make_no_mistake_are_never_penalised(preset: str, players: str) -> None:
    for seed in range(3):
        play = RandomPlay({"players": players, "preset": preset}, seed)
        seen = list(islice(play, 600))
        rulings = [ruling for _, answer in judged(play.options, seen) for ruling in answer]
        assert [ruling for ruling in rulings if isinstance(ruling, Penalty)] == []
        if play.state.winner < 0:
            assert play.state.counts == tuple(len(hand) for hand in play.hands)
            assert (play.state.pick_up, discarded(play.state)) == (len(play.pick_up), len(play.discard))


def test_hands_are_counted_right_when_people_blunder() -> None:
    for seed in range(10):
        play = RandomPlay({"players": "ABCD"}, seed, mistakes=0.2)
        for _ in islice(play, 400):
            if play.state.winner < 0 and not play.state.top.fours:  # a four's hands are passed before they are counted
                assert play.state.counts == tuple(len(hand) for hand in play.hands)


def cards_paid(play: RandomPlay, told: Callable[[Penalty], int]) -> tuple[int, int]:
    """How many penalty cards were told, and how many were taken for them."""
    given_, state = 0, play.state
    for happening in islice(play, 300):
        owed = sum(state.owed.penalties) + sum(state.owed.later)
        _, rulings = GAME.observe(state, happening)
        assert not isinstance(happening, Taken) or owed or happening.count == max(1, state.debt)
        for ruling in rulings:
            if isinstance(ruling, Penalty) and told(ruling):
                play.given(ruling.seat, ruling.cards, ruling.code)
                given_ += ruling.cards
        state = play.state
    return given_, given_ - sum(state.owed.penalties) - sum(state.owed.later)


def test_players_pay_what_they_were_told_and_no_more() -> None:
    play = RandomPlay({"players": "ABC"}, 3, mistakes=0.2, told=False)
    assert cards_paid(play, lambda _: 0) == (0, 0)
    told, paid = cards_paid(RandomPlay({"players": "ABC"}, 3, mistakes=0.2, told=False), lambda _: 1)
    assert told > 10
    assert told - paid <= 2  # the newest
