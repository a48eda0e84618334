"""Where could a card lie whose outline does not close: held in fingers, or on other cards, white on white?

Straight edges are found and joined; two roughly parallel ones with two (or one) across them make a quad, and quads
with enough edge along all their sides are kept.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import Image, Quads

WORK_SIZE = 640
"""Pictures are scaled to this longer side before edges are sought."""
MOST_SEGMENTS = 110
TINT_GAIN = 3.0
"""How much the tint is stretched: it differs less than brightness does."""
ASPECTS = (1.4, 1.55)
"""Long over short side of poker and bridge cards: where a fourth side is not seen, it is put there."""
SUPPORT = 0.62
"""The least share of its outline along which a quad must have an edge."""

Segments = NDArray[np.float32]
"""`(n, 4)`: x0, y0, x1, y1 in pixels."""


def lined_quads(image: Image, most: int = 30) -> Quads:
    """Quads `(n, 4, 2)` in pixels of `image`, the best outlined first; `n` at most `most`."""
    planes, scale = _work(image)
    if min(planes[0].shape) < 32:
        return np.zeros((0, 4, 2), np.float32)
    segments = _joined(np.concatenate([_segments(plane) for plane in planes]))
    quads = _combined(segments)
    if len(quads) == 0:
        return quads
    support = _support(planes, quads)
    score = support.mean(axis=1) + 0.3 * np.sort(support, axis=1)[:, :2].mean(axis=1)
    good = (support.mean(axis=1) >= SUPPORT) & (support.min(axis=1) > 0.2)
    quads, score = quads[good], score[good]
    order = np.argsort(-score)
    kept: list[int] = []
    for i in order:
        size = np.sqrt(np.abs(_areas(quads[i : i + 1]))[0])
        if all(_apart(quads[i], quads[j]) > 0.08 * size for j in kept):
            kept.append(int(i))
            if len(kept) == most:
                break
    return np.asarray(quads[kept] / scale, np.float32)


def outlined(image: Image, quads: Quads) -> NDArray[np.float32]:
    """How much of each side of each quad, 0 to 1, runs along an edge of the picture: `(n, 4)`."""
    if len(quads) == 0:
        return np.zeros((0, 4), np.float32)
    planes, scale = _work(image)
    return _support(planes, (quads * scale).astype(np.float32))


def _work(image: Image) -> tuple[list[NDArray[np.uint8]], float]:
    """The pictures in which edges are sought, and their scale: grey, and yellow against blue.

    A white card on a light table may be no brighter than it, yet it is seldom of the same tint.
    """
    scale = min(1.0, WORK_SIZE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    tint = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)[..., 2].astype(np.float32)
    stretched = np.clip(128 + TINT_GAIN * (cv2.GaussianBlur(tint, (3, 3), 0) - float(np.median(tint))), 0, 255)
    return [np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8), stretched.astype(np.uint8)], scale


def _segments(grey: NDArray[np.uint8]) -> Segments:
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(cv2.GaussianBlur(grey, (3, 3), 0))[0]
    if found is None:
        return np.zeros((0, 4), np.float32)
    segments = found.reshape(-1, 4).astype(np.float32)
    lengths = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    order = np.argsort(-lengths)
    return np.asarray(segments[order[lengths[order] > 14]][:400], np.float32)


def _joined(segments: Segments) -> Segments:
    """Pieces of one straight edge made one, longest edges first."""
    left = list(range(len(segments)))
    made: list[NDArray[np.float32]] = []
    while left:
        p, q = segments[left[0], :2], segments[left[0], 2:]
        left.pop(0)
        grown = True
        while grown and left:
            grown = False
            length = max(float(np.hypot(*(q - p))), 1e-6)
            unit = (q - p) / length
            normal = np.array([-unit[1], unit[0]], np.float32)
            rest = segments[left]
            away = np.abs(np.stack([(rest[:, :2] - p) @ normal, (rest[:, 2:] - p) @ normal], axis=1)).max(axis=1)
            along = np.sort(np.stack([(rest[:, :2] - p) @ unit, (rest[:, 2:] - p) @ unit], axis=1), axis=1)
            gap = np.maximum(along[:, 0] - length, -along[:, 1])
            size = along[:, 1] - along[:, 0]
            fits = (away < 2.5) & (gap < 0.5 * np.maximum(length, size)) & (size > 6)
            for k in np.flatnonzero(fits)[:1]:
                low, high = min(0.0, float(along[k, 0])), max(length, float(along[k, 1]))
                other = rest[k]
                ends = np.array([p, q, other[:2], other[2:]])
                part = (ends - p) @ unit
                p, q = ends[int(part.argmin())], ends[int(part.argmax())]
                left.pop(int(k))
                grown = high - low > 0
        made.append(np.concatenate([p, q]))
    if not made:
        return segments
    edges = np.stack(made).astype(np.float32)
    lengths = np.hypot(edges[:, 2] - edges[:, 0], edges[:, 3] - edges[:, 1])
    order = np.argsort(-lengths)
    return np.asarray(edges[order[lengths[order] > 18]][:MOST_SEGMENTS], np.float32)


def _combined(edges: Segments) -> Quads:
    """Every quad that two facing edges make with what runs across them."""
    if len(edges) < 3:
        return np.zeros((0, 4, 2), np.float32)
    p, q = edges[:, :2], edges[:, 2:]
    lengths = np.hypot(*(q - p).T)
    unit = (q - p) / lengths[:, None]
    made: list[NDArray[np.float32]] = []
    cosine = np.abs(unit @ unit.T)
    for a in range(len(edges)):
        for b in range(a + 1, len(edges)):
            if cosine[a, b] < 0.94:
                continue
            u = unit[a]
            normal = np.array([-u[1], u[0]], np.float32)
            spans = np.sort(np.array([[0, lengths[a]], [(p[b] - p[a]) @ u, (q[b] - p[a]) @ u]]), axis=1)
            shared = min(spans[:, 1]) - max(spans[:, 0])
            longest = max(lengths[a], lengths[b])
            away = float(((p[b] + q[b]) / 2 - p[a]) @ normal)
            if shared < 0.35 * longest or not 0.38 * longest < abs(away) < 2.2 * longest:
                continue
            low, high = min(spans[:, 0]), max(spans[:, 1])
            stops = [low, high]
            crossing = np.flatnonzero(cosine[a] < 0.5)
            ends: list[tuple[float, float]] = []  # where an edge across meets line a, and line b, along u
            for c in crossing:
                height = np.sort([(p[c] - p[a]) @ normal / away, (q[c] - p[a]) @ normal / away])
                if height[0] < -0.12 or height[1] > 1.12 or height[1] - height[0] < 0.3:
                    continue
                x = np.array([(p[c] - p[a]) @ u, (q[c] - p[a]) @ u])
                y = np.array([(p[c] - p[a]) @ normal, (q[c] - p[a]) @ normal])
                slope = (x[1] - x[0]) / (y[1] - y[0])
                at_a = x[0] - slope * y[0]
                end_b = x[0] + slope * (away - y[0])
                middle = (at_a + end_b) / 2
                if min(abs(middle - s) for s in stops) < 0.25 * longest:
                    ends.append((float(at_a), float(end_b)))
            for i, one in enumerate(ends):
                for other in ends[i + 1 :]:
                    made.append(_corners(p[a], u, p[b], unit[b], one, other, normal, away))
                for aspect in (*ASPECTS, *(1 / r for r in ASPECTS)):
                    step = abs(away) * aspect
                    inward = step if (one[0] + one[1]) / 2 < (low + high) / 2 else -step
                    if abs(step) > 0.7 * (high - low):
                        other = (one[0] + inward, one[1] + inward)
                        made.append(_corners(p[a], u, p[b], unit[b], one, other, normal, away))
        if len(made) > 6000:
            break
    if not made:
        return np.zeros((0, 4, 2), np.float32)
    quads = np.stack(made).astype(np.float32)
    areas = _areas(quads)
    quads[areas < 0] = quads[areas < 0][:, [0, 3, 2, 1]]
    lengths4 = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    turned = lengths4[:, 0] + lengths4[:, 2] > lengths4[:, 1] + lengths4[:, 3]
    quads[turned] = np.roll(quads[turned], -1, axis=1)
    short = np.minimum(lengths4[:, 0] + lengths4[:, 2], lengths4[:, 1] + lengths4[:, 3]) / 2
    long = np.maximum(lengths4[:, 0] + lengths4[:, 2], lengths4[:, 1] + lengths4[:, 3]) / 2
    even = np.minimum(lengths4[:, :2], lengths4[:, 2:]) > 0.6 * np.maximum(lengths4[:, :2], lengths4[:, 2:])
    like = (short > 22) & (long / np.maximum(short, 1) > 1.1) & (long / np.maximum(short, 1) < 2.3) & even.all(axis=1)
    return np.asarray(quads[like], np.float32)


def _corners(
    pa: NDArray[np.float32],
    ua: NDArray[np.float32],
    pb: NDArray[np.float32],
    ub: NDArray[np.float32],
    one: tuple[float, float],
    other: tuple[float, float],
    normal: NDArray[np.float32],
    away: float,
) -> NDArray[np.float32]:
    """The four meetings of lines a and b with two edges across, in order around."""
    if ub @ ua < 0:
        ub = -ub
    start = float((pb - pa) @ ua)
    along = float(ub @ ua)

    def on_b(x: float) -> NDArray[np.float32]:
        return np.asarray(pb + ub * (x - start) / along, np.float32)

    return np.stack([pa + ua * one[0], pa + ua * other[0], on_b(other[1]), on_b(one[1])])


def _support(planes: list[NDArray[np.uint8]], quads: Quads) -> NDArray[np.float32]:
    """Per side of each quad `(n, 4)`: the share of it that runs along an edge of a plane in its direction."""
    slopes = []
    for plane in planes:
        blurred = cv2.GaussianBlur(plane, (3, 3), 0)
        gx, gy = cv2.Sobel(blurred, cv2.CV_32F, 1, 0), cv2.Sobel(blurred, cv2.CV_32F, 0, 1)
        strength = np.hypot(gx, gy)
        slopes.append((gx, gy, strength, max(12.0, float(np.percentile(strength, 70)))))
    height, width = planes[0].shape
    steps = np.linspace(0.08, 0.92, 22, dtype=np.float32)
    ahead = np.roll(quads, -1, axis=1) - quads
    length = np.maximum(np.linalg.norm(ahead, axis=2, keepdims=True), 1e-6)
    normal = np.stack([-ahead[..., 1], ahead[..., 0]], axis=2) / length
    points = quads[:, :, None] + ahead[:, :, None] * steps[None, None, :, None]
    best = np.zeros(points.shape[:3], bool)
    for shift in (-1.5, 0.0, 1.5):
        moved = points + shift * normal[:, :, None]
        x = np.round(moved[..., 0]).astype(int)
        y = np.round(moved[..., 1]).astype(int)
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
        for gx, gy, strength, enough in slopes:
            across = np.abs(gx[y, x] * normal[:, :, None, 0] + gy[y, x] * normal[:, :, None, 1])
            best |= inside & (across > enough) & (across > 0.85 * strength[y, x])
    return np.asarray(best.mean(axis=2), np.float32)


def _areas(quads: Quads) -> NDArray[np.float32]:
    x, y = quads[..., 0], quads[..., 1]
    doubled = x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)
    return np.asarray(doubled.sum(axis=1) / 2, np.float32)


def _apart(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """The farthest corner's distance, either end first."""
    return min(float(np.linalg.norm(one - np.roll(other, turn, axis=0), axis=1).max()) for turn in (0, 2))
