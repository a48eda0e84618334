"""Nobody is penalised for what eye and ear were not sure of, even among people who make mistakes."""

import pytest

from referee.bench_doubt import SENSES, bench_doubt


@pytest.fixture(scope="module")
def counts() -> dict[str, dict[str, int]]:
    return bench_doubt(12, ["junior"])


def test_perfect_senses_give_every_penalty_and_no_other(counts: dict[str, dict[str, int]]) -> None:
    perfect = counts["junior, perfect"]
    assert perfect["given"] == perfect["penalties"] > 100
    assert "false" not in perfect
    assert perfect["turn_right"] == perfect["looks"]


@pytest.mark.parametrize("senses", [name for name in SENSES if name != "perfect"])
def test_false_penalties_are_rare_where_senses_are_not_sure(counts: dict[str, dict[str, int]], senses: str) -> None:
    seen = counts[f"junior, {senses}"]
    assert 6 * seen.get("false", 0) < seen["penalties"]


def test_most_penalties_are_given_though_a_tenth_is_unsure(counts: dict[str, dict[str, int]]) -> None:
    seen = counts["junior, a tenth unsure"]
    assert 4 * seen["given"] > 3 * seen["penalties"]
