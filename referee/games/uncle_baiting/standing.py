"""How does the table stand in a state, for the other rooms?"""

from __future__ import annotations

from functools import lru_cache

from referee.games.kit.ring import ANYONE, seat_of
from referee.games.uncle_baiting import winning
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.step import RULE_OF_TURN
from referee.games.uncle_baiting.words import ASKING, WORDS_OF
from referee.record.cards import Card
from referee.record.observations import Seat
from referee.record.standing import Brief, Due, Standing


def standing(state: State) -> Standing:
    """The state in words every game shares."""
    table, order, owed = state.table, state.order, state.owed
    players, turn = table.players, order.turn
    now, ahead = _meaning(state), _ahead(state)
    return Standing(
        players=players,
        turn=table.letter(seat_of(turn)),
        hand=1 + (turn & 1) if order.queens and turn >= 0 else 0,
        owed=state.debt,
        direction=order.direction,
        suit=state.top.suit,
        top=state.top.card,
        counts=state.counts,
        penalties_owed=tuple(now + later for now, later in zip(owed.penalties, owed.later, strict=True)),
        owed_penalty=owed.penalties,
        wrong=_wrong(state),
        pick_up_pile=max(0, state.pick_up),
        due=_due(state),
        listening=now | ahead,
        ahead=ahead - now,
        modes=_modes(state),
        pointing=order.pointing == ANYONE and not order.queens,
        time_out=state.paused >= 0,
        winner=table.letter(state.winner),
        deadline=_deadline(state),
        turn_since=state.acted,
        words_judged=state.heard,
        why=("" if state.turns else state.top.why) or RULE_OF_TURN.get(state.top.effect, "UB-6"),
    )


def brief(state: State) -> Brief:
    """The few things of `standing` that are looked at most."""
    players, turn, winner = state.table.players, state.order.turn, state.winner
    return Brief(
        players,
        players[turn >> 1] if turn >= 0 else None,
        state.debt or 1,
        state.owed.penalties,
        _wrong(state) if state.pile.wrong else (),
        _due(state) if state.duties else (),
        players[winner] if winner >= 0 else None,
    )


def _wrong(state: State) -> tuple[tuple[Card, Seat], ...]:
    return tuple([(card, state.table.players[seat]) for card, seat in state.pile.wrong])


def _due(state: State) -> tuple[Due, ...]:
    return tuple([_duty(state.table.players[duty.seat], duty.code) for duty in state.duties])


@lru_cache
def _duty(seat: Seat, code: str) -> Due:
    return Due(seat=seat, words=WORDS_OF[code], code=code)


def _modes(state: State) -> tuple[str, ...]:
    order = state.order
    modes = {
        "tens": order.tens,
        "queens": bool(order.queens),
        "skip-pending": order.waiting > 0,
        "reverse-pending": order.six > 0,
        "pointing": order.pointing == ANYONE,
        "hands-pass": state.top.fours > 0,
        "no-auto-butt-in": not state.auto,
        "pile-exhausted": state.pile.renewal == 1,
    }
    return tuple(mode for mode, on in modes.items() if on)


def _meaning(state: State) -> frozenset[str]:
    """Words that meet a duty, or change a Jack's suit, or ask what strict play keeps to itself."""
    if state.winner >= 0:
        return frozenset()
    words = {word for duty in state.duties for word in WORDS_OF[duty.code]}
    if state.table.level == "strict":
        words.add(ASKING)
    if state.top.effect == "J" and not state.turns:
        words.update(WORDS_OF["no-suit"])
    return frozenset(words)


def _ahead(state: State) -> frozenset[str]:
    """Words that may be said just before the card they belong to (UB-22)."""
    if state.winner >= 0:
        return frozenset()
    table, order, top, seat = state.table, state.order, state.top, seat_of(state.order.turn)
    words = set(WORDS_OF["no-suit"] if "J" in table.cards else ())
    if not table.penalties:
        return frozenset(words)
    words.add("last card")
    if "A" in table.cards:
        words.add("sorry")
    if "T" in table.cards:
        words.add("out" if order.tens else "in")
    if "Q" in table.cards:
        words.add("out" if order.queens else "in")
    if "5" in table.cards:
        words.add("you")
    if top.effect in ("7r", "7b") and (seat < 0 or seat_of(top.holder) == seat):
        words.add("apologies")
    return frozenset(words)


def _deadline(state: State) -> float | None:
    """When a win is settled though nothing happens."""
    if state.winner >= 0 or state.debt or not any(winning.cleared(state, seat) for seat in state.owed.out):
        return None
    return winning.deadline(state)
