"""The command line is the contract: its JSON shapes, and one clear line with the remedy for what a user gets wrong."""

import json
import os
import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from referee.cli.common import seats_and_names
from referee.text.faults import RefereeError

DATA = Path(__file__).parent.parent / "data"
DEMO = Path(__file__).parent.parent.parent / "referee" / "demo"


def referee(*words: object, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from referee.cli import main; main()", *map(str, words)]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=300)


def objects(run: subprocess.CompletedProcess[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_judge_prints_one_ruling_a_line() -> None:
    run = referee("judge", "-", "--players", "ABC", "--option", "start=7h", "--json", text="A:Ah B+4")
    assert run.returncode == 0, run.stderr
    first, penalty, turn = objects(run)
    assert first | {"rests_on": [1]} == {
        "kind": "turn",
        "number": 1,
        "t": 1.0,
        "rule": "UB-14",
        "rests_on": [1],
        "seat": "B",
        "owed": 4,
    }
    assert (penalty["kind"], penalty["seat"], penalty["code"], penalty["cards"]) == ("penalty", "A", "no-sorry", 1)
    assert (turn["kind"], turn["seat"], turn["t"]) == ("turn", "C", 2.0)


def test_judge_reads_json_lines_and_options() -> None:
    lines = [
        {"options": {"game": "uncle-baiting", "players": "ABC", "start": "7h"}},
        {"kind": "landed", "t": 1, "seat": "A", "card": "9c"},
    ]
    run = referee("judge", "-", "--json", text="\n".join(map(json.dumps, lines)))
    assert run.returncode == 0, run.stderr
    assert [(r["kind"], r.get("code")) for r in objects(run)][:1] == [("penalty", "illegal-card")]


@pytest.mark.parametrize(
    ("verb", "good", "key"),
    [
        pytest.param("see", DATA / "vision" / "7s-table.jpg", "cards", id="photos"),
        pytest.param("hear", DATA / "speech" / "words" / "debian_cards_003_9ce426.flac", "words", id="sounds"),
    ],
)
def test_a_bad_file_is_told_in_its_place_and_the_others_are_answered(
    verb: str, good: Path, key: str, tmp_path: Path
) -> None:
    (tmp_path / "empty").touch()
    run = referee(verb, good, tmp_path / "empty", tmp_path / "nosuch", good, "--json")
    first, empty, missing, last = objects(run)
    assert first[key]
    assert last == first
    assert (empty["file"], missing["file"]) == (str(tmp_path / "empty"), str(tmp_path / "nosuch"))
    told = [str(empty["error"]), str(missing["error"])]
    assert run.stderr.splitlines() == [f"referee: {error}" for error in told]
    assert run.returncode == 2


def test_a_line_stays_one_line_in_a_pipe(tmp_path: Path) -> None:
    photo = tmp_path / ("A long name of a photograph, as phones give them, " * 3 + ".jpg")
    photo.write_bytes((DATA / "vision" / "four-aces.jpg").read_bytes())
    (line,) = referee("see", photo).stdout.splitlines()
    assert line.startswith(str(photo))
    assert all(ace in line for ace in ("Ac", "Ad", "Ah", "As"))


def test_the_version_is_that_of_the_distribution() -> None:
    assert referee("--version").stdout == f"referee {version('table-referee')}\n"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        pytest.param("referee ju", ["judge"], id="verb"),
        pytest.param("referee judge --game unc", ["uncle-baiting"], id="game"),
        pytest.param("referee play --level ", ["normal", "gentle", "strict"], id="level"),
        pytest.param("referee see --deck f", ["french"], id="deck"),
    ],
)
def test_the_shell_completes_what_was_begun(typed: str, offered: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_REFEREE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
    program = "import sys; sys.argv = ['referee']; from referee.cli import main; main()"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=300)
    assert run.stdout.splitlines() == offered, run.stderr


def test_a_verb_that_was_mistyped_is_told_with_the_nearest() -> None:
    run = referee("mathces")
    assert run.returncode == 2
    assert "'matches'" in run.stderr


INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it

class Finder:
    @staticmethod
    def find_spec(name, *_):
        if name == "typer":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Finder)
