"""Does the microphone cut off what words are told by: high sounds, pieces of sound, or their clean ends?"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from speech.input.chunks import RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

Poor = Literal["", "narrow", "drop-outs", "echo"]

_FRAME: Final = RATE // 200  # samples: 5 ms
_FRAMES: Final = 2_000  # 10 s that are looked back on
_LOUD: Final = -50.0  # decibels of full scale; louder is somebody speaking near by
_ENOUGH: Final = 400  # loud frames, 2 s, before anything is said
_HIGH: Final = 4_300  # Hz; a telephone or a headset with a call open has nothing above
_NARROW: Final = -45.0  # decibels of the loudest s, t or k up there, of the loudest sound; voices have more than -30
_NOTHING: Final = -85.0  # decibels; a room is never so quiet just after a loud sound
_LONGEST: Final = 20  # frames of a drop-out; a longer one is a pause
_OFTEN: Final = 3  # drop-outs in 10 s
_AFTER: Final = 24  # frames, 0.12 s, by which a word's end has died away
_FALLS: Final = 17.0  # decibels it has fallen by then: 15 with an echo of 0.6 s, 18 of 0.4, more than 25 in real clips


class Quality:
    """Watches the sound go by. Not for several threads."""

    def __init__(self) -> None:
        self._rest: NDArray[np.float32] = np.zeros(0, np.float32)
        self._level: deque[float] = deque(maxlen=_FRAMES)
        self._high: deque[float] = deque(maxlen=_FRAMES)

    def push(self, pcm: NDArray[np.int16]) -> None:
        """The next sound, int16 at 16 kHz."""
        sound = np.concatenate([self._rest, pcm.astype(np.float32) / 32768])
        whole = sound.size // _FRAME * _FRAME
        frames, self._rest = sound[:whole].reshape(-1, _FRAME), sound[whole:]
        if not whole:
            return
        power = np.abs(np.fft.rfft(frames * np.hanning(_FRAME).astype(np.float32), axis=1)) ** 2
        self._high += _decibels(power[:, _HIGH * _FRAME // RATE :].sum(axis=1) / _FRAME**2)
        self._level += _decibels(np.square(frames).mean(axis=1))

    def advice(self) -> Poor:
        """What is wrong with it, as far as can be told from somebody's speech in the last ten seconds."""
        level = np.array(self._level)
        if (level > _LOUD).sum() < _ENOUGH:
            return ""
        if self._gaps(level) >= _OFTEN:
            return "drop-outs"
        if max(self._high) - level.max() < _NARROW:
            return "narrow"
        smooth = np.convolve(level, np.full(4, 0.25), "valid")
        falls = smooth[:-_AFTER] - smooth[_AFTER:]
        return (
            "echo" if falls[smooth[:-_AFTER] > smooth.max() - 15].max(initial=60.0 * (falls.size < 1)) < _FALLS else ""
        )

    def _gaps(self, level: NDArray[np.float64]) -> int:
        """How often a loud sound was cut off for a moment."""
        edges = np.diff(np.concatenate([[0], level < _NOTHING, [0]]).astype(int))
        begins, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
        inside = (begins > 1) & (ends < level.size - 1) & (ends - begins <= _LONGEST)
        return sum(
            level[a - 2 : a].max() > _LOUD and level[b : b + 2].max() > _LOUD
            for a, b in zip(begins[inside], ends[inside], strict=True)
        )


def _decibels(power: NDArray[np.floating]) -> list[float]:
    return list(10 * np.log10(power + 1e-12))
