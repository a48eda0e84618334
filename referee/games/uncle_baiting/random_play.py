"""How would people play who know the rules but have no plan, and who now and then make a mistake?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Final

from referee.games import adjudicate
from referee.games.ring import ANYONE, seat_of
from referee.games.uncle_baiting import UncleBaiting
from referee.games.uncle_baiting.legal import BUTTS_IN, PLAYS, PLAYS_JOKER, identical, verdict
from referee.games.uncle_baiting.order import hands_between
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.winning import cleared
from referee.games.uncle_baiting.words import WORDS_OF
from referee.record.cards import FRENCH, JOKER, Card
from referee.record.observations import Happening, Landed, Pointed, Recycled, Said, Seat, Taken, TakenBack

GAP: Final = (1.7, 2.9)
"""Seconds from one act to the next."""
BUTT_IN: Final = (0.3, 0.7)
"""Seconds from a card to the identical one that butts in on it."""
_AFTER_WORD: Final = 0.5
_GAME = UncleBaiting()


class RandomPlay:
    """A match played at random from a shuffled pack; iterate for its observations, one second apart, until it is won.

    Attributes:
        options: what the match is played by, the first card included.
        state: the game's state after the happenings given so far.
        hands: the cards in each hand, in seating order.
        pick_up, discard: the piles, top card last.
    """

    def __init__(self, options: Mapping[str, str], seed: int, mistakes: float = 0.0, *, told: bool = True) -> None:
        """Shuffle and deal.

        Args:
            options: as for `Game.start`; `start` is set here.
            seed: equal seeds give equal matches.
            mistakes: how often, 0 to 1, words are forgotten and cards are played wrongly.
            told: whether every mistake is told and its penalty given at once; else only what `given` is called for.
        """
        self._random = Random(seed)
        self._mistakes = mistakes
        self._told = told
        self._passed = False
        self._now = 0.0
        table = _GAME.start(options).table
        plain = [card for card in FRENCH if card in table.effects]
        packs = table.pack // len(plain)
        self.pick_up = [*plain * packs, *[JOKER] * (table.pack - packs * len(plain))]
        self._random.shuffle(self.pick_up)
        self.discard = [self.pick_up.pop()]
        self.hands = [[self.pick_up.pop() for _ in range(count)] for count in table.counts]
        self.options = {**options, "start": self.discard[0].name}
        self.state: State = _GAME.start(self.options)

    def __iter__(self) -> Iterator[Happening]:
        """Play on, one observation at a time."""
        while self.state.winner < 0:
            observation = next(self._next(), None)
            if observation is None:
                return  # all cards are in the hands, and nobody can play
            self._now = observation.t
            if self._told:
                self.state, _ = adjudicate(_GAME, self.state, observation)
            else:
                self.state, _ = _GAME.observe(self.state, observation)
            yield observation

    def given(self, seat: Seat, cards: int, code: str) -> None:
        """The people are told of a penalty, or (fewer cards than 0) that it is struck out."""
        self.state = _GAME.given(self.state, seat, cards, code)

    def _next(self) -> Iterator[Happening]:
        """What happens next: what must be said or set right, else a play."""
        state, slip = self.state, self._random.random() < self._mistakes
        letters, wrong = state.table.players, state.pile.wrong
        if not self.pick_up and len(self.discard) > 1 + len(wrong):
            kept = 1 + len(wrong)
            self.pick_up, self.discard = self.discard[-kept - 1 :: -1], self.discard[-kept:]
            yield Recycled(t=self._t)
        elif wrong and not slip:
            card, seat = wrong[-1]
            self.discard.pop()
            self.hands[seat].append(card)
            yield TakenBack(t=self._t, seat=letters[seat], card=card)
        elif state.duties and not slip:
            duty = state.duties[0]
            yield Said(t=self._t, seat=letters[duty.seat], text=self._random.choice(WORDS_OF[duty.code]))
        elif state.order.pointing == ANYONE and state.top.owner >= 0:
            at, hand = self._random.choice(letters), self._random.choice((0, 1, 2))
            yield Pointed(t=self._t, seat=letters[state.top.owner], at=at, hand=hand)
        else:
            yield from self._play(slip)

    def _play(self, slip: bool) -> Iterator[Happening]:
        state = self.state
        owing = [seat for seat, owed in enumerate(state.owed.penalties) if owed]
        left = len(self.pick_up)
        if owing and left:
            if state.top.fours and owing[0] == seat_of(state.order.turn):
                self._pass_hands()
            yield self._take(owing[0], min(left, state.owed.penalties[owing[0]]))
        elif slip and not state.top.fours:  # whose hands are passed on if it is right by chance?
            seat = self._random.randrange(state.table.seats)
            if self.hands[seat]:
                yield self._land(seat, self._random.choice(self.hands[seat]))
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
                    if not held_back and what in ((PLAYS,) if self._passed else (PLAYS, BUTTS_IN, PLAYS_JOKER)):
                        yield seat, card

    def _land(self, seat: int, card: Card) -> Landed:
        self._passed = False
        self.hands[seat].remove(card)
        self.discard.append(card)
        return Landed(t=self._t, seat=self.state.table.players[seat], card=card)

    def _take(self, seat: int, count: int) -> Taken:
        self._passed = False
        self.hands[seat] += [self.pick_up.pop() for _ in range(count)]
        return Taken(t=self._t, seat=self.state.table.players[seat], count=count)

    def _pass_hands(self) -> None:
        """A red four lies on top: everybody passes the hand on, unless that ends the match."""
        state, self._passed = self.state, True
        by = hands_between(state.order, state.table.seats) * state.top.fours % state.table.seats
        if by and not any(cleared(state, seat) for seat in state.owed.out):
            self.hands = [*self.hands[-by:], *self.hands[:-by]]

    @property
    def _t(self) -> float:
        return self._now + 1.0


def timed(play: Iterable[Happening], seed: int, seconds: float) -> list[Happening]:
    """The observations of a random match at times at which people could do that."""
    random, out, t, last = Random(seed), [], 1.0, None
    for happening in play:
        if isinstance(happening, Said):
            t += random.uniform(0.4, 0.8)
        elif isinstance(happening, Landed) and isinstance(last, Landed) and _butts_in(last, happening):
            t += random.uniform(*BUTT_IN)
        else:
            t += random.uniform(*GAP)
            if isinstance(happening, Taken):
                t += 0.75 * (happening.count - 1) * (happening.count > 1)
            if isinstance(last, Said):
                t = max(t, last.t + _AFTER_WORD + 1.0)
        if t > seconds - 3:
            break
        last = replace(happening, t=round(t, 2))
        out.append(last)
    return out


def _butts_in(before: Landed, after: Landed) -> bool:
    return before.card == after.card and before.seat != after.seat
