"""What people may agree on before a match: every game takes what `play` hands over, and says what makes no sense."""

import re
from typing import ClassVar, get_args

import pytest
from pydantic import TypeAdapter

from referee.cli.common import match_options
from referee.games import GAMES
from referee.games.kit.options import Options, Switch
from referee.games.kit.shedding import SheddingGame
from referee.games.uncle_baiting.options import Table
from referee.record.cards import UNO
from referee.record.match import Match
from referee.record.notation import parse
from referee.record.observations import KINDS, Elapsed, Landed
from referee.record.rulings import Penalty
from referee.store.settings import Settings
from referee.text.faults import RefereeError
from tests.referee.crazy_eights import CrazyEights

NEXT = "crazy-eights"
LEVELS = get_args(Settings.model_fields["level"].annotation)


@pytest.fixture(autouse=True)
def next_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NEXT, "tests.referee.crazy_eights")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", [*GAMES, NEXT])
def test_every_game_takes_what_play_hands_over(name: str, level: str) -> None:
    options, _ = match_options(["words=off", "reasonable=30", "settle=5"], "Ann,Bo,Cy", level)
    match = Match(name, options)
    assert match.standing.players == "ABC"
    agreed = match.game.options.of(match.options)
    assert (agreed.words, agreed.level, agreed.reasonable, agreed.settle) == (False, level, 30, 5)


FAULTS = {
    "uncle-baiting": ("start=7h", "A:9h A:Kc"),
    "blackjack": ("", "A:9h A:9c A."),
    "uno": ("start=r5 hands=A2", "A:r7 A. @+3 B+1"),
    NEXT: ("start=7h", "A:9h A:Kc"),
}
"""A fault that costs cards, in every game."""


@pytest.mark.parametrize("name", [*GAMES, NEXT])
def test_at_the_gentle_level_of_every_game_a_first_fault_costs_nothing(name: str) -> None:
    def costs(level: str) -> list[int]:
        options, _ = match_options([FAULTS[name][0]], "Ann,Bo,Cy", level)
        match = Match(name, options)
        for seen in parse(FAULTS[name][1]):
            assert isinstance(seen, KINDS)
            match.add(seen)
        return [ruling.cards for ruling in match.rulings if isinstance(ruling, Penalty)]

    assert [cards > 0 for cards in costs("normal")] == [True]
    assert costs("gentle") == [0]


class Sevens(SheddingGame):
    """A game with options of its own, and a pack of its own."""

    class Options(Options):
        """Options of every kind."""

        deck: ClassVar = UNO
        pace: Switch = True

    name = "sevens"
    options = Options


GAME = CrazyEights()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        pytest.param({"players": ""}, "players=: write two or more capital letters", id="nobody"),
        pytest.param({"players": "AbC"}, "players=AbC: write two or more capital letters", id="small-letter"),
        pytest.param({"players": "ABA"}, "players=ABA: write two or more capital letters, each once", id="twice"),
        pytest.param({"start": "1h"}, "there is no card '1h'", id="no-card"),
        pytest.param({"start": "Jk"}, "start=Jk: that card is not in the pack; write one like Ac", id="other-card"),
        pytest.param({"turn": "D"}, "turn=D: nobody sits there; the players are ABC", id="turn-of-nobody"),
        pytest.param({"hands": "D4"}, "hands=D: nobody sits there", id="hands-of-nobody"),
        pytest.param({"hands": "A2,B"}, "hands=A2,B: write a player's letter and the number", id="hands-of-what"),
        pytest.param({"hands": "A²"}, "hands=A²: write a player's letter and the number", id="hands-other-digit"),
        pytest.param({"hands": "A1,B0"}, "B has no cards to begin with", id="empty-hand"),
        pytest.param({"settle": "nan"}, "settle=nan: write a number from 0 to 600", id="not-a-number"),
        pytest.param({"settle": "601"}, "settle=601: write a number from 0 to 600", id="too-long"),
        pytest.param({"reasonable": "soon"}, "reasonable=soon: write a number from 0 to 3600", id="no-number"),
        pytest.param({"words": "no"}, "words=no: choose one of on, off", id="no-switch"),
        pytest.param({"level": "strickt"}, "level=strickt: choose one of normal, gentle, strict", id="no-choice"),
        pytest.param({"levle": "strict"}, "there is no option 'levle': did you mean level?", id="mistyped"),
        pytest.param({"zzz": "1"}, "there is no option 'zzz': choose from hands, level, players", id="unknown"),
        pytest.param({"place": "1"}, "there is no option 'place': did you mean", id="what-follows-is-no-option"),
    ],
)
def test_an_option_that_makes_no_sense_is_told_in_one_sentence(options: dict[str, str], told: str) -> None:
    with pytest.raises(RefereeError, match=re.escape(told)):
        GAME.start({"players": "ABC", **options})


def test_the_options_and_cards_of_a_game_of_its_own_are_told_by_themselves() -> None:
    game = Sevens()
    assert not game.options.of({"players": "AB", "pace": "off"}).pace  # type: ignore[attr-defined]
    with pytest.raises(RefereeError, match="pace=slow: choose one of on, off"):
        game.start({"players": "AB", "pace": "slow"})
    with pytest.raises(RefereeError, match="did you mean pace"):
        game.start({"players": "AB", "pice": "on"})
    with pytest.raises(RefereeError, match=re.escape("start=7h: that card is not in the pack; write one like r0")):
        game.start({"players": "AB", "start": "7h"})


def test_options_are_equal_and_read_back_as_they_were_written() -> None:
    table = Table.of({"players": "ABC", "preset": "junior", "level": "gentle", "start": "7h", "hands": "B2"})
    assert table == Table.of({"hands": "B2", "start": "7h", "level": "gentle", "preset": "junior", "players": "ABC"})
    assert table != Table.of({"players": "ABC", "preset": "junior"})
    again = TypeAdapter(Table).validate_json(TypeAdapter(Table).dump_json(table))
    assert again == table
    assert (again.effects, again.counts, again.pack) == (table.effects, table.counts, table.pack)


def test_a_win_is_called_after_the_time_that_was_agreed_on() -> None:
    for settle, won in (("2", True), ("5", False)):
        match = Match(NEXT, {"players": "ABC", "start": "7h", "hands": "A1", "settle": settle})
        match.add(Landed(t=1.0, seat="A", card=GAME.options.deck[34]))
        match.add(Elapsed(t=4.0))
        assert (match.standing.winner == "A") is won
