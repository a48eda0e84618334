"""Blackjack, the school game: turns of several cards, whoever has an empty hand first wins (BJ-1 to BJ-12)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from referee.games.blackjack import explain
from referee.games.blackjack.ending import RULE_OF, Ending, called
from referee.games.blackjack.options import Options, begin
from referee.games.blackjack.state import Course, State
from referee.games.blackjack.turn import PICK_UP, Readings, first, follow
from referee.games.blackjack.words import DONE, WORDS, ends, named
from referee.games.kit import shedding
from referee.games.kit.counts import added
from referee.record.cards import FRENCH, Card
from referee.record.observations import UNKNOWN, Happening, Landed, OptionSet, Said, Seat, Taken, TakenBack, TurnEnded
from referee.record.rulings import AnyRuling, Notice
from referee.record.standing import Brief, Due, Standing

RULES: Final = tuple(f"BJ-{number}" for number in range(1, 13))
_PICKS_UP: Final = {"2c": 2, "2d": 2, "2h": 2, "2s": 2, "Jd": 3, "Jh": 3, "Jc": 5, "Js": 5}
"""What a card makes the next seat pick up (BJ-7)."""


class Blackjack(shedding.SheddingGame):
    """See the module; `referee.games.Game` says what each method answers."""

    name = "blackjack"
    options = Options
    turns_over = False
    words: Mapping[str, tuple[str, ...]] = {"suit": WORDS, "done": (DONE,)}
    rules: Mapping[str, str] = RULE_OF
    free = frozenset({"out-of-turn", "illegal-card"})

    def start(self, options: Mapping[str, str]) -> State:
        """The state before the first happening; see `options.Options`."""
        return begin(options)

    def pack(self, state: shedding.State) -> Sequence[Card]:
        """One pack or more (BJ-1)."""
        return FRENCH * _own(state).decks

    def observe(self, state: shedding.State, happening: Happening, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """The state after `happening`, and what follows from it."""
        now, answers = _own(state), list[AnyRuling]()
        if now.winner >= 0:
            return now, ()
        if isinstance(happening, Landed | Taken | TakenBack | TurnEnded) and happening.seat == UNKNOWN:
            happening = replace(happening, seat=now.players[now.turn])  # N-5
        match happening:
            case TurnEnded():
                if now.players[now.turn] == happening.seat:
                    now = Ending(happening.t, row, answers).said(now)
            case Said(text=text):
                now = self._said(now, happening)
                if ends(text) and now.course.played and happening.seat in (UNKNOWN, now.players[now.turn]):
                    now = Ending(happening.t, row, answers).said(now)
            case OptionSet(name="words", value="on" | "off" as value):
                now = replace(now, heard=value == "on")
                answers.append(Notice(number=0, t=happening.t, rests_on=(row,), code=f"words-{value}"))
            case _:
                other, more = super().observe(now, happening, row)
                now, answers = _own(other), list(more)
        if now.winner < 0:
            now = called(now, happening.t, answers)
        return now, tuple(answers)

    def _landed(
        self, state: shedding.State, seen: Landed, card: Card, row: int, answers: list[AnyRuling]
    ) -> shedding.State:
        now, seat = _own(state), state.players.index(seen.seat)
        if seat != now.turn and now.begun and seat == now.follower:
            now = Ending(seen.t, row, answers).by_the_next(now)
            if now.winner >= 0:
                return now
        readings = self._readings(now, card) if seat == now.turn else ()
        before = now if now.course.played else replace(now, before=None)  # N-4
        if readings and now.counts[seat] <= 0:  # N-8
            answers.append(Notice(number=0, t=seen.t, rests_on=(row,), code="miscount", seat=seen.seat))
            now = replace(now, counts=added(now.counts, seat, 1), course=replace(now.course, miscounted=True))
        after = _own(super()._landed(now, seen, card, row, answers))
        return replace(_played(after, seat, card, readings), before=before, out=-1) if readings else after

    def played(self, state: shedding.State, seat: int, card: Card) -> shedding.State:
        """The turn goes on until it ends."""
        return state

    def fits(self, state: shedding.State, card: Card) -> bool:
        """Whether some reading of the turn allows `card` (BJ-6)."""
        return bool(self._readings(_own(state), card))

    def _readings(self, state: State, card: Card) -> Readings:
        """What `card` may be if the seat in turn plays it; nothing where it may not."""
        course, top, suit = state.course, state.top, state.suit
        if course.over or (state.debt and not course.played and card.rank not in ("A", *PICK_UP)):  # BJ-8
            return ()
        if top is not None and top.rank == "A" and not (suit or state.heard):
            suit = card.suit
        return follow(course.readings, top, suit, card)

    def _taken_back(self, state: shedding.State, seen: TakenBack, row: int, answers: list[AnyRuling]) -> shedding.State:
        """A debt that was called since the card came stays called."""
        return replace(_own(super()._taken_back(state, seen, row, answers)), debts=_own(state).debts)

    def _taken(self, state: shedding.State, seen: Taken, row: int, answers: list[AnyRuling]) -> shedding.State:
        now, seat = _own(state), state.players.index(seen.seat)
        paid = min(seen.count, now.penalties[seat])
        rest = seen.count - paid
        if rest and seat != now.turn and now.begun and seat == now.follower:
            now = Ending(seen.t, row, answers).by_the_next(now)
            if now.winner >= 0:
                return now
        now = replace(
            now,
            counts=added(now.counts, seat, seen.count),
            pick_up=now.pick_up - seen.count,
            penalties=added(now.penalties, seat, -paid),
            before=None,
        )
        if not rest or seat != now.turn:
            return now
        namer = now.namer if now.begun else -1  # BJ-4: the seat after the ace acts
        return Ending(seen.t, row, answers).by_taking(replace(now, namer=namer), rest)

    def _said(self, state: shedding.State, seen: Said) -> State:
        now, suit = _own(state), named(seen.text)
        if suit and now.namer >= 0 and seen.seat in (UNKNOWN, now.players[now.namer]):
            return replace(now, suit=suit)
        return now

    def given(self, state: shedding.State, seat: Seat, cards: int, code: str) -> State:
        """The state after the referee gave `seat` cards for `code`; one that it has taken already is not owed."""
        now, one = _own(state), (state.players.index(seat), code)
        if cards >= 0 and one in now.prepaid:
            place = now.prepaid.index(one)
            now = replace(now, prepaid=(*now.prepaid[:place], *now.prepaid[place + 1 :]))
            cards = max(0, cards - 1)
        return _own(super().given(now, seat, cards, code))

    def forced(self, state: shedding.State, landed: Landed, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """As `observe`, but a wrong card counts as if it had been right: a step of that seat's turn."""
        now, card = _own(state), landed.card
        if now.winner >= 0 or card not in FRENCH or self.right(now, landed.seat, card):
            return self.observe(now, landed, row)
        seat, answers = now.players.index(landed.seat), list[AnyRuling]()
        lies = bool(now.wrong) and now.wrong[-1] == (card, seat)
        if seat != now.turn:
            if now.begun and seat == now.follower:
                now = Ending(landed.t, row, answers).by_the_next(now)
                if now.winner >= 0:
                    return now, tuple(answers)
            now = replace(now, turn=seat, course=Course(), debt=0)
        elif now.course.over or not now.course.played:
            now = replace(now, course=Course(), debt=0)
        counts = now.counts if lies else added(now.counts, seat, -1)
        now = replace(now, counts=counts, top=card, suit="", wrong=(), acted=landed.t, before=None)
        return _played(now, seat, card, (first(card),)), tuple(answers)

    def right(self, state: shedding.State, seat: Seat, card: Card) -> bool:
        """Whether `seat` may put `card` on the pile now; the next seat may where somebody's turn is under way."""
        return super().right(self._turn_of(_own(state), seat), seat, card)

    def legal_cards(self, state: shedding.State, seat: Seat) -> frozenset[Card]:
        """The cards that `seat` could play without a penalty of its own, whatever it holds."""
        now = self._turn_of(_own(state), seat)
        right = super().right
        return frozenset(card for card in FRENCH if right(now, seat, card))

    def _turn_of(self, state: State, seat: Seat) -> State:
        """The state in which `seat` plays if it does so now: a turn under way ends by that."""
        if state.winner < 0 and state.begun and state.players[state.follower] == seat != state.players[state.turn]:
            return Ending(state.acted, 0, []).by_the_next(state)
        return state

    def key(self, state: shedding.State) -> Hashable:
        """Equal for states that judge the future alike."""
        course = _own(state).course
        return super().key(replace(_own(state), course=replace(course, played=min(1, course.played))))

    def brief(self, state: shedding.State) -> Brief:
        """What people have to do in `state`; a suit may be named that nobody has heard yet, and an end said."""
        now = _own(state)
        brief = super().brief(now)
        bare = now.begun and not (now.complete or now.course.over)
        due = brief.due
        if now.namer >= 0 and not now.suit:
            due = (*due, Due(seat=now.players[now.namer], words=WORDS, code="suit"))
        if now.begun and now.complete and now.follower == now.turn:  # only a word parts this turn from the next
            due = (*due, Due(seat=brief.players[now.turn], words=(DONE,), code="done"))
        return brief._replace(owed=now.owes + bare or 1, due=due)

    def standing(self, state: shedding.State) -> Standing:
        """How the table stands in `state`."""
        now = _own(state)
        standing = super().standing(now)
        asked = frozenset(WORDS) if now.namer >= 0 else frozenset[str]()
        return replace(standing, ahead=standing.listening - asked, words_judged=now.heard, why="BJ-9")

    def explain(self, state: shedding.State, names: Mapping[Seat, str] | None = None) -> str:
        """In words what may be played and what is owed."""
        return explain.explain(_own(state), names)

    def changeable(self, state: shedding.State) -> Mapping[str, tuple[str, ...]]:
        """No rule may be changed during a match."""
        return {}

    def lesson(self, state: shedding.State) -> tuple[tuple[str, str], ...]:
        """What the top card did."""
        return explain.lesson(_own(state))

    def rules_in_play(self, state: shedding.State) -> tuple[str, ...]:
        """All rules are, at every table."""
        return RULES

    def in_play(self, state: shedding.State) -> frozenset[str]:
        """How cards that are short are taken (BJ-11), and whether there are several packs (BJ-1)."""
        now = _own(state)
        return frozenset({"debt" if now.remembers else "exhaust", *(["packs"] if now.decks > 1 else [])})


def _own(state: shedding.State) -> State:
    """`state`, which is one of this game's."""
    assert isinstance(state, State)
    return state


def _played(state: State, seat: int, card: Card, readings: Readings) -> State:
    """What `card` does, now that it lies on top (BJ-4, BJ-7 to BJ-9)."""
    course, picks_up = state.course, _PICKS_UP.get(card.name, 0)
    begins = not course.played
    course = replace(
        course,
        played=course.played + 1,
        readings=readings,
        eights=course.eights + (card.rank == "8"),
        run=course.run + picks_up if picks_up else 0,
        answers=bool(state.debt and picks_up) if begins else course.answers,
    )
    return replace(
        state,
        course=course,
        debt=0 if begins and card.rank == "A" else state.debt,
        way=-state.way if card.rank == "K" else state.way,
        namer=seat if card.rank == "A" else -1,
    )


GAME: Final = Blackjack()
