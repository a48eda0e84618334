"""Which card is it, given the four corners of something that may be one?"""

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.faults import VisionError
from vision.look.faces import BACK, NONE, UNSURE
from vision.look.ink import HALF, REDDISH, TWIN, Twins, redness
from vision.look.prototypes import Prototypes
from vision.look.quads import MARGIN, SIZE, Image, Quad, Quads, rectify, sides

WORTH_ASKING = 0.9
"""Below this probability of being any face, a quad on which something lies is no card rather than an unsure one."""
LIKELY = 0.5
"""Where nothing lies on it, it is told when it is likelier one of the faces told than anything else. Left out are then
20 of 1534 whole cards on drawn tables of decks held out from training, in usual light and with dark ink, and 17 of 1604
in hard training photos (72 and 48, were they asked for as much as covered ones); of 301 boxes without a card 36 are
asked about, not 22."""
BACK_SURE = 0.6
"""From this probability on it is a back: the detector offers few rectangles that are no cards at all."""
NUMBERED = frozenset(rank + suit for rank in "A23456789T" for suit in "cs")
"""Black cards on which all ink is of one colour."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader made of one quad.

    `card` is a face, `back`, `?` (a card, but which is not sure enough: see `alternatives`) or `none` (no card).
    `confidence` is the calibrated probability of the best face, whether or not it was enough. `quad` is the quad
    rolled to begin at the card's own top-left. `face` is the probability that it is a face at all.
    """

    card: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...]
    quad: Quad
    face: float = 0.0


