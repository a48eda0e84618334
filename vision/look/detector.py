"""Where are the cards, loosely, by the trained detector?

An Ultralytics network for oriented boxes; `.onnx` runs on onnxruntime, `.pt` on Ultralytics itself. Both give the
same raw numbers, and everything after them is the same code, so both give the same answers.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.faults import VisionError
from vision.look.quads import Image, Quads

CLASSES = 3
"""Whole, covered, back: what `vision.training.detector` teaches."""
SURE = 0.25
"""Boxes below this score are dropped, unless somebody asks for more; the reader judges the rest."""
SAME = 0.65
"""Boxes that overlap by more than this share of their union are one card."""
STRIDE = 32

Raw = NDArray[np.float32]
"""`(4 + classes + 1, n)`: centre x, y, width, height in pixels of the network's input, scores, angle in radians."""


class Detector:
    """The trained detector.

    Args:
        path: `.onnx` or `.pt` weights of an oriented-box network with the classes whole, covered and back.

    Raises:
        VisionError: no such file, not such a network, or Ultralytics is missing for a `.pt`.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise VisionError("vision.no-detector", file=path)
        load = _onnx if path.suffix == ".onnx" else _torch
        try:
            self._run = load(path)
            shape = self._run(np.zeros((1, 3, 64, 64), np.float32)).shape
        except VisionError:
            raise
        except Exception as fault:  # whatever a foreign file makes of it
            raise VisionError("vision.bad-detector", file=path, why=fault) from fault
        if len(shape) != 2 or shape[0] != 5 + CLASSES:
            raise VisionError("vision.other-detector", file=path)

    def find(self, image: Image, size: int, sure: float = SURE) -> Quads:
        """Loose boxes `(n, 4, 2)` in pixels of `image` (`(h, w, 3)` uint8 BGR), a short side first; the best box first.

        `size`: to how many pixels the picture's longer side is scaled. `sure`: the least score of a box.
        """
        scale = size / max(image.shape[:2])
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=method)
        height, width = small.shape[:2]
        padded = np.full((-(-height // STRIDE) * STRIDE, -(-width // STRIDE) * STRIDE, 3), 114, np.uint8)
        padded[:height, :width] = small
        blob = cv2.dnn.blobFromImage(padded, 1 / 255, swapRB=True)
        raw = self._run(np.asarray(blob, np.float32))
        boxes, scores = raw[[0, 1, 2, 3, -1]].T, raw[4:-1].max(axis=0)
        good = scores >= sure
        boxes, scores = boxes[good], scores[good]
        shapes = [((float(x), float(y)), (float(w), float(h)), float(np.degrees(a))) for x, y, w, h, a in boxes]
        if not shapes:
            return np.zeros((0, 4, 2), np.float32)
        kept = np.asarray(cv2.dnn.NMSBoxesRotated(shapes, scores.tolist(), sure, SAME), int).ravel()
        quads = np.stack([_corners(shapes[i]) for i in kept]) * np.float32(1 / scale)
        return quads.astype(np.float32)


def _corners(shape: tuple[tuple[float, float], tuple[float, float], float]) -> Quads:
    """Corners of a turned box, clockwise in the picture, a short side first."""
    (x, y), (w, h), angle = shape
    if w > h:
        w, h, angle = h, w, angle + 90
    box = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return np.asarray(box @ np.array([[c, s], [-s, c]]) + [x, y], np.float32)


def _onnx(path: Path) -> Callable[[NDArray[np.float32]], Raw]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda blob: np.asarray(session.run(None, {name: blob})[0][0], np.float32)


def _torch(path: Path) -> Callable[[NDArray[np.float32]], Raw]:
    os.environ["YOLO_OFFLINE"] = "true"  # or Ultralytics asks the network whether it is there, and tells its maker
    try:
        import torch
        from ultralytics import YOLO
    except ImportError as fault:
        raise VisionError("vision.no-ultralytics") from fault
    model: Any = YOLO(str(path)).model.float().eval()

    def run(blob: NDArray[np.float32]) -> Raw:
        with torch.no_grad():
            out = model(torch.from_numpy(blob))
        return np.asarray((out[0] if isinstance(out, (tuple, list)) else out)[0].numpy(), np.float32)

    return run
