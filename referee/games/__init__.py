"""Which games can be refereed, and what does every game answer?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from importlib import import_module
from typing import Final, Protocol, TypeVar

from referee.games.kit.options import Options
from referee.record.cards import UNO, Card
from referee.record.observations import Happening, Landed, Seat
from referee.record.rulings import AnyRuling, Penalty
from referee.record.standing import Brief, OpenPoll, Standing
from referee.text import say
from referee.text.faults import RefereeError

S = TypeVar("S")


class Game(Protocol[S]):
    """A pure function of (state, happening) to (state, rulings).

    States are immutable, comparable and hashable, and pydantic writes and reads them. There is no doubt, clock, thread,
    input, output or chance in a game: seat, card and count of a happening are known, and happenings come in the order
    of their times. A game never refuses a happening: it adjudicates it. What few games
    have is answered here as the others do.
    """

    name: str
    turns_over: bool
    """Whether the first card that lands was turned over, and is nobody's play (unless `start` tells it)."""
    gestures: frozenset[str]
    """Beside what all games have, the kinds of observations that mean something here: `pointed`, `turn-ended`."""

    @property
    def options(self) -> type[Options]:
        """What may be agreed on before a match."""
        ...

    def start(self, options: Mapping[str, str]) -> S:
        """The state before the first happening.

        Args:
            options: `players=ABC`, `start=7h`, `turn=B`, `hands=A2,B5` and the game's own, as in a vector.

        Raises:
            RefereeError: an option or its value is unknown.
        """
        ...

    def pack(self, state: S) -> Sequence[Card]:
        """The cards that are played with, each as often as it is in the pack."""
        ...

    def observe(self, state: S, happening: Happening, row: int = 0) -> tuple[S, tuple[AnyRuling, ...]]:
        """The state after `happening`, and what follows from it: penalties found, notices, a win.

        Deadlines that passed before `happening.t` are settled first. A penalty that was found is owed only once it was
        `given`. Rulings have no number.

        Args:
            row: what the record calls the happening; `rests_on` of rulings names such rows.
        """
        ...

    def given(self, state: S, seat: Seat, cards: int, code: str) -> S:
        """The state after the referee gave `seat` that many penalty cards for `code`, or took them off again (< 0).

        0 cards: it was only warned, or what was found against it is dropped for good.
        """
        ...

    def forced(self, state: S, landed: Landed, row: int = 0) -> tuple[S, tuple[AnyRuling, ...]]:
        """As `observe`, but a wrong card counts as if it had been right: the table lets it pass.

        Where that card of that seat lies on top as a wrong one already, that one counts as played, words forgiven.
        """
        ...

    def key(self, state: S) -> Hashable:
        """Equal for states that judge the future alike, whatever led to them."""
        ...

    def brief(self, state: S) -> Brief:
        """What people have to do in `state`, told quickly."""
        ...

    def standing(self, state: S) -> Standing:
        """How the table stands in `state`."""
        ...

    def right(self, state: S, seat: Seat, card: Card) -> bool:
        """Whether `seat` could play `card` in `state` without a penalty, told quickly."""
        ...

    def legal_cards(self, state: S, seat: Seat) -> frozenset[Card]:
        """The cards that `seat` could play in `state` without a penalty, whatever it holds."""
        ...

    def silent(self, state: S) -> tuple[tuple[Happening, float], ...]:
        """What may be done next that nobody can see or hear, each with how often people do, 0 to 1."""
        return ()

    def polls(self, state: S) -> tuple[OpenPoll, ...]:
        """What people vote on now because the game's own rules leave it to them, oldest first: those votes it reads."""
        return ()

    def codes(self) -> Mapping[str, str]:
        """The codes of penalties, each with the number of its rule; those of `MISPLAYED` every game has."""
        ...

    def refusal(self, state: S, seat: Seat, against: Seat, code: str) -> str:
        """Why `seat` cannot claim a penalty for `code` against another, as the code of a notice; empty if it can."""
        return "no-claims-now"  # what eye and ear can tell nobody has to claim

    def explain(self, state: S, names: Mapping[Seat, str] | None = None) -> str:
        """In words what may be played and what is owed: "Hearts or a nine; or any Jack; Bo must pick up four".

        Args:
            names: the players' names; seat letters where one is missing.
        """
        ...

    def changeable(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """The options that the table may agree to change now, each with the values it may be given."""
        return {}

    def claimable(self, state: S) -> tuple[str, ...]:
        """The codes of the penalties that players may claim against each other; none where nobody can claim any."""
        return ()

    def lesson(self, state: S) -> tuple[tuple[str, str], ...]:
        """What the top card did, in sentences, each with the number of its rule: for those who learn the game."""
        ...

    def rules_in_play(self, state: S) -> tuple[str, ...]:
        """The numbers of the rules that these options bring, in order: what a sheet of the house's rules holds."""
        ...

    def in_play(self, state: S) -> frozenset[str]:
        """What these options bring, by the names at which the catalogue has more sentences to a rule (`rule-with`)."""
        return frozenset()


MISPLAYED: Final = ("illegal-card", "out-of-turn")
"""The penalties for a card that was not right, in every game: what would have been is told with them."""
DEFAULT_GAME: Final = "uncle-baiting"
"""What is played where nobody says what."""
GAMES: Final = {
    "uncle-baiting": "referee.games.uncle_baiting",
    "bartog": "referee.games.bartog",
    "blackjack": "referee.games.blackjack",
    "uno": "referee.games.uno",
}
"""Names and the module whose `GAME` is that game."""


def game_named(name: str) -> Game[object]:
    """The game called `name`.

    Raises:
        RefereeError: there is no such game.
    """
    if name not in GAMES:
        raise RefereeError(say("cli.game", name=name, known=", ".join(sorted(GAMES))))
    game: Game[object] = import_module(GAMES[name]).GAME
    return game


def deck_of(name: str) -> str:
    """What the eye calls the cards of the game called `name`: `french` or `uno`.

    Raises:
        RefereeError: there is no such game.
    """
    return "uno" if game_named(name).options.deck[0] in UNO else "french"


def measured(name: str) -> Mapping[str, Mapping[str, str]]:
    """By which options the game called `name` is measured, by what that is called: `MEASURED` of its module, if any."""
    options: Mapping[str, Mapping[str, str]] = getattr(import_module(GAMES[name]), "MEASURED", {"": {}})
    return options


def adjudicate(game: Game[S], state: S, happening: Happening, row: int = 0) -> tuple[S, tuple[AnyRuling, ...]]:
    """As `game.observe`, with every penalty that was found given at once: how certain play is refereed."""
    state, rulings = game.observe(state, happening, row)
    for ruling in rulings:
        if isinstance(ruling, Penalty):
            state = game.given(state, ruling.seat, ruling.cards, ruling.code)
    return state, rulings
