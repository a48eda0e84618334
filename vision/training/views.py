"""What might a rectified card look like to the reader, and what might a thing that is no card look like?

Everything is drawn from the generator passed in, so a seed gives the same views on every run.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.quads import MARGIN, SIZE, Image, Quad, rectify
from vision.synthetic.camera import photographed
from vision.synthetic.prints import draw_foreign_card, draw_paper, lay, made_up_back, smaller, worn
from vision.synthetic.scenery import Rng, Scenery, draw_fingers


def drawn_view(
    rng: Rng, face: NDArray[np.uint8], scenery: Scenery, other: NDArray[np.uint8] | None, covered: float = 0.0
) -> Image:
    """A drawn face (BGRA) as the reader would get it from a photo: `(196, 136, 3)` BGR.

    `other`: another face that lies under it, as in a pile, or (in that share `covered` of the views) over one of its
    indices.
    """
    height = int(np.exp(rng.uniform(np.log(42), np.log(260))))
    width = int(height * face.shape[1] / face.shape[0] * rng.uniform(0.94, 1.06))
    pad = int(0.15 * height)
    canvas = scenery.patch(rng, width + 2 * pad, height + 2 * pad)
    box = np.array([[pad, pad], [pad + width, pad], [pad + width, pad + height], [pad, pad + height]], np.float32)
    above = other is not None and rng.random() < covered
    if other is not None and not above:
        turned = _turn(box, rng.normal(0, 0.5), rng.normal(0, 0.15, 2) * height)
        lay(canvas, smaller(other, height), turned, shade=rng.uniform(0, 0.4), rng=rng)
    truth = (box + rng.normal(0, 0.02, (4, 2)) * height).astype(np.float32)
    truth = _turn(truth, rng.normal(0, 0.25) if rng.random() < 0.5 else 0.0, np.zeros(2))
    lay(canvas, worn(rng, smaller(face, height)), truth, shade=rng.uniform(0, 0.5), rng=rng)
    if other is not None and above:
        away = np.array([rng.uniform(0.2, 0.9) * width, rng.uniform(0.25, 0.85) * height]) * rng.choice([-1, 1])
        lay(canvas, smaller(other, height), _turn(box, rng.normal(0, 0.3), away), shade=rng.uniform(0, 0.5), rng=rng)
    if rng.random() < 0.2:
        draw_fingers(rng, canvas, truth)
    if rng.random() < 0.35:  # seen from the side: it is less tall, or less wide, than it is printed
        flat = rng.uniform(0.4, 1)
        squeeze = np.array([1, flat] if rng.random() < 0.7 else [flat, 1])
        size = np.maximum(np.round(squeeze * canvas.shape[1::-1]), 16).astype(int)
        truth = (truth * size / canvas.shape[1::-1]).astype(np.float32)
        canvas = np.asarray(cv2.resize(canvas, (size[0], size[1]), interpolation=cv2.INTER_AREA), np.uint8)
    picture = photographed(rng, canvas)
    return _flatten(rng, yellowed(rng, picture) if rng.random() < 0.12 else picture, truth, loose=0.022)


def yellowed(rng: Rng, picture: Image) -> Image:
    """The picture under a lamp so warm that white paper is yellow or orange."""
    light = np.array([rng.uniform(0.3, 0.75), rng.uniform(0.7, 0.98), rng.uniform(0.9, 1.1)])
    table = np.clip(np.arange(256)[:, None] * light, 0, 255).astype(np.uint8)
    return np.stack([table[:, channel][picture[..., channel]] for channel in range(3)], axis=2)


def photo_view(rng: Rng, photo: Image, quad: Quad, loose: float = 0.02) -> Image:
    """A card in a real photo as the reader would get it, a little different each time."""
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 12, 0)
    high = np.ceil(quad.max(axis=0)).astype(int) + 12
    part = photo[low[1] : high[1], low[0] : high[0]]
    corners = (quad - low).astype(np.float32)
    tall = float(np.linalg.norm(corners[3] - corners[0]))
    wanted = np.exp(rng.uniform(np.log(55), np.log(280)))
    scale = min(1.0, wanted / max(tall, 1))
    if scale < 1:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        corners = (corners * scale).astype(np.float32)
    part = photographed(rng, part, gentle=True)
    if rng.random() < 0.06:
        part = yellowed(rng, part)
    return _flatten(rng, part, corners, loose=loose)


def no_card(rng: Rng, scenery: Scenery, face: NDArray[np.uint8]) -> Image:
    """Something the outline finder may offer that is no card, or a card cut wrongly."""
    kind = rng.random()
    width, height = SIZE
    if kind < 0.4:  # a wrong piece of a card, or a card on its side
        tall = int(np.exp(rng.uniform(np.log(50), np.log(200))))
        face = smaller(face, tall)
        wide = int(tall * face.shape[1] / face.shape[0])
        canvas = scenery.patch(rng, int(1.7 * wide), int(1.7 * tall))
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        box = ((unit + 0.35) * np.array([wide, tall])).astype(np.float32)
        if rng.random() < 0.5:
            lay(canvas, face, (box + rng.normal(0, 0.3, 2) * [wide, tall]).astype(np.float32), 0.2, rng)
        lay(canvas, worn(rng, face), box.astype(np.float32), 0.3, rng)
        canvas = photographed(rng, canvas)
        centre = box.mean(axis=0)
        wrong = rng.random()
        if wrong < 0.3:
            cut = np.roll(box, int(rng.choice([1, 3])), axis=0)
        elif wrong < 0.65:  # the frame inside a face, or less
            low, high = rng.uniform(0.14, 0.45, 2), rng.uniform(0.55, 0.86, 2)
            if rng.random() < 0.5:
                low[1], high[1] = rng.uniform(0, 0.3), rng.uniform(0.35, 0.6)
                if rng.random() < 0.5:
                    low[1], high[1] = 1 - high[1], 1 - low[1]
            unit = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
            cut = box[0] + unit * [wide, tall]
        elif wrong < 0.85:  # shifted by a good part of a card
            shift = rng.uniform(0.25, 0.6, 2) * rng.choice([-1, 1], 2) * [wide, tall]
            cut = box + shift * (rng.random(2) < 0.7)
            if np.abs(cut - box).max() < 0.2 * wide:
                cut = box + np.array([0.4 * wide, 0])
        else:
            cut = centre + (box - centre) * rng.uniform(1.3, 1.8)
        return _flatten(rng, canvas, cut.astype(np.float32), loose=0.02)
    picture = scenery.patch(rng, width, height)
    if kind < 0.55:
        return photographed(rng, picture)
    if kind < 0.65:
        picture = patterned(rng, scenery)
    elif kind < 0.8:
        draw_paper(rng, picture)
    else:
        draw_foreign_card(rng, picture, scenery)
    return photographed(rng, picture)


def patterned(rng: Rng, scenery: Scenery) -> Image:
    """A piece of printed pattern with no rim of its own, at times with a number or a picture: a bank note, a packet."""
    width, height = SIZE
    back = made_up_back(rng)[..., :3]
    low, high = rng.uniform(0.06, 0.4, 2), rng.uniform(0.6, 0.94, 2)
    size = np.array(back.shape[:2])
    rows, columns = (slice(int(a), int(b)) for a, b in zip(low * size, high * size, strict=True))
    picture = np.asarray(cv2.resize(back[rows, columns], (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    picture = worn(rng, np.dstack([picture, np.full((height, width), 255, np.uint8)]))[..., :3].copy()
    if rng.random() < 0.5:
        mask = np.zeros((height, width), np.uint8)
        middle = (int(rng.uniform(0.3, 0.7) * width), int(rng.uniform(0.2, 0.8) * height))
        cv2.ellipse(mask, middle, (int(rng.uniform(15, 50)), int(rng.uniform(20, 60))), 0, 0, 360, 255, -1)
        picture[mask > 0] = scenery.patch(rng, width, height)[mask > 0]
    if rng.random() < 0.6:
        number = str(rng.choice(["5", "10", "20", "50", "100", "2", "R$", "1"]))
        place = (int(rng.uniform(0, 0.6) * width), int(rng.uniform(0.15, 1) * height))
        ink = [float(v) for v in rng.uniform(0, 255, 3)]
        cv2.putText(picture, number, place, int(rng.integers(0, 5)), rng.uniform(0.6, 2), ink, 2, cv2.LINE_AA)
    if rng.random() < 0.4:
        picture = np.asarray(cv2.resize(np.rot90(picture), (width, height)), np.uint8)
    return picture


def _flatten(rng: Rng, picture: Image, quad: Quad, loose: float) -> Image:
    """`quad` with corners as loose as the finder's, rectified."""
    tall = float(np.linalg.norm(quad[3] - quad[0]))
    sloppy = loose * (2.5 if rng.random() < 0.2 else 1)
    corners = quad + rng.normal(0, sloppy, (4, 2)) * tall
    corners += rng.normal(0, sloppy * 0.7, 2) * tall
    centre = corners.mean(axis=0)
    corners = centre + (corners - centre) * (1 + rng.normal(0, sloppy))
    return rectify(picture, corners.astype(np.float32), SIZE, MARGIN)


def _turn(quad: Quad, angle: float, shift: NDArray[np.float64]) -> Quad:
    centre = quad.mean(axis=0)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((quad - centre) @ spin.T + centre + shift, np.float32)
