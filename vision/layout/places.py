"""Where on this table are the piles and the seats, and can the camera see them well?"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np

from vision.faults import VisionError
from vision.input.frames import Frame
from vision.look.detections import SeenCard
from vision.look.eye import Eye, Zone, cut
from vision.look.faces import BACK, UNSURE
from vision.look.quads import Image, sides
from vision.motion.rest import MotionGate

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
SMALL_ZONE = 40
"""Pixels: a lower or narrower zone holds no card that can be read."""
OVERLAP = 0.1
"""Share of the smaller zone that may lie in the other one: a hand at one pile is then not over the other."""
ALIKE = 0.45
"""Below this correlation of edges hardly anything lies where it lay; a card played on the pile leaves 0.65 or more."""
SHAPE = 0.03
"""By how much the ratio of a picture's sides may differ for it to show the same, larger or smaller."""
LONGEST = 65_535
"""Pixels: no picture is wider or higher (JPEG knows no more)."""
EDGES = 320
"""Width in pixels of the pictures in which the camera's moves are sought."""
SHIFTED = 0.35
"""How sure a shift of the whole picture must be."""
SETTLED = 1.0
"""Seconds of rest after which it is asked whether everything lies somewhere else."""
NUDGED = 0.006
"""Share of the picture's width by which everything must have shifted for the camera to have been nudged."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the piles lie, in pixels of the frame, and where the seats are.

    Attributes:
        discard, pick_up: the zones; None where not known.
        seats: by seat letter, degrees counter-clockwise from the right, seen from the picture's middle.
        size: width and height of the picture whose pixels are meant; None: of whichever comes.
    """

    discard: Zone | None = None
    pick_up: Zone | None = None
    seats: Mapping[str, float] = field(default_factory=dict)
    size: tuple[int, int] | None = None

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The layout that `to_json` wrote; parts may be missing.

        Raises:
            VisionError: it is none.
        """
        try:
            zones = {name: _zone(data[name]) for name in ("discard", "pick_up") if data.get(name) is not None}
            seats = {str(seat): float(angle) % 360 for seat, angle in data.get("seats", {}).items()}
            if not all(map(isfinite, seats.values())):
                raise ValueError("an angle is no number")
            size = None if data.get("size") is None else (int(data["size"][0]), int(data["size"][1]))
            if size is not None and not all(1 <= side <= LONGEST for side in size):
                raise ValueError("no picture has that size")
        except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
            raise VisionError("vision.no-layout") from None
        return cls(zones.get("discard"), zones.get("pick_up"), seats, size)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The layout in a JSON file.

        Raises:
            VisionError: the file cannot be read, or holds none.
        """
        try:
            return cls.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError) as fault:
            raise VisionError("vision.unreadable-layout", file=path, why=fault) from None

    def to_json(self) -> dict[str, Any]:
        """JSON values: `discard` and `pick_up` as `[x, y, width, height]` or null, `seats` as degrees, `size`."""
        return {
            "discard": list(self.discard) if self.discard else None,
            "pick_up": list(self.pick_up) if self.pick_up else None,
            "seats": {seat: round(angle, 1) for seat, angle in self.seats.items()},
            **({"size": list(self.size)} if self.size else {}),
        }

    def within(self, width: int, height: int) -> Self:
        """This layout, for pictures of that size.

        Raises:
            VisionError: a zone is too small, or does not lie in the picture.
        """
        for name, zone in (("discard", self.discard), ("pick-up", self.pick_up)):
            if zone is None:
                continue
            x, y, w, h = zone
            if w < SMALL_ZONE or h < SMALL_ZONE:
                raise VisionError(f"vision.small-{name}", width=w, height=h)
            if x < 0 or y < 0 or x + w > width or y + h > height:
                raise VisionError(f"vision.outside-{name}", width=width, height=height)
        return replace(self, size=(width, height))

    def fitted(self, width: int, height: int) -> Self:
        """The same layout in a picture of another size; of another shape, the zones are not known any more."""
        if self.size is None or self.size == (width, height):
            return replace(self, size=(width, height))
        if not same_shape(self.size, (width, height)):
            return replace(self, discard=None, pick_up=None, size=(width, height))
        times = width / self.size[0]
        zones = {"discard": _scaled(self.discard, times), "pick_up": _scaled(self.pick_up, times)}
        return replace(self, **zones, size=(width, height))  # type: ignore[arg-type]


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
    return layout_of(list(eye.look(image)), image)


