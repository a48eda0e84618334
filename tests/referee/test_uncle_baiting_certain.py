"""What Uncle Baiting answers to certain play beyond the vectors: what is found, what is owed, who wins."""

import pytest

from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.state import State
from referee.record.cards import Card
from referee.record.notation import parse
from referee.record.observations import Elapsed, Landed, Taken
from referee.record.rulings import AnyRuling, Notice, Penalty, Win
from tests.referee.certain_play import TABLE, after, judge


def found(script: str, first_row: int = 1, **options: str) -> tuple[State, list[AnyRuling]]:
    """The state after `script`, and what was answered, when nothing that was found is given."""
    state, answers = GAME.start({**TABLE, **options}), []
    for row, happening in enumerate(parse(script), first_row):
        state, rulings = GAME.observe(state, happening, row)  # type: ignore[arg-type]
        answers += rulings
    return state, answers


def penalties(answers: list[AnyRuling]) -> list[tuple[str, str]]:
    return [(ruling.seat, ruling.code) for ruling in answers if isinstance(ruling, Penalty)]


def notices(answers: list[AnyRuling]) -> list[str]:
    return [ruling.code for ruling in answers if isinstance(ruling, Notice)]


def wins(answers: list[AnyRuling]) -> list[tuple[str, float]]:
    return [(ruling.seat, ruling.t) for ruling in answers if isinstance(ruling, Win)]


def test_what_was_found_is_owed_only_when_it_is_given() -> None:
    state, answers = found("A:9c A:-9c")
    assert penalties(answers) == [("A", "illegal-card")]
    assert GAME.brief(state).penalties == (0, 0, 0, 0)
    assert GAME.brief(GAME.observe(state, Taken(t=9.0, seat="A"))[0]).turn == "B"  # the card was A's turn
    given = GAME.given(state, "A", 1, "illegal-card")
    assert GAME.brief(given).penalties == (1, 0, 0, 0)
    assert GAME.brief(GAME.observe(given, Taken(t=9.0, seat="A"))[0]).turn == "A"  # the card paid for it
    assert GAME.given(given, "A", -1, "illegal-card") == state


def test_a_ruling_names_the_rows_it_rests_on_and_the_moment_of_the_fault() -> None:
    _, answers = found("@2 A:Ah @5 B+4", first_row=31)
    (penalty,) = (ruling for ruling in answers if isinstance(ruling, Penalty))
    assert (penalty.rests_on, penalty.t, penalty.omission, penalty.rule) == ((31, 32), 5.0, True, "UB-22")
    _, answers = found('A:Js A"hearts" A"clubs" B:9s', first_row=11)
    assert [(r.code, r.rests_on, r.omission) for r in answers if isinstance(r, Penalty)] == [
        ("changed-suit", (11, 13), False),
        ("illegal-card", (14,), False),
    ]


@pytest.mark.parametrize(
    ("script", "now", "later"),
    [
        pytest.param("A:4h B+1", (0, 0), (1, 0), id="from-the-next-turn-on"),
        pytest.param("A:4h B+1 C+1 D+1", (1, 0), (0, 0), id="which-has-come"),
        pytest.param('A:4h B:5h B"you" A:9h', (1, 0), (0, 0), id="which-a-five-that-pointed-nowhere-brings"),
        pytest.param("A:8h A+1", (1, 0), (0, 0), id="it-was-its-next-turn-that-showed-it"),
    ],
)
def test_a_card_for_last_card_is_owed_from_the_next_turn(
    script: str, now: tuple[int, int], later: tuple[int, int]
) -> None:
    """UB-24. `A:8h` of two players is followed by A's own turn."""
    two = "A:8h" in script
    state, answers = judge(script, players="AB" if two else "ABCD", hands="A2", cards="5,8")
    assert penalties(answers) == [("A", "no-last-card")]
    assert (state.owed.penalties[:2], state.owed.later[:2]) == (now, later)
    assert sum(GAME.given(state, "A", -1, "no-last-card").owed.penalties) == 0


def test_who_is_out_has_not_won_while_a_fault_of_his_is_open() -> None:
    """UB-28: B's taking shows that A did not say "sorry" for its last card."""
    state, answers = found("A:Ah B+4", hands="A1")
    assert penalties(answers) == [("A", "no-sorry")]
    undecided, answers = GAME.observe(state, Elapsed(t=60.0))
    assert (wins(list(answers)), GAME.brief(undecided).winner) == ([], None)
    assert GAME.standing(undecided).deadline is None
    dropped = GAME.given(undecided, "A", 0, "no-sorry")
    assert GAME.standing(dropped).deadline == 5.0  # three seconds after B's act
    assert wins(list(GAME.observe(dropped, Elapsed(t=60.0))[1])) == [("A", 5.0)]
    owes = GAME.given(undecided, "A", 1, "no-sorry")
    assert wins(list(GAME.observe(owes, Elapsed(t=60.0))[1])) == []
    paid, _ = GAME.observe(owes, Taken(t=61.0, seat="A"))
    assert (GAME.standing(paid).counts[0], GAME.brief(paid).penalties[0], GAME.brief(paid).winner) == (1, 0, None)
    struck = GAME.given(owes, "A", -1, "no-sorry")
    assert wins(list(GAME.observe(struck, Elapsed(t=60.0))[1])) == [("A", 5.0)]


