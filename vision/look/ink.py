"""What does colour tell of a card, and when does it tell nothing?

The reader knows suits by their ink first. Where the picture has no colour, or red ink is nearly black, what it is sure
of may be the black twin of a red card; never the other way round.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.faces import COLOURED, SYMBOLS
from vision.look.quads import Image

GREY = 0.05
"""By how much the ratio of two colours may vary over a picture without colour (the half hundredth that varies most left
out). Training photos: none of 750 taken by a camera has less than 0.10, one turned grey has 0.00."""
WIDTH = 320
"""Pixels to which a picture is scaled before its colour is judged: noise is no colour."""
DARKEST = 40
"""Grey level below which a pixel's colour is noise."""
TWIN = 1 / 6
"""Share of the cards named a black suit for sure that are the red one of that rank, in pictures without colour: 101 of
604, of the training photos and of drawn decks held out from training, turned grey. Of 50 named a red suit all were."""
REDDISH = 0.55
"""From here on ink that is read as black may be red: so were 38 of 40 red cards without a court that were named a black
suit for sure in training photos with darkened ink, and 3 of 393 black ones in photos and drawn tables as they are."""
HALF = 1 / 2
"""Share that the red twin is then given: nothing tells how many such cards lie on a table."""


def colourless(image: Image) -> bool:
    """Whether the picture `(h, w, 3)` BGR has no colour: a camera's night mode, or a setting. One tint is no colour."""
    scale = WIDTH / image.shape[1]
    if scale < 1:
        image = np.asarray(
            cv2.resize(image, (WIDTH, max(1, round(image.shape[0] * scale))), interpolation=cv2.INTER_AREA)
        )
    seen = image.reshape(-1, 3).astype(np.float32) + 8
    seen = seen[seen.mean(axis=1) > DARKEST + 8]
    if not len(seen):
        return False  # too dark to tell
    ratios = np.log(seen[:, (2, 0)] / seen[:, 1:2])
    varies = np.abs(ratios - np.median(ratios, axis=0)).max(axis=1)
    return bool(np.percentile(varies, 99.5) < GREY)


def redness(view: Image) -> float:
    """How red the ink of a rectified card `(h, w, 3)` BGR is: 0 for black, whatever the lamp's colour."""
    seen = view[12:-12, 12:-12].astype(np.float32)  # without its edge, and what is dark beside it
    bright = seen.mean(axis=2)
    paper = np.median(seen[bright >= np.percentile(bright, 75)], axis=0) + 1
    seen = seen / paper
    grey = seen.mean(axis=2)
    ink = seen[grey < 0.6 * np.median(grey)]
    if len(ink) < 20:
        return 0.0
    return float(np.median((ink[:, 2] - ink[:, :2].mean(axis=1)) / (ink.mean(axis=1) + 0.03)))


class Twins:
    """Gives a share of what the reader thinks of each card to those that differ from it in colour alone.

    Args:
        faces: what can lie on the table, in the order of the scores.
    """

    def __init__(self, faces: tuple[str, ...]) -> None:
        place = {face: index for index, face in enumerate(faces)}
        black = [face for face in faces if face[1:] in ("c", "s")]
        self._red = [
            (place[face], [place[face[0] + suit] for suit in "hd" if face[0] + suit in place]) for face in black
        ]
        alike = [[place[c + symbol] for c in "rygb" if c + symbol in place] for symbol in SYMBOLS]
        self._coloured = [cards for cards in alike if cards and faces[cards[0]] in COLOURED]

    def share(self, scores: NDArray[np.float32], part: float, coloured: bool = False) -> NDArray[np.float32]:
        """`scores` `(…, n)` with `part` of each black card's on the red ones of its rank.

        `coloured`: those of an UNO card evenly on all four colours.
        """
        shared = scores.copy()
        for black, reds in self._red:
            for red in reds:
                shared[..., red] += part / len(reds) * scores[..., black]
            shared[..., black] *= 1 - part * bool(reds)
        for cards in self._coloured if coloured else ():
            shared[..., cards] = scores[..., cards].mean(axis=-1, keepdims=True)
        return shared
