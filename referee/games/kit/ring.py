"""Who is next when hands sit on a ring, one or two to a player?

A *hand* is a small integer: `2 * seat` for a player's only or leading hand, `2 * seat + 1` for the trailing hand.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Hand: TypeAlias = int
ANYONE: Final[Hand] = -1
"""No hand in particular: nobody knows whose turn it is, or anyone may play."""


def seat_of(hand: Hand) -> int:
    """The place in seating order of the player who holds `hand`; -1 for `ANYONE`."""
    return hand >> 1


def walk(hand: Hand, steps: int, seats: int, doubled: int) -> Hand:
    """The hand `steps` further on the ring of `seats` players, to the left when positive.

    Args:
        doubled: 0 when every player has one hand. Otherwise the direction (1 or -1) in which each player's leading
            hand comes right before the trailing one (UB-5): with 1 the ring is A1 A2 B1 B2 …, with -1 it is, still
            from left to right, A2 A1 B2 B1 …
    """
    if not doubled:
        return ((hand >> 1) + steps) % seats << 1
    place = (2 * ((hand >> 1) * doubled % seats) + (hand & 1) + steps * doubled) % (2 * seats)
    return ((place >> 1) * doubled % seats << 1) + (place & 1)


def same_hand_of_player(hand: Hand, players: int, seats: int) -> Hand:
    """The leading (trailing) hand of the player `players` further round the table from the one of `hand`."""
    return hand if hand < 0 else (((hand >> 1) + players) % seats << 1) + (hand & 1)