def test_who_has_won_and_is_given_a_card_has_not_won_after_all() -> None:
    won = after("A:9h @+5", hands="A1")
    assert GAME.brief(won).winner == "A"
    assert GAME.brief(GAME.given(won, "B", 1, "hinted")).winner == "A"
    back = GAME.given(won, "A", 1, "hinted")
    assert (GAME.brief(back).winner, GAME.brief(back).penalties[0]) == (None, 1)


FOUR = {"players": "ABC", "start": "7d", "hands": "A3,B2,C6"}
"""After `A:4d` B receives A's two cards, C those of B, and A those of C."""


@pytest.mark.parametrize(
    ("script", "answers", "counts"),
    [
        pytest.param("A:4d", [], (2, 2, 6), id="not-before-the-next-hand-acts"),
        pytest.param("A:4d B+1", [], (6, 3, 2), id="taking"),
        pytest.param("A:4d B:9d", [], (6, 1, 2), id="a-right-card"),
        pytest.param("A:4d B:9c", [("B", "illegal-card")], (6, 1, 2), id="a-wrong-card-comes-from-the-new-hand"),
        pytest.param("A:4d B:9c B:-9c", [("B", "illegal-card")], (6, 2, 2), id="and-goes-back-into-it"),
        pytest.param("A:4d B:9c B:-9c B+1 B+1", [("B", "illegal-card")], (6, 4, 2), id="hands-move-once"),
        pytest.param("A:4d C:9c", [("C", "out-of-turn")], (2, 2, 5), id="nobody-else-makes-them-move"),
        pytest.param("A:4d C:Jk", [], (2, 2, 5), id="nor-does-a-joker"),
        pytest.param("A:4d B:4d", [], (2, 1, 6), id="nor-a-butt-in"),
    ],
)
def test_hands_have_moved_before_the_next_card(
    script: str, answers: list[tuple[str, str]], counts: tuple[int, ...]
) -> None:
    """UB-16."""
    state, rulings = judge(script, **FOUR)
    assert penalties(rulings) == answers
    assert GAME.standing(state).counts == counts


@pytest.mark.parametrize(
    ("script", "answers"),
    [
        pytest.param("A:4d B:Jh", [("B", "illegal-card")], id="a-jack-as-the-last-card-of-the-received-hand"),
        pytest.param('A:4d B:Jh B"hearts" B:-Jh B+1 B+1 C"last card"', [("B", "illegal-card")], id="C-says-it-in-time"),
        pytest.param(
            'A:4d B:Jh B"hearts" B:-Jh B+1 B+1', [("B", "illegal-card")], id="C-has-until-its-own-turn-is-over"
        ),
        pytest.param(
            'A:4d B:Jh B"hearts" B:-Jh B+1 B+1 C+1', [("B", "illegal-card"), ("C", "no-last-card")], id="and-no-longer"
        ),
    ],
)
def test_the_received_hand_is_what_is_judged_by(script: str, answers: list[tuple[str, str]]) -> None:
    """UB-16, UB-24, UB-29: A said "last card"; its one card is B's now, and B's one card C's."""
    state, rulings = judge(script.replace("A:4d", 'A:4d A"last card"'), players="ABC", start="7d", hands="A2,B1,C6")
    assert penalties(rulings) == answers
    if len(answers) == 1 and script.endswith("Jh"):
        assert state.counts == (6, 0, 1)


def test_what_may_be_played_on_a_red_four_is_told_by_the_received_hand() -> None:
    state = after("A:4d", players="ABC", start="7d", hands="A2,B5,C5")
    assert "J" not in {card.rank for card in GAME.legal_cards(state, "B")}
    state = after("A:4d", players="ABC", start="7d", hands="A5,B1,C5")
    assert "J" in {card.rank for card in GAME.legal_cards(state, "B")}


