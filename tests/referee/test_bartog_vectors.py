"""Bartog answers every vector, the given ones and ours, by the pure game and by the referee with its belief."""

from pathlib import Path

import pytest

from referee.record import vectors
from referee.record.notation import Vector, read_vectors
from referee.record.observations import Claimed
from referee.record.vectors import run_vector
from tests.referee.certain_play import CertainMatch

FOLDER = Path(__file__).parents[1] / "data" / "vectors"
VECTORS = read_vectors((FOLDER / "bartog.tsv").read_text(encoding="utf-8"))
MORE = read_vectors((FOLDER / "bartog-more.tsv").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", [*VECTORS, *MORE], ids=lambda vector: vector.name)
def test_a_vector(vector: Vector, monkeypatch: pytest.MonkeyPatch) -> None:
    believed = run_vector(vector, "bartog")
    assert believed.ok, f"got {believed.got}, expected {believed.expected}"
    if not any(isinstance(item, Claimed) for item in vector.script):  # what people vote is none of the game's business
        monkeypatch.setattr(vectors, "Match", CertainMatch)
        certain = run_vector(vector, "bartog")
        assert certain.ok, f"got {certain.got}, expected {certain.expected}"


def test_the_given_vectors_are_all_here() -> None:
    assert len(VECTORS) == 64
