"""What do the cards of UNO-like decks look like, from nothing, in as many styles as there are seeds?"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.fonts import Mask, glyph, some_font, stamp, thicker
from vision.synthetic.scenery import Rng

Picture = NDArray[np.uint8]
Ink = NDArray[np.float64]

HUES = {"r": (176, 188), "y": (21, 31), "g": (48, 82), "b": (95, 117)}
"""Hue of each colour in OpenCV's half degrees, from and to; red runs past 180."""
FAN = ((-0.2, 0.16), (-0.07, 0.01), (0.07, 0.05), (0.2, -0.13))
CLUSTER = ((-0.13, 0.03), (0.04, -0.15), (-0.04, 0.15), (0.13, -0.03))
"""Where the middles of the four cards on a wild draw four lie, in shares of the card's width from its middle."""
WHITE, BLACK = np.full(3, 250.0), np.full(3, 22.0)


def uno_card(rng: Rng, card: str, fonts: tuple[str, ...]) -> Picture:
    """The card (table notation) of a deck in a style of its own, as BGRA about 320 pixels tall."""
    return Style(rng, fonts).draw(card)


class Style:
    """One deck's style; every card drawn with it belongs to the same deck."""

    def __init__(self, rng: Rng, fonts: tuple[str, ...]) -> None:
        self._rng = rng
        self.width = 208
        self.height = int(self.width * rng.uniform(1.4, 1.62))
        self.colours = {name: _colour(rng, hues) for name, hues in HUES.items()}
        self.font, self.index_font = some_font(rng, fonts), some_font(rng, fonts)
        if rng.random() < 0.6:
            self.index_font = self.font
        self.rim = int(self.width * rng.choice([0.0, 0.045, 0.06, 0.075], p=[0.08, 0.2, 0.42, 0.3]))
        self.rim_ink = WHITE if rng.random() < 0.85 else BLACK
        self.oval = str(rng.choice(["white", "ring", "shade", "none"], p=[0.66, 0.12, 0.1, 0.12]))
        self.oval_size = (rng.uniform(0.3, 0.4), rng.uniform(0.52, 0.68))
        self.tilt = rng.uniform(15, 48) * (1 if rng.random() < 0.9 else -1)
        self.slant = rng.uniform(0, 0.25) if rng.random() < 0.6 else 0.0
        self.turned = rng.uniform(-25, 25) if rng.random() < 0.3 else 0.0
        self.outline = int(rng.integers(3, 9)) if rng.random() < 0.8 else 0
        self.shadow = rng.uniform(0.02, 0.1) if rng.random() < 0.6 else 0.0
        self.middle_tall = rng.uniform(0.24, 0.42)
        self.index_tall = rng.uniform(0.07, 0.125) if rng.random() < 0.85 else rng.uniform(0.13, 0.2)
        self.index_outline = int(rng.integers(3, 8)) if rng.random() < 0.7 else 0
        self.underlined = rng.random() < 0.85
        self.index_underlined = self.underlined and rng.random() < 0.9
        self.bar = rng.uniform(0, np.pi)
        self.thick = int(rng.integers(8, 14))
        self.order = "".join(rng.permutation(list("rbyg")))
        self.ringed = rng.random() < 0.5
        self.white_wild = rng.random() < 0.5
        self.spread = FAN if rng.random() < 0.5 else CLUSTER
        self.wild_index = str(rng.choice(["oval", "none", "W"], p=[0.6, 0.25, 0.15]))

    def draw(self, card: str) -> Picture:
        """One card of the deck."""
        wild = card[0] == "W"
        symbol = card[1:] if not wild else card
        ground = BLACK if wild else self.colours[card[0]]
        made = np.zeros((self.height, self.width, 4), np.uint8)
        _rounded(made, 0, self.width * 0.07, self.rim_ink if self.rim else ground)
        made[..., 3] = (made[..., 3] > 0) * 255
        if self.rim:
            _rounded(made, self.rim, self.width * 0.06, ground)
        self._oval(made, ground, wild, self.white_wild and symbol == "W+4")
        self._middle(made, symbol, ground)
        for side in (made, made[::-1, ::-1]):
            self._index(side, symbol, ground)
        return made

    def _oval(self, card: Picture, ground: Ink, wild: bool, white: bool) -> None:
        if self.oval == "none" and not wild:
            return
        centre = (self.width // 2, self.height // 2)
        axes = (int(self.oval_size[0] * self.width), int(self.oval_size[1] * self.width))
        board = np.zeros(card.shape[:2], np.uint8)
        cv2.ellipse(board, centre, axes, self.tilt, 0, 360, 255, -1, cv2.LINE_AA)
        inner = np.zeros((self.height, self.width), np.uint8)
        cv2.rectangle(inner, (self.rim, self.rim), (self.width - self.rim, self.height - self.rim), 255, -1)
        board = np.asarray(cv2.min(board, inner), np.uint8)
        if self.oval == "ring":
            cv2.ellipse(card, centre, axes, self.tilt, 0, 360, (250.0, 250.0, 250.0, 255.0), 4, cv2.LINE_AA)
            if not wild:
                return
        tint = ground * 0.75 if self.oval == "shade" else WHITE
        if not wild or white:
            _fill(card, board, WHITE if white else tint)
            return
        self._quarters(card, board, centre)

    def _quarters(self, card: Picture, board: Mask, centre: tuple[int, int]) -> None:
        """The four colours in an oval, around its centre."""
        ys, xs = np.mgrid[0 : board.shape[0], 0 : board.shape[1]]
        turn = np.radians(self.tilt)
        along = (xs - centre[0]) * np.cos(turn) + (ys - centre[1]) * np.sin(turn)
        across = -(xs - centre[0]) * np.sin(turn) + (ys - centre[1]) * np.cos(turn)
        if self.ringed:
            _fill(card, np.asarray(cv2.dilate(board, np.ones((9, 9), np.uint8)), np.uint8), WHITE)
        for number, name in enumerate(self.order):
            here = ((along > 0) == (number % 2 > 0)) & ((across > 0) == (number // 2 > 0))
            _fill(card, np.where(here, board, 0).astype(np.uint8), self.colours[name])

    def _middle(self, card: Picture, symbol: str, ground: Ink) -> None:
        centre = (self.width / 2, self.height / 2)
        tall = self.middle_tall * self.height
        light = self.oval in ("white",)
        ink = ground if light else WHITE
        if symbol == "W":
            if self._rng.random() < 0.15:
                self._print(card, glyph(self.font, "W"), centre, tall * 0.8, WHITE, self.outline)
            return
        if symbol in ("+2", "W+4"):
            if self._rng.random() < 0.25:
                self._print(card, glyph(self.font, symbol[-2:]), centre, tall * 0.8, WHITE, max(self.outline, 3))
                return
            names = self.order if symbol == "W+4" else None
            places = self.spread if names else ((-0.085, 0.085), (0.085, -0.085))
            for number, (x, y) in enumerate(places):
                place = (centre[0] + x * self.width, centre[1] + y * self.width)
                tint = self.colours[names[number]] if names else ground if light else WHITE
                sheet = np.full((96, 62), 255, np.uint8)
                angle, size = self.turned, self.height * (0.18 if names else 0.24)
                stamp(card, sheet, place, size * 1.16, BLACK, angle=angle, slant=0.15)
                stamp(card, sheet, place, size * 1.1, WHITE, angle=angle, slant=0.15)
                stamp(card, sheet, place, size * 0.92, tint, angle=angle, slant=0.15)
            return
        mask = self._symbol(symbol, self.font, self.underlined)
        flat = symbol == "R" and self._rng.random() < 0.5
        turn = self.turned + (45 if flat else 0)
        self._print(card, mask, centre, tall * (0.9 if symbol in "SR" else 1), ink, self.outline, turn)

    def _index(self, card: Picture, symbol: str, ground: Ink) -> None:
        tall = self.index_tall * self.height
        if symbol == "W":
            if self.wild_index == "oval":
                board = np.zeros(card.shape[:2], np.uint8)
                centre = (int(self.rim + 0.1 * self.width), int(self.rim + 0.1 * self.width))
                size = self.index_tall * self.height
                cv2.ellipse(board, centre, (int(0.35 * size), int(0.55 * size)), self.tilt, 0, 360, 255, -1)
                self._quarters(card, board, centre)
                return
            if self.wild_index == "none":
                return
        text = "+4" if symbol == "W+4" else symbol
        mask = self._symbol(text, self.index_font, self.index_underlined)
        if symbol in ("S", "R"):
            tall *= 0.9
        wide = tall * mask.shape[1] / mask.shape[0]
        if text in "69" and self.index_underlined:
            tall *= 1.2
        place = (self.rim + 0.035 * self.width + wide / 2, self.rim + 0.03 * self.width + tall / 2)
        self._print(card, mask, place, tall, WHITE, self.index_outline)

    def _symbol(self, symbol: str, font: str, underlined: bool) -> Mask:
        if symbol == "S":
            board = np.zeros((80, 80), np.uint8)
            tip = (round(28 * float(np.cos(self.bar))), round(28 * float(np.sin(self.bar))))
            cv2.circle(board, (40, 40), 30, 255, self.thick, cv2.LINE_AA)
            cv2.line(board, (40 - tip[0], 40 - tip[1]), (40 + tip[0], 40 + tip[1]), 255, self.thick, cv2.LINE_AA)
            return board[4:76, 4:76]
        if symbol == "R":
            return _arrows(self.thick + 4, self.bar)
        mask = glyph(font, symbol)
        if symbol in ("6", "9") and underlined:
            mask = np.asarray(cv2.copyMakeBorder(mask, 0, 20, 4, 4, cv2.BORDER_CONSTANT, value=0), np.uint8)
            mask[-10:] = 255
        return mask

    def _print(
        self, card: Picture, mask: Mask, place: tuple[float, float], tall: float, ink: Ink, outline: int,
        angle: float = 0.0,
    ) -> None:  # fmt: skip
        if outline:
            grown = thicker(mask, outline)
            size = tall * grown.shape[0] / mask.shape[0]
            edge = BLACK if (ink < 240).any() or self.shadow > 0.03 or self.outline > 4 else ink * 0.3
            if self.shadow:
                moved = (place[0] - self.shadow * tall, place[1] + self.shadow * tall)
                stamp(card, grown, moved, size, BLACK, angle=angle, slant=self.slant)
            stamp(card, grown, place, size, edge, angle=angle, slant=self.slant)
        stamp(card, mask, place, tall, ink, angle=angle, slant=self.slant)


def _arrows(thick: int, bend: float) -> Mask:
    """Two arrows that run past each other, slanting up to the right; some are hooked (`bend` over a half)."""
    board = np.zeros((104, 104), np.uint8)
    one = np.zeros_like(board)
    cv2.line(one, (36, 76), (36, 36), 255, thick, cv2.LINE_AA)
    if bend > 0.5:
        cv2.line(one, (36, 76), (48, 88), 255, thick, cv2.LINE_AA)
    cv2.fillPoly(one, [np.array([[36, 6], [12, 42], [60, 42]], np.int32)], 255, cv2.LINE_AA)
    board[:] = np.maximum(one, one[::-1, ::-1])
    turn = cv2.getRotationMatrix2D((51.5, 51.5), -38, 0.9)
    turned = cv2.warpAffine(board, turn, (104, 104))
    x, y, width, height = cv2.boundingRect(turned)
    return np.ascontiguousarray(turned[y : y + height, x : x + width], np.uint8)


def _colour(rng: Rng, hues: tuple[int, int]) -> Ink:
    yellow = hues[0] < 40
    low = 190 if yellow else 130
    pixel = np.array(
        [[[int(rng.uniform(*hues)) % 180, int(rng.uniform(170, 255)), int(rng.uniform(low, 250))]]], np.uint8
    )
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float64)


def _rounded(card: Picture, inset: int, radius: float, ink: Ink) -> None:
    """Fills the card's inside, `inset` pixels from its edge, with round corners."""
    height, width = card.shape[:2]
    board = np.zeros((height, width), np.uint8)
    r = int(radius)
    low, right, bottom = inset + r, width - inset - r - 1, height - inset - r - 1
    cv2.rectangle(board, (low, inset), (right, height - inset - 1), 255, -1)
    cv2.rectangle(board, (inset, low), (width - inset - 1, bottom), 255, -1)
    for x in (low, right):
        for y in (low, bottom):
            cv2.circle(board, (x, y), r, 255, -1, cv2.LINE_AA)
    _fill(card, board, ink)
    card[..., 3] = np.maximum(card[..., 3], board)


def _fill(card: Picture, board: Mask, ink: Ink) -> None:
    """Prints `ink` where the mask, as large as the card, is white."""
    colour = card[..., :3]
    colour[board == 255] = ink.astype(np.uint8)
    rim = (board > 0) & (board < 255)
    share = board[rim][:, None].astype(np.float32) / 255
    colour[rim] = (colour[rim] * (1 - share) + ink.astype(np.float32) * share).astype(np.uint8)
