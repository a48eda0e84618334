"""Which cards are in this picture, and where?"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.faults import VisionError
from vision.look.deck_reader import reader_for
from vision.look.detections import Detections, SeenCard
from vision.look.faces import BACK, NONE, UNSURE
from vision.look.finder import Finder, located
from vision.look.ink import colourless
from vision.look.outlines import OutlineFinder
from vision.look.quads import Image, Quads, overlap
from vision.look.reader import WORTH_ASKING, Reading

Zone = tuple[int, int, int, int]
"""Where to look: x, y, width, height in pixels of the picture."""


SAME = 0.5
"""Quads that share more of their union than this are one card."""
INSIDE = 0.8
"""A quad of which more than this lies in another one is a picture printed on that card."""
EDGE = 0.01
"""How far, in heights of the picture, a whole card's corner may seem to lie outside it."""


class Eye:
    """Finds and reads the cards of one deck.

    Args:
        deck: `french`, `uno`, or the name of an enrolled deck.
        reader: an ONNX reader to use in place of the shipped one.
        detector: weights to find the cards with in place of the shipped ones (`vision.training.detector`).

    Raises:
        VisionError: unknown deck, or the weights cannot be used.
    """

    def __init__(self, deck: str = "french", reader: Path | None = None, detector: Path | None = None) -> None:
        self.deck = deck
        self.reader = reader_for(deck, reader or located("reader"))
        finder = Finder(detector)
        self._finder = OutlineFinder(finder) if self.reader.strange else finder

    def look(self, image: Image, zone: Zone | None = None, keen: bool = False) -> Detections:
        """The cards in `image` (`(h, w, 3)` uint8 BGR), inside `zone` only when one is given.

        Quads are in pixels of `image` either way. `keen`: take longer over a zone in which nothing could be named.
        """
        grey = colourless(image)
        offset = np.zeros(2, np.float32)
        if zone is not None:
            image, offset = cut(image, zone)
        quads, bare = self._finder.find(image, zone is not None, keen)
        readings = self.reader.read(image, quads, bare, grey)
        seen = _settle(readings, bare, image.shape[1], image.shape[0])
        # The doubtful ones, and those whose outline does not quite show, are looked at again.
        doubtful = [r.card == UNSURE or (not whole and r.card != BACK) for r, whole in seen]
        seen = [
            (self.reader.again(image, r, not whole, grey) if again else r, whole)
            for (r, whole), again in zip(seen, doubtful, strict=True)
        ]
        seen = [(r, whole) for r, whole in seen if r.card != NONE]
        return Detections.of(
            [
                SeenCard(r.card, r.confidence, (r.quad + offset).astype(np.float32), whole, r.alternatives)
                for r, whole in seen
            ]
        )


def cut(image: Image, zone: Zone) -> tuple[Image, Quads]:
    """The part of `image` inside `zone`, and the offset `(2,)` that leads back."""
    height, width = image.shape[:2]
    x0, y0 = max(0, zone[0]), max(0, zone[1])
    x1, y1 = min(width, zone[0] + zone[2]), min(height, zone[1] + zone[3])
    if x1 - x0 < 8 or y1 - y0 < 8:
        raise VisionError("vision.zone", zone=zone, width=width, height=height)
    return image[y0:y1, x0:x1], np.array([x0, y0], np.float32)


def _settle(readings: list[Reading], bare: NDArray[np.float32], width: int, height: int) -> list[tuple[Reading, bool]]:
    """The readings that are cards, each card once, and whether the whole card shows.

    Where two quads are nearly the same, the surer reading stays.
    """
    order = sorted(range(len(readings)), key=lambda i: _rank(readings[i], float(bare[i])), reverse=True)
    kept: list[tuple[Reading, bool]] = []
    frame = np.array([width, height], np.float32)
    for i in order:
        reading = readings[i]
        if reading.card == NONE:
            continue
        shares = [overlap(reading.quad, other.quad) for other, _ in kept]
        if all(union < SAME and inside < INSIDE for union, inside in shares):
            inside_frame = (reading.quad > -EDGE * height).all() and (reading.quad < frame + EDGE * height).all()
            kept.append((reading, bool(inside_frame and bare[i] >= 0.5)))
    return kept


def _rank(reading: Reading, bare: float) -> tuple[int, float]:
    """Named cards first, then unsure ones, backs, and what may be no card; among those the surer and barer ones."""
    kind = {UNSURE: 1 if reading.face >= WORTH_ASKING else -1, BACK: 0}.get(reading.card, 2)
    return kind, reading.confidence + 0.5 * bare
