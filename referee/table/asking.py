"""Which questions wait for an answer that is said aloud, and which of their answers was said?

Everyday words answer, so they count only for a while after a question was asked, and never where they could answer two
questions or are what a card or a rule wants to be said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from referee.record.rulings import Question
from referee.table.answers import aloud

ANSWER_WITHIN: Final = 10.0
"""Seconds after a question was asked in which words may answer it."""
SURE_ANSWER: Final = 0.85
"""From this confidence on a word answers: what decides over a card must be clearly heard."""
RECOGNISED: Final = 2.5
"""Seconds by which a word may be recognised later than it was said."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was asked at the table.

    Attributes:
        since: when it was asked first, seconds of the match clock.
        until: up to when an answer that is said counts.
        answers: which of its answers is meant, by the words that say so.
    """

    question: Question
    since: float
    until: float
    answers: dict[str, str]


class Asking:
    """The open questions of a match that were asked not long ago; any thread may ask it for its `words`."""

    def __init__(self, old: Iterable[Question]) -> None:
        """Nobody asks the `old` ones again: a match that is resumed has them."""
        self._asked = tuple(Asked(question, 0.0, -RECOGNISED, {}) for question in old)
        self._hearing: tuple[int, ...] = ()

    def update(self, questions: Iterable[Question], taken: frozenset[str], now: float) -> None:
        """These questions are open at `now`; the words that are `taken` mean something else."""
        before = {_about(asked.question): asked for asked in self._asked}
        asked = []
        for question in questions:
            known = before.get(_about(question)) or Asked(question, now, now + ANSWER_WITHIN, {})
            answers = {word: answer for word, answer in aloud(question).items() if word not in taken}
            asked.append(replace(known, question=question, answers=answers))
        self._asked = tuple(asked)
        self._hearing = self._hears(now)

    def asked(self, number: int, now: float) -> None:
        """Question `number` was read aloud up to `now`: only then people answer."""
        self._asked = tuple(
            replace(asked, until=max(asked.until, now + ANSWER_WITHIN)) if asked.question.number == number else asked
            for asked in self._asked
        )

    def words(self, now: float) -> frozenset[str]:
        """What would answer a question if it was said just before `now`."""
        return frozenset(word for asked in self._asked if now <= asked.until + RECOGNISED for word in asked.answers)

    def meant(self, text: str, t: float) -> tuple[Question, str] | None:
        """The one question that `text`, said at `t`, answers, and the answer."""
        found = [asked for asked in self._asked if asked.since <= t <= asked.until and text in asked.answers]
        return (found[0].question, found[0].answers[text]) if len(found) == 1 else None

    def hears(self, question: Question, now: float) -> tuple[str, ...]:
        """The words that answer `question` at `now`."""
        return next(
            (tuple(a.answers) for a in self._asked if a.question.number == question.number and now <= a.until), ()
        )

    def passed(self, now: float) -> bool:
        """Whether time alone has changed which questions wait."""
        before, self._hearing = self._hearing, self._hears(now)
        return self._hearing != before

    def _hears(self, now: float) -> tuple[int, ...]:
        return tuple(asked.question.number for asked in self._asked if now <= asked.until)


def _about(question: Question) -> tuple[object, ...]:
    """The same for the same question in a match that was judged again."""
    return question.code, question.seat, question.rests_on
