"""Where are the cards in this picture? A detector marks them loosely, a second network moves the marks onto them."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import models
from vision.faults import VisionError
from vision.look.corners import Corners
from vision.look.detector import SURE, Detector
from vision.look.quads import Image, Quads

ZONE_SIZES = (320,)
"""A picture of the discard zone is scaled to this longer side, at which the detector was trained."""
PHOTO_SIZES = (320, 640)
"""In any other picture small cards may lie beside large ones, so it is looked at twice."""
KEEN_SIZES = (320, 416)
"""A discard zone in which no card was found that can be named is looked at this way."""
ZONE_SURE, KEEN_SURE = 0.1, 0.03
"""Least scores of boxes in a discard zone, where there are cards; white ones on white ones score low."""


class Finder:
    """The shipped detector and corner network.

    Args:
        detector: weights to use in place of the shipped detector, `.onnx` or `.pt`.

    Raises:
        VisionError: weights are missing, damaged or of another kind.
    """

    def __init__(self, detector: Path | None = None) -> None:
        self._detector = Detector(detector or located("detector"))
        self._corners = Corners(located("corners"))

    def find(self, image: Image, zoned: bool = False, keen: bool = False) -> tuple[Quads, NDArray[np.float32]]:
        """Quads `(n, 4, 2)` of the cards in pixels of `image` (BGR), and `(n,)` how surely nothing lies on each.

        `zoned`: the picture shows the discard zone only; `keen`: a quicker look found nothing to name there.
        """
        sizes = (KEEN_SIZES if keen else ZONE_SIZES) if zoned else PHOTO_SIZES
        sure = (KEEN_SURE if keen else ZONE_SURE) if zoned else SURE
        boxes = np.concatenate([self._detector.find(image, size, sure) for size in sizes])
        return self._corners.refine(image, boxes)


def located(name: str) -> Path:
    """The shipped weights of that name.

    Raises:
        VisionError: they are missing or damaged.
    """
    try:
        return models.locate(name)
    except models.ModelError as fault:
        raise VisionError(fault.key, **fault.values) from fault
