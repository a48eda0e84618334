"""How does a table play Blackjack (BJ-1, BJ-11)?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from referee.games.blackjack.state import State
from referee.games.kit import options
from referee.record.cards import FRENCH, Card


class Options(options.Options):
    """See `referee.games.kit.options.Options`.

    Attributes:
        start: the card on a pile that was begun before, written `top`.
        shortage: whether cards that are not there to be taken are forgotten, or taken later.
        decks: packs in play.
        owed: cards that the seat that begins has to pick up.
    """

    start: Card | None = Field(None, alias="top")
    shortage: Literal["exhaust", "debt"] = "exhaust"
    decks: Annotated[int, Field(ge=1, le=8)] = 1
    owed: Annotated[int, Field(ge=0, le=999)] = 0

    @property
    def undealt(self) -> int:
        """Cards that do not lie on the pile to begin with."""
        return len(FRENCH) * self.decks - (self.start is not None)

    def deal(self) -> tuple[int, ...]:
        """All cards are dealt."""
        each, more = divmod(self.undealt, len(self.players))
        return tuple(each + (place < more) for place in range(len(self.players)))


def begin(chosen: Mapping[str, str]) -> State:
    """The state before the first happening: all cards are dealt, the pile is empty (BJ-1), unless `top` lies there.

    Raises:
        RefereeError: an option or its value makes no sense.
    """
    agreed = Options.of(chosen)
    return State(
        agreed.players,
        agreed.first,
        way=1,
        top=agreed.start,
        suit="",
        debt=agreed.owed,
        counts=agreed.counts,
        pick_up=max(0, agreed.undealt - sum(agreed.counts)),
        penalties=(0,) * len(agreed.players),
        decks=agreed.decks,
        remembers=agreed.shortage == "debt",
        heard=agreed.words,
    )
