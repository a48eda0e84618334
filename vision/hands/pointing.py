"""Who points at whom?

An arm that comes in from one seat's side, stays for a moment over the bare table, and goes: not at a pile, where it
does something else, and not for long, as one that rests. Its line leads from one seat to the other. That is all that a
camera above the table can tell, so it is only to be believed where somebody has to point now.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hands.visits import Hands, Limb, between
from vision.input.frames import Frame
from vision.sightings import Sighting

HELD, RESTS = 0.35, 1.4
"""Seconds for which an arm that points stays in its place, at least; and from which on it rests."""
STILL = 0.022
"""Widths of the picture by which its tip may move meanwhile."""
LONG = 0.12
"""Widths of the picture that an arm must show at least, for its direction to mean something."""
SLENDER = 1.8
"""How many times as long as wide it must be: a hand with its fingers spread has no direction."""
BENT = 18.0
"""Degrees at most from the line between its ends to that in which most of it lies."""
OVER = 0.15
"""Share of a zone that it may cover."""
SPREAD = 14.0
"""Degrees, standard deviation, by which people point beside the other seat, and arms come beside their own."""
NOWHERE = 0.02
"""How likely, beside the best seat, an arm is that points at nobody."""


@dataclass(slots=True)
class _Stay:
    """An arm that has not moved since `began`; where its tip was then, and its line's ends by now, frame pixels."""

    began: float
    ended: float
    tip: NDArray[np.float32]
    lines: list[tuple[NDArray[np.float32], float]]


class Pointing:
    """Watches for arms that point.

    Args:
        hands: the table's hands, which somebody else shows the frames; without seats nobody points at anybody.
    """

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self._stays: list[_Stay] = []

    def watch(self, frame: Frame) -> list[Sighting]:
        """Who pointed, when the arm has gone on; give it every frame, after the hands saw it."""
        if len(self.hands.seats) < 2:
            return []
        width = frame.image.shape[1]
        for limb in self.hands.limbs:
            tip = np.asarray(limb.tip / self.hands.scale, np.float32)
            stay = next((s for s in self._stays if float(np.linalg.norm(s.tip - tip)) < STILL * width), None)
            if stay is None:
                stay = _Stay(frame.t, frame.t, tip, [])
                self._stays.append(stay)
            stay.ended = frame.t
            if self._clear(limb, tip, width) and (direction := _direction(limb)) is not None:
                stay.lines = [*stay.lines[-30:], (tip, direction)]
        gone = [stay for stay in self._stays if stay.ended < frame.t - 0.1]
        self._stays = [stay for stay in self._stays if stay.ended >= frame.t - 0.1]
        return [told for stay in gone if (told := self._pointed(stay, frame)) is not None]

    def _clear(self, limb: Limb, tip: NDArray[np.float32], width: int) -> bool:
        """Whether an arm shows enough of itself, and is at no pile."""
        if float(np.linalg.norm(limb.tip - limb.root)) / self.hands.scale < LONG * width:
            return False
        around = cv2.dilate(limb.mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        if any(other is not limb and bool((other.mask & around).any()) for other in self.hands.limbs):
            return False  # it leaves the picture again, or two arms meet
        for x, y, w, h in self.hands.zones.values():
            if x <= tip[0] <= x + w and y <= tip[1] <= y + h:
                return False
            x0, y0, x1, y1 = (round(v * self.hands.scale) for v in (x, y, x + w, y + h))
            if float(limb.mask[y0:y1, x0:x1].mean()) > OVER:
                return False
        return True

    def _pointed(self, stay: _Stay, frame: Frame) -> Sighting | None:
        if not HELD <= stay.ended - stay.began < RESTS or len(stay.lines) < 3:
            return None
        tip = np.median([tip for tip, _ in stay.lines], axis=0)
        turns = np.radians([angle for _, angle in stay.lines])
        ahead = float(np.degrees(np.arctan2(np.median(np.sin(turns)), np.median(np.cos(turns)))))
        size = frame.image.shape[1], frame.image.shape[0]
        seat, own = self._along(tip, ahead + 180, size, "")
        at, confidence = self._along(tip, ahead, size, seat)
        x, y = tip
        quad = np.array([[x - 20, y - 20], [x + 20, y - 20], [x + 20, y + 20], [x - 20, y + 20]], np.float32)
        return Sighting("pointed", stay.began, "", confidence, (), quad, frame.index, seat, own, at=at)

    def _along(self, tip: NDArray[np.float32], angle: float, size: tuple[int, int], besides: str) -> tuple[str, float]:
        """The seat that lies in a direction from `tip`, other than `besides`, and how surely."""
        scores = {}
        for seat in self.hands.seats:
            x, y = self.hands.shoulder(seat, size) - tip
            off = between(angle, float(np.degrees(np.arctan2(-y, x))))
            scores[seat] = float(np.exp(-0.5 * (off / SPREAD) ** 2))
        scores.pop(besides, None)
        best = max(scores, key=lambda seat: scores[seat])
        return best, scores[best] / (sum(scores.values()) + NOWHERE)


def _direction(limb: Limb) -> float | None:
    """Degrees counter-clockwise from the right in which an arm points; None where it shows too little of its length."""
    ys, xs = np.nonzero(limb.mask)
    spread, axes = np.linalg.eigh(np.cov(np.stack([xs, ys]).astype(np.float32)))
    along, axis = limb.tip - limb.root, axes[:, 1]
    axis = axis if float(axis @ along) > 0 else -axis
    straight = float(axis @ along) / float(np.linalg.norm(along))
    if spread[1] < SLENDER**2 * spread[0] or straight < np.cos(np.radians(BENT)):
        return None
    return float(np.degrees(np.arctan2(-axis[1], axis[0])))
