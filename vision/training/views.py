"""What might a rectified card look like to the reader, and what might a thing that is no card look like?

Everything is drawn from the generator passed in, so a seed gives the same views on every run.
"""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import Image, Quad
from vision.reader import MARGIN, SIZE

Rng = np.random.Generator


class Scenery:
    """Table tops and other surroundings to lay cards on."""

    def __init__(self, root: Path) -> None:
        self.textures: list[Image] = []
        folders = ["ambientcg-previews-fabien", "ambientcg-previews-kikonen", "gimp-patterns", "sweethome3d-textures"]
        for folder in folders:
            for path in sorted((root / "data" / "scenery" / folder).rglob("*")):
                if path.suffix.lower() not in {".jpg", ".png", ".webp"}:
                    continue
                picture = cv2.imread(str(path))
                if picture is not None and min(picture.shape[:2]) >= 64:
                    scale = 320 / min(picture.shape[:2])
                    if scale < 1:
                        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                    self.textures.append(np.asarray(picture, np.uint8))

    def patch(self, rng: Rng, width: int, height: int) -> Image:
        """A piece of some surface, of the size asked for."""
        if rng.random() < 0.3 or not self.textures:
            base = rng.uniform(0, 255, 3)
            if rng.random() < 0.5:
                base[:] = base.mean() + rng.normal(0, 12, 3)
            ramp = np.linspace(-1, 1, width)[None, :, None] * rng.normal(0, 15)
            return np.clip(base + ramp + np.zeros((height, width, 3)), 0, 255).astype(np.uint8)
        texture = self.textures[rng.integers(len(self.textures))]
        side = int(rng.uniform(0.25, 1) * min(texture.shape[:2]))
        y = rng.integers(texture.shape[0] - side + 1)
        x = rng.integers(texture.shape[1] - side + 1)
        part = texture[y : y + side, x : x + side]
        if rng.random() < 0.5:
            part = np.rot90(part)
        return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def drawn_view(rng: Rng, face: NDArray[np.uint8], scenery: Scenery, beneath: NDArray[np.uint8] | None) -> Image:
    """A drawn face (BGRA) as the reader would get it from a photo: `(196, 136, 3)` BGR.

    `beneath`: another face that lies under it, as in a pile.
    """
    height = int(np.exp(rng.uniform(np.log(42), np.log(260))))
    width = int(height * face.shape[1] / face.shape[0] * rng.uniform(0.94, 1.06))
    pad = int(0.15 * height)
    canvas = scenery.patch(rng, width + 2 * pad, height + 2 * pad)
    box = np.array([[pad, pad], [pad + width, pad], [pad + width, pad + height], [pad, pad + height]], np.float32)
    if beneath is not None:
        turned = _turn(box, rng.normal(0, 0.5), rng.normal(0, 0.15, 2) * height)
        _lay(canvas, _smaller(beneath, height), turned, shade=rng.uniform(0, 0.4), rng=rng)
    truth = (box + rng.normal(0, 0.02, (4, 2)) * height).astype(np.float32)
    truth = _turn(truth, rng.normal(0, 0.25) if rng.random() < 0.5 else 0.0, np.zeros(2))
    _lay(canvas, worn(rng, _smaller(face, height)), truth, shade=rng.uniform(0, 0.5), rng=rng)
    if rng.random() < 0.2:
        _fingers(rng, canvas, truth)
    return _flatten(rng, photographed(rng, canvas), truth, loose=0.022)


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
    return _flatten(rng, part, corners, loose=loose)


