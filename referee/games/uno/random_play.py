"""How is UNO played at random?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from referee.games.kit import random_play
from referee.games.uno import GAME, turn
from referee.games.uno.state import State
from referee.record.observations import Happening, Tossed, TurnEnded, Voted

_WAITS: Final = 0.7
"""How often the next seat waits until the turn before is told to be over."""


class RandomPlay(random_play.RandomPlay):
    """As every random match, with turns that are ended, votes on sniping and the coin."""

    game = GAME
    state: State

    def __init__(self, options: Mapping[str, str], seed: int, mistakes: float = 0.0, **more: Any) -> None:
        """Shuffle and deal; see the base class."""
        super().__init__(options, seed, mistakes, **more)
        self._asked: dict[tuple[str, int], bool] = {}

    def _next(self) -> Iterator[Happening]:
        """A word that is forgotten is not remembered before it is too late."""
        asked = [(due.code, self.state.row) for due in self.game.brief(self.state).due]
        self._asked = {one: self._asked.get(one, self._random.random() < self._mistakes) for one in asked}
        forgotten = bool(asked) and all(self._asked.values())
        if forgotten and self.pick_up and not self.state.wrong:
            yield from self._play(False)
        else:
            yield from super()._next()

    def _play(self, slip: bool) -> Iterator[Happening]:
        state = self.state
        if state.snipes:
            snipe = state.snipes[-1]
            voters = [seat for seat in range(len(state.players)) if snipe.poll.may_vote(seat)]
            if snipe.tied is not None:
                yield Tossed(t=self._t, heads=self._random.random() < 0.5)
            else:
                voter = state.players[self._random.choice(voters)]
                yield Voted(t=self._t, seat=voter, uphold=self._random.random() < 0.5)
            return
        seat, letter = state.turn, state.players[state.turn]
        owing = any(state.penalties) and self._pays and self.pick_up
        if turn.open_(state) and not owing and not slip:
            right = [card for card in self.hands[seat] if self.game.right(state, letter, card)]
            chain = state.debt > state.taken > 0 and self.pick_up
            if not chain and not (right and self._random.random() < 0.6):
                yield self._next_acts() or TurnEnded(t=self._t, seat=letter)
                return
            if right:
                yield self._land(seat, self._random.choice(right))
                return
        yield from super()._play(slip)

    def _next_acts(self) -> Happening | None:
        """The next seat plays before anybody has said that the turn is over, if it does."""
        follower = turn.ended(self.state, self._t).turn
        letter = self.state.players[follower]
        cards = [card for card in self.hands[follower] if self.game.right(self.state, letter, card)]
        if follower == self.state.turn or not cards or self._random.random() < _WAITS:
            return None
        return self._land(follower, self._random.choice(cards))
