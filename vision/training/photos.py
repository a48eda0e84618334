"""Which cards lie where in the real training photos, with corners good enough to learn reading from?

The published labels are boxes or nothing; the corners come from the outline finder, kept only where they agree
with the label. Never touches `photos/eval`.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.contours import candidates
from vision.look.faces import NONE, SUITS
from vision.look.quads import Image, Quad, rectify, signed_area

WORDS = {
    "ace": "A", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "T", "jack": "J", "queen": "Q", "king": "K",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Snap:
    """One card in a real photo. `cards`: what it may be (several when only the rank was published)."""

    cards: tuple[str, ...]
    path: Path
    quad: Quad
    source: str

    @property
    def held_out(self) -> bool:
        """Whether it belongs to the sixth kept for calibration: decided by the photo's name, not by chance."""
        return hashlib.sha1(self.path.name.encode()).digest()[0] % 6 == 0


def snaps(root: Path, cache: Path) -> list[Snap]:
    """Every usable card of `photos/train`, and outlines there that are no cards (`none`, sources `…-not`).

    Found once, then kept in the JSON file `cache`.
    """
    if not cache.exists():
        folder = root / "data" / "photos" / "train"
        found = [*_kaggle(folder), *_quentin(folder), *_edje(folder), *_uno(folder), *_scenery(root)]
        cache.parent.mkdir(parents=True, exist_ok=True)
        rows = [[list(s.cards), str(s.path.relative_to(root)), s.quad.tolist(), s.source] for s in found]
        cache.write_text(json.dumps(rows))
    return [
        Snap(tuple(cards), root / name, np.array(quad, np.float32), source)
        for cards, name, quad, source in json.loads(cache.read_text())
    ]


def _kaggle(folder: Path) -> list[Snap]:
    found = []
    for path in sorted((folder / "kaggle-gpiosenka-cc0").glob("*.jpg")):
        label = path.stem.split("__")[2]
        if label == "joker":
            card = "Jk"
        else:
            rank, suit = label.split("_of_")
            card = WORDS[rank] + suit[0]
        image = _picture(path)
        height, width = image.shape[:2]
        large = [q for q in candidates(image) if abs(signed_area(q)) > 0.45 * height * width]
        whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        found.append(Snap((card,), path, max(large, key=lambda q: abs(signed_area(q)), default=whole), "kaggle"))
    return found


def _quentin(folder: Path) -> list[Snap]:
    codes = json.loads((folder / "quentin0312" / "classes_corrected.json").read_text())["index_to_code"]
    found = []
    for path in sorted((folder / "quentin0312").glob("*.jpg")):
        labels = path.with_name(path.name.replace("__images__", "__labels__")).with_suffix(".txt")
        if not labels.exists():
            continue
        image = _picture(path)
        quads = candidates(image)
        size = np.array([image.shape[1], image.shape[0]] * 2, np.float32)
        boxes = []
        for line in labels.read_text().splitlines():
            index, x, y, w, h = line.split()[:5]
            code = codes[int(index)]
            box = np.array([float(x) - float(w) / 2, float(y) - float(h) / 2, float(w), float(h)], np.float32) * size
            boxes.append(box)
            if code.endswith("?"):
                continue
            quad = _matching(quads, box)
            if quad is not None:
                found.append(Snap((code[:-1].replace("10", "T") + code[-1].lower(),), path, quad, "quentin"))
        found += [Snap((NONE,), path, quad, "quentin-not") for quad in _matching_none(quads, boxes)]
    return found


def _edje(folder: Path) -> list[Snap]:
    found = []
    for labels in sorted((folder / "edje-tf").glob("*.xml")):
        path = next((p for s in (".JPG", ".jpg") if (p := labels.with_suffix(s)).exists()), None)
        if path is None:
            continue
        image = _picture(path)
        tree = ElementTree.parse(labels).getroot()
        scale = image.shape[1] / float(tree.findtext("size/width") or image.shape[1])
        quads = candidates(image)
        boxes = []
        for thing in tree.iter("object"):
            rank = WORDS[str(thing.findtext("name")).lower()]
            x0, y0, x1, y1 = (
                float(thing.findtext(f"bndbox/{k}") or 0) * scale for k in ("xmin", "ymin", "xmax", "ymax")
            )
            boxes.append(np.array([x0, y0, x1 - x0, y1 - y0], np.float32))
            quad = _matching(quads, boxes[-1])
            if quad is not None:
                found.append(Snap(tuple(rank + suit for suit in SUITS), path, quad, "edje"))
        found += [Snap((NONE,), path, quad, "edje-not") for quad in _matching_none(quads, boxes)]
    return found


