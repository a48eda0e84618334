"""UNO at a table: time out, nobody listening, votes by the wrong people, odd input, and random matches to their end."""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.games import adjudicate, game_named
from referee.games.blackjack import GAME as BLACKJACK
from referee.games.kit.random_play import random_play
from referee.games.uno import GAME
from referee.games.uno.state import STATE, State
from referee.record.cards import FRENCH, UNO, Card
from referee.record.match import Match
from referee.record.notation import parse
from referee.record.observations import (
    Elapsed,
    Happening,
    Landed,
    OptionSet,
    Recycled,
    Said,
    Taken,
    TakenBack,
    TimeOut,
    Tossed,
    TurnEnded,
    Voted,
)
from referee.record.rulings import AnyRuling, Notice, Penalty, Win
from referee.text import has, section
from referee.text.calls import call
from referee.text.faults import RefereeError

FOUR = {"players": "ABCD", "start": "r5"}
NAMES = {"A": "Ana", "B": "Bo", "C": "Cy", "D": "Di"}
SNIPED = "A:r7 A. @+0.2 B:r8 B."
"""With one card left, A has no time to say so."""


def judge(script: str, **options: str) -> Match:
    match = Match("uno", {**FOUR, "hands": "A2", **options})
    for happening in parse(script):
        match.add(happening)  # type: ignore[arg-type]
    return match


def told(rulings: Iterable[AnyRuling]) -> list[str]:
    """The penalties, warnings and notices among them, as `A:no-uno`, `no-wild`."""
    return [
        f"{ruling.seat}:{ruling.code}" if isinstance(ruling, Penalty) else ruling.code
        for ruling in rulings
        if isinstance(ruling, Penalty | Notice)
    ]


def sure(game: str, script: str, **options: str) -> tuple[object, list[AnyRuling]]:
    """The pure game's state and rulings, every penalty given."""
    rules, rulings = game_named(game), list[AnyRuling]()
    state = rules.start(options)
    for row, happening in enumerate(parse(script), 1):
        state, new = adjudicate(rules, state, happening, row)  # type: ignore[arg-type]
        rulings += new
    return state, rulings


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param("A:r7 A. @+3 B+1", [], id="uno-is-not-judged"),
        pytest.param("A:r7 A. @+0.2 B:r8", [], id="nor-is-anybody-too-quick"),
        pytest.param("A:b7 A:-b7", ["A:illegal-card", "take-back"], id="cards-are"),
        pytest.param(
            "A:W A. B:g1 B. C:r2", ["C:illegal-card", "take-back"], id="whatever-followed-a-wild-card-was-named"
        ),
    ],
)
def test_nobody_listens(script: str, expected: list[str]) -> None:
    _, rulings = sure("uno", script, **FOUR, hands="A2", words="off")
    assert told(rulings) == expected
    match = judge(script, words="off")
    assert set(told(match.rulings)) <= set(expected)  # who knows what was said
    assert not match.standing.words_judged


def test_a_colour_can_be_tapped_where_nobody_listens() -> None:
    _, rulings = sure("uno", 'A:W A"blue" A. B:r1', **FOUR, words="off")
    assert told(rulings) == ["B:illegal-card", "take-back"]
    assert [due.words for due in GAME.standing(sure("uno", "A:W", **FOUR, words="off")[0]).due] == [  # type: ignore[arg-type]
        ("red", "yellow", "green", "blue")
    ]


def switched(value: str, at: float) -> OptionSet:
    return OptionSet(t=at, name="words", value=value, source="ear")