from referee.cli import main
main()
"""


def test_ctrl_c_while_the_program_is_still_being_loaded_ends_it_quietly() -> None:
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False, timeout=300)
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "")


def test_a_reader_that_has_seen_enough_is_no_fault(tmp_path: Path) -> None:
    script = tmp_path / "long.txt"
    script.write_text("players=AB start=7h\n" + "A:Ah B+4 " * 5000)  # more than a pipe holds
    command = [sys.executable, "-c", "from referee.cli import main; main()", "judge", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as judge:
        assert judge.stdout is not None and judge.stderr is not None
        assert judge.stdout.readline()
        judge.stdout.close()
        assert judge.stderr.read() == ""


def test_judge_names_players_for_people() -> None:
    run = referee("judge", "-", "--players", "Ann,Bo", "-o", "start=7h", text="A:Ah")
    assert "Bo picks up 4." in run.stdout


def test_vectors_answer_one_object_each_and_fail_with_1() -> None:
    good = referee("judge", "--vectors", DATA / "vectors" / "uncle-baiting.tsv", "--json")
    assert good.returncode == 0
    assert {tuple(sorted(o)) for o in objects(good)} == {("expected", "got", "name", "ok")}
    assert all(o["ok"] for o in objects(good))
    wrong = "name\tplayers=AB start=7h\tA:Ah =B(4) B+4 =A\n"
    bad = referee("judge", "--vectors", "-", "--game", "uncle-baiting", "--json", text=wrong)
    assert bad.returncode == 1
    assert objects(bad) == [{"name": "name", "ok": False, "got": "!A:no-sorry", "expected": "no penalty at the end"}]


def test_hear_prints_words_with_their_times() -> None:
    clip = next((DATA / "speech" / "words").rglob("*suits_H*.flac"))
    (found,) = objects(referee("hear", clip, "--game", "uncle-baiting", "--json"))
    assert found["file"] == str(clip)
    (word,) = found["words"]
    assert word["text"] in ("heart", "hearts")  # they mean the same
    assert 0 <= word["start"] < word["end"]
    assert 0 < word["confidence"] <= 1


@pytest.mark.parametrize(
    ("words", "what"),
    [
        pytest.param(["judge", "nosuch.txt"], "no file nosuch.txt", id="missing-match"),
        pytest.param(["judge", str(DEMO / "table.mp4")], "as text", id="match-is-a-video"),
        pytest.param(["judge", str(DEMO)], str(DEMO), id="match-is-a-folder"),
        pytest.param(["see", str(DEMO)], "folder", id="photo-is-a-folder"),
        pytest.param(["hear", str(DEMO)], str(DEMO), id="sound-is-a-folder"),
        pytest.param(["see", os.devnull], os.devnull, id="no-photo-at-all"),
        pytest.param(["hear", os.devnull], os.devnull, id="no-sound-at-all"),
        pytest.param(["judge", "-", "--game", "whist"], "no game 'whist'", id="unknown-game"),
        pytest.param(["judge", "-", "-o", "preset=wild"], "preset=wild", id="unknown-preset"),
        pytest.param(["judge", "-", "-o", "preset"], "as in preset=junior", id="option-without-value"),
        pytest.param(["judge", "-", "--players", "Ann"], "2 to 26 players", id="one-player"),
        pytest.param(["judge", "-", "--players", "Ann,Ann"], "name of their own", id="same-name-twice"),
        pytest.param(["judge", "--vectors", "whist.tsv"], "no file whist.tsv", id="missing-vectors"),
        pytest.param(["see", "nosuch.jpg"], "nosuch.jpg", id="missing-photo"),
        pytest.param(["see", str(DEMO / "match.txt")], "match.txt", id="text-is-no-photo"),
        pytest.param(["see", str(DEMO / "table.mp4"), "--deck", "tarot"], "tarot", id="unknown-deck"),
        pytest.param(["see", str(DEMO / "table.mp4"), "--detector", "nosuch.pt"], "nosuch.pt", id="missing-detector"),
        pytest.param(["hear", "nosuch.wav"], "nosuch.wav", id="missing-sound"),
        pytest.param(["hear", str(DEMO / "match.txt")], "match.txt", id="text-is-no-sound"),
        pytest.param(["hear", str(DEMO / "table.flac"), "--game", "whist"], "whist", id="unknown-game-to-hear"),
        pytest.param(["watch", "nosuch.mp4", "--players", "Ann,Bo"], "nosuch.mp4", id="missing-video"),
        pytest.param(
            ["watch", str(DEMO / "table.mp4"), "--players", "Ann,Bo", "--sound", "nosuch.wav"],
            "nosuch.wav",
            id="missing-sound-of-video",
        ),
        pytest.param(["play", "--players", "Ann,Bo", "--camera", "99"], "camera 99", id="no-such-camera"),
        pytest.param(["bench", "eye", "--shared", "nosuch"], "nosuch", id="nothing-to-measure-on"),
        pytest.param(["replay", "99"], "play a match first", id="no-match-yet"),
    ],
)
def test_a_fault_is_one_line_with_exit_code_2(
    words: list[str], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "matches.db"))
    run = referee(*words)
    assert run.returncode == 2, run.stdout + run.stderr
    assert run.stderr.startswith("referee: ")
    assert what in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1
    assert "Traceback" not in run.stderr


def test_a_malformed_token_is_named_with_line_and_column() -> None:
    run = referee("judge", "-", text="# Sunday\nA:Qh B;Qs")
    assert run.returncode == 2
    assert "line 2, column 6" in run.stderr
    assert "B;Qs" in run.stderr


def test_a_busy_port_is_named() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        run = referee("demo", "--port", port)
    assert run.returncode == 2
    assert str(port) in run.stderr
    assert "--port" in run.stderr


def test_doctor_says_what_works_and_what_to_do() -> None:
    run = referee("doctor", "--json")
    found = {o["name"]: o for o in objects(run)}
    assert found["weights vosk-en"]["ok"]
    assert found["weights reader"]["ok"]
    camera = found["camera 0"]
    assert camera["ok"] or camera["remedy"]
    assert run.returncode == 0


@pytest.mark.parametrize(
    ("players", "names"),
    [
        pytest.param("Ann,Bo,Cy", ["Ann", "Bo", "Cy"], id="names"),
        pytest.param("Ann, Bo , Cy,", ["Ann", "Bo", "Cy"], id="spaces-and-a-comma-too-many"),
        pytest.param("Ann Bo Cy", ["Ann", "Bo", "Cy"], id="no-commas"),
        pytest.param("Ann; Uncle  Bo", ["Ann", "Uncle Bo"], id="two-words"),
        pytest.param("Ann-Marie,Anna,Anton", ["Ann-Marie", "Anna", "Anton"], id="one-initial"),
        pytest.param("Jörg,Zoë,O’Neil", ["Jörg", "Zoë", "O’Neil"], id="accents"),
        pytest.param("爸爸,妈妈", ["爸爸", "妈妈"], id="another-script"),
        pytest.param("ABC", ["A", "B", "C"], id="seats"),
        pytest.param("ANN,BO", ["ANN", "BO"], id="capitals"),
    ],
)
def test_players_are_called_as_people_write_their_names(players: str, names: list[str]) -> None:
    seats, named = seats_and_names(players)
    assert list(named.values()) == names
    assert seats == "".join(named) == "ABC"[: len(names)]


@pytest.mark.parametrize(
    ("players", "told"),
    [("", "2 to 26 players, not 0"), ("Ann", "not 1"), (" ,", "not 0"), ("Ann,ann", "2 players are called Ann")],
)
def test_players_that_cannot_be_told_apart_are_refused(players: str, told: str) -> None:
    with pytest.raises(RefereeError, match=told):
        seats_and_names(players)
