"""How does sound come in that others bring, such as a browser with a microphone?"""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

import numpy as np

from speech.input.chunks import RATE, Chunk
from speech.input.resampling import GAP, Resampler

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


class PushedSound:
    """A source that others push sound into, such as a browser's microphone.

    At most `seconds` of sound wait to be taken; what is pushed beyond that is dropped and counted in `overflows`.
    """

    def __init__(self, rate: int = RATE, seconds: float = 10.0) -> None:
        self._rate = rate
        self.overflows = 0
        self._resampler: Resampler | None = None
        self._waiting: queue.Queue[Chunk | None] = queue.Queue()
        self._room = seconds
        self._queued = 0.0
        self._lock = threading.Lock()

    @property
    def rate(self) -> int:
        """Frames a second of what is pushed; another device may bring another rate."""
        return self._rate

    @rate.setter
    def rate(self, rate: int) -> None:
        with self._lock:
            if rate != self._rate:
                self._rate, self._resampler = rate, None

    def push(self, frames: NDArray[np.int16] | NDArray[np.float32], t: float) -> None:
        """Take frames `(n,)` or `(n, channels)`, int16 or float32 in -1..1, whose first was captured at `t`."""
        scale = 32768.0 if frames.dtype == np.int16 else 1.0
        block = (frames.astype(np.float32) / scale).reshape(len(frames), -1)
        with self._lock:
            if self._queued + len(block) / self.rate > self._room:
                self.overflows += 1
                return
            if self._resampler is None or abs(self._resampler.next_t - t) > GAP:  # first, or a gap
                self._resampler = Resampler(self.rate, t)
            chunk = self._resampler.push(block)
            self._queued += chunk.pcm.size / RATE
        self._waiting.put(chunk)

    def chunks(self) -> Iterator[Chunk]:
        """What was pushed, waiting for more until `close`."""
        while (chunk := self._waiting.get()) is not None:
            with self._lock:
                self._queued -= chunk.pcm.size / RATE
            if chunk.pcm.size:
                yield chunk

    def close(self) -> None:
        """End the sound."""
        self._waiting.put(None)
