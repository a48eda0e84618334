"""How would people play who know the rules but have no plan, and who now and then make a mistake?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from random import Random
from typing import Any, Final

from referee.games import Game, adjudicate, game_named
from referee.record.cards import Card
from referee.record.observations import Happening, Landed, Recycled, Said, Seat, Taken, TakenBack

PLAYS: Final = {
    "uncle-baiting": "referee.games.uncle_baiting.random_play",
    "blackjack": "referee.games.blackjack.random_play",
    "uno": "referee.games.uno.random_play",
}
"""The modules whose `RandomPlay` plays those games; every other game is played as here."""
GAP: Final = (1.7, 2.9)
"""Seconds from one act to the next."""
BUTT_IN: Final = (0.3, 0.7)
"""Seconds from a card to the identical one that butts in on it."""
_AFTER_WORD: Final = 0.5


class RandomPlay:
    """A match played at random from a shuffled pack; iterate for its observations, one second apart, until it is won.

    Attributes:
        options: what the match is played by, the first card included.
        state: the game's state after the happenings given so far.
        hands: the cards in each hand, in seating order.
        pick_up, discard: the piles, top card last.
    """

    usual: Mapping[str, str] = {}
    """Options by which a match is played where none are chosen."""
    state: Any

    def __init__(
        self,
        game: Game[Any],
        options: Mapping[str, str],
        seed: int,
        mistakes: float = 0.0,
        *,
        told: bool = True,
        pays: bool = True,
    ) -> None:
        """Shuffle and deal.

        Args:
            options: as for `Game.start`; `start` is set here.
            seed: equal seeds give equal matches.
            mistakes: how often, 0 to 1, words are forgotten and cards are played wrongly.
            told: whether every mistake is told and its penalty given at once; else only what `given` is called for.
            pays: whether people take the penalty cards that they owe.
        """
        self.game = game
        self._random = Random(seed)
        self._mistakes, self._told, self._pays = mistakes, told, pays
        self._now = 0.0
        self.options, self.state = dict(options), game.start(options)
        self.pick_up = list(game.pack(self.state))
        self._random.shuffle(self.pick_up)
        self.discard: list[Card] = []
        self.hands: list[list[Card]] = []
        self._deal()

    def _deal(self) -> None:
        """One card is turned over, and every hand gets its cards."""
        self.discard = [self.pick_up.pop()]
        self.hands = [[self.pick_up.pop() for _ in range(count)] for count in self.game.standing(self.state).counts]
        self.options["start"] = self.discard[0].name
        self.state = self.game.start(self.options)

    def __iter__(self) -> Iterator[Happening]:
        """Play on, one observation at a time."""
        while (act := self.next()) is not None:
            told = adjudicate(self.game, self.state, act) if self._told else self.game.observe(self.state, act)
            self.stands(told[0], act.t)
            yield act

    def next(self) -> Happening | None:
        """What they do next; None when it is won, or all cards are in the hands and nobody can play."""
        return None if self._over() else next(self._next(), None)

    def stands(self, state: object, t: float) -> None:
        """They did it, and the match stands like that."""
        self.state, self._now = state, t

    def given(self, seat: Seat, cards: int, code: str) -> None:
        """The people are told of a penalty, or (fewer cards than 0) that it is struck out."""
        self.state = self.game.given(self.state, seat, cards, code)

    def _over(self) -> bool:
        return self.game.brief(self.state).winner is not None

    def _next(self) -> Iterator[Happening]:
        """What happens next: what must be said or set right, else a play."""
        brief = self.game.brief(self.state)
        slip = self._random.random() < self._mistakes and any(self.hands)
        if not self.pick_up and len(self.discard) > 1 + len(brief.wrong):
            kept = 1 + len(brief.wrong)
            self.pick_up, self.discard = self.discard[-kept - 1 :: -1], self.discard[-kept:]
            yield Recycled(t=self._t)
        elif brief.wrong and not slip:
            card, seat = brief.wrong[-1]
            self.discard.pop()
            self.hands[brief.players.index(seat)].append(card)
            yield TakenBack(t=self._t, seat=seat, card=card)
        elif brief.due and not slip:
            yield Said(t=self._t, seat=brief.due[0].seat, text=self._random.choice(brief.due[0].words))
        else:
            yield from self._play(slip)

    def _play(self, slip: bool) -> Iterator[Happening]:
        brief, left = self.game.brief(self.state), len(self.pick_up)
        owing = [seat for seat, owed in enumerate(brief.penalties) if owed and self._pays]
        if owing and left:
            yield self._take(owing[0], min(left, brief.penalties[owing[0]]))
        elif slip:
            yield from self._slip()
        else:
            choices = [
                (seat, card)
                for seat, hand in enumerate(self.hands)
                for card in hand
                if self.game.right(self.state, brief.players[seat], card)
            ]
            if choices and (self._random.random() < 0.9 or not left):
                yield self._land(*self._random.choice(choices))
            elif left:
                yield self._take(brief.players.index(brief.turn) if brief.turn else 0, min(left, brief.owed))

    def _slip(self) -> Iterator[Happening]:
        """Somebody puts down any card."""
        seat = self._random.choice([seat for seat, hand in enumerate(self.hands) if hand])
        yield self._land(seat, self._random.choice(self.hands[seat]))

    def _land(self, seat: int, card: Card) -> Landed:
        self.hands[seat].remove(card)
        self.discard.append(card)
        return Landed(t=self._t, seat=self.options["players"][seat], card=card)

    def _take(self, seat: int, count: int) -> Taken:
        self.hands[seat] += [self.pick_up.pop() for _ in range(count)]
        return Taken(t=self._t, seat=self.options["players"][seat], count=count)

    @property
    def _t(self) -> float:
        return self._now + 1.0


def random_play(
    game: str, options: Mapping[str, str], seed: int, mistakes: float = 0.0, *, told: bool = True, pays: bool = True
) -> RandomPlay:
    """A random match of `game`, by its usual options where none are chosen; see `RandomPlay`."""
    if game in PLAYS:
        of_its_own = import_module(PLAYS[game]).RandomPlay
        play: RandomPlay = of_its_own({**of_its_own.usual, **options}, seed, mistakes, told=told, pays=pays)
        return play
    return RandomPlay(game_named(game), options, seed, mistakes, told=told, pays=pays)


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
