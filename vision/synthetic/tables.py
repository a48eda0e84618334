"""What do whole tables look like, and where exactly lies every card on them?

A seed gives the same table on every run. Cards lie on a plane seen by a tilted camera; the picture then goes through
`camera.photographed`.
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.faces import BACK
from vision.look.quads import Image, Quad, signed_area
from vision.synthetic import decks
from vision.synthetic.camera import photographed
from vision.synthetic.prints import (
    bent,
    draw_foreign_card,
    draw_paper,
    glossy,
    lay,
    made_up_back,
    smaller,
    worn,
)
from vision.synthetic.scenery import Rng, Scenery, draw_arm, draw_fingers

CARD = (0.7, 1.0)
"""Width and height of a card on the table's plane; decks differ and are drawn as they are."""
INDEX = (0.2, 0.26)
"""Share of a card's width and height that its index takes at the top-left and bottom-right."""
WHOLE = 0.985
"""From this visible share on, a card counts as whole."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidCard:
    """One card on a synthetic table: the exact truth.

    Attributes:
        card: table notation or `back`.
        quad: `(4, 2)` float32 pixels, clockwise from the card's own top-left; may reach outside the picture.
        visible: share of the card that is in the picture and not covered.
        indices: share of the top-left and of the bottom-right index that can be seen.
    """

    card: str
    quad: Quad
    visible: float
    indices: tuple[float, float]

    @property
    def whole(self) -> bool:
        """Whether nothing lies on it and all of it is in the picture."""
        return self.visible >= WHOLE


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A picture of a table (`(h, w, 3)` uint8 BGR) and its cards, the lowest first."""

    image: Image
    cards: tuple[LaidCard, ...]


class Tables:
    """Draws tables from the shared decks and scenery.

    Args:
        root: the folder of shared data.
        names: the decks to use; all when None.
        size: width and height of the pictures in pixels.
    """

    def __init__(self, root: Path, names: set[str] | None = None, size: tuple[int, int] = (640, 480)) -> None:
        self.size = size
        self.scenery = Scenery(root)
        self.decks: dict[str, list[decks.Face]] = {}
        for face in decks.faces(root):
            if names is None or face.deck in names:
                self.decks.setdefault(face.deck, []).append(face)

    def draw(self, seed: int) -> Table:
        """Table number `seed`."""
        rng = np.random.default_rng(seed)
        width, height = self.size
        view = _camera(rng, width, height)
        image = self._ground(rng, view)
        for _ in range(int(rng.choice([0, 0, 1, 2]))):
            self._clutter(rng, image, view)
        deck = self._deck(rng)
        places = _layout(rng)
        owner = np.zeros((height, width), np.uint8)
        names, quads = [], []
        back = made_up_back(rng)
        for number, (x, y, angle) in enumerate(places, start=1):
            face = deck[rng.integers(len(deck))]
            card, picture = (BACK, back) if rng.random() < 0.08 else (face.card, face.picture())
            shape = (CARD[1] * picture.shape[1] / picture.shape[0], CARD[1])
            quad = _seen(view, _placed(shape, x, y, angle))
            tall = float(np.linalg.norm(quad[3] - quad[0]))
            picture = smaller(picture, tall)
            upside_down = rng.random() < 0.5
            drawn = np.ascontiguousarray(picture[::-1, ::-1]) if upside_down else picture
            drawn = worn(rng, drawn, turn=False)
            drawn = bent(rng, drawn) if rng.random() < 0.2 else drawn
            drawn = glossy(rng, drawn) if rng.random() < 0.15 else drawn
            lay(image, drawn, quad, shade=rng.uniform(0, 0.5), rng=rng)
            cv2.fillConvexPoly(owner, np.round(quad).astype(np.int32), number)
            names.append(card)
            quads.append(np.roll(quad, 2, axis=0) if upside_down else quad)
        if rng.random() < 0.2 and quads:
            before = image.copy()
            (draw_arm if rng.random() < 0.5 else draw_fingers)(rng, image, quads[-1])
            owner[np.abs(image.astype(int) - before).max(axis=2) > 12] = 255
        cards = tuple(
            LaidCard(name, quad, *_visible(owner, quad, number))
            for number, (name, quad) in enumerate(zip(names, quads, strict=True), start=1)
        )
        return Table(photographed(rng, image), tuple(card for card in cards if card.visible > 0.02))

    def _deck(self, rng: Rng) -> list[decks.Face]:
        names = sorted(self.decks)
        faces = [face for face in self.decks[names[rng.integers(len(names))]] if face.card != BACK]
        order = rng.permutation(len(faces))
        return [faces[i] for i in order]

    def _ground(self, rng: Rng, view: NDArray[np.float64]) -> Image:
        """The table top in perspective, with a wall or floor beyond it."""
        width, height = self.size
        flat = self.scenery.patch(rng, 512, 512)
        span = rng.uniform(3, 8)
        corners = _seen(view, np.array([[-span, -span], [span, -span], [span, span], [-span, span]]))
        matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [512, 0], [512, 512], [0, 512]], np.float32), corners)
        beyond = self.scenery.patch(rng, width, height)
        cv2.warpPerspective(flat, matrix, (width, height), dst=beyond, borderMode=cv2.BORDER_TRANSPARENT)
        return np.asarray(beyond, np.uint8)

    def _clutter(self, rng: Rng, image: Image, view: NDArray[np.float64]) -> None:
        """Papers, phones, bank notes and cards of other games beside or under the cards."""
        thing = np.full((300, 210, 4), 255, np.uint8)
        inner = np.ascontiguousarray(self.scenery.patch(rng, 210, 300))
        if rng.random() < 0.5:
            draw_paper(rng, inner)
        else:
            draw_foreign_card(rng, inner, self.scenery)
        thing[..., :3] = inner
        side = rng.uniform(0.6, 2.5)
        shape = (side * rng.uniform(0.5, 0.9), side)
        quad = _seen(view, _placed(shape, rng.normal(0, 2), rng.normal(0, 1.5), rng.uniform(0, 2 * np.pi)))
        if signed_area(quad) > 50:
            lay(image, thing, quad, shade=rng.uniform(0, 0.5), rng=rng)


