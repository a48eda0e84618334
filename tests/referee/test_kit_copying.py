"""A state is copied as `dataclasses.replace` copies it."""

import dataclasses

import pytest

from referee.games import game_named
from referee.games.kit.copying import replace

STATES = [game_named(game).start({"players": "ABC"}) for game in ("blackjack", "uno")]


@pytest.mark.parametrize("state", STATES, ids=lambda state: type(state).__module__)
def test_a_copy_has_the_changes_and_everything_else(state: object) -> None:
    copy = replace(state, turn=2, suit="x")
    assert copy == dataclasses.replace(state, turn=2, suit="x")  # type: ignore[type-var]
    assert copy != state
    assert hash(copy) == hash(dataclasses.replace(copy))  # type: ignore[type-var]


def test_a_field_that_is_none_is_refused() -> None:
    with pytest.raises(KeyError, match="colour"):
        replace(STATES[0], colour="r")
