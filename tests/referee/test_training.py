"""For those who learn the game: gentle and strict play, and what each card does."""

import pytest

from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.lesson import RULE_OF_EFFECT
from referee.games.uncle_baiting.state import STATE, State
from referee.record.cards import Card
from referee.record.match import Match
from referee.record.notation import parse
from referee.record.observations import KINDS
from referee.record.rulings import Penalty, Question, Settled, Win
from referee.table.session import Session
from referee.text import section
from referee.text.calls import call
from referee.text.faults import RefereeError

TABLE = {"players": "ABC", "start": "7h"}


def played(script: str, **options: str) -> Match:
    seen = [item for item in parse(script) if isinstance(item, KINDS)]
    return Match("uncle-baiting", {**TABLE, **options}, seen)


def given(match: Match) -> list[tuple[str, str, int]]:
    return [(r.seat, r.code, r.cards) for r in match.rulings if isinstance(r, Penalty)]


def test_in_gentle_play_the_first_fault_of_a_kind_is_a_warning_and_the_next_one_costs() -> None:
    match = played("A:9c A:-9c A:9s A:-9s C:4s C:-4s A:Ah B+4", level="gentle")
    assert given(match) == [
        ("A", "illegal-card", 0),
        ("A", "illegal-card", 1),
        ("C", "out-of-turn", 0),
        ("A", "no-sorry", 0),
    ]
    assert match.standing.penalties_owed == (1, 0, 0)
    warning = next(ruling for ruling in match.rulings if isinstance(ruling, Penalty))
    assert call(warning, {"A": "Ana"}) == "Ana, only a warning: that card does not fit."


def test_a_warning_for_last_card_lets_the_seat_win() -> None:
    script = "A:9h C+1 A:3h @+5 B+1"
    normal, gentle = (played(script, hands="A2", level=level) for level in ("normal", "gentle"))
    assert [isinstance(ruling, Win) for ruling in normal.rulings].count(True) == 0
    assert gentle.standing.winner == "A"


def test_a_vote_warns_too_and_an_unjust_claim_is_warned_of() -> None:
    match = played("A!B:slow C^1 C!B:hinted A^0", level="gentle")
    assert given(match) == [("B", "slow", 0), ("C", "unjust-claim", 0)]
    assert match.standing.penalties_owed == (0, 0, 0)


def test_a_warning_can_be_disputed_and_struck_out_it_was_none() -> None:
    match = played("C:4s A^0 B^0 C:-4s C:4d", level="gentle")
    assert given(match) == [("C", "out-of-turn", 0), ("C", "out-of-turn", 0)]
    assert [r.outcome for r in match.rulings if isinstance(r, Settled)] == ["overturned", "overturned"]
    (question,) = (r for r in match.rulings if isinstance(r, Question))
    assert (question.cards, question.disputes) == (0, 1)
    state = match.state
    assert isinstance(state, State)
    assert STATE.validate_json(STATE.dump_json(state)) == state


def test_a_warning_that_is_upheld_counts() -> None:
    match = played("C:4s A^0 B^1 C:-4s C:4d", level="gentle")
    assert given(match) == [("C", "out-of-turn", 0), ("C", "out-of-turn", 1)]
    assert match.standing.penalties_owed == (0, 0, 1)


def test_a_gentle_record_gives_the_same_warnings_again_and_a_corrected_one_others() -> None:
    match = played("A:9c A:-9c A:Tc", level="gentle")
    again = Match("uncle-baiting", match.options, match.record)
    assert (again.rulings, again.state) == (match.rulings, match.state)
    state = match.state
    assert isinstance(state, State)
    assert STATE.validate_json(STATE.dump_json(state)) == state
    match.add(match.undoing(9.0))
    match.add(match.undoing(9.0))
    match.add(match.undoing(9.0))
    assert given(match) == []


