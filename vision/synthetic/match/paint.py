"""How is something flat laid into the virtual table's picture, quickly?"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.quads import Image, Quad
from vision.synthetic.match.acts import Setting
from vision.synthetic.match.art import Sprite

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pose:
    """Where something lies on the table's plane: card heights from the picture's middle (x right, y down), degrees."""

    x: float
    y: float
    angle: float = 0.0

    def moved(self, dx: float, dy: float, turned: float = 0.0) -> Pose:
        """The pose that far from here."""
        return Pose(self.x + dx, self.y + dy, self.angle + turned)

    def towards(self, other: Pose, part: float) -> Pose:
        """The pose `part` (0 to 1) of the way to `other`."""
        return Pose(
            self.x + (other.x - self.x) * part,
            self.y + (other.y - self.y) * part,
            self.angle + (other.angle - self.angle) * part,
        )


class Stuff:
    """A sprite ready to be laid: its own halved copies, and how it goes onto the plane.

    Args:
        sprite: the picture.
        anchor: the pixel that lies at the pose.
        unit: pixels of the sprite for one card height.
    """

    def __init__(self, sprite: Sprite, anchor: tuple[float, float] | None = None, unit: float | None = None) -> None:
        height, width = sprite.shape[:2]
        self.unit = unit or float(height)
        self.anchor = anchor or (width / 2, height / 2)
        self.size = (width / self.unit, height / self.unit)
        alpha = sprite[..., 3:].astype(np.float32) / 255
        ready = np.dstack([sprite[..., :3] * alpha, sprite[..., 3:]]).astype(np.uint8)
        self.levels = [np.asarray(ready, np.uint8)]
        while min(self.levels[-1].shape[:2]) > 40 and len(self.levels) < 4:
            self.levels.append(np.asarray(cv2.pyrDown(self.levels[-1]), np.uint8))

    def plane(self, pose: Pose) -> Matrix:
        """From pixels of the sprite to the plane."""
        turn = np.deg2rad(pose.angle)
        cos, sin = np.cos(turn) / self.unit, np.sin(turn) / self.unit
        ax, ay = self.anchor
        return np.array(
            [[cos, -sin, pose.x - cos * ax + sin * ay], [sin, cos, pose.y - sin * ax - cos * ay], [0, 0, 1]]
        )

    def corners(self, view: Matrix, pose: Pose) -> Quad:
        """Its four corners in the picture, clockwise from its own top-left."""
        height, width = self.levels[0].shape[:2]
        box = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], np.float64)
        there = box @ (view @ self.plane(pose)).T
        return np.asarray(there[:, :2] / np.maximum(there[:, 2:], 1e-3), np.float32)


def camera(setting: Setting) -> Matrix:
    """The homography from the plane to pixels of the picture."""
    width, height = setting.size
    tilt, spin = np.radians(setting.tilt), np.radians(setting.turn)
    focal = 1.15 * width
    turn = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    pose = lean @ turn
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    view = lens @ np.column_stack([pose[:, 0], pose[:, 1], [0, 0, focal / setting.card]])
    return np.asarray(view / view[2, 2], np.float64)


def put(canvas: Image, stuff: Stuff, view: Matrix, pose: Pose, *, lifted: float = 0.0, shadow: float = 0.45) -> None:
    """Lay `stuff` into `canvas`, its soft shadow beside it; `lifted` pixels above the table."""
    quad = stuff.corners(view, pose)
    depth = 1.5 + lifted
    margin = round(3 * depth) + 3
    height, width = canvas.shape[:2]
    left, top = np.maximum(np.floor(quad.min(axis=0)).astype(int) - margin, 0)
    right, bottom = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + margin, (width, height))
    if left >= right or top >= bottom:
        return
    span = float(np.linalg.norm(quad[3] - quad[0]))
    level = int(np.clip(np.log2(max(stuff.levels[0].shape[0] / max(span, 1), 1)), 0, len(stuff.levels) - 1))
    halved = np.diag([2.0**level, 2.0**level, 1.0])
    onto = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]], np.float64) @ view @ stuff.plane(pose) @ halved
    laid = cv2.warpPerspective(
        stuff.levels[level], onto, (int(right - left), int(bottom - top)), flags=cv2.INTER_LINEAR
    )
    alpha = laid[..., 3]
    part = canvas[top:bottom, left:right]
    if shadow > 0:
        aside = np.array([[1, 0, 0.5 * depth], [0, 1, 0.8 * depth]], np.float64)
        dark = cv2.warpAffine(alpha, aside, (alpha.shape[1], alpha.shape[0]))
        size = 2 * int(depth) + 1
        dark = cv2.blur(dark, (size, size))
        keep = 255 - cv2.addWeighted(dark, shadow, dark, 0, 0)
        part[:] = cv2.multiply(part, cv2.merge([keep, keep, keep]), scale=1 / 255)
    over = 255 - alpha
    part[:] = cv2.add(cv2.multiply(part, cv2.merge([over, over, over]), scale=1 / 255), laid[..., :3])
