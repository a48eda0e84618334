"""What would a card look like with another index: other letters, another font, larger, in four colours?

French-suited cards as decks nobody drew for us may have them: an index printed over the corners of a drawn card,
whole plain cards, and jokers.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.fonts import Mask, glyph, some_font, stamp, suit_sign
from vision.synthetic.scenery import Rng

Picture = NDArray[np.uint8]
Ink = NDArray[np.float64]

LETTERS = (
    {"A": "A", "J": "J", "Q": "Q", "K": "K"},
    {"A": "A", "J": "B", "Q": "D", "K": "K"},  # German
    {"A": "1", "J": "V", "Q": "D", "K": "R"},  # French
    {"A": "A", "J": "W", "Q": "D", "K": "K"},  # Polish
    {"A": "A", "J": "V", "Q": "D", "K": "R"},
    {"A": "E", "J": "B", "Q": "D", "K": "K"},  # Danish
)
"""What is printed for ace, Jack, Queen and King; no letter means two ranks."""
WEIGHTS = (0.42, 0.34, 0.12, 0.04, 0.04, 0.04)
WHITE = np.full(3, 240.0)

PIPS = {
    "A": [(0.5, 0.5)],
    "2": [(0.5, 0.2), (0.5, 0.8)],
    "3": [(0.5, 0.2), (0.5, 0.5), (0.5, 0.8)],
    "4": [(x, y) for x in (0.3, 0.7) for y in (0.2, 0.8)],
    "5": [*((x, y) for x in (0.3, 0.7) for y in (0.2, 0.8)), (0.5, 0.5)],
    "6": [(x, y) for x in (0.3, 0.7) for y in (0.2, 0.5, 0.8)],
    "7": [*((x, y) for x in (0.3, 0.7) for y in (0.2, 0.5, 0.8)), (0.5, 0.35)],
    "8": [*((x, y) for x in (0.3, 0.7) for y in (0.2, 0.5, 0.8)), (0.5, 0.35), (0.5, 0.65)],
    "9": [*((x, y) for x in (0.3, 0.7) for y in (0.2, 0.4, 0.6, 0.8)), (0.5, 0.5)],
    "T": [*((x, y) for x in (0.3, 0.7) for y in (0.2, 0.4, 0.6, 0.8)), (0.5, 0.3), (0.5, 0.7)],
}
"""Where the pips of each rank stand, in shares of width and height."""


def relettered(rng: Rng, face: Picture, card: str, fonts: tuple[str, ...]) -> Picture:
    """The drawn face (BGRA) with new indices of `card` printed over its own."""
    tall = min(face.shape[0], 320)
    size = (tall * face.shape[1] // face.shape[0], tall)
    made = np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8)
    height, width = made.shape[:2]
    index = Index(rng, card, fonts)
    stock = _stock(made)
    if stock.mean() < 150:
        index.ink = WHITE
    wide = int(width * max(0.17, 1.15 * index.wide + index.inset))
    deep = int(height * max(0.27, index.deep + index.inset + 0.01))
    edge = int(width * 0.012)
    every = index.four or rng.random() < 0.5
    for number, corner in enumerate(_corners(made)):
        if number < 2 or every:
            corner[edge:deep, edge:wide, :3] = stock
    index.print_on(made)
    return made


def plain_card(rng: Rng, card: str, court: Picture, fonts: tuple[str, ...]) -> Picture:
    """A whole card from nothing: stock, index, pips or the middle of some `court` face or a large letter (BGRA)."""
    width = 220
    height = int(width * rng.uniform(1.36, 1.58))
    made = _blank(rng, width, height)
    index = Index(rng, card, fonts)
    rank, suit = card[0], card[1]
    sign = suit_sign(rng, suit)
    if rank == "A":
        _ace(rng, made, sign, index.ink, fonts)
    elif rank in PIPS:
        small = rng.uniform(0.11, 0.17)
        spread = rng.uniform(0.85, 1.1)
        for x, y in PIPS[rank]:
            place = ((0.5 + (x - 0.5) * spread) * width, (0.5 + (y - 0.5) * spread) * height)
            stamp(made, sign, place, small * height, index.ink, angle=180.0 if y > 0.5 else 0.0)
    elif rng.random() < 0.25:
        large = glyph(some_font(rng, fonts), index.text) if rng.random() < 0.6 else sign
        stamp(made, large, (width / 2, height / 2), rng.uniform(0.25, 0.5) * height, index.ink)
    else:
        left, top = rng.uniform(0.15, 0.24), rng.uniform(0.06, 0.2)
        part = court[
            int(court.shape[0] * top) : int(court.shape[0] * (1 - top)),
            int(court.shape[1] * left) : int(court.shape[1] * (1 - left)),
        ]
        x, y = int(width * left), int(height * top)
        fitted = cv2.resize(part, (width - 2 * x, height - 2 * y), interpolation=cv2.INTER_AREA)
        share = fitted[..., 3:].astype(np.float32) / 255
        area = made[y : height - y, x : width - x, :3]
        area[:] = area * (1 - share) + fitted[..., :3] * share
        if rng.random() < 0.6:
            cv2.rectangle(made, (x, y), (width - x, height - y), _solid(index.ink), int(rng.integers(1, 3)))
    index.print_on(made)
    return made


def joker(rng: Rng, picture: Picture, fonts: tuple[str, ...]) -> Picture:
    """A joker of a deck nobody drew: its word, a star or both in the corners, and some figure in the middle (BGRA).

    `picture`: any picture (BGR or BGRA) for the figure, where it isn't drawn of shapes.
    """
    width = 220
    height = int(width * rng.uniform(1.36, 1.58))
    made = _blank(rng, width, height)
    ink = _red(rng) if rng.random() < 0.5 else _black(rng)
    font = some_font(rng, fonts)
    word = str(rng.choice(["JOKER", "JOKER", "JOKER", "Joker", "JOLLY"]))
    _figure(rng, made, picture, ink)
    tall = rng.uniform(0.04, 0.075) * height
    kind = rng.random()
    half = made[::-1, ::-1]
    for side in (made, half):
        if kind < 0.45:  # the letters below one another
            for row, letter in enumerate(word):
                place = (0.09 * width, 0.07 * height + row * tall * 1.25)
                stamp(side, glyph(font, letter), place, tall, ink)
        elif kind < 0.65:  # the word along the edge
            angle = 90.0 if kind < 0.55 else -90.0
            stamp(side, glyph(font, word), (0.09 * width, 0.22 * height), tall * 1.1, ink, angle=angle)
        elif kind < 0.85:
            _star(side, (0.1 * width, 0.08 * height), rng.uniform(0.035, 0.06) * height, ink)
            if kind < 0.75:
                stamp(side, glyph(font, word), (0.5 * width, 0.07 * height), tall, ink)
        else:
            stamp(side, glyph(font, word), (0.26 * width, 0.07 * height), tall, ink)
    if rng.random() < 0.4:
        place = (width / 2, height * rng.choice([0.2, 0.5, 0.82]))
        turned = float(rng.choice([0, 0, 0, -55, 90]))
        stamp(made, glyph(font, word), place, rng.uniform(0.07, 0.12) * height, ink, wide=0.8, angle=turned)
    return made


class Index:
    """One deck's way of printing the index of a card: `wide` and `deep` in shares of the card's size."""

    def __init__(self, rng: Rng, card: str, fonts: tuple[str, ...]) -> None:
        rank, suit = card[0], card[1]
        letters = LETTERS[int(rng.choice(len(LETTERS), p=WEIGHTS))]
        self.text = letters.get(rank, rank.replace("T", "10"))
        self.ink = _suit_ink(rng, suit)
        self.letter = glyph(some_font(rng, fonts), self.text)
        self.sign = suit_sign(rng, suit)
        self.tall = float(np.exp(rng.uniform(np.log(0.075), np.log(0.13))))
        if rng.random() < 0.15:
            self.tall = rng.uniform(0.14, 0.26)
        self.stretch = rng.uniform(0.6, 1.1) * (0.75 if self.text == "10" else 1)
        self.inset = rng.uniform(0.02, 0.06)
        self.four = rng.random() < 0.12
        self.beside = rng.random() < 0.1
        self.gap = rng.uniform(0.005, 0.03)
        self.small = self.tall * rng.uniform(0.6, 1.0)
        self.wide = self.tall * 1.45 * max(self._letter_wide(), 0.9) * (2 if self.beside else 1)
        self.deep = self.tall if self.beside else self.tall + self.gap + self.small

    def print_on(self, card: Picture) -> None:
        """Prints it at the top-left and bottom-right of a card, or at all four corners."""
        height, width = card.shape[:2]
        left = (self.inset + 0.02) * width + max(self._letter_wide() * self.tall, 0.8 * self.small) * height / 2
        top = (self.inset + self.tall / 2) * height
        for number, side in enumerate((card, card[::-1, ::-1], card[:, ::-1], card[::-1])):
            if number >= 2 and not self.four:
                break
            mirrored = number >= 2
            letter, sign = (self.letter[:, ::-1], self.sign[:, ::-1]) if mirrored else (self.letter, self.sign)
            stamp(side, letter, (left, top), self.tall * height, self.ink, wide=self.stretch)
            below = (left, top + (self.tall / 2 + self.gap + self.small / 2) * height)
            aside = (left + (self._letter_wide() * self.tall / 2 + self.gap + self.small / 2) * height, top)
            stamp(side, sign, aside if self.beside else below, self.small * height, self.ink)

    def _letter_wide(self) -> float:
        return float(self.stretch * self.letter.shape[1] / self.letter.shape[0])


def _corners(card: Picture) -> tuple[Picture, Picture, Picture, Picture]:
    return card, card[::-1, ::-1], card[:, ::-1], card[::-1]


def _stock(card: Picture) -> Ink:
    """The colour of the paper near the top-left corner."""
    height, width = card.shape[:2]
    part = card[int(0.02 * height) : int(0.3 * height), int(0.02 * width) : int(0.14 * width)]
    solid = part[part[..., 3] > 200][:, :3].astype(np.float64)
    if len(solid) == 0:
        return np.full(3, 250.0)
    light = solid.sum(axis=1)
    return np.asarray(np.median(solid[light >= np.median(light)], axis=0))


def _blank(rng: Rng, width: int, height: int) -> Picture:
    stock = rng.uniform(232, 255) * np.array([rng.uniform(0.9, 1), rng.uniform(0.96, 1), 1.0])
    made = np.zeros((height, width, 4), np.uint8)
    radius = int(width * rng.uniform(0.03, 0.09))
    for box in ((radius, 0, width - radius, height), (0, radius, width, height - radius)):
        made[box[1] : box[3], box[0] : box[2], 3] = 255
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(made, (x, y), radius, (0, 0, 0, 255), -1)
    made[..., :3] = stock
    if rng.random() < 0.1:
        inner = int(width * rng.uniform(0.02, 0.04))
        cv2.rectangle(made, (inner, inner), (width - inner, height - inner), (*_solid(_black(rng))[:3], 255), 1)
    return made


def _ace(rng: Rng, card: Picture, sign: Mask, ink: Ink, fonts: tuple[str, ...]) -> None:
    """One large sign, at times with rings, another sign or its own colours inside it, as aces of spades have."""
    height, width = card.shape[:2]
    middle = (width / 2, height / 2)
    tall = rng.uniform(0.14, 0.5) * height
    stamp(card, sign, middle, tall, ink)
    if tall > 0.25 * height and rng.random() < 0.6:
        paper = np.full(3, 245.0)
        for share in sorted(rng.uniform(0.2, 0.85, int(rng.integers(1, 4))), reverse=True):
            stamp(card, sign, middle, tall * share, paper)
            stamp(card, sign, middle, tall * share * rng.uniform(0.6, 0.95), ink)
        if rng.random() < 0.5:
            letters = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTU"), 6))
            place = (width / 2, height / 2 + 0.62 * tall)
            stamp(card, glyph(some_font(rng, fonts), letters), place, 0.03 * height, ink)


def _figure(rng: Rng, card: Picture, picture: Picture, ink: Ink) -> None:
    """Something in the middle of a joker: a part of a picture, or a fool's head of shapes."""
    height, width = card.shape[:2]
    if rng.random() < 0.5:
        x, y = int(width * rng.uniform(0.15, 0.3)), int(height * rng.uniform(0.1, 0.25))
        rows, columns = picture.shape[0] // 5, picture.shape[1] // 4  # no index of the picture's own
        picture = picture[rows:-rows, columns:-columns]
        part = cv2.resize(picture, (width - 2 * x, height - 2 * y), interpolation=cv2.INTER_AREA)
        shape = np.zeros(part.shape[:2], np.uint8)
        if rng.random() < 0.5:
            shape[:] = 255
        else:
            axes = (part.shape[1] // 2, part.shape[0] // 2)
            cv2.ellipse(shape, axes, axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
        share = shape[..., None].astype(np.float32) / 255
        colour = part[..., :3].astype(np.float32)
        if rng.random() < 0.5:  # an engraving in one ink
            grey = colour.mean(axis=2, keepdims=True) / 255
            colour = 245 * grey + np.asarray(ink, np.float32) * (1 - grey)
        area = card[y : height - y, x : width - x, :3]
        area[:] = area * (1 - share) + colour * share
        return
    centre = (int(width / 2), int(height * rng.uniform(0.42, 0.58)))
    size = int(width * rng.uniform(0.13, 0.22))
    tints = [[float(v) for v in rng.uniform(0, 255, 3)] for _ in range(4)]
    for number, angle in enumerate(np.linspace(-1.2, 1.2, int(rng.integers(2, 5)))):
        tip = (int(centre[0] + np.sin(angle) * size * 2.1), int(centre[1] - np.cos(angle) * size * 2.1))
        base = [
            (int(centre[0] + np.sin(angle + s) * size), int(centre[1] - np.cos(angle + s) * size)) for s in (-0.5, 0.5)
        ]
        cv2.fillPoly(card, [np.array([tip, *base], np.int32)], (*tints[number % 3], 255), cv2.LINE_AA)
        cv2.circle(card, tip, max(2, size // 5), (*tints[3], 255), -1, cv2.LINE_AA)
    skin = [170.0, 205.0, 245.0] if rng.random() < 0.7 else tints[3]
    cv2.circle(card, centre, size, (*skin, 255), -1, cv2.LINE_AA)
    for side in (-1, 1):
        cv2.circle(
            card, (centre[0] + side * size // 3, centre[1] - size // 4), max(2, size // 8), (20, 20, 20, 255), -1
        )
    cv2.ellipse(card, centre, (size // 2, size // 2), 0, 20, 160, (40, 30, 160, 255), 2, cv2.LINE_AA)
    if rng.random() < 0.6:
        body = [
            (centre[0] - size, centre[1] + 3 * size),
            (centre[0], centre[1] + size),
            (centre[0] + size, centre[1] + 3 * size),
        ]
        cv2.fillPoly(card, [np.array(body, np.int32)], (*tints[0], 255), cv2.LINE_AA)


def _star(card: Picture, centre: tuple[float, float], radius: float, ink: Ink) -> None:
    board = np.zeros((64, 64), np.uint8)
    turns = np.arange(10) * np.pi / 5 - np.pi / 2
    far = np.where(np.arange(10) % 2, 12, 30)
    points = np.stack([32 + far * np.cos(turns), 32 + far * np.sin(turns)], axis=1)
    cv2.fillPoly(board, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA)
    stamp(card, board, centre, 2 * radius, ink)


def _suit_ink(rng: Rng, suit: str) -> Ink:
    if rng.random() < 0.1 and suit in "cd":  # four colours
        return np.array([40, 130, 20.0] if suit == "c" else [200, 90, 20.0]) * rng.uniform(0.7, 1.2)
    return _red(rng) if suit in "dh" else _black(rng)


def _red(rng: Rng) -> Ink:
    return np.array([rng.uniform(10, 60), rng.uniform(10, 50), rng.uniform(170, 240)])


def _black(rng: Rng) -> Ink:
    return np.clip(np.full(3, rng.uniform(5, 60)) + rng.normal(0, 8, 3), 0, 255)


def _solid(ink: Ink) -> tuple[float, float, float, float]:
    return (float(ink[0]), float(ink[1]), float(ink[2]), 255.0)
