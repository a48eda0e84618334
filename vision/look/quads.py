"""How do four corners in a picture become an upright card, and how alike are two of them?

A quad is a `(4, 2)` float32 array of pixel coordinates `(x, y)`, clockwise as seen in the picture, first corner
the card's own top-left. `(n, 4, 2)` holds several.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.float32]
Quads = NDArray[np.float32]
Image = NDArray[np.uint8]

SIZE = (136, 196)
"""Width and height in pixels of the rectified card the reader looks at."""
MARGIN = 4
"""How much of its surroundings is seen on each side: corners are never found exactly."""
NEARLY = 0.06
"""Shares of a side by which the corners of a card that lies still are seen elsewhere at most."""


def clockwise(quad: Quad) -> Quad:
    """The same four corners, clockwise in the picture (y down), starting where they started."""
    return quad if signed_area(quad) > 0 else quad[[0, 3, 2, 1]]


def signed_area(quad: Quad) -> float:
    """The area in square pixels, positive when the corners run clockwise in the picture."""
    x, y = quad[:, 0], quad[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def sides(quad: Quad) -> NDArray[np.float32]:
    """The four side lengths in pixels: top, right, bottom, left."""
    return np.asarray(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1), np.float32)


def portrait(quad: Quad) -> Quad:
    """The corners rolled so that the first side is one of the short ones."""
    top, right, bottom, left = sides(quad)
    return quad if top + bottom <= left + right else np.asarray(np.roll(quad, -1, axis=0), np.float32)


def rectify(image: Image, quad: Quad, size: tuple[int, int], margin: int = 0) -> Image:
    """The card upright in a picture of `size` (width, height), with `margin` pixels of its surroundings.

    Large cards are halved first, so that nothing is lost to aliasing.
    """
    width, height = size
    quad = quad.astype(np.float32)
    low = np.floor(quad.min(axis=0)).astype(int) - 8
    high = np.ceil(quad.max(axis=0)).astype(int) + 9
    x0, y0 = np.maximum(low, 0)
    x1, y1 = np.minimum(high, (image.shape[1], image.shape[0]))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return np.zeros((height, width, 3), np.uint8)
    part: Image = image[y0:y1, x0:x1]
    corners = (quad - np.array([x0, y0], np.float32)).astype(np.float32)
    lengths = sides(quad)
    while min(lengths[0] + lengths[2], lengths[1] + lengths[3]) / 2 > 2 * width and min(part.shape[:2]) > 4:
        part = np.asarray(cv2.pyrDown(part), np.uint8)
        corners, lengths = (corners / 2).astype(np.float32), np.asarray(lengths / 2, np.float32)
    target = np.array(
        [[margin, margin], [width - margin, margin], [width - margin, height - margin], [margin, height - margin]],
        np.float32,
    )
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    flat = cv2.warpPerspective(part, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def overlap(one: Quad, other: Quad) -> tuple[float, float]:
    """Intersection over union of two convex quads, and intersection over the smaller of the two."""
    if (one.max(axis=0) < other.min(axis=0)).any() or (other.max(axis=0) < one.min(axis=0)).any():
        return 0.0, 0.0
    area_one, area_other = abs(signed_area(one)), abs(signed_area(other))
    shared = _shared_area(one, other)
    union = area_one + area_other - shared
    smaller = min(area_one, area_other)
    return (shared / union if union > 0 else 0.0), (shared / smaller if smaller > 0 else 0.0)


def _shared_area(one: Quad, other: Quad) -> float:
    """The area two convex quads share: one is cut by each side of the other (Sutherland and Hodgman).

    OpenCV's own `intersectConvexConvex` answers 0 for some quads whose sides nearly coincide.
    """
    polygon = [(float(x), float(y)) for x, y in clockwise(one)]
    window = [(float(x), float(y)) for x, y in clockwise(other)]
    for (ax, ay), (bx, by) in zip(window, window[1:] + window[:1], strict=True):
        inward = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in polygon]
        cut: list[tuple[float, float]] = []
        for i, (x, y) in enumerate(polygon):
            before, (px, py) = inward[i - 1], polygon[i - 1]
            if (before >= 0) != (inward[i] >= 0):
                part = before / (before - inward[i])
                cut.append((px + part * (x - px), py + part * (y - py)))
            if inward[i] >= 0:
                cut.append((x, y))
        polygon = cut
        if not polygon:
            return 0.0
    following = polygon[1:] + polygon[:1]
    return abs(sum(x * v - u * y for (x, y), (u, v) in zip(polygon, following, strict=True))) / 2


def same_place(one: Quad, other: Quad, within: float = NEARLY) -> bool:
    """Whether two quads are the same card lying unmoved; either end may come first."""
    size = float(sides(one).mean())
    apart = min(float(np.linalg.norm(one - np.roll(other, turn, axis=0), axis=1).mean()) for turn in (0, 2))
    return apart < within * size
