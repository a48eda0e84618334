"""What would a user pick instead of the eye? Two peers, measured on the same photos in the same run.

`template_matcher` works the way the popular hobby detectors do: bright outlines, four corners, the index cut out and
compared with stored pictures of ranks and suits. `contours_and_reader` keeps the reader, without the detector.
"""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.contours import candidates
from vision.look.detections import Detections, SeenCard
from vision.look.faces import BACK, NONE, SUITED, UNSURE
from vision.look.quads import Image, Quad, clockwise, overlap, portrait, rectify
from vision.look.reader import Reader
from vision.synthetic import decks

CARD = (200, 300)
INDEX = (34, 86)
"""Width and height of the corner that holds rank and suit, of a card of 200x300 pixels."""
GLYPH = (70, 100)
FAR = 0.3
"""Share of a glyph's pixels that may differ; more is no match."""
TEMPLATE_DECKS = ("aisleriot-anglo", "aisleriot-anglo_poker", "byronknoll", "kde-standard")

Glyph = NDArray[np.uint8]


def contours_and_reader(reader: Reader) -> Callable[[Image], Detections]:
    """Closed outlines, each read by `reader`; where two overlap the surer one stays."""

    def look(image: Image) -> Detections:
        readings = [r for r in reader.read(image, candidates(image)) if r.card != NONE]
        readings.sort(key=lambda r: (r.card not in (UNSURE, BACK), r.confidence), reverse=True)
        kept: list[SeenCard] = []
        for r in readings:
            if all(overlap(r.quad, other.quad)[1] < 0.6 for other in kept):
                kept.append(SeenCard(r.card, r.confidence, r.quad, True, r.alternatives))
        return Detections.of(kept)

    return look


def template_matcher(shared: Path) -> Callable[[Image], Detections]:
    """Ranks and suits by comparing pictures, with templates of a few drawn decks under `shared/data/decks`."""
    ranks: dict[str, list[Glyph]] = {}
    suits: dict[str, list[Glyph]] = {}
    for face in decks.faces(shared):
        if face.deck in TEMPLATE_DECKS and face.card in SUITED:
            picture = face.picture()
            alpha = picture[..., 3:].astype(np.float32) / 255
            flat = picture[..., :3] * alpha + 255 * (1 - alpha)
            for glyph, kept in zip(
                _glyphs(np.asarray(cv2.resize(flat.astype(np.uint8), CARD), np.uint8)), (ranks, suits), strict=True
            ):
                if glyph is not None:
                    kept.setdefault(face.card[0] if kept is ranks else face.card[1], []).append(glyph)

    def look(image: Image) -> Detections:
        seen = []
        for quad in _outlines(image):
            best = (1.0, "", quad)
            for turned in (quad, np.roll(quad, 2, axis=0)):
                rank, suit = _glyphs(rectify(image, turned.astype(np.float32), CARD))
                if rank is not None and suit is not None:
                    (far_rank, one), (far_suit, two) = _nearest(rank, ranks), _nearest(suit, suits)
                    best = min(best, (max(far_rank, far_suit), one + two, turned), key=lambda found: found[0])
            if best[0] < FAR:
                seen.append(SeenCard(best[1], 1 - best[0], best[2].astype(np.float32)))
        return Detections.of(seen)

    return look


def _outlines(image: Image) -> list[Quad]:
    """Four-cornered bright shapes of a card's proportions."""
    scale = min(1.0, 1280 / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1]
    found = []
    for outline in cv2.findContours(mask, cv2.RETR_TREE, cv2.CHAIN_APPROX_SIMPLE)[0]:
        corners = cv2.approxPolyDP(outline, 0.01 * cv2.arcLength(outline, True), True)
        if len(corners) == 4 and cv2.contourArea(corners) > 0.003 * grey.size and cv2.isContourConvex(corners):
            found.append(portrait(clockwise(corners[:, 0].astype(np.float32))) / np.float32(scale))
    return [np.asarray(quad, np.float32) for quad in found]


def _glyphs(card: Image) -> tuple[Glyph | None, Glyph | None]:
    """Rank and suit out of the top-left corner, black and white, each filling its picture."""
    corner = cv2.cvtColor(np.asarray(card[4 : INDEX[1] + 4, 3 : INDEX[0] + 3], np.uint8), cv2.COLOR_BGR2GRAY)
    corner = cv2.resize(corner, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    ink = cv2.threshold(corner, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)[1]
    middle = int(0.55 * ink.shape[0])
    return _filled(ink[:middle]), _filled(ink[middle:])


def _filled(ink: NDArray[np.generic]) -> Glyph | None:
    outlines = cv2.findContours(np.asarray(ink, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    if not outlines:
        return None
    x, y, w, h = cv2.boundingRect(max(outlines, key=cv2.contourArea))
    return np.asarray(cv2.resize(np.asarray(ink[y : y + h, x : x + w], np.uint8), GLYPH), np.uint8)


def _nearest(glyph: Glyph, known: dict[str, list[Glyph]]) -> tuple[float, str]:
    """The stored glyph that differs least, as a share of its pixels."""
    return min(
        (float(cv2.absdiff(glyph, other).mean()) / 255, name) for name, others in known.items() for other in others
    )
