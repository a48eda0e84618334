"""Does the ear's memory stay flat over hours?"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from speech.bench_sound import load, read_manifest
from speech.ear import Ear
from speech.sources import RATE, Chunk

_PAUSES = (0.5, 4.0)  # seconds between two clips


def endure(shared: Path, hours: float, every: int = 600) -> Iterator[dict[str, Any]]:
    """Figures after each `every` seconds of sound: words, other speech and noise by turns, in a random order.

    `memory` is the process's, in MiB: what it takes now where the system tells it, else the most it ever took.
    """
    folder = shared / "data" / "sound"
    pick = Random(0)
    hiss = np.random.default_rng(0).normal(0, 15, 60 * RATE).astype(np.int16)
    sounds = [load(folder / row["file"]) for row in read_manifest(folder)]
    ear = Ear("uncle-baiting")
    words = at = 0
    for sound in chain.from_iterable(pick.sample(sounds, len(sounds)) for _ in repeat(None)):
        pause = hiss[: int(pick.uniform(*_PAUSES) * RATE)]
        for pcm in (pause, *np.array_split(sound, 1 + len(sound) * 2 // RATE)):
            ear.expect(None, frozenset({"hearts"}))
            words += len(ear.listen(Chunk(pcm, at / RATE)))
            before, at = at, at + len(pcm)
            if at // (every * RATE) > before // (every * RATE):
                yield {"minutes": round(at / RATE / 60, 1), "memory": round(_memory(), 1), "words": words}
        if at >= hours * 3600 * RATE:
            return


def _memory() -> float:
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize() / 2**20
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 2**10)
