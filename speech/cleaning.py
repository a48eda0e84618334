"""What is in the sound that no voice makes: an offset, the hum of the mains, channels that cancel each other?"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RATE: Final = 16_000
_ROUND: Final = _RATE // 10  # samples after which an offset and every multiple of 10 Hz repeat themselves
_HUMS: Final = tuple(np.arange(mains, 600, mains) // 10 for mains in (50, 60))  # bins of a round, by the mains
_ROUNDS: Final = 8  # as many alike in a row are steady: no vowel keeps its phase for so long
_STEADY: Final = 0.95  # length of their mean, of their mean length
_GONE: Final = 0.5  # of what is steady; where a round has less, it is steady no longer
_FORGET: Final = 0.98  # of what was heard of the channels so far, with every block
_OPPOSED: Final = 0.1  # of the louder channel's power; where the mean has less, the channels cancel each other


class Cleaner:
    """Takes an offset and the mains' hum, with its harmonics, out of one stream of 16 kHz mono.

    A filter would take the low end of voices too, which costs words (a high-pass at 150 Hz 2 of 49 of them). What is
    subtracted instead is what goes on to the phase, as the mains do, a little faster or slower than their nominal
    frequency; it is learnt while nobody speaks.
    """

    def __init__(self) -> None:
        self._wave: NDArray[np.float32] | None = None  # what is subtracted, one round of it
        self._steady = np.zeros(_ROUND // 2 + 1, np.complex128)  # the spectrum of that
        self._turn = np.zeros(_ROUND // 2 + 1)  # by how much its phases advance with every round
        self._rounds: deque[NDArray[np.complex128]] = deque(maxlen=_ROUNDS)
        self._heard: NDArray[np.float32] = np.zeros(0, np.float32)  # of the round that is not complete yet

    def push(self, sound: NDArray[np.float32]) -> NDArray[np.float32]:
        """The next sound, cleaned; as long as it was, and at once."""
        if self._wave is None and sound.size:  # an offset is there from the first sample on
            self._steady[0] = sound.mean() * _ROUND
            self._wave = np.full(_ROUND, sound.mean(), np.float32)
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
        spectrum = np.fft.rfft(heard)
        self._rounds.append(spectrum)
        self._steady *= np.exp(1j * self._turn)
        self._steady[np.abs(spectrum) < _GONE * np.abs(self._steady)] = 0.0
        self._steady[0] = spectrum[0]
        if len(self._rounds) == _ROUNDS:
            for bins in _HUMS:
                self._learn_hum(np.array(self._rounds)[:, bins], bins)
        self._wave = np.fft.irfft(self._steady * np.exp(1j * self._turn), _ROUND).astype(np.float32)

    def _learn_hum(self, rounds: NDArray[np.complex128], bins: NDArray[np.int_]) -> None:
        """Learn the hum of one mains frequency: all its harmonics are as much too fast or too slow as it is."""
        harmonic = bins / bins[0]
        steps = (rounds[1:] * rounds[:-1].conj()).sum(axis=0)
        weight = np.abs(steps)
        turn = harmonic * (weight * np.angle(steps) / harmonic).sum() / max(float(weight.sum()), 1e-12)
        still = rounds * np.exp(-1j * turn * np.arange(1 - _ROUNDS, 1)[:, None])
        mean = still.mean(axis=0)
        steady = np.abs(mean) > _STEADY * np.abs(still).mean(axis=0)
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
