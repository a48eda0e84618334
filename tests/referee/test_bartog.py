"""Bartog keeps its books whatever rules meet, says what each of them means, and refuses what is no rule."""

import re
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from referee.games import adjudicate
from referee.games.bartog import GAME, INITIAL
from referee.games.bartog.explain import sheet
from referee.games.bartog.rules import BY_NAME, BY_NUMBER, CATALOGUE, LONGEST, MOST, rule_of
from referee.games.bartog.selectors import Selector, face_value
from referee.games.bartog.state import State
from referee.games.kit.random_play import random_play
from referee.record.cards import FRENCH, JOKER, Card
from referee.record.match import Match
from referee.record.notation import parse, token_of, write
from referee.record.observations import (
    Elapsed,
    Happening,
    Landed,
    OptionSet,
    Pointed,
    Recycled,
    RoundBegan,
    RuleAdded,
    Said,
    Taken,
    TakenBack,
    TimeOut,
    TurnEnded,
    Undone,
)
from referee.record.rulings import Notice, Penalty, Win
from referee.text import has, section
from referee.text.faults import RefereeError

STATE = TypeAdapter(State)
RULES = (
    "skip@7",
    "skip@primes/count=2",
    "reverse@K",
    "reverse@court",
    "reverse-by-colour",
    "swap@4",
    "swap@9/with=choice",
    "swap@red/with=opposite",
    "swap-all@8",
    "swap-all@6/to=previous",
    "snap",
    "crackle",
    "draw@2/count=2",
    "draw@3/count=3/cumulative",
    "draw@2&black/count=5/cumulative",
    "buck-stops@A",
    "places@6",
    "places@5/with=choice/hands=leave",
    "tournament",
    "anti-tournament",
    "reset@Qs",
    "reset@Qh/for=ever",
    "danger@9&red/count=2",
    "danger@squares",
    "last-card-counts",
    "double-hands@T",
    "bottom-swap@9",
    "bottom-swap@4/hands=both/everybody",
    "say@6/word=beep",
    "say@evens/word=quack_quack",
    "bike@Ks",
    "taboo/word=yes",
    "three-words@9",
    "influence@5",
    "sticky",
    "snap-to-win",
    "parallel@Qs",
    "tune@2",
    "revalue@3/as=4",
    "revalue@4/as=3",
    "revalue-all",
    "double-play@5",
    "double-play@odds",
    "ghost",
    "ghost/seat=B/caller=C",
    "name/word=silly_rules",
    "wrong-hand",
    "take-that@J",
    "take-that@multiples:5",
    "rummy",
    "rummy/only=run",
)
FACES = (*FRENCH, JOKER)


def after(script: str, **options: str) -> State:
    state = GAME.start({"players": "ABC", "start": "7h", "decks": "2", **options})
    for happening in parse(script):
        state, _ = adjudicate(GAME, state, happening)  # type: ignore[arg-type]
    return state


def test_the_catalogue_is_whole_and_every_rule_is_found_by_name_and_number() -> None:
    numbers = [str(number) for number in range(1, 30)]
    for number in ("5a", "6a", "9a", "13a", "23a"):
        numbers.insert(numbers.index(number[:-1]) + 1, number)
    assert sorted(BY_NUMBER) == sorted(numbers)
    assert len(CATALOGUE) == len(BY_NAME) == 34
    assert {rule_of(text).name for text in RULES} == set(BY_NAME)


def test_every_rule_has_its_sentences() -> None:
    assert all(has(f"rule.{number}") for number in (*INITIAL, *(f"BC-{number}" for number in BY_NUMBER)))
    assert all(has(f"rule.{rule}") for rule in GAME.codes().values())
    told = {rule_of(text).sentence for text in RULES}
    assert len(told) == len(RULES)
    assert section("bartog.hints").keys() - {"plain", "joker"} <= BY_NAME.keys()
    variants = {"-".join((rule.name, *rule.variants())) for rule in map(rule_of, RULES)}
    assert section("bartog.rules").keys() - variants <= {"bottom-swap-both", "bottom-swap-everybody", "rummy-set"}
    for text in ("bottom-swap@9/hands=both", "bottom-swap@9/everybody", "rummy/only=set"):
        assert rule_of(text).sentence not in told
    for text in RULES:
        for code in rule_of(text).claims:
            assert GAME.codes()[code] == rule_of(text).cites


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("skip@9&red/count=2", "On a nine that is a red card: players are skipped, 2 of them."),
        ("reverse@A,10", "On an ace or a ten: play turns round."),
        ("swap@Qs,h/with=opposite", "On Q♠ or a card of hearts: the player swaps hands with the player opposite."),
        ("danger@multiples:5", "On a multiple of 5: its player picks up cards, 2 of them."),
        ("revalue@3/as=4", "Such a card counts as 4: a three."),
    ],
)
def test_a_rule_says_what_it_does(text: str, said: str) -> None:
    assert rule_of(text).sentence == said


