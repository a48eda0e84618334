"""What the referee says may be played and is owed is what it then judges by, and what its rules are called."""

import re
import tomllib
from importlib.resources import files
from typing import get_args

import pytest

from referee.games.kit.ring import ANYONE, seat_of, walk
from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.options import CARD_RULES, PRESETS, Table
from referee.games.uncle_baiting.step import RULE_OF
from referee.text import has, section
from referee.text.calls import call
from referee.text.faults import RefereeError
from tests.referee.certain_play import after, judge


def legal(script: str, seat: str, **options: str) -> str:
    return " ".join(sorted(str(card) for card in GAME.legal_cards(after(script, **options), seat)))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        pytest.param("", "Hearts or a seven; or any Jack; the same card butts in; A to play", id="start"),
        pytest.param("A:Ah", "No card; the same card butts in; B must pick up four; A must say “sorry”", id="ace"),
        pytest.param("A:2h", "Only a two; the same card butts in; B must pick up two", id="two"),
        pytest.param("A:2h B+2", "Hearts or a two; the same card butts in; C to play", id="two-paid"),
        pytest.param('A:Js A"clubs"', "Clubs; or any Jack; the same card butts in; B to play", id="jack-named"),
        pytest.param(
            "A:Js",
            "Any suit but spades; or any Jack; the same card butts in; A must name a suit; B to play",
            id="jack-not-named",
        ),
        pytest.param("A:7d", "Diamonds up to five; the same card butts in; B to play", id="red-seven"),
        pytest.param(
            "A:7s", "Spades from the Jack up; or any Jack; the same card butts in; B to play", id="black-seven"
        ),
        pytest.param(
            "A:9c",
            "Hearts or a seven; or any Jack; the same card butts in; A takes a penalty card; A takes back 9♣; "
            "A to play",
            id="wrong-card",
        ),
        pytest.param(
            'A:Qh A"in"', "Hearts or a Queen; or any Jack; the same card butts in; B to play, leading hand", id="queens"
        ),
        pytest.param(
            'A:Th A"in"',
            "Hearts or a ten; or any Jack; the same card butts in; C to play; every other hand is skipped",
            id="tens",
        ),
        pytest.param(
            'A:5h A"you"',
            "Hearts or a five; or any Jack; the same card butts in; A points at the next player",
            id="five",
        ),
        pytest.param(
            "A:4h",
            "Hearts or a four; or any Jack; the same card butts in; the hands are passed on; B to play",
            id="four",
        ),
        pytest.param("A+1", "Hearts or a seven; or any Jack; the same card butts in; B to play", id="taken"),
    ],
)
def test_in_words(script: str, words: str) -> None:
    assert GAME.explain(after(script)) == words


def test_a_win_in_words() -> None:
    assert GAME.explain(after("A:9h @+5", hands="A1")) == "A has won"
    assert GAME.legal_cards(after("A:9h @+5", hands="A1"), "B") == frozenset()


@pytest.mark.parametrize(
    ("script", "seat", "cards"),
    [
        pytest.param("A:Ah", "B", "Ah", id="only-a-butt-in-saves-from-an-ace"),
        pytest.param("A:Ah", "C", "Ah Jk", id="others-may-put-a-joker-on-it"),
        pytest.param("A:2h", "B", "2c 2d 2h 2s", id="any-two-on-a-two"),
        pytest.param("A:7d", "B", "2d 3d 4d 5d 7d Ad Jk", id="red-seven"),
        pytest.param("A:7s", "B", "7s Jc Jd Jh Jk Js Ks Qs", id="black-seven"),
        pytest.param("A:9h", "B", "9h Jk", id="not-in-turn"),
        pytest.param('A:Js A"hearts"', "C", "Jh Jk Js", id="butt-in-on-a-named-jack"),
        pytest.param("", "Q", "", id="nobody-sits-there"),
    ],
)
def test_legal_cards(script: str, seat: str, cards: str) -> None:
    assert legal(script, seat) == cards


def test_jacks_and_jokers_are_no_last_card() -> None:
    assert "J" not in legal("", "A", hands="A1")
    assert "Js" in legal("", "A", hands="A2")


def test_what_may_follow_a_red_four_is_judged_by_the_hands_passed_on() -> None:
    assert legal('A:4h A"last card"', "B", hands="A2,B5") == "2h 3h 4c 4d 4h 4s 5h 6h 7h 8h 9h Ah Kh Qh Th"
    assert {"Js", "Jk"} <= set(legal("A:4h", "B", hands="A6,B1").split())
    assert "or any Jack" not in GAME.explain(after('A:4h A"last card"', hands="A2,B5"))
    assert "or any Jack" in GAME.explain(after("A:4h", hands="A6,B1"))


