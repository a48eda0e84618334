"""How does a turn end, what does that cost, and who is next (BJ-5, BJ-7 to BJ-12)?"""

from __future__ import annotations

from typing import Final

from referee.games.blackjack.state import Course, State
from referee.games.blackjack.turn import POWER
from referee.games.kit.copying import replace
from referee.games.kit.counts import added
from referee.record.rulings import AnyRuling, Notice, Penalty, Win

RULE_OF: Final = {
    "out-of-turn": "BJ-1",
    "uncapped": "BJ-5",
    "illegal-card": "BJ-6",
    "power-finish": "BJ-10",
}
"""The codes of penalties, each with the number of its rule."""


class Ending:
    """The end of a turn, by an act at `t`, which row `row` of the record tells; `answers` collects what follows."""

    def __init__(self, t: float, row: int, answers: list[AnyRuling]) -> None:
        self.t, self.row, self.answers = t, row, answers

    def said(self, state: State) -> State:
        """The seat in turn says that it is done (BJ-5)."""
        if state.course.over:
            return state
        state = self._judged(state)
        if state.winner >= 0:
            return state
        if state.owes and state.there:
            return replace(state, course=replace(state.course, over=True), acted=self.t)
        return self._passed(state)

    def by_the_next(self, state: State) -> State:
        """The next seat acts: what the seat in turn has not taken is a penalty that it owes (N-1, BJ-5)."""
        if not state.course.over:
            state = self._judged(state)
        if state.winner >= 0:
            return state
        called = min(state.owes, state.there)
        penalties = added(state.penalties, state.turn, called)
        return self._passed(replace(state, penalties=penalties, debt=state.debt - called if called else state.debt))

    def by_taking(self, state: State, cards: int) -> State:
        """The seat in turn takes so many cards beside its penalties: what it owes first, then they are its turn."""
        course = state.course
        if course.played and not (course.over or state.complete or state.paused >= 0):  # BJ-5: that card at once
            self.answers.append(self._penalty(state, "uncapped", omission=False))
            state = replace(state, prepaid=(*state.prepaid, (state.turn, "uncapped")))
            cards -= 1
        owes = state.owes
        if owes:
            state = replace(state, debt=max(0, owes - cards))
            if state.debt and state.there:
                return replace(state, course=replace(course, over=True), acted=self.t)
        return self._passed(state, owed=state.debt if owes else 0)

    def _judged(self, state: State) -> State:
        """What the turn costs as it stands, or whether it wins (BJ-5, BJ-10, BJ-12)."""
        course, seat = state.course, state.turn
        if not state.complete and (course.played or not state.debt):
            self.answers.append(self._penalty(state, "uncapped", omission=True))
        elif course.played and not (state.counts[seat] or state.penalties[seat] or state.owes or course.miscounted):
            if state.top is not None and state.top.rank in POWER:
                self.answers.append(self._penalty(state, "power-finish", omission=False))
            else:
                letter = state.players[seat]
                self.answers.append(Win(number=0, t=self.t, rule="BJ-12", rests_on=(self.row,), seat=letter))
                return replace(state, winner=seat, acted=self.t)
        return state

    def _passed(self, state: State, owed: int | None = None) -> State:
        """It is the next seat's turn; `owed` cards were not there to be taken (BJ-7, BJ-9, BJ-11)."""
        short = state.owes if owed is None else owed
        debts = (*state.debts, (state.turn, short)) if short and state.remembers else state.debts
        passed = replace(state, turn=state.follower, debt=state.passes_on, course=Course(), debts=debts)
        return replace(passed, acted=self.t)

    def _penalty(self, state: State, code: str, omission: bool) -> Penalty:
        """The card that is missing may be one that the eye did not see, unless the player took one for it."""
        rests_on, seat = (self.row,), state.players[state.turn]
        return Penalty(
            number=0, t=self.t, rule=RULE_OF[code], rests_on=rests_on, seat=seat, code=code, omission=omission
        )


def called(state: State, t: float, answers: list[AnyRuling]) -> State:
    """Debts become penalties, oldest first, as cards are there to be taken for them (BJ-11)."""
    while state.debts and (free := state.there - sum(state.penalties)) > 0:
        (seat, owed), *later = state.debts
        now = min(free, owed)
        rest = ((seat, owed - now),) if owed > now else ()
        state = replace(state, debts=(*rest, *later), penalties=added(state.penalties, seat, now))
        answers.append(Notice(number=0, t=t, rule="BJ-11", code="debt-called", seat=state.players[seat]))
    return state
