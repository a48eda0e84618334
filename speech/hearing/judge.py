"""Was that really said, or does it only sound like it?

An utterance counts when it is nothing but phrases of the vocabulary, when it is about as long as they take to say, and
when the evidence is strong enough: how much likelier the sound is under them than under all of English, and than under
common words that are as likely as they, whether the free decode has them, and how far they stand out of other sound.
Less is asked for words that somebody owes, and they are looked for once more among nothing else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from speech.hearing.words import UNCLEAR, Evidence, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from speech.hearing.recogniser import Decoding, Hypothesis
    from speech.hearing.utterances import Utterance
    from speech.vocabulary import Phrase, Vocabulary


@dataclass(frozen=True, slots=True)
class Judging:
    """How strong the evidence must be, and what makes it so; all measured on recorded speech, see BENCHMARKS.md.

    The strength is a sum of log likelihood ratios: against the free decode (at most `ratio_cap`: one that lost its way
    proves nothing; at least `ratio_least` where it has the very words: then only how usual they are differs), and
    against the likeliest decoys (at most `margin_cap` either way); `same` more if the free decode has the very words
    among its alternatives. A word that is not whole gets as much as it stands out by in decibels, at most `stands_cap`,
    less `stands`. Fitted by logistic regression, every weight came out near 1.
    """

    needed: float = 2.5
    owed: float = 2.0  # somebody owes one of the words
    amid: float = 8.0  # more is needed where it was cut out amid speech,
    amid_owed: float = 4.0  # also of what is owed
    only: float = 1.5  # what is owed, read as nothing else, is likelier than all of English by so much at least,
    only_clear: float = 1.0  # than what else is owed by so much,
    only_decoys: float = 1.5  # and than the vocabulary with the decoys by so much;
    only_stands: float = -5.0  # it stands out by so many decibels,
    only_brief: float = 0.5  # and is not shorter or longer than usual by these factors
    only_long: float = 2.7
    part: float = 2.0  # more is needed for half a phrase
    ratio_cap: float = 8.0
    ratio_least: float = 1.0
    margin_cap: float = 2.0
    same: float = 2.0
    stands: float = 6.0
    stands_cap: float = 8.0
    briefest: float = 0.37  # shorter or longer than the usual length of the words by these factors is something else
    longest: float = 3.0
    doubt: float = 1.0  # strength at which half of what is heard was said
    inside: float = 4.0  # strength of a phrase found inside other speech
    slope: float = 0.65  # how fast confidence grows with strength


_FRAME, _HOP = 512, 160  # samples of a piece of sound in which a voice is sought, and between two
_PITCH = (40, 200)  # samples of one period of a voice, 80 to 400 Hz
_PERIODIC = 0.8  # correlation of a voiced piece with itself one period later
_VOICED = 8  # pieces, 0.08 s, of voice that a word has at least; a card that slaps the table or slides over it has less
_UNCLEAR = (0.8, 2.5)  # an unclear word is so many times as long as the word that is owed usually is
_SPOTS = 3  # stretches of one utterance that are listened to again
_MORE = 1  # words that the free decode makes of a phrase beyond its own
_FEW = 3  # words of the free decode; more are clearly something else
_ALIKE = -4.0  # log likelihood ratio of what is owed and all of English that an unclear word has at least
_SLOW = 1.5  # words of the free decode a second; where it has fewer, it has missed some

Said = tuple["Phrase", int, int]  # a phrase, its first word in a hypothesis and the one after its last


class Judge:
    """Decides for one vocabulary what counts as said."""

    def __init__(self, vocabulary: Vocabulary, judging: Judging | None = None) -> None:
        self.rules = judging or Judging()
        self.vocabulary = vocabulary
        self._mine = {word for phrase in vocabulary.phrases for word in phrase.words}
        inside = [phrase for phrase in vocabulary.phrases if phrase.anywhere]
        self._inside = sorted(inside, key=lambda phrase: -len(phrase.words))

    def said(
        self,
        utterance: Utterance,
        decoding: Decoding,
        among_decoys: Callable[[], tuple[Hypothesis, ...]],
        expecting: frozenset[str] | None = None,
        owed: frozenset[str] = frozenset(),
        as_one_of: Callable[[tuple[str, ...]], tuple[Hypothesis, ...]] | None = None,
        only: frozenset[str] = frozenset(),
    ) -> list[tuple[Phrase, Word]]:
        """The phrases said in an utterance, in order.

        `among_decoys` is asked how it reads with decoys if that may matter, `as_one_of` how as nothing but `only`;
        `expecting` and `owed` as for `speech.hearing.ear.Ear.expect`.
        """
        expecting = None if expecting is None else expecting | owed
        best = max(self._sentences(utterance, decoding, expecting), key=lambda one: one[0], default=None)
        if best is not None:
            strength, hypothesis, phrases = best
            needed = self._needed(utterance, phrases, owed)
            if self._usual(utterance, hypothesis, decoding.free[0]) and strength + self.rules.margin_cap >= needed:
                strength += self._margin(hypothesis, among_decoys())
                if strength >= needed:
                    return [
                        (found[0], self._word(utterance, decoding, hypothesis, found, strength)) for found in phrases
                    ]
        hypothesis = decoding.grammar[0]
        inside = self._found_inside(hypothesis, decoding.free[0], expecting)
        if inside or as_one_of is None or not self._as_long(utterance, only):
            return [
                (found[0], self._word(utterance, decoding, hypothesis, found, self.rules.inside)) for found in inside
            ]
        return self._only(utterance, decoding, among_decoys, as_one_of(self._spoken(only)))

    def _as_long(self, utterance: Utterance, means: frozenset[str]) -> bool:
        """Whether it stands out, and is about as long as one of these phrases."""
        rules, took = self.rules, utterance.end - utterance.begin
        paces = [took / usual_length(phrase.words) for phrase in self.vocabulary.phrases if phrase.means in means]
        stands = utterance.whole or utterance.stands >= rules.only_stands
        return stands and any(rules.only_brief < pace < rules.only_long for pace in paces)

    def _only(
        self,
        utterance: Utterance,
        decoding: Decoding,
        among_decoys: Callable[[], tuple[Hypothesis, ...]],
        ways: tuple[Hypothesis, ...],
    ) -> list[tuple[Phrase, Word]]:
        """The one phrase that the utterance is when it is read as nothing but what is owed, if it fits well."""
        rules, free, hypothesis = self.rules, decoding.free[0], ways[0]
        parsed = [(way, self.vocabulary.parse(list(way.words)) or []) for way in ways]
        phrases = parsed[0][1]
        if len(phrases) != 1 or len(free.words) > len(hypothesis.words) + _MORE:
            return []
        if _pace(utterance, hypothesis) > rules.only_long:
            return []
        phrase, ratio = phrases[0][0], hypothesis.score - free.score
        others = [way.score for way, other in parsed if other and other[0][0].means != phrase.means]
        needed = rules.only + rules.part * (phrase.kind == "part")
        if ratio < needed or hypothesis.score - max(others, default=-math.inf) < rules.only_clear:
            return []
        if hypothesis.score - among_decoys()[0].score < rules.only_decoys:
            return []
        strength = min(ratio, rules.ratio_cap) - rules.only + rules.owed
        return [(phrase, self._word(utterance, decoding, hypothesis, phrases[0], strength))]

    def amid(self, decoding: Decoding, expecting: frozenset[str] | None = None) -> list[tuple[float, float]]:
        """When in an utterance that is no phrase one may have been said, seconds from its first sample."""
        spots: list[tuple[float, float]] = []
        for hypothesis in (*decoding.grammar[:3], decoding.free[0]):
            for size, first in product((4, 3, 2, 1), range(len(hypothesis.words))):
                times = hypothesis.times[first : first + size]
                phrases = self.vocabulary.parse(list(hypothesis.words[first : first + size])) or []
                if len(phrases) != 1 or phrases[0][0].kind == "lead" or not _counts(phrases[0][0], expecting):
                    continue
                begin, end = times[0][0], times[-1][1]
                if not any(a <= begin + 0.1 and end <= b + 0.1 for a, b in spots):
                    spots.append((begin, end))
        return spots[:_SPOTS]

    def _spoken(self, means: frozenset[str]) -> tuple[str, ...]:
        return tuple(sorted({" ".join(p.words) for p in self.vocabulary.phrases if p.means in means}))

    def unclear(
        self,
        utterance: Utterance,
        decoding: Decoding,
        as_one_of: Callable[[tuple[str, ...]], tuple[Hypothesis, ...]],
        owed: frozenset[str],
    ) -> Word | None:
        """A word of the kind "unclear" where this may have been one that somebody owes, though not understood.

        So it is when a voice stands out that is as long as they are, or longer and hardly understood, nothing else was
        clearly said, and the sound is hardly less likely under them, which `as_one_of` is asked, than under all of
        English.
        """
        took = utterance.end - utterance.begin
        paces = (took / usual_length(phrase.words) for phrase in self.vocabulary.phrases if phrase.means in owed)
        stands = utterance.whole or utterance.stands >= self.rules.stands
        count = len(decoding.free[0].words)
        longest = _UNCLEAR[1] if count > _SLOW * took else math.inf
        as_long = any(_UNCLEAR[0] < pace < longest for pace in paces)
        if not (stands and count <= _FEW and as_long and _voiced(utterance.pcm)):
            return None
        forced = as_one_of(self._spoken(owed))
        if max((way.score for way in forced if way.words), default=-math.inf) - decoding.free[0].score < _ALIKE:
            return None
        evidence = Evidence(decoding.grammar[0].text, decoding.free[0].text, 0.0)
        return Word(UNCLEAR, UNCLEAR, round(utterance.begin, 3), round(utterance.end, 3), 0.5, evidence, "unclear")

    def _sentences(
        self, utterance: Utterance, decoding: Decoding, expecting: frozenset[str] | None
    ) -> Iterator[tuple[float, Hypothesis, list[Said]]]:
        """The hypotheses that are made of phrases which may count now, each with its strength but for the decoys."""
        rules, free = self.rules, decoding.free[0]
        out = 0.0 if utterance.whole else min(utterance.stands, rules.stands_cap) - rules.stands
        for hypothesis in decoding.grammar:
            phrases = self.vocabulary.parse(list(hypothesis.words))
            if phrases and all(_counts(phrase, expecting) for phrase, _, _ in phrases):
                same = any(way.words == hypothesis.words for way in decoding.free)
                least = rules.ratio_least if free.words == hypothesis.words else -math.inf
                ratio = max(least, min(hypothesis.score - free.score, rules.ratio_cap))
                yield ratio + rules.same * same + out, hypothesis, phrases

    def _margin(self, hypothesis: Hypothesis, among: tuple[Hypothesis, ...]) -> float:
        """By how much the hypothesis is likelier than the likeliest that has a decoy in it, or nothing."""
        mine = max((way.score for way in among if way.words == hypothesis.words), default=None)
        other = max((way.score for way in among if not way.words or not self._mine.issuperset(way.words)), default=None)
        cap = self.rules.margin_cap
        if mine is None:
            return -cap
        return cap if other is None else max(-cap, min(cap, mine - other))

    def _needed(self, utterance: Utterance, phrases: list[Said], owed: frozenset[str]) -> float:
        rules = self.rules
        least, at_least = (rules.amid_owed, rules.amid) if utterance.amid else (rules.owed, rules.needed)
        if any(phrase.kind == "part" for phrase, _, _ in phrases):
            return at_least + rules.part
        return least if any(phrase.means in owed for phrase, _, _ in phrases) else at_least

    def _usual(self, utterance: Utterance, hypothesis: Hypothesis, free: Hypothesis) -> bool:
        """Whether it is about as long as the words take; noise may drag it out where both decodes have nothing else."""
        pace = _pace(utterance, hypothesis)
        return self.rules.briefest < pace and (pace < self.rules.longest or free.words == hypothesis.words)

    def _found_inside(self, hypothesis: Hypothesis, free: Hypothesis, expecting: frozenset[str] | None) -> list[Said]:
        """Phrases that count inside other speech ("I'm sorry, but ..."): both decodes must have the very words."""
        found: list[Said] = []
        for phrase in self._inside:
            size = len(phrase.words)
            if not _counts(phrase, expecting) or f" {' '.join(phrase.words)} " not in f" {free.text} ":
                continue
            for first in range(len(hypothesis.words) - size + 1):
                taken = any(a < first + size and first < b for _, a, b in found)
                if hypothesis.words[first : first + size] == phrase.words and not taken:
                    found.append((phrase, first, first + size))
        return sorted(found, key=lambda one: one[1])

    def _word(
        self, utterance: Utterance, decoding: Decoding, hypothesis: Hypothesis, said: Said, strength: float
    ) -> Word:
        phrase, first, after = said
        evidence = Evidence(hypothesis.text, decoding.free[0].text, round(strength, 2))
        confidence = round(1.0 / (1.0 + math.exp(-self.rules.slope * (strength - self.rules.doubt))), 3)
        start, end = utterance.start + hypothesis.times[first][0], utterance.start + hypothesis.times[after - 1][1]
        start, end = round(max(utterance.begin, start), 3), round(end, 3)
        return Word(phrase.text, phrase.means, start, end, confidence, evidence, phrase.kind)


def usual_length(words: tuple[str, ...]) -> float:
    """Seconds that people take to say the words."""
    return 0.10 + 0.055 * sum(map(len, words))


def _pace(utterance: Utterance, hypothesis: Hypothesis) -> float:
    return (utterance.end - utterance.begin) / usual_length(hypothesis.words)


def _voiced(pcm: NDArray[np.int16]) -> bool:
    """Whether a voice is in it: loud pieces that repeat themselves as quickly as a voice does."""
    sound = pcm.astype(np.float32)
    if len(sound) < _FRAME:
        return False
    pieces = np.lib.stride_tricks.sliding_window_view(sound, _FRAME)[::_HOP]
    loud = pieces[(power := (pieces**2).mean(axis=1)) > 0.02 * power.max()]
    spectrum = np.abs(np.fft.rfft(loud - loud.mean(axis=1, keepdims=True), 2 * _FRAME)) ** 2
    correlation = np.fft.irfft(spectrum)[:, : _PITCH[1]]
    overlap = 1 - np.arange(_PITCH[0], _PITCH[1]) / _FRAME  # of a piece and itself so much later
    periodic = (correlation[:, _PITCH[0] :] / overlap).max(axis=1) > _PERIODIC * correlation[:, 0]
    return int(periodic.sum()) >= _VOICED


def _counts(phrase: Phrase, expecting: frozenset[str] | None) -> bool:
    return expecting is None or not phrase.context or phrase.means in expecting