def test_standing_tells_what_to_listen_for() -> None:
    assert {due.code: due.words for due in GAME.standing(after("A:Ah")).due} == {"no-sorry": ("sorry",)}
    assert "hearts" in GAME.standing(after("A:Js")).listening
    assert "hearts" not in GAME.standing(after("A+1", cards="A,2")).listening
    assert "apologies" in GAME.standing(after("A:7d B+1 C+1 D+1")).listening
    assert GAME.standing(after("A:9h @+5", hands="A1")).listening == frozenset()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"players": "A"}, "two or more capital letters", id="one-player"),
        pytest.param({"players": "AAB"}, "each once", id="seat-twice"),
        pytest.param({"players": "ABC", "preset": "fll"}, "full, print, junior, classic", id="preset"),
        pytest.param({"players": "ABC", "colour": "red"}, "no option 'colour'", id="option"),
        pytest.param({"players": "ABC", "cards": "A,11"}, "no rule for 11", id="card-rule"),
        pytest.param({"players": "ABC", "hands": "A"}, "hands=A2,B5", id="hands"),
        pytest.param({"players": "ABC", "hands": "D4"}, "nobody sits there", id="hands-of-nobody"),
        pytest.param({"players": "ABC", "turn": "D"}, "nobody sits there", id="turn-of-nobody"),
        pytest.param({"players": "ABC", "start": "1h"}, "no card '1h'", id="start-card"),
        pytest.param({"players": "ABC", "settle": "soon"}, "write a number from 0 to 600", id="number"),
        pytest.param({"players": "ABC", "settle": "nan"}, "write a number", id="not-a-number"),
        pytest.param({"players": "ABCDEFGHIJ", "decks": "1"}, "use more decks", id="too-few-decks"),
    ],
)
def test_an_option_that_makes_no_sense_is_named(options: dict[str, str], message: str) -> None:
    with pytest.raises(RefereeError, match=message):
        GAME.start(options)


def test_many_players_get_enough_decks() -> None:
    assert GAME.standing(GAME.start({"players": "ABCDEFGHIJKLMNOPQRST"})).pick_up_pile > 0


def test_presets_differ_as_the_rules_say() -> None:
    effects = {
        name: set(GAME.start({"players": "AB", "preset": name}).table.effects.values()) - {""} for name in PRESETS
    }
    assert effects["full"] - effects["print"] == {"3", "5"}
    assert effects["junior"] == {"A", "2", "7r", "8", "J", "K"}
    assert effects["classic"] == {"A", "2", "8", "J", "K"}
    assert set(CARD_RULES) - {"7"} == set(PRESETS["full"]["cards"].split(","))
    assert set(PRESETS) == set(get_args(Table.model_fields["preset"].annotation))


def test_the_ring_walks_both_ways() -> None:
    """A1 A2 B1 B2 C1 C2 when Queens mode was entered to the left; players alone otherwise."""
    assert [walk(0, step, 3, 0) for step in range(4)] == [0, 2, 4, 0]
    assert [walk(0, step, 3, 1) for step in range(6)] == [0, 1, 2, 3, 4, 5]
    assert [walk(0, -step, 3, -1) for step in range(6)] == [0, 1, 4, 5, 2, 3]
    assert all(walk(walk(hand, 5, 4, way), -5, 4, way) == hand for hand in range(8) for way in (1, -1))
    assert seat_of(ANYONE) == -1


def test_every_rule_and_code_has_its_words() -> None:
    rules = section("rule")
    assert [rule for rule in rules if rule.startswith("UB-")] == [f"UB-{number}" for number in range(1, 32)]
    for code in RULE_OF:
        assert has(f"penalty.{code}"), code
    source = "".join(
        file.read_text() for file in files("referee.games.uncle_baiting").iterdir() if file.name.endswith(".py")
    )
    noticed = set(re.findall(r'notice\(\s*"([a-z-]+)"', source)) | set(re.findall(r'return "([a-z]+-[a-z-]+)"', source))
    for code in noticed - {"asked"}:
        assert has(f"notice.{code}"), code


def test_the_words_are_sentences() -> None:
    words = tomllib.loads(files("referee.text").joinpath("en", "uncle_baiting.toml").read_text(encoding="utf-8"))
    assert all(text.endswith(("?", ".")) for text in (*words["question"].values(), *words["notice"].values()))


def test_a_penalty_and_a_notice_are_called_in_words() -> None:
    _, rulings = judge("A:9c")
    assert [call(ruling, {"A": "Al"}) for ruling in rulings] == [
        "Al takes a card: that card does not fit.",
        "Al, please take back 9♣.",
    ]
