"""What may be played now, what is owed, and what did the top card do, in words?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.games.blackjack.state import State
from referee.games.blackjack.turn import PICK_UP
from referee.record.observations import Seat
from referee.text import has, say
from referee.text.calls import card_name, who


def explain(state: State, names: Mapping[Seat, str] | None = None) -> str:
    """One sentence: "Hearts, a nine or an ace; Bo to play"."""
    called = {seat: who(seat, names or {}) for seat in state.players}
    if state.winner >= 0:
        return say("explain.over", who=called[state.players[state.winner]])
    turn = called[state.players[state.turn]]
    parts = [_playable(state), *_owed(state, called), *_turn(state, turn)]
    text = "; ".join(parts)
    return text[0].upper() + text[1:]


def _playable(state: State) -> str:
    """What the seat in turn may put on the pile (BJ-2, BJ-3, BJ-8)."""
    course, top = state.course, state.top
    if course.over:
        return say("explain.nothing")
    if top is None or ("bound" in course.readings and top.rank == "Q"):
        return say("explain.any")
    rank, unheard = say(f"explain.ranks.{top.rank}"), top.rank == "A" and not (state.suit or state.heard)
    if course.readings == ("step",):
        return say("blackjack.more", rank=rank)
    suit = say(f"explain.suits.{state.suit or top.suit}")
    if state.debt and not course.played:
        other = say(f"explain.ranks.{'J' if top.rank == '2' else '2'}")
        key = "blackjack.answer-rank" if top.rank in PICK_UP else "blackjack.answer"
        return say(key, suit=suit, rank=rank, other=other)
    if unheard:
        return say("explain.any")
    return say("blackjack.two-ways" if top.rank == "A" else "blackjack.follow", suit=suit, rank=rank)


def _owed(state: State, called: Mapping[Seat, str]) -> Iterator[str]:
    if state.debt:
        key = "explain.owes" if state.owes else "blackjack.answered"
        yield say(key, who=called[state.players[state.turn]], count=_number(state.debt))
    for seat, owed in zip(state.players, state.penalties, strict=True):
        if owed:
            yield say("explain.penalty" if owed == 1 else "explain.penalties", who=called[seat], count=_number(owed))
    for place, owed in state.debts:
        yield say("blackjack.debt", who=called[state.players[place]], count=_number(owed))
    for card, place in state.wrong:
        yield say("explain.take-back", who=called[state.players[place]], card=card_name(card))


def _turn(state: State, turn: str) -> Iterator[str]:
    if not state.course.played:
        if not state.debt:
            yield say("explain.turn", who=turn)
    elif not state.course.over:
        yield say("blackjack.may-end" if state.complete else "blackjack.goes-on", who=turn)


def _number(count: int) -> str:
    return say(f"explain.numbers.{count}") if has(f"explain.numbers.{count}") else str(count)


def lesson(state: State) -> tuple[tuple[str, str], ...]:
    """How the turn stands, in sentences, each with the number of its rule."""
    if state.top is None or state.winner >= 0:
        return ()
    told = []
    if state.course.played and not state.complete and "added" in state.course.readings:
        told.append((say("blackjack.lesson.cap"), "BJ-2"))
    if state.wrong:
        told.append((say("blackjack.lesson.wrong"), "BJ-6"))
    return tuple(told)
