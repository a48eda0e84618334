"""What does the picture beside the top card say: did the card below it stay, was it pushed, did another come between?

Pictures of the pile are compared as they were: before a card came, after it came, now. Where two of them differ, the
one that the present picture resembles tells what lies there.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.eye import Zone, cut
from vision.look.quads import Image, Quad

WIDTH = 240
"""Width in pixels of the pictures that are compared."""
DIFFERS = 24.0
"""Grey levels from which two pictures differ."""
RELIEF = 0.15
"""By how much a pixel over its surroundings differs when something else is printed there."""
SHADOW = 1.4
"""So many times brighter or darker than all around it a place may be by light alone."""
BRIGHTER = 1.03
"""From here on the light has been turned up."""
BLOWN = 215.0
"""Grey levels from which a picture may be overexposed."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """The pile at rest: a grey picture of a zone, `(h, 240)` float32."""

    grey: NDArray[np.float32]
    zone: Zone
    scale: float

    @classmethod
    def of(cls, image: Image, zone: Zone | None) -> "Still":
        """The zone of `image`, the whole of it when None, small and grey."""
        zone = zone or (0, 0, image.shape[1], image.shape[0])
        view = cut(image, zone)[0]
        scale = WIDTH / view.shape[1]
        size = (WIDTH, max(8, round(view.shape[0] * scale)))
        grey = cv2.cvtColor(cv2.resize(view, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        return cls(cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32), zone, scale)

    def inside(self, quad: Quad, grown: int = 0) -> Mask:
        """The pixels of a quad (in pixels of the frame); `grown` by so many of this picture's pixels, or shrunk."""
        mask = np.zeros(self.grey.shape, np.uint8)
        place = (quad - np.array(self.zone[:2], np.float32)) * self.scale
        cv2.fillConvexPoly(mask, np.round(place).astype(np.int32), 1)
        if grown:
            kernel = np.ones((2 * abs(grown) + 1,) * 2, np.uint8)
            mask = np.asarray((cv2.dilate if grown > 0 else cv2.erode)(mask, kernel), np.uint8)
        return np.asarray(mask > 0, np.bool_)

    def differs(self, other: "Still", where: Mask | None = None) -> Mask:
        """Where it differs from `other` by more than light and noise explain; the light is judged on `where`."""
        if other.zone != self.zone or other.grey.shape != self.grey.shape:
            return np.ones(self.grey.shape, np.bool_)
        gain = _gain(self.grey, other.grey, where)
        mine, theirs = _lit(self.grey, max(1.0, gain)), _lit(other.grey, max(1.0, 1 / gain))
        blown = np.minimum(self.grey, other.grey) > BLOWN  # as white as a picture gets: nothing to compare
        mask = ((np.abs(mine - theirs) > DIFFERS) & ~blown).astype(np.uint8)
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0, np.bool_)

    def print_moved(self, other: "Still", where: Mask) -> float:
        """How much of what is printed or ends in `where`, here or in `other`, is elsewhere in the other picture.

        Shadows move nothing: each pixel is taken over its surroundings.
        """
        if other.zone != self.zone or other.grey.shape != self.grey.shape or not where.any():
            return 1.0
        mine, theirs = _over_surroundings(self.grey), _over_surroundings(other.grey)
        printed = [np.abs(one - np.median(one[where])) > RELIEF for one in (mine, theirs)]
        differs = (np.abs(mine - theirs) > RELIEF).astype(np.uint8)
        moved = cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0
        return float(moved[where].sum()) / max(1, int((printed[0] | printed[1])[where].sum()))


def _over_surroundings(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(grey / (cv2.blur(grey, (25, 25)) + 12), np.float32)


def _gain(one: NDArray[np.float32], other: NDArray[np.float32], where: Mask | None = None) -> float:
    """How many times brighter the light of `other` is, judged on `where`."""
    ratio = (other + 8) / (one + 8)
    gain = float(np.median(ratio))
    if where is not None and where.any():
        gain = float(np.clip(np.median(ratio[where]), gain / SHADOW, gain * SHADOW))
    return gain


def _lit(grey: NDArray[np.float32], gain: float) -> NDArray[np.float32]:
    """The picture in light so many times brighter."""
    return np.asarray(np.minimum(grey * gain, 255), np.float32)


def _in_light_of(now: Still, before: Still) -> tuple[NDArray[np.float32], Mask]:
    """The picture of `before` in the light of `now`, and where it is washed out then: nothing can be compared there."""
    gain = _gain(before.grey, now.grey)
    washed = (before.grey * gain > 255) if gain > BRIGHTER else np.zeros(before.grey.shape, np.bool_)
    near = cv2.dilate(washed.astype(np.uint8), np.ones((5, 5), np.uint8))
    return _lit(before.grey, gain), np.asarray(near > 0, np.bool_)


def resembles(now: Still, one: Still | None, other: Still | None, where: Mask) -> tuple[float, int]:
    """How much of `where` looks now as in `one` rather than as in `other`, of the pixels that can tell; and how many.

    Returns:
        A share, 0.5 when nothing can tell, and the number of pixels in which `one` and `other` differ.
    """
    if one is None or other is None or one.zone != now.zone or other.zone != now.zone:
        return 0.5, 0
    if not one.grey.shape == other.grey.shape == now.grey.shape:
        return 0.5, 0
    first, washed = _in_light_of(now, one)
    second, out = _in_light_of(now, other)
    telling = where & (np.abs(first - second) > DIFFERS) & ~washed & ~out
    count = int(telling.sum())
    if count == 0:
        return 0.5, 0
    nearer = np.abs(now.grey - first) < np.abs(now.grey - second)
    return float(nearer[telling].mean()), count