def _uno(folder: Path) -> list[Snap]:
    found = []
    for path in sorted((folder / "edwinshayo-uno").glob("*.jpg")):
        card = _uno_name(path.stem.split("__")[1])
        image = _picture(path)
        area = image.shape[0] * image.shape[1]
        quads = [q for q in candidates(image) if 0.015 * area < abs(signed_area(q)) < 0.9 * area]
        if card is None or not quads:
            continue
        best = max(quads, key=lambda quad: _looks_printed(image, quad, card))
        if _looks_printed(image, best, card) > 0.75:
            found.append(Snap((card,), path, best, "uno"))
    return found


def _looks_printed(image: Image, quad: Quad, card: str) -> float:
    """How well a quad fits an UNO card: a white rim, and its colour (or black, and some of all colours) inside it."""
    flat = cv2.cvtColor(rectify(image, quad, (60, 90)), cv2.COLOR_BGR2HSV).astype(np.int32)
    hue, saturation, value = flat[..., 0], flat[..., 1], flat[..., 2]
    inner = np.zeros((90, 60), bool)
    inner[8:-8, 7:-7] = True
    rim = np.ones((90, 60), bool)
    rim[3:-3, 3:-3] = False
    white = (saturation < 70) & (value > 90)
    if card[0] == "W":
        dark, bright = (value < 90)[inner].mean(), ((saturation > 110) & (value > 90))[inner].mean()
        return float(min(dark, 0.2) * 5 * 0.3 + min(bright, 0.1) * 10 * 0.3 + white[rim].mean() * 0.4)
    middle = {"r": 0, "y": 27, "g": 68, "b": 105}[card[0]]
    ink = (np.abs((hue - middle + 90) % 180 - 90) < 15) & (saturation > 90)
    return float(min(ink[inner].mean(), 0.5) * 2 * 0.6 + white[rim].mean() * 0.4)


def _scenery(root: Path) -> list[Snap]:
    """Outlines in pictures of surfaces, hands and toy blocks, where there is no card at all."""
    found = []
    for path in sorted((root / "data" / "scenery").rglob("*")):
        if path.suffix.lower() in {".jpg", ".png", ".webp"}:
            quads = candidates(_picture(path), most=12)
            found += [Snap((NONE,), path, quad, "scenery-not") for quad in quads]
    return found


def _matching_none(quads: NDArray[np.float32], boxes: list[NDArray[np.float32]]) -> list[Quad]:
    """The outlines that are surely no whole card: none of the labelled boxes is near their size and place."""
    return [q for q in quads if boxes and all(_matching(q[None], box, 0.45) is None for box in boxes)]


def _uno_name(label: str) -> str | None:
    label = label.lower()
    if label.startswith("wild"):
        return "W+4" if "4" in label or "four" in label else "W"
    match = re.fullmatch(r"(red|yellow|green|blue)_(\d|skip|reverse|draw_2|draw)", label)
    if match is None:
        return None
    return match[1][0] + {"skip": "S", "reverse": "R", "draw_2": "+2", "draw": "+2"}.get(match[2], match[2])


def _matching(quads: NDArray[np.float32], box: NDArray[np.float32], least: float = 0.87) -> Quad | None:
    """The quad whose upright box agrees best with the label's (x, y, w, h), or none."""
    best, found = least, None
    for quad in quads:
        low, high = quad.min(axis=0), quad.max(axis=0)
        shared = np.minimum(high, box[:2] + box[2:]) - np.maximum(low, box[:2])
        if (shared <= 0).any():
            continue
        union = np.prod(high - low) + box[2] * box[3] - np.prod(shared)
        if np.prod(shared) / union > best:
            best, found = float(np.prod(shared) / union), quad
    return found


def _picture(path: Path) -> Image:
    picture = cv2.imread(str(path))
    if picture is None:
        raise FileNotFoundError(path)
    return np.asarray(picture, np.uint8)
