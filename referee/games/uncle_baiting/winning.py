"""Has somebody won (UB-28)?"""

from __future__ import annotations

from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.step import Step


def declare(step: Step, t: float) -> None:
    """The first seat that is out has won, unless cards are still being picked up or it has words or a card to give."""
    if step.debt:
        return  # after an ace or a two: not before the picking up is complete, which may come back to it
    for seat in step.owed.out:
        if cleared(step, seat):
            step.win(seat, t)
            return


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
