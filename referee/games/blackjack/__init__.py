"""Blackjack, the school game: turns of several cards, whoever has an empty hand first wins (BJ-1 to BJ-12)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from referee.games.blackjack import explain
from referee.games.blackjack.ending import RULE_OF, Ending, called
from referee.games.blackjack.options import Options, begin
from referee.games.blackjack.state import Course, State
from referee.games.blackjack.turn import PICK_UP, Readings, first, follow
from referee.games.blackjack.words import DONE, WORDS, ends, named
from referee.games.kit.copying import replace
from referee.games.kit.counts import added
from referee.games.kit.shedding import SheddingGame, told
from referee.record.cards import FRENCH, Card
from referee.record.observations import UNKNOWN, Happening, Landed, Said, Seat, Taken, TakenBack
from referee.record.rulings import AnyRuling
from referee.record.standing import Brief, Due, Standing

RULES: Final = tuple(f"BJ-{number}" for number in range(1, 13))
_PICKS_UP: Final = {"2c": 2, "2d": 2, "2h": 2, "2s": 2, "Jd": 3, "Jh": 3, "Jc": 5, "Js": 5}
"""What a card makes the next seat pick up (BJ-7)."""
EFFECTS: Final = {
    "A": "BJ-4",
    "2": "BJ-7",
    "3": "BJ-3",
    "8": "BJ-9",
    "J": "BJ-7",
    "Q": "BJ-3",
    "K": "BJ-9",
    "plain": "BJ-2",
}
"""The rule that says what a card of that rank does."""


class Blackjack(SheddingGame[State]):
    """See the module; `referee.games.Game` says what each method answers."""

    name = "blackjack"
    options = Options
    turns_over = False
    gestures = frozenset({"turn-ended"})
    words: Mapping[str, tuple[str, ...]] = {"suit": WORDS, "done": (DONE,)}
    rules: Mapping[str, str] = RULE_OF
    free = frozenset({"out-of-turn", "illegal-card"})
    effects: Mapping[str, str] = EFFECTS

    def start(self, options: Mapping[str, str]) -> State:
        """The state before the first happening; see `options.Options`."""
        return begin(options)

    def pack(self, state: State) -> Sequence[Card]:
        """One pack or more (BJ-1)."""
        return FRENCH * state.decks

    def _judged(self, state: State, happening: Happening, row: int, answers: list[AnyRuling]) -> State:
        state = super()._judged(state, happening, row, answers)
        return called(state, happening.t, answers) if state.winner < 0 else state

    def _turn_ended(self, state: State, seat: int, t: float, row: int, answers: list[AnyRuling]) -> State:
        return Ending(t, row, answers).said(state) if seat == state.turn else state

    def _landed(self, state: State, seen: Landed, card: Card, row: int, answers: list[AnyRuling]) -> State:
        now, seat = state, state.players.index(seen.seat)
        if seat != now.turn and now.begun and seat == now.follower:
            now = Ending(seen.t, row, answers).by_the_next(now)
            if now.winner >= 0:
                return now
        readings = self._readings(now, card) if seat == now.turn else ()
        before = now if now.course.played else replace(now, before=None)  # N-4
        if readings and now.counts[seat] <= 0:  # N-8
            now = self._miscounted(now, seen, row, answers)
            now = replace(now, course=replace(now.course, miscounted=True))
        after = super()._landed(now, seen, card, row, answers)
        return replace(_played(after, seat, card, readings), before=before, out=-1) if readings else after

    def played(self, state: State, seat: int, card: Card) -> State:
        """The turn goes on until it ends."""
        return state

    def fits(self, state: State, card: Card) -> bool:
        """Whether some reading of the turn allows `card` (BJ-6)."""
        return bool(self._readings(state, card))

    def _readings(self, state: State, card: Card) -> Readings:
        """What `card` may be if the seat in turn plays it; nothing where it may not."""
        course, top, suit = state.course, state.top, state.suit
        if course.over or (state.debt and not course.played and card.rank not in ("A", *PICK_UP)):  # BJ-8
            return ()
        if top is not None and top.rank == "A" and not (suit or state.heard):
            suit = card.suit
        return follow(course.readings, top, suit, card)

    def _taken_back(self, state: State, seen: TakenBack, row: int, answers: list[AnyRuling]) -> State:
        """A debt that was called since the card came stays called."""
        return replace(super()._taken_back(state, seen, row, answers), debts=state.debts)

    def _taken(self, state: State, seen: Taken, row: int, answers: list[AnyRuling]) -> State:
        now, seat = state, state.players.index(seen.seat)
        rest = max(0, seen.count - now.penalties[seat])
        if rest and seat != now.turn and now.begun and seat == now.follower:
            now = Ending(seen.t, row, answers).by_the_next(now)
            if now.winner >= 0:
                return now
        now = self._took(now, seat, seen.count)
        if not rest or seat != now.turn:
            return now
        namer = now.namer if now.begun else -1  # BJ-4: the seat after the ace acts
        return Ending(seen.t, row, answers).by_taking(replace(now, namer=namer), rest)

    def _said(self, state: State, seen: Said, row: int, answers: list[AnyRuling]) -> State:
        suit = named(seen.text)
        if suit and state.namer >= 0 and seen.seat in (UNKNOWN, state.players[state.namer]):
            state = replace(state, suit=suit)
        if ends(seen.text) and state.course.played and seen.seat in (UNKNOWN, state.players[state.turn]):
            state = Ending(seen.t, row, answers).said(state)
        return state

    def given(self, state: State, seat: Seat, cards: int, code: str) -> State:
        """The state after the referee gave `seat` cards for `code`; one that it has taken already is not owed."""
        one = (state.players.index(seat), code)
        if cards >= 0 and one in state.prepaid:
            place = state.prepaid.index(one)
            state = replace(state, prepaid=(*state.prepaid[:place], *state.prepaid[place + 1 :]))
            cards = max(0, cards - 1)
        return super().given(state, seat, cards, code)

    def forced(self, state: State, landed: Landed, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """As `observe`, but a wrong card counts as if it had been right: a step of that seat's turn."""
        now, card = state, landed.card
        if now.winner >= 0 or card not in FRENCH or self.right(now, landed.seat, card):
            return self.observe(now, landed, row)
        seat, answers = now.players.index(landed.seat), list[AnyRuling]()
        lies = bool(now.wrong) and now.wrong[-1] == (card, seat)
        if seat != now.turn:
            if now.begun and seat == now.follower:
                now = Ending(landed.t, row, answers).by_the_next(now)
                if now.winner >= 0:
                    return now, told(answers, state.paused >= 0)
            now = replace(now, turn=seat, course=Course(), debt=0)
        elif now.course.over or not now.course.played:
            now = replace(now, course=Course(), debt=0)
        counts = now.counts if lies else added(now.counts, seat, -1)
        now = replace(now, counts=counts, top=card, suit="", wrong=(), acted=landed.t, before=None)
        return _played(now, seat, card, (first(card),)), told(answers, state.paused >= 0)

    def right(self, state: State, seat: Seat, card: Card) -> bool:
        """Whether `seat` may put `card` on the pile now; the next seat may where somebody's turn is under way."""
        return super().right(self._turn_of(state, seat), seat, card)

    def legal_cards(self, state: State, seat: Seat) -> frozenset[Card]:
        """The cards that `seat` could play without a penalty of its own, whatever it holds."""
        now = self._turn_of(state, seat)
        right = super().right
        return frozenset(card for card in FRENCH if right(now, seat, card))

    def _turn_of(self, state: State, seat: Seat) -> State:
        """The state in which `seat` plays if it does so now: a turn under way ends by that."""
        if state.winner < 0 and state.begun and state.players[state.follower] == seat != state.players[state.turn]:
            return Ending(state.acted, 0, []).by_the_next(state)
        return state

    def key(self, state: State) -> Hashable:
        """Equal for states that judge the future alike."""
        course = state.course
        return super().key(replace(state, course=replace(course, played=min(1, course.played))))

    def brief(self, state: State) -> Brief:
        """What people have to do in `state`; a suit may be named that nobody has heard yet, and an end said."""
        brief = super().brief(state)
        bare = state.begun and not (state.complete or state.course.over)
        due = brief.due
        if state.namer >= 0 and not state.suit:
            due = (*due, Due(seat=state.players[state.namer], words=WORDS, code="suit", may=True))
        if state.begun and state.complete and state.follower == state.turn:  # only a word parts this turn from the next
            due = (*due, Due(seat=brief.players[state.turn], words=(DONE,), code="done"))
        follows = brief.players[state.follower] if state.begun and state.follower != state.turn else None
        ends = (DONE,) if state.begun and not state.course.over else ()
        owed, faced = state.owes + bare or 1, state.passes_on or 1
        return brief._replace(owed=owed, due=due, next=follows, faced=faced, ends=ends)

    def standing(self, state: State) -> Standing:
        """How the table stands in `state`."""
        standing = super().standing(state)
        asked = frozenset((*(WORDS if state.namer >= 0 else ()), *self.brief(state).ends))
        return replace(standing, ahead=standing.listening - asked, why="BJ-9")

    def explain(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        """In words what may be played and what is owed."""
        return explain.explain(state, names)

    def lesson(self, state: State) -> tuple[tuple[str, str], ...]:
        """What the top card did."""
        return (*super().lesson(state), *explain.lesson(state))

    def rules_in_play(self, state: State) -> tuple[str, ...]:
        """All rules are, at every table."""
        return RULES

    def in_play(self, state: State) -> frozenset[str]:
        """How cards that are short are taken (BJ-11), and whether there are several packs (BJ-1)."""
        return frozenset({"debt" if state.remembers else "exhaust", *(["packs"] if state.decks > 1 else [])})


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
