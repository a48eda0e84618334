"""Blackjack keeps its books whatever happens, says what may be played, and refuses what is no match."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter
from typer.testing import CliRunner

from referee.cli.verbs import app
from referee.games import adjudicate
from referee.games.blackjack import GAME, RULES
from referee.games.blackjack.random_play import RandomPlay
from referee.games.blackjack.state import State
from referee.games.blackjack.words import WORDS
from referee.record.cards import FRENCH, Card
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
    TurnEnded,
)
from referee.record.rulings import Notice, Penalty, Win
from referee.text import has, section
from referee.text.faults import RefereeError

STATE = TypeAdapter(State)
SEATS = st.sampled_from("AAABBC?")
CARDS = st.sampled_from(
    [*FRENCH, *(Card.of(name) for name in ("Ah", "Jh", "2h", "3h", "Qh", "Kh", "8h", "r5", "W", "Jk"))]
)
TABLES = st.fixed_dictionaries(
    {"players": st.just("ABC")},
    optional={
        "hands": st.just("A1,B2"),
        "top": st.sampled_from(("Jh", "Ah", "9s")),
        "owed": st.sampled_from(("0", "3")),
        "shortage": st.sampled_from(("exhaust", "debt")),
        "decks": st.sampled_from(("1", "2")),
        "words": st.sampled_from(("on", "off")),
    },
)


def anything() -> st.SearchStrategy[list[Happening]]:
    when = {"t": st.just(1.0)}
    cards = st.builds(Landed, seat=SEATS, card=CARDS, **when)
    done = st.builds(TurnEnded, seat=SEATS, **when)
    taken = st.builds(Taken, seat=SEATS, count=st.sampled_from((1, 1, 2, 3, 999)), **when)
    words = st.sampled_from(("clubs", "no spades", "done", "hm"))
    others = (
        st.builds(Said, seat=SEATS, text=words, **when),
        st.builds(TakenBack, seat=SEATS, card=st.one_of(CARDS, st.none()), **when),
        st.builds(Recycled, **when),
        st.builds(Elapsed, **when),
        st.builds(OptionSet, name=st.sampled_from(("words", "x_y")), value=st.sampled_from(("on", "off")), **when),
    )
    return st.lists(st.one_of(cards, cards, cards, done, taken, *others), max_size=40)


def after(script: str, **options: str) -> State:
    state = GAME.start(options)
    for happening in parse(script):
        state, _ = adjudicate(GAME, state, happening)  # type: ignore[arg-type]
    return state


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(TABLES, anything())
def test_any_sequence_of_happenings_is_answered(options: dict[str, str], seen: list[Happening]) -> None:
    state = GAME.start(options)
    cards = sum(state.counts) + state.pick_up + (state.top is not None)
    for happening in seen:
        state, answers = adjudicate(GAME, state, happening)
        assert all(isinstance(one, Penalty | Notice | Win) for one in answers)
        codes = [one.code for one in answers if isinstance(one, Penalty)]
        assert {code for code in codes if code not in GAME.codes()} == set()
        assert min(state.penalties) >= 0 and not state.prepaid
        assert state.there == max(0, cards - sum(state.counts) - (state.top is not None) - len(state.wrong))
        assert GAME.explain(state) and hash(state) == hash(STATE.validate_python(state))
    assert STATE.validate_json(STATE.dump_json(state)) == state
    for seat in state.players:
        for card in set(GAME.legal_cards(state, seat)):
            _, answers = GAME.observe(state, Landed(t=2.0, seat=seat, card=card))
            assert not [one for one in answers if isinstance(one, Penalty) and one.seat == seat]
    if state.winner < 0:
        for card in set(FRENCH) - GAME.legal_cards(state, "A"):
            _, answers = GAME.observe(state, Landed(t=2.0, seat="A", card=card))
            assert [one for one in answers if isinstance(one, Penalty | Win)]


@pytest.mark.parametrize("seed", range(24))
def test_a_random_match_keeps_its_cards_and_is_won(seed: int) -> None:
    decks, mistakes = 1 + seed % 3 // 2, 0.05 * (seed % 3)
    options = {"players": "ABCDEF"[: 2 + seed % 5], "decks": str(decks), "shortage": ("exhaust", "debt")[seed % 2]}
    play = RandomPlay(options, seed, mistakes)
    pack = Counter(FRENCH * decks)
    for act in play:
        assert Counter([*play.pick_up, *play.discard, *(card for hand in play.hands for card in hand)]) == pack
        if play.state.winner < 0:
            assert play.state.counts == tuple(map(len, play.hands)), act
            assert play.state.pick_up == len(play.pick_up)
    assert play.state.winner >= 0
    assert play.hands[play.state.winner] == []


def test_a_match_without_mistakes_has_no_wrong_card() -> None:
    codes = Counter[str]()
    for seed in range(6):
        play = RandomPlay({"players": "ABC"}, seed)
        state = play.state
        for act in play:
            state, answers = adjudicate(GAME, state, act)
            codes.update(one.code for one in answers if isinstance(one, Penalty))
    assert set(codes) == {"uncapped", "power-finish"}


def test_two_states_that_judge_alike_are_one() -> None:
    one, other = after("A:9h A:9c A:4c", players="ABC"), after("A:9d A:9c A:4c", players="ABC")
    assert one != other
    assert GAME.key(one) == GAME.key(other)
    assert GAME.key(one) != GAME.key(after("A:9h A:4h A:4c", players="ABC"))


def test_a_penalty_that_is_only_a_warning_or_dropped_leaves_the_card_where_it_is() -> None:
    for cards in (0, 1):
        state, answers = GAME.observe(after("A:9h A:9c", players="ABC"), Taken(t=3.0, seat="A", count=1))
        assert [one.code for one in answers if isinstance(one, Penalty)] == ["uncapped"]
        ruled = GAME.given(state, "A", cards, "uncapped")
        assert (ruled.penalties, ruled.prepaid) == ((0, 0, 0), ())


def test_a_wrong_card_that_the_table_lets_pass_is_a_step() -> None:
    state, _ = GAME.forced(after("A:9h", players="ABC"), Landed(t=2.0, seat="A", card=Card.of("4d")))
    assert (state.top, state.complete, state.course.played) == (Card.of("4d"), True, 2)
    late, answers = GAME.forced(after("A:9h A:9c", players="ABC"), Landed(t=3.0, seat="B", card=Card.of("4d")))
    assert [one.code for one in answers if isinstance(one, Penalty)] == ["uncapped"]
    assert (late.turn, late.course.played) == (1, 1)
    lying = after("A:9h A:4d", players="ABC", hands="A9")
    right, _ = GAME.forced(lying, Landed(t=2.0, seat="A", card=Card.of("4d")))
    assert (right.wrong, right.counts[0]) == ((), 7)


@pytest.mark.parametrize(
    ("script", "options", "said"),
    [
        ("", {}, "Any card; Ann to play"),
        ("A:9h", {}, "A nine as well; Ann may end the turn"),
        ("A:9h A:9c", {}, "Clubs, a nine or an ace; Ann has to go on, or takes a card"),
        ("A:Qh", {}, "Any card; Ann has to go on, or takes a card"),
        ("A:Ah A:Ac A'spades'", {}, "Spades or an ace; Ann has to go on, or takes a card"),
        ("A:2h A.", {}, "A two, a Jack of hearts, or an ace; Bo must pick up two"),
        ("A:2h A. B:2c", {}, "A two as well; Bo must end on a two or a Jack, or picks up two; Bo may end the turn"),
        ("A:9h A:9c A.", {}, "Clubs, a nine or an ace; Ann takes a penalty card; Bo to play"),
        ("A:9h B:4d", {}, "Hearts, a nine or an ace; Bo takes back 4♦; Bo to play"),
        ("A:9h A.", {"hands": "A1"}, "Ann has won"),
    ],
)
def test_it_says_what_may_be_played(script: str, options: dict[str, str], said: str) -> None:
    state = after(script.replace("'", '"'), players="AB", **options)
    assert GAME.explain(state, {"A": "Ann", "B": "Bo"}) == said


def test_only_a_word_ends_a_turn_that_the_same_seat_follows() -> None:
    """An eight of two players: nobody has to say it otherwise."""
    ends = [GAME.brief(after(script, players="AB")).due for script in ("A:8h", "A:9h", "A:8h A:8c", "A:8h A.")]
    assert [[due.words for due in one] for one in ends] == [[("done",)], [], [], []]
    named = GAME.standing(after("A:Ah", players="AB"))
    assert (named.listening, named.ahead) == ({"done", *WORDS}, {"done"})


def test_a_lesson_says_what_the_top_card_did_and_by_which_rule() -> None:
    assert GAME.lesson(GAME.start({})) == ()
    told = {rank: GAME.lesson(after(f"A:{rank}h"))[0] for rank in "A2345678T9JQK"}
    assert len({sentence for sentence, _ in told.values()}) == 8
    assert (told["K"][1], told["3"][1], told["T"][1]) == ("BJ-9", "BJ-3", "BJ-2")
    assert [rule for _, rule in GAME.lesson(after("A:9h A:9c B:4d"))] == ["BJ-2", "BJ-6"]


def test_every_rule_has_a_sentence_and_the_glossary_cites_no_other() -> None:
    assert GAME.rules_in_play(GAME.start({})) == RULES
    assert all(has(f"rule.{rule}") for rule in {*RULES, *GAME.codes().values()})
    words = section("glossary.blackjack")
    assert {text for key, text in words.items() if key.endswith(".rule")} <= set(RULES)
    assert GAME.in_play(GAME.start({"decks": "2", "shortage": "debt"})) == {"packs", "debt"}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"hands": "A0"}, "A has no cards to begin with"),
        ({"hands": "A"}, "hands=A: write a player's letter"),
        ({"hands": "Q2"}, "hands=Q: nobody sits there"),
        ({"turn": "Q"}, "turn=Q: nobody sits there"),
        ({"top": "r5"}, "top=r5: that card is not in the pack"),
        ({"top": "5x"}, "no card '5x'"),
        ({"shortage": "maybe"}, "shortage=maybe: choose one of exhaust, debt"),
        ({"decks": "0"}, "decks=0: write a whole number"),
        ({"decks": "1.5"}, "decks=1.5: write a whole number"),
        ({"owed": "many"}, "owed=many: write a whole number"),
        ({"players": "A"}, "players=A: write two or more"),
        ({"preset": "junior"}, "no option 'preset'"),
    ],
)
def test_what_is_no_match_is_refused_with_a_line_that_names_it(options: dict[str, str], told: str) -> None:
    with pytest.raises(RefereeError, match=re.escape(told)):
        GAME.start({"players": "ABC", **options})


def test_a_simulated_match_says_how_to_watch_it_as_this_game(tmp_path: Path) -> None:
    made = ["--seconds", "6", "--seed", "3", "--silent", "--fps", "5", "--to", str(tmp_path)]
    told = CliRunner().invoke(app, ["simulate", "--game", "blackjack", *made])
    assert told.exit_code == 0, told.output
    assert "--game blackjack" in " ".join(told.output.split())
    assert (tmp_path / "match.txt").read_text().startswith("game=blackjack ")
