"""Whose hand is that, and what does it reach for?

A hand is what differs from the table as it lay before and comes in over the picture's edge. Where it comes in tells
whose it is, once the directions of the seats are known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.input.frames import Frame
from vision.look.eye import Zone

WIDTH = 160
"""Width in pixels of the small picture in which hands are sought."""
DIFFERS = 24.0
"""Grey levels, summed over the colours, by which a hand differs from what it covers."""
MOVES = 14.0
"""Grey levels, summed over the colours, by which a pixel changes from frame to frame when something moves over it."""
SWITCHED = 0.15
"""Change of light from one frame to the next from which everything is looked at afresh: no lamp flickers so much."""
OVER = 0.025
"""Share of a zone that a hand must cover to be over it."""
FORGOTTEN = 0.3
"""Seconds after which a hand that is not seen any more has gone."""
BACK_IN = 0.12
"""Seconds that a hand is out of a zone at least before it reaches in again; less, and it was seen badly."""
ABSORBED = 1.5
"""Seconds after which an arm that lies still is part of the table."""
SPREAD = 16.0
"""Degrees, standard deviation, by which hands come in beside the straight line from their seat."""
OUTLIER = 0.01
"""How likely, beside the best seat, a hand is that comes from nowhere in particular."""
ANOTHER = 25.0
"""Degrees between the hands of two people, at least."""
ARMS = 3
"""More arms than this that come at once are none: the camera was moved, and every edge of the table lies elsewhere."""
JOLT = 0.2
"""Seconds for which what was taken for a hand before that was none either."""
TABLE = 0.65
"""Distance of the seats from the picture's middle, in widths of the picture."""


@dataclass(slots=True)
class Visit:
    """A hand that reached for a zone.

    Attributes:
        began, ended: seconds when it was first and last seen near.
        turned: seconds when it had reached farthest: when a card is put down or taken.
        angle: degrees counter-clockwise from the right, from the zone's middle to where it comes into the picture.
        tip: where it reached farthest, pixels of the frame.
        inside: whether it was over the zone, or only near it.
        strokes: how often it reached in.
        stays: seconds from which until which its tip was in the zone, and no nearer to the middle of another.
    """

    began: float
    ended: float
    turned: float
    angle: float
    tip: tuple[float, float]
    inside: bool = False
    strokes: int = 0
    stays: list[tuple[float, float]] = field(default_factory=list)
    reach: float = 0.0
    out: bool = True
    left: float = -1.0
    angles: list[float] = field(default_factory=list)


def between(one: float, other: float) -> float:
    """Degrees, 0 to 180, between two directions in degrees."""
    return abs((one - other + 180) % 360 - 180)


def beside(one: Visit, other: Visit) -> bool:
    """Whether both may be the same person's hand, by where it comes in."""
    return between(one.angle, other.angle) < ANOTHER


@dataclass(frozen=True, slots=True)
class Whose:
    """A seat and how likely it is that seat's hand; `?` where nobody could tell."""

    seat: str = "?"
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Limb:
    """A limb in one small picture: where it comes in, its tip (both in small pixels), and its pixels' mask."""

    root: NDArray[np.float32]
    tip: NDArray[np.float32]
    mask: NDArray[np.bool_]