def layout_of(seen: Sequence[SeenCard], image: Image) -> Layout:
    """The same for cards that were seen in `image` already."""
    faces = [card for card in seen if card.card not in (BACK, UNSURE)] or [card for card in seen if card.card == UNSURE]
    backs = [card for card in seen if card.card == BACK]
    face = max(faces, key=_size, default=None)
    back = max((b for b in backs if face is None or 0.5 < _size(b) / _size(face) < 2), key=_size, default=None)
    if face is None or back is None:
        return Layout(_around(face, image) if face else None, _around(back, image) if back else None)
    return Layout(*_apart(_around(face, image), _around(back, image)))


def checks(eye: Eye, image: Image, layout: Layout) -> list[Check]:
    """How well the discard zone of this picture can be seen: card size, focus, light, glare, and room between piles."""
    zone = layout.discard or (0, 0, image.shape[1], image.shape[0])
    view = cut(image, zone)[0]
    grey = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
    cards = [card for card in eye.look(image, zone) if card.card != BACK]
    tall = max((_size(card) for card in cards), default=0.0)
    found = [Check("card", round(tall), "no-card" if not cards else "small" if tall < SMALLEST else "")]
    if cards:
        sharp = _sharpness(grey, tall)
        found.append(Check("focus", round(sharp, 3), "blurred" if sharp < SHARPEST else ""))
    found.append(light(image))
    table = np.ones(grey.shape, np.uint8)
    for card in cards:  # white paper may be as white as a picture gets
        cv2.fillConvexPoly(table, np.round(card.quad - np.array(zone[:2], np.float32)).astype(np.int32), 0)
    table = np.asarray(cv2.erode(table, np.ones((9, 9), np.uint8)), np.uint8)
    blown = float(((view.min(axis=2) >= 252) & (table > 0)).mean())
    found.append(Check("glare", round(blown, 3), "glare" if blown > GLARE else ""))
    shared = _shared(layout.discard, layout.pick_up)
    if shared > OVERLAP:
        found.append(Check("zones", round(shared, 3), "overlap"))
    return found


def light(image: Image) -> Check:
    """Whether the picture is bright enough, and not too bright."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    bright = float(np.percentile(grey, 99))
    over = float(np.median(grey)) > BRIGHTEST
    return Check("light", round(bright), "dark" if bright < DARKEST else "bright" if over else "")


def sharpness(image: Image, tall: float) -> float:
    """How much of the picture is fine detail, for cards `tall` pixels high; from `SHARPEST` on it is sharp."""
    return _sharpness(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), tall)


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
        self._gate = MotionGate()
        self._moved = True
        self._known: cv2.typing.MatLike | None = None

    def see(self, frame: Frame) -> None:
        """Take the next frame; it is looked at when everything has been at rest for a while."""
        self._gate.see(frame.image, frame.t)
        self._moved |= self._gate.moving
        if not self._moved or self._gate.still_for(frame.t) < SETTLED:
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


def same_shape(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two pictures (width, height) have the same shape, so that one may be the other, larger or smaller."""
    return abs(one[0] * other[1] / (one[1] * other[0]) - 1) < SHAPE


def _alike(before: cv2.typing.MatLike, after: cv2.typing.MatLike) -> float:
    """How well two pictures of edges match as they lie: 1 when they are the same, 0 when they are strangers."""
    one, other = before - before.mean(), after - after.mean()
    norms = float(np.linalg.norm(one)) * float(np.linalg.norm(other))
    return float((one * other).sum()) / norms if norms else 1.0


def _scaled(zone: Zone | None, times: float) -> Zone | None:
    return _zone([round(part * times) for part in zone]) if zone else None


def _apart(one: Zone, other: Zone) -> tuple[Zone, Zone]:
    """Both zones, so narrow across the line between the piles that they do not overlap; each stays around its pile."""
    if not _shared(one, other):
        return one, other
    apart = [abs(one[axis] + one[axis + 2] / 2 - other[axis] - other[axis + 2] / 2) for axis in (0, 1)]
    axis = int(apart[1] > apart[0])
    return _narrowed(one, axis, apart[axis]), _narrowed(other, axis, apart[axis])


def _narrowed(zone: Zone, axis: int, width: float) -> Zone:
    """A zone no wider than that along an axis, around the same middle."""
    parts = list(zone)
    parts[axis + 2] = min(parts[axis + 2], int(width))
    parts[axis] += (zone[axis + 2] - parts[axis + 2]) // 2
    return _zone(parts)


def _shared(one: Zone | None, other: Zone | None) -> float:
    """Share of the smaller zone that lies in the other one."""
    if one is None or other is None:
        return 0.0
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(0, width) * max(0, height) / min(one[2] * one[3], other[2] * other[3])


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
