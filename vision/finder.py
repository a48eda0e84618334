"""Where may cards lie in this picture? Outlines that close, and straight edges that make a card together."""

import numpy as np

from vision.contours import candidates
from vision.lines import lined_quads
from vision.quads import Image, Quads


def find_quads(image: Image) -> Quads:
    """Quads `(n, 4, 2)` that may be cards, in pixels of `image`; many are not: the reader tells."""
    closed, lined = candidates(image), lined_quads(image)
    if len(lined) == 0:
        return closed
    sizes = np.sqrt(np.prod(np.ptp(lined, axis=1), axis=1))
    new = [
        quad
        for quad, size in zip(lined, sizes, strict=True)
        if all(
            min(np.abs(quad - other).max(), np.abs(quad - np.roll(other, 2, axis=0)).max()) > 0.03 * size
            for other in closed
        )
    ]
    return np.concatenate([closed, np.stack(new)]).astype(np.float32) if new else closed
