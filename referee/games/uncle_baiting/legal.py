"""Which cards may be played, and by whom (UB-2 to UB-4, UB-14 to UB-20, UB-29)?"""

from __future__ import annotations

from typing import Final, Protocol

from referee.games.uncle_baiting.options import Table
from referee.games.uncle_baiting.order import hands_between
from referee.games.uncle_baiting.state import Order, Top
from referee.record.cards import JOKER, Card

PLAYS: Final = 0
BUTTS_IN: Final = 1
PLAYS_JOKER: Final = 2
ILLEGAL: Final = 3
OUT_OF_TURN: Final = 4
_LEGAL: Final[dict[tuple[object, ...], frozenset[Card]]] = {}
"""Legal cards by all that they depend on: the same few positions come back, in every world that is held possible."""
_KEPT: Final = 1 << 14


class Position(Protocol):
    """What legality depends on: a `State`, or a `Step` on the way to one."""

    @property
    def table(self) -> Table: ...  # noqa: D102
    @property
    def order(self) -> Order: ...  # noqa: D102
    @property
    def debt(self) -> int: ...  # noqa: D102
    @property
    def top(self) -> Top: ...  # noqa: D102
    @property
    def turns(self) -> int: ...  # noqa: D102
    @property
    def counts(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def auto(self) -> bool: ...  # noqa: D102


def verdict(position: Position, seat: int, card: Card) -> int:
    """What it is if `seat` plays `card` now: `PLAYS`, `BUTTS_IN`, `PLAYS_JOKER`, or else `ILLEGAL`, `OUT_OF_TURN`."""
    table, top = position.table, position.top
    effect = table.effects.get(card)
    if effect is None:  # a card of another deck
        return ILLEGAL
    turn = position.order.turn
    if card is JOKER:
        last = holds_one(position, seat)
        victim = position.debt > 0 and turn >> 1 == seat  # it cannot be used to avoid picking up
        return PLAYS_JOKER if effect and not last and not victim else ILLEGAL  # UB-3, UB-11, UB-29
    if effect == "J" and holds_one(position, seat):
        return ILLEGAL  # UB-29
    if table.butting_in and identical(top, card):
        if top.owner == seat and not position.auto:
            return ILLEGAL  # UB-2
        if butt_in_open(position):
            return BUTTS_IN
    if turn >= 0 and turn >> 1 != seat:
        return BUTTS_IN if table.butting_in and card.rank == "J" and suit_unheard(top) else OUT_OF_TURN
    return PLAYS if follows(top, position.debt, card, effect) or suit_unheard(top) else ILLEGAL


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


def rule_broken(position: Position, seat: int, card: Card) -> str:
    """The number of the rule that an illegal `card` breaks."""
    top, effect = position.top, position.table.effects.get(card)
    if card is JOKER and not effect:
        return "UB-3"
    if card is JOKER:
        return "UB-29" if holds_one(position, seat) else "UB-11"
    if effect == "J" and holds_one(position, seat):
        return "UB-29"
    if identical(top, card) and top.owner == seat and not position.auto:
        return "UB-2"
    if position.debt:
        return "UB-14"
    if effect == "J" and top.effect in ("A", "2"):
        return "UB-17"
    return {"J": "UB-18", "7r": "UB-20", "7b": "UB-20"}.get(top.effect, "UB-27")


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
        cards = frozenset(card for card in position.table.effects if verdict(position, seat, card) <= PLAYS_JOKER)
        _LEGAL[alike] = cards
    return cards