@pytest.mark.parametrize("text", RULES)
def test_a_rule_is_written_as_it_was_read(text: str) -> None:
    rule = rule_of(text)
    assert rule_of(rule.text) == rule
    assert rule.text in (text, text.removesuffix("/count=2"))  # what is usual is left out
    assert type(rule).model_validate(rule.model_dump()) == rule
    assert type(rule).model_validate_json(rule.model_dump_json(by_alias=True)) == rule


@pytest.mark.parametrize(
    ("selector", "cards"),
    [
        ("7", "7c 7d 7h 7s"),
        ("A,2&red", "Ad 2d Ah 2h"),
        ("primes&h", "2h 3h 5h 7h Jh Kh"),
        ("squares&c", "Ac 4c 9c"),
        ("cubes&s", "As 8s"),
        ("odds&d", "Ad 3d 5d 7d 9d Jd Kd"),
        ("evens&d", "2d 4d 6d 8d Td Qd"),
        ("multiples:5&black", "5c Tc 5s Ts"),
        ("court&red", "Jd Qd Kd Jh Qh Kh"),
        ("Qs,Jh", "Qs Jh"),
        ("10&c,h", "Tc Th"),
        ("h,K&court", "Jh Qh Kh Kc Kd Ks"),
    ],
)
def test_a_selector_means_these_cards(selector: str, cards: str) -> None:
    chosen = Selector(selector)
    assert {card.name for card in FRENCH if chosen.has(card, face_value(card))} == set(cards.split())
    assert not chosen.has(JOKER, 0)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("skip@", "say which cards the rule is for"),
        ("skip", "say which cards the rule is for"),
        ("skip@7/count=0", "skip/count=0: write a whole number from 1 to 9"),
        ("skip@7/count=1000", "skip/count=1000: write a whole number from 1 to 9"),
        ("skip@7/count=many", "skip/count=many: write a whole number from 1 to 9"),
        ("skip@7/count", "skip: count wants a value"),
        ("skip@7/count=2/count=3", "skip: count is told twice"),
        ("skip@7/cuont=2", "it has no 'cuont'; did you mean count?"),
        ("skip@7/on=8", "it has no 'on'"),
        ("skipp@7", "did you mean skip?"),
        ("xxx", "there is no rule 'xxx': choose from skip, reverse"),
        ("skip@prime", "did you mean primes?"),
        ("skip@X", "'X' is no card"),
        ("skip@multiples:0", "'multiples:0' is no card"),
        ("skip@multiples:99", "no card is meant by that"),
        ("skip@red&black", "no card is meant by that"),
        ("skip@" + "7," * 60 + "7", "that is too long"),
        ("skip@7/" + "x" * 300, f"at most {LONGEST} characters"),
        ("snap@7", "snap is for no cards in particular"),
        ("draw@2/cumulative=yes", "cumulative has no value"),
        ("say@6", "say: tell its word"),
        ("say@6/word=BEEP", "write it in lower-case letters"),
        ("swap@4/with=nobody", "choose one of next, previous, left, right, opposite, choice"),
        ("revalue@3/as=14", "revalue/as=14: write a whole number from 1 to 13"),
        ("reset@Qs/for=week", "choose one of round, ever"),
        ("skip@7;snap;skip@7", "skip@7 is in the list twice"),
        (";".join(f"say@6/word=w{'o' * number}" for number in range(MOST + 1)), f"choose at most {MOST}"),
    ],
)
def test_what_is_no_rule_is_refused_with_a_line_that_names_it(rules: str, told: str) -> None:
    with pytest.raises(RefereeError, match=re.escape(told)):
        GAME.start({"rules": rules})


