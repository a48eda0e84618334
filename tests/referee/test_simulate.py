"""`referee simulate` writes a match that the other verbs can use."""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
import soundfile

from referee.cli.simulate import acts_of
from referee.games.kit.random_play import timed
from referee.games.uncle_baiting.random_play import RandomPlay
from referee.record.match import Match
from referee.record.notation import read_match
from referee.record.observations import KINDS, Landed, Pointed, Said
from vision.input.sources import open_source
from vision.layout.places import Layout


def referee(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from referee.cli import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve seconds of a match, simulated."""
    to = tmp_path_factory.mktemp("match")
    words = ("--players", "Ann,Bo,Cy", "--seed", "3", "--seconds", "12", "--size", "480x270", "--fps", "15")
    run = referee("simulate", *words, "--to", str(to))
    assert run.returncode == 0, run.stderr
    assert "referee watch" in run.stdout
    return to


def test_the_record_is_one_that_judge_reads(folder: Path) -> None:
    run = referee("judge", str(folder / "match.txt"), "--json")
    assert run.returncode == 0, run.stderr
    assert any(json.loads(line)["kind"] == "turn" for line in run.stdout.splitlines())


def test_picture_and_sound_are_as_long_as_asked(folder: Path) -> None:
    with open_source(str(folder / "table.mp4"), clock=lambda: 0.0) as source:
        frames = list(source.frames())
    assert len(frames) == 12 * 15
    assert frames[0].image.shape == (270, 480, 3)
    assert soundfile.info(str(folder / "table.flac")).duration == pytest.approx(12, abs=0.01)


def test_the_layout_says_where_everything_is(folder: Path) -> None:
    layout = Layout.read(folder / "layout.json")
    assert layout.discard is not None
    assert layout.pick_up is not None
    assert layout.discard[0] > layout.pick_up[0]
    assert set(layout.seats) == set("ABC")


def test_a_script_is_shown_as_it_is_written(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("game=uncle-baiting names=Ann,Bo start=7h preset=junior\n@1.5 A:7s @3 B+1\n", encoding="utf-8")
    words = ("--script", str(script), "--seconds", "5", "--silent", "--size", "320x180", "--fps", "10")
    run = referee("simulate", *words, "--to", str(tmp_path / "out"))
    assert run.returncode == 0, run.stderr
    options, items = read_match((tmp_path / "out" / "match.txt").read_text(encoding="utf-8"))
    assert options["start"] == "7h"
    assert [str(getattr(item, "card", "")) for item in items if isinstance(item, Landed)] == ["7s"]
    assert not (tmp_path / "out" / "table.flac").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param(("--deck", "nobodys"), "byronknoll", id="deck"),
        pytest.param(("--table", "water"), "felt", id="table"),
        pytest.param(("--size", "big"), "960x540", id="size"),
        pytest.param(("--level", "absurd"), "middle", id="level"),
    ],
)
def test_what_cannot_be_is_named_with_what_can(tmp_path: Path, words: tuple[str, str], says: str) -> None:
    run = referee("simulate", *words, "--to", str(tmp_path))
    assert run.returncode == 2
    assert says in run.stderr


def test_equal_seeds_give_equal_matches_and_mistakes_are_made() -> None:
    one, other = (timed(RandomPlay({"players": "ABC", "preset": "junior"}, 7, 0.3), 7, 120.0) for _ in range(2))
    assert one == other
    options = dict(RandomPlay({"players": "ABC", "preset": "junior"}, 7, 0.3).options)
    assert any(ruling.kind == "penalty" for ruling in Match("uncle-baiting", options, one).rulings)


def test_every_card_and_word_is_shown_or_said_and_no_hand_is_in_two_places() -> None:
    record = timed(RandomPlay({"players": "ABC", "preset": "junior"}, 5, 0.1), 5, 90.0)
    acts, words = acts_of(record, "ABC", 5, 0.2, 90.0)
    played = [(item.t, str(item.card)) for item in record if isinstance(item, Landed)]
    assert [(a.t, a.card) for a in acts if a.kind in ("play", "throw")] == played
    assert [(w.t, w.text) for w in words] == [(item.t, item.text) for item in record if isinstance(item, Said)]
    for seat in "ABC":
        times = sorted(act.t for act in acts if act.seat == seat)
        assert all(later - earlier > 0.9 for earlier, later in pairwise(times))
    assert all(isinstance(item, KINDS) for item in record)


def test_who_points_after_a_five_is_shown_pointing() -> None:
    record = timed(RandomPlay({"players": "ABC", "preset": "full"}, 2, 0.1), 2, 90.0)
    acts, _ = acts_of(record, "ABC", 2, 0.2, 90.0)
    pointed = [(item.t, item.seat, item.at) for item in record if isinstance(item, Pointed) and item.seat != item.at]
    assert pointed
    assert [(act.t, act.seat, act.at) for act in acts if act.kind == "point"] == pointed
