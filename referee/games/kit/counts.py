"""How many cards does each seat hold, and from how many on does it not matter?"""

from __future__ import annotations

from typing import Final

MANY: Final = 8
"""Cards in a hand, or twice as many in the pick-up pile, from which on it judges the future alike if there are more."""


def added(counts: tuple[int, ...], seat: int, cards: int) -> tuple[int, ...]:
    """`counts` with `cards` more for `seat`."""
    changed = list(counts)
    changed[seat] += cards
    return tuple(changed)
