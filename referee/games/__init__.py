"""Which games can be refereed, and what does every game answer?"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final, Protocol, TypeVar

from referee.cards import Card
from referee.faults import RefereeError
from referee.observations import Happening, Seat
from referee.rulings import AnyRuling
from referee.standing import Standing

S = TypeVar("S")


class Game(Protocol[S]):
    """A pure function of (state, observation) to (state, rulings).

    States are immutable, comparable, hashable and serialisable. There is no clock, thread, input, output or chance in
    a game that is not in the observation. A game never refuses an observation: it adjudicates it.
    """

    name: str
    turns_over: bool
    """Whether the first card that lands was turned over, and is nobody's play (unless `start` tells it)."""

    def start(self, options: Mapping[str, str]) -> S:
        """The state before the first observation.

        Args:
            options: `players=ABC`, `start=7h`, `turn=B`, `hands=A2,B5` and the game's own, as in a vector.

        Raises:
            RefereeError: an option or its value is unknown.
        """
        ...

    def observe(self, state: S, observation: Happening) -> tuple[S, tuple[AnyRuling, ...]]:
        """The state after `observation`, and what the referee answers to it.

        Deadlines that passed before `observation.t` are settled first. `rests_on` counts observations read since
        `start`, from 1; the match turns them into rows of its record, and those of a vote's subject back.
        """
        ...

    def standing(self, state: S) -> Standing:
        """How the table stands in `state`."""
        ...

    def legal_cards(self, state: S, seat: Seat) -> frozenset[Card]:
        """The cards that `seat` could play in `state` without a penalty, whatever it holds."""
        ...

    def explain(self, state: S, names: Mapping[Seat, str] | None = None) -> str:
        """In words what may be played and what is owed: "Hearts or a nine; or any Jack; Bo must pick up four".

        Args:
            names: the players' names; seat letters where one is missing.
        """
        ...

    def changeable(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """The options that the table may agree to change now, each with the values it may be given."""
        ...

    def claimable(self, state: S) -> tuple[str, ...]:
        """The codes of the penalties that players may claim against each other; none where nobody can claim any."""
        ...

    def lesson(self, state: S) -> tuple[tuple[str, str], ...]:
        """What the top card did, in sentences, each with the number of its rule: for those who learn the game."""
        ...

    def rules_in_play(self, state: S) -> tuple[str, ...]:
        """The numbers of the rules that these options bring, in order: what a sheet of the house's rules holds."""
        ...

    def in_play(self, state: S) -> frozenset[str]:
        """What these options bring, by the names at which the catalogue has more sentences to a rule (`rule-with`)."""
        ...


GAMES: Final = {
    "uncle-baiting": "referee.games.uncle_baiting",
}
"""Names and the module whose `GAME` is that game."""


def game_named(name: str) -> Game[object]:
    """The game called `name`.

    Raises:
        RefereeError: there is no such game.
    """
    if name not in GAMES:
        raise RefereeError(f"unknown game {name!r}: choose one of {', '.join(sorted(GAMES))}")
    game: Game[object] = import_module(GAMES[name]).GAME
    return game
