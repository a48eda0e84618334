"""Blackjack and UNO by every verb of the command line, as a user would try them."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from referee.cli.common import deck_for
from referee.games import GAMES, deck_of
from referee.store import settings as household
from referee.text.faults import RefereeError
from speech.vocabulary import Vocabulary
from vision.look.decks import Deck
from vision.look.quads import SIZE

SPEECH = Path(__file__).parents[1] / "data" / "speech" / "synthetic"
COLOURS = {"red", "yellow", "green", "blue"}
SCRIPTS = {
    "uno": "game=uno names=Ann,Bo start=r5 hands=A3,B3\n@2 A:r8 @4.5 B:b8 @5.5 A^1\n",
    "blackjack": "game=blackjack names=Ann,Bo top=5h hands=A3,B3\n@2 A:5c @4.5 A:Kc\n",
}


def referee(*words: object, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from referee.cli import main; main()", *map(str, words)]
    environment = {**os.environ, "COLUMNS": "200", **more}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, env=environment)


def rows(run: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture
def own_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the household's decks and settings lie during a test."""
    monkeypatch.setenv("REFEREE_DECKS", str(tmp_path))
    household.settings.cache_clear()
    yield tmp_path
    household.settings.cache_clear()


@pytest.mark.parametrize("verb", ["play", "watch", "simulate", "demo"])
def test_the_help_names_the_games(verb: str) -> None:
    told = referee(verb, "--help").stdout
    assert all(game in told for game in GAMES)
    assert "follow" not in told


@pytest.mark.parametrize("game", SCRIPTS)
def test_a_simulated_film_is_watched_as_simulate_says(game: str, tmp_path: Path) -> None:
    """With the game's own cards, named nowhere, and with the votes that were tapped."""
    script = tmp_path / "script.txt"
    script.write_text(SCRIPTS[game], encoding="utf-8")
    size = ("--seconds", 7, "--size", "640x360", "--fps", 12, "--trouble", 0, "--silent")
    made = referee("simulate", "--script", script, *size, "--to", tmp_path / "film")
    assert made.returncode == 0, made.stderr
    command = shlex.split(made.stdout.partition(": referee watch ")[2])
    noticed = rows(referee("watch", *command, "--json"))
    landed = [row for row in noticed if row["kind"] == "landed"]
    played = [row["card"] or row["alternatives"][0][0] for row in landed]  # type: ignore[index]  # the likeliest
    assert played == (["r8", "b8"] if game == "uno" else ["5c", "Kc"])
    assert [row["seat"] for row in noticed if row["kind"] == "voted"] == (["A"] if game == "uno" else [])


def test_recordings_are_heard_in_place_of_a_synthetic_voice(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text('game=uno names=Ann,Bo start=r5\n@2 A:W @3 A"yellow"\n', encoding="utf-8")
    (tmp_path / "A-yellow.flac").write_bytes((SPEECH / "kokoro-am_michael__yellow.flac").read_bytes())
    size = ("--seconds", 6, "--size", "320x180", "--fps", 5, "--trouble", 0, "--chatter", 0)
    made = referee("simulate", "--script", script, *size, "--voices", tmp_path, "--to", tmp_path / "film", PATH="")
    assert made.returncode == 2  # without ffmpeg no film
    made = referee("simulate", "--script", script, *size, "--voices", tmp_path, "--to", tmp_path / "film")
    assert made.returncode == 0, made.stderr
    (heard,) = rows(referee("hear", tmp_path / "film" / "table.flac", "--game", "uno", "--json"))
    assert [word["text"] for word in heard["words"]] == ["yellow"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("game", "deck"), [("uncle-baiting", "french"), ("blackjack", "french"), ("uno", "uno")])
def test_the_eye_gets_the_deck_of_the_game(game: str, deck: str, own_decks: Path) -> None:
    assert deck_of(game) == deck
    assert deck_for(game, None) == deck
    assert deck_for(game, deck) == deck


def test_an_enrolled_deck_serves_the_games_of_its_cards(own_decks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Deck("ours", ("r5", "W", "back"), np.zeros((3, SIZE[1], SIZE[0], 3), np.uint8)).save()
    monkeypatch.setenv("REFEREE_DECK", "ours")
    assert deck_for("uno", None) == "ours"
    assert deck_for("blackjack", None) == "french"
    with pytest.raises(RefereeError, match="'ours' has no cards of blackjack: leave --deck out"):
        deck_for("blackjack", "ours")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(("play", "--game", "uno", "--deck", "french", "--players", "A,B"), "--deck out", id="play"),
        pytest.param(("watch", "x.mp4", "--game", "uno", "--deck", "french", "--players", "A,B"), "uno", id="watch"),
        pytest.param(("simulate", "--game", "uno", "--deck", "byronknoll", "--to", "x"), "--deck out", id="simulate"),
        pytest.param(("watch", "x.mp4", "--taps", "nosuch.txt", "--players", "A,B"), "nosuch.txt", id="taps"),
        pytest.param(("demo", "--game", "whist"), "no game 'whist'", id="demo"),
        pytest.param(("bench", "rules", "--game", "whist"), "no game 'whist'", id="bench-rules"),
    ],
)
def test_what_does_not_fit_is_one_line_with_the_remedy(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    run = referee(*words, REFEREE_DATA=str(tmp_path / "matches.db"), REFEREE_CAMERA="none", REFEREE_MICROPHONE="none")
    assert run.returncode == 2, run.stdout
    assert told in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


def test_colours_are_words_of_uno_alone() -> None:
    for game in GAMES:
        means = {phrase.means for phrase in Vocabulary.of(game).phrases}
        assert bool(means & COLOURS) == (game == "uno")
        assert ("sorry" in means) == (game == "uncle-baiting")
        assert ("done" in means) == (game == "blackjack")


@pytest.mark.parametrize(("game", "words"), [("uno", ["red"]), ("blackjack", []), ("uncle-baiting", [])])
def test_a_colour_that_is_said_disturbs_no_other_game(game: str, words: list[str]) -> None:
    (heard,) = rows(referee("hear", SPEECH / "kokoro-am_michael__red.flac", "--game", game, "--json"))
    assert [word["text"] for word in heard["words"]] == words  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", SCRIPTS)
def test_a_match_is_kept_judged_again_and_written_out(game: str, tmp_path: Path) -> None:
    file, data = tmp_path / "match.txt", tmp_path / "matches.db"
    file.write_text(SCRIPTS[game], encoding="utf-8")
    assert referee("import", file, "--data", data).returncode == 0
    (kept,) = rows(referee("matches", "--data", data, "--json"))
    assert kept["game"] == game
    assert referee("replay", "1", "--data", data).returncode == 0
    out = referee("export", "1", "--data", data)
    (tmp_path / "again.jsonl").write_text(out.stdout, encoding="utf-8")
    assert rows(referee("judge", tmp_path / "again.jsonl", "--json")) == rows(referee("judge", file, "--json"))


def test_the_rules_of_every_game_are_measured_in_one_run() -> None:
    (figures,) = rows(referee("bench", "rules", "--seconds", 0.01, "--json"))
    for game in GAMES:
        assert figures[game]["rules"] > figures[game]["with_play"] > 0  # type: ignore[index]
        assert figures[game]["observations"] > 1000  # type: ignore[index]
    assert {"rlcard_uno", "rlcard_uno_bare", "open_spiel_crazy_eights"} <= set(figures)
