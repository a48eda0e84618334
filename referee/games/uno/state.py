"""What has to be known of a match of UNO at one moment?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from pydantic import TypeAdapter

from referee.games.kit import options, shedding
from referee.games.kit.copying import replace
from referee.games.kit.options import Seconds
from referee.games.kit.polls import Poll
from referee.record.cards import UNO, WILD, WILD_DRAW_FOUR, Card

PACK: Final = tuple(
    card for card in UNO for _ in range(4 if card in (WILD, WILD_DRAW_FOUR) else 1 if card.rank == "0" else 2)
)
"""108 cards: one nought of a colour, two of everything else, four of each wild card."""


class Options(options.Options):
    """See `referee.games.kit.options.Options`; `turn_gap` and `snipe_window` are of UN-3 and UN-6."""

    deck: ClassVar = UNO

    turn_gap: Seconds = 1.5
    snipe_window: Seconds = 1.5


class Snipe(NamedTuple):
    """An open vote on sniping (UN-6): places of the two, when it opened, the rows it rests on, and the votes.

    Attributes:
        tied: when it turned out that only a coin can decide it; None before.
    """

    snipee: int
    sniper: int
    opened: float
    rows: tuple[int, int]
    poll: Poll
    tied: float | None = None


@dataclass(frozen=True, slots=True)
class State(shedding.State):
    """A match at one moment; see `referee.games.kit.shedding.State`, whose `suit` is the colour here.

    Attributes:
        played: the cards of a turn that has not ended yet, all identical (UN-3).
        row: what the record calls the newest of them.
        taken: cards the seat in turn has taken in this turn.
        namer: the seat that may name a colour for the wild card on top (UN-7); -1 for none.
        said: the seats that have said "uno" ahead of what asks for it, one bit each (UN-5).
        ended: when the newest turn ended, seconds of the match clock.
        snipes: open votes, oldest first.
        gap, window, patience: the options `turn_gap`, `snipe_window` and `reasonable`.
    """

    before: State | None = None
    played: tuple[Card, ...] = ()
    row: int = 0
    taken: int = 0
    namer: int = -1
    said: int = 0
    ended: float = 0.0
    snipes: tuple[Snipe, ...] = ()
    gap: float = 0.0
    window: float = 0.0
    patience: float = 0.0


STATE: Final = TypeAdapter(State)


def first_state(chosen: Mapping[str, str]) -> State:
    """The state before the first happening.

    Raises:
        RefereeError: an option or its value makes no sense.
    """
    agreed = Options.of(chosen)
    pick_up = max(0, len(PACK) - sum(agreed.counts) - (agreed.start is not None))
    none = (0,) * len(agreed.players)
    empty = State(agreed.players, agreed.first, 1, agreed.start, "", 0, agreed.counts, pick_up, none)
    return replace(
        empty, gap=agreed.turn_gap, window=agreed.snipe_window, patience=agreed.reasonable, heard=agreed.words
    )
