"""Which cards are in this picture, and where?"""

from pathlib import Path

import numpy as np

from vision.contours import candidates
from vision.detections import Detections, SeenCard
from vision.faces import BACK, DECKS, NONE, UNSURE
from vision.faults import VisionError
from vision.quads import Image, Quads, overlap, signed_area
from vision.reader import Reader, Reading

Zone = tuple[int, int, int, int]
"""Where to look: x, y, width, height in pixels of the picture."""

class Eye:
    """Finds and reads the cards of one deck.

    Args:
        deck: `french` or `uno`.
        reader: an ONNX reader to use in place of the shipped one.

    Raises:
        VisionError: unknown deck, or the weights cannot be used.
    """

    def __init__(self, deck: str = "french", reader: Path | None = None) -> None:
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

    def look(self, image: Image, zone: Zone | None = None) -> Detections:
        """The cards in `image` (`(h, w, 3)` uint8 BGR), inside `zone` only when one is given.

        Quads are in pixels of `image` either way.
        """
        offset = np.zeros(2, np.float32)
        if zone is not None:
            image, offset = cut(image, zone)
        quads = candidates(image)
        readings = self.reader.read(image, quads)
        seen = _settle(readings, image.shape[1], image.shape[0])
        return Detections.of(
            [SeenCard(r.card, r.confidence, (r.quad + offset).astype(np.float32), whole, r.alternatives) for r, whole in seen]
        )


def cut(image: Image, zone: Zone) -> tuple[Image, Quads]:
    """The part of `image` inside `zone`, and the offset `(2,)` that leads back."""
    height, width = image.shape[:2]
    x0, y0 = max(0, zone[0]), max(0, zone[1])
    x1, y1 = min(width, zone[0] + zone[2]), min(height, zone[1] + zone[3])
    if x1 - x0 < 8 or y1 - y0 < 8:
        raise VisionError(f"the zone {zone} lies outside the picture ({width}x{height}); mark the discard pile again")
    return image[y0:y1, x0:x1], np.array([x0, y0], np.float32)


def _settle(readings: list[Reading], width: int, height: int) -> list[tuple[Reading, bool]]:
    """The readings that are cards, each card once: where outlines overlap, the surer one stays."""
    cards = [r for r in readings if r.card != NONE]
    cards.sort(key=_rank, reverse=True)
    kept: list[Reading] = []
    for reading in cards:
        if all(max(overlap(reading.quad, other.quad)[0] / 0.25, overlap(reading.quad, other.quad)[1] / 0.6) < 1 for other in kept):
            kept.append(reading)
    frame = np.array([width, height], np.float32)
    return [(r, bool((r.quad > -2).all() and (r.quad < frame + 1).all())) for r in kept]


def _rank(reading: Reading) -> tuple[int, float]:
    """Named cards first, then unsure ones, then backs; the surer and, among the sure, the larger first."""
    kind = {UNSURE: 1, BACK: 0}.get(reading.card, 2)
    return kind, round(reading.confidence, 2) + 1e-9 * abs(signed_area(reading.quad))
