"""Uncle Baiting: what does the referee answer to each observation?

A reader finds the code of a rule by its number:

- `options`: UB-1 to UB-3
- `order`: UB-5 to UB-13
- `legal`: UB-2 to UB-4, UB-14, UB-15, UB-17 to UB-20, UB-29
- `words`: UB-13, UB-18, UB-21 to UB-25
- `owed`: UB-14, UB-16, UB-24, UB-26, UB-31
- `play`: UB-4, UB-12, UB-25, UB-27
- `winning`: UB-28
- `disputes`: UB-30
- `doubt`: what is presumed when the eye or the ear is not sure
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from referee.cards import Card
from referee.games.uncle_baiting import (
    disputes,
    doubt,
    explain,
    legal,
    lesson,
    owed,
    play,
    sheet,
    standing,
    winning,
    words,
)
from referee.games.uncle_baiting.options import CHOICES, table_of
from referee.games.uncle_baiting.state import State, first_state
from referee.games.uncle_baiting.step import Step
from referee.observations import (
    UNKNOWN,
    Claimed,
    Happening,
    Landed,
    OptionSet,
    Pointed,
    Recycled,
    Said,
    Seat,
    Taken,
    TakenBack,
    TimeOut,
    Voted,
)
from referee.rulings import AnyRuling
from referee.standing import Standing


class UncleBaiting:
    """The game: a pure function of (state, observation) to (state, rulings); see `referee.games.Game`."""

    name: str = "uncle-baiting"
    turns_over: bool = True

    def start(self, options: Mapping[str, str]) -> State:
        """The state before the first observation.

        Raises:
            RefereeError: an option or its value is unknown.
        """
        return first_state(table_of(options))

    def observe(self, state: State, observation: Happening) -> tuple[State, tuple[AnyRuling, ...]]:
        """The state after `observation`, and what the referee answers to it."""
        step = Step(state, observation)
        if step.winner < 0:
            if not step.suspended:
                _deadlines(step)
            judge = _JUDGES.get(type(observation))
            if judge and step.winner < 0:
                judge(step, observation)
                if step.hands.out and step.winner < 0 and winning.due(step):
                    winning.declare(step, step.t)
                owed.deferred_become_owed(step)
                if step.votes.ballots:
                    disputes.drop_what_is_clear(step)
        return step.finish()

    def standing(self, state: State) -> Standing:
        """How the table stands in `state`."""
        return standing.standing(state)

    def legal_cards(self, state: State, seat: Seat) -> frozenset[Card]:
        """The cards that `seat` could play in `state` without a penalty, whatever it holds."""
        return legal.legal_cards(state, state.table.seat(seat)) if state.winner < 0 else frozenset()

    def explain(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        """In words what may be played and what is owed: "Hearts or a nine; or any Jack; Bo must pick up four"."""
        return explain.explain(state, names or {})

    def changeable(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """Whether one may butt in on oneself (UB-2) may be agreed on anew; it is what it is not that is offered."""
        if not state.table.butting_in or state.winner >= 0:
            return {}
        return {"auto_butt_in": ("forbid" if state.auto else "allow",)}

    def claimable(self, state: State) -> tuple[str, ...]:
        """The codes of the penalties that this edition knows (UB-30)."""
        return sheet.claimable(state.table) if state.winner < 0 else ()

    def lesson(self, state: State) -> tuple[tuple[str, str], ...]:
        """What the top card did, in sentences, each with the number of its rule."""
        return lesson.lesson(state)

    def rules_in_play(self, state: State) -> tuple[str, ...]:
        """The numbers of the rules that the table plays by."""
        return sheet.rules_in_play(state.table)

    def in_play(self, state: State) -> frozenset[str]:
        """The rules of cards that are in play, and `butting-in` and `penalties`."""
        return sheet.in_play(state.table)


def _deadlines(step: Step) -> None:
    """Settle what time alone has decided before this observation."""
    if step.votes.ballots:
        disputes.lapse(step)
    if step.hands.out and winning.due(step):
        winning.declare(step, winning.deadline(step.clock, step.table))


def _seat(step: Step, letter: Seat) -> int:
    """The place of `letter`, -1 if nobody could tell; a seat that is not at this table is told to the people."""
    seat = step.table.seat(letter)
    if seat < 0 and letter != UNKNOWN:
        step.notice("unknown-seat")
    return seat


def _landed(step: Step, seen: Landed) -> None:
    seat = _seat(step, seen.whose)
    play.landed(step, seat, seen.card)
    if seen.alternatives and not step.sure and step.top.row == step.seen and step.top.card:
        # it was taken for what the eye thinks likeliest
        step.ask("which-card", seat, (step.seen,), about=seen.card, answers=doubt.readings(seen))


def _taken_back(step: Step, seen: TakenBack) -> None:
    disputes.taken_back(step, _seat(step, seen.whose), seen.card)


def _taken(step: Step, seen: Taken) -> None:
    seat = _seat(step, seen.whose)
    disputes.admitted(step, seat, seen.count)
    owed.taken(step, seat, seen.count)


def _said(step: Step, seen: Said) -> None:
    words.said(step, _seat(step, seen.whose), seen.text)


def _pointed(step: Step, seen: Pointed) -> None:
    seat, at = _seat(step, seen.whose), _seat(step, seen.at)
    if at >= 0:
        words.pointed(step, seat, at, seen.hand)


def _recycled(step: Step, seen: Recycled) -> None:
    owed.recycled(step)


def _time_out(step: Step, seen: TimeOut) -> None:
    """Time out begins; or it ends, and what was running runs on from where it stood."""
    clock = step.clock
    if clock.paused < 0:
        step.clock = clock._replace(paused=step.t)
        return
    lost = step.t - clock.paused
    step.clock = clock._replace(paused=-1.0, acted=clock.acted + lost)
    ballots = tuple(ballot._replace(opened=ballot.opened + lost) for ballot in step.votes.ballots)
    step.votes = step.votes._replace(ballots=ballots)


def _claimed(step: Step, seen: Claimed) -> None:
    disputes.claimed(step, _seat(step, seen.whose), _seat(step, seen.against), seen.code)


def _voted(step: Step, seen: Voted) -> None:
    disputes.voted(step, _seat(step, seen.whose), seen)


def _option_set(step: Step, seen: OptionSet) -> None:
    """What may change during a match: `auto_butt_in` (UB-2), and `words`, as the ear comes and goes."""
    if seen.name == "words" and seen.value in CHOICES["words"]:
        if seen.value == "on":
            step.heard = True
        else:
            words.not_heard(step)
        step.notice(f"words-{seen.value}")
    elif seen.name == "auto_butt_in" and seen.value in CHOICES["auto_butt_in"]:
        step.auto = seen.value == "allow"
        step.notice(f"auto-butt-in-{seen.value}", rule="UB-2")
    else:
        step.notice("option-stays", rule="UB-2")


_JUDGES: Final[Mapping[type, Callable[..., None]]] = {
    Landed: _landed,
    TakenBack: _taken_back,
    Taken: _taken,
    Said: _said,
    Pointed: _pointed,
    Recycled: _recycled,
    TimeOut: _time_out,
    Claimed: _claimed,
    Voted: _voted,
    OptionSet: _option_set,
}
"""Who judges an observation; `TurnEnded` and `Elapsed` say nothing that the clock does not."""

GAME: Final = UncleBaiting()
