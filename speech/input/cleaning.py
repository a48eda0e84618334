"""What is in the sound that no voice makes: an offset, the hum of the mains, channels that cancel each other?"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

import numpy as np

from speech.input.chunks import RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROUND: Final = RATE // 10  # samples after which an offset and every multiple of 10 Hz repeat themselves
_HUMS: Final = tuple(np.arange(mains, 600, mains) // 10 for mains in (50, 60))  # bins of a round, by the mains
_OFFSET: Final = np.zeros(1, int)
_ROUNDS: Final = 8  # as many alike in a row are steady: no vowel keeps its phase for so long
_STEADY: Final = 0.95  # length of their mean, of their mean length
_DRIFT: Final = 0.1  # radians a round, 0.16 Hz: no mains are further off
_OFFSET_LEAST, _HUM_LEAST = 0.02, 0.002  # of full scale; less harms nothing, and loud vowels have as much
_MAINS: Final = 0.1  # of the loudest harmonic; the mains frequency itself has more
_GONE: Final = 0.5  # of what is steady; where a round has less, it is steady no longer
_FORGET: Final = 0.98  # of what was heard of the channels so far, with every block
_OPPOSED: Final = 0.1  # of the louder channel's power; where the mean has less, the channels cancel each other


class Cleaner:
    """Takes an offset and the mains' hum, with its harmonics, out of one stream of 16 kHz mono.

    A filter would take the low end of voices too, which costs words (a high-pass at 150 Hz 2 of 49 of them). What is
    subtracted instead is what goes on to the phase, as the mains do, a little faster or slower than their nominal
    frequency; it is learnt while nobody speaks. Sound without it is left as it is.
    """

    def __init__(self) -> None:
        self._wave: NDArray[np.float32] | None = None  # what is subtracted, one round of it
        self._steady = np.zeros(_ROUND // 2 + 1, np.complex128)  # the spectrum of that, its mean amplitudes
        self._turn = np.zeros(_ROUND // 2 + 1)  # by how much its phases advance with every round
        self._rounds: deque[NDArray[np.complex128]] = deque(maxlen=_ROUNDS)
        self._heard: NDArray[np.float32] = np.zeros(0, np.float32)  # of the round that is not complete yet

    def push(self, sound: NDArray[np.float32]) -> NDArray[np.float32]:
        """The next sound, cleaned; as long as it was, and at once."""
        if self._wave is None and sound.size:  # an offset is there from the first sample on
            self._steady[0] = sound.mean() if abs(sound.mean()) > _OFFSET_LEAST else 0.0
            self._wave = np.full(_ROUND, self._steady[0].real, np.float32)
        clean = []
        while sound.size:
            assert self._wave is not None
            at = self._heard.size
            piece, sound = sound[: _ROUND - at], sound[_ROUND - at :]
            clean.append(piece - self._wave[at : at + piece.size])
            self._heard = np.concatenate([self._heard, piece])
            if self._heard.size == _ROUND:
                self._learn(self._heard)
                self._heard = self._heard[:0]
        return np.concatenate(clean) if clean else sound

    def _learn(self, heard: NDArray[np.float32]) -> None:
        """Expect of the next round what is steady in this one and those before it."""
        spectrum = np.fft.rfft(heard) / _ROUND
        self._rounds.append(spectrum)
        self._steady *= np.exp(1j * self._turn)
        self._steady[np.abs(spectrum) < _GONE * np.abs(self._steady)] = 0.0
        if len(self._rounds) == _ROUNDS:
            for bins in (_OFFSET, *_HUMS):
                self._learn_one(np.array(self._rounds)[:, bins], bins)
        self._wave = np.fft.irfft(self._steady * np.exp(1j * self._turn), _ROUND).astype(np.float32) * _ROUND

    def _learn_one(self, rounds: NDArray[np.complex128], bins: NDArray[np.int_]) -> None:
        """Learn the hum of one mains frequency: all its harmonics are as much too fast or too slow as it is."""
        harmonic = bins / max(1, bins[0])
        steps = (rounds[1:] * rounds[:-1].conj()).sum(axis=0)
        weight = np.abs(steps)
        base = float((weight * np.angle(steps) / np.maximum(harmonic, 1)).sum() / max(weight.sum(), 1e-12))
        if abs(base) > _DRIFT:
            return
        turn = harmonic * base
        still = rounds * np.exp(-1j * turn * np.arange(1 - _ROUNDS, 1)[:, None])
        mean, each = still.mean(axis=0), np.abs(still).mean(axis=0)
        least = _HUM_LEAST if bins[0] else _OFFSET_LEAST
        steady = (np.abs(mean) > np.maximum(_STEADY * each, least)) & (np.abs(rounds[-1]) > _GONE * each)
        if not steady[0] or np.abs(mean[0]) < _MAINS * np.abs(mean).max():
            return  # a voice may hold its pitch, but none is so low
        self._steady[bins[steady]], self._turn[bins[steady]] = mean[steady], turn[steady]


class Mixer:
    """Makes one channel of several: their mean, or the loudest where they cancel each other (one wired wrongly)."""

    def __init__(self) -> None:
        self._mean, self._each = 0.0, np.zeros(0)

    def push(self, block: NDArray[np.float32]) -> NDArray[np.float32]:
        """The one channel of a block `(n, channels)`, `(n,)`."""
        block = np.nan_to_num(block)
        mean: NDArray[np.float32] = block.mean(axis=1, dtype=np.float32)
        if block.shape[1] == 1 or not block.size:
            return mean
        each = np.square(block - block.mean(axis=0), dtype=np.float64).mean(axis=0)
        if self._each.size != each.size:
            self._mean, self._each = 0.0, np.zeros(each.size)
        self._mean = _FORGET * self._mean + float(mean.var())
        self._each = _FORGET * self._each + each
        best = int(self._each.argmax())
        return block[:, best].astype(np.float32) if self._mean < _OPPOSED * self._each[best] else mean
