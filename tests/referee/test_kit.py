"""The next game costs few lines: crazy eights, 43 of them, runs through everything that the referee has."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest
from playwright.sync_api import expect
from typer.testing import CliRunner

from referee.bench.doubt import PEOPLE, SENSES, judged
from referee.cli.verbs import app
from referee.doubt.referee import Referee
from referee.games import GAMES, adjudicate, game_named
from referee.games.kit.random_play import random_play
from referee.record.notation import read_match
from referee.record.rulings import Penalty, Win
from tests.referee.conftest import Start
from tests.referee.devices import Devices, turn

NAME = "crazy-eights"
VECTORS = """\
next	players=ABC start=7h	A:9h =B B:9c =C
two	players=ABC start=7h	A:2h =B(2) B:9h !B:illegal-card =B(2) B:-9h B+3 =C
two-on-two	players=ABC start=7h	A:2h B:2c =C(4) C+4 =A
eight	players=ABC start=7h	A:8c A"spades" =suit:s B:9s =C
eight-without-a-suit	players=ABC start=7h	A:8c B:9c !A:no-suit =C
out-of-turn	players=ABC start=7h	C:9h !C:out-of-turn =A C:-9h C+1 =A
last-card	players=ABC start=7h hands=A2	A:9h B:9c !A:no-last-card =C
last-card-said	players=ABC start=7h hands=A2	A:9h A"last card" B:9c =C
taken-back	players=ABC start=7h	A:9h =B A:-9h =A <A7
wins	players=ABC start=7h hands=A1	A:9h <A0 B:9c #A
wins-after-a-while	players=ABC start=7h hands=A1	A:9h @9 #A
time-out-no-penalties	players=ABC start=7h	A:8c || B:9c =C B:9d B:-9d || C:9s =A
time-out-words	players=ABC start=7h hands=A2	A:9h || B:9c || A:9d !A:out-of-turn
time-out-stops-the-clock	players=ABC start=7h hands=A1	A:9h || @+60 =B || @+2 =B @+1.5 #A
"""


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NAME, "tests.referee.crazy_eights")


def run(*words: str) -> list[dict[str, object]]:
    told = CliRunner().invoke(app, [*words, "--json"])
    assert told.exit_code == 0, told.output
    return [json.loads(line) for line in told.output.splitlines()]


def test_it_is_judged_by_vectors(tmp_path: Path) -> None:
    (tmp_path / "crazy-eights.tsv").write_text(VECTORS)
    told = CliRunner().invoke(app, ["judge", "--vectors", str(tmp_path / "crazy-eights.tsv"), "--game", NAME])
    assert told.exit_code == 0, told.output
    assert "14 of 14" in told.output


@pytest.mark.parametrize("seed", range(6))
def test_random_matches_are_played_to_their_end_and_judged_as_the_game_says(seed: int) -> None:
    play = random_play(NAME, {"players": "ABCD"[: 2 + seed % 3]}, seed, 0.1)
    acts = list(play)
    game, state, found = game_named(NAME), game_named(NAME).start(play.options), []
    judge = Referee(game, play.options)
    for row, act in enumerate(acts, 1):
        state, rulings = adjudicate(game, state, act, row)
        found += [ruling for ruling in rulings if isinstance(ruling, Penalty | Win)]
        judge.observe(act, row)
    assert [(r.kind, r.seat) for r in judge.rulings if isinstance(r, Penalty | Win)] == [
        (r.kind, r.seat) for r in found
    ]
    assert isinstance(found[-1], Win) or not game.brief(state).winner


def test_the_belief_gives_most_penalties_and_none_that_is_false() -> None:
    total = Counter[str]()
    for seed in range(5):
        total += judged("", PEOPLE[""], SENSES["harsh"], seed, game=NAME)[0]
    assert total["false"] == 0
    assert total["penalties"] > 20
    assert 2 * (total["given"] + total["given_otherwise"]) > total["penalties"]


def test_it_is_refereed_on_the_dashboard(start: Start, devices: Devices) -> None:
    table = start(game=NAME, options={"start": "7h"})
    page = devices.open(table.dashboard.url)
    turn(page).to_have_text("Ana")
    table.play("A:9h", "C:9c")
    turn(page).to_have_text("Bo")
    expect(page.locator("#rulings li.penalty")).to_contain_text("Cy takes a card: out of turn")


def test_whole_films_of_it_are_measured() -> None:
    (counts,) = run(
        "bench", "match", "--game", NAME, "--matches", "1", "--seconds", "15", "--level", "easy", "--players", "AB"
    )
    assert counts["looks"] > 20
    assert counts.get("false", 0) == 0
    assert counts["turn_right"] > 0.7 * counts["looks"]  # type: ignore[operator]


def test_it_is_simulated_and_watched(tmp_path: Path) -> None:
    made = ["--seconds", "20", "--mistakes", "0", "--seed", "3", "--silent", "--players", "Ann,Bo"]
    told = CliRunner().invoke(app, ["simulate", "--game", NAME, *made, "--to", str(tmp_path)])
    assert told.exit_code == 0, told.output
    options, _ = read_match((tmp_path / "match.txt").read_text())
    begins = ["--option", f"start={options['start']}", "--layout", str(tmp_path / "layout.json")]
    watched = run("watch", str(tmp_path / "table.mp4"), "--game", NAME, "--players", "Ann,Bo", *begins)
    happened = run("judge", str(tmp_path / "match.txt"))
    seats = ((line["seat"] for line in lines if line["kind"] == "turn") for lines in (watched, happened))
    turns = [[seat for seat, _ in groupby(of)] for of in seats]  # a suit that is named calls the same seat again
    assert turns[0] == turns[1]
    assert len(turns[0]) > 4
