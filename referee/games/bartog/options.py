"""What may be agreed on before an evening of Bartog, and how does it begin?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final, Self

from pydantic import Field, model_validator

from referee.games.bartog.rounds import round_begins
from referee.games.bartog.rules import rules_of
from referee.games.bartog.state import State
from referee.games.kit import options
from referee.games.kit.copying import replace
from referee.record.cards import FRENCH, JOKER
from referee.text import say
from referee.text.faults import RefereeError

AGAIN: Final = 7
"""Cards dealt to each player for every round but the first (BA-21)."""


class Options(options.Options):
    """See `referee.games.kit.options.Options`; `hands` holds for every round.

    Attributes:
        turn: the seat that begins; anyone may where it is empty (BA-4).
        rules: the rules in force from the beginning, oldest first: `skip@7;draw@2/count=2`.
        decks: packs in play, each with two Jokers.
    """

    deck: ClassVar = (*FRENCH, JOKER)
    dealt: ClassVar = 5

    rules: str = ""
    decks: Annotated[int, Field(ge=1, le=8)] = 1

    @model_validator(mode="after")
    def _rules_can_be_read(self) -> Self:
        written = [rule.text for rule in rules_of(self.rules)]
        for place, text in enumerate(written):
            if text in written[:place]:
                raise RefereeError(say("bartog.again", rule=text))
        return self

    def again(self) -> tuple[int, ...]:
        """How many cards each seat is dealt for every round but the first, beside what rules change."""
        named = {hand[0] for hand in self.hands.split(",") if hand}
        return tuple(count if seat in named else AGAIN for seat, count in zip(self.players, self.counts, strict=True))


def first_state(chosen: Mapping[str, str]) -> State:
    """The state before the first happening.

    Raises:
        RefereeError: an option or its value makes no sense.
    """
    agreed = Options.of(chosen)
    seats, rules = len(agreed.players), rules_of(agreed.rules)
    empty = State(
        players=agreed.players,
        rules=tuple(rule.text for rule in rules),
        makers=(-1,) * len(rules),
        order=tuple(range(seats)),
        counts=agreed.counts,
        penalties=(0,) * seats,
        deal=agreed.counts,
        pick_up=0,
        dealer=seats - 1,
        settle=agreed.settle,
        decks=agreed.decks,
        heard=agreed.words,
    )
    turn = agreed.first if agreed.turn else -1
    return replace(round_begins(empty, agreed.start, 0.0), turn=turn, deal=agreed.again())