def test_a_right_card_that_is_taken_back_before_anybody_acts_was_not_played() -> None:
    state, answers = judge("A:8h A:-8h")
    assert notices(answers) == []
    assert (GAME.brief(state).turn, state.counts, state.top.card) == ("A", after("").counts, after("").top.card)
    assert penalties(judge("A:Ah A:-Ah A:9h B+1")[1]) == []  # nor has anybody to say sorry for it
    assert after("B:9c A:9h A:-9h", start="7h").pile.wrong == after("B:9c", start="7h").pile.wrong
    assert penalties(judge("A:Jh B:8c B:-8c B:8c D+1")[1]) == [("A", "no-suit")]  # once


def test_a_right_card_that_is_lifted_later_has_to_come_back() -> None:
    state, answers = judge("A:8h C+1 A:-8h")
    assert notices(answers) == ["put-back"]
    assert GAME.brief(state).turn == "D"
    assert after("A:8h C+1 A:-8h A:8h").counts == after("A:8h C+1").counts
    assert after("A:8h C+1 A:-8h D+1").counts[0] == 7  # A kept it


def test_nobody_has_more_cards_than_he_plays() -> None:
    state, answers = judge("A:9h A:9h", hands="A1", settle="99")
    assert notices(answers) == ["miscount"]
    assert state.counts[0] == 0


def test_whoever_plays_after_a_five_that_pointed_nowhere_was_pointed_at() -> None:
    """UB-13; also where the card is wrong, since somebody else would have been out of turn."""
    state, answers = judge('A:5h A"you" C:9c')
    assert (penalties(answers), GAME.brief(state).turn) == ([("C", "illegal-card")], "C")


def test_a_suit_named_by_nobody_known_is_no_change_of_mind() -> None:
    state, answers = judge('A:Js A"hearts" ?"clubs"')
    assert (penalties(answers), GAME.standing(state).suit) == ([], "h")
    state, _ = judge('A:Js ?"hearts"')
    assert GAME.standing(state).suit == "h"


@pytest.mark.parametrize(
    ("script", "answers"),
    [
        pytest.param("A:Ah B+4", [], id="nothing-has-to-be-said"),
        pytest.param("A:Js B:9c", [], id="any-suit-may-have-been-named"),
        pytest.param("A:Js C:Jd", [], id="and-any-jack-butts-in"),
        pytest.param('A:Js A"hearts" B:9c', [("B", "illegal-card")], id="a-suit-that-was-tapped-holds"),
        pytest.param('A:Js A"hearts" A"clubs" B:9c', [], id="and-changes-at-no-cost"),
        pytest.param("A:Js words=on B:9c", [], id="it-was-not-heard-what-was-named-before"),
        pytest.param("words=on A:Js B:9s", [("B", "illegal-card")], id="from-now-on-it-is"),
        pytest.param("words=on A:Ah words=off B+4", [], id="what-was-due-is-due-no-longer"),
        pytest.param("words=on A:Js words=off words=on B:9s", [], id="it-may-have-been-named-meanwhile"),
        pytest.param("words=on A:Js B+1 words=off C:9s", [("A", "no-suit"), ("C", "illegal-card")], id="too-late"),
    ],
)
def test_while_nobody_listens_no_words_are_judged(script: str, answers: list[tuple[str, str]]) -> None:
    state, rulings = judge(script, words="off")
    assert penalties(rulings) == answers
    assert GAME.standing(state).words_judged == (script.rfind("words=on") > script.rfind("words=off"))
    if script == "A:Js B:9c":
        assert GAME.explain(after("A:Js", words="off")).startswith("Any card")


@pytest.mark.parametrize("happening", ["Q:9h", "?:9h", "Q+1", 'Q"sorry"', "Q>A", "A>Q", "Q:-7h"])
def test_a_seat_that_is_not_there_changes_nothing(happening: str) -> None:
    state, answers = found(happening)
    assert notices(answers) == ["unknown-seat"]
    assert state == GAME.start(TABLE)


@pytest.mark.parametrize(
    ("script", "card", "turn", "owed", "answers"),
    [
        pytest.param("", "9c", "D", 0, [], id="an-illegal-card-counts"),
        pytest.param("A:8h", "9c", "B", 0, [], id="C-in-turn"),
        pytest.param('A:Ah A"sorry"', "9c", "B", 0, [], id="what-was-owed-is-forgotten"),
        pytest.param('A:Ah A"sorry"', "2c", "D", 2, [], id="for-a-two-as-well"),
        pytest.param("A:Ah", "9c", "B", 0, [("A", "no-sorry")], id="words-of-the-card-before-fall-due"),
    ],
)
def test_a_wrong_card_that_the_table_lets_pass(
    script: str, card: str, turn: str, owed: int, answers: list[tuple[str, str]]
) -> None:
    state = after(script)
    seat = "C" if script else "A"
    passed, rulings = GAME.forced(state, Landed(t=9.0, seat=seat, card=Card.of(card)), 9)
    now = GAME.standing(passed)
    assert (now.turn, str(now.top), now.owed, now.wrong) == (turn, card, owed, ())
    assert penalties(list(rulings)) == answers


