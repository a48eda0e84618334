"""Nothing that rests on something unsure becomes a penalty: the table is asked, and play goes on."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from referee.cards import FRENCH, Card
from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.random_play import RandomPlay
from referee.games.uncle_baiting.state import State
from referee.notation import parse
from referee.observations import Happening, Landed, Said, Taken
from referee.rulings import AnyRuling, Notice, Penalty, Question, Settled, Win

TABLE = {"players": "ABCD", "preset": "full", "start": "7h"}


def judge(script: str, unsure: tuple[int, ...] = (), **options: str) -> tuple[State, list[AnyRuling]]:
    """Play `script`; the observations numbered in `unsure`, from 1, have a confidence of 0.6."""
    state, answers = GAME.start({**TABLE, **options}), []
    for row, seen in enumerate(parse(script), 1):
        state, rulings = GAME.observe(state, replace(seen, confidence=0.6) if row in unsure else seen)  # type: ignore[type-var]
        answers += rulings
    return state, answers


def told(answers: list[AnyRuling]) -> list[str]:
    """The answers but turns and notices, as `kind seat:code`."""
    return [
        f"{ruling.kind} {ruling.seat}:{ruling.code}" if isinstance(ruling, Penalty | Question) else ruling.kind
        for ruling in answers
        if not isinstance(ruling, Notice) and ruling.kind != "turn"
    ]


def turn(state: State) -> str | None:
    return GAME.standing(state).turn


@pytest.mark.parametrize(
    ("script", "unsure", "answers", "next_"),
    [
        pytest.param("A:9c", (1,), ["question A:illegal-card"], "B", id="unsure-illegal-card-goes-on"),
        pytest.param("C:9h", (1,), ["question C:out-of-turn"], "A", id="unsure-card-out-of-turn"),
        pytest.param("?:9c", (), ["question A:illegal-card"], "A", id="illegal-card-of-the-presumed-hand"),
        pytest.param("?:9h", (), [], "D", id="right-card-of-the-presumed-hand"),
        pytest.param("?:Ah B+4", (), ["penalty A:no-sorry"], "C", id="right-card-of-the-presumed-hand-owes-its-words"),
        pytest.param("A:Ah B+4", (1,), ["question A:no-sorry"], "C", id="words-of-an-unsure-card"),
        pytest.param(
            "A:Ah B+4",
            (2,),
            ["question B:how-many", "question A:no-sorry"],
            "C",
            id="words-missed-at-an-unsure-act",
        ),
        pytest.param('A:Ah A"sorry" B+4', (2,), [], "C", id="unsure-word-meets-a-duty"),
        pytest.param(
            'A:Js A"hearts" A"clubs"', (3,), ["question A:changed-suit"], "B", id="unsure-word-changes-no-suit"
        ),
        pytest.param('A:Js ?"hearts" ?"clubs"', (), ["question A:changed-suit"], "B", id="another-suit-by-an-unknown"),
        pytest.param('A:Js A"hearts" B:9c', (2,), ["question B:illegal-card"], "A", id="suit-not-heard-for-sure"),
        pytest.param("A:?", (), ["question A:which-card"], "B", id="unread-card"),
        pytest.param("A:? B:9c", (), ["question A:which-card"], "A", id="anything-follows-an-unread-card"),
        pytest.param("A:? C:9c", (), ["question A:which-card"], "B", id="anyone-follows-an-unread-card"),
        pytest.param("?:? B:2c C+2", (), ["question None:which-card"], "D", id="unread-card-of-an-unknown-seat"),
        pytest.param("A:9h ?:9h", (), ["question None:whose-card"], None, id="identical-card-of-an-unknown-seat"),
        pytest.param(
            "A:8h ?:8h D:9h", (), ["question None:whose-card", "settled"], "C", id="whose-card-told-by-who-is-next"
        ),
        pytest.param("A:Ah A:Jk ?+4", (), ["penalty A:no-sorry"], "D", id="the-one-in-turn-took"),
        pytest.param("C:9c C:-9c ?+1", (), ["penalty C:out-of-turn", "question None:who-took"], "A", id="who-took"),
        pytest.param("A:4c", (1,), ["question A:illegal-card"], "B", id="unsure-illegal-four"),
    ],
)
def test_doubt(script: str, unsure: tuple[int, ...], answers: list[str], next_: str | None) -> None:
    state, rulings = judge(script, unsure)
    assert told(rulings) == answers
    assert turn(state) == next_


def test_an_answer_makes_a_question_a_penalty_or_drops_it() -> None:
    state, rulings = judge("A:9c C^1", (1,))
    assert told(rulings) == ["question A:illegal-card", "settled", "penalty A:illegal-card"]
    assert state.hands.penalties == (1, 0, 0, 0)
    state, rulings = judge("A:9c C^0", (1,))
    assert told(rulings) == ["question A:illegal-card", "settled"]
    assert state.hands.penalties == (0, 0, 0, 0)


def test_the_accused_may_admit_but_not_deny() -> None:
    assert told(judge("A:9c A^0", (1,))[1]) == ["question A:illegal-card"]
    assert told(judge("A:9c A^1", (1,))[1])[-1] == "penalty A:illegal-card"


def test_a_question_lapses_when_play_goes_on_and_nobody_answers() -> None:
    _, rulings = judge("A:9c @20 B+1 @22 C+1", (1,))
    (settled,) = [ruling for ruling in rulings if isinstance(ruling, Settled)]
    assert (settled.outcome, settled.t) == ("lapsed", 21.0)
    _, rulings = judge("A:9c @7 B+1", (1,), reasonable="5")
    assert [ruling.t for ruling in rulings if isinstance(ruling, Settled)] == [6.0]


def test_until_it_is_known_which_suit_holds_either_will_do() -> None:
    for card in ("8h", "8c"):
        _, rulings = judge(f'A:Js A"hearts" A"clubs" B:{card}', (3,))
        assert told(rulings) == ["question A:changed-suit"]
    assert judge('A:Js A"hearts" A"clubs" C^1', (3,))[0].top.suits == "c"
    assert judge('A:Js A"hearts" A"clubs" C^0', (3,))[0].top.suits == "h"


def test_a_card_the_eye_hesitates_over_is_taken_for_the_likeliest_and_asked() -> None:
    seen = Landed(t=1.0, seat="A", card=Card.of("9h"), confidence=0.6, alternatives=((Card.of("6h"), 0.3),))
    state, rulings = GAME.observe(GAME.start(TABLE), seen)
    assert told(list(rulings)) == ["question A:which-card"]
    assert (turn(state), state.top.card) == ("D", Card.of("9h"))
    _, rulings = GAME.observe(state, Landed(t=2.0, seat="D", card=Card.of("6c")))
    assert told(list(rulings)) == ["question D:illegal-card"]  # on a six it would be right


def test_an_unread_card_that_is_taken_back_was_not_played() -> None:
    state, _ = judge("A:? A:-?")
    assert (turn(state), state.top.card, state.hands.counts[0]) == ("A", Card.of("7h"), 7)
    assert state.others == ()


def test_a_nudged_card_was_no_second_one() -> None:
    state, rulings = judge("A:8h A:8h", (2,))
    assert told(rulings) == ["question A:second-card"]
    nudged, _ = judge("A:8h A:8h B^0", (2,))
    assert nudged.hands.counts[0] == 6
    assert (nudged.order, nudged.top) == (judge("A:8h")[0].order, judge("A:8h")[0].top)
    assert state.hands.counts[0] == 5


@pytest.mark.parametrize(
    ("follower", "after", "direction"),
    [("B", "", 1), ("C", " D:9s", 1), ("D", " C:9s", -1)],
    ids=["as-presumed", "a-skip", "only-a-king-leads-back"],
)
def test_whoever_follows_an_unread_card_tells_what_it_did(follower: str, after: str, direction: int) -> None:
    """Where it is not who was presumed, the next act tells whether that seat was in turn."""
    state, rulings = judge(f"A:? {follower}:9c{after}", preset="classic")
    assert told(rulings) == ["question A:which-card", "settled"]  # nothing hangs on it any more
    assert [ruling.outcome for ruling in rulings if isinstance(ruling, Settled)] == ["answered"]
    assert state.order.origin == 2 * "ABCD".index(after[1:2] or follower)
    assert state.order.direction == direction


def test_a_mistake_on_a_doubtful_card_does_not_turn_the_order_round() -> None:
    """A's wrong card tells little about the five that was not read for sure; who plays on from it tells more."""
    state, rulings = judge(
        "A:5c B:5c A:Td A:-Td A+1 C:8c B:4c C:9c A:3c", (1,), players="ABC", preset="junior", start="7c"
    )
    assert told(rulings) == ["penalty A:illegal-card"]
    assert (turn(state), state.order.direction, state.others) == ("B", 1, ())


