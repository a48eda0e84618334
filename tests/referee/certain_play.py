"""Certain play: every happening is what it seems, and what the game finds is given before the next one."""

from __future__ import annotations

from typing import Any

from referee.games import adjudicate, game_named
from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.state import State
from referee.record.notation import parse
from referee.record.observations import Happening
from referee.record.rulings import AnyRuling
from referee.record.standing import Standing

TABLE = {"players": "ABCD", "preset": "full", "start": "7h"}


class CertainMatch:
    """What `referee.record.match.Match` is to a vector, without record and referee."""

    def __init__(self, game: str, options: dict[str, str]) -> None:
        self.game = game_named(game)
        self.state: Any = self.game.start(options)
        self.rulings: list[AnyRuling] = []
        self._row = 0

    @property
    def standing(self) -> Standing:
        return self.game.standing(self.state)

    def add(self, happening: Happening) -> tuple[AnyRuling, ...]:
        self._row += 1
        self.state, rulings = adjudicate(self.game, self.state, happening, self._row)
        self.rulings += rulings
        return rulings


def judge(script: str, **options: str) -> tuple[State, list[AnyRuling]]:
    """The state after `script`, and all that was answered."""
    match = CertainMatch(GAME.name, {**TABLE, **options})
    for happening in parse(script):
        match.add(happening)  # type: ignore[arg-type]
    return match.state, match.rulings


def after(script: str, **options: str) -> State:
    return judge(script, **options)[0]