def no_card(rng: Rng, scenery: Scenery, face: NDArray[np.uint8]) -> Image:
    """Something the outline finder may offer that is no card, or a card cut wrongly."""
    kind = rng.random()
    width, height = SIZE
    if kind < 0.4:  # a wrong piece of a card, or a card on its side
        tall = int(np.exp(rng.uniform(np.log(50), np.log(200))))
        face = _smaller(face, tall)
        wide = int(tall * face.shape[1] / face.shape[0])
        canvas = scenery.patch(rng, int(1.7 * wide), int(1.7 * tall))
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        box = ((unit + 0.35) * np.array([wide, tall])).astype(np.float32)
        if rng.random() < 0.5:
            _lay(canvas, face, (box + rng.normal(0, 0.3, 2) * [wide, tall]).astype(np.float32), 0.2, rng)
        _lay(canvas, worn(rng, face), box.astype(np.float32), 0.3, rng)
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
    if kind < 0.75:
        _paper(rng, picture)
    else:
        _foreign_card(rng, picture, scenery)
    return photographed(rng, picture)


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


def worn(rng: Rng, face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The face with another printing's ink and paper: hue, strength, and yellowed stock; sometimes upside down."""
    colour = face[..., :3].astype(np.float32)
    grey = colour.mean(axis=2, keepdims=True)
    colour = grey + (colour - grey) * rng.uniform(0.6, 1.15)
    colour = 255 - (255 - colour) * rng.uniform(0.75, 1.05)
    colour *= (1 - rng.uniform(0, 0.12) * np.array([1.0, 0.35, 0.1])).astype(np.float32)
    made = np.dstack([np.clip(colour, 0, 255).astype(np.uint8), face[..., 3]])
    return np.ascontiguousarray(made[::-1, ::-1]) if rng.random() < 0.5 else made


def photographed(rng: Rng, picture: Image, gentle: bool = False) -> Image:
    """The picture through a camera: light, glare, shadow, blur, noise, compression."""
    height, width = picture.shape[:2]
    ys = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
    xs = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None]
    lamp = np.ones((height, width), np.float32)
    if rng.random() < (0.3 if gentle else 0.6):  # uneven lamp
        angle, depth = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.7)
        lamp += xs * np.float32(np.cos(angle) * depth) + ys * np.float32(np.sin(angle) * depth)
    if rng.random() < 0.25:  # a shadow with an edge
        angle, sharp = rng.uniform(0, 2 * np.pi), rng.uniform(10, 120)
        side = (xs - rng.uniform(-0.3, 0.3)) * np.cos(angle) + (ys - rng.uniform(-0.3, 0.3)) * np.sin(angle)
        lamp *= 1 - np.float32(rng.uniform(0.15, 0.55)) / (1 + np.exp(-np.clip(side * sharp, -30, 30)))
    warm = rng.normal(0, 0.08 if gentle else 0.13)
    tint = np.array([1 - 1.2 * warm, 1 + rng.normal(0, 0.03), 1 + warm])
    gain = np.exp(rng.normal(-0.12, 0.22 if gentle else 0.33))
    levels = np.arange(256)[:, None] * tint * gain / 255
    levels = 255 * np.clip(levels, 0, 1.3) ** np.exp(rng.normal(0, 0.18))
    levels = (levels - 128) * rng.uniform(0.65, 1.15) + 128 + rng.normal(0, 10)
    table = np.clip(levels, 0, 320).astype(np.float32)
    light = np.stack([table[:, c][picture[..., c]] for c in range(3)], axis=2) * lamp[..., None]
    if rng.random() < 0.2:  # lamp glare
        spread = rng.uniform(0.05, 0.25)
        far = (xs - rng.uniform(-0.5, 0.5)) ** 2 + ((ys - rng.uniform(-0.5, 0.5)) * rng.uniform(0.5, 1.5)) ** 2
        light += (np.exp(-far / np.float32(spread**2)) * np.float32(rng.uniform(60, 260)))[..., None]
    if rng.random() < 0.7:
        light += rng.standard_normal((height, width, 3), np.float32) * np.float32(rng.uniform(1, 9))
    picture = np.clip(light, 0, 255).astype(np.uint8)
    blur = rng.random()
    if blur < 0.4:
        spread = rng.uniform(0.3, 1.4) if rng.random() < 0.7 else rng.uniform(1.2, 2.6)
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), spread * (height / 200) ** 0.7), np.uint8)
    elif blur < 0.55:
        length = int(rng.integers(2, 6 if gentle else 9))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        middle = (length - 1) / 2
        tip = (middle * np.cos(angle), middle * np.sin(angle))
        start = (round(middle - tip[0]), round(middle - tip[1]))
        cv2.line(kernel, start, (round(middle + tip[0]), round(middle + tip[1])), 1.0)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)
    if rng.random() < 0.5:
        coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])[1]
        picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _flatten(rng: Rng, picture: Image, quad: Quad, loose: float) -> Image:
    """`quad` with corners as loose as the finder's, rectified."""
    from vision.quads import rectify

    tall = float(np.linalg.norm(quad[3] - quad[0]))
    sloppy = loose * (2.5 if rng.random() < 0.2 else 1)
    corners = quad + rng.normal(0, sloppy, (4, 2)) * tall
    corners += rng.normal(0, sloppy * 0.7, 2) * tall
    centre = corners.mean(axis=0)
    corners = centre + (corners - centre) * (1 + rng.normal(0, sloppy))
    return rectify(picture, corners.astype(np.float32), SIZE, MARGIN)


