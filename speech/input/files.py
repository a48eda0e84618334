"""What is heard in a sound file or a film?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import soundfile

from speech.faults import SpeechError
from speech.input import containers
from speech.input.resampling import GAP, Resampler

if TYPE_CHECKING:
    from collections.abc import Iterator

    from speech.input.chunks import Chunk

_BLOCK = 0.1  # seconds in a chunk of a file


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
        except (soundfile.LibsndfileError, containers.FFmpegError, OSError, RuntimeError) as fault:
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
                if to_mono is None or abs(to_mono.next_t - t) > GAP:
                    to_mono = Resampler(rate, t)
                chunk = to_mono.push(block)
                if chunk.pcm.size:
                    yield chunk
        except (soundfile.LibsndfileError, containers.FFmpegError) as fault:
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
            size = -1 if file.format == "MP3" else max(1, round(file.samplerate * _BLOCK))
            read = 0
            while (block := file.read(size, dtype="float32", always_2d=True)).size:
                yield block, file.samplerate, read / file.samplerate
                read += len(block)


def _reason(fault: Exception) -> str:
    told = getattr(fault, "strerror", None) or str(fault).split(":")[-1]
    return str(told).strip().rstrip(".") or type(fault).__name__