def test_a_rule_that_makes_no_sense_leaves_those_in_force() -> None:
    won = after("A:9h @+5", hands="A1", rules="skip@7")
    for text in ("skip@", "skip@7/count=0", "x" * 199, "skip@7", "-reverse@K", "snap@7"):
        state, answers = GAME.observe(won, RuleAdded(t=9.0, rule=text))
        assert [one.code for one in answers if isinstance(one, Notice)] == ["rule-refused"]
        state, _ = GAME.observe(state, RoundBegan(t=10.0, card=Card.of("7h")))
        assert state.rules == ("skip@7",)


def test_rounds_are_notation() -> None:
    script = "A:9h ++skip@7/count=2 start:7h B:7c"
    happenings = [item for item in parse(script) if not isinstance(item, Elapsed)]
    assert happenings[1] == RuleAdded(t=2.0, rule="skip@7/count=2")
    assert happenings[2] == RoundBegan(t=3.0, card=Card.of("7h"))
    assert write(happenings) == script  # type: ignore[arg-type]


def test_the_maker_of_a_rule_and_the_dealer_are_known() -> None:
    state = after("C:9h @+5 ++skip@7 start:7h", hands="C1", rules="snap")
    assert (state.rules, state.makers, state.dealer) == (("snap", "skip@7"), (-1, 2), 2)
    assert [number for _, number in sheet(state)] == ["BC-1", "BC-5"]
    assert GAME.rules_in_play(state) == (*INITIAL, "BC-5", "BC-1")


def test_an_evening_of_rounds_can_be_won_again_and_undone() -> None:
    """The referee calls every win, takes none back when a new round begins, and an undone round never was."""
    match = Match("bartog", {"players": "ABC", "start": "7h", "decks": "2", "hands": "A1", "rules": "skip@8"})
    script = "A:9h @+5 ++reverse@K start:6h B:Kh @+0.1 A:8h @+5 ++snap start:7h @+0.1 A:7c @+5"
    for happening in parse(script):
        match.add(happening)  # type: ignore[arg-type]
    assert [one.seat for one in match.rulings if isinstance(one, Win)] == ["A", "A", "A"]
    assert "overturned" not in [getattr(one, "outcome", "") for one in match.rulings]
    state = match.state
    rows = len(match.record)
    for happening in (RuleAdded(t=30.0, rule="rummy"), RoundBegan(t=31.0, card=Card.of("2c"))):
        match.add(happening)
    assert match.state.rules[-1] == "rummy"  # type: ignore[attr-defined]
    match.add(Undone(t=32.0, of=rows + 2))
    match.add(Undone(t=33.0, of=rows + 1))
    assert match.state == state


@pytest.mark.parametrize(
    "rules",
    [
        "skip@7;draw@2/count=2/cumulative",
        "reverse@K;say@6/word=beep;snap;name/word=vickie",
        "danger@9&red;double-play@5;buck-stops@A;draw@2",
        "revalue-all;skip@primes;last-card-counts",
    ],
)
def test_a_round_without_mistakes_is_won_without_a_fault(rules: str) -> None:
    for seed in range(6):
        play = random_play("bartog", {"players": "ABC", "rules": rules}, seed)
        state: State = play.state
        for happening in play:
            state, answers = adjudicate(GAME, state, happening)
            assert {one.code for one in answers if isinstance(one, Penalty)} <= {"danger"}
            assert state.winner >= 0 or state.counts == tuple(map(len, play.hands))
        assert state.winner >= 0


def test_what_a_player_is_under_decides_what_can_be_claimed() -> None:
    state = after("A:5h", rules="influence@5;wrong-hand")
    assert GAME.claimable(state) == ("slow", "asked", "false", "influence", "wrong-hand")
    assert [GAME.refusal(state, "B", seat, "false") for seat in "AC"] == ["no-claims-now", ""]
    assert [GAME.refusal(state, "B", seat, "influence") for seat in "AC"] == ["", "no-claims-now"]
    assert GAME.refusal(state, "B", "A", "taboo") == "no-claims-now"
    assert GAME.refusal(state, "Z", "A", "slow") == "unclear-claim"
    assert GAME.refusal(after("A:5h ||"), "B", "A", "asked") == "no-claims-now"