def test_a_win_that_rests_on_a_doubtful_count_is_asked() -> None:
    state, rulings = judge("B+1 A+1 B:3h C+1 D+1", (1,), hands="B1")
    assert not [ruling for ruling in rulings if isinstance(ruling, Win)]
    state, rulings = judge("A:9h D+1 ?:Jk B:3h @+9 C^1", hands="B1")
    assert "question B:has-won" in told(rulings)
    assert GAME.standing(state).winner == "B"


def test_saying_last_card_makes_a_doubtful_count_sure() -> None:
    silent, _ = judge("?:Jk A:9h D+1 A:8h C+1 B:3h", hands="B3")
    said, _ = judge('?:Jk B:9h B"last card"', hands="B2")
    assert silent.hands.vague >> 1 & 1
    assert not said.hands.vague >> 1 & 1


def test_a_right_card_that_is_lifted_has_to_come_back() -> None:
    state, rulings = judge("A:8h A:-8h")
    assert [ruling.code for ruling in rulings if isinstance(ruling, Notice)] == ["put-back"]
    assert turn(state) == "C"
    back, rulings = judge("A:8h A:-8h A:8h")
    assert told(rulings) == []
    assert (back.top, back.hands) == (judge("A:8h")[0].top, judge("A:8h")[0].hands)


