"""In which order do hands play, and what changes it (UB-5 to UB-13)?

Every function takes an `Order` and gives the one after. There are few orders in a match, so what follows from each is
worked out once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from referee.games.kit.copying import replace
from referee.games.kit.ring import ANYONE, Hand, same_hand_of_player, walk
from referee.games.uncle_baiting.state import NO_FIVE, Order

_WORKED_OUT: Final = 1 << 14
"""Answers kept, at most, of each function."""


@lru_cache(_WORKED_OUT)
def played(order: Order, hand: Hand, effect: str, seats: int) -> Order:
    """After `hand` played a card with `effect` in its turn."""
    if effect == "6":  # UB-8: it reverses at once, and cancels a reversal that is pending
        direction, six = -order.direction, 2
    else:
        direction, six = _after_six(order)
    return _with_effect(order, hand, effect, order.waiting, direction, six, seats)


@lru_cache(_WORKED_OUT)
def took(order: Order, hand: Hand, seats: int) -> Order:
    """After `hand` took cards in its turn: for the ring that is a plain card, which nobody can butt in on."""
    direction, six = _after_six(order)
    return _in_turn(
        Order(hand, direction, order.tens, order.queens, order.waiting, False, NO_FIVE, 0, six, 0, ANYONE), seats
    )


@lru_cache(_WORKED_OUT)
def butted_in(order: Order, hand: Hand, effect: str, seats: int) -> Order:
    """After `hand` butted in: it is the origin, and the card is applied again (UB-12).

    Skips of a three before the card go along with it (UB-9).
    """
    if order.queens:
        hand |= 1  # UB-7
    if effect == "6":
        return _with_effect(order, hand, effect, order.carried, -order.direction, 2, seats)
    return _with_effect(order, hand, effect, order.carried, order.direction, order.six, seats)


@lru_cache(_WORKED_OUT)
def jokered(order: Order, seats: int) -> Order:
    """After a Joker: the origin, or the hand a five points at, is one *player* further on (UB-11)."""
    direction = order.direction
    if order.pointing >= 0:
        return _in_turn(replace(order, pointing=same_hand_of_player(order.pointing, direction, seats)), seats)
    return _in_turn(replace(order, origin=same_hand_of_player(order.origin, direction, seats)), seats)


def pointed(order: Order, seat: int, hand: int, jokers: int, seats: int) -> Order:
    """After the player of a five pointed at `seat`, at its leading (0, 1) or trailing (2) hand (UB-13).

    Jokers that were put on the five before move play on from there.
    """
    at = 2 * seat + (1 if order.queens and hand == 2 else 0)
    return _in_turn(replace(order, pointing=same_hand_of_player(at, order.direction * jokers, seats)), seats)


def hands_between(order: Order, seats: int) -> int:
    """How many seats further on the next hand is from the player of the top card (UB-16); 0 when that is open."""
    return ((order.turn >> 1) - (order.origin >> 1)) % seats if order.turn >= 0 else 0


def _after_six(order: Order) -> tuple[int, int]:
    """Direction, and hands still to finish, when a hand acts: a six's second reversal precedes its effect (UB-8)."""
    if order.six == 1:
        return -order.direction, 0
    return order.direction, order.six and order.six - 1


def _with_effect(order: Order, hand: Hand, effect: str, due: int, direction: int, six: int, seats: int) -> Order:
    """`hand` has acted; `due` skips of an earlier three fall now, then the card's own effect."""
    tens, queens = order.tens, order.queens
    skips, back, pointing, waiting = due, False, NO_FIVE, 0
    if effect == "8":
        skips += 1
    elif effect == "K":
        direction = -direction
    elif effect == "9":
        back = True
    elif effect == "3":  # UB-9: it waits for the next hand, or adds to the skips of the three it was played on
        if due:
            skips += 1
        else:
            waiting = 1
    elif effect == "5":
        pointing = ANYONE
    elif effect == "T":
        tens = not tens
    elif effect == "Q" and queens:  # UB-5: back to one hand a player, the direction is kept
        queens = 0
        hand &= ~1
    elif effect == "Q":  # UB-5, UB-7
        queens = direction
        hand |= 1
    return _in_turn(
        Order(hand, direction, tens, queens, skips, back, pointing, waiting, six, due, ANYONE),
        seats,
    )


def _in_turn(order: Order, seats: int) -> Order:
    """With the hand whose turn it is: origin + direction x stride x (1 + skips) (UB-6); `ANYONE` if that is open."""
    return replace(order, turn=_next_hand(order, seats))


def _next_hand(order: Order, seats: int) -> Hand:
    if order.pointing != NO_FIVE:
        return order.pointing  # UB-13
    direction, queens = order.direction, order.queens
    step = direction + direction if order.tens else direction
    if order.back:  # UB-10: the nearest hand of another player, and skips are counted from there
        hand = walk(order.origin, -direction, seats, queens)
        if hand >> 1 == order.origin >> 1:
            hand = walk(hand, -direction, seats, queens)
        return walk(hand, step * order.skips, seats, queens)
    return walk(order.origin, step * (1 + order.skips), seats, queens)
