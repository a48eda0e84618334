"""Where does somebody begin and stop speaking, so that the stretch between two pauses can be recognised by itself?

Loudness alone decides, in two ways at once. A *whole* utterance lies between two stretches as quiet as the room. A
*foreground* utterance lies in sound that is not quiet (others chat, a television runs) but stands out by
`Cutting.foreground` decibels of the quarter of a second before and after it: what is said to the table is said louder.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from speech.input.chunks import RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from speech.input.chunks import Chunk

FRAME = 160  # samples: 10 ms
_ISLAND = 30  # frames of pause around a foreground utterance
_KEPT, _FADE, _HUSH = 4, 6, -25.0  # frames left as they are around an utterance, frames of fading, decibels
_STOP = 8  # frames that a p, t or k is silent
_BEFORE, _NEAR = 200, 6  # frames before an utterance that it is compared with, up to so near
_AROUND = 25  # frames kept around what is cut out amid speech
_BRIEFEST, _MOST = 0.12, 0.75  # seconds of it at least, and share of the utterance at most
_SMOOTH = 5  # frames: the median over them ignores the slap of a card


@dataclass(frozen=True, slots=True)
class Cutting:
    """The settings of the cutter, in seconds and decibels."""

    pause: float = 0.28  # quiet that ends an utterance
    lead: float = 0.25  # what is kept before and after it, for the recogniser to settle
    above_floor: float = 9.0  # louder than the room's floor by this is speech
    below_peak: float = 30.0  # quieter than the utterance's peak by this is a pause
    foreground: float = 9.0
    shortest: float = 0.06
    longest: float = 6.0  # a longer stretch without a pause is cut in two
    quietest: float = -70.0  # no speech is quieter (dB of full scale)


@dataclass(frozen=True, slots=True)
class Utterance:
    """A stretch of sound to recognise.

    `pcm` is int16 at 16 kHz and begins at `start` (seconds of capture time); somebody speaks from `begin` to `end`.
    `whole` says whether quiet lies on both sides; `peak` is in decibels of full scale; `stands` is by how many decibels
    it is louder than anything in the two seconds before it. `amid`: it was cut out of speech.
    """

    pcm: NDArray[np.int16]
    start: float
    begin: float
    end: float
    whole: bool
    peak: float
    stands: float = 0.0
    amid: bool = False


class Cutter:
    """Takes sound as it comes and gives back utterances as soon as the pause after them is long enough.

    `speaking_since` is the capture time since which somebody may be speaking, None in a pause.
    """

    def __init__(self, cutting: Cutting | None = None) -> None:
        self.cutting = cutting or Cutting()
        self._pcm: NDArray[np.int16]
        self._origin: float  # capture time of the first sample kept
        self._clear(0.0)

    @property
    def speaking_since(self) -> float | None:
        """Capture time at which the utterance began that is going on now; None while nobody speaks."""
        return None if self._onset is None else self._time(self._onset)

    def push(self, chunk: Chunk) -> list[Utterance]:
        """Take the next sound; a gap or a jump back in capture time ends what was being said before it."""
        cuts: list[Utterance] = []
        if not self._pcm.size:
            self._clear(chunk.t)
        elif abs(chunk.t - self._origin - self._pcm.size / RATE) > 0.1:
            cuts = self.flush()
            self._clear(chunk.t)
        self._pcm = np.concatenate([self._pcm, chunk.pcm])
        cuts += self._advance()
        self._drop_old()
        return cuts

    def flush(self) -> list[Utterance]:
        """End what is being said now, because the sound ended."""
        quiet = np.zeros(int(RATE * (self.cutting.pause + self.cutting.lead + 0.1)), np.int16)
        self._pcm = np.concatenate([self._pcm, quiet])
        cuts = self._advance()
        self._clear(0.0)
        return cuts

    def _clear(self, origin: float) -> None:
        self._pcm = np.zeros(0, np.int16)
        self._origin = origin
        self._raw: list[float] = []  # level of each frame
        self._levels: list[float] = []  # the same, smoothed; it lags by half of _SMOOTH
        self._past: deque[float] = deque(maxlen=1000)  # levels of the last 10 s
        self._floor = -60.0
        self._onset: int | None = None  # frames, as everything below
        self._loud = 0  # the last loud one
        self._peak = -120.0

    def _time(self, frame: int) -> float:
        return self._origin + frame * FRAME / RATE

    def _advance(self) -> list[Utterance]:
        """Look at every frame that is complete now."""
        known = len(self._raw)
        fresh = self._pcm[known * FRAME : self._pcm.size // FRAME * FRAME]
        before = self._pcm[known * FRAME - 1] if known else 0
        self._raw += levels(fresh, int(before)).tolist()
        cuts: list[Utterance] = []
        half = _SMOOTH // 2
        while len(self._levels) + half < len(self._raw):
            i = len(self._levels)
            self._levels.append(float(np.median(self._raw[max(0, i - half) : i + half + 1])))
            cuts += self._step(i)
        return cuts

    def _step(self, i: int) -> list[Utterance]:
        level = self._levels[i]
        self._past.append(level)
        if i % 20 == 0:
            floor = float(np.percentile(self._past, 10))
            self._floor = floor if len(self._past) >= 100 else min(floor, -50.0)
        cut = self.cutting
        pause = round(cut.pause * 100)
        quiet = max(self._floor + cut.above_floor, cut.quietest, self._peak - cut.below_peak)
        cuts: list[Utterance] = []
        if level > quiet:
            if self._onset is None:
                self._onset = i
            self._loud = i
            self._peak = max(self._peak, level)
        if self._onset is None:
            return cuts
        cuts += self._island(i, self._onset)
        paused = i - self._loud >= pause
        if paused or i - self._onset > cut.longest * 100:
            cuts += self._cut(self._onset, self._loud + 1, whole=paused)
            self._onset = None if paused else i
            self._peak = -120.0
        return cuts

    def _island(self, i: int, onset: int) -> list[Utterance]:
        """The foreground utterance after which frame `i` completes the pause, if there is one."""
        quiet, fall = _ISLAND, self.cutting.foreground
        last = i - quiet
        after = max(self._levels[last + 1 : i + 1], default=-120.0)
        if last < onset or after >= self._levels[last]:
            return []
        peak, first, run = self._levels[last], last, 0
        for j in range(last - 1, max(-1, last - round(self.cutting.longest * 100)), -1):
            level = self._levels[j]
            peak = max(peak, level)
            if level >= peak - fall:
                first, run = j, 0
            else:
                run += 1
                if run >= quiet:
                    break
        else:
            if first > quiet:  # too long, and not the beginning of the sound
                return []
        if after >= peak - fall or self._levels[last] < peak - fall:
            return []
        if first - onset < quiet and i - self._loud >= 5:
            return []  # the whole utterance, about to be given out
        return self._cut(self._edge(first, -1, peak), self._edge(last, 1, peak) + 1, whole=False)

    def _edge(self, frame: int, step: int, peak: float) -> int:
        """Where a foreground utterance really begins or ends whose vowels reach to `frame`.

        Outwards as long as it is louder than what lies there; a stop consonant is a short gap.
        """
        reach = (
            self._levels[frame : frame + _ISLAND + 1] if step > 0 else self._levels[max(0, frame - _ISLAND) : frame + 1]
        )
        reach = reach[::step]
        around = max(float(np.percentile(reach[_SMOOTH:] or reach, 50)) + 4.0, peak - 25.0)
        far = 0
        for i, level in enumerate(reach):
            if level > around:
                far = i
            elif i - far > _STOP:
                break
        return frame + step * far

    def _cut(self, first: int, after: int, *, whole: bool) -> list[Utterance]:
        if after - first < self.cutting.shortest * 100:
            return []
        lead = round(self.cutting.lead * 100)
        start, stop = first - lead, after + lead
        pcm = self._pcm[max(0, start) * FRAME : stop * FRAME]
        if start < 0:  # the sound began with it
            pcm = np.concatenate([np.zeros(-start * FRAME, np.int16), pcm])
        if not whole:
            pcm = hushed(pcm, first - start, after - start)
        peak = max(self._levels[first:after])
        stands = peak - max(self._levels[max(0, first - _BEFORE) : max(0, first - _NEAR)], default=self._floor)
        times = self._time(start), self._time(first), self._time(after)
        return [Utterance(pcm, *times, whole, peak, stands)]

    def _drop_old(self) -> None:
        """Forget sound that no utterance can reach back to any more."""
        oldest = len(self._levels) if self._onset is None else self._onset
        spare = oldest - round((self.cutting.longest + 2) * 100)
        if spare > 500:
            self._pcm = self._pcm[spare * FRAME :]
            self._origin += spare * FRAME / RATE
            del self._raw[:spare], self._levels[:spare]
            self._loud -= spare
            if self._onset is not None:
                self._onset -= spare


def amid(utterance: Utterance, begin: float, end: float) -> Utterance | None:
    """What is said from `begin` to `end`, seconds from the first sample, with the speech around it hushed.

    None where that is no word, nearly all of it, or no louder than the speech before and after it.
    """
    smooth = _smoothed(levels(utterance.pcm[: utterance.pcm.size // FRAME * FRAME]))
    first, after = max(0, round(begin * 100) - 2), min(smooth.size, round(end * 100) + 2)
    if not _BRIEFEST < end - begin < _MOST * (utterance.end - utterance.begin) or first < _NEAR + 10:
        return None
    peak = float(smooth[first:after].max())
    stands = peak - float(smooth[max(0, first - _BEFORE) : first - _NEAR].max())
    if min(stands, peak - float(smooth[after + _NEAR : after + _BEFORE].max(initial=-120.0))) < 0.0:
        return None
    start, stop = max(0, first - _AROUND), min(smooth.size, after + _AROUND)
    pcm = hushed(utterance.pcm[start * FRAME : stop * FRAME], first - start, after - start)
    begins, speaks, stops = (utterance.start + frame * FRAME / RATE for frame in (start, first, after))
    return Utterance(pcm, begins, speaks, stops, False, peak, stands, amid=True)


def _smoothed(level: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median over each frame and those about it."""
    around = np.pad(level, _SMOOTH // 2, mode="edge")
    return np.asarray(np.median(np.lib.stride_tricks.sliding_window_view(around, _SMOOTH), axis=1), dtype=np.float32)


def hushed(pcm: NDArray[np.int16], first: int, after: int) -> NDArray[np.int16]:
    """The sound with what lies around its frames `first` to `after` made faint, so that it is not taken for words."""
    frames = np.arange(pcm.size / FRAME)
    outside = np.maximum(first - _KEPT - frames, frames - (after + _KEPT))
    gain = 10 ** (np.clip(outside / _FADE, 0.0, 1.0) * _HUSH / 20)
    return np.asarray(pcm * np.interp(np.arange(pcm.size) / FRAME, frames + 0.5, gain), dtype=np.int16)


def levels(pcm: NDArray[np.int16], before: int = 0) -> NDArray[np.float32]:
    """Level of each 10 ms frame in decibels of full scale, higher frequencies lifted so that an s is not a pause."""
    x = pcm.astype(np.float32) / 32768.0
    lifted = x - 0.9 * np.concatenate([[before / 32768.0], x[:-1]]).astype(np.float32) if x.size else x
    power = np.mean(np.square(lifted.reshape(-1, FRAME)), axis=1) if x.size else lifted
    return np.asarray(10.0 * np.log10(power + 1e-12), dtype=np.float32)
