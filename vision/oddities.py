"""What is odd about a picture as a whole, so that few of its cards can be named?"""

from collections.abc import Iterable, Sequence

import numpy as np

from vision.detections import SeenCard
from vision.eye import Eye
from vision.faces import BACK, UNSURE
from vision.ink import colourless
from vision.quads import Image

GREY = "grey"
"""The picture has no colour: black and red suits are told by their shapes alone, and the black ones never for sure."""
MIRRORED = "mirrored"
"""It is mirrored, as front cameras and some drivers do it: the indices cannot be read."""


def oddities(eye: Eye, image: Image, seen: Sequence[SeenCard]) -> list[str]:
    """Which of `GREY` and `MIRRORED` hold for `image`, in which `seen` was seen; looks again where cards are `?`.

    A picture is mirrored when more can be named in its mirror: at least one card, and more than twice as many.
    """
    found = [GREY] if seen and colourless(image) else []
    if any(card.card == UNSURE for card in seen):
        flipped = eye.look(np.ascontiguousarray(image[:, ::-1]))
        if _named(flipped) > 2 * _named(seen):
            found.append(MIRRORED)
    return found


def _named(seen: Iterable[SeenCard]) -> int:
    return sum(card.card not in (BACK, UNSURE) for card in seen)
