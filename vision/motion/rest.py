"""Does anything move in this picture, and where does it differ from another one?"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.quads import Image

STILL = 0.15
"""Seconds without motion before anything is read."""
WIDTH = 160
"""Width in pixels of the small picture in which motion is sought."""

Small = NDArray[np.float32]


class Motion:
    """Tells whether anything moves, cheaply, and whatever the light does.

    It compares small grey pictures divided by their own blurred brightness, so that a lamp or a cloud is no motion.
    """

    def __init__(self) -> None:
        self.noise = 0.02
        self.scale = 1.0
        self.rest_since = 0.0
        self.moving = True
        self._before: Small | None = None

    def see(self, image: Image, t: float) -> Small:
        """Takes the next picture at time `t` and gives its small, lamp-free form."""
        small = self.small(image)
        if self._before is None or self._before.shape != small.shape:
            self.rest_since, self.moving = t, False
        else:
            difference = np.abs(small - self._before)
            self.noise = 0.95 * self.noise + 0.05 * min(float(np.median(difference)) * 3, 0.05)
            moving = bool(changed(self._before, small, self.noise).any())
            if moving:
                self.rest_since = t
            self.moving = moving
        self._before = small
        return small

    def still_for(self, t: float) -> float:
        """Seconds since anything last moved."""
        return t - self.rest_since

    def small(self, image: Image) -> Small:
        """The small picture `(h, 160)`, each pixel over the brightness around it."""
        self.scale = WIDTH / image.shape[1]
        shape = (WIDTH, max(8, round(image.shape[0] * self.scale)))
        grey = cv2.cvtColor(cv2.resize(image, shape, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        grey = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
        around = cv2.blur(grey, (31, 31)) + 12
        return np.asarray(grey / around, np.float32)


def changed(before: Small, after: Small, noise: float) -> NDArray[np.bool_]:
    """Where two small pictures differ by more than noise; specks smaller than a card corner do not count."""
    if before.shape != after.shape:
        return np.ones(after.shape, np.bool_)
    mask = (np.abs(after - before) > max(0.12, 5 * noise)).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.bool_)
