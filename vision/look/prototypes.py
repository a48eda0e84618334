"""What does a deck that somebody enrolled look like, and how alike is a view to one of its cards?

An enrolled deck is one file, `NAME.deck`, in `$REFEREE_DECKS` or the user's data folder: a ZIP with the rectified views
of its cards as JPEG, their names, and what the reader made of them. Another reader makes its own of the same views.
"""

import io
import json
import os
import re
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import platformdirs
from numpy.typing import NDArray

from vision.faults import VisionError
from vision.look.faces import ANY, BACK, DECKS, FRENCH, UNO
from vision.look.quads import Image
from vision.look.reader import SIZE, Reader

FORMAT = 1
NAME = re.compile(r"\w[\w .-]{0,39}")
"""What a deck may be called: it becomes the name of a file."""
MOST_VIEWS = 3000
"""A file that claims more views than this is none of ours."""
SHAKEN = ((1.03, 0, 0), (0.97, 0, 0), (1, 2, 2), (1, -2, 2), (1, 2, -2), (1, -2, -2))
"""Each view is also learned a little larger, smaller and shifted (factor, pixels): corners are never found exactly."""

FLOOR = 1e-4
"""No probability of the reader's own counts for less: it may never have seen such a card."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much where the reader and an enrolled deck are asked together.

    Attributes:
        general: the reader's own opinion, a log probability, beside …
        likeness: … how alike the view is to a card of the deck, a cosine, and …
        alike: … the likeness below which it is rather no card of the deck.
    """

    general: float
    likeness: float
    alike: float


FITTED = Weights(general=0.35, likeness=22.0, alike=0.8)
"""By `python -m vision.training.prototypes`: most right names without more wrong ones than the reader gives alone."""
STRANGE = Weights(general=0.35, likeness=40.0, alike=0.82)
"""The same where the reader has no name for most faces, and only likeness can tell them apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """An enrolled deck.

    Attributes:
        name: what the user calls it.
        cards: the card in each view, in table notation or as the user named it; `back` for its backs.
        views: `(n, 196, 136, 3)` uint8 BGR, the cards upright with `reader.MARGIN` pixels of their surroundings.
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

    def seen_by(self, reader: Reader) -> "Deck":
        """The deck with what `reader` makes of it; the same deck if that is known."""
        if self.features is not None and self.checksum == reader.checksum:
            return self
        looks = []
        for turned in (self.views, self.views[:, ::-1, ::-1]):
            for shake in ((1, 0, 0), *SHAKEN):
                looks.append(reader.see(np.stack([_shaken(view, *shake) for view in turned]))[2])
        return replace(self, features=np.stack(looks, axis=1).astype(np.float16), checksum=reader.checksum)

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


class Prototypes:
    """Weighs what the reader thinks of a view with how alike it is to each card of one deck.

    Args:
        deck: a deck that the reader has seen.
        classes: what the reader can name by itself.
        weights: those that were fitted for such a deck when None.

    Attributes:
        strange: whether most faces are such as no network was trained on.
    """

    def __init__(self, deck: Deck, classes: list[str], weights: Weights | None = None) -> None:
        assert deck.features is not None
        answers = (*deck.faces, BACK)
        order = sorted(range(len(deck.cards)), key=lambda view: answers.index(deck.cards[view]))
        columns = [answers.index(deck.cards[view]) for view in order]
        features = deck.features[order].astype(np.float32)
        looks, length = features.shape[1] // 2, features.shape[2]
        self._ways = [features[:, :looks].reshape(-1, length), features[:, looks:].reshape(-1, length)]
        self._columns = sorted(set(columns))
        self._starts = [columns.index(column) * looks for column in self._columns]
        self._strange = [column for column, name in enumerate(deck.faces) if name not in classes]
        self.strange = len(self._strange) > len(deck.faces) / 2
        self.weights = weights or (STRANGE if self.strange else FITTED)

    def weigh(
        self, chosen: NDArray[np.float32], flipped: NDArray[np.bool_], features: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Probabilities `(n, faces + 2)` and `(n,)` whether a view is upside down, from the reader's own and features.

        log p = general * log p(reader) + likeness * cosine, normalised. A card that the reader has no name for must be
        like enough to be one; any other is as much of a card as the reader thinks, and as surely the one that it thinks
        where likeness does not contradict: nothing else makes an answer less sure than it is without the deck.
        """
        own = chosen.copy()
        own[:, self._strange] = own[:, -1:]
        upright, turned = (np.maximum.reduceat(features @ way.T, self._starts, axis=1) for way in self._ways)
        alike = np.zeros(chosen.shape, np.float32)
        alike[:, self._columns] = np.maximum(upright, turned)
        nearest = np.argmax(alike[:, :-2], axis=1)
        strange = np.isin(nearest, self._strange)
        best = alike[:, :-2].max(axis=1)
        alike[:, -1] = np.where(strange, self.weights.alike, np.minimum(self.weights.alike, best))
        alike[:, -2] = np.maximum(alike[:, -2], alike[:, -1])  # a back may be enrolled or not
        logits = self.weights.general * np.log(np.maximum(own, FLOOR)) + self.weights.likeness * alike
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        scores = np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)
        none = np.where(strange, scores[:, -1], np.minimum(scores[:, -1], chosen[:, -1]))
        scores[:, :-1] *= ((1 - none) / np.maximum(1 - scores[:, -1], 1e-6))[:, None]
        scores[:, -1] = none
        agreed = ~strange & (chosen.argmax(axis=1) == scores.argmax(axis=1)) & (chosen.max(axis=1) > scores.max(axis=1))
        scores[agreed] = chosen[agreed]
        # Which end is up: where the reader knows the index, it knows better than the picture as a whole.
        flipped = flipped.copy()
        for row in np.flatnonzero(strange):
            column = self._columns.index(int(nearest[row]))
            flipped[row] = turned[row, column] > upright[row, column]
        return scores, flipped


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
    deck = deck.seen_by(reader)
    reader.know(Prototypes(deck, reader.classes))
    return deck, reader


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


def _shaken(view: Image, factor: float, right: float, down: float) -> Image:
    """The view grown about its middle by `factor` and moved by pixels."""
    width, height = SIZE
    move = np.array([[factor, 0, (1 - factor) * width / 2 + right], [0, factor, (1 - factor) * height / 2 + down]])
    moved = cv2.warpAffine(np.ascontiguousarray(view), move, SIZE, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)
