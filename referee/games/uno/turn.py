"""Which cards may be played, and what has a turn changed when it ends (UN-3, UN-4, UN-7, UN-8)?"""

from __future__ import annotations

from typing import Final

from referee.games.kit.copying import replace
from referee.games.kit.counts import added
from referee.games.uno.state import State
from referee.record.cards import Card

PICK_UP: Final = {"+2": 2, "W+4": 4}


def follows(state: State, card: Card) -> bool:
    """Whether `card` may be played on the top card by a seat whose turn begins (3.2, UN-4, UN-7)."""
    if state.debt:
        return card.rank in PICK_UP
    top = state.top
    if top is None or not card.suit:
        return True
    if not top.suit:
        return state.suit in ("", card.suit)
    return card.suit == top.suit or card.rank == top.rank


def open_(state: State) -> bool:
    """Whether the seat in turn has done something that may be its whole turn."""
    return bool(state.played or state.taken)


def position(state: State, seat: int, card: Card | None, t: float = 0.0) -> State | None:
    """The state in which `seat` acts, with `card` or (None) by taking: this, or the one after an open turn.

    None if it is not its turn in either.
    """
    if seat == state.turn:
        again = not open_(state) or (card is not None and (not state.played or card in state.played))
        if again:
            return state
        closed = ended(state, t)
        return closed if state.played and closed.turn == seat else state
    if open_(state):
        closed = ended(state, t)
        if closed.turn == seat:
            return closed
    return None


def fits(state: State, card: Card) -> bool:
    """Whether the seat in turn may play `card`: its first one, or one identical to it (3.4)."""
    if state.played:
        return len(state.played) < 2 and card in state.played
    return not (state.debt and state.taken) and follows(state, card)


def ended(state: State, t: float) -> State:
    """The state when the open turn ends at `t`: blocks, reverses and pick-up cards have their effect."""
    seat, steps, way, debt, penalties = state.turn, 1, state.way, state.debt, state.penalties
    if state.debt and state.taken:  # N-1: what was not taken of a chain is owed
        penalties, debt = added(penalties, seat, max(0, debt - state.taken)), 0
    for card in state.played:
        steps += card.rank == "S"
        way = -way if card.rank == "R" else way
        debt += PICK_UP.get(card.rank, 0)
    due = state.due
    if state.heard and state.counts[seat] == 1 and not state.said >> seat & 1 and state.played:
        due = (*due, (seat, "no-uno", state.row))
    return replace(
        state,
        turn=(seat + steps * way) % len(state.players),
        way=way,
        debt=debt,
        penalties=penalties,
        due=due,
        played=(),
        taken=0,
        said=state.said & ~(1 << seat),
        ended=t,
    )
