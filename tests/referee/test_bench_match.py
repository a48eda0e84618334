"""`referee bench match` counts what was ruled against what is true."""

import json
import subprocess
import sys

import pytest

from referee.bench.match import compare
from referee.record.match import Match
from referee.record.notation import read_match
from referee.record.observations import KINDS
from referee.record.rulings import AnyRuling

HEAD = "players=ABC preset=junior start=5s"
FAIR = "@2 A:6s @4 B:4s @6 C:Qs @30"
FAULTS = "@2 A:6s @4 B:4d @6 C:Qs @30"  # B's card fits neither suit nor rank


def rulings(line: str) -> list[AnyRuling]:
    options, record = read_match(f"{HEAD}\n{line}")
    return Match("uncle-baiting", options, [row for row in record if isinstance(row, KINDS)]).rulings


@pytest.mark.parametrize(
    ("true", "seen", "counts"),
    [
        pytest.param(FAULTS, FAULTS, {"given": "all", "missed": 0, "false": 0}, id="all seen"),
        pytest.param(FAULTS, FAIR, {"given": 0, "missed": "all", "false": 0}, id="the fault is not seen"),
        pytest.param(FAIR, FAULTS, {"given": 0, "missed": 0, "false": "some"}, id="a fault is invented"),
    ],
)
def test_each_penalty_is_given_missed_or_false(true: str, seen: str, counts: dict[str, object]) -> None:
    told: list[str] = []
    found = compare(rulings(true), rulings(seen), 30.0, told.append)
    for name, count in counts.items():
        match count:
            case "all":
                assert found[name] == found["penalties"] > 0
            case "some":
                assert found[name] > 0
            case _:
                assert found[name] == count
    assert len(told) == found["missed"] + found["asked"] + found["false"]


def test_the_turn_is_compared_all_along() -> None:
    assert compare(rulings(FAIR), rulings(FAIR), 30.0)["turn_right"] == 60
    late = compare(rulings(FAIR), rulings("@12 A:6s @14 B:4s @16 C:Qs @30"), 30.0)
    assert 0 < late["turn_right"] < late["looks"] == 60


def test_a_match_is_played_watched_and_counted() -> None:
    words = ("bench", "match", "--matches", "1", "--level", "easy", "--seconds", "14", "--json")
    command = [sys.executable, "-c", "from referee.cli import main; main()", *words]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == 0, run.stderr
    counts = json.loads(run.stdout)
    assert counts["looks"] == 28
    assert counts.get("turn_right", 0) > 14
