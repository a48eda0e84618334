"""Which cards may be played, and by whom (UB-2 to UB-4, UB-14 to UB-20, UB-29)?"""

from __future__ import annotations

from typing import Final, TypeAlias

from referee.games.uncle_baiting.order import hands_between
from referee.games.uncle_baiting.state import State, Top
from referee.games.uncle_baiting.step import Step
from referee.record.cards import JOKER, Card

PLAYS: Final = "plays"
BUTTS_IN: Final = "butts-in"
PLAYS_JOKER: Final = "plays-joker"
RIGHT: Final = frozenset({PLAYS, BUTTS_IN, PLAYS_JOKER})
OUT_OF_TURN: Final = "out-of-turn"
_LEGAL: Final[dict[tuple[object, ...], frozenset[Card]]] = {}
"""Legal cards by all that they depend on: the same few positions come back, in every world that is held possible."""
_KEPT: Final = 1 << 14

Position: TypeAlias = State | Step
"""What legality depends on."""


def verdict(position: Position, seat: int, card: Card) -> str:
    """What it is if `seat` plays `card` now: one of `RIGHT`, `OUT_OF_TURN`, or the number of the rule it breaks."""
    table, top = position.table, position.top
    effect = table.effects.get(card)
    if effect is None:  # a card of another deck
        return "UB-27"
    turn = position.order.turn
    if card is JOKER:
        if not effect:
            return "UB-3"
        if holds_one(position, seat):
            return "UB-29"
        victim = position.debt > 0 and turn >> 1 == seat  # it cannot be used to avoid picking up
        return "UB-11" if victim else PLAYS_JOKER
    if effect == "J" and holds_one(position, seat):
        return "UB-29"
    if table.butting_in and identical(top, card):
        if top.owner == seat and not position.auto:
            return "UB-2"
        if butt_in_open(position):
            return BUTTS_IN
    if turn >= 0 and turn >> 1 != seat:
        return BUTTS_IN if table.butting_in and card.rank == "J" and suit_unheard(top) else OUT_OF_TURN
    if follows(top, position.debt, card, effect) or suit_unheard(top):
        return PLAYS
    if position.debt:
        return "UB-14"
    if effect == "J" and top.effect in ("A", "2"):
        return "UB-17"
    return {"J": "UB-18", "7r": "UB-20", "7b": "UB-20"}.get(top.effect, "UB-27")


def holds_one(position: Position, seat: int) -> bool:
    """Whether the next card of `seat` is its last (UB-29): a four's hands are passed on before it is played (UB-16).

    Whether a seat that is not in turn has passed its hand on yet nobody knows: then it has to be the last either way.
    """
    counts, passed = position.counts, passed_by(position)
    return counts[seat - passed] == 1 and (not passed or counts[seat] == 1 or position.order.turn >> 1 == seat)


def passed_by(position: Position) -> int:
    """How many seats on the hands are passed before the hand in turn acts (UB-16)."""
    fours, seats = position.top.fours, position.table.seats
    return hands_between(position.order, seats) * fours % seats if fours else 0


def follows(top: Top, debt: int, card: Card, effect: str) -> bool:
    """Whether the hand in turn may put `card`, whose rule is `effect`, on `top`; butting in and Jokers aside."""
    on, under = top.card, top.effect
    if on is None:
        return True  # there is nothing to follow
    if debt:
        return under == "2" and effect == "2"  # aces must be picked up; twos may be answered by twos
    if effect == "J":
        return under not in ("A", "2", "7r")  # UB-17, UB-20; dead cards have no effect (UB-4)
    if under == "J":
        return card.suit == top.suit if top.suit else card.suit != on.suit  # UB-18
    if under == "7r":
        return card.suit == on.suit and card.rank in "A2345"  # UB-20
    if under == "7b":
        return card.suit == on.suit and card.rank in "JQK"
    return card.suit == on.suit or card.rank == on.rank or on is JOKER


def identical(top: Top, card: Card) -> bool:
    """Whether `card` has the face of the top card, or is the Jack of the suit that was named for a Jack (UB-19)."""
    return card is top.card or (top.effect == "J" and card.rank == "J" and card.suit == top.suit)


def suit_unheard(top: Top) -> bool:
    """Whether any suit may have been named for the Jack on top."""
    return top.unheard and not top.suit


def butt_in_open(position: Position) -> bool:
    """Whether an identical card still butts in: on aces and twos only until two hands have acted (UB-15)."""
    return position.turns < 2 or position.top.effect not in ("A", "2")


def legal_cards(position: Position, seat: int) -> frozenset[Card]:
    """The cards that `seat` (-1: nobody) could play now without a penalty, whatever it holds."""
    if seat < 0:
        return frozenset()
    top, turn = position.top, position.order.turn
    alike = (
        position.table,
        top.card,
        top.effect,
        top.suit,
        top.unheard,
        position.debt > 0,
        turn >> 1 == seat or turn < 0,
        holds_one(position, seat),
        top.owner == seat and not position.auto,
        butt_in_open(position),
    )
    cards = _LEGAL.get(alike)
    if cards is None:
        if len(_LEGAL) >= _KEPT:
            _LEGAL.clear()
        cards = frozenset(card for card in position.table.effects if verdict(position, seat, card) in RIGHT)
        _LEGAL[alike] = cards
    return cards
