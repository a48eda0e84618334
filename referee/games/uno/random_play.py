"""How is UNO played at random?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.games.kit import random_play
from referee.games.uno import GAME, turn
from referee.games.uno.state import State
from referee.record.observations import Happening, Tossed, TurnEnded, Voted


class RandomPlay(random_play.RandomPlay):
    """As every random match, with turns that are ended, votes on sniping and the coin."""

    state: State

    def __init__(
        self, options: Mapping[str, str], seed: int, mistakes: float = 0.0, *, told: bool = True, pays: bool = True
    ) -> None:
        """Shuffle and deal; see the base class."""
        super().__init__(GAME, options, seed, mistakes, told=told, pays=pays)

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
                yield TurnEnded(t=self._t, seat=letter)
                return
            if right:
                yield self._land(seat, self._random.choice(right))
                return
        yield from super()._play(slip)
