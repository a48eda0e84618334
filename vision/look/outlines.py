"""Where are the cards of a deck that no network was trained on? Closed outlines of a card's shape may be some."""

import numpy as np
from numpy.typing import NDArray

from vision.look.contours import candidates
from vision.look.finder import Finder
from vision.look.quads import Image, Quad, Quads, portrait, sides, signed_area

ASPECTS = (1.15, 1.95)
"""Long over short side of what may be a card, seen from above or a little from the side."""
AREAS = (0.005, 0.9)
"""Share of the picture that a card takes."""


class OutlineFinder:
    """Offers closed outlines beside what the detector finds; likeness to the deck then tells which are cards."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder

    def find(self, image: Image, zoned: bool = False, keen: bool = False) -> tuple[Quads, NDArray[np.float32]]:
        """As `Finder.find`; an outline that closes has nothing lying across it."""
        quads, bare = self._finder.find(image, zoned, keen)
        outlines = card_outlines(image)
        if not outlines:
            return quads, bare
        return np.concatenate([quads, np.stack(outlines)]), np.concatenate([bare, np.ones(len(outlines), np.float32)])


def card_outlines(image: Image) -> list[Quad]:
    """Closed outlines of a card's shape, the largest first, each beginning at a short side."""
    height, width = image.shape[:2]
    found = []
    for quad in candidates(image):
        lengths = sides(portrait(quad))
        aspect = float(lengths[1] + lengths[3]) / max(float(lengths[0] + lengths[2]), 1.0)
        area = abs(signed_area(quad)) / (height * width)
        if ASPECTS[0] < aspect < ASPECTS[1] and AREAS[0] < area < AREAS[1]:
            found.append(portrait(quad))
    return sorted(found, key=lambda quad: -abs(signed_area(quad)))