@pytest.mark.parametrize("options", [{"level": "strict"}, {"strict": "on"}], ids=str)
def test_strict_play_hides_the_turn_until_it_is_bought(options: dict[str, str]) -> None:
    assert played("A:9h", **options).standing.turn_hidden
    bought = played('A:9h A"whose turn is it"', **options)
    assert not bought.standing.turn_hidden
    assert given(bought) == [("A", "asked", 1)]
    hidden = Session(played("A:9h", **options), {}, lambda: 9.0).view()
    assert (hidden["turn"], hidden["explain"], hidden["lesson"]) == (None, "", None)


def test_a_level_that_is_none_is_named() -> None:
    with pytest.raises(RefereeError, match="normal, gentle, strict"):
        played("", level="rough")


@pytest.mark.parametrize(
    ("script", "did", "rule"),
    [
        pytest.param("", "The first card does nothing", "UB-4", id="dead"),
        pytest.param("A:8h", "the next hand is skipped", "UB-6", id="eight"),
        pytest.param("A:Th", "from now on every other hand is skipped", "UB-6", id="tens"),
        pytest.param("A:Th C:Tc", "nobody is skipped any more", "UB-6", id="tens-over"),
        pytest.param("A:Qh", "everyone plays twice", "UB-5", id="queens"),
        pytest.param("A:4h", "passes the whole hand on", "UB-16", id="red-four"),
        pytest.param("A:7d", "five or lower", "UB-20", id="red-seven"),
    ],
)
def test_what_the_top_card_did_is_told_with_its_rule(script: str, did: str, rule: str) -> None:
    match = played(script)
    ((text, number),) = match.game.lesson(match.state)
    assert did in text
    assert number == rule


def test_an_ordinary_card_a_joker_and_a_wrong_card_are_told() -> None:
    texts = [text for text, _ in GAME.lesson(played("A:4s A:-4s A:3h B:Jk B:9c", preset="junior").state)]  # type: ignore[arg-type]
    assert texts == [section("lesson")["plain"], section("lesson")["wrong"]]
    texts = [text for text, _ in GAME.lesson(played("A:8h B:Jk").state)]  # type: ignore[arg-type]
    assert texts == [section("lesson")["8"], section("lesson")["Jk"]]


def test_every_effect_has_its_sentence_and_its_rule() -> None:
    table = GAME.start({"players": "AB"}).table
    effects = set(table.effects.values()) - {"", "Jk"}
    assert set(RULE_OF_EFFECT) == effects
    sentences = section("lesson")
    for effect in effects - {"T", "Q"}:
        assert effect in sentences


def test_the_cards_that_may_follow_are_shown_as_people_sort_them() -> None:
    view = Session(played("A:7d"), {}, lambda: 9.0).view()
    assert view["lesson"]["cards"] == ["Ad", "2d", "3d", "4d", "5d", "7d", "Jk"]


def test_why_a_card_was_wrong_is_said_with_the_penalty() -> None:
    view = Session(played("A:8h C:9c"), {"A": "Ana", "C": "Cy"}, lambda: 9.0).view()
    penalty = next(ruling for ruling in view["rulings"] if ruling["kind"] == "penalty")
    assert penalty["why"] == "Before that: Hearts or an eight; or any Jack; the same card butts in; Cy to play."
    assert not any(ruling["why"] for ruling in view["rulings"] if ruling["kind"] != "penalty")


def test_the_glossary_cites_rules_that_there_are() -> None:
    told = section("glossary.uncle-baiting")
    words = {key.partition(".")[0] for key in told}
    assert len(words) >= 25
    for word in words:
        assert told[f"{word}.word"]
        assert told[f"{word}.means"].endswith(".")
        assert told[f"{word}.rule"] in section("rule")


def test_a_card_stands_where_people_sort_it() -> None:
    from referee.record.cards import in_order

    assert [card.name for card in in_order(map(Card.of, ("Jk", "Kh", "Th", "Ac", "2h")))] == [
        "Ac",
        "2h",
        "Th",
        "Kh",
        "Jk",
    ]
