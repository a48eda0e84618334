"""Which rules are announced and listed only, because nobody but people can judge them (BA-7)?"""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from referee.games.bartog.rules.rule import Play, Rule
from referee.games.bartog.selectors import Selector
from referee.games.bartog.state import State, call, recalled, remember


class Announced(Rule):
    """A card with which its player has to do something."""

    on: Selector

    def lands(self, state: State, play: Play) -> State:
        """Everybody is told what its player has to do."""
        return call(remember(state, self.name, play.seat), play.seat, self.name, play.row, self.cites)

    def clears(self, state: State, against: int, code: str) -> bool:
        """Only whoever played such a card last can have failed."""
        return code in self.claims and against not in recalled(state, self.name)


class Bike(Announced):
    """Its player runs to something and back."""

    name: ClassVar = "bike"
    number: ClassVar = "15"
    claims: ClassVar = ("late-back",)


class Tune(Announced):
    """Its player names a film or a song that nobody has named yet."""

    name: ClassVar = "tune"
    number: ClassVar = "22"
    claims: ClassVar = ("tune",)


class Parallel(Announced):
    """Its player changes places with one of another table."""

    name: ClassVar = "parallel"
    number: ClassVar = "21"


class WrongHand(Rule):
    """Cards are played with the hand that nobody writes with."""

    name: ClassVar = "wrong-hand"
    number: ClassVar = "27"
    claims: ClassVar = ("wrong-hand",)


class Ghost(Rule):
    """An open hand, Bill's, is played by a caller, who takes Bill's penalties.

    Attributes:
        seat: the letter of Bill's seat; empty where he is not known by one, and everything is left to the players.
        caller: the letter of his caller's; empty for the dealer, who won the round before.
    """

    name: ClassVar = "ghost"
    number: ClassVar = "25"

    seat: Annotated[str, Field(pattern=r"^[A-Z]?$")] = ""
    caller: Annotated[str, Field(pattern=r"^[A-Z]?$")] = ""

    def variants(self) -> tuple[str, ...]:
        """Whether Bill's seat is known."""
        return ("seat",) if self.seat else ()

    def fined(self, state: State, seat: int) -> int:
        """Bill's penalties are his caller's."""
        if self.seat != state.players[seat]:
            return seat
        caller = state.players.find(self.caller) if self.caller else state.dealer
        return caller if caller >= 0 else seat

    def never_says(self, seat: str) -> bool:
        """Bill cannot say “Bartog”."""
        return seat == self.seat
