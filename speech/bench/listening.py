"""What does the ear hear in a whole sound, and what would it have heard in another moment of a match?"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from speech.hearing.ear import Ear
from speech.hearing.judge import Judge, Judging
from speech.hearing.recogniser import Decoding, Hypothesis, Recogniser
from speech.hearing.utterances import Cutter, Utterance
from speech.hearing.words import Word
from speech.input.chunks import RATE, Chunk

_CHUNK = RATE // 20


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard in one clip: when nothing is expected, in each of `MOMENTS`, when owed, and along `SHIFTS`.

    `unclear`: the seconds at which words were unclear in each of the moments, or when owed.
    """

    texts: list[str]
    moments: list[list[str]] = field(default_factory=list)
    unclear: list[list[float]] = field(default_factory=list)
    owed: list[str] = field(default_factory=list)
    shifts: list[list[str]] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    busy: float = 0.0
    seconds: float = 0.0


class Listening:
    """The ear as a function of a whole sound; what it cut and decoded last can be judged again in another moment."""

    def __init__(self, ear: Ear) -> None:
        self.ear = ear
        self._judging = Judging()
        self._known: list[tuple[list[Utterance], float | None, float]] = []
        ear.recogniser = self._recogniser = _Remembering(ear.recogniser)

    def live(self, pcm: NDArray[np.int16]) -> Heard:
        """What is heard when nothing is expected, with the time it takes; a second of quiet follows, as at a table."""
        self._recogniser.clear()
        self._known = []
        cutter = _Noting(self._known)
        self.ear._cutter = cutter
        self._judge(None, frozenset(), 0.0)
        words: list[Word] = []
        latencies = []
        busy = 0.0
        for i in range(0, len(pcm) + RATE, _CHUNK):
            piece = pcm[i : i + _CHUNK]
            began = time.process_time()
            fresh = self.ear.listen(Chunk(np.pad(piece, (0, _CHUNK - len(piece))), i / RATE))
            took = time.process_time() - began
            busy += took
            latencies += [(i + _CHUNK) / RATE + took - word.end for word in fresh]
            words += fresh
        words += self.ear.flush()
        return Heard(texts(words), latencies=latencies, busy=busy, seconds=len(pcm) / RATE + 1)

    def again(
        self,
        expecting: frozenset[str] | None = None,
        owed: frozenset[str] = frozenset(),
        shift: float = 0.0,
        *,
        ahead: frozenset[str] = frozenset(),
    ) -> list[Word]:
        """The same sound judged again; nothing is decoded anew."""
        self.ear._cutter = _Telling(iter(self._known))
        self._judge(expecting, owed, shift, ahead)
        quiet = np.zeros(0, np.int16)
        return [word for *_, t in self._known[:-1] for word in self.ear.listen(Chunk(quiet, t))] + self.ear.flush()

    def _judge(
        self, expecting: frozenset[str] | None, owed: frozenset[str], shift: float, ahead: frozenset[str] = frozenset()
    ) -> None:
        was = self._judging
        amid = {"amid": was.amid + shift, "amid_owed": was.amid_owed + shift}
        rules = replace(was, needed=was.needed + shift, owed=was.owed + shift, only=was.only + shift, **amid)
        self.ear._judge = Judge(self.ear.vocabulary, rules)
        self.ear.expect(expecting, owed, ahead)


class _Noting(Cutter):
    """Notes what it cuts, after which chunk, and until when sound was known then."""

    def __init__(self, known: list[tuple[list[Utterance], float | None, float]]) -> None:
        super().__init__()
        self._notes = known

    def push(self, chunk: Chunk) -> list[Utterance]:
        cuts = super().push(chunk)
        self._notes.append((cuts, self.speaking_since, chunk.t + len(chunk.pcm) / RATE))
        return cuts

    def flush(self) -> list[Utterance]:
        cuts = super().flush()
        self._notes.append((cuts, None, 0.0))
        return cuts


class _Telling(Cutter):
    """Cuts as it was noted."""

    def __init__(self, known: Iterator[tuple[list[Utterance], float | None, float]]) -> None:
        super().__init__()
        self._known_cuts = known
        self._since: float | None = None

    @property
    def speaking_since(self) -> float | None:
        return self._since

    def push(self, _: Chunk) -> list[Utterance]:
        cuts, self._since, _t = next(self._known_cuts)
        return cuts

    def flush(self) -> list[Utterance]:
        return next(self._known_cuts)[0]


class _Remembering(Recogniser):
    """Decodes each utterance once, though it is judged several times."""

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser = recogniser
        self.known: dict[bytes, Decoding] = {}
        self._among: dict[bytes, tuple[Hypothesis, ...]] = {}
        self._as_owed: dict[tuple[tuple[str, ...], bytes], tuple[Hypothesis, ...]] = {}

    def read(self, pcm: NDArray[np.int16], peak: float) -> Decoding:
        key = pcm.tobytes()
        if key not in self.known:
            self.known[key] = self._recogniser.read(pcm, peak)
        return self.known[key]

    def among_decoys(self, pcm: NDArray[np.int16], peak: float) -> tuple[Hypothesis, ...]:
        key = pcm.tobytes()
        if key not in self._among:
            self._among[key] = self._recogniser.among_decoys(pcm, peak)
        return self._among[key]

    def as_one_of(self, phrases: tuple[str, ...], pcm: NDArray[np.int16], peak: float) -> tuple[Hypothesis, ...]:
        key = phrases, pcm.tobytes()
        if key not in self._as_owed:
            self._as_owed[key] = self._recogniser.as_one_of(phrases, pcm, peak)
        return self._as_owed[key]

    def clear(self) -> None:
        self.known.clear()
        self._among.clear()
        self._as_owed.clear()


def texts(words: Iterable[Word], kinds: tuple[str, ...] = ("sentence", "lead", "part")) -> list[str]:
    """What the words of some kinds say."""
    return [word.text for word in words if word.kind in kinds]
