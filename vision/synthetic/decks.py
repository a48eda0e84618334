"""Which pictures of card faces are there to train on, and which whole decks are kept out to test on?"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

HELD_OUT = frozenset(
    {
        "byronknoll",
        "saulspatz-accessible",
        "saulspatz-vertical2",
        "aisleriot-lattmann",
        "aisleriot-ornamental",
        "kde-nicu-ornamental",
        "kde-penguins",
        "heruka-4color-bf",
    }
)
"""Whole decks never trained on: the public-domain ones, one with German letters, ornamental, four-colour and big."""

FOREIGN = frozenset(
    {"aisleriot-ancient_french", "aisleriot-berlin", "aisleriot-rheinland", "aisleriot-atlasnye-ru",
     "aisleriot-slavic_costumes", "aisleriot-lattmann"}
)  # fmt: skip
"""Decks whose court cards bear other letters: German B D K, French 1 V D R, Russian."""

LARGE_INDEX = frozenset(
    {"heruka-2color-bf", "kde-oxygen", "kde-oxygen-air", "kde-oxygen-white", "aisleriot-tango_nuevo"}
)
"""Decks of the rest whose own index is too large, or elsewhere, to print another one over it."""

UNO_DECK = "uno-maumaubot"


def shared() -> Path:
    """The folder of training and bench data: `$REFEREE_SHARED`, or `../shared` beside the clone."""
    return Path(os.environ.get("REFEREE_SHARED", Path(__file__).parents[2].parent / "shared"))


@dataclass(frozen=True, slots=True)
class Face:
    """One drawn card face: its name in table notation, its deck, and where its picture is."""

    card: str
    deck: str
    path: Path

    def picture(self) -> NDArray[np.uint8]:
        """The face as `(h, w, 4)` BGRA; transparent outside its rounded corners."""
        return _load(self.path)


def faces(root: Path) -> Iterator[Face]:
    """Every drawn face under `root/data/decks`, in a fixed order."""
    for folder in sorted((root / "data" / "decks").iterdir()):
        for path in sorted(folder.glob("*.png")):
            yield Face(name_of(path.stem), folder.name, path)


def name_of(stem: str) -> str:
    """Table notation of a deck picture's file name: `10H` is `Th`, `JKR-red` is `Jk`, `brev` is `bR`."""
    if stem.startswith("JKR"):
        return "Jk"
    if stem.startswith("BACK"):
        return "back"
    if stem.startswith("wild"):
        return "W+4" if stem.endswith("+4") else "W"
    if stem[0] in "rgby":
        return stem[0] + {"rev": "R", "skip": "S"}.get(stem[1:], stem[1:])
    return stem[:-1].replace("10", "T") + stem[-1].lower()


@cache
def _load(path: Path) -> NDArray[np.uint8]:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise FileNotFoundError(path)
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGRA)
    elif picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
        picture[..., 3] = _rounded(picture.shape[0], picture.shape[1])
    return np.asarray(picture, np.uint8)


def _rounded(height: int, width: int) -> NDArray[np.uint8]:
    mask = np.zeros((height, width), np.uint8)
    radius = max(2, width // 20)
    cv2.rectangle(mask, (radius, 0), (width - radius - 1, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - radius - 1), 255, -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return mask
