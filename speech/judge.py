"""Was that really said, or does it only sound like it?

An utterance counts when it is nothing but phrases of the vocabulary, when it is about as long as they take to say, and
when the evidence is strong enough: the log of how much likelier the sound is under them than under all of English, and
how near the free decode came to them in letters. Less is asked for words that somebody owes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from speech.words import Evidence, Word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from speech.recogniser import Reading, Readings
    from speech.utterances import Utterance
    from speech.vocabulary import Phrase, Vocabulary


@dataclass(frozen=True, slots=True)
class Judging:
    """How strong the evidence must be, and what makes it so; all measured on recorded speech, see BENCHMARKS.md.

    The strength is the log likelihood ratio (at most `ratio_cap`: a free decode that lost its way proves nothing), plus
    `similar` times the similarity 0..1 of the two decodes, plus `same` if the free decode has the very words among its
    alternatives.
    """

    needed: float = 2.1
    owed: float = 1.0  # somebody owes one of the words
    foreground: float = 0.5  # more is needed when it only stood out of other sound
    part: float = 2.0  # more is needed for half a phrase
    ratio_cap: float = 8.0
    similar: float = 3.0
    same: float = 2.0
    briefest: float = 0.37  # shorter or longer than the usual length of the words by these factors is something else
    longest: float = 3.0
    doubt: float = 2.0  # strength at which half of what is heard was said
    inside: float = 3.5  # strength of a phrase found inside other speech
    slope: float = 0.9  # how fast confidence grows with strength


Said = tuple["Phrase", int, int]  # a phrase, its first word in a reading and the one after its last


class Judge:
    """Decides for one vocabulary what counts as said."""

    def __init__(self, vocabulary: Vocabulary, judging: Judging | None = None) -> None:
        self.rules = judging or Judging()
        self.vocabulary = vocabulary
        inside = [phrase for phrase in vocabulary.phrases if phrase.anywhere]
        self._inside = sorted(inside, key=lambda phrase: -len(phrase.words))

    def said(
        self,
        utterance: Utterance,
        readings: Readings,
        expecting: frozenset[str] | None = None,
        owed: frozenset[str] = frozenset(),
    ) -> list[tuple[Phrase, Word]]:
        """The phrases said in an utterance, in order; `expecting` and `owed` as for `speech.ear.Ear.expect`."""
        expecting = None if expecting is None else expecting | owed
        best = max(self._sentences(readings, expecting), key=lambda one: one[0], default=None)
        if best is not None:
            strength, reading, phrases = best
            if self._usual(utterance, reading, readings.free[0]) and strength >= self._needed(phrases, utterance, owed):
                return [(found[0], self._word(utterance, readings, reading, found, strength)) for found in phrases]
        reading = readings.grammar[0]
        inside = self._found_inside(reading, readings.free[0], expecting)
        return [(found[0], self._word(utterance, readings, reading, found, self.rules.inside)) for found in inside]

    def _sentences(
        self, readings: Readings, expecting: frozenset[str] | None
    ) -> Iterator[tuple[float, Reading, list[Said]]]:
        """The readings that are made of phrases which may count now, each with the strength of its evidence."""
        free = readings.free[0]
        for reading in readings.grammar:
            phrases = self.vocabulary.parse(list(reading.words))
            if phrases and all(_counts(phrase, expecting) for phrase, _, _ in phrases):
                same = any(way.words == reading.words for way in readings.free)
                alike = self.rules.similar * similarity(reading.text, free.text) + self.rules.same * same
                yield min(reading.score - free.score, self.rules.ratio_cap) + alike, reading, phrases

    def _needed(self, phrases: list[Said], utterance: Utterance, owed: frozenset[str]) -> float:
        more = self.rules.foreground * (not utterance.whole)
        if any(phrase.kind == "part" for phrase, _, _ in phrases):
            return self.rules.needed + self.rules.part + more
        wanted = any(phrase.means in owed for phrase, _, _ in phrases)
        return (self.rules.owed if wanted else self.rules.needed) + more

    def _usual(self, utterance: Utterance, reading: Reading, free: Reading) -> bool:
        """Whether it is about as long as the words take; noise may drag it out where both decodes have nothing else."""
        pace = _pace(utterance, reading)
        return self.rules.briefest < pace and (pace < self.rules.longest or free.words == reading.words)

    def _found_inside(self, reading: Reading, free: Reading, expecting: frozenset[str] | None) -> list[Said]:
        """Phrases that count inside other speech ("I'm sorry, but ..."): both decodes must have the very words."""
        found: list[Said] = []
        for phrase in self._inside:
            size = len(phrase.words)
            if not _counts(phrase, expecting) or f" {' '.join(phrase.words)} " not in f" {free.text} ":
                continue
            for first in range(len(reading.words) - size + 1):
                taken = any(a < first + size and first < b for _, a, b in found)
                if reading.words[first : first + size] == phrase.words and not taken:
                    found.append((phrase, first, first + size))
        return sorted(found, key=lambda one: one[1])

    def _word(self, utterance: Utterance, readings: Readings, reading: Reading, said: Said, strength: float) -> Word:
        phrase, first, after = said
        free = readings.free[0]
        ratio = round(reading.score - free.score, 2)
        level = (utterance.whole, round(utterance.peak, 1), round(utterance.floor, 1))
        evidence = Evidence(reading.text, free.text, ratio, round(strength, 2), *level)
        confidence = round(1.0 / (1.0 + math.exp(-self.rules.slope * (strength - self.rules.doubt))), 3)
        start, end = utterance.start + reading.times[first][0], utterance.start + reading.times[after - 1][1]
        start, end = round(max(utterance.begin, start), 3), round(end, 3)
        return Word(phrase.text, phrase.means, start, end, confidence, evidence, phrase.kind)


def similarity(a: str, b: str) -> float:
    """How alike two decodes are in letters, 0..1: "last code" is nearly "last card"."""
    return SequenceMatcher(None, a.replace(" ", ""), b.replace(" ", ""), autojunk=False).ratio()


def usual_length(words: tuple[str, ...]) -> float:
    """Seconds that people take to say the words."""
    return 0.10 + 0.055 * sum(map(len, words))


def _pace(utterance: Utterance, reading: Reading) -> float:
    return (utterance.end - utterance.begin) / usual_length(reading.words)


def _counts(phrase: Phrase, expecting: frozenset[str] | None) -> bool:
    return expecting is None or not phrase.context or phrase.means in expecting
