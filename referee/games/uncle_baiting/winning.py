"""Has somebody won (UB-28)?"""

from __future__ import annotations

from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.step import Step


def settle(step: Step, t: float | None = None) -> None:
    """If the time in which somebody may act has passed, a seat that is out has won: then, or at `t`."""
    until = deadline(step)
    if until is not None and until <= step.t:
        declare(step, until if t is None else t)


def declare(step: Step, t: float) -> None:
    """The first seat that is out has won, unless cards are still being picked up or it has words or a card to give."""
    seat = first_out(step)
    if seat >= 0:
        step.win(seat, t)


def first_out(position: Step | State) -> int:
    """The first seat that is out and owes nothing; -1 without one, and while cards are picked up.

    After an ace or a two there is none before the picking up is complete, which may come back to it.
    """
    return next((seat for seat in position.owed.out if cleared(position, seat)), -1) if not position.debt else -1


def deadline(position: Step | State) -> float | None:
    """When a seat that is out has won without a further act, seconds of the match clock.

    None in time out, and while the pick-up pile is renewed (UB-31).
    """
    if position.paused >= 0 or position.pile.renewal:
        return None
    return position.acted + position.table.settle


def cleared(position: Step | State, seat: int) -> bool:
    """Whether `seat` has neither a card nor owes one or a word."""
    owed = position.owed
    return not (
        position.counts[seat]
        or owed.penalties[seat]
        or owed.later[seat]
        or any(duty.seat == seat for duty in position.duties)
    )
