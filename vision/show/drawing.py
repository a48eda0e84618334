"""What does the eye see? Its cards drawn into the frame, for people who want to know why."""

from collections.abc import Iterable

import cv2
import numpy as np

from vision.look.detections import SeenCard
from vision.look.quads import Image

SURE = (90, 210, 90)
UNSURE = (40, 170, 250)
"""BGR; the line of a card that was read for sure, and of one that was not."""
CONFIDENT = 0.9
TEXT = cv2.FONT_HERSHEY_SIMPLEX


def drawn(image: Image, cards: Iterable[SeenCard]) -> Image:
    """A copy of the frame `(h, w, 3)` uint8 BGR with each card's outline, its reading and how sure it is."""
    picture = image.copy()
    size = max(1.0, picture.shape[1] / 900)
    for card in cards:
        sure = card.card not in ("?", "") and card.confidence >= CONFIDENT
        colour = SURE if sure else UNSURE
        corners = np.round(card.quad).astype(np.int32)
        cv2.polylines(picture, [corners.reshape(-1, 1, 2)], True, colour, round(2 * size), cv2.LINE_AA)
        label = f"{card.card or '?'} {round(card.confidence * 100)}%"
        (width, height), under = cv2.getTextSize(label, TEXT, 0.6 * size, round(1.6 * size))
        x = int(np.clip(corners[:, 0].min(), 0, max(0, picture.shape[1] - width)))
        y = int(max(corners[:, 1].min() - 6 * size, height + under))
        cv2.rectangle(picture, (x - 2, y - height - under), (x + width + 2, y + under), colour, cv2.FILLED)
        cv2.putText(picture, label, (x, y), TEXT, 0.6 * size, (0, 0, 0), round(1.6 * size), cv2.LINE_AA)
    return picture