def _camera(rng: Rng, width: int, height: int) -> NDArray[np.float64]:
    """The 3x3 homography from the table's plane (cards 1 tall) to pixels."""
    tilt = np.radians(rng.uniform(0, 60) if rng.random() < 0.6 else rng.uniform(0, 20))
    spin = rng.uniform(0, 2 * np.pi)
    focal = width * rng.uniform(0.8, 1.6)
    tall = height * np.exp(rng.uniform(np.log(0.12), np.log(0.95)))
    distance = focal / tall
    turn = np.array([[np.cos(spin), -np.sin(spin), 0], [np.sin(spin), np.cos(spin), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    pose = lean @ turn
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    shift = rng.normal(0, 0.08, 2) * [width, height] / tall
    plane = np.column_stack([pose[:, 0], pose[:, 1], [shift[0], shift[1], distance]])
    return np.asarray(lens @ plane, np.float64)


def _layout(rng: Rng) -> list[tuple[float, float, float]]:
    """Places of the cards on the plane, the lowest first: x, y, angle in radians."""
    kind = rng.choice(
        ["single", "pile", "row", "fan", "grid", "strewn", "none"], p=[0.2, 0.3, 0.13, 0.1, 0.1, 0.13, 0.04]
    )
    count = int(rng.integers(2, 13))
    turn = rng.uniform(0, 2 * np.pi)
    if kind == "none":
        return []
    if kind == "single":
        return [(rng.normal(0, 0.3), rng.normal(0, 0.3), turn)]
    if kind == "pile":
        spread = rng.uniform(0.01, 0.2)
        loose = rng.uniform(0.05, 1.0)
        return [(rng.normal(0, spread), rng.normal(0, spread), turn + rng.normal(0, loose)) for _ in range(count)]
    if kind == "row":
        step = rng.uniform(0.2, 1.0)
        return [((i - count / 2) * step, rng.normal(0, 0.03), rng.normal(0, 0.05)) for i in range(count)]
    if kind == "fan":
        open_ = rng.uniform(0.1, 0.3)
        angles = [(i - count / 2) * open_ for i in range(count)]
        return [(1.1 * np.sin(a), -1.1 * np.cos(a) + 1.1, a) for a in angles]
    if kind == "grid":
        wide = int(rng.integers(2, 5))
        return [((i % wide - wide / 2) * 0.8, (i // wide - 1) * 1.1, rng.normal(0, 0.04)) for i in range(count)]
    return [(rng.normal(0, 1.2), rng.normal(0, 0.9), rng.uniform(0, 2 * np.pi)) for _ in range(count)]


def _placed(shape: tuple[float, float], x: float, y: float, angle: float) -> NDArray[np.float64]:
    """Corners of a card of that width and height on the plane."""
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(shape) / 2
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(box @ spin.T + [x, y], np.float64)


def _seen(view: NDArray[np.float64], points: NDArray[np.float64]) -> Quad:
    """Points of the plane in pixels; what lies behind the camera is put at its edge."""
    there = np.column_stack([points, np.ones(len(points))]) @ view.T
    depth = np.maximum(there[:, 2:], 0.15)
    return np.asarray(there[:, :2] / depth, np.float32)


def _visible(owner: NDArray[np.uint8], quad: Quad, number: int) -> tuple[float, tuple[float, float]]:
    """Which share of the card, and of its two indices, shows."""
    w, h = INDEX
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
    corner = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    parts = [quad, *(cv2.perspectiveTransform(c[None], matrix)[0] for c in (corner, 1 - corner))]
    shares = []
    for part in parts:
        low = np.floor(part.min(axis=0)).astype(int)
        high = np.ceil(part.max(axis=0)).astype(int) + 1
        inside = np.zeros(tuple((high - low)[::-1]), np.uint8)
        cv2.fillConvexPoly(inside, np.round(part - low).astype(np.int32), 1)
        x0, y0 = np.maximum(low, 0)
        x1, y1 = np.maximum(np.minimum(high, owner.shape[::-1]), [x0, y0])
        shown = (owner[y0:y1, x0:x1] == number) & (inside[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]] > 0)
        shares.append(float(shown.sum()) / max(int(inside.sum()), 1))
    return shares[0], (shares[1], shares[2])
