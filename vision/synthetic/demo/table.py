"""What does the demo's table look like with nothing on it?

Twenty-two photographs of one real table, each with a card lying somewhere else, are laid over each other; the median of
what lies open in them is the bare table.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faults import VisionError

Image = NDArray[np.uint8]

PHOTOS: Final = tuple(
    f"photos/train/edje-tf/images__train__cam_image{number}.jpg"
    for number in (16, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 32, 33, 34)
)
"""The first one sets the frame; the others are laid onto it."""

_CANVAS: Final = (1300, 960)
_ORIGIN: Final = (160, 130)  # of the first photograph in the canvas
_CROP: Final = (100, 160, 1024, 576)  # x, y, width, height of what the camera of the demo sees
_BESIDE: Final = 70  # pixels beyond the crop, so that a hole at its edge has wood on both sides
_GRAIN: Final = (-250, 105)  # wood at this offset looks alike


def bare_table(data: Path, size: tuple[int, int]) -> NDArray[np.float32]:
    """The empty table as `(height, width, 3)` BGR, 0 to 1, evenly lit, for a picture of `size` (width, height).

    Raises:
        VisionError: a photograph is missing, or does not show the same table.
    """
    photos = [read_image(data / name) for name in PHOTOS]
    views = [_levelled(*_onto(photo, photos[0], name)) for photo, name in zip(photos, PHOTOS, strict=True)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # nowhere bare in any photograph: a hole, filled below
        table = np.nanmedian(np.stack(views), axis=0)
    x, y, w, h = _CROP
    table = table[y : y + h, x : x + w + _BESIDE]
    holes = np.isnan(table[..., 0])
    whole = _filled(np.nan_to_num(table * 255).clip(0, 255).astype(np.uint8), holes)
    big = cv2.resize(whole[:, :w], size, interpolation=cv2.INTER_CUBIC).astype(np.float32) / 255
    return np.asarray(big, np.float32)


def read_image(path: Path) -> Image:
    """The photograph at `path`, BGR.

    Raises:
        VisionError: it cannot be read.
    """
    image = cv2.imread(str(path))
    if image is None:
        raise VisionError("vision.no-source", file=path)
    return np.asarray(image, np.uint8)


def _open_table(photo: Image) -> Image:
    """Where `photo` shows the table: 255, and 0 on and near whatever is large and bright (a card, a window's glare)."""
    bright = (cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY) > 172).astype(np.uint8)
    large = cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((13, 13), np.uint8))
    outlines, _ = cv2.findContours(large, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    covered = np.zeros_like(bright)
    for outline in outlines:
        cv2.fillPoly(covered, [cv2.convexHull(outline)], 1)
    return np.asarray((cv2.dilate(covered, np.ones((33, 33), np.uint8)) == 0) * 255, np.uint8)


def _onto(photo: Image, first: Image, name: str) -> tuple[Image, NDArray[np.bool_]]:
    """`photo` and where it shows the table, both seen from where `first` was taken."""
    finder, matcher = cv2.SIFT.create(3000), cv2.BFMatcher()
    points, looks = finder.detectAndCompute(photo, _open_table(photo))
    first_points, first_looks = finder.detectAndCompute(first, _open_table(first))
    pairs = [best for best, second in matcher.knnMatch(looks, first_looks, 2) if best.distance < 0.75 * second.distance]
    here = np.array([points[pair.queryIdx].pt for pair in pairs], np.float32)
    there = np.array([first_points[pair.trainIdx].pt for pair in pairs], np.float32)
    homography, agree = cv2.findHomography(here, there, cv2.RANSAC, 3)
    if homography is None or int(agree.sum()) < 50:
        raise VisionError("vision.other-table", photo=name, first=PHOTOS[0])
    shift = np.array([[1, 0, _ORIGIN[0]], [0, 1, _ORIGIN[1]], [0, 0, 1]], np.float64) @ homography
    seen = cv2.warpPerspective(photo, shift, _CANVAS, flags=cv2.INTER_CUBIC)
    shown = cv2.warpPerspective(_open_table(photo), shift, _CANVAS) > 250
    return np.asarray(seen, np.uint8), np.asarray(cv2.erode(shown.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0)


def _levelled(seen: Image, shown: NDArray[np.bool_]) -> NDArray[np.float32]:
    """`seen` with its uneven light taken out (0 to 1), and NaN where it does not show the table."""
    view = seen.astype(np.float32)
    weight = cv2.GaussianBlur(shown.astype(np.float32), (0, 0), 60)
    light = cv2.GaussianBlur(np.where(shown, view.mean(axis=2), 0).astype(np.float32), (0, 0), 60)
    level = view / np.maximum(light / np.maximum(weight, 1e-3), 8)[..., None] * np.float32(0.3)
    level[~shown] = np.nan
    return np.asarray(level, np.float32)


def _filled(table: Image, holes: NDArray[np.bool_]) -> Image:
    """`table` with wood from along the grain in its holes, the leftmost hole first."""
    _, _, boxes, _ = cv2.connectedComponentsWithStats(cv2.dilate(holes.astype(np.uint8), np.ones((9, 9), np.uint8)))
    height, width = holes.shape
    for x, y, w, h, _ in sorted(boxes[1:].tolist()):
        left, top = max(x - 6, 1), max(y - 6, 1)
        right, bottom = min(x + w + 6, width - 1), min(y + h + 6, height - 1)
        dx, dy = max(_GRAIN[0], -left), min(_GRAIN[1], height - bottom)
        donor = table[top + dy : bottom + dy, left + dx : right + dx]
        middle = (left + (right - left) // 2, top + (bottom - top) // 2)
        table = np.asarray(
            cv2.seamlessClone(donor, table, np.full(donor.shape, 255, np.uint8), middle, cv2.NORMAL_CLONE), np.uint8
        )
    return table
