"""Which rules change how many cards are dealt in rounds to come?"""

from __future__ import annotations

from typing import ClassVar

from referee.games.bartog.rules.rule import Rule
from referee.games.bartog.state import State, recalled, remember


class Counting(Rule):
    """What counts from round to round, for each seat."""

    lasts: ClassVar = True

    def _one_more(self, state: State, seats: list[int]) -> State:
        before = recalled(state, self.name) or (0,) * state.seats
        return remember(state, self.name, *(count + (seat in seats) for seat, count in enumerate(before)))

    def _count(self, state: State, seat: int) -> int:
        counts = recalled(state, self.name)
        return counts[seat] if counts else 0


class Tournament(Counting):
    """Who wins a round is dealt a card fewer from then on; who is to be dealt none has won the tournament."""

    name: ClassVar = "tournament"
    number: ClassVar = "9"

    def round_ends(self, state: State) -> State:
        """One round more for the winner."""
        return self._one_more(state, [state.winner])

    def dealt(self, state: State, seat: int, cards: int) -> int:
        """Fewer by the rounds won."""
        return max(0, cards - self._count(state, seat))


class AntiTournament(Counting):
    """Who has most cards at the end of a round is dealt a card more from then on."""

    name: ClassVar = "anti-tournament"
    number: ClassVar = "9a"

    def round_ends(self, state: State) -> State:
        """One card more for whoever has most; for nobody where several have."""
        most = [seat for seat in range(state.seats) if state.counts[seat] == max(state.counts)]
        return self._one_more(state, most if len(most) == 1 else [])

    def dealt(self, state: State, seat: int, cards: int) -> int:
        """More by the rounds lost."""
        return cards + self._count(state, seat)
