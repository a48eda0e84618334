"""How many cards does each seat hold, from how many on does it not matter, and whose is the wrong one taken back?"""

from __future__ import annotations

from typing import Final, TypeAlias

from referee.record.cards import Card

Wrong: TypeAlias = tuple[tuple[Card, int], ...]
"""Cards that must be taken back, each with its seat, lowest first."""

MANY: Final = 8
"""Cards in a hand, or twice as many in the pick-up pile, from which on it judges the future alike if there are more."""


def added(counts: tuple[int, ...], seat: int, cards: int) -> tuple[int, ...]:
    """`counts` with `cards` more for `seat`."""
    changed = list(counts)
    changed[seat] += cards
    return tuple(changed)


def taken_off(wrong: Wrong, card: Card | None) -> tuple[Wrong, int]:
    """`wrong` without its uppermost `card` (None: whichever that is), and whose that is; -1 if none of them is."""
    for place in range(len(wrong) - 1, -1, -1):
        if card in (None, wrong[place][0]):
            return (*wrong[:place], *wrong[place + 1 :]), wrong[place][1]
    return wrong, -1
