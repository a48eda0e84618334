"""Does the eye's memory stay flat over an hour?"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import psutil

from vision.bench.pile import scene
from vision.input.frames import Frame
from vision.look.eye import Eye
from vision.show.jpeg import jpeg
from vision.table import TableWatcher


def endure(shared: Path, minutes: float) -> Iterator[dict[str, Any]]:
    """Figures after each pass of one film, again and again before the same watcher, every other frame of it.

    `memory` is what the process takes now, MiB: it must not go on growing after the first passes.
    """
    film, layout, _ = scene(shared, "middle", 1001, held_out=False)
    frames = [(jpeg(frame.image), frame.t, frame.index) for frame in film.frames() if frame.index % 2 == 0]
    watcher = TableWatcher(Eye("french"), layout)
    told, start = 0, 0.0
    while start < 60 * minutes:
        for packed, t, index in frames:
            image = np.asarray(cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR), np.uint8)
            told += len(watcher.watch(Frame(image, start + t, index)))
        start += film.seconds
        memory = psutil.Process().memory_info().rss / 2**20
        yield {"minutes": round(start / 60, 1), "memory": round(memory, 1), "told": told}