def test_the_ear_falls_silent_and_comes_back() -> None:
    match = judge("A:r7")
    for happening in (switched("off", 1.5), *parse("@3 B:r8 B.")):
        match.add(happening)  # type: ignore[arg-type]
    assert told(match.rulings) == ["words-off"]
    match = judge("A:r7")  # he may have said it while nobody heard
    for happening in (switched("off", 1.2), switched("on", 1.4), *parse("@9 B:r8 B.")):
        match.add(happening)  # type: ignore[arg-type]
    assert told(match.rulings) == ["words-off", "words-on"]
    match = judge("C+1")
    for happening in (switched("off", 1.2), switched("on", 1.4), *parse("@5 A:r7 @12 B:r8 B.")):
        match.add(happening)  # type: ignore[arg-type]
    assert told(match.rulings) == ["words-off", "words-on", "A:no-uno"]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param("A:r7 A. || @+9 B+1 || C:r1", [], id="uno-forgotten-in-it"),
        pytest.param("A:r7 A. @+0.2 || B:r8 || C:r1", [], id="nobody-snipes-in-it"),
        pytest.param("|| A:b7 || A:-b7", ["take-back"], id="a-wrong-card-is-told-and-costs-nothing"),
        pytest.param("A:r7 A. || @+9 || @+3 B+1", ["A:no-uno"], id="uno-forgotten-after-it"),
        pytest.param("A:r7 A. @+0.2 || @+60 || @+0.3 B:r8", ["snipe-vote"], id="the-window-goes-on-after-it"),
        pytest.param("A:r7 A. @+0.2 || @+60 || @+9 B:r8", ["A:no-uno"], id="and-passes"),
        pytest.param(f"{SNIPED} C^1 || @+60 D^1", ["snipe-vote"], id="nothing-is-decided-in-it"),
        pytest.param(f"{SNIPED} C^1 || @+60 D^1 || @+1 C:r1", ["snipe-vote", "B:sniped"], id="but-after-it"),
        pytest.param(f"{SNIPED} C^1 || @+60 || @+5 D^0", ["snipe-vote", "toss-coin"], id="votes-have-their-time"),
        pytest.param(f"{SNIPED} C^1 || @+60 || @+30 D^0", ["snipe-vote", "B:sniped", "no-vote"], id="and-no-more"),
    ],
)
def test_time_out(script: str, expected: list[str]) -> None:
    assert told(judge(script).rulings) == expected
    _, rulings = sure("uno", script, **FOUR, hands="A2")
    assert told(rulings) == expected


def test_a_turn_goes_on_after_time_out_from_where_it_stood() -> None:
    match = judge("A:r7 @+0.5 || @+60")
    assert match.standing.time_out
    assert match.standing.deadline is None
    match = judge("A:r7 @+0.5 || @+60 || @+0.5 A:r7", hands="A9")
    assert told(match.rulings) == []
    assert match.standing.turn == "B"
    match = judge("A:r7 @+0.5 || @+60 || @+1.5 A:r7", hands="A9")
    assert told(match.rulings) == ["A:out-of-turn", "take-back"]


@pytest.mark.parametrize(
    ("game", "script", "options", "penalties"),
    [
        pytest.param("blackjack", "A:9h A:9c || B+1 || C+1", {"top": "4h"}, 0, id="blackjack-in-it"),
        pytest.param("blackjack", "A:9h A:9c || || B+1", {"top": "4h"}, 1, id="blackjack-after-it"),
        pytest.param(
            "blackjack",
            "A:9h A:9c || A+1 || B:9d B. C:9s C. A:Ts A:Th B:Td",
            {"top": "4h"},
            1,
            id="nothing-is-paid-for-in-it",
        ),
    ],
)
def test_time_out_in_other_games(game: str, script: str, options: dict[str, str], penalties: int) -> None:
    state, rulings = sure(game, script, players="ABC", **options)
    assert sum(isinstance(ruling, Penalty) for ruling in rulings) == penalties
    standing = BLACKJACK.standing(state)  # type: ignore[arg-type]
    assert sum(standing.penalties_owed) == penalties
    assert not standing.time_out


@pytest.mark.parametrize(
    ("script", "code", "text"),
    [
        pytest.param("A:5h", "illegal-card", "please take back 5♥", id="another-decks-card"),
        pytest.param('A"blue"', "no-wild", "No wild card asks for a colour now.", id="a-colour-without-a-wild-card"),
        pytest.param(f"{SNIPED} A^1", "no-ballot", "Ana has no vote on that", id="the-snipee-votes"),
        pytest.param(f"{SNIPED} B^0", "no-ballot", "Bo has no vote on that", id="the-sniper-votes"),
        pytest.param(f"{SNIPED} ?^0", "no-ballot", "nobody knows whose it was", id="somebody-votes"),
        pytest.param("C^1", "no-vote", "There is nothing to vote on.", id="nothing-is-voted-on"),
        pytest.param("toss:1", "", "", id="a-coin-for-nothing"),
    ],
)
def test_odd_input_is_answered_in_one_line_and_loses_nothing(script: str, code: str, text: str) -> None:
    match = judge(f"{script} C^1 D^1")
    polls = "@" in script
    assert not code or code in [ruling.code for ruling in match.rulings if isinstance(ruling, Penalty | Notice)]
    assert any(text in call(ruling, NAMES) for ruling in match.rulings) or not text
    assert ("B:sniped" in told(match.rulings)) == polls
    assert match.standing.turn == ("C" if polls else "A")


