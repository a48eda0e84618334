"""`referee enrol` learns a deck from photos, asks for what it cannot name, and refuses what is no deck in one line."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PHOTOS = Path(__file__).parent.parent / "data" / "vision"


@pytest.fixture(autouse=True)
def decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REFEREE_DECKS", str(tmp_path / "decks"))
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "matches.db"))
    return tmp_path / "decks"


def referee(*words: object, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from referee.cli import main; main()", *map(str, words)]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=300)


def photos(folder: Path, **named: str) -> Path:
    folder.mkdir()
    for name, source in named.items():
        shutil.copy(PHOTOS / f"{source}.jpg", folder / f"{name}.jpg")
    return folder


def test_a_deck_is_learned_from_photos_then_used(tmp_path: Path, decks: Path) -> None:
    run = referee("enrol", "kitchen deck", "--photos", photos(tmp_path / "photos", one="four-aces"), "--json")
    assert run.returncode == 0, run.stderr
    *cards, done = [json.loads(line) for line in run.stdout.splitlines()]
    assert {card["card"] for card in cards} == {"Ac", "Ad", "Ah", "As"}
    assert cards[-1]["number"] == 4
    assert done["file"] == str(decks / "kitchen deck.deck")
    assert sorted(done["cards"]) == ["Ac", "Ad", "Ah", "As"]
    assert done["unnamed"] == 0
    seen = referee("see", PHOTOS / "four-aces.jpg", "--deck", "kitchen deck", "--json")
    assert sorted(card["card"] for card in json.loads(seen.stdout)["cards"]) == ["Ac", "Ad", "Ah", "As"]


def test_photos_may_bear_the_names(tmp_path: Path) -> None:
    folder = photos(tmp_path / "photos", fox="7s-table", owl="kd-table", owl_2="kd-bag")
    run = referee("enrol", "animals", "--photos", folder, "--names-from", "files")
    assert run.returncode == 0, run.stderr
    assert "No card is missing." in run.stdout
    assert "animals: 2 cards learned" in run.stdout
    assert "--deck animals" in run.stdout.replace("\n", " ")


def test_what_nobody_can_name_is_asked_for(tmp_path: Path) -> None:
    folder = photos(tmp_path / "photos", a="four-aces", b="7s-table")
    order = "Ac Ad"  # fewer than are shown: the order is not believed, and 7s is not in it
    run = referee("enrol", "ours", "--photos", folder, "--cards", order, text="unicorn\nAd\n")
    assert run.returncode == 0, run.stderr
    assert "Which card is this?" in run.stdout
    assert "there is no card 'unicorn'" in run.stdout
    assert "ours: 2 cards learned" in run.stdout


def test_when_nobody_answers_the_rest_is_left_out(tmp_path: Path) -> None:
    folder = photos(tmp_path / "photos", a="four-aces", b="notebook")
    run = referee("enrol", "ours", "--photos", folder)
    assert run.returncode == 0, run.stderr
    assert "ours: 4 cards learned" in run.stdout
    assert "Missing: " in run.stdout


def test_a_known_name_is_kept_unless_replaced(tmp_path: Path) -> None:
    folder = photos(tmp_path / "photos", a="four-aces")
    assert referee("enrol", "ours", "--photos", folder).returncode == 0
    again = referee("enrol", "ours", "--photos", folder)
    assert (again.returncode, again.stderr.strip()) == (
        2,
        "referee: there is a deck called 'ours' already: choose another name, or add --replace to learn it anew",
    )
    assert referee("enrol", "ours", "--photos", folder, "--replace").returncode == 0


@pytest.mark.parametrize(
    ("words", "what"),
    [
        pytest.param(["french", "--camera", "99"], "the program has a deck called 'french' itself", id="reserved-name"),
        pytest.param(["../x", "--camera", "99"], "a deck cannot be called", id="name-is-a-path"),
        pytest.param(["ours", "--camera", "99"], "camera 99 did not open", id="no-such-camera"),
        pytest.param(["ours", "--video", "nosuch.mp4"], "nosuch.mp4", id="missing-video"),
        pytest.param(["ours", "--photos", "nosuch"], "nosuch is not a folder", id="missing-folder"),
        pytest.param(
            ["ours", "--photos", str(Path(__file__).parent)], "there are no photos in", id="folder-without-photos"
        ),
        pytest.param(["ours", "--photos", ".", "--video", "a.mp4"], "in one way only", id="two-sources"),
        pytest.param(["ours", "--video", "a.mp4", "--names-from", "files"], "add --photos", id="names-of-no-photos"),
        pytest.param(["ours", "--names-from", "nosuch.txt"], "nosuch.txt", id="missing-list"),
        pytest.param(["ours", "--cards", "Kc-Ac"], "'Kc-Ac'", id="run-backwards"),
        pytest.param(["ours", "--cards", "fox fox"], "only fox is named", id="one-card"),
    ],
)
def test_what_is_no_deck_is_refused_in_one_line(words: list[str], what: str) -> None:
    run = referee("enrol", *words)
    assert run.returncode == 2, run.stdout + run.stderr
    assert run.stderr.startswith("referee: ")
    assert what in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


def test_a_folder_of_anything_but_cards_is_refused(tmp_path: Path) -> None:
    run = referee("enrol", "ours", "--photos", photos(tmp_path / "photos", a="notebook", b="hands"))
    assert run.returncode == 2
    assert "fewer than two" in run.stderr
    assert not (tmp_path / "decks" / "ours.deck").exists()
