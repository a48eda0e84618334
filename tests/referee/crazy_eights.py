"""Crazy eights: suit or rank follows, an eight fits on all and names a suit, a two makes the next seat take two.

With one card left "last card" is said. The whole game, as whoever writes the next one would begin.
"""

from dataclasses import replace
from typing import ClassVar

from referee.games.kit.shedding import SheddingGame, State
from referee.record.cards import Card

SUITS = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}


class CrazyEights(SheddingGame):
    """See above; what the base class says holds here as well."""

    name = "crazy-eights"
    words: ClassVar = {"no-last-card": ("last card",), "no-suit": tuple(SUITS)}
    rules: ClassVar = {"out-of-turn": "N-3", "illegal-card": "N-3", "no-last-card": "N-5", "no-suit": "N-5"}

    def fits(self, state: State, card: Card) -> bool:
        if state.debt:
            return card.rank == "2"
        assert state.top is not None
        unheard = state.top.rank == "8" and not (state.suit or state.heard)  # nobody listens which suit was named
        return unheard or card.rank in ("8", state.top.rank) or card.suit == (state.suit or state.top.suit)

    def played(self, state: State, seat: int, card: Card) -> State:
        debt = state.debt + 2 if card.rank == "2" else 0
        return replace(super().played(state, seat, card), debt=debt)

    def asks_for(self, state: State, seat: int, card: Card) -> tuple[str, ...]:
        last = ("no-last-card",) if state.counts[seat] == 1 else ()
        return (*last, "no-suit") if card.rank == "8" and state.counts[seat] else last

    def hears(self, state: State, seat: int, text: str) -> State:
        eight = state.top is not None and state.top.rank == "8" and not state.suit
        return replace(state, suit=SUITS[text]) if eight and text in SUITS else state


GAME = CrazyEights()
