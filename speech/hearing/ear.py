"""What was just said at the table?

`Ear` takes sound as it is captured and answers with the words of the game that were said, about half a second after
their end. It knows nothing of rules; the referee tells it with `expect` which words it waits for.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from speech.hearing.judge import Judge, Judging
from speech.hearing.recogniser import Recogniser, knows, load_model
from speech.hearing.utterances import Cutter, Cutting, Utterance, amid
from speech.hearing.words import Word
from speech.vocabulary import Phrase, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from speech.hearing.echo import EchoGate
    from speech.hearing.recogniser import Decoding, Hypothesis
    from speech.input.chunks import Chunk

_DECOYS = 300  # common words that a word of the game must be nearer than
_JOIN = 1.2  # seconds between the parts of a drawn-out phrase, or between "i mean" and what was meant
_AHEAD, _HINT = 10.0, 3.0  # seconds that a word said ahead of its card is kept; one that may have been said
_SETTLE = 0.7  # seconds a word that stood out waits for the whole utterance, which knows better


class Ear:
    """Hears the words of a game.

    Args:
        game: one of `speech.vocabulary.GAMES`, or "all".
        vocabulary: what may be said, if it is not the game's own (such as `Vocabulary.of(game).with_words("vickie")`).
        expecting: the meanings the referee waits for, as for `expect`.
        gate: knows when the referee itself speaks; what the ear hears of that is dropped.
        model: the folder of another Vosk model than the shipped one.

    `reports` has a fault for each word that the model lacks. `speaking_since` is the capture time since which a word
    may be coming, None in a pause.

    Raises:
        SpeechError: there is no such game, or the model cannot be loaded.
        models.ModelError: the shipped model is missing or damaged.
    """

    def __init__(
        self,
        game: str = "all",
        vocabulary: Vocabulary | None = None,
        expecting: frozenset[str] | None = None,
        *,
        gate: EchoGate | None = None,
        model: Path | None = None,
        cutting: Cutting | None = None,
        judging: Judging | None = None,
    ) -> None:
        loaded = load_model(model)
        chosen = vocabulary or Vocabulary.of(game)
        self.vocabulary, self.reports = chosen.fitted(lambda word: knows(loaded, word))
        self.recogniser = Recogniser(self.vocabulary.grammar(), self.vocabulary.grammar(_DECOYS), model)
        self._cutter = Cutter(cutting)
        self._judge = Judge(self.vocabulary, judging)
        self._gate = gate
        self._expecting = expecting
        self._owed: frozenset[str] = frozenset()
        self._ahead: frozenset[str] = frozenset()
        self._kept: list[Word] = []  # said ahead of the card that asks for it
        self._held: list[tuple[Phrase, Word]] = []  # a lead or a part that waits for what follows it
        self._told = -1.0  # capture time up to which words have been told
        self._foreground: list[tuple[Phrase, Word]] = []  # stood out of an utterance that has not ended yet

    @property
    def speaking_since(self) -> float | None:
        """Capture time since which somebody is speaking: a word may be coming. None in a pause."""
        return self._cutter.speaking_since

    def decided_until(self, heard: float) -> float:
        """Up to which capture time every word has been told, of the sound up to `heard` that the ear was given."""
        waiting = [word.start for _, word in (*self._held, *self._foreground)]
        since = self.speaking_since
        return min(heard, *waiting, heard if since is None else since)

    def expect(
        self,
        words: frozenset[str] | None,
        owed: frozenset[str] = frozenset(),
        ahead: frozenset[str] = frozenset(),
    ) -> None:
        """Say which meanings (`Word.means`) would mean something now; None: there is no referee, everything counts.

        Everyday words ("in", "you", "red") and suits count only while they are among `words` or `owed`. What somebody
        owes is believed more readily: taking it for unsaid would be a false penalty. Words that only a card yet to land
        asks for are `ahead`: they are kept for some seconds, told if they are owed by then, and else forgotten.
        """
        self._expecting, self._owed, self._ahead = words, owed, ahead - owed

    def listen(self, chunk: Chunk) -> list[Word]:
        """Take the next sound; the words that are certain now, in the order they were said."""
        words: list[Word] = []
        for utterance in self._cutter.push(chunk):
            words += self._take(utterance)
        now = chunk.t + len(chunk.pcm) / 16_000
        if self._foreground and now - self._foreground[-1][1].end > _SETTLE:
            words += self._tell([])
        if self._held and (self.speaking_since or now) - self._held[-1][1].end > _JOIN:
            words += self._release()
        return self._due(words, now)

    def flush(self) -> list[Word]:
        """The sound has ended: the words that were still waiting for a pause."""
        words = [word for utterance in self._cutter.flush() for word in self._take(utterance)]
        words = self._due(words + self._tell([]) + self._release(), self._told)
        self._told, self._kept = -1.0, []
        return words

    def _take(self, utterance: Utterance) -> list[Word]:
        if utterance.end < self._told + 0.1:
            return []
        decoding, said = self._heard(utterance)
        maybe = None
        if not said and not self._foreground:
            said = self._amid(utterance, decoding)
        if self._owed and not said:
            maybe = self._judge.unclear(utterance, decoding, self._as_one_of(utterance), self._owed)
        unclear = [maybe] if maybe and (self._gate is None or self._gate.hears(maybe)) else []
        if not utterance.whole:
            self._stand_out(said)
            return unclear
        return unclear + self._tell(said)

    def _heard(self, utterance: Utterance) -> tuple[Decoding, list[tuple[Phrase, Word]]]:
        decoding = self.recogniser.read(utterance.pcm, utterance.peak)
        among = partial(self.recogniser.among_decoys, utterance.pcm, utterance.peak)
        owed, only = self._owed | self._ahead, frozenset() if utterance.amid else self._owed
        one_of = self._as_one_of(utterance)
        return decoding, self._judge.said(utterance, decoding, among, self._expecting, owed, one_of, only)

    def _as_one_of(self, utterance: Utterance) -> Callable[[tuple[str, ...]], tuple[Hypothesis, ...]]:
        return partial(self.recogniser.as_one_of, pcm=utterance.pcm, peak=utterance.peak)

    def _amid(self, utterance: Utterance, decoding: Decoding) -> list[tuple[Phrase, Word]]:
        """What was said amid other speech and louder than it, heard once more by itself."""
        waits = None if self._expecting is None else self._expecting | self._owed | self._ahead
        for begin, end in self._judge.amid(decoding, waits):
            piece = amid(utterance, begin, end)
            if piece is not None and (said := self._heard(piece)[1]):
                return said
        return []

    def _stand_out(self, said: list[tuple[Phrase, Word]]) -> None:
        """Keep what stood out; of two hypotheses on the same sound the longer one has heard all of it."""
        if said:
            begin = said[0][1].start
            self._foreground = [(phrase, word) for phrase, word in self._foreground if word.end <= begin + 0.1] + said

    def _tell(self, said: list[tuple[Phrase, Word]]) -> list[Word]:
        """What a whole utterance said, or else what stood out of it; parts and leads are held back."""
        said, self._foreground = said or self._foreground, []
        said = [(phrase, word) for phrase, word in said if (word.start + word.end) / 2 > self._told]
        if self._gate is not None:
            said = [(phrase, word) for phrase, word in said if self._gate.hears(word)]
        if not said:
            return []
        self._told = said[-1][1].end
        words: list[Word] = []
        if self._held and said[0][1].start - self._held[-1][1].end > _JOIN:
            words += self._release()
        said, self._held = [*self._held, *said], []
        while said and said[-1][0].kind != "sentence":
            self._held.insert(0, said.pop())
        return words + _joined(said, self.vocabulary, self._expecting)

    def _due(self, words: list[Word], now: float) -> list[Word]:
        """Those of what was said that count already, and what was said ahead and is owed by now."""
        ahead = [*self._kept, *(word for word in words if word.means in self._ahead)]
        self._kept = [w for w in ahead if w.means not in self._owed and now - w.end <= self._lasts(w)]
        asked = [word for word in ahead if word.means in self._owed]
        return [*asked, *(word for word in words if word.means not in self._ahead)]

    def _lasts(self, word: Word) -> float:
        return _AHEAD if word.evidence.strength >= self._judge.rules.needed else _HINT

    def _release(self) -> list[Word]:
        held, self._held = self._held, []
        return _joined(held, self.vocabulary, self._expecting)


def _joined(said: list[tuple[Phrase, Word]], vocabulary: Vocabulary, waits: frozenset[str] | None) -> list[Word]:
    """Parts put together to the phrase they make.

    A lead counts before what may correct another word; on its own it is a sentence if it is what the referee waits for.
    """
    words: list[Word] = []
    waiting = list(said)
    while waiting:
        phrase, word = waiting.pop(0)
        if phrase.kind == "part" and waiting:
            following, other = waiting[0]
            whole = vocabulary.parse([*phrase.words, *following.words])
            if whole is not None and len(whole) == 1 and whole[0][0].kind == "sentence":
                waiting.pop(0)
                text, means, sure = whole[0][0].text, whole[0][0].means, min(word.confidence, other.confidence)
                word = replace(word, text=text, means=means, end=other.end, confidence=sure, kind="sentence")
        if phrase.kind != "lead" or (waiting and vocabulary.choices(waiting[0][0])):
            words.append(word)
        elif waits is not None and word.means in waits:
            words.append(replace(word, kind="sentence"))
    return words
