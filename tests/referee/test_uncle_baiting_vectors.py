"""Uncle Baiting answers every vector as the rule books say: the 131 that came with the rules, and ours."""

from pathlib import Path

import pytest

from referee.record.notation import Vector, read_vectors
from referee.record.vectors import run_vector

VECTORS = Path(__file__).parents[1] / "data" / "vectors"


def vectors(name: str) -> list[Vector]:
    return read_vectors((VECTORS / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "vector",
    [*vectors("uncle-baiting.tsv"), *vectors("uncle-baiting-more.tsv")],
    ids=lambda vector: vector.name,
)
def test_a_vector(vector: Vector) -> None:
    result = run_vector(vector, "uncle-baiting")
    assert result.ok, f"got {result.got}, expected {result.expected}"


def test_the_given_vectors_are_all_here() -> None:
    assert len(vectors("uncle-baiting.tsv")) == 131
