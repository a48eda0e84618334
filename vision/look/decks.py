"""What is known of a deck that somebody enrolled, and where does it lie?

An enrolled deck is one file, `NAME.deck`, in `$REFEREE_DECKS` or the user's data folder: a ZIP with the rectified views
of its cards as JPEG, their names, and what the reader made of them. Another reader makes its own of the same views.
"""

import io
import json
import os
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import platformdirs
from numpy.typing import NDArray

from vision.faults import VisionError
from vision.look.faces import ANY, BACK, DECKS
from vision.look.quads import SIZE, Image

FORMAT = 1
NAME = re.compile(r"\w[\w .-]{0,39}")
"""What a deck may be called: it becomes the name of a file."""
MOST_VIEWS = 3000
"""A file that claims more views than this is none of ours."""


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """An enrolled deck.

    Attributes:
        name: what the user calls it.
        cards: the card in each view, in table notation or as the user named it; `back` for its backs.
        views: `(n, 196, 136, 3)` uint8 BGR, the cards upright with `MARGIN` pixels of their surroundings.
        features: `(n, 2 * looks, f)` float16, what the reader made of each view, or None while no reader has seen it;
            the first half of the looks is upright, the second turned by half.
        checksum: which reader that was.
    """

    name: str
    cards: tuple[str, ...]
    views: NDArray[np.uint8]
    features: NDArray[np.float16] | None = None
    checksum: str = ""

    @property
    def faces(self) -> tuple[str, ...]:
        """The deck's faces, each once, without its back."""
        return tuple(dict.fromkeys(card for card in self.cards if card != BACK))

    def save(self) -> Path:
        """Writes the deck's file, whole or not at all.

        Raises:
            VisionError: it cannot be written.
        """
        path = path_of(self.name)
        about = {"format": FORMAT, "name": self.name, "cards": self.cards, "reader": self.checksum}
        part = path.with_suffix(".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with zipfile.ZipFile(part, "w") as archive:
                archive.writestr("deck.json", json.dumps(about, ensure_ascii=False, indent=1))
                for number, view in enumerate(self.views):
                    archive.writestr(f"{number:04}.jpg", _coded(view))
                if self.features is not None:
                    memory = io.BytesIO()
                    np.save(memory, self.features)
                    archive.writestr("features.npy", memory.getvalue())
            part.replace(path)
        except OSError as fault:
            raise VisionError("vision.deck-unwritable", file=path, why=fault.strerror) from fault
        return path


def folder() -> Path:
    """Where enrolled decks lie."""
    return Path(os.environ.get("REFEREE_DECKS") or platformdirs.user_data_path("table-referee") / "decks")


def names() -> tuple[str, ...]:
    """The decks that can be asked for, the enrolled ones last."""
    return (*DECKS, *sorted(path.stem for path in folder().glob("*.deck")))


def path_of(name: str) -> Path:
    """The file of the enrolled deck called `name`.

    Raises:
        VisionError: no deck may be called that.
    """
    if name in (*DECKS, ANY):
        raise VisionError("vision.own-deck", name=name)
    if not NAME.fullmatch(name):
        raise VisionError("vision.deck-name", name=name)
    return folder() / f"{name}.deck"


def load(name: str) -> Deck:
    """The enrolled deck called `name`.

    Raises:
        VisionError: there is none, or its file is damaged.
    """
    path = folder() / f"{name}.deck"
    if not NAME.fullmatch(name) or not path.is_file():
        raise VisionError("vision.no-deck", name=name, known=", ".join(names()))
    try:
        with zipfile.ZipFile(path) as archive:
            about = json.loads(archive.read("deck.json"))
            if about["format"] != FORMAT:
                raise ValueError(f"format {about['format']}, not {FORMAT}")
            cards = tuple(str(card) for card in about["cards"])
            if not 0 < len(cards) <= MOST_VIEWS or set(cards) == {BACK}:
                raise ValueError(f"{len(cards)} views")
            views = np.stack([_view(archive.read(f"{number:04}.jpg")) for number in range(len(cards))])
            features = None
            if "features.npy" in archive.namelist():
                features = np.load(io.BytesIO(archive.read("features.npy")), allow_pickle=False)
                if features.ndim != 3 or len(features) != len(cards):
                    raise ValueError("features of other cards")
            return Deck(name, cards, views, features, str(about["reader"]))
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as fault:
        raise VisionError("vision.deck-damaged", file=path, why=fault, name=name) from fault


def _coded(view: Image) -> bytes:
    return cv2.imencode(".jpg", view, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


def _view(coded: bytes) -> Image:
    try:
        view = cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR) if coded else None
    except cv2.error as fault:  # out of the bounds that `vision` sets
        raise ValueError("a view is too large") from fault
    if view is None or view.shape != (SIZE[1], SIZE[0], 3):
        raise ValueError("a view is no picture")
    return np.asarray(view, np.uint8)