def test_what_may_not_be_said_is_noticed_and_costs_nothing_by_itself() -> None:
    state = after("A:9h", rules="taboo/word=yes;three-words@9")

    def noticed(text: str, seat: str) -> list[str]:
        _, answers = GAME.observe(state, Said(t=2.0, seat=seat, text=text))
        assert not [one for one in answers if isinstance(one, Penalty)]
        return [one.code for one in answers if isinstance(one, Notice)]

    assert noticed("oh yes", "B") == ["suspect-taboo"]
    assert noticed("oh yes", "?") == noticed("yesterday", "B") == noticed("one two three", "A") == []
    assert noticed("one two", "A") == ["suspect-three-words"]


@pytest.mark.parametrize(
    ("script", "rules", "said"),
    [
        ("", "", "Hearts or a seven; anyone may begin"),
        ("A:9h", "", "Hearts or a nine; Bo to play"),
        ("A:2h", "draw@2/count=2/cumulative", "Hearts or a two, if it answers a draw; Bo must pick up two"),
        ("A:2h B:Ah", "draw@2/count=2;buck-stops@A", "No card; Ann must pick up two"),
        ("A:Jk", "", "Any card; Ann must name the Joker; Bo to play"),
        ("A:6h", "say@6/word=beep", "Hearts or a six; Ann must say “beep”; Bo to play"),
        ("A:9h B:4c", "", "Hearts or a nine; Bo takes a penalty card; Bo takes back 4♣; Bo to play"),
        ("A:4h", "swap@4/with=choice", "Hearts or a four; Ann points at another player; Bo to play"),
        ("A:3h", "revalue@3/as=4", "Hearts or a four; Bo to play"),
        ("A:Kh", "revalue-all", "Hearts or the same value; Bo to play"),
    ],
)
def test_it_says_what_may_be_played(script: str, rules: str, said: str) -> None:
    names = {"A": "Ann", "B": "Bo", "C": "Cy"}
    assert GAME.explain(after(script, rules=rules), names) == said


def test_a_lesson_says_what_the_rules_on_the_top_card_did() -> None:
    told = GAME.lesson(after("A:6h", rules="skip@evens;say@6/word=beep"))
    assert told == (("Players are skipped.", "BC-1"), ("Its player says “beep”.", "BC-14"))
    assert [rule for _, rule in GAME.lesson(after("A:9h"))] == ["BI-5"]
    assert GAME.lesson(after("")) == ()


def test_a_joker_may_be_named_what_fits_only() -> None:
    (due,) = GAME.brief(after("A:Jk")).due
    assert len(due.words) == 16 and {"seven of clubs", "ace of hearts"} <= set(due.words)


