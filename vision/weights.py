"""Where are the cards, by a detector that somebody trained with Ultralytics?

The second way to find cards (`--detector weights.pt`), for people with a GPU and weights of their own. It takes
seconds and hundreds of megabytes to load, so nothing imports it unless it is asked for.
"""

from pathlib import Path
from typing import Any

import numpy as np

from vision.faults import VisionError
from vision.quads import Image, Quads, signed_area


class TrainedFinder:
    """An Ultralytics model whose boxes, oriented boxes or four keypoints are the cards.

    Raises:
        VisionError: there is no such file, Ultralytics is not installed, or the file is no model of it.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise VisionError(f"there is no detector {path}: check the name")
        try:
            from ultralytics import YOLO
        except ImportError as fault:
            raise VisionError(
                "a detector of your own needs Ultralytics: pip install 'table-referee[train]', or leave --detector out"
            ) from fault
        try:
            self._model: Any = YOLO(str(path))
            self._model.predict(np.zeros((64, 64, 3), np.uint8), verbose=False)
        except Exception as fault:  # whatever a foreign file makes of it
            raise VisionError(f"{path} is not a detector that Ultralytics can run: {fault}") from fault

    def __call__(self, image: Image) -> Quads:
        """Quads `(n, 4, 2)` float32 in pixels of `image` (BGR), clockwise, beginning at any corner.

        Raises:
            VisionError: the model's keypoints are not four corners.
        """
        found = self._model.predict(image, verbose=False)[0]
        if found.obb is not None:
            quads = found.obb.xyxyxyxy
        elif found.keypoints is not None:
            quads = found.keypoints.xy
        else:
            x0, y0, x1, y1 = found.boxes.xyxy.T
            quads = np.stack([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]).transpose(2, 0, 1)
        array = np.asarray(getattr(quads, "cpu", lambda: quads)(), np.float32)
        if array.shape[1:] != (4, 2):
            raise VisionError(f"the detector gives {array.shape[1]} keypoints a card: it needs the 4 corners")
        return np.stack([quad if signed_area(quad) > 0 else quad[::-1] for quad in array]) if len(array) else array
