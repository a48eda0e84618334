"""What do printed things look like: worn cards, made-up backs, papers, cards of other games?"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.quads import Image, Quad
from vision.synthetic.scenery import Rng, Scenery


def worn(rng: Rng, face: NDArray[np.uint8], turn: bool = True) -> NDArray[np.uint8]:
    """The face in another printing: hue, strength of ink, yellowed stock; with `turn` at times upside down."""
    colour = face[..., :3].astype(np.float32)
    grey = colour.mean(axis=2, keepdims=True)
    colour = grey + (colour - grey) * rng.uniform(0.6, 1.15)
    colour = 255 - (255 - colour) * rng.uniform(0.75, 1.05)
    colour *= (1 - rng.uniform(0, 0.12) * np.array([1.0, 0.35, 0.1])).astype(np.float32)
    made = np.dstack([np.clip(colour, 0, 255).astype(np.uint8), face[..., 3]])
    return np.ascontiguousarray(made[::-1, ::-1]) if turn and rng.random() < 0.5 else made


def made_up_back(rng: Rng) -> NDArray[np.uint8]:
    """A card back nobody printed yet, as BGRA."""
    width, height = 240, int(rng.uniform(320, 372))
    picture = np.full((height, width, 3), rng.uniform(225, 255), np.uint8)
    edge = int(rng.choice([9, 13, 18]))
    ink = rng.choice([[40, 40, 190], [150, 60, 30], [30, 30, 30], [60, 120, 30], [120, 40, 120]]).astype(np.float32)
    ys, xs = np.mgrid[0 : height - 2 * edge, 0 : width - 2 * edge].astype(np.float32)
    pitch = rng.uniform(5, 30)
    pattern = {
        0: np.sin(xs / pitch * 3) * np.sin(ys / pitch * 3),
        1: np.sin((xs + ys) / pitch * 2) * np.sin((xs - ys) / pitch * 2),
        2: np.sin(np.hypot(xs - xs.mean(), ys - ys.mean()) / pitch * 3),
    }[int(rng.integers(3))]
    level = np.clip(pattern * rng.uniform(0.5, 4) + rng.normal(0, 0.3), -1, 1)[..., None] * 0.5 + 0.5
    picture[edge : height - edge, edge : width - edge] = ink * level + 240 * (1 - level)
    if rng.random() < 0.4:
        centre = (width // 2, height // 2)
        cv2.circle(picture, centre, int(rng.uniform(20, 80)), [float(v) for v in rng.uniform(0, 255, 3)], -1)
    return np.dstack([picture, np.full((height, width), 255, np.uint8)])


def smaller(face: NDArray[np.uint8], tall: float) -> NDArray[np.uint8]:
    """The face halved until it is less than twice as tall as it will be drawn."""
    while face.shape[0] > 2 * tall and min(face.shape[:2]) > 16:
        face = np.asarray(cv2.pyrDown(face), np.uint8)
    return face


def lay(canvas: Image, face: NDArray[np.uint8], quad: Quad, shade: float, rng: Rng) -> None:
    """Draws a BGRA face onto the canvas with its corners at `quad`, and a soft shadow."""
    height, width = face.shape[:2]
    box = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    tall = float(np.linalg.norm(quad[3] - quad[0]))
    offset = rng.normal(0, 0.012, 2) * tall if shade > 0 else np.zeros(2)
    spread = 0.5 + 0.012 * tall
    rim = int(4 * spread + np.abs(offset).max()) + 2
    low = np.clip(np.floor(quad.min(axis=0)).astype(int) - rim, 0, None)
    high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + rim, canvas.shape[1::-1])
    if (high <= low).any():
        return
    part = canvas[low[1] : high[1], low[0] : high[0]]
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    matrix = cv2.getPerspectiveTransform(box, (quad - low).astype(np.float32))
    flat = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_LINEAR)
    alpha = flat[..., 3:].astype(np.float32) / 255
    if shade > 0:
        moved = cv2.warpAffine(alpha, np.array([[1, 0, offset[0]], [0, 1, offset[1]]]), size)
        soft = cv2.GaussianBlur(moved, (0, 0), spread)
        part[:] = part * (1 - np.float32(shade) * soft[..., None])
    part[:] = part * (1 - alpha) + flat[..., :3] * alpha


def bent(rng: Rng, face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The face on a card that is a little curled: its long or short sides bow by up to 3 % of its height."""
    height, width = face.shape[:2]
    bow = rng.uniform(-0.03, 0.03) * height
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    if rng.random() < 0.5:
        ys += np.float32(bow) * np.sin(np.pi * xs / width)
    else:
        xs += np.float32(bow) * np.sin(np.pi * ys / height)
    return np.asarray(cv2.remap(face, xs, ys, cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0)), np.uint8)


