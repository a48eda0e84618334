"""Where exactly are the corners of a card of which only a loose box is known?"""

from pathlib import Path

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.faults import VisionError
from vision.look.quads import Image, Quads, rectify

CROP = (96, 128)
"""Width and height in pixels of the rectified box that is looked at."""
BORDER = 20
"""How many of these pixels are the box's surroundings on each side: the card may reach out of the box."""
LOOKS = 2
"""Times each box is moved: the second look begins where the first one ended."""

UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


class Corners:
    """The shipped network that moves loose boxes onto cards, run by onnxruntime.

    Raises:
        VisionError: the file is no such network.
    """

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as fault:  # whatever a foreign file makes of it
            raise VisionError("vision.no-corners", file=path, why=fault) from fault

    def refine(self, image: Image, quads: Quads, looks: int = LOOKS) -> tuple[Quads, NDArray[np.float32]]:
        """The quads `(n, 4, 2)` moved onto the cards they loosely mark, in pixels of `image` (BGR).

        Beside them `(n,)`: the probability that nothing lies on each card.
        """
        whole = np.zeros(len(quads), np.float32)
        if len(quads) == 0:
            return quads, whole
        for _ in range(looks):
            views = np.stack([rectify(image, quad, CROP, BORDER) for quad in quads]).astype(np.float32)
            moves, scores = self._session.run(None, {"views": views})
            quads = np.stack(
                [
                    cv2.perspectiveTransform((UNIT + move)[None], cv2.getPerspectiveTransform(UNIT, quad))[0]
                    for quad, move in zip(quads.astype(np.float32), moves, strict=True)
                ]
            ).astype(np.float32)
            whole = 1 / (1 + np.exp(-scores))
        return quads, np.asarray(whole, np.float32)
