"""Was that really said, or does it only sound like it?

An utterance counts when it is nothing but phrases of the vocabulary, and when the sound is likelier under them than
under all of English by enough. The log of that likelihood ratio is evidence like any other: more is asked of words that
the referee does not wait for, and of utterances that only stood out of other sound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from speech.words import Evidence, Word

if TYPE_CHECKING:
    from speech.recogniser import Reading, Readings
    from speech.utterances import Utterance
    from speech.vocabulary import Phrase, Vocabulary


@dataclass(frozen=True, slots=True)
class Judging:
    """How much likelier (natural log) the grammar's reading must be; measured with `referee bench ear`."""

    alone: float = -1.0  # quiet before and after
    foreground: float = 2.0  # stood out of other sound
    expected: float = -2.0  # added to the above for words the referee waits for
    part: float = 3.0  # for half a phrase


def judge(
    utterance: Utterance,
    readings: Readings,
    vocabulary: Vocabulary,
    expecting: frozenset[str] | None = None,
    judging: Judging | None = None,
) -> list[tuple[Phrase, Word]]:
    """The phrases said in an utterance, in order; none when it is not a sentence of the vocabulary."""
    judging = judging or Judging()
    found = sentence(readings.grammar, vocabulary, expecting)
    if found is None:
        return []
    reading, phrases = found
    free = readings.free[0]
    ratio = reading.score - free.score
    wanted = expecting is not None and any(phrase.means in expecting for phrase, _, _ in phrases)
    needed = judging.alone if utterance.whole else judging.foreground
    if wanted:
        needed += judging.expected
    if all(phrase.kind == "part" for phrase, _, _ in phrases):
        needed = max(needed, judging.part)
    if ratio < needed:
        return []
    evidence = Evidence(reading.text, free.text, ratio, utterance.whole, utterance.peak, utterance.floor)
    confidence = round(1.0 / (1.0 + math.exp(-(ratio - needed + 1.0))), 3)
    said = []
    for phrase, first, after in phrases:
        start = utterance.start + max(0.0, reading.times[first][0])
        end = utterance.start + reading.times[after - 1][1]
        said.append((phrase, Word(phrase.text, phrase.means, round(start, 3), round(end, 3), confidence, evidence)))
    return said


def sentence(
    ways: tuple[Reading, ...], vocabulary: Vocabulary, expecting: frozenset[str] | None
) -> tuple[Reading, list[tuple[Phrase, int, int]]] | None:
    """The likeliest reading that is made of phrases which may count now, and those phrases."""
    for reading in ways:
        phrases = vocabulary.parse(list(reading.words))
        if phrases and all(_counts(phrase, expecting) for phrase, _, _ in phrases):
            return reading, phrases
    return None


def _counts(phrase: Phrase, expecting: frozenset[str] | None) -> bool:
    return expecting is None or not phrase.context or phrase.means in expecting
