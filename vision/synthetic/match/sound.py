"""What does the microphone at the virtual table hear?"""

from __future__ import annotations

import io
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from vision.faults import VisionError
from vision.synthetic.match.acts import PLAYS, Act, Word
from vision.synthetic.scenery import Rng

RATE: Final = 16000  # hertz
Sound = NDArray[np.float64]
"""Samples at `RATE`, -1 to 1."""

VOICES: Final = ("en-us+f2", "en-gb-x-rp+f2", "en-us+f5", "en-us", "en-gb-x-rp+f5", "en-us+m6")
"""Those of espeak-ng that the ear understands best: of 16 words of three games, owed and in a quiet room, 12 or 13 each
(four, "done" and "green" among them, robots do not say so that it understands; the six before: 7 to 13)."""
CHATTER: Final = (
    "did you water the plants this morning",
    "the train was late again on tuesday",
    "pass me the biscuits please",
    "we should paint that fence before winter",
    "my sister called about the holidays",
    "it looks like rain over the hills",
)
_VOICE, _MURMUR, _ROOM = 0.45, 0.05, 0.0015


def sound_track(
    acts: Sequence[Act],
    words: Sequence[Word],
    seconds: float,
    seed: int,
    chatter: float = 0.0,
    voices: Path | None = None,
) -> Sound:
    """The voices at their moments, the knock and rustle of the cards, a quiet room.

    Args:
        chatter: how much of the time somebody talks about other things beneath, 0 to 1.
        voices: a folder of recordings, `A-last card.flac` being those words by that seat; espeak-ng says the others.

    Raises:
        VisionError: words are to be said and espeak-ng is not installed, or a recording cannot be read.
    """
    rng = np.random.default_rng((seed, 1))
    track = rng.normal(0, 1, round(seconds * RATE))
    track = np.convolve(track, np.ones(24) / np.sqrt(24), mode="same") * _ROOM
    seats = sorted({word.seat for word in words} | {act.seat for act in acts if act.seat})
    for act in acts:
        if act.kind in (*PLAYS, "take", "take back", "recycle"):
            _mix(track, _rustle(rng, 0.3), act.t - 0.3)
        if act.kind in PLAYS:
            _mix(track, _slap(rng), act.t)
    for word in words:
        clip = voices / f"{word.seat}-{word.text}.flac" if voices else None
        if clip and clip.exists():
            voice = recorded(clip)
        else:
            voice = spoken(word.text, VOICES[seats.index(word.seat) % len(VOICES)])
        _mix(track, voice * (_VOICE * rng.uniform(0.7, 1.1)), word.t)
    t = 2.0
    while chatter > 0 and t < seconds:
        voice = spoken(str(rng.choice(CHATTER)), str(rng.choice(VOICES)))
        _mix(track, voice * _MURMUR, t)
        t += len(voice) / RATE / chatter + float(rng.uniform(0.5, 2))
    return track.clip(-1, 1)


def write_sound(track: Sound, path: Path) -> None:
    """Write `track` to `path` as the file's ending says."""
    soundfile.write(path, track, RATE, subtype="PCM_16")


@cache
def spoken(text: str, voice: str) -> Sound:
    """`text` as espeak-ng says it, its loudest sample 1, silence before and after it cut off.

    Raises:
        VisionError: espeak-ng is not installed, or has no such voice.
    """
    try:
        run = subprocess.run(["espeak-ng", "-v", voice, "-s", "145", "--stdout", text], capture_output=True, check=True)
    except FileNotFoundError:
        raise VisionError("vision.no-espeak") from None
    except subprocess.CalledProcessError:
        raise VisionError("vision.espeak-voice", voice=voice) from None
    return _loudest_one(*soundfile.read(io.BytesIO(run.stdout), always_2d=True))


def recorded(path: Path) -> Sound:
    """The words in a sound file, its loudest sample 1, silence before and after them cut off.

    Raises:
        VisionError: it cannot be read.
    """
    try:
        return _loudest_one(*soundfile.read(path, always_2d=True))
    except soundfile.LibsndfileError:
        raise VisionError("vision.no-source", file=path) from None


def _loudest_one(samples: Sound, rate: int) -> Sound:
    sound = np.asarray(soxr.resample(samples.mean(axis=1), rate, RATE), np.float64)
    loud = np.flatnonzero(np.abs(sound) > 0.02 * np.abs(sound).max())
    sound = sound[max(loud[0] - 160, 0) : loud[-1] + 800]
    return np.asarray(sound / np.abs(sound).max(), np.float64)


def _mix(track: Sound, piece: Sound, t: float) -> None:
    start = max(round(t * RATE), 0)
    piece = piece[: max(len(track) - start, 0)]
    track[start : start + len(piece)] += piece


def _slap(rng: Rng) -> Sound:
    """A card put down on cards: a soft low knock and a little rustle."""
    times = np.arange(round(0.1 * RATE)) / RATE
    knock = np.sin(2 * np.pi * rng.uniform(120, 170) * times) * np.exp(-times / 0.016)
    return np.asarray(0.08 * knock + 0.05 * rng.normal(size=len(times)) * np.exp(-times / 0.009), np.float64)


def _rustle(rng: Rng, seconds: float) -> Sound:
    times = np.arange(round(seconds * RATE)) / RATE
    return np.asarray(rng.normal(size=len(times)) * np.sin(np.pi * times / seconds) ** 2 * 0.008, np.float64)
