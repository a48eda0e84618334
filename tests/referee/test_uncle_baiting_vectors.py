"""Uncle Baiting answers every vector as the rule books say: the 131 that came with the rules, and ours.

Vectors about claims, votes and bought answers are the referee's, not the game's; they are judged with the match.
"""

from pathlib import Path

import pytest

from referee.notation import Vector, read_vectors
from referee.observations import Claimed, Voted
from referee.vectors import run_vector
from tests.referee.certain_play import CertainMatch

VECTORS = Path(__file__).parents[1] / "data" / "vectors"


def vectors(name: str) -> list[Vector]:
    return read_vectors((VECTORS / name).read_text(encoding="utf-8"))


def of_the_rules(vector: Vector) -> bool:
    """Whether the game alone answers it: nobody claims, votes or buys an answer."""
    return vector.options.get("strict") != "on" and not any(isinstance(i, Claimed | Voted) for i in vector.script)


@pytest.mark.parametrize(
    "vector",
    [*filter(of_the_rules, [*vectors("uncle-baiting.tsv"), *vectors("uncle-baiting-more.tsv")])],
    ids=lambda vector: vector.name,
)
def test_the_game_alone_answers_a_vector_of_the_rules(vector: Vector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.vectors.Match", CertainMatch)
    result = run_vector(vector, "uncle-baiting")
    assert result.ok, f"got {result.got}, expected {result.expected}"


def test_the_given_vectors_are_all_here() -> None:
    assert len(vectors("uncle-baiting.tsv")) == 131
    assert all(map(of_the_rules, vectors("uncle-baiting.tsv")))
