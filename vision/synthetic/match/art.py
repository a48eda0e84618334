"""What do the virtual table's cards, table tops and things look like?

Decks ship as one sheet each (`decks/SOURCES.md` says whose art they are); everything else is drawn here.

    python -m vision.synthetic.match.art --shared ../shared

makes the sheets again.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faults import VisionError
from vision.look.faces import BACK, FRENCH, UNO
from vision.look.quads import Image
from vision.synthetic import decks
from vision.synthetic.scenery import Rng
from vision.synthetic.uno import Style

Sprite = NDArray[np.uint8]
"""`(h, w, 4)` BGRA, transparent where it is not."""

DECKS: Final = {"byronknoll": FRENCH, "heruka-2color": FRENCH, "younestouati": FRENCH, "uno": UNO}
"""The decks that ship, each with its faces in the order of its sheet."""
CELL: Final = (150, 212)
"""Width and height of a card on a sheet, pixels."""
TOPS: Final = ("wood", "felt", "cloth", "stone")

_COLUMNS: Final = 9
_STYLE, _FONTS = 1, ("0", "2", "3", "4")
"""Seed and print of the UNO deck: of the first five seeds the one of which the eye reads most faces (52 of 54)."""


def deck(name: str) -> dict[str, Sprite]:
    """The faces of a shipped deck by table notation, and a back drawn here.

    Raises:
        VisionError: there is no such deck.
    """
    if name not in DECKS:
        raise VisionError("vision.no-shipped-deck", name=name, known=", ".join(DECKS))
    raw = files("vision.synthetic.match").joinpath("decks", f"{name}.webp").read_bytes()
    sheet = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR)
    if sheet is None:
        raise VisionError("vision.deck-sheet", name=name)
    width, height = CELL
    mask = rounded(width, height)
    found = {}
    for place, card in enumerate(DECKS[name]):
        row, column = divmod(place, _COLUMNS)
        cell = sheet[row * height : (row + 1) * height, column * width : (column + 1) * width]
        found[card] = np.dstack([cell, mask]).astype(np.uint8)
    found[BACK] = card_back(np.random.default_rng(sum(name.encode())), width, height)
    return found


def shared_deck(root: Path, name: str) -> dict[str, Sprite]:
    """A deck of the shared data by table notation, a back drawn here; some have no Joker.

    Raises:
        VisionError: it is not there.
    """
    found = {face.card: _fitted(face.picture()) for face in decks.faces(root) if face.deck == name}
    if not found:
        raise VisionError("vision.no-shared-deck", folder=root, name=name)
    found[BACK] = card_back(np.random.default_rng(sum(name.encode())), *CELL)
    return found


def rounded(width: int, height: int) -> NDArray[np.uint8]:
    """A card's outline: 255 inside, 0 beyond its rounded corners."""
    fine = 4
    radius = round(0.045 * height) * fine
    shape = np.zeros((height * fine, width * fine), np.uint8)
    cv2.rectangle(shape, (radius, 0), (width * fine - radius - 1, height * fine - 1), 255, -1)
    cv2.rectangle(shape, (0, radius), (width * fine - 1, height * fine - radius - 1), 255, -1)
    for x in (radius, width * fine - radius - 1):
        for y in (radius, height * fine - radius - 1):
            cv2.circle(shape, (x, y), radius, 255, -1)
    return np.asarray(cv2.resize(shape, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def card_back(rng: Rng, width: int, height: int) -> Sprite:
    """A lattice in one ink, with a white border."""
    ink = np.array([[150, 60, 30], [40, 40, 170], [60, 110, 40]][rng.integers(3)], np.float32)
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    pitch = rng.uniform(9, 16)
    waves = np.sin((xs + ys) * (2 * np.pi / pitch)) * np.sin((xs - ys) * (2 * np.pi / pitch))
    level = np.clip(0.5 + 2 * waves, 0, 1)[..., None]
    face = ink * level + (0.5 * ink + 110) * (1 - level)
    edge = round(0.05 * height)
    face[:edge] = face[-edge:] = face[:, :edge] = face[:, -edge:] = 235
    return np.dstack([face.clip(0, 255).astype(np.uint8), rounded(width, height)])


def table_top(rng: Rng, kind: str, side: int = 512) -> Image:
    """A square of a table's surface: `wood`, `felt`, `cloth` or `stone`.

    Raises:
        VisionError: there is no such surface.
    """
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32) / side
    fine = rng.normal(0, 1, (side, side)).astype(np.float32)
    if kind == "wood":
        colour = np.array([[60, 100, 150], [45, 70, 105], [110, 150, 185]][rng.integers(3)], np.float32)
        wave = cv2.resize(rng.normal(0, 1, (6, 3)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
        grain = np.sin((ys * rng.uniform(20, 45) + wave * 1.5) * 2 * np.pi)
        streaks = cv2.blur(fine, (61, 1)) * 4
        gaps = np.where((ys * 4) % 1 < 0.012, -0.5, 0)
        level = 1 + 0.07 * grain + 0.10 * streaks + gaps
    elif kind == "felt":
        colour = np.array([[60, 110, 40], [110, 60, 40], [50, 40, 120]][rng.integers(3)], np.float32)
        level = 1 + 0.10 * cv2.GaussianBlur(fine, (0, 0), 1.0) * 2
    elif kind == "cloth":
        colour = np.array([[190, 200, 205], [150, 120, 90], [120, 140, 190]][rng.integers(3)], np.float32)
        pitch = rng.uniform(8, 20)
        checks = (np.floor(xs * pitch) % 2) + (np.floor(ys * pitch) % 2)
        level = 0.78 + 0.14 * checks + 0.04 * fine
    elif kind == "stone":
        colour = np.array([[165, 165, 160], [95, 95, 95]][rng.integers(2)], np.float32)
        cloud = cv2.resize(rng.normal(0, 1, (24, 24)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
        level = 1 + 0.12 * cloud + 0.05 * fine
    else:
        raise VisionError("vision.no-table-top", name=kind, known=", ".join(TOPS))
    return np.asarray((colour * level[..., None]).clip(0, 255), np.uint8)


def phone() -> Sprite:
    """A dark telephone, 150 pixels tall for a card of 150."""
    thing = np.zeros((180, 90, 4), np.uint8)
    thing[..., 3] = rounded(90, 180)
    thing[..., :3] = (38, 34, 32)
    cv2.rectangle(thing, (5, 12), (84, 167), (70, 50, 42, 255), -1)
    cv2.line(thing, (10, 160), (80, 20), (110, 95, 85, 255), 9, cv2.LINE_AA)
    return thing


def glass() -> Sprite:
    """A tumbler from above: clear in the middle, bright and dark rings."""
    thing = np.zeros((140, 140, 4), np.uint8)
    cv2.circle(thing, (70, 70), 66, (190, 190, 185, 70), -1, cv2.LINE_AA)
    cv2.circle(thing, (70, 70), 64, (235, 235, 235, 200), 4, cv2.LINE_AA)
    cv2.circle(thing, (70, 70), 52, (90, 90, 90, 120), 3, cv2.LINE_AA)
    cv2.circle(thing, (70, 70), 46, (120, 150, 170, 110), -1, cv2.LINE_AA)
    cv2.ellipse(thing, (70, 70), (57, 57), 20, 0, 60, (255, 255, 255, 255), 5, cv2.LINE_AA)
    return thing


def _fitted(face: Sprite) -> Sprite:
    """The face at the height of a sheet's cells."""
    scale = CELL[1] / face.shape[0]
    return np.asarray(cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def sheet_of(faces: Mapping[str, Sprite]) -> Image:
    """The faces in their order, on white."""
    rows = -(-len(faces) // _COLUMNS)
    sheet = np.full((rows * CELL[1], _COLUMNS * CELL[0], 3), 255, np.uint8)
    for place, picture in enumerate(faces.values()):
        face = cv2.resize(picture, CELL, interpolation=cv2.INTER_AREA)
        row, column = divmod(place, _COLUMNS)
        alpha = face[..., 3:].astype(np.float32) / 255
        laid = face[..., :3] * alpha + 255 * (1 - alpha)
        sheet[row * CELL[1] : (row + 1) * CELL[1], column * CELL[0] : (column + 1) * CELL[0]] = laid
    return sheet


def main() -> None:
    """Make the sheets again; a French deck without a Joker borrows the public-domain one, the UNO deck is drawn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=decks.shared())
    args = parser.parse_args()
    found: dict[str, dict[str, Sprite]] = {name: {} for name in DECKS}
    for face in decks.faces(args.shared):
        if face.deck in found:
            found[face.deck].setdefault(face.card, face.picture())
    drawn = Style(np.random.default_rng(_STYLE), _FONTS)
    found["uno"] = {card: drawn.draw(card) for card in UNO}
    joker = found["byronknoll"]["Jk"]
    for name, order in DECKS.items():
        path = Path(__file__).parent / "decks" / f"{name}.webp"
        sheet = sheet_of({card: found[name].get(card, joker) for card in order})
        cv2.imwrite(str(path), sheet, [cv2.IMWRITE_WEBP_QUALITY, 82])
        print(f"{path.name}: {path.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
