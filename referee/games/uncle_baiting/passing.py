"""Who holds which hand once a red four's hands have been passed on (UB-16)?"""

from __future__ import annotations

from typing import Protocol

from referee.games.ring import Hand
from referee.games.uncle_baiting.options import Table
from referee.games.uncle_baiting.order import hands_between
from referee.games.uncle_baiting.state import Hands, Order, Top


class Position(Protocol):
    """What a hand-over depends on: a `State`, or a `Step` on the way to one."""

    @property
    def table(self) -> Table: ...  # noqa: D102
    @property
    def order(self) -> Order: ...  # noqa: D102
    @property
    def others(self) -> tuple[Order, ...]: ...  # noqa: D102
    @property
    def turn(self) -> Hand: ...  # noqa: D102
    @property
    def top(self) -> Top: ...  # noqa: D102
    @property
    def hands(self) -> Hands: ...  # noqa: D102


def passed_on(position: Position) -> Hands:
    """What everybody holds when the hand in turn acts: as now, unless a four's hands are still to be passed on."""
    hands, seats, fours = position.hands, position.table.seats, position.top.fours
    if not fours:
        return hands
    if position.order.origin < 0 or position.others:  # nobody knows how far
        return hands._replace(vague=(1 << seats) - 1)
    by = hands_between(position.order, position.turn, seats) * fours % seats
    if not by:
        return hands
    counts = hands.counts[:seats]
    passed = (*counts[-by:], *counts[:-by])
    vague = (hands.vague << by | hands.vague >> (seats - by)) & ((1 << seats) - 1)
    out = tuple(seat for seat in hands.out if not passed[seat])
    return Hands((*passed, hands.counts[seats]), hands.penalties, hands.later, vague, out)
