"""Does the ear's memory stay flat over hours?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import psutil

from speech.bench.sounds import load, read_manifest
from speech.hearing.ear import Ear
from speech.input.chunks import RATE, Chunk

_PAUSES = (0.5, 4.0)  # seconds between two clips


def endure(shared: Path, hours: float, every: int = 600) -> Iterator[dict[str, Any]]:
    """Figures after each `every` seconds of sound: words, other speech and noise by turns, in a random order.

    `memory` is what the process takes now, in MiB.
    """
    folder = shared / "data" / "sound"
    pick = Random(0)
    hiss = np.random.default_rng(0).normal(0, 15, 60 * RATE).astype(np.int16)
    sounds = [load(folder / row["file"]) for row in read_manifest(folder)]
    ear, process = Ear("uncle-baiting"), psutil.Process()
    words = at = 0
    for sound in chain.from_iterable(pick.sample(sounds, len(sounds)) for _ in repeat(None)):
        pause = hiss[: int(pick.uniform(*_PAUSES) * RATE)]
        for pcm in (pause, *np.array_split(sound, 1 + len(sound) * 2 // RATE)):
            ear.expect(None, frozenset({"hearts"}))
            words += len(ear.listen(Chunk(pcm, at / RATE)))
            before, at = at, at + len(pcm)
            if at // (every * RATE) > before // (every * RATE):
                memory = process.memory_info().rss / 2**20
                yield {"minutes": round(at / RATE / 60, 1), "memory": round(memory, 1), "words": words}
        if at >= hours * 3600 * RATE:
            return