def test_a_wrong_card_that_lies_there_counts_after_all_and_its_words_are_forgiven() -> None:
    state = after("A:Ac")
    assert GAME.standing(state).wrong == ((Card.of("Ac"), "A"),)
    right, rulings = GAME.forced(state, Landed(t=3.0, seat="A", card=Card.of("Ac")), 1)
    now = GAME.standing(right)
    assert (now.turn, now.owed, str(now.top), now.counts[0], now.due, now.wrong) == ("B", 4, "Ac", 6, (), ())
    assert rulings == ()


@pytest.mark.parametrize(
    ("script", "options", "claim", "refused"),
    [
        pytest.param("A+1", {}, "C B slow", "", id="may-be-claimed"),
        pytest.param("A+1", {}, "B B hinted", "", id="an-admission"),
        pytest.param("A+1", {}, "C B nonsense", "unclear-claim", id="unknown-code"),
        pytest.param("A+1", {}, "? B slow", "unclear-claim", id="unknown-claimer"),
        pytest.param("A+1", {}, "C Q slow", "unclear-claim", id="nobody-sits-there"),
        pytest.param("A+1", {}, "C B unjust-claim", "unclear-claim", id="an-unjust-claim-cannot-be-claimed"),
        pytest.param("||", {}, "C B hinted", "no-claims-now", id="in-time-out"),
        pytest.param("A:9h ~", {}, "C B hinted", "no-claims-now", id="while-the-pile-is-renewed"),
        pytest.param("A+1", {"preset": "classic"}, "C B hinted", "no-claims-now", id="classic"),
        pytest.param("A+1", {"preset": "junior"}, "C B slow", "no-claims-now", id="slowness-in-junior"),
    ],
)
def test_which_claims_the_rules_refuse(script: str, options: dict[str, str], claim: str, refused: str) -> None:
    assert GAME.refusal(after(script, **options), *claim.split()) == refused


def test_nobody_is_slow_before_the_first_card_lies_there() -> None:
    assert GAME.refusal(GAME.start({"players": "ABC"}), "B", "A", "slow") == "no-claims-now"


def test_every_code_has_its_rule() -> None:
    assert {code for _, code in penalties(judge('A:Ah B:9c A:Js A"hearts clubs" B+4')[1])} < GAME.codes().keys()
    assert set(GAME.codes().values()) <= set(GAME.rules_in_play(GAME.start(TABLE)))


@pytest.mark.parametrize("asking", ["whose turn is it", "who's turn is it", "what suit", "which way", "is it my turn"])
def test_asking_for_the_state_of_play_is_told_in_strict_play(asking: str) -> None:
    for strict in ({"strict": "on"}, {"level": "strict"}):
        _, answers = judge(f'C"{asking}"', **strict)
        assert [(r.code, r.seat) for r in answers if isinstance(r, Notice)] == [("asked", "C")]
        assert "whose turn is it" in GAME.standing(after("", **strict)).listening
    assert judge(f'C"{asking}"')[1] == []
    assert judge(f'|| C"{asking}"', strict="on")[1] == []


def test_time_out_moves_the_moment_of_a_win_on() -> None:
    state, answers = judge("@1 A:9h @2 || @100 || @103", hands="A1")
    assert wins(answers) == [("A", 102.0)]
    assert GAME.standing(after("@1 A:9h @2 ||", hands="A1")).deadline is None
    assert GAME.standing(after("@1 A:9h @2 || @100 ||", hands="A1")).deadline == 102.0
    assert state.paused == -1.0


def test_only_auto_butt_in_changes_during_a_match() -> None:
    state, answers = judge("auto_butt_in=forbid")
    assert (notices(answers), GAME.standing(state).modes) == (["auto-butt-in-forbid"], ("no-auto-butt-in",))
    assert GAME.changeable(state) == {"auto_butt_in": ("allow",)}
    _, answers = judge("settle=9 auto_butt_in=maybe")
    assert notices(answers) == ["option-stays", "option-stays"]


@pytest.mark.parametrize(
    ("script", "rule"),
    [
        pytest.param("", "UB-6", id="start"),
        pytest.param("A:Kh", "UB-5", id="king"),
        pytest.param("A:8h C:8h", "UB-12", id="butt-in"),
        pytest.param('A:Ah A"sorry" D:Jk', "UB-11", id="joker"),
        pytest.param('A:Ah A"sorry" D:Jk C+4', "UB-14", id="taken"),
    ],
)
def test_standing_tells_the_rule_by_which_it_is_whose_turn(script: str, rule: str) -> None:
    assert GAME.standing(after(script)).why == rule