class Reader:
    """The shipped classifier, run by onnxruntime.

    Args:
        path: the ONNX file; its metadata name the classes, the temperature and the least sure confidence.
        faces: the faces that can lie on this table; anything else the network sees counts as no card.

    Attributes:
        path: that file.
        sure: from this confidence on an answer is right 99 times in 100; below it is `?`.
        strange: whether the deck is one whose faces no network was trained on.
        checksum: tells this reader's weights from any other's.

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
            self.classes: list[str] = json.loads(about["classes"])
            self._temperature = float(about["temperature"])
            self.sure = float(about["sure"])
            self.checksum = hashlib.sha256(path.read_bytes()).hexdigest()
        except Exception as fault:
            raise VisionError("vision.no-reader", file=path, why=fault) from fault
        known = {name: index for index, name in enumerate(self.classes)}
        self.path = path
        self.faces = faces
        self._columns = [(row, known[name]) for row, name in enumerate(faces) if name in known]
        self._back = known[BACK]
        self._twins = Twins(faces)
        self._prototypes: Prototypes | None = None
        self.strange = False

    def know(self, prototypes: Prototypes) -> None:
        """From now on, faces are also compared with those of the deck that lies on the table."""
        self._prototypes = prototypes
        self.strange = prototypes.strange

    def read(
        self, image: Image, quads: Quads, bare: NDArray[np.float32] | None = None, colourless: bool = False
    ) -> list[Reading]:
        """One reading per quad `(n, 4, 2)` in pixels of `image` (BGR); either end and either side may come first.

        Args:
            bare: `(n,)` how surely nothing lies on each; None: for sure.
            colourless: the picture has no colour (`vision.look.ink.colourless`).
        """
        if len(quads) == 0:
            return []
        covered = np.zeros(len(quads), np.bool_) if bare is None else bare < 0.5
        upright = np.stack([rectify(image, quad, SIZE, MARGIN) for quad in quads])
        across = np.stack([rectify(image, np.roll(quad, -1, axis=0), SIZE, MARGIN) for quad in quads])
        views = np.concatenate([upright, across])
        scores, flipped = self.scores(views)
        readings = []
        for row, quad in enumerate(quads):
            pick = max((row, row + len(quads)), key=lambda view: float(scores[view, :-1].max()))
            turned = quad if pick == row else np.roll(quad, -1, axis=0)
            if flipped[pick]:
                turned = np.roll(turned, -2, axis=0)
            readings.append(self._settle(scores[pick], turned, views[pick], bool(covered[row]), colourless))
        return readings

    def again(self, image: Image, reading: Reading, covered: bool = False, colourless: bool = False) -> Reading:
        """A second opinion on one card: its quad a little larger, smaller and shifted, all looks averaged."""
        top, right, *_ = sides(reading.quad)
        centre = reading.quad.mean(axis=0)
        grown = [centre + (reading.quad - centre) * factor for factor in (0.965, 1.0, 1.035)]
        step = 0.025 * (top + right) / 2
        shifted = [reading.quad + np.array(move, np.float32) * step for move in ((1, 1), (-1, 1), (1, -1), (-1, -1))]
        views = np.stack([rectify(image, quad.astype(np.float32), SIZE, MARGIN) for quad in (*grown, *shifted)])
        settled = self._settle(self.scores(views)[0].mean(axis=0), reading.quad, views[1], covered, colourless)
        # What may have been a face, and then a back, is neither.
        return replace(settled, card=NONE) if (reading.card, settled.card) == (UNSURE, BACK) else settled

    def scores(self, views: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Probabilities `(n, faces + 2)` (the faces, `back`, anything else) of rectified cards `(n, 196, 136, 3)`.

        Beside them `(n,)`: whether the card lies upside down in its view.
        """
        probabilities, corners, features = self.see(views)
        chosen = np.zeros((len(views), len(self.faces) + 2), np.float32)
        rows, columns = (list(part) for part in zip(*self._columns, strict=True)) if self._columns else ([], [])
        chosen[:, rows] = probabilities[:, columns]
        chosen[:, -2] = probabilities[:, self._back]
        chosen[:, -1] = np.clip(1 - chosen.sum(axis=1), 0, 1)
        # An index that stands upright at the top-left, against one upside down at the bottom-right.
        ends = corners[..., columns].max(axis=2) if columns else np.zeros((len(views), 2), np.float32)
        flipped = ends[:, 1] > ends[:, 0]
        return (chosen, flipped) if self._prototypes is None else self._prototypes.weigh(chosen, flipped, features)

    def see(self, views: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """What the network makes of rectified cards `(n, 196, 136, 3)`, whatever deck lies on the table.

        Calibrated probabilities of its `classes` `(n, classes)`, what either index says by itself `(n, 2, classes)`,
        and features `(n, f)` of length one: the more alike two cards look, the nearer their product is to one.
        """
        parts = []
        for start in range(0, len(views), 32):
            part = views[start : start + 32].astype(np.float32)
            logits, corners, features = self._session.run(["logits", "corners", "features"], {"views": part})
            parts.append((_softmax(logits / self._temperature), _softmax(corners), features))
        probabilities, corners, features = (np.concatenate(kind) for kind in zip(*parts, strict=True))
        return probabilities, corners, features

    def _settle(self, scores: NDArray[np.float32], quad: Quad, view: Image, covered: bool, colourless: bool) -> Reading:
        names = (*self.faces, BACK, NONE)
        best = names[int(scores.argmax())]
        if colourless:
            scores = self._twins.share(scores, TWIN, coloured=True)
        elif best in NUMBERED and scores.max() >= self.sure and redness(view) > REDDISH:
            scores = self._twins.share(scores, HALF)
        order = np.argsort(scores)[::-1]
        best = names[int(order[0])]
        confidence, face = float(scores[order[0]]), float(scores[:-2].sum())
        if best != NONE and confidence >= (BACK_SURE if best == BACK else self.sure):
            return Reading(best, confidence, (), quad, face)
        likely = [(names[i], round(float(scores[i]), 3)) for i in order[:6] if i < len(self.faces) and scores[i] > 0.02]
        told = tuple(likely[: 4 if colourless else 3])
        worth = face >= WORTH_ASKING if covered else sum(share for _, share in told) >= LIKELY
        if best == BACK or not told or not worth:
            return Reading(NONE, confidence, (), quad, face)
        return Reading(UNSURE, told[0][1], told, quad, face)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), np.float32)
