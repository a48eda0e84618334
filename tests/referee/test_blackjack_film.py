"""A match of Blackjack is played to its win by nothing but a film and its sound: hands, cards, and "I'm done"."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = """\
game=blackjack names=Ann,Bo hands=A2,B9
@1.5 A:9h @2.4 A"done" @5 B:9c @7 B:9d @9.2 B+1 @11.4 A:4d @12.3 A"done"
"""


def referee(*words: str) -> str:
    command = [sys.executable, "-c", "from referee.cli import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout


def test_a_match_is_won_before_eye_and_ear(tmp_path: Path) -> None:
    (tmp_path / "script.txt").write_text(SCRIPT, encoding="utf-8")
    looks = ("--seconds", "15", "--fps", "15", "--trouble", "0")
    script = ("--game", "blackjack", "--script", str(tmp_path / "script.txt"))
    referee("simulate", *script, *looks, "--to", str(tmp_path))
    film, sound, layout = (str(tmp_path / name) for name in ("table.mp4", "table.flac", "layout.json"))
    table = ("--game", "blackjack", "--players", "Ann,Bo", "-o", "hands=A2,B9")
    told = referee("watch", film, "--sound", sound, "--layout", layout, *table, "--no-dashboard", "--json")
    lines = [json.loads(line) for line in told.splitlines()]
    assert [line["text"] for line in lines if line["kind"] == "said"] == ["done", "done"]
    rulings = [(line["kind"], line["seat"]) for line in lines if "number" in line]
    assert rulings == [("turn", "B"), ("penalty", "B"), ("turn", "A"), ("win", "A")]
