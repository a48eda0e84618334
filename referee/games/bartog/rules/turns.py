"""Which rules say who is next, and what that seat owes (BA-3, BA-16)?"""

from __future__ import annotations

from typing import ClassVar

from referee.games.bartog.rules.rule import Count, Move, Play, Rule
from referee.games.bartog.selectors import Selector
from referee.games.bartog.state import State, after, recalled, remember
from referee.games.kit.copying import replace


class Skip(Rule):
    """The next players miss a turn."""

    name: ClassVar = "skip"
    number: ClassVar = "1"

    on: Selector
    count: Count = 1

    def moves(self, state: State, play: Play) -> Move | None:
        """As many seats further on."""
        return Move(after(state, play.seat, 1 + self.count), play.carried)


class Reverse(Rule):
    """Play turns round."""

    name: ClassVar = "reverse"
    number: ClassVar = "2"

    on: Selector

    def lands(self, state: State, play: Play) -> State:
        """The other way from now on."""
        return replace(state, way=-state.way)


class ReverseByColour(Rule):
    """To the left after a red card, to the right after a black one."""

    name: ClassVar = "reverse-by-colour"
    number: ClassVar = "8"

    def lands(self, state: State, play: Play) -> State:
        """The card's own way from now on."""
        return replace(state, way=1 if play.card.red else -1)


class Draw(Rule):
    """The next player picks up cards, and that is the turn; where it is cumulative, another draw card passes it on."""

    name: ClassVar = "draw"
    number: ClassVar = "6"

    on: Selector
    count: Count = 1
    cumulative: bool = False

    def variants(self) -> tuple[str, ...]:
        """Whether it adds up."""
        return ("cumulative",) if self.cumulative else ()

    def lands(self, state: State, play: Play) -> State:
        """Remembered for a stop card."""
        return remember(state, self.name, play.seat)

    def moves(self, state: State, play: Play) -> Move | None:
        """The next seat owes its cards, and what was owed before where that adds up."""
        return Move(after(state, play.seat, 1), self.count + (play.debt if self.cumulative else 0))

    def answers(self, state: State) -> bool:
        """Only where it is cumulative."""
        return self.cumulative


class BuckStops(Rule):
    """Instead of taking cards, a stop card may be played: then whoever played the last draw card takes them."""

    name: ClassVar = "buck-stops"
    number: ClassVar = "6a"

    on: Selector

    def moves(self, state: State, play: Play) -> Move | None:
        """Back to the seat that asked for the draw; then play goes on from here."""
        last = recalled(state, Draw.name)
        return Move(last[0], play.debt, after(state, play.seat, 1)) if play.debt and last else None

    def answers(self, state: State) -> bool:
        """Always."""
        return True


class DoublePlay(Rule):
    """Its player has another turn."""

    name: ClassVar = "double-play"
    number: ClassVar = "24"

    on: Selector

    def moves(self, state: State, play: Play) -> Move | None:
        """The same seat again."""
        return Move(play.seat, play.carried)
