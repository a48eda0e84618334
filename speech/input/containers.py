"""What is heard in a film, or in any file that holds its sound in a container (mp4, m4a, webm, mkv)?

The one part of this room that needs PyAV.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import av
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

Block = tuple["NDArray[np.float32]", int, float]
"""Sound `(n, channels)`, its rate, and seconds from the beginning of the film to its first frame."""

FFmpegError = av.FFmpegError
"""What reading raises where the file is no film, or broken."""


def blocks(path: Path) -> Iterator[Block]:
    """The first sound track of a film, piece by piece; nothing where it has none.

    Raises:
        FFmpegError: it cannot be read.
    """
    with av.open(str(path)) as film:
        track = next(iter(film.streams.audio), None)
        if track is None:
            return
        begins = (film.start_time or 0) / av.time_base
        to_float = av.AudioResampler(format="fltp", layout=track.layout, rate=track.rate)
        for frame in film.decode(track):
            t = max(0.0, (frame.time or 0.0) - begins)
            for even in to_float.resample(frame):
                yield even.to_ndarray().T.astype(np.float32), even.sample_rate, t
