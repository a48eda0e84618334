"""Where on this table are the piles and the seats, and can the camera see them well?"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np

from vision.detections import SeenCard
from vision.eye import Eye, Zone, cut
from vision.faces import BACK, UNSURE
from vision.faults import VisionError
from vision.quads import Image, sides

ROOM = 1.2
"""A zone reaches so many card heights from the middle of its pile."""
SMALLEST = 70.0
"""Pixels: a lower card is too small to be read for sure."""
SHARPEST = 0.03
"""From this variance of the Laplacian on, over that of the picture, a card 200 pixels high is sharp."""
DARKEST, BRIGHTEST = 90.0, 215.0
"""Grey levels that the brightest hundredth of the picture should reach, and that half of it should not."""
GLARE = 0.04
"""Share of a zone that may be blown out."""
NUDGED = 0.006
"""Share of the picture's width by which everything must have shifted for the camera to have been nudged."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the piles lie, in pixels of the frame, and where the seats are.

    Attributes:
        discard, pick_up: the zones; None where not known.
        seats: by seat letter, degrees counter-clockwise from the right, seen from the picture's middle.
    """

    discard: Zone | None = None
    pick_up: Zone | None = None
    seats: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The layout that `to_json` wrote; parts may be missing.

        Raises:
            VisionError: it is none.
        """
        try:
            zones = {name: _zone(data[name]) for name in ("discard", "pick_up") if data.get(name) is not None}
            seats = {str(seat): float(angle) for seat, angle in data.get("seats", {}).items()}
        except (AttributeError, KeyError, TypeError, ValueError) as fault:
            raise VisionError(
                f"this is no layout of a table ({fault}): it wants discard and pick_up as [x, y, width, height] in"
                " pixels, and seats as angles in degrees"
            ) from None
        return cls(zones.get("discard"), zones.get("pick_up"), seats)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The layout in a JSON file.

        Raises:
            VisionError: the file cannot be read, or holds none.
        """
        try:
            return cls.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as fault:
            raise VisionError(f"{path} cannot be read as a layout: {fault}") from None

    def to_json(self) -> dict[str, Any]:
        """JSON values: `discard` and `pick_up` as `[x, y, width, height]` or null, `seats` as degrees."""
        return {
            "discard": list(self.discard) if self.discard else None,
            "pick_up": list(self.pick_up) if self.pick_up else None,
            "seats": {seat: round(angle, 1) for seat, angle in self.seats.items()},
        }


@dataclass(frozen=True, slots=True)
class Check:
    """One thing about the picture that matters: `card`, `focus`, `light` or `glare`; its value, and whether it will do.

    Attributes:
        fault: what is wrong, `""` when nothing is: `no-card`, `small`, `blurred`, `dark`, `bright`, `glare`.
    """

    name: str
    value: float
    fault: str = ""


def find_layout(eye: Eye, image: Image) -> Layout:
    """The discard zone around the largest face-up card, the pick-up zone around the back beside it; seats stay open."""
    seen = list(eye.look(image))
    faces = [card for card in seen if card.card not in (BACK, UNSURE)] or [card for card in seen if card.card == UNSURE]
    backs = [card for card in seen if card.card == BACK]
    face = max(faces, key=_size, default=None)
    back = max((b for b in backs if face is None or 0.5 < _size(b) / _size(face) < 2), key=_size, default=None)
    return Layout(_around(face, image) if face else None, _around(back, image) if back else None)


def checks(eye: Eye, image: Image, layout: Layout) -> list[Check]:
    """How well the discard zone of this picture can be seen: card size, focus, light and glare."""
    zone = layout.discard or (0, 0, image.shape[1], image.shape[0])
    view = cut(image, zone)[0]
    grey = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
    cards = [card for card in eye.look(image, zone) if card.card != BACK]
    tall = max((_size(card) for card in cards), default=0.0)
    found = [Check("card", round(tall), "no-card" if not cards else "small" if tall < SMALLEST else "")]
    if cards:
        sharp = _sharpness(grey, tall)
        found.append(Check("focus", round(sharp, 3), "blurred" if sharp < SHARPEST else ""))
    whole = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    light = float(np.percentile(whole, 99))
    over = float(np.median(whole)) > BRIGHTEST
    found.append(Check("light", round(light), "dark" if light < DARKEST else "bright" if over else ""))
    table = np.ones(grey.shape, np.uint8)
    for card in cards:  # white paper may be as white as a picture gets
        cv2.fillConvexPoly(table, np.round(card.quad - np.array(zone[:2], np.float32)).astype(np.int32), 0)
    table = np.asarray(cv2.erode(table, np.ones((9, 9), np.uint8)), np.uint8)
    blown = float(((view.min(axis=2) >= 252) & (table > 0)).mean())
    found.append(Check("glare", round(blown, 3), "glare" if blown > GLARE else ""))
    return found


class Nudge:
    """Notices that the camera was moved: everything at rest lies somewhere else than before."""

    def __init__(self) -> None:
        self._before: cv2.typing.MatLike | None = None

    def see(self, image: Image) -> tuple[float, float]:
        """How far, in pixels of the frame, everything has shifted since the last still picture; `(0, 0)`: not at all.

        Give it pictures at rest, without a hand in them.
        """
        scale = 320 / image.shape[1]
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
        edges = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
        edges = np.minimum(edges, 120).astype(np.float32)
        before, self._before = self._before, edges
        if before is None or before.shape != edges.shape:
            return 0.0, 0.0
        window = cv2.createHanningWindow((edges.shape[1], edges.shape[0]), cv2.CV_32F)
        (dx, dy), sure = cv2.phaseCorrelate(before, edges, window)
        if sure < 0.35 or np.hypot(dx, dy) < NUDGED * 320:
            return 0.0, 0.0
        return dx / scale, dy / scale


def _zone(value: Any) -> Zone:
    x, y, width, height = (int(part) for part in value)
    return x, y, width, height


def _size(card: SeenCard) -> float:
    return float(sides(card.quad).max())


def _around(card: SeenCard, image: Image) -> Zone:
    height, width = image.shape[:2]
    x, y = (float(v) for v in card.quad.mean(axis=0))
    reach = ROOM * _size(card)
    left, top = max(0, round(x - reach)), max(0, round(y - reach))
    return left, top, min(width, round(x + reach)) - left, min(height, round(y + reach)) - top


def _sharpness(grey: cv2.typing.MatLike, tall: float) -> float:
    """Variance of the Laplacian over the picture's, cards at most 200 pixels high: how much is fine detail."""
    scale = min(200 / max(tall, 1), 1.0)
    same = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return float(cv2.Laplacian(same, cv2.CV_64F).var()) / max(float(same.var()), 1.0)
