"""What does the microphone at the demo's table hear?"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from vision.faults import VisionError
from vision.synthetic.demo.script import CLIPS, SCRIPT, SECONDS, Act, Clip, Word

RATE: Final = 16000  # hertz
SEED: Final = 11

Sound = NDArray[np.float64]
"""Samples at `RATE`, -1 to 1."""

_VOICE: Final = 0.45  # loudest sample of a word
_ROOM: Final = 0.0012  # of the room's murmur, root mean square


def sound_track(data: Path) -> Sound:
    """Voices, cards and a quiet room for the whole match; the same samples each time.

    Raises:
        VisionError: a clip is missing or broken.
    """
    rng = np.random.default_rng(SEED)
    track = _murmur(rng)
    echo = _echo(rng)
    for event in SCRIPT:
        if isinstance(event, Word):
            voice = _voice(data, CLIPS[event.text])
            voice = np.convolve(voice, echo)
            _mix(track, voice * (_VOICE / np.abs(voice).max()), event.t)
        else:
            _mix(track, _swish(rng, event), event.t - 0.3)
            if event.kind == "play":
                _mix(track, _slap(rng), event.t)
    return track


def write_sound(track: Sound, path: Path) -> None:
    """Write `track` to `path` as the file's ending says."""
    soundfile.write(path, track, RATE, subtype="PCM_16")


def _voice(data: Path, clip: Clip) -> Sound:
    try:
        samples, rate = soundfile.read(data / clip.file, always_2d=True)
    except soundfile.LibsndfileError:
        raise VisionError("vision.no-source", file=data / clip.file) from None
    piece = samples[round(clip.start * rate) : round(clip.end * rate)].mean(axis=1)
    fade = np.minimum(1, np.minimum(np.arange(len(piece)), np.arange(len(piece))[::-1]) / (0.012 * rate))
    voice = np.asarray(soxr.resample(piece * fade, rate, RATE), np.float64)
    hertz = np.fft.rfftfreq(len(voice), 1 / RATE)
    gain = 1 + (10 ** (clip.treble / 20) - 1) / (1 + np.exp(-(hertz - 1900) / 200))  # a telephone line took it
    return np.asarray(np.fft.irfft(np.fft.rfft(voice) * gain, len(voice)), np.float64)


def _mix(track: Sound, piece: Sound, t: float) -> None:
    start = round(t * RATE)
    piece = piece[: max(len(track) - start, 0)]
    track[start : start + len(piece)] += piece


def _murmur(rng: np.random.Generator) -> Sound:
    """A quiet room: noise that falls off with frequency."""
    count = round(SECONDS * RATE)
    spectrum = np.fft.rfft(rng.normal(size=count))
    hertz = np.fft.rfftfreq(count, 1 / RATE)
    noise = np.fft.irfft(spectrum / np.sqrt(1 + (hertz / 180) ** 2) * (hertz > 40), count)
    return np.asarray(noise * (_ROOM / noise.std()), np.float64)


def _echo(rng: np.random.Generator) -> Sound:
    """A small furnished room's answer to a click."""
    times = np.arange(round(0.18 * RATE)) / RATE
    tail = rng.normal(size=len(times)) * np.exp(-times / 0.035) * 0.012 * (times > 0.004)
    tail[0] = 1.0
    return np.asarray(tail, np.float64)


def _slap(rng: np.random.Generator) -> Sound:
    """A card put down on cards: a soft low knock and a little rustle."""
    times = np.arange(round(0.12 * RATE)) / RATE
    knock = np.sin(2 * np.pi * 140 * times) * np.exp(-times / 0.018)
    rustle = _smooth(rng.normal(size=len(times)), 4) * np.exp(-times / 0.010)
    return np.asarray((0.09 * knock + 0.11 * rustle) * np.minimum(1, times / 0.001), np.float64)


def _swish(rng: np.random.Generator, act: Act) -> Sound:
    """Cards sliding over cards."""
    seconds = 0.30 if act.kind == "play" else 0.45
    times = np.arange(round(seconds * RATE)) / RATE
    return np.asarray(
        _smooth(rng.normal(size=len(times)), 3) * np.sin(np.pi * times / seconds) ** 2 * 0.006 * (1 + 0.3 * act.count),
        np.float64,
    )


def _smooth(noise: Sound, width: int) -> Sound:
    return np.asarray(np.convolve(noise, np.ones(width) / np.sqrt(width), mode="same"), np.float64)
