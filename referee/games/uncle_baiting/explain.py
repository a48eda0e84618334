"""What may be played now, and what is owed, in words?"""

from __future__ import annotations

from collections.abc import Iterator

from referee.calls import card_name
from referee.cards import JOKER
from referee.games.ring import ANYONE, seat_of
from referee.games.uncle_baiting.legal import butt_in_open
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.words import WORDS_OF
from referee.text import has, say


def explain(state: State) -> str:
    """One sentence: "Hearts or a nine; or any Jack; B must pick up four"."""
    if state.winner >= 0:
        return say("explain.over", who=_who(state, state.winner))
    text = "; ".join((*_playable(state), *_owed(state), *_said(state), *_turn(state)))
    return text[0].upper() + text[1:]


def _playable(state: State) -> Iterator[str]:
    """What the hand in turn may put on the pile (UB-14, UB-17 to UB-20), and whether it can be butted in on."""
    top, card = state.top, state.top.card
    jacks = "J" in state.table.cards and top.effect not in ("A", "2", "7r")
    if card is None or card is JOKER:
        yield say("explain.any")
    elif state.debt:
        yield say("explain.only-two" if top.effect == "2" else "explain.nothing")
        jacks = False
    elif top.effect == "J":
        suits = top.suits or card.suit
        yield say("explain.suit" if top.suits else "explain.not-suit", suit=say(f"explain.suits.{suits[0]}"))
    else:
        key = {"7r": "up-to-five", "7b": "from-jack"}.get(top.effect, "suit-or-rank")
        suit, rank = say(f"explain.suits.{card.suit}"), say(f"explain.ranks.{card.rank}")
        yield say(f"explain.{key}", suit=suit, rank=rank)
    if jacks and card and card is not JOKER and (card.rank != "J" or top.effect == "J"):
        yield say("explain.any-jack")
    if card and state.table.butting_in and butt_in_open(top):
        yield say("explain.butt-in")


def _owed(state: State) -> Iterator[str]:
    if state.debt:
        yield say("explain.owes", who=_who(state, seat_of(state.turn)), count=_number(state.debt))
    for seat, owed in enumerate(state.hands.penalties):
        if owed:
            key = "explain.penalty" if owed == 1 else "explain.penalties"
            yield say(key, who=_who(state, seat), count=_number(owed))
    for card, seat in state.pile.wrong:
        yield say("explain.take-back", who=_who(state, seat), card=card_name(card))
    if state.top.fours:
        yield say("explain.passes")


def _said(state: State) -> Iterator[str]:
    for duty in state.duties:
        key = "explain.say-suit" if duty.code == "no-suit" else "explain.say"
        yield say(key, who=_who(state, duty.seat), words=WORDS_OF[duty.code][0])


def _turn(state: State) -> Iterator[str]:
    order, turn = state.order, state.turn
    if order.pointing == ANYONE and state.top.owner >= 0:
        yield say("explain.pointing", who=_who(state, state.top.owner))
    elif turn < 0:
        yield say("explain.anyone")
    elif not state.debt:
        yield say(f"explain.turn-{1 + (turn & 1)}" if order.queens else "explain.turn", who=_who(state, seat_of(turn)))
    if order.waiting:
        yield say("explain.skip")
    if order.tens:
        yield say("explain.tens")


def _who(state: State, seat: int) -> str:
    return state.table.letter(seat) or say("who.unknown")


def _number(count: int) -> str:
    return say(f"explain.numbers.{count}") if has(f"explain.numbers.{count}") else str(count)