def glossy(rng: Rng, face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The face with the streak a lamp leaves on varnish or on a plastic sleeve."""
    height, width = face.shape[:2]
    ys, xs = np.mgrid[-0.5 : 0.5 : height * 1j, -0.5 : 0.5 : width * 1j].astype(np.float32)
    angle = rng.uniform(0, np.pi)
    far = xs * np.float32(np.cos(angle)) + ys * np.float32(np.sin(angle)) - np.float32(rng.uniform(-0.5, 0.5))
    streak = np.exp(-((far / np.float32(rng.uniform(0.03, 0.2))) ** 2)) * np.float32(rng.uniform(0.2, 0.9))
    shine = face[..., :3] * (1 - streak[..., None]) + 255 * streak[..., None]
    return np.dstack([shine.astype(np.uint8), face[..., 3]])


def draw_paper(rng: Rng, picture: Image) -> None:
    """Text lines, boxes, screens: paper, phones, packets."""
    height, width = picture.shape[:2]
    dark = rng.random() < 0.3
    paper = rng.uniform(10, 70, 3) if dark else rng.uniform(190, 255, 3)
    if rng.random() < 0.8:
        picture[:] = paper
    for _ in range(int(rng.integers(0, 25))):
        ink = [float(v) for v in rng.uniform(0, 255, 3)] if rng.random() < 0.3 else [30.0, 30.0, 30.0]
        x, y = int(rng.uniform(-10, width)), int(rng.uniform(0, height))
        what = rng.random()
        if what < 0.7:
            letters = "".join(
                rng.choice(list("abcdefghijklmnopqrstuvwxyz     ABCDEFGHIJKLM0123456789"), int(rng.integers(1, 14)))
            )
            cv2.putText(
                picture, letters, (x, y), int(rng.integers(0, 4)), rng.uniform(0.2, 1.6), ink, 1 + int(rng.integers(2))
            )
        elif what < 0.85:
            cv2.rectangle(picture, (x, y), (x + int(rng.uniform(5, 80)), y + int(rng.uniform(3, 60))), ink, -1)
        else:
            cv2.line(picture, (0, y), (width, y + int(rng.normal(0, 8))), ink, 1)


def draw_foreign_card(rng: Rng, picture: Image, scenery: Scenery) -> None:
    """Cards of other games: a frame with a picture and text, shapes without an index, bank notes."""
    height, width = picture.shape[:2]
    picture[:] = rng.uniform(170, 255, 3) if rng.random() < 0.6 else scenery.patch(rng, width, height)
    kind = rng.random()
    if kind < 0.45:
        frame = [float(v) for v in rng.uniform(0, 200, 3)]
        cv2.rectangle(picture, (0, 0), (width, height), frame, int(rng.integers(4, 22)))
        top, bottom = int(height * rng.uniform(0.08, 0.2)), int(height * rng.uniform(0.45, 0.7))
        left = int(rng.uniform(8, 20))
        picture[top:bottom, left : width - left] = scenery.patch(rng, width - 2 * left, bottom - top)
        for y in range(bottom + 12, height - 8, int(rng.uniform(7, 14))):
            letters = "".join(rng.choice(list("abcdefghi jklmnop qrstuv wxyz"), int(rng.integers(6, 22))))
            cv2.putText(picture, letters, (left, y), 0, rng.uniform(0.22, 0.4), (20.0, 20.0, 20.0), 1)
        cv2.putText(picture, "Name of it"[: int(rng.integers(3, 10))], (left, top - 3), 2, 0.4, (10.0, 10.0, 10.0), 1)
    elif kind < 0.75:
        count = int(rng.integers(1, 4))
        ink = [float(v) for v in rng.choice([[60, 60, 220], [60, 160, 60], [150, 50, 120]])]
        shape, fill = int(rng.integers(3)), int(rng.choice([-1, 1, 2]))
        for i in range(count):
            y = int(height * (i + 1) / (count + 1))
            centre = (width // 2, y)
            if shape == 0:
                cv2.ellipse(picture, centre, (int(width * 0.3), int(height * 0.09)), 0, 0, 360, ink, fill, cv2.LINE_AA)
            elif shape == 1:
                corners = np.array(
                    [[width * 0.2, y], [width / 2, y - height * 0.09], [width * 0.8, y], [width / 2, y + height * 0.09]]
                )
                cv2.polylines(picture, [corners.astype(np.int32)], True, ink, 2, cv2.LINE_AA)
                if fill < 0:
                    cv2.fillPoly(picture, [corners.astype(np.int32)], ink, cv2.LINE_AA)
            else:
                wave = [[width * (0.2 + 0.6 * t), y + height * 0.05 * np.sin(6.28 * t)] for t in np.linspace(0, 1, 20)]
                cv2.polylines(picture, [np.array(wave, np.int32)], False, ink, int(height * 0.09), cv2.LINE_AA)
        if rng.random() < 0.5:
            picture[:] = cv2.resize(np.rot90(picture), (width, height))
    else:
        tint = rng.uniform(80, 230, 3)
        picture[:] = 0.5 * scenery.patch(rng, width, height) + 0.5 * tint
        number = str(rng.choice([5, 10, 20, 50, 100, 1, 2, 500]))
        ink = [float(v) for v in tint * 0.4]
        for place in ((5, 40), (width - 60, height - 10)):
            cv2.putText(picture, number, place, int(rng.integers(0, 4)), rng.uniform(0.7, 1.6), ink, 2, cv2.LINE_AA)
        if rng.random() < 0.7:
            picture[:] = cv2.resize(np.rot90(picture), (width, height))
