"""What does an answer to one of the referee's questions put right in the record?

A question offers its answers as short words: a card or a seat as in table notation, a number of cards, `second` or
`nudged`. Each says what the newest row that the question rests on was in truth. Where none are offered, people vote.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Corrected, Landed, Source, Taken, Undone
from referee.record.rulings import Question
from referee.text import say
from referee.text.faults import RefereeError

NO_SUCH_ROW: Final = ("nudged", "0")
"""Answers by which the row did not happen."""
OPEN_TO_ANY_CARD: Final = "which-card"
"""The question that every card is an answer to, offered or not."""
YES, NO = "yes", "no"
"""What is said, and what the table says of a fact that it votes on."""
_PLACES: Final = ("answer one", "answer two", "answer three", "answer four")
_EITHER: Final = (OPEN_TO_ANY_CARD, "whose-card", "who-took")  # not asked so that yes could be the answer
SAID: Final = frozenset({YES, NO, "second", "nudged", *_PLACES})
"""Everything that may answer a question when it is said (`speech/vocabulary/answers.toml`)."""


def aloud(question: Question) -> dict[str, str]:
    """What answers `question` when it is said, and with which of its answers; `YES` or `NO` where it is voted on.

    Claims and disputes are voted on by seat, and nobody can hear which seat it was.
    """
    offered = question.answers
    if question.claimed_by or question.disputes or (question.code == OPEN_TO_ANY_CARD and not offered):
        return {}
    if not offered:
        return {YES: YES, NO: NO}
    if question.asks == "event":
        return {answer: answer for answer in offered}
    words = dict(zip(_PLACES, offered, strict=False))
    if question.code in _EITHER:
        return words
    return {YES: offered[0], **({NO: offered[1]} if len(offered) == 2 else {}), **words}


def edit(match: Match, question: Question, answer: str, t: float, source: Source = "tap") -> Corrected | Undone:
    """The edit of the record by which `answer` to the open `question` becomes true; what was not asked stays in doubt.

    Raises:
        RefereeError: the question does not offer that answer, or its row is no longer there.
    """
    row = question.rests_on[-1]
    happening = match.happening(row)
    if happening is None or not (answer in question.answers or question.code == OPEN_TO_ANY_CARD):
        raise RefereeError(say("record.no-answer", answer=answer[:20], number=question.number))
    if answer in NO_SUCH_ROW and answer in question.answers:
        return Undone(t=t, of=row, source=source)
    if isinstance(happening, Landed | Taken) and question.asks == "seat":
        happening = replace(happening, seat=answer, seat_confidence=1.0)
    elif isinstance(happening, Taken) and question.asks == "count":
        happening = replace(happening, count=int(answer), count_confidence=1.0, confidence=1.0)
    elif isinstance(happening, Landed) and question.asks == "card":
        happening = replace(happening, card=Card.of(answer), alternatives=(), confidence=1.0)
    else:
        happening = replace(happening, confidence=1.0)
    return Corrected(t=t, of=row, by=happening, source=source)
