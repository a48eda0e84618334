"""What does an answer to one of the referee's questions put right in the record?

A question offers its answers as short words: a card or a seat as in table notation, a number of cards, `second` or
`nudged`. Each says what the newest row that the question rests on was in truth.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.cards import Card
from referee.faults import RefereeError
from referee.match import Match
from referee.observations import Corrected, Landed, Taken, Undone
from referee.rulings import Question

NO_SUCH_ROW: Final = ("nudged", "0")
"""Answers by which the row did not happen."""
OPEN_TO_ANY_CARD: Final = "which-card"
"""The question that every card is an answer to, offered or not."""


def edit(match: Match, question: Question, answer: str, t: float) -> Corrected | Undone:
    """The edit of the record by which `answer` to the open `question` becomes true.

    Raises:
        RefereeError: the question does not offer that answer, or its row is no longer there.
    """
    row = question.rests_on[-1]
    happening = match.happening(row)
    if happening is None or not (answer in question.answers or question.code == OPEN_TO_ANY_CARD):
        raise RefereeError(f"{answer[:20]!r} is no answer to question {question.number}")
    if answer in NO_SUCH_ROW and answer in question.answers:
        return Undone(t=t, of=row, source="tap")
    if isinstance(happening, Landed | Taken) and question.asks == "seat":
        happening = replace(happening, seat=answer)
    elif isinstance(happening, Taken) and question.asks == "count":
        happening = replace(happening, count=int(answer))
    elif isinstance(happening, Landed) and question.asks == "card":
        happening = replace(happening, card=Card.of(answer), alternatives=())
    return Corrected(t=t, of=row, by=replace(happening, confidence=1.0, source="tap"), source="tap")
