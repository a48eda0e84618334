"""Uncle Baiting: what does the referee answer to each happening?

A reader finds the code of a rule by its number:

- `options`: UB-1 to UB-3
- `order`: UB-5 to UB-13
- `legal`: UB-2 to UB-4, UB-14 to UB-20, UB-29
- `words`: UB-13, UB-18, UB-21 to UB-25
- `owed`: UB-14, UB-16, UB-24, UB-26, UB-31
- `play`: UB-4, UB-12, UB-25, UB-27
- `winning`: UB-28

Votes, disputes and bought answers (UB-30) are the referee's, not the game's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from referee.games import Game
from referee.games.uncle_baiting import explain, legal, lesson, owed, play, sheet, standing, state, winning, words
from referee.games.uncle_baiting.options import Table
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.step import RULE_OF, Step
from referee.record.cards import Card
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
    TimeOut,
)
from referee.record.rulings import AnyRuling


class UncleBaiting(Game[State]):
    """The game: a pure function of (state, happening) to (state, rulings); see `referee.games.Game`."""

    name = "uncle-baiting"
    turns_over = True
    gestures = frozenset({"pointed"})
    options = Table
    key = staticmethod(state.key)
    brief = staticmethod(standing.brief)
    standing = staticmethod(standing.standing)
    explain = staticmethod(explain.explain)
    lesson = staticmethod(lesson.lesson)
    refusal = staticmethod(sheet.refusal)
    changeable = staticmethod(sheet.changeable)
    claimable = staticmethod(sheet.claimable)
    rules_in_play = staticmethod(sheet.rules_in_play)
    in_play = staticmethod(sheet.in_play)

    def start(self, options: Mapping[str, str]) -> State:
        """The state before the first happening.

        Raises:
            RefereeError: an option or its value is unknown.
        """
        return state.first_state(Table.of(options))

    def pack(self, state: State) -> Sequence[Card]:
        """The cards that are played with (UB-3)."""
        return state.table.faces

    def observe(self, state: State, happening: Happening, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """The state after `happening`, which the record calls `row`, and what the referee answers to it."""
        judge = _JUDGES.get(type(happening))
        if state.winner >= 0 or not (judge or state.owed.out):
            return state, ()
        step = Step(state, happening.t, row)
        if step.owed.out:
            winning.settle(step)
        if judge and step.winner < 0:
            seat = _whose(step, happening) if isinstance(happening, Seated) else -1
            if seat is not None:
                judge(step, seat, happening)
            _after(step)
        return step.finish()

    def given(self, state: State, seat: Seat, cards: int, code: str) -> State:
        """The state after the referee gave `seat` cards for `code`, struck them out (below 0) or only warned (0)."""
        return owed.given(state, state.table.place[seat], cards, code)

    def forced(self, state: State, landed: Landed, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """As `observe`, but the table lets the card pass as if it had been right.

        Where it lies there as a wrong one of that seat already, that one counts as played, and its words are forgiven.
        """
        step = Step(state, landed.t, row)
        seat = _seat(step, landed.seat)
        if seat >= 0 and landed.card and step.winner < 0:
            play.forced(step, seat, landed.card)
            _after(step)
        return step.finish()

    def right(self, state: State, seat: Seat, card: Card) -> bool:
        """Whether `seat` may put `card` on the pile now."""
        return state.winner < 0 and legal.verdict(state, state.table.place[seat], card) in legal.RIGHT

    def codes(self) -> Mapping[str, str]:
        """The codes of penalties, each with the number of its rule."""
        return RULE_OF

    def legal_cards(self, state: State, seat: Seat) -> frozenset[Card]:
        """The cards that `seat` could play in `state` without a penalty, whatever it holds."""
        return legal.legal_cards(state, state.table.place.get(seat, -1)) if state.winner < 0 else frozenset()


def _after(step: Step) -> None:
    """What follows from every act."""
    if step.winner < 0:
        if step.owed.out:
            winning.settle(step, step.t)
        if step.order.turn >= 0:
            owed.turn_begins(step, step.order.turn >> 1)


def _whose(step: Step, seen: Seated) -> int | None:
    """The place of who did it; None for nobody of this table, -1 where it may be somebody who was not made out."""
    if seen.seat == UNKNOWN and isinstance(seen, Said | Pointed):
        return -1
    seat = _seat(step, seen.seat)
    return seat if seat >= 0 else None


def _seat(step: Step, letter: Seat) -> int:
    """The place of `letter`; -1, and the people are told, if nobody of this table sits there."""
    seat = step.table.place.get(letter, -1)
    if seat < 0:
        step.notice("unknown-seat")
    return seat


def _pointed(step: Step, seat: int, seen: Pointed) -> None:
    at = _seat(step, seen.at)
    if at >= 0:
        words.pointed(step, seat, at, seen.hand)


def _time_out(step: Step) -> None:
    """Time out begins; or it ends, and what was running runs on from where it stood."""
    if step.paused < 0:
        step.paused = step.t
    else:
        step.acted += step.t - step.paused
        step.paused = -1.0


def _option_set(step: Step, seen: OptionSet) -> None:
    """What may change during a match: `auto_butt_in` (UB-2), and `words`, as the ear comes and goes."""
    if seen.name == "words" and seen.value in ("on", "off"):
        if seen.value == "on":
            step.heard = True
        else:
            words.not_heard(step)
        step.notice(f"words-{seen.value}")
    elif seen.name == "auto_butt_in" and seen.value in ("allow", "forbid"):
        step.auto = seen.value == "allow"
        step.notice(f"auto-butt-in-{seen.value}", rule="UB-2")
    else:
        step.notice("option-stays", rule="UB-2")


_JUDGES: Final[Mapping[type, Callable[[Step, int, Any], None]]] = {
    Landed: lambda step, seat, seen: play.landed(step, seat, seen.card) if seen.card else None,
    TakenBack: lambda step, seat, seen: play.taken_back(step, seat, seen.card),
    Taken: lambda step, seat, seen: owed.taken(step, seat, seen.count),
    Said: lambda step, seat, seen: words.said(step, seat, seen.text),
    Pointed: _pointed,
    Recycled: lambda step, seat, seen: owed.recycled(step),
    TimeOut: lambda step, seat, seen: _time_out(step),
    OptionSet: lambda step, seat, seen: _option_set(step, seen),
}
"""What a happening changes, once it is known whose it was; of any other the game knows only that time has passed."""

GAME: Final = UncleBaiting()
MEASURED: Final = {preset: {"preset": preset} for preset in ("junior", "full")}
"""The editions by which it is measured: the one families begin with, and the one with everything in it."""
