"""Does the eye's memory stay flat over an hour?"""

import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.bench_pile import scene
from vision.eye import Eye
from vision.frames import Frame
from vision.picture import jpeg
from vision.table import TableWatcher


def endure(shared: Path, minutes: float) -> Iterator[dict[str, Any]]:
    """Figures after each pass of one film, again and again before the same watcher, every other frame of it.

    `most_memory` is the most that the process has taken so far, MiB: it must not go on growing after the first passes.
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
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
        yield {"minutes": round(start / 60, 1), "most_memory": round(most, 1), "told": told}
