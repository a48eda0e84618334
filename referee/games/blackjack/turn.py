"""How can the cards of a turn be read, and is the turn complete (BJ-2 to BJ-4)?

A card of a turn is a *step* or was *added* to one, and often it can be read as either. All readings are kept until the
turn ends: a small automaton that is in several states at once, one for each way to read the newest card.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from referee.record.cards import FRENCH, Card

Reading: TypeAlias = Literal["step", "added", "bound"]
"""What the newest card of a turn may be: a step, after which the turn may end; a card added to one, which asks for
another step; or a 3 or a Queen, which asks for one in any case."""
Readings: TypeAlias = tuple[Reading, ...]
"""All that the newest card may be, in that order; none before the first card of a turn."""

BINDING: Final = ("3", "Q")
PICK_UP: Final = ("2", "J")
POWER: Final = ("A", "2", "3", "8", "J", "Q", "K")
_ORDER: Final[Readings] = ("step", "added", "bound")
_FACES: Final = frozenset(FRENCH)


def follow(readings: Readings, top: Card | None, suit: str, card: Card) -> Readings:
    """What `card` may be when it is played on `top`; nothing where no reading of the turn so far allows it (BJ-6).

    Args:
        readings: what `top` may be in this turn; empty where `card` begins the turn.
        top: None on the empty pile.
        suit: the suit that was named for the ace on top; empty where it has its own.
    """
    if card not in _FACES:
        return ()
    found = set[Reading]()
    if _is_step(readings, top, suit, card) and readings != ("step",):
        found.add(first(card))
    if top is not None and card.rank == top.rank and {"step", "added"} & set(readings):
        found.add("bound" if card.rank in BINDING else "added")
    return tuple(reading for reading in _ORDER if reading in found)


def first(card: Card) -> Reading:
    """What `card` is as a step."""
    return "bound" if card.rank in BINDING else "step"


def complete(readings: Readings, top: Card | None) -> bool:
    """Whether a turn whose newest card, `top`, may be that can end here: some reading of it says so (BJ-2, BJ-3)."""
    return "step" in readings or ("added" in readings and top is not None and top.rank in PICK_UP)


def _is_step(readings: Readings, top: Card | None, suit: str, card: Card) -> bool:
    """Whether `card` matches `top`; after a Queen of the same turn and on the empty pile anything does (BJ-2)."""
    if top is None or card.rank in ("A", top.rank) or (top.rank == "Q" and readings):
        return True
    return card.suit == (suit or top.suit)
