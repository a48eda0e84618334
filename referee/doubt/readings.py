"""What may an observation have been in truth, if the match stands as a world has it, and how likely is that?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, TypeAlias

from referee.doubt.parameters import Parameters
from referee.games import Game
from referee.record.cards import Card, in_order
from referee.record.observations import (
    UNKNOWN,
    Happening,
    Landed,
    OptionSet,
    Pointed,
    Recycled,
    Said,
    Seat,
    Seated,
    Taken,
    TakenBack,
)
from referee.record.rulings import AnyRuling, Notice, Penalty
from referee.record.standing import Brief

Reading: TypeAlias = tuple[Happening | None, float]
"""A happening whose seat, card and count are known, None for nothing at all; and its share."""
Legal: TypeAlias = Callable[[Seat], Sequence[Card]]
"""The cards that a seat may play, in a fixed order."""
UNCLEAR: Final = "?"
"""Something was said that nobody could make out."""
SEAT_SURE: Final = 0.95
"""From this probability on the eye is taken at its word about whose hand it was."""
CARD_SURE: Final = 0.9
"""The same for a face and for a number of cards."""
WORDS: Final = "words"
"""The option that says whether somebody listens, `on` or `off`."""
FACES: Final = 52
RUN_OUT: Final = 4
"""Believed cards in the pick-up pile up to which it may have been turned over."""


class Readings:
    """The readings of observations in worlds of one game.

    Attributes:
        eye, ear: whether there is one at the table, as far as observations have told: only then acts (words) go
            unnoticed. What is tapped is certain.
        deaf: whether nobody listens for the time being.
    """

    def __init__(self, game: Game[object], parameters: Parameters) -> None:
        self.game, self.p = game, parameters
        self.eye = self.ear = self.deaf = False

    def meet(self, seen: Happening) -> None:
        """Learn from `seen` what senses there are."""
        if isinstance(seen, OptionSet):
            self.deaf = (seen.value == "off") if seen.name == WORDS else self.deaf
        elif seen.source == "ear" or (isinstance(seen, Said) and (seen.text == UNCLEAR or seen.confidence < 1.0)):
            self.ear = True
        elif seen.source == "eye" or seen.confidence < 1.0:
            self.eye = True

    @property
    def unheard(self) -> float:
        """How often a word is said that nobody reports."""
        if self.deaf:
            return self.p.deaf
        return self.p.unheard if self.ear else self.p.deaf if self.eye else 0.0

    def likely(self, state: object, brief: Brief, seen: Happening) -> list[Reading]:
        """What `seen` is if nothing odd happened; likely ones only."""
        if isinstance(seen, Landed):
            return self._landed(state, brief, seen)
        if isinstance(seen, Taken):
            return self._taking_of(brief, seen)
        if isinstance(seen, TakenBack) and seen.seat == UNKNOWN:
            owner = next((s for card, s in reversed(brief.wrong) if seen.card in (None, card)), UNKNOWN)
            who_back = owner if owner != UNKNOWN else brief.turn or brief.players[0]
            return [(TakenBack(t=seen.t, seat=who_back, card=seen.card), 1.0)]
        if isinstance(seen, Said):
            return self._said(state, brief, seen)
        if isinstance(seen, Pointed) and seen.seat == UNKNOWN:
            share = 1.0 / len(brief.players)
            return [(Pointed(t=seen.t, seat=seat, at=seen.at, hand=seen.hand), share) for seat in brief.players]
        if isinstance(seen, Recycled) and seen.source == "eye":
            run_out = self.game.standing(state).pick_up_pile <= RUN_OUT
            return [(seen, 1.0)] if run_out else [(seen, self.p.unreal), (None, 1.0)]
        return [(seen, 1.0)]

    def _landed(self, state: object, brief: Brief, seen: Landed) -> list[Reading]:
        if brief.winner is not None:
            return [(seen, 1.0)] if seen.seat != UNKNOWN and seen.card else []
        out: list[Reading] = []
        if seen.card is None and not seen.alternatives:  # nobody could read it: whatever may be played
            for seat in (seen.seat,) if seen.seat != UNKNOWN else brief.players:
                legal = in_order(self.game.legal_cards(state, seat))
                out += [(_landed(seen.t, seat, card), 1.0 / len(legal)) for card in legal]
            return out
        cards = [(card, share) for card, share in seen.alternatives if card is not seen.card]
        if seen.card is not None:
            cards.insert(0, (seen.card, seen.confidence if cards else 1.0))
        if seen.card is not None and len(cards) == 1 and self._nudged(state, brief, seen):
            cards, out = [(seen.card, seen.confidence)], [(None, 1.0 - seen.confidence)]
        for card, share in cards:
            if seen.seat != UNKNOWN:
                out += self._of_seats(brief, seen, partial(_put, seen.t, card), share)
            else:
                may = [seat for seat in brief.players if self.game.right(state, seat, card)]
                out += [(_landed(seen.t, seat, card), share) for seat in may or brief.players]
        return out

    def _nudged(self, state: object, brief: Brief, seen: Landed) -> bool:
        """Whether it may be the card on top itself, moved: the same face, and the eye is not sure that a card came."""
        if seen.confidence >= CARD_SURE:
            return False
        lies = brief.wrong[-1][0] if brief.wrong else self.game.standing(state).top
        return lies is seen.card

    def _taking_of(self, brief: Brief, seen: Taken) -> list[Reading]:
        if seen.seat == UNKNOWN:
            owing = [seat for seat, owes in zip(brief.players, brief.penalties, strict=True) if owes]
            who = dict.fromkeys((*owing, *filter(None, (brief.turn, brief.next))) if brief.turn else brief.players)
            return [(_taken(seen.t, seat, count), share) for seat in who for count, share in _counts(brief, seat, seen)]
        out: list[Reading] = []
        for count, share in _counts(brief, seen.seat, seen):
            out += self._of_seats(brief, seen, partial(_took, seen.t, count), share)
        return out

    def _of_seats(
        self, brief: Brief, seen: Seated, make: Callable[[Seat], Happening], share: float = 1.0
    ) -> list[Reading]:
        """The seat that was told acted; or, where the eye is not sure of it, another."""
        seat, sure = seen.seat, seen.seat_confidence
        if sure >= SEAT_SURE:
            return [(make(seat), share)]
        others = [other for other in brief.players if other != seat]
        rest = (1.0 - sure) / max(1, len(others))
        return [(make(seat), share * sure), *((make(other), share * rest) for other in others)]

    def _said(self, state: object, brief: Brief, seen: Said) -> list[Reading]:
        p, t = self.p, seen.t
        if seen.text == UNCLEAR:
            owed = dict.fromkeys(due.words for due in brief.due)
            first = {due.words: due.seat for due in reversed(brief.due)}
            share = (1.0 - p.noise) / max(1, len(owed))
            out: list[Reading] = [
                (Said(t=t, seat=first[words], text=word), share / len(words)) for words in owed for word in words
            ]
            if out:
                return [*out, (None, p.noise)]
            ahead = sorted(self.game.standing(state).ahead)  # of a card to come
            share = p.ahead * (1.0 - p.noise) / max(1, len(ahead))
            return [*((Said(t=t, seat=UNKNOWN, text=word), share) for word in ahead), (None, p.ahead * p.noise)]
        for due in brief.due:
            if seen.text in due.words and seen.seat in (UNKNOWN, due.seat):
                return [(Said(t=t, seat=due.seat, text=seen.text), 1.0)]
        return [(seen, p.ahead if seen.text in self.game.standing(state).ahead else p.stray)]

    def rare(self, state: object, brief: Brief, seen: Happening, legal: Legal) -> Iterator[Reading]:
        """What `seen` may have been besides, where the eye told of it.

        Args:
            legal: the cards that a seat may play in `state`.
        """
        if not self._of_the_eye(seen):
            return
        p = self.p
        unreal = p.unreal + p.unsure_unreal * (1.0 - seen.confidence)
        if isinstance(seen, Landed):
            yield None, unreal * 0.3
            yield from self._another_card(state, brief, seen, legal)
        elif isinstance(seen, Taken):
            yield None, unreal
            yield from self._another_taking(brief, seen)
        elif isinstance(seen, TakenBack):
            yield None, unreal

    def _another_card(self, state: object, brief: Brief, seen: Landed, legal: Legal) -> Iterator[Reading]:
        p, t, seats = self.p, seen.t, brief.players
        who = seats if seen.seat == UNKNOWN else (seen.seat,)
        told = {seen.card, *(card for card, _ in seen.alternatives)}
        others = sum(share for card, share in seen.alternatives if card is not seen.card)
        if seen.card is None:
            share = (1.0 - others) / FACES
        else:
            share = (p.misread if seen.confidence >= CARD_SURE else 1.0 - others - seen.confidence) / FACES
        if share > 0.0:
            for seat in who:
                for card in legal(seat):
                    if card not in told:
                        yield _landed(t, seat, card), share
        if seen.card is None:
            return
        if seen.seat != UNKNOWN:
            for seat in seats:
                if seat != seen.seat:
                    yield _landed(t, seat, seen.card), p.wrong_seat / len(seats)
        else:
            may = [seat for seat in seats if self.game.right(state, seat, seen.card)]
            for seat in seats if may else ():
                if seat not in may:
                    yield _landed(t, seat, seen.card), 1.0

    def _another_taking(self, brief: Brief, seen: Taken) -> Iterator[Reading]:
        p, t, seats = self.p, seen.t, brief.players
        for seat in seats if seen.seat == UNKNOWN else (seen.seat,):
            penalty, own = owes(brief, seat)
            if _count_sure(seen) >= CARD_SURE:
                for count in _owed_counts(brief, seat, seen):
                    yield _taken(t, seat, count), p.miscounted / 2
            if seen.seat == UNKNOWN and not own and not penalty:
                yield _taken(t, seat, seen.count), 1.0
        if seen.seat != UNKNOWN:
            for seat in seats:
                if seat != seen.seat:
                    yield _taken(t, seat, seen.count), p.wrong_seat / len(seats)

    def hidden(self, brief: Brief, seen: Happening, legal: Legal) -> Iterator[tuple[Happening, float]]:
        """What may have happened just before `seen` without anybody noticing, with its share."""
        if brief.winner is not None:
            return
        p, turn, t = self.p, brief.turn, seen.t
        if self.unheard and not isinstance(seen, Said):  # a word counts from act to act, and was said once
            for due in brief.due:
                for word in due.words:
                    yield Said(t=t, seat=due.seat, text=word), self.unheard / len(due.words)
        if not self.eye:
            return
        for card, seat in brief.wrong[-1:]:
            yield TakenBack(t=t, seat=seat if seat != UNKNOWN else brief.players[0], card=card), p.unnoticed
        for seat in brief.players:
            penalty, own = owes(brief, seat)
            if penalty:
                yield _taken(t, seat, penalty), p.unnoticed
            cards = legal(seat)
            if own:
                share = p.unnoticed / (1 if turn else len(brief.players))
                yield _taken(t, seat, own), p.hidden_take * share
                for card in cards:
                    yield _landed(t, seat, card), (1.0 - p.hidden_take) * share / len(cards)
            else:
                for card in cards:
                    yield _landed(t, seat, card), p.hidden_butt_in * p.unnoticed

    def _of_the_eye(self, seen: Happening) -> bool:
        return seen.source == "eye" or seen.confidence < 1.0 or getattr(seen, "seat", "") == UNKNOWN

    def people(self, brief: Brief, act: Happening, rulings: tuple[AnyRuling, ...]) -> float:
        """How likely people do `act` where the table stands as in `brief`, and it shows `rulings`; 1 as expected."""
        p = self.p
        if brief.winner is not None:
            return p.after_win if isinstance(act, Seated) else 1.0
        if isinstance(act, Landed):
            share = self._playing(brief, act, rulings)
        elif isinstance(act, Taken):
            share = self._taking(brief, act)
        elif isinstance(act, TakenBack):
            share = self._taking_back(brief, act)
        else:
            share = 1.0
        for ruling in rulings:
            if isinstance(ruling, Penalty):
                if ruling.omission or not isinstance(act, Landed | Taken):
                    share *= p.omit
            elif isinstance(ruling, Notice) and ruling.code == "miscount":
                share *= p.miscount
        return share

    def _playing(self, brief: Brief, act: Landed, rulings: tuple[AnyRuling, ...]) -> float:
        p = self.p
        share = self._though(brief)
        if is_wrong(rulings):
            return share * self.wrongly(brief, act.seat)
        return share * p.butt_in if brief.turn not in (None, act.seat) else share

    def wrongly(self, brief: Brief, seat: Seat) -> float:
        """How likely `seat` plays a card that it may not play."""
        return self.p.illegal if brief.turn == seat else self.p.out_of_turn / (len(brief.players) - 1)

    def _taking(self, brief: Brief, act: Taken) -> float:
        p = self.p
        penalty, own = owes(brief, act.seat)
        if penalty and act.count == penalty:
            return 1.0
        share = self._though(brief)
        if act.seat == brief.next:
            share *= p.butt_in
        if own and act.count == penalty + own:
            return share
        return share * (p.odd_count if own else p.odd_take)

    def _taking_back(self, brief: Brief, act: TakenBack) -> float:
        owners = [seat for card, seat in brief.wrong if act.card in (None, card)]
        return 1.0 if act.seat in owners else self.p.others_back if owners else self.p.odd_back

    def _though(self, brief: Brief) -> float:
        """People play on, though a wrong card lies there, or somebody has not taken a penalty."""
        share = self.p.leave_wrong if brief.wrong else 1.0
        return share * self.p.unpaid if any(brief.penalties) else share


def is_wrong(rulings: tuple[AnyRuling, ...]) -> bool:
    """Whether a play that showed these was wrong."""
    return any(isinstance(ruling, Notice) and ruling.code == "take-back" for ruling in rulings)


def owes(brief: Brief, seat: Seat) -> tuple[int, int]:
    """Penalty cards that `seat` owes, and what it takes when it takes in its turn: 0 where it is not its turn."""
    penalty = brief.penalties[brief.players.index(seat)]
    if seat == brief.next:
        return penalty, brief.faced
    return penalty, brief.owed if brief.turn in (None, seat) else 0


def _landed(t: float, seat: Seat, card: Card) -> Landed:
    return Landed(t=t, seat=seat, card=card)


def _count_sure(seen: Taken) -> float:
    """How sure the number of cards is; records of before had one confidence for everything."""
    return min(seen.confidence, seen.count_confidence)


def _owed_counts(brief: Brief, seat: Seat, seen: Taken) -> list[int]:
    """The numbers of cards that `seat` may have had to take, but the one that was told."""
    penalty, own = owes(brief, seat)
    return [count for count in dict.fromkeys((penalty, own, penalty + own)) if count not in (0, seen.count)]


def _counts(brief: Brief, seat: Seat, seen: Taken) -> list[tuple[int, float]]:
    """The numbers of cards that `seat` likely took, with their shares."""
    sure, owed = _count_sure(seen), _owed_counts(brief, seat, seen)
    if sure >= CARD_SURE or not owed:
        return [(seen.count, 1.0)]
    return [(seen.count, sure), *((count, (1.0 - sure) / len(owed)) for count in owed)]


def _took(t: float, count: int, seat: Seat) -> Taken:
    return Taken(t=t, seat=seat, count=count)


def _put(t: float, card: Card, seat: Seat) -> Landed:
    return Landed(t=t, seat=seat, card=card)


def _taken(t: float, seat: Seat, count: int) -> Taken:
    return Taken(t=t, seat=seat, count=count)
