"""Was the camera moved: a little, so that everything can be followed, or too far for that?"""

import cv2
import numpy as np

from vision.input.frames import Frame
from vision.look.quads import Image
from vision.motion.rest import Motion

ALIKE = 0.45
"""Below this correlation of edges hardly anything lies where it lay; a card played on the pile leaves 0.65 or more."""
EDGES = 320
"""Width in pixels of the pictures in which the camera's moves are sought."""
SHIFTED = 0.35
"""How sure a shift of the whole picture must be."""
SETTLED = 1.0
"""Seconds of rest after which it is asked whether everything lies somewhere else."""
NUDGED = 0.006
"""Share of the picture's width by which everything must have shifted for the camera to have been nudged."""


class Nudge:
    """Notices that the camera was moved: everything at rest lies somewhere else than before."""

    def __init__(self) -> None:
        self._before: cv2.typing.MatLike | None = None

    def see(self, image: Image) -> tuple[float, float]:
        """How far, in pixels of the frame, everything has shifted since the last still picture; `(0, 0)`: not at all.

        Give it pictures at rest, without a hand in them.
        """
        edges = _edges(image)
        before, self._before = self._before, edges
        if before is None or before.shape != edges.shape:
            return 0.0, 0.0
        dx, dy, sure = _shift(before, edges)
        if sure < SHIFTED or np.hypot(dx, dy) < NUDGED * EDGES:
            return 0.0, 0.0
        scale = EDGES / image.shape[1]
        return dx / scale, dy / scale


class Jolt:
    """Notices that the camera was moved so far that hardly anything lies where it lay, and no shift explains it.

    Attributes:
        lost: it was, and it has not been put back since.
    """

    def __init__(self) -> None:
        self.lost = False
        self._motion = Motion()
        self._moved = True
        self._known: cv2.typing.MatLike | None = None

    def see(self, frame: Frame) -> None:
        """Take the next frame; it is looked at when everything has been at rest for a while."""
        self._motion.see(frame.image, frame.t)
        self._moved |= self._motion.moving
        if not self._moved or self._motion.still_for(frame.t) < SETTLED:
            return
        self._moved = False
        edges = _edges(frame.image)
        if self._known is not None and self._known.shape == edges.shape:
            self.lost = _shift(self._known, edges)[2] < SHIFTED and _alike(self._known, edges) < ALIKE
        if not self.lost:
            self._known = edges


def _edges(image: Image) -> cv2.typing.MatLike:
    """How steep the picture is everywhere, `EDGES` pixels wide, float32."""
    scale = EDGES / image.shape[1]
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    edges = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    return np.minimum(edges, 120).astype(np.float32)


def _shift(before: cv2.typing.MatLike, after: cv2.typing.MatLike) -> tuple[float, float, float]:
    """How far `after` is shifted against `before`, right and down, and how sure that is."""
    window = cv2.createHanningWindow((after.shape[1], after.shape[0]), cv2.CV_32F)
    (dx, dy), sure = cv2.phaseCorrelate(before, after, window)
    return dx, dy, sure


def _alike(before: cv2.typing.MatLike, after: cv2.typing.MatLike) -> float:
    """How well two pictures of edges match as they lie: 1 when they are the same, 0 when they are strangers."""
    one, other = before - before.mean(), after - after.mean()
    norms = float(np.linalg.norm(one)) * float(np.linalg.norm(other))
    return float((one * other).sum()) / norms if norms else 1.0
