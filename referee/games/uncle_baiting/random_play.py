"""How is Uncle Baiting played at random?"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.kit import random_play
from referee.games.kit.ring import ANYONE, seat_of
from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.legal import BUTTS_IN, PLAYS, RIGHT, identical, verdict
from referee.games.uncle_baiting.order import hands_between
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.winning import cleared
from referee.record.cards import JOKER, Card
from referee.record.observations import Happening, Landed, Pointed, Taken


class RandomPlay(random_play.RandomPlay):
    """As every random match, with fives that point, fours that pass hands on, butt-ins and Jokers."""

    usual = {"preset": "junior"}  # noqa: RUF012  (nobody changes it)
    game = GAME
    state: State
    _passed = False

    def _over(self) -> bool:
        return self.state.winner >= 0

    def _play(self, slip: bool) -> Iterator[Happening]:
        state, letters = self.state, self.state.table.players
        if state.order.pointing == ANYONE and state.top.owner >= 0:
            at, hand = self._random.choice(letters), self._random.choice((0, 1, 2))
            yield Pointed(t=self._t, seat=letters[state.top.owner], at=at, hand=hand)
        else:  # whose hands are passed on if a card on a four is right by chance?
            yield from super()._play(slip and not state.top.fours)

    def _choices(self) -> list[tuple[int, Card]]:
        choices = list(self._right())
        if self.state.top.fours and not (choices and self._random.random() < 0.5):
            self._pass_hands()
            choices = [(seat, card) for seat, card in self._right() if seat == seat_of(self.state.order.turn)]
        return choices

    def _plays(self) -> bool:
        return (self.state.top.fours > 0 and not self._passed) or super()._plays()

    def _right(self) -> Iterator[tuple[int, Card]]:
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
        if self.state.top.fours and seat == seat_of(self.state.order.turn) and not self._passed:
            self._pass_hands()
        self._passed = False
        return super()._take(seat, count)

    def _pass_hands(self) -> None:
        """A red four lies on top: everybody passes the hand on, unless that ends the match."""
        state, self._passed = self.state, True
        by = hands_between(state.order, state.table.seats) * state.top.fours % state.table.seats
        if by and not any(cleared(state, seat) for seat in state.owed.out):
            self.hands = [*self.hands[-by:], *self.hands[:-by]]
