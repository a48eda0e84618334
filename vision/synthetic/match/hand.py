"""What does a hand with its sleeve look like from above? Drawn, every one different."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.match.art import Sprite
from vision.synthetic.scenery import Rng

UNIT: Final = 110
"""Pixels of a drawn hand for one card height."""
_WIDTH, _LENGTH = 260, 820
_MIDDLE, _TIPS = 130.0, 24.0

_SKINS: Final = ((178, 200, 240), (140, 170, 220), (110, 145, 200), (70, 100, 150), (45, 65, 105))
_CLOTHS: Final = ((60, 50, 45), (140, 70, 40), (50, 60, 150), (70, 120, 60), (200, 200, 205), (40, 130, 190))


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """A hand, finger tips up.

    Attributes:
        sprite: the picture.
        anchor: pixel of the finger tips.
        unit: pixels of the sprite for one card height.
    """

    sprite: Sprite
    anchor: tuple[float, float]
    unit: float


def drawn_hand(rng: Rng) -> Hand:
    """A hand that nobody else has: skin, cloth, width, fingers, left or right."""
    skin = np.clip(np.array(_SKINS[rng.integers(len(_SKINS))]) + rng.normal(0, 8, 3), 0, 255)
    cloth = np.clip(np.array(_CLOTHS[rng.integers(len(_CLOTHS))]) + rng.normal(0, 14, 3), 0, 255)
    wide = rng.uniform(0.9, 1.15)
    bare = rng.uniform(0.0, 0.9) if rng.random() < 0.7 else rng.uniform(1.0, 2.5)  # forearm before the sleeve, units
    picture = np.zeros((_LENGTH, _WIDTH, 3), np.uint8)
    mask = np.zeros((_LENGTH, _WIDTH), np.uint8)
    palm = (_MIDDLE, _TIPS + 135)
    for number, side in enumerate((-1.5, -0.5, 0.5, 1.5)):
        knuckle = (palm[0] + side * 19 * wide, palm[1] - 30)
        gather = rng.uniform(0.25, 0.8)
        tip = (_MIDDLE + side * 19 * wide * gather, _TIPS + (0, 8, 4, 18)[number] + rng.uniform(-4, 4))
        _limb(mask, knuckle, tip, 20 * wide, 14 * wide)
    thumb = (_MIDDLE - 34 * wide, _TIPS + rng.uniform(38, 62))
    _limb(mask, (palm[0] - 34 * wide, palm[1] + 25), thumb, 22 * wide, 17 * wide)
    cv2.ellipse(mask, (round(palm[0]), round(palm[1] + 5)), (round(44 * wide), 56), 0, 0, 360, 255, -1)
    wrist = _TIPS + 205
    _limb(mask, palm, (_MIDDLE, wrist), 74 * wide, 54 * wide)
    cuff = wrist + bare * UNIT
    _limb(mask, (_MIDDLE, wrist), (_MIDDLE, min(cuff + 20, _LENGTH - 1)), 54 * wide, (56 + 12 * bare) * wide)
    sleeve = np.zeros_like(mask)
    thick = (86 + 14 * bare) * wide
    body = [
        (_MIDDLE - thick / 2, cuff),
        (_MIDDLE + thick / 2, cuff),
        (_MIDDLE + 0.72 * thick, _LENGTH),
        (_MIDDLE - 0.72 * thick, _LENGTH),
    ]
    cv2.fillPoly(sleeve, [np.round(np.array(body)).astype(np.int32)], 255)
    picture[:] = skin
    weave = rng.normal(0, 7, (_LENGTH, _WIDTH, 1))
    stripes = 14 * np.sin(np.arange(_LENGTH) / rng.uniform(3, 9))[:, None, None] * (rng.random() < 0.4)
    picture[sleeve > 0] = np.clip(cloth + weave + stripes, 0, 255).astype(np.uint8)[sleeve > 0]
    mask = np.maximum(mask, sleeve)
    round_ = cv2.distanceTransform((mask > 0).astype(np.uint8), cv2.DIST_L2, 3)
    light = 0.62 + 0.38 * np.clip(round_ / 22, 0, 1) ** 0.6
    shaded = (picture * light[..., None]).clip(0, 255).astype(np.uint8)
    shaded = np.asarray(cv2.GaussianBlur(shaded, (0, 0), 0.8), np.uint8)
    sprite = np.dstack([shaded, cv2.GaussianBlur(mask, (0, 0), 0.9)]).astype(np.uint8)
    if rng.random() < 0.5:
        sprite = np.ascontiguousarray(sprite[:, ::-1])
    return Hand(sprite, (_MIDDLE, _TIPS), UNIT)


def _limb(
    mask: NDArray[np.uint8], start: tuple[float, float], end: tuple[float, float], thick: float, thin: float
) -> None:
    """A tapering limb with round ends."""
    for part in np.linspace(0, 1, 14):
        x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
        cv2.circle(mask, (round(x), round(y)), round((thick + (thin - thick) * part) / 2), 255, -1)
