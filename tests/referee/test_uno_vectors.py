"""UNO answers every vector as the rules say: the game alone where all is certain, and the whole referee."""

from pathlib import Path

import pytest

from referee.games import adjudicate
from referee.games.uno import GAME
from referee.record import vectors
from referee.record.notation import Vector, read_vectors
from referee.record.observations import Happening
from referee.record.rulings import AnyRuling
from referee.record.standing import Standing

FILE = Path(__file__).parents[1] / "data" / "vectors" / "uno.tsv"
VECTORS = read_vectors(FILE.read_text(encoding="utf-8"))


class CertainMatch:
    """What a match is to a vector, without record and belief."""

    def __init__(self, game: str, options: dict[str, str]) -> None:
        assert game == GAME.name
        self.state, self._row = GAME.start(options), 0

    @property
    def standing(self) -> Standing:
        return GAME.standing(self.state)

    def add(self, happening: Happening) -> tuple[AnyRuling, ...]:
        self._row += 1
        self.state, rulings = adjudicate(GAME, self.state, happening, self._row)
        return rulings


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_the_game_alone(vector: Vector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "Match", CertainMatch)
    result = vectors.run_vector(vector, "uno")
    assert result.ok, f"got {result.got}, expected {result.expected}"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_the_whole_referee(vector: Vector) -> None:
    result = vectors.run_vector(vector, "uno")
    assert result.ok, f"got {result.got}, expected {result.expected}"


def test_the_given_vectors_are_all_here() -> None:
    assert len(VECTORS) == 56
