"""What does the belief ask of a game?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Protocol, TypeVar

from referee.cards import Card
from referee.observations import Happening, Landed, Seat
from referee.rulings import AnyRuling
from referee.standing import Brief

S = TypeVar("S")


class Refereed(Protocol[S]):
    """A pure game, as far as the belief needs one: all happenings are certain, all functions pure."""

    def start(self, options: Mapping[str, str]) -> S:
        """The state before anything has happened."""
        ...

    def observe(self, state: S, happening: Happening, row: int = 0) -> tuple[S, tuple[AnyRuling, ...]]:
        """The state after `happening`, which `row` of the record tells, and what it shows: faults, notices, a win."""
        ...

    def forced(self, state: S, landed: Landed, row: int = 0) -> tuple[S, tuple[AnyRuling, ...]]:
        """The same as if that play had been right: the table let it pass."""
        ...

    def given(self, state: S, seat: Seat, cards: int, code: str) -> S:
        """The state after the referee gave `seat` a penalty, or struck one out (`cards` below 0)."""
        ...

    def key(self, state: S) -> Hashable:
        """Equal for states in which the future is judged alike."""
        ...

    def brief(self, state: S) -> Brief:
        """How the table stands, in short."""
        ...

    def right(self, state: S, seat: Seat, card: Card) -> bool:
        """Whether `seat` may play `card`."""
        ...

    def legal_cards(self, state: S, seat: Seat) -> frozenset[Card]:
        """Every card that `seat` may play."""
        ...

    def silent(self, state: S) -> tuple[tuple[Happening, float], ...]:
        """What people do without any sign, each with its share."""
        ...
