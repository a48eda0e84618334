"""How does sound of any rate and any channels become chunks, with the time of each?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import soxr

from speech.input.chunks import RATE, Chunk
from speech.input.cleaning import Cleaner, Mixer

if TYPE_CHECKING:
    from numpy.typing import NDArray

GAP = 0.2  # seconds between pieces of sound that do not follow each other


class Resampler:
    """Turns blocks of a source's own rate and channels into chunks, keeping count of time."""

    def __init__(self, rate: int, t: float = 0.0) -> None:
        self._rate = rate
        self._start = t
        self._taken = self._given = 0
        self._stream = soxr.ResampleStream(rate, RATE, 1, dtype="float32") if rate != RATE else None
        self._mixer, self._cleaner = Mixer(), Cleaner()

    @property
    def next_t(self) -> float:
        """Capture time of the frame that comes next."""
        return self._start + self._taken / self._rate

    def push(self, block: NDArray[np.float32], *, last: bool = False) -> Chunk:
        """The sound that a block `(n, channels)` of float32 completes; `last` gives out what is still held back."""
        mono = self._mixer.push(block) if block.size else np.zeros(0, np.float32)
        self._taken += len(mono)
        if self._stream is not None:
            mono = self._stream.resample_chunk(mono, last=last)
        mono = self._cleaner.push(mono)
        t = self._start + self._given / RATE
        self._given += len(mono)
        return Chunk(np.asarray(np.clip(mono * 32768.0, -32768, 32767), dtype=np.int16), t)
