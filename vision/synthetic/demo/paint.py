"""How are photographed cards and hands laid into the demo's picture?"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.demo.script import CardPhoto
from vision.synthetic.demo.table import Image

Picture = NDArray[np.float32]
"""`(height, width, 3)` BGR, 0 to 1."""

CARD_HEIGHT = 300.0  # pixels in the picture
_OVERSIZE = 1.25  # sprites are kept this much larger than they are shown


@dataclass(frozen=True, slots=True)
class Sprite:
    """Something cut out: `(height, width, 4)` BGR premultiplied by its alpha, and its size when shown.

    `anchor` is the pixel of the sprite that lies at the place it is put; `shown` the scale at which it is put there.
    """

    pixels: Picture
    anchor: tuple[float, float]
    shown: float


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sprite lies: its anchor in pixels of the picture, and its rotation in degrees clockwise."""

    x: float
    y: float
    angle: float = 0.0

    def moved(self, dx: float, dy: float, turned: float = 0.0) -> Place:
        """The place `dx`, `dy` pixels and `turned` degrees from here."""
        return Place(self.x + dx, self.y + dy, self.angle + turned)


def card_sprite(photo: Image, card: CardPhoto) -> Sprite:
    """The photographed card, seen from straight above, its white paper as bright as the other cards'."""
    height = CARD_HEIGHT * _OVERSIZE
    width = height * card.aspect
    corners = np.array(card.corners, np.float32)
    larger = float(np.linalg.norm(corners[3] - corners[0])) / height
    soft = cv2.GaussianBlur(photo, (0, 0), 0.45 * larger) if larger > 1.15 else photo
    shape = _rounded(round(width), round(height))
    onto = np.array([[-1, -1], [width + 1, -1], [width + 1, height + 1], [-1, height + 1]], np.float32)
    straight = cv2.warpPerspective(
        soft, cv2.getPerspectiveTransform(corners, onto), shape.shape[::-1], flags=cv2.INTER_CUBIC
    )
    face = straight.astype(np.float32) / 255
    paper = np.percentile(face.reshape(-1, 3), 80, axis=0)
    face = (face / paper * np.array([0.90, 0.92, 0.93], np.float32)).clip(0, 1)
    return _sprite(np.asarray(face, np.float32), shape)


def back_sprite() -> Sprite:
    """The back of a card, drawn here: a blue lattice with a white border."""
    height = round(CARD_HEIGHT * _OVERSIZE)
    width = round(height * 0.714)
    shape = _rounded(width, height)
    across, down = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    waves = np.sin((across + down) * (2 * np.pi / 17)) * np.sin((across - down) * (2 * np.pi / 17))
    lattice = np.clip(0.5 + 3.0 * waves, 0, 1)[..., None]
    face = lattice * np.array([0.50, 0.24, 0.14], np.float32) + (1 - lattice) * np.array([0.74, 0.56, 0.44], np.float32)
    edge = round(height * 0.045)
    face[:edge] = face[-edge:] = face[:, :edge] = face[:, -edge:] = (0.84, 0.86, 0.87)
    cv2.rectangle(face, (edge + 4, edge + 4), (width - edge - 5, height - edge - 5), (0.80, 0.80, 0.80), 2, cv2.LINE_AA)
    return _sprite(cv2.GaussianBlur(face, (0, 0), 0.9).astype(np.float32), shape)


def put(
    picture: Picture, sprite: Sprite, place: Place, *, lifted: float = 0.0, shadow: float = 0.5, grown: float = 1.0
) -> None:
    """Lay `sprite` into `picture` at `place`, its shadow under it; `lifted` pixels above the table."""
    turn = np.deg2rad(place.angle)
    scale = sprite.shown * grown
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    ax, ay = sprite.anchor
    onto = np.array([[cos, -sin, place.x - cos * ax + sin * ay], [sin, cos, place.y - sin * ax - cos * ay]], np.float64)
    tall, wide = sprite.pixels.shape[:2]
    ends = np.array([[0, 0, 1], [wide, 0, 1], [wide, tall, 1], [0, tall, 1]], np.float64) @ onto.T
    depth = 3.0 + lifted
    margin = round(4 * depth) + 6
    height, width = picture.shape[:2]
    left, top = np.maximum(np.floor(ends.min(axis=0)).astype(int) - margin, 0)
    right, bottom = np.minimum(np.ceil(ends.max(axis=0)).astype(int) + margin, (width, height))
    if left >= right or top >= bottom:
        return
    onto[:, 2] -= (left, top)
    laid = cv2.warpAffine(sprite.pixels, onto, (int(right - left), int(bottom - top)), flags=cv2.INTER_LINEAR)
    alpha = laid[..., 3:]
    aside = np.array([[1, 0, 0.55 * depth], [0, 1, 0.9 * depth]], np.float64)
    dark = cv2.warpAffine(laid[..., 3], aside, (alpha.shape[1], alpha.shape[0]))
    dark = cv2.GaussianBlur(dark, (0, 0), 0.9 * depth)[..., None] * shadow
    region = picture[top:bottom, left:right]
    region *= 1 - dark
    region *= 1 - alpha
    region += laid[..., :3]


def _sprite(face: Picture, shape: NDArray[np.float32]) -> Sprite:
    # the paper's edge catches less light
    light = 1 - 0.10 * np.clip(cv2.GaussianBlur(1 - shape, (0, 0), 2.0) * 1.6, 0, 1)
    pixels = np.dstack([face * (shape * light)[..., None], shape]).astype(np.float32)
    pixels = np.asarray(cv2.copyMakeBorder(pixels, 2, 2, 2, 2, cv2.BORDER_CONSTANT), np.float32)
    return Sprite(pixels, (pixels.shape[1] / 2, pixels.shape[0] / 2), 1 / _OVERSIZE)


def _rounded(width: int, height: int) -> NDArray[np.float32]:
    """A card's outline, corners rounded: 1 inside, 0 outside."""
    fine, radius = 4, round(height * 0.040) * 4
    shape = np.zeros((height * fine, width * fine), np.float32)
    right, bottom = width * fine - 1, height * fine - 1
    cv2.rectangle(shape, (radius, 0), (right - radius, bottom), 1.0, -1)
    cv2.rectangle(shape, (0, radius), (right, bottom - radius), 1.0, -1)
    for across in (radius, right - radius):
        for down in (radius, bottom - radius):
            cv2.circle(shape, (across, down), radius, 1.0, -1)
    return np.asarray(cv2.resize(shape, (width, height), interpolation=cv2.INTER_AREA), np.float32)