def act(state: State, random: Random, t: float) -> Happening:
    """What happens next: mostly what is right, sometimes anything."""
    brief = GAME.brief(state)
    seat = random.choice(state.players)
    who = brief.turn or seat
    if state.winner >= 0:
        return random.choice((RuleAdded(t=t, rule=random.choice(RULES)), RoundBegan(t=t, card=Card.of("8d"))))
    if brief.due and random.random() < 0.6:
        return Said(t=t, seat=brief.due[0].seat, text=random.choice(brief.due[0].words))
    kind = random.random()
    if kind < 0.55:
        return Landed(t=t, seat=who, card=random.choice(sorted(GAME.legal_cards(state, who)) or FACES))
    if kind < 0.7:
        butts_in = [card for card in FACES if GAME.right(state, seat, card)]
        return Landed(t=t, seat=seat, card=random.choice(butts_in or FACES))
    if kind < 0.8:
        return Taken(t=t, seat=who, count=brief.owed)
    others: tuple[Happening, ...] = (
        Landed(t=t, seat=seat, card=random.choice(FACES)),
        TakenBack(t=t, seat=seat, card=random.choice((*FACES, None, None))),
        TurnEnded(t=t, seat=who),
        Recycled(t=t),
        TimeOut(t=t),
        Pointed(t=t, seat=state.players[state.choosing[0]] if state.choosing else seat, at=who),
        Taken(t=t, seat=seat, count=3),
        Said(t=t, seat="?", text=random.choice(("beep", "snap", "bartog", "nine of hearts"))),
        OptionSet(t=t, name="words", value=random.choice(("on", "off"))),
        Elapsed(t=t + 5.0),
        RuleAdded(t=t, rule=random.choice((*RULES, "-skip@7"))),
    )
    return random.choice(others)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.lists(st.sampled_from(RULES), max_size=8, unique_by=lambda text: rule_of(text).text),
    st.sampled_from(("", "A1,B2", "A2,C3", "A3,B3,C3")),
    st.integers(0, 2**32),
)
def test_whatever_rules_meet_somebody_can_act_and_the_record_judges_the_same(
    rules: list[str], hands: str, seed: int
) -> None:
    options = {"players": "ABC", "start": "7h", "decks": "2", "hands": hands, "rules": ";".join(rules)}
    state, done, t, random = GAME.start(options), list[Happening](), 1.0, Random(seed)
    for row in range(1, 61):
        done.append(act(state, random, t))
        state, answers = adjudicate(GAME, state, done[-1], row)
        t = done[-1].t + 1.0
        assert token_of(done[-1])
        assert {one.code for one in answers if isinstance(one, Penalty)} <= GAME.codes().keys()
        assert min(state.penalties) >= 0 and sorted(state.order) == [0, 1, 2]
        assert GAME.explain(state) and GAME.standing(state).turn == GAME.brief(state).turn
        GAME.lesson(state)
        hash(GAME.key(state))
        somebody_can_act(state, t)
        a_good_card_may_be_taken_back(state, random, t)
    assert STATE.validate_json(STATE.dump_json(state)) == state
    again = GAME.start(options)
    for row, happening in enumerate(done, 1):
        again, _ = adjudicate(GAME, again, happening, row)
    assert again == state


def somebody_can_act(state: State, t: float) -> None:
    """A card that fits costs nothing; and taking what is owed always brings the next player's turn."""
    if state.winner >= 0 or state.out >= 0 or state.paused >= 0 or state.top is None:
        return
    brief = GAME.brief(state)
    seat = brief.turn or state.players[0]
    if brief.turn is None:
        assert GAME.legal_cards(state, seat)
    else:
        count = brief.owed + state.penalties[state.turn]
        taken, answers = GAME.observe(state, Taken(t=t, seat=seat, count=count))
        assert taken.winner >= 0 or (taken.debt == 0 and not taken.partly and taken.acted == t)
        faults = [one for one in answers if isinstance(one, Penalty) and not one.omission]
        assert {one.code for one in faults} <= {"danger", "no-last-word"}  # called now that the turn is over
    for card in sorted(GAME.legal_cards(state, seat))[:3]:
        _, answers = GAME.observe(state, Landed(t=t, seat=seat, card=card))
        assert not [one for one in answers if isinstance(one, Notice) and one.code == "take-back"]
    for card in sorted(set(FACES) - GAME.legal_cards(state, seat))[:3]:
        _, answers = GAME.observe(state, Landed(t=t, seat=seat, card=card))
        assert [one for one in answers if isinstance(one, Notice) and one.code == "take-back"]


def a_good_card_may_be_taken_back(state: State, random: Random, t: float) -> None:
    seat = random.choice(state.players)
    legal = sorted(GAME.legal_cards(state, seat))
    if state.winner >= 0 or state.out >= 0 or state.top is None or state.partly or state.wrong or not legal:
        return
    card = random.choice(legal)
    landed, _ = GAME.observe(state, Landed(t=t, seat=seat, card=card))
    if landed.winner >= 0:
        return
    back, _ = GAME.observe(landed, TakenBack(t=t + 1.0, seat=seat, card=card))
    if landed.gone is not None and landed.gone[1] == state.players.index(seat):
        return  # its own card, which it has to take away
    for what in ("rules", "without", "counts", "bottoms", "order", "turn", "way", "debt", "then", "top", "memory"):
        assert getattr(back, what) == getattr(state, what), (what, card)
