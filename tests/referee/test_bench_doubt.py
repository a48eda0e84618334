"""In a closed loop people pay what the referee gives them, and nobody is penalised for what eye and ear made up."""

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.bench.doubt import PEOPLE, SENSES, TAPPED, People, Played, figures, judged
from referee.cli.verbs import app
from referee.doubt.fit import SETTLED, fitted
from referee.games import game_named
from referee.record.observations import Landed
from referee.record.rulings import Penalty

SECONDS = 90.0


def played(people: str, senses: str, seed: int = 3) -> tuple[Counter[str], Played]:
    return judged("junior", PEOPLE[people], SENSES[senses], seed, seconds=SECONDS)


@pytest.mark.parametrize("people", ["", "nobody pays"])
def test_perfect_senses_give_every_penalty_at_once_and_no_other(people: str) -> None:
    counts, match = played(people, "perfect")
    assert counts["given"] == counts["penalties"] >= 2
    assert counts["false"] == counts["questions"] == 0
    assert counts["turn_right"] == counts["looks"]
    assert set(match.delays) == {0.0}


def test_uno_is_refereed_as_well_when_turns_end_by_themselves() -> None:
    counts, match = judged("", PEOPLE[""], TAPPED, 10, game="uno")
    assert counts["given"] == counts["penalties"] >= 5
    assert counts["false"] == counts["questions"] == 0
    assert counts["turn_right"] == counts["looks"]
    assert {"no-uno", "sniped"} & {ruling.code for ruling in match.seen if isinstance(ruling, Penalty)}
    total = Counter[str]()
    for seed in range(4):
        total += judged("", PEOPLE[""], SENSES["harsh"], seed, game="uno")[0]
    assert total["false"] == 0
    assert 2 * (total["given"] + total["given_otherwise"]) > total["penalties"]


@pytest.mark.parametrize("people", list(PEOPLE))
def test_nobody_is_penalised_for_what_harsh_senses_make_up(people: str) -> None:
    counts, _ = played(people, "harsh")
    assert counts["false"] == 0
    assert 2 * (counts["given"] + counts["given_otherwise"]) >= counts["penalties"]


def test_people_pay_what_the_referee_gave_them_and_nothing_else() -> None:
    _, match = judged("junior", People(mistakes=0.2), TAPPED, 4, seconds=SECONDS)
    _, silent = judged("junior", People(mistakes=0.2, pay=False), TAPPED, 4, seconds=SECONDS)
    given = [ruling for ruling in match.seen if isinstance(ruling, Penalty)]
    assert given
    assert match.noticed != silent.noticed


def test_a_table_says_what_came_of_it() -> None:
    counts, match = played("", "harsh")
    row = figures(counts, match.delays, match.costs, match.stretch, SECONDS)
    assert row["due"] == counts["penalties"]
    assert row["given"] + row["given_otherwise"] + row["asked"] + row["missed"] == row["due"]
    assert row["cost_median_ms"] <= row["cost_99_ms"] <= row["cost_most_ms"]
    assert 0.0 < row["stretch_most_ms"] <= row["cost_most_ms"]


def test_people_and_senses_are_measured_from_what_was_noticed() -> None:
    _, match = judged("junior", People(mistakes=0.2), SENSES["harsh"], 3, seconds=SECONDS)
    options = {"players": "ABCD", "preset": "junior"}
    found = fitted(game_named("uncle-baiting"), [(options, match.noticed)])
    assert found["wrong"]["of"] > 10
    assert 0.02 < found["wrong"]["share"] < 0.5
    assert found["misread"]["share"] < 0.1


def test_a_record_is_measured_from_the_command_line(tmp_path: Path) -> None:
    _, match = judged("junior", People(mistakes=0.2), SENSES["harsh"], 3, seconds=SECONDS)
    record = tmp_path / "match.jsonl"
    head = {"options": {"players": "ABCD", "preset": "junior"}}
    record.write_text("\n".join(json.dumps(line) for line in [head, *(seen.to_json() for seen in match.noticed)]))
    told = CliRunner().invoke(app, ["bench", "doubt", "--fit", str(record), "--json"])
    assert told.exit_code == 0
    settled = [seen for seen in match.noticed[:-SETTLED] if isinstance(seen, Landed)]
    assert json.loads(told.output)["uncle-baiting"]["wrong"]["of"] == len(settled) > 10