class Hands:
    """Follows the hands of a table.

    Args:
        zones: by name, where they may reach.
        seats: by seat letter, degrees counter-clockwise from the right, seen from the picture's middle.

    Attributes:
        limbs: the arms in the last frame, in pixels of a picture `scale` times as large.
        jolted: seconds when the camera was last seen to be moved; -1 when never.
    """

    def __init__(self, zones: Mapping[str, Zone], seats: Mapping[str, float] | None = None) -> None:
        self.zones = dict(zones)
        self.seats = dict(seats or {})
        self.visits: dict[str, list[Visit]] = {name: [] for name in zones}
        self.covered: dict[str, float] = {}
        self.limbs: list[Limb] = []
        self.scale = 1.0
        self.jolted = -1.0
        self._table: NDArray[np.float32] | None = None
        self._bare: NDArray[np.float32] | None = None  # the table before an arm came to lie on it
        self._before: NDArray[np.float32] | None = None
        self._still: NDArray[np.float32] = np.zeros((1, 1), np.float32)
        self._known: NDArray[np.bool_] = np.zeros((1, 1), np.bool_)
        self._t = 0.0
        self._size = (WIDTH, WIDTH)

    def see(self, frame: Frame) -> None:
        """Take the next frame."""
        height, width = frame.image.shape[:2]
        self._size = (width, height)
        scale = self.scale = WIDTH / width
        shape = (WIDTH, max(16, round(height * scale)))
        small = cv2.resize(frame.image, shape, interpolation=cv2.INTER_AREA).astype(np.float32)
        if self._table is None or self._table.shape != small.shape or self._before is None:
            self._table, self._before, self._bare = small, small, None
            self._still = np.zeros(small.shape[:2], np.float32)
            self._known = np.zeros(small.shape[:2], np.bool_)  # where it has lain still once
            self._t = frame.t
            return
        passed, self._t = max(frame.t - self._t, 0.0), frame.t
        gain = _gain(small, self._table)
        limit = DIFFERS + 14 * float(np.abs(gain - 1).max())
        differs = np.abs(small - self._table * gain).sum(axis=2) > limit
        differs &= self._known
        if self._bare is not None and differs.any():  # an arm that lay there has gone: the table is as it was before
            again = differs & (np.abs(small - self._bare * gain).sum(axis=2) <= limit)
            self._table[again] = small[again]
            differs &= ~again
        opened = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        mask = np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
        self._drop_ghosts(small, gain, mask)
        before, limbs = len(self.limbs), _limbs(mask)
        self.limbs = limbs
        if len(limbs) - before > ARMS:
            self._look_afresh(small, frame.t)
            return
        arms = np.zeros(mask.shape, np.bool_)
        for limb in limbs:
            arms |= limb.mask
        self._learn(small, gain, mask, arms, passed)
        for name, zone in self.zones.items():
            self._watch(name, zone, limbs, arms, scale, frame.t)

    def watch(self, name: str, zone: Zone) -> None:
        """From now on the zone `name` is there."""
        self.zones[name] = zone
        self.visits.setdefault(name, [])

    def over(self, name: str) -> bool:
        """Whether a hand is over the zone now."""
        return self.covered.get(name, 0.0) > OVER

    def since(self, name: str, t: float) -> list[Visit]:
        """The visits to a zone that ended after `t`, in the order in which they reached farthest."""
        found = [visit for visit in self.visits.get(name, []) if visit.ended >= t]
        return sorted(found, key=lambda visit: visit.turned)

    def whose(self, name: str, visit: Visit) -> Whose:
        """The seat whose hand a visit was."""
        if not self.seats:
            return Whose()
        x, y = _middle(self.zones[name])
        scores = {}
        for seat in self.seats:
            shoulder = self.shoulder(seat, self._size)
            expected = np.degrees(np.arctan2(y - shoulder[1], shoulder[0] - x))
            off = between(visit.angle, float(expected))
            scores[seat] = float(np.exp(-0.5 * (off / SPREAD) ** 2))
        total = sum(scores.values()) + OUTLIER
        best = max(scores, key=lambda seat: scores[seat])
        return Whose(best, scores[best] / total)

    def shoulder(self, seat: str, size: tuple[int, int]) -> NDArray[np.float32]:
        """Where about the arms of a seat come from, `(2,)`, pixels of a frame of that size, far outside it."""
        width, height = size
        angle = np.radians(self.seats[seat])
        x, y = width / 2 + TABLE * width * np.cos(angle), height / 2 - TABLE * width * np.sin(angle)
        return np.array([x, y], np.float32)

    def _look_afresh(self, small: NDArray[np.float32], t: float) -> None:
        """The table is what is seen now."""
        self._table, self._before, self._bare = small, small, None
        self.jolted = t
        self._still[:] = 0
        self.limbs, self.covered = [], {}
        for name, visits in self.visits.items():
            self.visits[name] = [visit for visit in visits if visit.began < t - JOLT]

    def _drop_ghosts(self, small: NDArray[np.float32], gain: NDArray[np.float32], mask: NDArray[np.uint8]) -> None:
        """Take out of `mask` what is no arm but the place where one lay: its outline shows in the table, not now."""
        assert self._table is not None
        count, labels = cv2.connectedComponents(mask)
        for label in range(1, count):
            part = labels == label
            if float(np.median(self._still[part])) < 0.3:
                continue
            whole = part.astype(np.uint8)
            outline = cv2.morphologyEx(whole, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
            if 2.0 * _edges(small)[outline].mean() < _edges(self._table * gain)[outline].mean():
                self._table[part] = small[part]
                mask[part] = 0

    def _learn(
        self,
        small: NDArray[np.float32],
        gain: NDArray[np.float32],
        mask: NDArray[np.uint8],
        arms: NDArray[np.bool_],
        passed: float,
    ) -> None:
        """The table is what has lain still: cards soon, arms late, everything at once after a jolt or a lamp."""
        assert self._table is not None
        assert self._before is not None
        light = _gain(small, self._before)
        moved = np.abs(small - self._before * light).sum(axis=2) > MOVES  # a lamp that flickers moves nothing
        moved |= bool(np.abs(light - 1).max() > SWITCHED)
        self._still = np.where(moved, 0, self._still + passed).astype(np.float32)
        jolted = float(mask.mean()) > 0.6
        resting = arms & (self._still > ABSORBED)
        self._known |= self._still > 0.5
        settled = resting | (self._still > 0.5) & (~arms | jolted)
        if resting.any():
            self._bare = self._table.copy()
        calm = mask == 0
        table = self._table * np.where(calm[..., None], 1 + 0.1 * (gain - 1), 1)
        table[calm] += 0.1 * (small[calm] - table[calm])
        settled |= ~self._known
        table[settled] = small[settled]
        self._table, self._before = table.astype(np.float32), small

    def _watch(self, name: str, zone: Zone, limbs: list[Limb], arms: NDArray[np.bool_], scale: float, t: float) -> None:
        x0, y0 = int(zone[0] * scale), int(zone[1] * scale)
        x1, y1 = int((zone[0] + zone[2]) * scale) + 1, int((zone[1] + zone[3]) * scale) + 1
        self.covered[name] = float(arms[y0:y1, x0:x1].mean()) if arms[y0:y1, x0:x1].size else 0.0
        middle = np.array(_middle(zone), np.float32) * scale
        size = 0.5 * float(np.hypot(zone[2], zone[3])) * scale
        open_ = [visit for visit in self.visits[name] if t - visit.ended < FORGOTTEN]
        for limb in limbs:
            inside = float(limb.mask[y0:y1, x0:x1].mean()) > OVER
            near = float(np.linalg.norm(limb.tip - middle)) < 1.7 * size
            if not inside and not near:
                continue
            dx, dy = limb.root - middle
            angle = float(np.degrees(np.arctan2(-dy, dx)))
            visit = min(open_, key=lambda v: between(v.angle, angle), default=None)
            if visit is None or between(visit.angle, angle) > 30:
                visit = Visit(t, t, t, angle, (0.0, 0.0))
                self.visits[name].append(visit)
                del self.visits[name][:-24]
                open_.append(visit)
            self._follow(visit, limb, angle, inside, scale, t, zone)

    def _follow(self, visit: Visit, limb: Limb, angle: float, inside: bool, scale: float, t: float, zone: Zone) -> None:
        visit.ended = t
        visit.inside |= inside
        visit.angles.append(angle)
        del visit.angles[:-60]
        turns = np.radians(visit.angles)
        visit.angle = float(np.degrees(np.arctan2(np.median(np.sin(turns)), np.median(np.cos(turns)))))
        reach = float(np.linalg.norm(limb.tip - limb.root))
        x, y = limb.tip / scale
        within = zone[0] <= x <= zone[0] + zone[2] and zone[1] <= y <= zone[1] + zone[3]
        if within:
            visit.strokes += visit.out and t - visit.left > BACK_IN
            visit.left = t
        if within and self._nearest(x, y) == zone:
            lasts = visit.stays and t - visit.stays[-1][1] < FORGOTTEN
            began = visit.stays.pop()[0] if lasts else t
            visit.stays = [*visit.stays[-5:], (began, t)]
        visit.out = not within and (visit.out or not inside)
        if reach > visit.reach - 0.5:
            visit.reach, visit.turned, visit.tip = max(reach, visit.reach), t, (float(x), float(y))

    def _nearest(self, x: float, y: float) -> Zone:
        """The zone whose middle is nearest."""
        return min(self.zones.values(), key=lambda zone: float(np.hypot(*np.subtract(_middle(zone), (x, y)))))


def _limbs(mask: NDArray[np.uint8]) -> list[Limb]:
    """What comes in over the picture's edge; two arms that meet are told apart by where they come in."""
    count, labels = cv2.connectedComponents(mask)
    found: list[Limb] = []
    ring = _ring(mask.shape[1], mask.shape[0])
    edge = labels[ring[:, 1], ring[:, 0]]
    for label in range(1, count):
        runs = _runs(edge == label)
        if not runs:
            continue
        part = labels == label
        if int(part.sum()) < 0.003 * mask.size:
            continue
        ys, xs = np.nonzero(part)
        points = np.stack([xs, ys], axis=1).astype(np.float32)
        roots = [ring[run].mean(axis=0).astype(np.float32) for run in runs]
        away = np.stack([np.linalg.norm(points - root, axis=1) for root in roots])
        nearest = away.argmin(axis=0)
        for number, root in enumerate(roots):
            mine = nearest == number
            own = np.zeros(mask.shape, np.bool_)
            own[ys[mine], xs[mine]] = True
            far = np.where(mine, away[number], -1)
            best = far >= np.sort(far)[-min(6, int(mine.sum()))]
            found.append(Limb(root, points[best].mean(axis=0), own))
    return found


def _gain(now: NDArray[np.float32], before: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much brighter each colour is than before, `(3,)`, in most of the picture."""
    return np.asarray(np.median((now + 8) / (before + 8), axis=(0, 1)), np.float32)


def _edges(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """How steep the picture is everywhere."""
    grey = picture.mean(axis=2)
    return np.asarray(cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)), np.float32)


def _ring(width: int, height: int) -> NDArray[np.intp]:
    """The picture's outermost pixels but one, clockwise: `(n, 2)` x, y."""
    right, bottom = width - 2, height - 2
    top = [(x, 1) for x in range(1, right)]
    side = [(right, y) for y in range(1, bottom)]
    low = [(x, bottom) for x in range(right, 1, -1)]
    back = [(1, y) for y in range(bottom, 1, -1)]
    return np.array([*top, *side, *low, *back], np.intp)


def _runs(on: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """The stretches of a ring where it is on, of three pixels or more; gaps of two are bridged."""
    places = np.flatnonzero(on)
    if len(places) < 3:
        return []
    gaps = np.diff(np.append(places, places[0] + len(on)))
    starts = np.flatnonzero(gaps > 3)
    if len(starts) == 0:
        return [places]
    rolled = np.roll(places, -int(starts[0]) - 1)
    cuts = np.flatnonzero(np.diff(np.unwrap(rolled, period=len(on))) > 3) + 1
    return [run for run in np.split(rolled, cuts) if len(run) >= 3]


def _middle(zone: Zone) -> tuple[float, float]:
    return zone[0] + zone[2] / 2, zone[1] + zone[3] / 2
