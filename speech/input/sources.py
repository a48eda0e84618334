"""Where does the sound come from, and when was each piece of it captured?

Every source gives the same thing: `Chunk`s of 16 kHz mono in order, whatever the device or file delivers.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import soundfile
import soxr

from speech.faults import SpeechError
from speech.input import containers
from speech.input.cleaning import Cleaner, Mixer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

RATE = 16_000
BLOCK = 0.1  # seconds in a chunk of a file
_GAP = 0.2  # seconds between pieces of sound that do not follow each other


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """A piece of sound: `pcm` is int16 at 16 kHz, mono; its first sample was captured at `t` (seconds)."""

    pcm: NDArray[np.int16]
    t: float


class Source(Protocol):
    """What the ear listens to."""

    def chunks(self) -> Iterator[Chunk]:
        """The sound in order of capture, until it ends or `close` is called."""

    def close(self) -> None:
        """Stop; may be called from another thread, and twice."""


class SoundFile:
    """A sound file of any rate and channel count, or the sound of a film; capture time 0 is its beginning.

    Raises:
        SpeechError: there is no such file, it is not a sound file, or it holds no sound (at once, not while reading).
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self._closed = False
        if not self.path.is_file():
            raise SpeechError("speech.no-file", file=self.path)
        try:
            first = next(self._blocks(), None)
        except (soundfile.LibsndfileError, containers.Fault, OSError, RuntimeError) as fault:
            raise SpeechError("speech.unreadable", file=self.path, why=_reason(fault)) from fault
        if first is None:
            raise SpeechError("speech.silent", file=self.path)

    def chunks(self) -> Iterator[Chunk]:
        """The file's sound, as fast as it is read."""
        to_mono: Resampler | None = None
        try:
            for block, rate, t in self._blocks():
                if self._closed:
                    return
                if to_mono is None or abs(to_mono.next_t - t) > _GAP:
                    to_mono = Resampler(rate, t)
                chunk = to_mono.push(block)
                if chunk.pcm.size:
                    yield chunk
        except (soundfile.LibsndfileError, containers.Fault) as fault:
            raise SpeechError("speech.breaks-off", file=self.path, why=_reason(fault)) from fault
        if to_mono is not None and (rest := to_mono.push(np.zeros((0, 1), np.float32), last=True)).pcm.size:
            yield rest

    def close(self) -> None:
        """Stop reading."""
        self._closed = True

    def _blocks(self) -> Iterator[containers.Block]:
        """The sound piece by piece, read by libsndfile, or from a film's container."""
        try:
            file = soundfile.SoundFile(self.path)
        except soundfile.LibsndfileError:
            yield from containers.blocks(self.path)
            return
        with file:
            # Reading an MP3 piece by piece seeks in it, which is audible.
            size = -1 if file.format == "MP3" else max(1, round(file.samplerate * BLOCK))
            read = 0
            while (block := file.read(size, dtype="float32", always_2d=True)).size:
                yield block, file.samplerate, read / file.samplerate
                read += len(block)


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
            if self._resampler is None or abs(self._resampler.next_t - t) > _GAP:  # first, or a gap
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


def _reason(fault: Exception) -> str:
    told = getattr(fault, "strerror", None) or str(fault).split(":")[-1]
    return str(told).strip().rstrip(".") or type(fault).__name__