@pytest.mark.parametrize(
    ("options", "names"),
    [
        pytest.param({"hands": "A0"}, "A0", id="a-hand-of-no-cards"),
        pytest.param({"start": "7h"}, "7h", id="another-decks-card"),
        pytest.param({"hands": "E3"}, "E", id="nobody's-hand"),
        pytest.param({"snipe_window": "soon"}, "snipe_window", id="no-number"),
        pytest.param({"jumping_in": "on"}, "jumping_in", id="no-option"),
    ],
)
def test_a_match_that_cannot_begin_says_why(options: dict[str, str], names: str) -> None:
    with pytest.raises(RefereeError, match=names):
        GAME.start({"players": "ABCD", **options})


def test_the_seat_that_holds_no_card_by_our_count_has_not_won_with_the_next_one() -> None:
    match = judge("A:b7 A:-b7 A:b7 A:r7", hands="A1")  # the wrong card still lies there, and is its last one
    assert "miscount" in told(match.rulings)
    assert match.standing.winner is None


@pytest.mark.parametrize("mistakes", [0.0, 0.15])
def test_every_random_match_is_won(mistakes: float) -> None:
    for seed in range(40):
        play = random_play("uno", {"players": "ABCDE"[: 2 + seed % 4]}, seed, mistakes)
        acts = list(play)
        assert play.game.brief(play.state).winner, (seed, acts[-1])


def test_every_card_has_a_lesson_and_every_rule_a_sentence() -> None:
    for card in UNO:
        state = GAME.start({"players": "AB", "start": "W", "hands": "A9"})
        assert [rule for _, rule in GAME.lesson(state)] == ["UN-1"]
        state, _ = adjudicate(GAME, state, Landed(t=1.0, seat="A", card=card), 1)
        rules = [rule for sentence, rule in GAME.lesson(state) if sentence]
        assert len(rules) == 1 + (card.name == "r4")
        assert ("red-four" in GAME.standing(state).modes) == (card.name == "r4")
    assert all(has(f"rule.{rule}") for rule in GAME.rules_in_play(state))


SEATS = st.sampled_from("AAABBCDD?")
CARDS = st.sampled_from([*UNO, *(Card.of(name) for name in ("W", "W+4", "r+2", "r5", "rS", "rR"))])


def anything() -> st.SearchStrategy[list[Happening]]:
    when = {"t": st.floats(0.0, 2.0)}  # since the one before
    cards = st.builds(Landed, seat=SEATS, card=st.one_of(CARDS, CARDS, st.sampled_from(FRENCH)), **when)
    others = (
        st.builds(TurnEnded, seat=SEATS, **when),
        st.builds(Taken, seat=SEATS, count=st.sampled_from((1, 1, 2, 4, 6)), **when),
        st.builds(Said, seat=SEATS, text=st.sampled_from(("uno", "red", "blue uno", "hm")), **when),
        st.builds(TakenBack, seat=SEATS, card=st.one_of(CARDS, st.none()), **when),
        st.builds(Voted, seat=SEATS, uphold=st.booleans(), **when),
        st.builds(Tossed, heads=st.booleans(), **when),
        st.builds(Recycled, **when),
        st.builds(TimeOut, **when),
        st.builds(Elapsed, **when),
        st.builds(OptionSet, name=st.just("words"), value=st.sampled_from(("on", "off")), **when),
    )
    return st.lists(st.one_of(cards, cards, *others), max_size=40).map(in_time)


def in_time(seen: list[Happening]) -> list[Happening]:
    t, out = 0.0, []
    for happening in seen:
        t = round(t + happening.t, 2)
        out.append(type(happening)(**{**{f: getattr(happening, f) for f in happening.__dataclass_fields__}, "t": t}))
    return out


