"""How is a frame sent to a page that shows the table?"""

import cv2
import numpy as np

from vision.look.quads import Image

WIDEST = 960
"""Pixels; a phone shows no more, and a wider picture only costs time."""


def jpeg(image: Image, quality: int = 80) -> bytes:
    """The picture `(h, w, 3)` uint8 BGR as JPEG, at most `WIDEST` pixels wide."""
    height, width = image.shape[:2]
    if width > WIDEST:
        image = resized(image, WIDEST, round(height * WIDEST / width))
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def resized(image: Image, width: int, height: int) -> Image:
    """The picture at another size."""
    way = cv2.INTER_AREA if width < image.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, (width, height), interpolation=way), np.uint8)
