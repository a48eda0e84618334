"""Where could a card lie alone in this picture, judging by its outline?

Several passes (brightness, colour, edges) each yield closed outlines; those that are four-sided and shaped like a
card become quads; so does the whole picture, which may be of one card and nothing else. The reader then says which
of them are cards at all: this finder prefers too many to too few.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.quads import Image, Quad, Quads, clockwise, overlap, portrait, sides, signed_area

WORK_SIZE = 720
"""Pictures are scaled to this longer side before outlines are sought."""
SHAPES = (1.1, 2.4)
"""Long side over short side of a card, from foreshortened to seen from the side (flat: 1.39 to 1.6)."""
SMALLEST = 0.0015
"""The smallest share of the picture a card may cover."""


def candidates(image: Image, most: int = 40) -> Quads:
    """Quads `(n, 4, 2)` in pixels of `image`, best first, portrait, clockwise; `n` at most `most`."""
    scale = min(1.0, WORK_SIZE / max(image.shape[:2]))
    work = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    area = work.shape[0] * work.shape[1]
    found: list[tuple[float, Quad]] = []
    for mask in _masks(np.asarray(work, np.uint8)):
        outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for outline in outlines:
            if len(outline) < 40:
                continue
            hull = cv2.convexHull(outline)
            if not SMALLEST * area < cv2.contourArea(hull) < 0.98 * area:
                continue
            quad = _four_sides(np.asarray(hull, np.int32))
            if quad is not None and _like_a_card(quad):
                fit = cv2.contourArea(hull) / max(abs(signed_area(quad)), 1.0)
                found.append((1 - abs(1 - fit), quad))
    found.sort(key=lambda scored: -scored[0])
    height, width = work.shape[:2]
    found.insert(0, (1.0, np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)))
    kept: list[Quad] = []
    for _, quad in found:
        if all(overlap(quad, other)[0] < 0.9 for other in kept):
            kept.append(quad)
            if len(kept) == most:
                break
    if not kept:
        return np.zeros((0, 4, 2), np.float32)
    return np.asarray(np.stack([portrait(clockwise(quad)) for quad in kept]) / scale, np.float32)


def _masks(work: Image) -> Iterator[NDArray[np.uint8]]:
    """Black and white pictures in which the outline of a card may close."""
    blurred = cv2.GaussianBlur(work, (5, 5), 0)
    grey = cv2.cvtColor(blurred, cv2.COLOR_BGR2GRAY)
    lab = cv2.cvtColor(blurred, cv2.COLOR_BGR2LAB)
    saturation = cv2.cvtColor(blurred, cv2.COLOR_BGR2HSV)[..., 1]
    otsu, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    yield np.asarray(mask, np.uint8)
    for level in (otsu + (255 - otsu) * 0.35, otsu + (255 - otsu) * 0.6, otsu * 0.65):
        yield np.asarray(cv2.threshold(grey, level, 255, cv2.THRESH_BINARY)[1], np.uint8)
    colourless = cv2.threshold(saturation, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)[1]
    yield np.asarray(colourless, np.uint8)
    for block in (51, 151):
        yield np.asarray(
            cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -5), np.uint8
        )
    kernel = np.ones((3, 3), np.uint8)
    edges = np.zeros_like(grey)
    for channel in (grey, lab[..., 1], lab[..., 2]):
        median = float(np.median(cv2.Laplacian(channel, cv2.CV_16S)[::4, ::4].__abs__()))
        for low, high in ((20, 60), (50, 130)):
            found = cv2.Canny(channel, low + 4 * median, high + 4 * median)
            edges = cv2.bitwise_or(edges, found)
            yield np.asarray(cv2.dilate(found, kernel), np.uint8)
    yield np.asarray(cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def _four_sides(hull: NDArray[np.int32]) -> Quad | None:
    """The quad whose sides lie along the hull's four long sides; its corners are sharp where the card's are round."""
    length = cv2.arcLength(hull, True)
    for tolerance in (0.02, 0.035, 0.05, 0.07):
        rough = cv2.approxPolyDP(hull, tolerance * length, True)
        if len(rough) <= 4:
            break
    if len(rough) != 4:
        return None
    corners = rough[:, 0].astype(np.float32)
    if not _like_a_card(corners):
        return None
    points = _evenly(hull[:, 0].astype(np.float32))
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - start
        span = float(np.linalg.norm(along))
        if span < 8:
            return None
        unit = along / span
        offset = points - start
        part = offset @ unit
        away = np.abs(offset @ np.array([-unit[1], unit[0]], np.float32))
        near = points[(part > 0.15 * span) & (part < 0.85 * span) & (away < 0.04 * span + 2)]
        if len(near) < 5:
            return None
        vx, vy, x, y = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y]), np.array([vx, vy])))
    sharp = []
    for (p, u), (q, v) in zip([lines[-1], *lines[:-1]], lines, strict=True):
        cross = u[0] * v[1] - u[1] * v[0]
        if abs(cross) < 0.2:
            return None
        step = ((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / cross
        sharp.append(p + step * u)
    return np.array(sharp, np.float32)


def _evenly(hull: NDArray[np.float32]) -> NDArray[np.float32]:
    """Points about every two pixels along a closed polygon."""
    closed = np.concatenate([hull, hull[:1]])
    run = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = np.arange(0, run[-1], 2.0)
    return np.stack([np.interp(at, run, closed[:, 0]), np.interp(at, run, closed[:, 1])], axis=1).astype(np.float32)


def _like_a_card(quad: Quad) -> bool:
    if not cv2.isContourConvex(quad.reshape(-1, 1, 2)):
        return False
    top, right, bottom, left = sides(quad)
    if min(top, right, bottom, left) < 14:
        return False
    if max(top, bottom) > 1.8 * min(top, bottom) or max(left, right) > 1.8 * min(left, right):
        return False
    short, long = sorted((top + bottom, left + right))
    return bool(SHAPES[0] < long / short < SHAPES[1])