@pytest.mark.parametrize(
    ("script", "seats", "next_"),
    [
        pytest.param("A:4h C:4s D:4c A:6c B:6d", "CD", "C", id="B-took-unseen"),
        pytest.param("A:4h A:6h D:6d C:9d", "AD", "B", id="B-turned-it-round-unseen"),
    ],
)
def test_people_go_on_where_the_referee_missed_something(script: str, seats: str, next_: str) -> None:
    """After three cards that would be right it asks, is with the people again, and takes its penalties back."""
    state, rulings = judge(script, cards="A,2,K")
    first, second = seats
    assert told(rulings)[:2] == [f"penalty {first}:out-of-turn", f"question {second}:out-of-turn"]
    assert told(rulings)[2:] == ["settled", "settled", "question None:lost-track"]
    assert [ruling.outcome for ruling in rulings if isinstance(ruling, Settled)] == ["overturned", "lapsed"]
    assert (turn(state), state.hands.penalties) == (next_, (0, 0, 0, 0))
    played_on, rulings = judge(f"{script} {next_}:5d", cards="A,2,K")
    assert turn(played_on) not in (None, next_)
    assert not [ruling for ruling in rulings[-2:] if isinstance(ruling, Penalty)]


def test_out_of_turn_after_a_card_that_nobody_was_seen_to_play_is_asked() -> None:
    for script, kind in (("A:4h D:4s", "penalty"), ("?:4h D:4s", "question")):
        _, rulings = judge(script, cards="A,2,K")
        assert told(rulings) == [f"{kind} D:out-of-turn"]


def test_who_plays_two_wrong_cards_pays_for_both() -> None:
    _, rulings = judge("A:9c A:8c", cards="A,2,K")
    assert told(rulings) == ["penalty A:illegal-card", "penalty A:illegal-card"]


def unread(seen: Happening, random: Random) -> Happening:
    return replace(seen, card=None) if isinstance(seen, Landed) and random.random() < 0.05 else seen


def nobody(seen: Happening, random: Random) -> Happening:
    return replace(seen, seat="?") if isinstance(seen, Landed | Said | Taken) else seen


def some_nobody(seen: Happening, random: Random) -> Happening:
    return replace(seen, seat="?") if isinstance(seen, Landed) and random.random() < 0.3 else seen


def misread(seen: Happening, random: Random) -> Happening:
    if not isinstance(seen, Landed) or random.random() > 0.05:
        return seen
    return replace(seen, card=random.choice(FRENCH), confidence=0.6)


def misheard(seen: Happening, random: Random) -> Happening:
    return replace(seen, confidence=0.5) if isinstance(seen, Said) and random.random() < 0.5 else seen


