"""In which order do hands play, and what changes it (UB-5 to UB-13)?

Every function takes an `Order` and gives the one after.
"""

from __future__ import annotations

from referee.games.ring import ANYONE, Hand, same_hand_of_player, walk
from referee.games.uncle_baiting.state import NO_FIVE, Order


def next_hand(order: Order, seats: int) -> Hand:
    """The hand whose turn it is: origin + direction x stride x (1 + skips) (UB-6); `ANYONE` if that is open."""
    origin, direction, tens, queens, skips, back, pointing, _, _, _ = order
    if pointing != NO_FIVE:
        return pointing  # UB-13
    if origin < 0:
        return ANYONE
    step = direction + direction if tens else direction
    if back:  # UB-10: the nearest hand of another player, and skips are counted from there
        hand = walk(origin, -direction, seats, queens)
        if hand >> 1 == origin >> 1:
            hand = walk(hand, -direction, seats, queens)
        return walk(hand, step * skips, seats, queens) if skips else hand
    return walk(origin, step * (1 + skips), seats, queens)


def played(order: Order, hand: Hand, effect: str) -> Order:
    """After `hand` played a card with `effect` in its turn."""
    if effect == "6":  # UB-8: it reverses at once, and cancels a reversal that is pending
        direction, six = -order.direction, 2
    else:
        direction, six = _after_six(order)
    return _with_effect(order, hand, effect, order.waiting, direction, six)


def took(order: Order, hand: Hand) -> Order:
    """After `hand` took cards in its turn: for the ring that is a plain card, which nobody can butt in on."""
    direction, six = _after_six(order)
    return Order(hand, direction, order.tens, order.queens, order.waiting, False, NO_FIVE, 0, six, 0)


def butted_in(order: Order, hand: Hand, effect: str) -> Order:
    """After `hand` butted in: it is the origin, and the card is applied again (UB-12).

    Skips of a three before the card go along with it (UB-9).
    """
    if order.queens:
        hand |= 1  # UB-7; ANYONE stays ANYONE
    if effect == "6":
        return _with_effect(order, hand, effect, order.carried, -order.direction, 2)
    return _with_effect(order, hand, effect, order.carried, order.direction, order.six)


def _after_six(order: Order) -> tuple[int, int]:
    """Direction, and hands still to finish, when a hand acts: a six's second reversal precedes its effect (UB-8)."""
    if order.six == 1:
        return -order.direction, 0
    return order.direction, order.six and order.six - 1


def _with_effect(order: Order, hand: Hand, effect: str, due: int, direction: int, six: int) -> Order:
    """`hand` has acted; `due` skips of an earlier three fall now, then the card's own effect."""
    tens, queens = order.tens, order.queens
    if not effect or effect not in "3589TQK":
        return Order(hand, direction, tens, queens, due, False, NO_FIVE, 0, six, due)
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
    elif queens:  # UB-5: back to one hand a player, the direction is kept
        queens = 0
        hand = hand if hand < 0 else hand & ~1
    else:  # UB-5, UB-7
        queens = direction
        hand |= 1
    return Order(hand, direction, tens, queens, skips, back, pointing, waiting, six, due)


def jokered(order: Order, seats: int) -> Order:
    """After a Joker: the origin, or the hand a five points at, is one *player* further on (UB-11)."""
    direction = order.direction
    if order.pointing >= 0:
        return order._replace(pointing=same_hand_of_player(order.pointing, direction, seats))
    return order._replace(origin=same_hand_of_player(order.origin, direction, seats))


def pointed(order: Order, seat: int, hand: int, jokers: int, seats: int) -> Order:
    """After the player of a five pointed at `seat`, at its leading (0, 1) or trailing (2) hand (UB-13).

    Jokers that were put on the five before move play on from there.
    """
    at = 2 * seat + (1 if order.queens and hand == 2 else 0)
    return order._replace(pointing=same_hand_of_player(at, order.direction * jokers, seats))


def hands_between(order: Order, turn: Hand, seats: int) -> int:
    """How many seats further on the next hand is from the player of the top card (UB-16); 0 when that is open."""
    return ((turn >> 1) - (order.origin >> 1)) % seats if turn >= 0 and order.origin >= 0 else 0
