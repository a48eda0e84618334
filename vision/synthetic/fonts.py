"""What do letters, digits and suit signs look like in many prints?

TrueType faces are taken from `$REFEREE_FONTS` (default `runs/fonts`); without any, OpenCV's own line faces serve, so
that everything can be drawn anywhere. `python -m vision.synthetic.fonts FOLDER...` copies the faces named in
`fonts.txt` there from under those folders (models/reader.md says which packages hold them).
"""

import os
import shutil
import sys
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.scenery import Rng

CAPITAL = 64
"""Height in pixels of a capital letter as `glyph` draws it."""

Mask = NDArray[np.uint8]


def folder() -> Path:
    """Where the faces are."""
    return Path(os.environ.get("REFEREE_FONTS", "runs/fonts"))


def gather(sources: list[Path]) -> list[str]:
    """Copies the faces we train with from under `sources` to `folder()`; returns the names not found."""
    wanted = set(Path(__file__).with_name("fonts.txt").read_text().split())
    folder().mkdir(parents=True, exist_ok=True)
    for path in sorted(path for source in sources for path in source.rglob("*") if path.name in wanted):
        if path.parent != folder():
            shutil.copy(path, folder() / path.name)
        wanted.discard(path.name)
    return sorted(wanted)


@cache
def fonts() -> tuple[str, ...]:
    """The faces to choose from, in a fixed order: paths, or numbers of OpenCV's faces."""
    found = sorted((p for p in folder().glob("*") if p.suffix in {".ttf", ".otf", ".woff"}), key=lambda p: p.name)
    return tuple(str(path) for path in found) or ("0", "2", "3", "4")


def held_out(every: tuple[str, ...]) -> tuple[str, ...]:
    """The sixth of the faces that nothing is trained on."""
    return every[3::6] or every


def some_font(rng: Rng, choice: tuple[str, ...]) -> str:
    """One of the faces."""
    return choice[rng.integers(len(choice))]


@cache
def glyph(font: str, text: str) -> Mask:
    """The text in white on black, cut to its ink; a capital `E` of that face would be `CAPITAL` pixels tall."""
    if font.isdigit():
        face, thick = int(font), 7
        scale = cv2.getFontScaleFromHeight(face, CAPITAL, thick)
        (width, height), below = cv2.getTextSize(text, face, scale, thick)
        board = np.zeros((height + below + 40, width + 40), np.uint8)
        cv2.putText(board, text, (20, height + 20), face, scale, 255, thick, cv2.LINE_AA)
        return _cut(board)
    from PIL import Image, ImageDraw, ImageFont  # type: ignore[import-not-found, unused-ignore]  # no dependency

    face_at = ImageFont.truetype(font, 100)
    _, top, _, bottom = face_at.getbbox("E")
    face_at = ImageFont.truetype(font, round(100 * CAPITAL / max(bottom - top, 10)))
    left, top, right, bottom = face_at.getbbox(text)
    page = Image.new("L", (int(right - left) + 20, int(bottom - top) + 20))
    ImageDraw.Draw(page).text((10 - left, 10 - top), text, fill=255, font=face_at)
    return _cut(np.asarray(page, np.uint8))


def suit_sign(rng: Rng, suit: str) -> Mask:
    """A club, diamond, heart or spade of a random cut, in white on black, cut to its ink (about 64 pixels)."""
    board = np.zeros((96, 96), np.uint8)
    if suit == "d":
        wide, bulge = rng.uniform(22, 36), rng.uniform(0.3, 0.5)
        tips = np.array([[48, 12], [48 + wide, 48], [48, 84], [48 - wide, 48]])
        points = []
        for a, b in zip(tips, np.roll(tips, -1, axis=0), strict=True):
            middle = 48 + ((a + b) / 2 - 48) * (0.5 + bulge) * 1.05
            points += [(1 - t) ** 2 * a + 2 * t * (1 - t) * middle + t * t * b for t in np.linspace(0, 0.9, 8)]
        cv2.fillPoly(board, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA)
        return _cut(board)
    if suit in "hs":
        turn = np.linspace(0, 2 * np.pi, 60)
        x = 16 * np.sin(turn) ** 3
        y = 13 * np.cos(turn) - rng.uniform(4, 6) * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)
        curve = np.stack([48 + x * rng.uniform(1.7, 2.2), 46 - y * rng.uniform(1.8, 2.2)], axis=1)
        if suit == "s":
            curve[:, 1] = 88 - curve[:, 1]
        cv2.fillPoly(board, [np.round(curve).astype(np.int32)], 255, cv2.LINE_AA)
    else:
        radius, out = round(rng.uniform(14, 18)), round(rng.uniform(15, 19))
        for leaf in ((48, 28), (48 - out, 52), (48 + out, 52)):
            cv2.circle(board, leaf, radius, 255, -1, cv2.LINE_AA)
        if rng.random() < 0.7:
            cv2.circle(board, (48, 46), 9, 255, -1)
    if suit in "cs":
        foot, neck = rng.uniform(9, 18), rng.uniform(2, 5)
        stem = [[48 - neck, 50], [48 + neck, 50], [48 + foot, 88], [48 - foot, 88]]
        cv2.fillPoly(board, [np.round(stem).astype(np.int32)], 255, cv2.LINE_AA)
    return _cut(board)


def stamp(
    card: NDArray[np.uint8], mask: Mask, centre: tuple[float, float], tall: float, ink: NDArray[np.float64],
    wide: float = 1.0, angle: float = 0.0, slant: float = 0.0,
) -> None:  # fmt: skip
    """Prints a mask in colour `ink` onto the BGR(A) card: its middle at `centre`, `tall` pixels tall, turned clockwise.

    `wide` stretches it sideways; `angle` is in degrees; `slant` leans it to the right by that share of its height.
    """
    scale = tall / mask.shape[0]
    while scale < 0.5 and min(mask.shape) > 8:
        mask = np.asarray(cv2.pyrDown(mask), np.uint8)
        scale = tall / mask.shape[0]
    turn = np.radians(angle)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    matrix = spin @ np.array([[scale * wide, -slant * scale], [0, scale]])
    height, width = mask.shape
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - [width / 2, height / 2]
    placed = corners @ matrix.T + centre
    low = np.clip(np.floor(placed.min(axis=0)).astype(int) - 1, 0, None)
    high = np.minimum(np.ceil(placed.max(axis=0)).astype(int) + 2, card.shape[1::-1])
    if (high <= low).any():
        return
    move = np.array(centre) - low - matrix @ [(width - 1) / 2, (height - 1) / 2]
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    flat = cv2.warpAffine(mask, np.hstack([matrix, move[:, None]]), size, flags=cv2.INTER_LINEAR)
    part = card[low[1] : high[1], low[0] : high[0], :3]
    share = flat[..., None].astype(np.float32) / 255
    part[:] = part * (1 - share) + np.asarray(ink, np.float32) * share


def thicker(mask: Mask, pixels: int) -> Mask:
    """The mask with an outline of that many pixels around its ink."""
    grown = cv2.copyMakeBorder(mask, pixels, pixels, pixels, pixels, cv2.BORDER_CONSTANT, value=0)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * pixels + 1, 2 * pixels + 1))
    return np.asarray(cv2.dilate(grown, kernel), np.uint8)


def _cut(board: Mask) -> Mask:
    x, y, width, height = cv2.boundingRect(board)
    return np.ascontiguousarray(board[y : y + max(height, 1), x : x + max(width, 1)])


if __name__ == "__main__":
    missing = gather([Path(name) for name in sys.argv[1:]])
    print(f"not found: {', '.join(missing)}" if missing else "all faces are there")
