"""What is odd about a picture as a whole, so that few of its cards can be named?"""

from collections.abc import Sequence

import numpy as np

from vision.look.detections import SeenCard
from vision.look.eye import Eye
from vision.look.faces import BACK, UNSURE
from vision.look.ink import colourless
from vision.look.quads import Image

GREY = "grey"
"""The picture has no colour: black and red suits are told by their shapes alone, and the black ones never for sure."""
MIRRORED = "mirrored"
"""It seems to be mirrored, as front cameras and some drivers do it: the indices cannot be read."""
JOKER = "Jk"
"""Tells nothing: it looks otherwise in every deck, and what cannot be read is easily taken for one."""


def oddities(eye: Eye, image: Image, seen: Sequence[SeenCard]) -> list[str]:
    """Which of `GREY` and `MIRRORED` hold for `image`, in which `seen` was seen; looks again where cards are `?`.

    A picture seems mirrored when more can be named in its mirror: at least one card, and more than twice as many. Of
    308 training photos and drawn tables with cards 4 are then called mirrored; of the same, mirrored, 124 of 296.
    """
    found = [GREY] if seen and colourless(image) else []
    if any(card.card == UNSURE for card in seen):
        flipped = eye.look(np.ascontiguousarray(image[:, ::-1]))
        if sum(card.card != JOKER for card in flipped if _is_named(card)) > 2 * sum(map(_is_named, seen)):
            found.append(MIRRORED)
    return found


def _is_named(card: SeenCard) -> bool:
    return card.card not in (BACK, UNSURE)
