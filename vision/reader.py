"""Which card is it, given the four corners of something that may be one?"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.faces import BACK, NONE, UNSURE
from vision.faults import VisionError
from vision.quads import Image, Quad, Quads, rectify, sides

SIZE = (136, 196)
"""Width and height in pixels of the rectified card the reader looks at."""
WORTH_ASKING = 0.9
"""Below this probability of being any face at all, a quad is no card rather than an unsure one."""
BACK_SURE = 0.98
"""A back is any printed rectangle to the reader, so it must be surer of one than of a face."""
MARGIN = 4
"""How much of its surroundings is seen on each side: corners are never found exactly."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader made of one quad.

    `card` is a face, `back`, `?` (a card, but which is not sure enough: see `alternatives`) or `none` (no card).
    `confidence` is the calibrated probability of the best face, whether or not it was enough. `quad` is the quad
    rolled to begin at the card's own top-left.
    """

    card: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...]
    quad: Quad


class Reader:
    """The shipped classifier, run by onnxruntime.

    Args:
        path: the ONNX file; its metadata name the classes, the temperature and the least sure confidence.
        faces: the faces that can lie on this table; anything else the network sees counts as no card.

    Raises:
        VisionError: the file is not a reader.
    """

    def __init__(self, path: Path, faces: tuple[str, ...]) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
            about = self._session.get_modelmeta().custom_metadata_map
            self._classes: list[str] = json.loads(about["classes"])
            self._temperature = float(about["temperature"])
            self.sure = float(about["sure"])
        except Exception as fault:
            raise VisionError(f"{path} is not a card reader: {fault}; reinstall or fetch the weights again") from fault
        known = {name: index for index, name in enumerate(self._classes)}
        self.faces = faces
        self._columns = [known[name] for name in faces]
        self._back = known[BACK]

    def read(self, image: Image, quads: Quads) -> list[Reading]:
        """One reading per quad `(n, 4, 2)` in pixels of `image` (BGR); either end and either side may come first."""
        if len(quads) == 0:
            return []
        upright = np.stack([rectify(image, quad, SIZE, MARGIN) for quad in quads])
        across = np.stack([rectify(image, np.roll(quad, -1, axis=0), SIZE, MARGIN) for quad in quads])
        scores, ends = self.scores(np.concatenate([upright, across]))
        readings = []
        for row, quad in enumerate(quads):
            pick = max((row, row + len(quads)), key=lambda view: float(scores[view, :-1].max()))
            turned = quad if pick == row else np.roll(quad, -1, axis=0)
            if ends[pick, 1] > ends[pick, 0]:
                turned = np.roll(turned, -2, axis=0)
            readings.append(self._settle(scores[pick], turned))
        return readings

    def again(self, image: Image, reading: Reading) -> Reading:
        """A second opinion on one card: its quad a little larger, smaller and shifted, all looks averaged."""
        top, right, *_ = sides(reading.quad)
        centre = reading.quad.mean(axis=0)
        grown = [centre + (reading.quad - centre) * factor for factor in (0.965, 1.0, 1.035)]
        step = 0.025 * (top + right) / 2
        shifted = [reading.quad + np.array(move, np.float32) * step for move in ((1, 1), (-1, 1), (1, -1), (-1, -1))]
        views = np.stack([rectify(image, quad.astype(np.float32), SIZE, MARGIN) for quad in (*grown, *shifted)])
        return self._settle(self.scores(views)[0].mean(axis=0), reading.quad)

    def scores(self, views: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Probabilities `(n, faces + 2)` (the faces, `back`, anything else) of rectified cards `(n, 196, 136, 3)`.

        Beside them `(n, 2)`: how clearly an index stands upright at the top-left, and upside down at the bottom-right.
        """
        both = []
        ends = []
        for start in range(0, len(views), 32):
            part = views[start : start + 32].astype(np.float32)
            logits, corners = self._session.run(None, {"views": part})
            both.append(_softmax(logits / self._temperature))
            ends.append(_softmax(corners)[..., self._columns].max(axis=2))
        all_classes = np.concatenate(both)
        chosen = np.concatenate([all_classes[:, self._columns], all_classes[:, [self._back]]], axis=1)
        other = np.clip(1 - chosen.sum(axis=1, keepdims=True), 0, 1)
        return np.concatenate([chosen, other], axis=1).astype(np.float32), np.concatenate(ends)

    def _settle(self, scores: NDArray[np.float32], quad: Quad) -> Reading:
        names = (*self.faces, BACK, NONE)
        order = np.argsort(scores)[::-1]
        best = int(order[0])
        if names[best] == NONE:
            return Reading(NONE, float(scores[best]), (), quad)
        confidence = float(scores[best])
        if confidence >= (BACK_SURE if names[best] == BACK else self.sure):
            return Reading(names[best], confidence, (), quad)
        if names[best] == BACK or scores[:-2].sum() < WORTH_ASKING:
            return Reading(NONE, confidence, (), quad)
        likely = [(names[i], round(float(scores[i]), 3)) for i in order[:4] if names[i] != NONE and scores[i] > 0.02]
        return Reading(UNSURE, confidence, tuple(likely[:3]), quad)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), np.float32)