TABLES = st.fixed_dictionaries(
    {"players": st.sampled_from(("ABCD", "ABC", "AB"))},
    optional={"start": st.sampled_from(("r5", "W", "g+2")), "hands": st.just("A2,B1"), "words": st.just("off")},
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(TABLES, anything())
def test_whatever_happens_the_books_are_kept(options: dict[str, str], seen: list[Happening]) -> None:
    state = GAME.start(options)
    for row, happening in enumerate(seen, 1):
        before = state
        if isinstance(happening, Landed) and happening.card is not None and happening.seat in state.players:
            passed, _ = GAME.observe(state, Elapsed(t=happening.t), row)
            right = GAME.right(passed, happening.seat, happening.card)
            state, rulings = adjudicate(GAME, state, happening, row)
            first = passed.top is None
            if passed.winner < 0 and not first:
                refused = any(isinstance(r, Notice) and r.code == "take-back" for r in rulings)
                assert refused == (not right)
                assert (happening.card in GAME.legal_cards(passed, happening.seat)) == right
        else:
            state, rulings = adjudicate(GAME, state, happening, row)
        assert_kept(before, state, rulings, happening)
        assert STATE.validate_json(STATE.dump_json(state)) == state
        assert GAME.key(state) == GAME.key(STATE.validate_json(STATE.dump_json(state)))


def assert_kept(before: State, state: State, rulings: tuple[AnyRuling, ...], happening: Happening) -> None:
    """Cards go from hand to pile and back and nowhere else; nobody is penalised in time out."""
    moved = Counter[str]()
    if before.winner < 0 and getattr(happening, "seat", "?") in (*before.players, "?"):
        if isinstance(happening, Taken):
            moved["taken"] = happening.count
        miscounts = sum(isinstance(r, Notice) and r.code == "miscount" for r in rulings)
        landed = isinstance(happening, Landed) and before.top is not None
        back = isinstance(happening, TakenBack) and not any(
            isinstance(r, Notice) and r.code == "not-there" for r in rulings
        )
        assert sum(state.counts) - sum(before.counts) == moved["taken"] + miscounts - landed + back
        assert state.pick_up - before.pick_up == -moved["taken"] - (
            isinstance(happening, Landed) and before.top is None and state.top is not None
        ) or isinstance(happening, Recycled)
    assert all(0 <= place < len(state.players) for place in (state.turn, *(s.sniper for s in state.snipes)))
    assert min(state.penalties) >= 0
    if before.paused >= 0:
        assert not any(isinstance(ruling, Penalty) for ruling in rulings)
    if any(isinstance(ruling, Win) for ruling in rulings):
        assert state.counts[state.winner] == 0


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(TABLES, anything(), st.sampled_from("ABCD"), CARDS)
def test_a_card_taken_back_at_once_has_changed_nothing(
    options: dict[str, str], seen: list[Happening], seat: str, card: Card
) -> None:
    state = GAME.start(options)
    for row, happening in enumerate(seen, 1):
        state, _ = adjudicate(GAME, state, happening, row)
    t = seen[-1].t if seen else 0.0
    if seat not in state.players or state.top is None or not GAME.right(state, seat, card) or state.winner >= 0:
        return
    after, rulings = GAME.observe(state, Landed(t=t, seat=seat, card=card), 90)
    if any(isinstance(ruling, Win) for ruling in rulings):
        return
    back, _ = GAME.observe(after, TakenBack(t=t, seat=seat, card=card), 91)
    passed, _ = GAME.observe(state, Elapsed(t=t), 90)
    assert GAME.key(back) == GAME.key(passed)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        pytest.param("", "Red, a five of any colour, or a wild card; Ana to play", id="a-number"),
        pytest.param("A:r7", "Ana may add another Red 7, or end the turn", id="a-turn-that-may-go-on"),
        pytest.param("A:rS A.", "Red, a skip of any colour, or a wild card; Cy to play", id="a-skip"),
        pytest.param("A:r+2 A.", "A draw card, or Bo picks up 2", id="a-chain"),
        pytest.param("A:r+2 A. B+1", "A draw card, or Bo picks up 1", id="a-chain-half-taken"),
        pytest.param("A:W A.", "Any card; Bo to play", id="no-colour-named"),
        pytest.param('A:W A"green" A.', "Green or a wild card; Bo to play", id="a-colour-named"),
    ],
)
def test_what_may_be_played_is_told_in_a_sentence(script: str, sentence: str) -> None:
    state, _ = sure("uno", script, **FOUR)
    assert GAME.explain(state, NAMES) == sentence  # type: ignore[arg-type]


def test_the_glossary_explains_each_rule_that_people_have_a_word_for() -> None:
    entries = section("glossary.uno")
    state = GAME.start(FOUR)
    assert {told for key, told in entries.items() if key.endswith(".rule")} == set(GAME.rules_in_play(state)) - {
        "UN-2",
        "UN-10",
        "UN-13",
    }
