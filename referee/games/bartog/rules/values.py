"""Which rules change what a card counts as, what it costs, and which rules there are?"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from referee.games.bartog.rules.rule import Count, Play, Rule
from referee.games.bartog.selectors import Selector
from referee.games.bartog.state import State, call
from referee.games.kit.copying import replace
from referee.record.cards import Card


class Revalue(Rule):
    """A card counts as another."""

    name: ClassVar = "revalue"
    number: ClassVar = "23"

    on: Selector
    worth: Annotated[int, Field(ge=1, le=13)] = Field(alias="as")

    def revalued(self, card: Card, value: int) -> int:
        """Its new value."""
        return self.worth if self.speaks_of(card, value) else value


class RevalueAll(Rule):
    """All cards count one more than they show."""

    name: ClassVar = "revalue-all"
    number: ClassVar = "23a"

    def revalued(self, card: Card, value: int) -> int:
        """One more; a King counts fourteen."""
        return value + 1 if card.suit else value


class Danger(Rule):
    """Its player draws cards."""

    name: ClassVar = "danger"
    number: ClassVar = "11"

    on: Selector
    count: Count = 2

    def lands(self, state: State, play: Play) -> State:
        """Called like a penalty (BA-14)."""
        return call(state, play.seat, self.name, play.row, self.cites, self.count)


class LastCardCounts(Rule):
    """The last card has its effect before anybody has won."""

    name: ClassVar = "last-card-counts"
    number: ClassVar = "12"
    last_card_counts: ClassVar = True


class Reset(Rule):
    """The rules are the initial ones again, for the round or for good."""

    name: ClassVar = "reset"
    number: ClassVar = "10"

    on: Selector
    until: Literal["round", "ever"] = Field(default="round", alias="for")

    def variants(self) -> tuple[str, ...]:
        """Whether for good."""
        return ("ever",) if self.until == "ever" else ()

    def lands(self, state: State, play: Play) -> State:
        """No rule beside the initial ones has effect any more; hands stay as they lie (BA-21)."""
        state = call(replace(state, memory=()), play.seat, self.name, play.row, self.cites)
        return replace(state, rules=(), makers=()) if self.until == "ever" else replace(state, without=True)
