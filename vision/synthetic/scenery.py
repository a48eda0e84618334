"""What do cards lie on, and whose fingers hold them?"""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.quads import Image, Quad

Rng = np.random.Generator
Points = NDArray[np.floating]


class Scenery:
    """Table tops and other surroundings to lay cards on."""

    def __init__(self, root: Path) -> None:
        self.textures: list[Image] = []
        folders = ["ambientcg-previews-fabien", "ambientcg-previews-kikonen", "gimp-patterns", "sweethome3d-textures"]
        for folder in folders:
            for path in sorted((root / "data" / "scenery" / folder).rglob("*")):
                if path.suffix.lower() not in {".jpg", ".png", ".webp"}:
                    continue
                picture = cv2.imread(str(path))
                if picture is not None and min(picture.shape[:2]) >= 64:
                    scale = 320 / min(picture.shape[:2])
                    if scale < 1:
                        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                    self.textures.append(np.asarray(picture, np.uint8))

    def patch(self, rng: Rng, width: int, height: int) -> Image:
        """A piece of some surface, of the size asked for."""
        if rng.random() < 0.3 or not self.textures:
            base = rng.uniform(0, 255, 3)
            if rng.random() < 0.5:
                base[:] = base.mean() + rng.normal(0, 12, 3)
            ramp = np.linspace(-1, 1, width)[None, :, None] * rng.normal(0, 15)
            return np.clip(base + ramp + np.zeros((height, width, 3)), 0, 255).astype(np.uint8)
        texture = self.textures[rng.integers(len(self.textures))]
        side = int(rng.uniform(0.25, 1) * min(texture.shape[:2]))
        y = rng.integers(texture.shape[0] - side + 1)
        x = rng.integers(texture.shape[1] - side + 1)
        part = texture[y : y + side, x : x + side]
        if rng.random() < 0.5:
            part = np.rot90(part)
        return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def draw_fingers(rng: Rng, canvas: Image, quad: Quad) -> None:
    """Skin over an edge of the card, seldom over both indices."""
    skin = rng.choice([[120, 160, 225], [90, 130, 200], [60, 90, 150], [40, 60, 100], [150, 180, 235]])
    tall = float(np.linalg.norm(quad[3] - quad[0]))
    side = int(rng.integers(4))
    for _ in range(int(rng.integers(1, 4))):
        share = rng.uniform(0.2, 0.8)
        root = quad[side] * (1 - share) + quad[(side + 1) % 4] * share
        centre = root + (quad.mean(axis=0) - root) * rng.uniform(-0.1, 0.3)
        tint = np.clip(skin + rng.normal(0, 10, 3), 0, 255)
        axes = (int(tall * rng.uniform(0.08, 0.18)), int(tall * rng.uniform(0.04, 0.07)))
        towards = quad.mean(axis=0) - root
        angle = float(np.degrees(np.arctan2(towards[1], towards[0]))) + rng.normal(0, 20)
        place = (int(centre[0]), int(centre[1]))
        cv2.ellipse(canvas, place, axes, angle, 0, 360, [float(v) for v in tint], -1, cv2.LINE_AA)


def draw_arm(rng: Rng, canvas: Image, reach: Quad) -> None:
    """A sleeved arm from the picture's edge to a hand whose fingers lie on or near the quad `reach`."""
    height, width = canvas.shape[:2]
    skin = rng.choice([[120, 160, 225], [90, 130, 200], [60, 90, 150], [40, 60, 100], [150, 180, 235]])
    tall = float(np.linalg.norm(reach[3] - reach[0]))
    hand = reach.mean(axis=0) + rng.normal(0, 0.5, 2) * tall
    angle = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-away[1], away[0]])
    thick = tall * rng.uniform(0.25, 0.5)
    far = hand + away * 2 * max(width, height)
    cuff = hand + away * tall * rng.uniform(0.5, 1.5)

    def limb(start: Points, end: Points, wide: float, colour: Points) -> None:
        corners = np.array([start - across * wide, start + across * wide, end + across * wide, end - across * wide])
        layer = canvas.copy()
        cv2.fillConvexPoly(layer, np.round(corners).astype(np.int32), [float(v) for v in colour], cv2.LINE_AA)
        shade = cv2.GaussianBlur(layer, (0, 0), 1.2)
        moved = np.abs(layer.astype(int) - canvas).max(axis=2) > 0
        canvas[moved] = shade[moved]

    limb(hand, far, thick * 0.7, np.clip(skin + rng.normal(0, 12, 3), 0, 255))
    limb(cuff, far, thick * rng.uniform(0.8, 1.2), rng.uniform(0, 255, 3))
    tint = [float(v) for v in np.clip(skin + rng.normal(0, 12, 3), 0, 255)]
    palm = (round(float(hand[0])), round(float(hand[1])))
    cv2.ellipse(canvas, palm, (int(thick), int(0.75 * thick)), np.degrees(angle), 0, 360, tint, -1, cv2.LINE_AA)
    for number in range(int(rng.integers(2, 6))):
        turn = angle + np.pi + (number - 2) * 0.3 + rng.normal(0, 0.1)
        tip = hand + np.array([np.cos(turn), np.sin(turn)]) * thick * rng.uniform(1.4, 2.3)
        tone = [float(v) for v in np.clip(np.array(tint) * rng.uniform(0.85, 1.1), 0, 255)]
        ends = [(round(float(x)), round(float(y))) for x, y in (hand, tip)]
        cv2.line(canvas, ends[0], ends[1], tone, max(2, int(thick * 0.3)), cv2.LINE_AA)
