"""The main job, end to end, on real photographs of cards and real voices: what was noticed is what happened."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from referee.record.match import Match
from referee.record.notation import read_match
from referee.record.observations import KINDS, Landed, Said, Taken, TakenBack
from referee.record.rulings import Penalty, Win

SCRIPT = Path(__file__).parent.parent.parent / "referee" / "demo" / "match.txt"


@pytest.fixture(scope="module")
def printed() -> list[dict[str, object]]:
    """What `referee demo --json --no-dashboard` prints."""
    command = [sys.executable, "-c", "from referee.cli import main; main()", "demo", "--json", "--no-dashboard"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture(scope="module")
def truth() -> tuple[dict[str, str], list[object]]:
    options, items = read_match(SCRIPT.read_text(encoding="utf-8"))
    return options, [item for item in items if isinstance(item, KINDS)]


def test_every_card_and_word_is_noticed_once_and_in_time(
    printed: list[dict[str, object]], truth: tuple[dict[str, str], list[object]]
) -> None:
    def what(kind: str, value: object) -> tuple[str, str]:
        return kind, str(value)

    wanted = []
    for item in truth[1]:
        if isinstance(item, Landed | TakenBack):
            wanted.append((what(item.kind, item.card), item.t))
        elif isinstance(item, Said):
            wanted.append((what(item.kind, item.text), item.t))
    noticed = [
        (what(o["kind"], o.get("card") or o.get("text")), o["t"])
        for o in printed
        if o["kind"] in ("landed", "taken-back", "said")
    ]
    assert [name for name, _ in noticed] == [name for name, _ in wanted]
    for (name, seen), (_, happened) in zip(noticed, wanted, strict=True):
        assert abs(seen - happened) < 0.7, name


def test_the_rulings_are_those_of_the_match_as_it_truly_was(
    printed: list[dict[str, object]], truth: tuple[dict[str, str], list[object]]
) -> None:
    options, happenings = truth
    rest = {key: value for key, value in options.items() if key not in ("game", "names")}
    match = Match(options["game"], rest, happenings)
    wanted = [(r.kind, r.seat, getattr(r, "code", None)) for r in match.rulings if isinstance(r, Penalty | Win)]
    given = [(r["kind"], r["seat"], r.get("code")) for r in printed if r["kind"] in ("penalty", "win")]
    assert given == wanted
    assert {"illegal-card", "no-sorry"} <= {code for _, _, code in given}
    assert given[-1][0] == "win"


def test_the_demo_shows_what_it_promises(truth: tuple[dict[str, str], list[object]]) -> None:
    plays = [item for item in truth[1] if isinstance(item, Landed)]
    words = [item.text for item in truth[1] if isinstance(item, Said)]
    assert len(plays) >= 12
    assert {"A", "J", "K", "8"} <= {play.card.rank for play in plays if play.card}
    assert {"sorry", "hearts", "last card"} <= set(words)
    assert any(isinstance(item, Taken) for item in truth[1])


def test_what_was_only_presumed_was_asked_before_it_became_a_penalty(printed: list[dict[str, object]]) -> None:
    for code, fault, outcome in (("whose-card", "illegal-card", "answered"), ("no-sorry", "no-sorry", "upheld")):
        (asked,) = (r for r in printed if r["kind"] == "question" and r["code"] == code)
        settled = next(r for r in printed if r["kind"] == "settled" and r["ruling"] == asked["number"])
        penalty = next(r for r in printed if r["kind"] == "penalty" and r["code"] == fault)
        assert settled["outcome"] == outcome
        assert asked["number"] < penalty["number"]


@pytest.mark.parametrize("calls", [1, 3])
def test_ctrl_c_ends_it_quietly_whatever_eye_and_ear_are_doing(calls: int) -> None:
    """It crashed at times, when the process ended while the eye was still looking."""
    command = [sys.executable, "-c", "from referee.cli import main; main()", "demo", "--port", "0"]
    environment = {**os.environ, "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=environment, start_new_session=True, **pipes) as demo:  # type: ignore[call-overload]
        for _ in range(1 + calls):
            assert demo.stdout.readline()
        demo.send_signal(signal.SIGINT)
        assert demo.communicate(timeout=300)[1] == ""
    assert demo.returncode == 130
