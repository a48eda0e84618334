"""Which reader is asked, and what it must have seen before, for the cards of this deck?"""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.look.decks import Deck, load
from vision.look.faces import ANY, DECKS, FRENCH, UNO
from vision.look.prototypes import Prototypes
from vision.look.quads import SIZE, Image
from vision.look.reader import Reader

SHAKEN = ((1.03, 0, 0), (0.97, 0, 0), (1, 2, 2), (1, -2, 2), (1, 2, -2), (1, -2, -2))
"""Each view is also learned a little larger, smaller and shifted (factor, pixels): corners are never found exactly."""


def reader_for(deck: str, path: Path) -> Reader:
    """The reader in the file `path`, for the cards of `deck`: `french`, `uno`, `any` or an enrolled one.

    Raises:
        VisionError: there is no such deck, its file is damaged, or `path` is no reader.
    """
    if deck in DECKS:
        return Reader(path, DECKS[deck])
    if deck == ANY:
        return Reader(path, (*FRENCH, *UNO))
    stored = load(deck)
    known, reader = opened(stored, path)
    if known is not stored:
        known.save()
    return reader


def opened(deck: Deck, path: Path) -> tuple[Deck, Reader]:
    """An enrolled deck as the reader in the file `path` sees it, and that reader, knowing the deck.

    Raises:
        VisionError: `path` is no reader.
    """
    reader = Reader(path, deck.faces)
    deck = seen_by(deck, reader)
    reader.know(Prototypes(deck, reader.classes))
    return deck, reader


def seen_by(deck: Deck, reader: Reader) -> Deck:
    """The deck with what `reader` makes of it; the same deck if that is known."""
    if deck.features is not None and deck.checksum == reader.checksum:
        return deck
    looks = []
    for turned in (deck.views, deck.views[:, ::-1, ::-1]):
        for shake in ((1, 0, 0), *SHAKEN):
            looks.append(reader.see(np.stack([_shaken(view, *shake) for view in turned]))[2])
    return replace(deck, features=np.stack(looks, axis=1).astype(np.float16), checksum=reader.checksum)


def _shaken(view: Image, factor: float, right: float, down: float) -> Image:
    """The view grown about its middle by `factor` and moved by pixels."""
    width, height = SIZE
    move = np.array([[factor, 0, (1 - factor) * width / 2 + right], [0, factor, (1 - factor) * height / 2 + down]])
    moved = cv2.warpAffine(np.ascontiguousarray(view), move, SIZE, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
