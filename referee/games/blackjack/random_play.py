"""How is Blackjack played at random?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.games.blackjack import Blackjack
from referee.games.blackjack.state import State
from referee.games.blackjack.words import DONE, WORDS
from referee.games.kit import random_play
from referee.record.cards import Card
from referee.record.observations import Happening, Recycled, Said, Taken, TakenBack, TurnEnded

_GAME: Final = Blackjack()
_BEGINS, _ANSWERS, _GOES_ON, _CAPS, _NAMES, _SAYS_DONE = 0.95, 0.8, 0.6, 0.95, 0.5, 0.8
"""How often a turn begins with a card, a pick-up is answered, a complete turn goes on, an incomplete one does, a suit
is named for an ace, and the end of a turn is said rather than seen by the next seat's playing."""


class RandomPlay(random_play.RandomPlay):
    """As every random match, with turns of several cards; the pile is shuffled in when cards are wanted."""

    game = _GAME
    state: State

    def _deal(self) -> None:
        """All cards go round, and the pile is empty (BJ-1)."""
        top = [Card.of(self.options["top"])] if "top" in self.options else []
        for card in top:
            self.pick_up.remove(card)
        self.hands = [[self.pick_up.pop() for _ in range(count)] for count in self.state.counts]
        self.discard = top

    def _next(self) -> Iterator[Happening]:
        state, slip = self.state, self._random.random() < self._mistakes
        owing = [seat for seat, owed in enumerate(state.penalties) if owed and self._pays]
        if state.wrong and not slip:
            card, seat = state.wrong[-1]
            self.discard.pop()
            self.hands[seat].append(card)
            yield TakenBack(t=self._t, seat=state.players[seat], card=card)
        elif owing and state.there:
            yield self._picks_up(owing[0], state.penalties[owing[0]])
        elif state.course.over:
            yield self._picks_up(state.turn, state.owes)
        elif state.namer >= 0 and not state.suit and self._random.random() < _NAMES:
            yield Said(t=self._t, seat=state.players[state.namer], text=self._random.choice(WORDS))
        else:
            yield from (list(self._slip()) if slip else []) or self._goes_on()

    def _goes_on(self) -> Iterator[Happening]:
        """The seat in turn begins its turn, goes on with it or ends it."""
        state = self.state
        seat, played, roll = state.turn, state.course.played, self._random.random()
        often = _CAPS if not state.complete else _GOES_ON
        if not played:
            often = _ANSWERS if state.debt else _BEGINS
        cards = [card for card in self.hands[seat] if _GAME.fits(state, card)]
        if cards and roll < often:
            yield self._land(seat, self._random.choice(cards))
        elif played and (state.complete or self._random.random() < 0.5):
            follower = state.follower
            after = [card for card in self.hands[follower] if _GAME.right(state, state.players[follower], card)]
            if after and follower != seat and self._random.random() > _SAYS_DONE:
                yield self._land(follower, self._random.choice(after))
            else:
                yield Said(t=self._t, seat=state.players[seat], text=DONE)
        else:
            yield self._picks_up(seat, state.owes or 1)

    def _picks_up(self, seat: int, count: int) -> Happening:
        """`seat` takes what it can of `count` cards, shuffling the pile in before where it is wanted (BJ-11)."""
        kept = 1 + len(self.state.wrong)
        if len(self.pick_up) < count and len(self.discard) > kept:
            self.pick_up = self.discard[:-kept] + self.pick_up
            self.discard = self.discard[-kept:]
            self._random.shuffle(self.pick_up)
            return Recycled(t=self._t)
        if not self.pick_up:
            return TurnEnded(t=self._t, seat=self.state.players[self.state.turn])
        taken: Taken = self._take(seat, min(count, len(self.pick_up)))
        return taken
