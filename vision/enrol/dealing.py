"""Which card was just shown to the camera, whatever deck it may be of?

Cards are dealt on a pile, or one beside the other, or lie in photographs. Where the eye reads nothing, a card of a deck
nobody knows yet is the closed outline that is new in the picture.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.input.frames import Frame
from vision.look.detections import SeenCard
from vision.look.eye import Eye
from vision.look.faces import BACK, UNSURE
from vision.look.outlines import card_outlines
from vision.look.quads import MARGIN, SIZE, Image, Quad, rectify, same_place, signed_area
from vision.motion.rest import STILL, Motion, Small, changed

LOOKS = 3
"""Views that are taken of a card while it lies still."""
NEW = 0.1
"""The least share of a card's place that must have changed for it to be new."""
ALL_NEW = 0.4
"""The same for the first card, where only its outline is seen."""
AS_LARGE = (0.6, 1.6)
"""How large an outline may be beside the last card's."""
BLURRED = 0.4
"""A view with less detail than this share of the sharpest one's is not kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """One card that was shown.

    Attributes:
        views: `(k, 196, 136, 3)` uint8 BGR, upright as far as the eye can tell.
        place: `(4, 2)` float32, pixels, where it lay.
        t: seconds of the source's clock.
        source: the photograph's name, empty for a video or a camera.
    """

    views: NDArray[np.uint8]
    place: Quad
    t: float = 0.0
    source: str = ""


class Dealing:
    """Watches a deck being dealt, face up, one card after the other.

    Args:
        eye: for `any` deck.
    """

    def __init__(self, eye: Eye) -> None:
        self._eye = eye
        self._motion = Motion()
        self._settled: Small | None = None
        self._looks: list[tuple[Image, Quad]] | None = None
        self._tries = 0
        self._area = 0.0  # of the last card, in square pixels

    def watch(self, frame: Frame) -> Shown | None:
        """The card that came to rest with this frame, seldom one; give it every frame, in order."""
        small = self._motion.see(frame.image, frame.t)
        if self._motion.still_for(frame.t) < STILL:
            self._looks = None
            return None
        if self._looks is None:
            if self._settled is not None and not changed(self._settled, small, self._motion.noise).any():
                return None
            self._looks, self._tries = [], 0
        new = None if self._settled is None else changed(self._settled, small, self._motion.noise)
        quad = self._newest(frame.image, new)
        self._tries += 1
        if quad is not None:
            self._looks.append((rectify(frame.image, quad, SIZE, MARGIN), quad))
        steady = [look for look in self._looks if same_place(look[1], self._looks[-1][1])]
        if len(steady) < LOOKS and self._tries < 2 * LOOKS:
            return None
        self._looks = None
        self._settled = small
        if len(steady) < 2:
            return None
        self._area = abs(signed_area(steady[-1][1]))
        return Shown(_sharp([view for view, _ in steady]), steady[-1][1], frame.t)

    def _newest(self, image: Image, new: NDArray[np.bool_] | None) -> Quad | None:
        """Where the card lies under which the picture changed most."""
        seen = [(self._share(card.quad, new), card) for card in self._eye.look(image) if card.card != BACK]
        seen = [(share, card) for share, card in seen if share >= NEW]
        if seen:
            return max(seen, key=lambda pair: (pair[1].card != UNSURE, pair[1].whole, pair[0]))[1].quad
        low, high = (part * self._area for part in AS_LARGE)
        least = NEW if self._area else ALL_NEW
        outlines = [quad for quad in card_outlines(image) if self._share(quad, new) >= least]
        likely = [quad for quad in outlines if not self._area or low < abs(signed_area(quad)) < high]
        return max(likely, key=lambda quad: abs(signed_area(quad)), default=None)

    def _share(self, quad: Quad, new: NDArray[np.bool_] | None) -> float:
        """How much of the quad is new."""
        if new is None:
            return 1.0
        inside = np.zeros(new.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(quad * self._motion.scale).astype(np.int32), 1)
        count = int(inside.sum())
        return float(new[inside > 0].sum()) / count if count else 0.0


def in_photo(eye: Eye, image: Image, source: str, alone: bool = False) -> list[Shown]:
    """The whole cards in a photograph; with `alone` only the largest, for there should be but one."""
    seen: list[SeenCard] = [card for card in eye.look(image) if card.card != BACK]
    whole = [card.quad for card in seen if card.whole] or ([card.quad for card in seen] if alone else [])
    quads = whole or card_outlines(image)[:1]
    if alone and quads:
        quads = [max(quads, key=lambda quad: abs(signed_area(quad)))]
    return [Shown(rectify(image, quad, SIZE, MARGIN)[None], quad, 0.0, source) for quad in quads]


def _sharp(views: list[Image]) -> NDArray[np.uint8]:
    detail = [float(cv2.Laplacian(view, cv2.CV_32F).var()) for view in views]
    return np.stack([view for view, fine in zip(views, detail, strict=True) if fine >= BLURRED * max(detail)])
