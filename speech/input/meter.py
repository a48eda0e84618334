"""Is the microphone loud enough, too loud, or dead?"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from speech.input.chunks import RATE
from speech.input.quality import Poor, Quality

if TYPE_CHECKING:
    from speech.input.chunks import Chunk

_WINDOW = 10.0  # seconds that advice looks back on
_CLIP = 32_700
_NOTHING = -85.0  # decibels; below it there is not even noise

Advice = Literal["", "dead", "turn it up", "turn it down", "too noisy"] | Poor


@dataclass(frozen=True, slots=True)
class Level:
    """What a level meter shows: the newest chunk's peak (decibels of full scale), and advice over the last ten seconds.

    `advice`: "dead" means not even noise arrives (muted, or unplugged without telling); "" that all is well. `silent`:
    for how many seconds not even noise has arrived.
    """

    peak: float
    clipped: bool
    advice: Advice
    silent: float = 0.0


class Meter:
    """Watches chunks go by. Not for several threads."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, float, float, int]] = deque()  # t, peak, rms, clipped samples
        self._quality = Quality()
        self._alive: float | None = None  # capture time up to which there was at least noise

    def push(self, chunk: Chunk) -> Level:
        """The level of a chunk and what to do about the microphone."""
        x = np.abs(chunk.pcm.astype(np.float32))
        peak, rms = _decibels(float(x.max(initial=0))), _decibels(float(np.sqrt(np.mean(x**2))) if x.size else 0.0)
        clipped = int((x >= _CLIP).sum())
        self._past.append((chunk.t, peak, rms, clipped))
        while chunk.t - self._past[0][0] > _WINDOW:
            self._past.popleft()
        self._quality.push(chunk.pcm)
        end = chunk.t + len(chunk.pcm) / RATE
        if peak >= _NOTHING:
            self._alive = end
        elif self._alive is None:
            self._alive = chunk.t
        silent = max(0.0, end - self._alive) if self._alive is not None else 0.0
        return Level(round(peak, 1), clipped > 0, self._advice(), silent)

    def _advice(self) -> Advice:
        if self._past[-1][0] - self._past[0][0] < 0.3 * _WINDOW:
            return ""
        peaks = [peak for _, peak, _, _ in self._past]
        if max(peaks) < _NOTHING:
            return "dead"
        if sum(clipped for *_, clipped in self._past) > 200:
            return "turn it down"
        floor = float(np.percentile([rms for _, _, rms, _ in self._past], 10))
        if floor > -35:
            return "too noisy"
        return "turn it up" if -75 < max(peaks) < -40 and floor < -55 else self._quality.advice()


def _decibels(amplitude: float) -> float:
    return float(20 * np.log10(max(amplitude, 1e-1) / 32768))
