"""Has somebody won (UB-28)?"""

from __future__ import annotations

from referee.games.uncle_baiting.options import Table
from referee.games.uncle_baiting.state import Clock
from referee.games.uncle_baiting.step import RULE_OF, Step


def declare(step: Step, t: float) -> None:
    """The first seat that is out has won, unless cards are still being picked up or it has words or a card to give."""
    if step.debt:
        return  # after an ace or a two: not before the picking up is complete, which may come back to it
    for seat in step.hands.out:
        if not cleared(step, seat):
            continue
        if step.hands.vague >> seat & 1:  # its count is in doubt: ask, once
            step.hands = step.hands._replace(out=tuple(other for other in step.hands.out if other != seat))
            step.ask("has-won", seat, (step.seen,), rule="UB-28")
            continue
        step.win(seat, t)
        return


def deadline(clock: Clock, table: Table) -> float:
    """When a seat that is out has won without a further act, seconds of the match clock."""
    return clock.acted + table.settle


def due(step: Step) -> bool:
    """Whether that moment has come; it does not come in time out, nor while the pick-up pile is renewed (UB-31)."""
    return step.clock.paused < 0 and not step.pile.renewal and deadline(step.clock, step.table) <= step.t


def cleared(step: Step, seat: int) -> bool:
    """Whether `seat`, which is out, has said its words and owes nothing."""
    hands = step.hands
    return not (
        hands.counts[seat]
        or hands.penalties[seat]
        or hands.later[seat]
        or any(duty.seat == seat for duty in step.duties)
        or any(ballot.seat == seat and ballot.code in RULE_OF for ballot in step.votes.ballots)
    )