def _smaller(face: NDArray[np.uint8], tall: float) -> NDArray[np.uint8]:
    """The face halved until it is less than twice as tall as it will be drawn."""
    while face.shape[0] > 2 * tall and min(face.shape[:2]) > 16:
        face = np.asarray(cv2.pyrDown(face), np.uint8)
    return face


def _turn(quad: Quad, angle: float, shift: NDArray[np.float64]) -> Quad:
    centre = quad.mean(axis=0)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((quad - centre) @ spin.T + centre + shift, np.float32)


def _lay(canvas: Image, face: NDArray[np.uint8], quad: Quad, shade: float, rng: Rng) -> None:
    """Draws a BGRA face onto the canvas with its corners at `quad`, and a soft shadow."""
    height, width = face.shape[:2]
    box = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    tall = float(np.linalg.norm(quad[3] - quad[0]))
    matrix = cv2.getPerspectiveTransform(box, quad.astype(np.float32))
    flat = cv2.warpPerspective(face, matrix, (canvas.shape[1], canvas.shape[0]), flags=cv2.INTER_LINEAR)
    alpha = flat[..., 3:].astype(np.float32) / 255
    if shade > 0:
        offset = rng.normal(0, 0.012, 2) * tall
        moved = cv2.warpAffine(alpha, np.array([[1, 0, offset[0]], [0, 1, offset[1]]]), canvas.shape[1::-1])
        soft = cv2.GaussianBlur(moved, (0, 0), 0.5 + 0.012 * tall)
        canvas[:] = canvas * (1 - np.float32(shade) * soft[..., None])
    canvas[:] = canvas * (1 - alpha) + flat[..., :3] * alpha


def _fingers(rng: Rng, canvas: Image, quad: Quad) -> None:
    """Skin over an edge of the card, seldom over both indices."""
    skin = rng.choice([[120, 160, 225], [90, 130, 200], [60, 90, 150], [40, 60, 100], [150, 180, 235]])
    tall = float(np.linalg.norm(quad[3] - quad[0]))
    side = int(rng.integers(4))
    for _ in range(int(rng.integers(1, 4))):
        share = rng.uniform(0.2, 0.8)
        root = quad[side] * (1 - share) + quad[(side + 1) % 4] * share
        centre = root + (quad.mean(axis=0) - root) * rng.uniform(-0.1, 0.3)
        tint = np.clip(skin + rng.normal(0, 10, 3), 0, 255)
        axes = (int(tall * rng.uniform(0.08, 0.18)), int(tall * rng.uniform(0.04, 0.07)))
        towards = quad.mean(axis=0) - root
        angle = float(np.degrees(np.arctan2(towards[1], towards[0]))) + rng.normal(0, 20)
        place = (int(centre[0]), int(centre[1]))
        cv2.ellipse(canvas, place, axes, angle, 0, 360, [float(v) for v in tint], -1, cv2.LINE_AA)


def _paper(rng: Rng, picture: Image) -> None:
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


def _foreign_card(rng: Rng, picture: Image, scenery: Scenery) -> None:
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
