"""How is Uncle Baiting played at random?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from referee.games.kit import random_play
from referee.games.kit.ring import ANYONE, seat_of
from referee.games.uncle_baiting import UncleBaiting
from referee.games.uncle_baiting.legal import BUTTS_IN, PLAYS, RIGHT, identical, verdict
from referee.games.uncle_baiting.order import hands_between
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.winning import cleared
from referee.record.cards import JOKER, Card
from referee.record.observations import Happening, Landed, Pointed, Taken

_GAME: Final = UncleBaiting()


class RandomPlay(random_play.RandomPlay):
    """As every random match, with fives that point, fours that pass hands on, butt-ins and Jokers."""

    usual = {"preset": "junior"}  # noqa: RUF012  (nobody changes it)
    state: State

    def __init__(
        self, options: Mapping[str, str], seed: int, mistakes: float = 0.0, *, told: bool = True, pays: bool = True
    ) -> None:
        """Shuffle and deal; see the base class."""
        self._passed = False
        super().__init__(_GAME, options, seed, mistakes, told=told, pays=pays)

    def _over(self) -> bool:
        return self.state.winner >= 0

    def _play(self, slip: bool) -> Iterator[Happening]:
        state = self.state
        owing = [seat for seat, owed in enumerate(state.owed.penalties) if owed and self._pays]
        left = len(self.pick_up)
        if state.order.pointing == ANYONE and state.top.owner >= 0:
            letters = state.table.players
            at, hand = self._random.choice(letters), self._random.choice((0, 1, 2))
            yield Pointed(t=self._t, seat=letters[state.top.owner], at=at, hand=hand)
        elif owing and left:
            if state.top.fours and owing[0] == seat_of(state.order.turn):
                self._pass_hands()
            yield self._take(owing[0], min(left, state.owed.penalties[owing[0]]))
        elif slip and not state.top.fours:  # whose hands are passed on if it is right by chance?
            yield from self._slip()
        else:
            turn = seat_of(state.order.turn)
            choices = list(self._choices())
            if state.top.fours and not (choices and self._random.random() < 0.5):
                self._pass_hands()
                choices = [(seat, card) for seat, card in self._choices() if seat == turn]
            if choices and ((state.top.fours and not self._passed) or self._random.random() < 0.9):
                yield self._land(*self._random.choice(choices))
            elif left:
                yield self._take(turn if turn >= 0 else 0, min(left, state.debt or 1))

    def _choices(self) -> Iterator[tuple[int, Card]]:
        """Every right play that somebody can make now; Jokers seldom, and before a four's hands are passed butt-ins."""
        state = self.state
        turn, top = seat_of(state.order.turn), state.top
        for seat, hand in enumerate(self.hands):
            for card in hand:
                if seat == turn or turn < 0 or identical(top, card) or (card is JOKER and self._random.random() < 0.05):
                    what = verdict(state, seat, card)
                    held_back = top.fours and not self._passed and seat == turn and what != BUTTS_IN
                    if not held_back and what in ((PLAYS,) if self._passed else RIGHT):
                        yield seat, card

    def _land(self, seat: int, card: Card) -> Landed:
        self._passed = False
        return super()._land(seat, card)

    def _take(self, seat: int, count: int) -> Taken:
        self._passed = False
        return super()._take(seat, count)

    def _pass_hands(self) -> None:
        """A red four lies on top: everybody passes the hand on, unless that ends the match."""
        state, self._passed = self.state, True
        by = hands_between(state.order, state.table.seats) * state.top.fours % state.table.seats
        if by and not any(cleared(state, seat) for seat in state.owed.out):
            self.hands = [*self.hands[-by:], *self.hands[:-by]]
