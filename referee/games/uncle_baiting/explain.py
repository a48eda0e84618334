"""What may be played now, and what is owed, in words?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from referee.games.kit.ring import ANYONE, seat_of
from referee.games.uncle_baiting.legal import butt_in_open, holds_one, suit_unheard
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.words import WORDS_OF
from referee.record.cards import JOKER
from referee.record.observations import UNKNOWN
from referee.text import has, say
from referee.text.calls import Names, card_name, who

Called: TypeAlias = Callable[[int], str]
"""The name of a seat by its place in seating order; -1 is somebody."""


def explain(state: State, names: Names | None = None) -> str:
    """One sentence: "Hearts or a nine; or any Jack; Bo must pick up four"."""

    def called(seat: int) -> str:
        return who(state.table.letter(seat) or UNKNOWN, names or {})

    if state.winner >= 0:
        return say("explain.over", who=called(state.winner))
    parts = (*_playable(state), *_owed(state, called), *_said(state, called), *_turn(state, called))
    text = "; ".join(parts)
    return text[0].upper() + text[1:]


def _playable(state: State) -> Iterator[str]:
    """What the hand in turn may put on the pile (UB-14, UB-17 to UB-20), and whether it can be butted in on."""
    top, card = state.top, state.top.card
    jacks = "J" in state.table.cards and top.effect not in ("A", "2", "7r") and not _last(state)
    if card is JOKER or card not in state.table.effects or suit_unheard(top):
        yield say("explain.any")
        jacks = False
    elif state.debt:
        yield say("explain.only-two" if top.effect == "2" else "explain.nothing")
        jacks = False
    elif top.effect == "J":
        suit = top.suit or card.suit
        yield say("explain.suit" if top.suit else "explain.not-suit", suit=say(f"explain.suits.{suit}"))
    else:
        key = {"7r": "up-to-five", "7b": "from-jack"}.get(top.effect, "suit-or-rank")
        suit, rank = say(f"explain.suits.{card.suit}"), say(f"explain.ranks.{card.rank}")
        yield say(f"explain.{key}", suit=suit, rank=rank)
    if jacks and card and (card.rank != "J" or top.effect == "J"):
        yield say("explain.any-jack")
    if card and state.table.butting_in and butt_in_open(state):
        yield say("explain.butt-in")


def _last(state: State) -> bool:
    """Whether the hand in turn holds a single card, which may not be a Jack (UB-29)."""
    seat = seat_of(state.order.turn)
    return seat >= 0 and holds_one(state, seat)


def _owed(state: State, called: Called) -> Iterator[str]:
    if state.debt:
        yield say("explain.owes", who=called(seat_of(state.order.turn)), count=_number(state.debt))
    for seat, owed in enumerate(state.owed.penalties):
        if owed:
            key = "explain.penalty" if owed == 1 else "explain.penalties"
            yield say(key, who=called(seat), count=_number(owed))
    for card, seat in state.pile.wrong:
        yield say("explain.take-back", who=called(seat), card=card_name(card))
    if state.top.fours:
        yield say("explain.passes")


def _said(state: State, called: Called) -> Iterator[str]:
    for duty in state.duties:
        key = "explain.say-suit" if duty.code == "no-suit" else "explain.say"
        yield say(key, who=called(duty.seat), words=WORDS_OF[duty.code][0])


def _turn(state: State, called: Called) -> Iterator[str]:
    order, turn = state.order, state.order.turn
    if order.pointing == ANYONE and state.top.owner >= 0:
        yield say("explain.pointing", who=called(state.top.owner))
    elif turn < 0:
        yield say("explain.anyone")
    elif not state.debt:
        yield say(f"explain.turn-{1 + (turn & 1)}" if order.queens else "explain.turn", who=called(seat_of(turn)))
    if order.waiting:
        yield say("explain.skip")
    if order.tens:
        yield say("explain.tens")


def _number(count: int) -> str:
    return say(f"explain.numbers.{count}") if has(f"explain.numbers.{count}") else str(count)
