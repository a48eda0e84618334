"""What does the measured sound go through: other people's talk, cards on the table, a small room?"""

from __future__ import annotations

import csv
import hashlib
import random
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from speech.input.chunks import RATE
from speech.input.files import SoundFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Row = dict[str, str]
"""A row of the manifest: `file`, `says`, `human`, `source`."""

CARDS = ("KDE/kpat", "ubg42/Uno-Online")
"""Sources in `other/` whose clips are recorded cards: dealt, turned, shuffled."""


def read_manifest(folder: Path) -> list[Row]:
    """What is said in each clip under `folder`."""
    with (folder / "manifest.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def is_other(row: Row) -> bool:
    """Whether the clip is speech or noise without the referee's words."""
    return row["file"].startswith("other/")


def tuned(row: Row) -> bool:
    """Whether the clip belongs to the half that thresholds may be chosen on; the other half is only reported."""
    return hashlib.sha256(Path(row["file"]).name.encode()).digest()[0] % 2 == 0


def load(path: Path) -> NDArray[np.int16]:
    """A whole sound file as the ear hears it."""
    return np.concatenate([chunk.pcm for chunk in SoundFile(path).chunks()])


def mixed(
    word: NDArray[np.int16], others: Sequence[NDArray[np.int16]], snr: float, seed: int = 0, margin: float = 1.0
) -> NDArray[np.int16]:
    """A word over other sound, `snr` decibels louder than it, with `margin` seconds of that before and after."""
    pick = random.Random(f"{seed} {len(word)} {int(word[::97].sum())}")
    room = len(word) + 2 * int(margin * RATE)
    bed = np.zeros(0)
    while not bed.size or np.sqrt(np.mean(bed**2)) < 100:
        sound = pick.choice(others)
        if len(sound) > room:
            at = pick.randrange(len(sound) - room)
            bed = sound[at : at + room].astype(float)
    bed *= np.sqrt(np.mean(word.astype(float) ** 2)) / np.sqrt(np.mean(bed**2)) * 10 ** (-snr / 20)
    bed[int(margin * RATE) : int(margin * RATE) + len(word)] += word
    return np.asarray(bed * min(1.0, 31_000 / np.abs(bed).max()), dtype=np.int16)


def card_table(clips: Sequence[NDArray[np.int16]], seconds: float = 120.0, seed: int = 0) -> NDArray[np.int16]:
    """Recorded card sounds and made-up knocks on the table, a few times a second, over the hiss of a room."""
    pick = np.random.default_rng(seed)
    bed = pick.standard_normal(int(seconds * RATE)) * 10
    at = 0.0
    while at < seconds - 3:
        if pick.random() < 0.6:
            sound = clips[int(pick.integers(len(clips)))].astype(float)[: 2 * RATE]
            sound *= 8000 / max(1.0, np.abs(sound).max())
        else:
            t = np.arange(int(0.12 * RATE)) / RATE  # a chip, a knuckle: a short low tone and a click
            tone = np.sin(2 * np.pi * pick.uniform(90, 400) * t) + 0.5 * pick.standard_normal(len(t))
            sound = 8000 * tone * np.exp(-t / pick.uniform(0.008, 0.03))
        first = int(at * RATE)
        bed[first : first + len(sound)] += sound * 10 ** (pick.uniform(-12, 0) / 20)
        at += pick.uniform(0.15, 0.8)
    return np.asarray(np.clip(bed, -32767, 32767), dtype=np.int16)


def in_room(word: NDArray[np.int16], seconds: float = 0.4, seed: int = 0) -> NDArray[np.int16]:
    """A word as a microphone hears it a metre or two away in a room whose echo falls by 60 dB in `seconds`.

    The echo is decaying noise that together has about the energy of the direct sound.
    """
    pick = np.random.default_rng(seed)
    t = np.arange(int(seconds * RATE)) / RATE
    tail = pick.standard_normal(len(t)) * 10 ** (-3 * t / seconds)
    tail /= np.sqrt(np.sum(tail**2))
    tail[: RATE // 200] = 0.0  # the first echo comes 5 ms later
    tail[0] = 1.0
    dry = np.pad(word.astype(float), (RATE // 2, RATE // 2))
    wet = np.convolve(dry, tail)
    return np.asarray(wet * min(1.0, 31_000 / np.abs(wet).max()), dtype=np.int16)
