"""Which cards are in this picture, and where?"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detections import Detections, SeenCard
from vision.faces import BACK, DECKS, NONE, UNSURE
from vision.faults import VisionError
from vision.finder import find_quads
from vision.lines import outlined
from vision.quads import Image, Quads, overlap
from vision.reader import Reader, Reading
from vision.weights import TrainedFinder

Zone = tuple[int, int, int, int]
"""Where to look: x, y, width, height in pixels of the picture."""


SIDE_SEEN = 0.88
"""A card is whole when at least this share of each of its sides can be seen as an edge."""


class Eye:
    """Finds and reads the cards of one deck.

    Args:
        deck: `french` or `uno`.
        reader: an ONNX reader to use in place of the shipped one.
        detector: Ultralytics weights that find the cards, in place of contours and lines.

    Raises:
        VisionError: unknown deck, or the weights cannot be used.
    """

    def __init__(self, deck: str = "french", reader: Path | None = None, detector: Path | None = None) -> None:
        if deck not in DECKS:
            raise VisionError(f"there is no deck called {deck!r}: use one of {', '.join(DECKS)}")
        if reader is None:
            import models

            try:
                reader = models.locate("reader")
            except models.ModelError as fault:
                raise VisionError(str(fault)) from fault
        self.deck = deck
        self.reader = Reader(reader, DECKS[deck])
        self._find: Callable[[Image], Quads] = TrainedFinder(detector) if detector else find_quads

    def look(self, image: Image, zone: Zone | None = None) -> Detections:
        """The cards in `image` (`(h, w, 3)` uint8 BGR), inside `zone` only when one is given.

        Quads are in pixels of `image` either way.
        """
        offset = np.zeros(2, np.float32)
        if zone is not None:
            image, offset = cut(image, zone)
        quads = self._find(image)
        readings = self.reader.read(image, quads)
        seen = _settle(readings, outlined(image, quads), image.shape[1], image.shape[0])
        # The doubtful ones, and those whose outline does not quite show, are looked at again.
        doubtful = [r.card == UNSURE or (not whole and r.card != BACK) for r, whole in seen]
        seen = [
            (self.reader.again(image, r) if again else r, whole)
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
        raise VisionError(f"the zone {zone} lies outside the picture ({width}x{height}); mark the discard pile again")
    return image[y0:y1, x0:x1], np.array([x0, y0], np.float32)


def _settle(readings: list[Reading], fits: NDArray[np.float32], width: int, height: int) -> list[tuple[Reading, bool]]:
    """The readings that are cards, each card once, and whether the whole card shows.

    Where quads overlap, the surer reading stays; among equally sure ones the better outlined.
    """
    order = sorted(range(len(readings)), key=lambda i: _rank(readings[i], float(fits[i].mean())), reverse=True)
    kept: list[tuple[Reading, bool]] = []
    frame = np.array([width, height], np.float32)
    for i in order:
        reading = readings[i]
        if reading.card == NONE:
            continue
        shares = [overlap(reading.quad, other.quad) for other, _ in kept]
        if all(union < 0.25 and inside < 0.6 for union, inside in shares):
            inside_frame = (reading.quad > -2).all() and (reading.quad < frame + 1).all()
            at_edge = (reading.quad < 3).all(axis=1) | (reading.quad > frame - 4).all(axis=1)
            kept.append((reading, bool(inside_frame and (fits[i].min() >= SIDE_SEEN or at_edge.any()))))
    return kept


def _rank(reading: Reading, fit: float) -> tuple[int, int]:
    """Named cards first, then unsure ones, then backs; equals stay as found: closed outlines are the exacter ones."""
    kind = {UNSURE: 1, BACK: 0}.get(reading.card, 2)
    return kind, round(20 * (fit + 0.5 * reading.confidence))