@pytest.mark.parametrize(
    "blurred",
    [
        pytest.param(unread, id="five-in-a-hundred-cards-unread"),
        pytest.param(nobody, id="nobody-knows-who-does-anything"),
        pytest.param(some_nobody, id="a-third-of-the-cards-from-unknown-seats"),
        pytest.param(misheard, id="half-of-the-words-unsure"),
        pytest.param(misread, id="five-in-a-hundred-cards-misread-and-unsure"),
    ],
)
def test_people_who_make_no_mistake_are_not_penalised_for_what_the_eye_or_ear_misses(
    blurred: Callable[[Happening, Random], Happening],
) -> None:
    given, seen_in_all = Counter[str](), 0
    for seed in range(25):
        play, random = RandomPlay({"players": "ABCDEF"[: 2 + seed % 5]}, seed), Random(seed)
        state = GAME.start(play.options)
        for seen in islice(play, 250):
            state, rulings = GAME.observe(state, blurred(seen, random))
            seen_in_all += 1
            given.update(ruling.code for ruling in rulings if isinstance(ruling, Penalty))
            if state.winner >= 0:
                break
    assert seen_in_all > 2000
    assert not given


@pytest.mark.parametrize(
    ("script", "answers"),
    [
        pytest.param('A:Jh C"?" B:8c', ["penalty A:no-suit"], id="somebody-else"),
        pytest.param('A:Jh A"?" B:8c', ["question A:no-suit"], id="who-had-to-speak"),
        pytest.param('A:Jh ?"?" B:8c', ["question A:no-suit"], id="nobody-knows-who"),
        pytest.param('?"?" A:Jh B:8c', ["penalty A:no-suit"], id="before-the-card"),
        pytest.param(
            'A:Jh ?"?" B:8h', ["question B:illegal-card", "question A:no-suit"], id="and-the-suit-is-not-known"
        ),
    ],
)
def test_words_that_nobody_could_make_out_may_have_been_those_that_were_owed(script: str, answers: list[str]) -> None:
    assert told(judge(script)[1]) == answers


def test_a_count_of_cards_that_is_not_sure_leaves_open_whether_all_were_taken() -> None:
    """UB-14: whether A has still to take a card, so that B is out of turn, rests on the count."""
    state, answers = judge("A:2h B+1 C:3h", unsure=(2,))
    assert "penalty C:out-of-turn" not in told(answers)
    sure, answers = judge("A:2h B+1 C:3h")
    assert told(answers) == ["penalty C:out-of-turn"]
    assert turn(state) != turn(sure)


def test_who_takes_a_doubtful_wrong_card_back_admits_it() -> None:
    """B's ace was not read for sure, so C may play on it for all the referee knows; C says itself that it may not."""
    state, rulings = judge("A:5h B:Ah C:7h C:-7h C+1", (2,), players="ABCD", preset="junior")
    assert [ruling.code for ruling in rulings if isinstance(ruling, Penalty) and ruling.seat == "C"] == ["illegal-card"]
    assert (turn(state), state.debt, state.top.card, state.hands.penalties[2]) == ("C", 4, Card.of("Ah"), 0)


def test_a_card_taken_back_by_another_was_not_the_presumed_ones() -> None:
    _, rulings = judge("?:9c C:-9c")
    assert told(rulings) == ["question A:illegal-card", "settled"]
    assert [ruling.outcome for ruling in rulings if isinstance(ruling, Settled)] == ["overturned"]


def test_one_card_taken_by_who_may_be_in_turn_leaves_both_open() -> None:
    """After an unread card C may be in turn, or pays for something that people settled among themselves."""
    turns, penalty = (judge(f"A:? C+1 {seat}:9c", preset="junior") for seat in "DB")
    assert (turn(turns[0]), turn(penalty[0])) == ("A", "C")
    for _, rulings in (turns, penalty):
        assert not [ruling for ruling in rulings if isinstance(ruling, Penalty)]


def test_who_takes_a_card_it_does_not_owe_shows_that_others_took_theirs_unseen() -> None:
    """Nobody saw B take a card; C takes one, and then D plays."""
    state, rulings = judge("A:5h C+1 D:5c", preset="junior")
    assert told(rulings) == []
    assert turn(state) == "A"
