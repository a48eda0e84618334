"""Matches are played to their win by nothing but a film and its sound: hands, cards, "I'm done" and "uno"."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BLACKJACK = """\
game=blackjack names=Ann,Bo hands=A2,B9
@1.5 A:9h @2.4 A"done" @5 B:9c @7 B:9d @9.2 B+1 @11.4 A:4d @12.3 A"done"
"""
UNO = """\
game=uno names=Ann,Bo start=r5 hands=A5,B2
@1.5 A+1 @4 B:r7 @4.9 B"uno" @8 A+1 @11.5 B:r2
"""


def referee(*words: str) -> str:
    command = [sys.executable, "-c", "from referee.cli import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout


@pytest.mark.parametrize(
    ("script", "said", "ruled"),
    [
        (BLACKJACK, ["done", "done"], [("turn", "B"), ("penalty", "B"), ("turn", "A"), ("win", "A")]),
        (UNO, ["uno"], [("turn", "B"), ("turn", "A"), ("win", "B")]),
    ],
    ids=["blackjack", "uno"],
)
def test_a_match_is_won_before_eye_and_ear(
    tmp_path: Path, script: str, said: list[str], ruled: list[tuple[str, str]]
) -> None:
    (tmp_path / "script.txt").write_text(script, encoding="utf-8")
    game, _, *options = script.splitlines()[0].split()
    name = game.removeprefix("game=")
    looks = ("--seconds", "15", "--fps", "15", "--trouble", "0")
    referee("simulate", "--game", name, "--script", str(tmp_path / "script.txt"), *looks, "--to", str(tmp_path))
    film, sound, layout = (str(tmp_path / part) for part in ("table.mp4", "table.flac", "layout.json"))
    table = ("--game", name, "--players", "Ann,Bo", *(word for option in options for word in ("-o", option)))
    told = referee("watch", film, "--sound", sound, "--layout", layout, *table, "--no-dashboard", "--json")
    lines = [json.loads(line) for line in told.splitlines()]
    assert [line["text"] for line in lines if line["kind"] == "said"] == said
    assert [(line["kind"], line["seat"]) for line in lines if "number" in line] == ruled
