"""What does the camera over the demo's table see at each moment?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.synthetic.demo.hand import hands
from vision.synthetic.demo.paint import Picture, Place, Sprite, back_sprite, card_sprite, put
from vision.synthetic.demo.script import CARDS, SCRIPT, SECONDS, START, Act
from vision.synthetic.demo.table import Image, bare_table, read_image
from vision.synthetic.moving import eased, eased_in, encode

SIZE: Final = (1280, 720)
FPS: Final = 25
SEED: Final = 7

_DISCARD: Final = Place(800, 368)
_PICK_UP: Final = Place(410, 392)
_PICK_UP_CARDS: Final = 22  # as many as are drawn; the thickness of the pile
_COMES: Final = 0.45  # seconds from the picture's edge to the pile
_RESTS: Final = {"play": 0.08, "take back": 0.0, "take": 0.0}  # seconds the hand stays after the act
_GOES: Final = 0.42
_SHUTTER: Final = tuple(part * 0.0025 for part in range(6))  # moments seen in one frame, seconds

_FROM: Final = {"A": (0.10, 1.0, -6.0), "B": (-0.86, -0.62, 126.0), "C": (0.93, -0.50, -118.0)}
"""Where a seat's hand comes from (unit steps in x and y) and how it is turned when it arrives (degrees)."""
_FAR: Final = 900.0


@dataclass(frozen=True, slots=True)
class _Lying:
    """A card on a pile."""

    sprite: Sprite
    place: Place


class Film:
    """The demo's match as pictures; the same ones each time it is made from the same photographs."""

    def __init__(self, data: Path) -> None:
        """Cut everything out of the photographs in `data`.

        Raises:
            VisionError: a photograph is missing.
        """
        self._cards = {name: card_sprite(read_image(data / card.photo), card) for name, card in CARDS.items()}
        self._back = back_sprite()
        self._hands = hands(data)
        self._light = _light()
        table = bare_table(data, SIZE) * np.array([0.80, 0.90, 1.02], np.float32)
        self._table = np.asarray(np.minimum(table, 0.45 + 0.4 * (table - 0.45)), np.float32)
        self._noise = [_noise(number) for number in range(12)]
        self._rng = np.random.default_rng(SEED)
        self._places = {act.t: self._somewhere() for act in SCRIPT if isinstance(act, Act) and act.kind == "play"}

    def frames(self) -> Iterator[Image]:
        """Every frame in order, `(720, 1280, 3)` BGR, `FPS` a second."""
        acts = [act for act in SCRIPT if isinstance(act, Act)]
        discard = [_Lying(self._cards[START], _DISCARD.moved(-6, 4, -3))]
        pick_up = self._pick_up_pile()
        still = self._piles(discard, pick_up)
        done = 0
        for number in range(round(SECONDS * FPS)):
            now = number / FPS
            while done < len(acts) and now >= acts[done].t - 1e-6:
                act = acts[done]
                if act.kind == "play":
                    discard = [*discard, _Lying(self._cards[act.card], self._places[act.t])]
                elif act.kind == "take back":
                    discard = discard[:-1]
                else:
                    pick_up = pick_up[: -act.count]
                still = self._piles(discard, pick_up)
                done += 1
            moving = [act for act in acts if act.t - _COMES - 0.05 < now < act.t + _RESTS[act.kind] + _GOES]
            yield self._exposed(self._seen(still, moving, now), number)

    def _seen(self, still: Picture, moving: list[Act], now: float) -> Picture:
        """The piles with the hands of this frame over them, blurred by their movement."""
        if not moving:
            return still
        views = []
        for moment in _SHUTTER:
            view = still.copy()
            for act in moving:
                self._reach(view, act, now + moment)
            views.append(view)
        return np.asarray(np.mean(views, axis=0), np.float32)

    def _reach(self, view: Picture, act: Act, now: float) -> None:
        """Draw the hand of `act`, and what it holds, into `view`."""
        dx, dy, angle = _FROM[act.seat]
        arriving = now < act.t
        if arriving:
            away = _FAR * (1 - eased((now - act.t + _COMES) / _COMES, 2.6)) if now > act.t - _COMES else _FAR
        else:
            away = _FAR * eased_in((now - act.t - _RESTS[act.kind]) / _GOES, 2.2)
        rest = self._held_at(act)
        lifted = 8 + 14 * min(away / _FAR, 1)
        if act.kind == "play" and arriving:
            place = rest.moved(dx * away, dy * away, 14 * away / _FAR)
            put(view, self._cards[act.card], place, lifted=2 + 8 * away / _FAR)
        elif act.kind == "take back" and not arriving:
            put(view, self._cards[act.card], rest.moved(dx * away, dy * away, -10 * away / _FAR), lifted=4)
        elif act.kind == "take" and not arriving:
            for fanned in range(act.count):
                spread = (fanned - (act.count - 1) / 2) * 7
                place = Place(rest.x + dx * away - dy * spread, rest.y + dy * away + dx * spread, rest.angle + spread)
                put(view, self._back, place, lifted=2)
        finger = rest.moved(dx * (away + 62), dy * (away + 62))
        put(view, self._hands[act.seat], replace(finger, angle=angle + 5 * away / _FAR), lifted=lifted, shadow=0.42)

    def _held_at(self, act: Act) -> Place:
        """Where the card under the fingers lies when the hand is at the pile."""
        if act.kind == "play":
            return self._places[act.t]
        if act.kind == "take":
            return _PICK_UP
        return self._places[max(t for t in self._places if t < act.t)]

    def _piles(self, discard: list[_Lying], pick_up: list[_Lying]) -> Picture:
        view = self._table.copy()
        for lying in (*pick_up, *discard):
            put(view, lying.sprite, lying.place, lifted=-1.2)
        return view

    def _pick_up_pile(self) -> list[_Lying]:
        return [
            _Lying(self._back, _PICK_UP.moved(-0.55 * height, -0.9 * height, float(self._rng.uniform(-1.6, 1.6))))
            for height in range(_PICK_UP_CARDS)
        ]

    def _somewhere(self) -> Place:
        """Where a card comes to lie on the discard pile: never twice the same."""
        dx, dy = self._rng.uniform(-11, 11, 2)
        return _DISCARD.moved(float(dx), float(dy), float(self._rng.uniform(-6, 6)))

    def _exposed(self, view: Picture, number: int) -> Image:
        """`view` through the lens, with this frame's sensor noise."""
        seen = view * self._light + self._noise[(number * 5) % len(self._noise)]
        return np.asarray((seen * 255).clip(0, 255), np.uint8)


def write_film(frames: Iterator[Image], path: Path) -> None:
    """Write `frames` to `path` as H.264.

    Raises:
        VisionError: the program ffmpeg is not installed, or it failed.
    """
    encode(frames, SIZE, FPS, ("-preset", "slow", "-crf", "20", "-threads", "1"), path)


def _light() -> Picture:
    """Lamp light: brightest over the piles, a little dimmer towards the corners."""
    width, height = SIZE
    x, y = np.meshgrid((np.arange(width) - 640) / width, (np.arange(height) - 300) / width)
    fall = 1.03 - 0.62 * (x**2 + 1.2 * y**2)
    return np.asarray(np.dstack([fall**1.25, fall**1.1, fall]), np.float32)


def _noise(number: int) -> Picture:
    """One plate of sensor noise, finer in brightness than in colour."""
    rng = np.random.default_rng((SEED, number))
    grey = rng.normal(0, 0.0055, (SIZE[1], SIZE[0], 1))
    colour = cv2.resize(
        rng.normal(0, 0.0035, (SIZE[1] // 2, SIZE[0] // 2, 3)).astype(np.float32), SIZE, interpolation=cv2.INTER_LINEAR
    )
    return np.asarray(grey + colour, np.float32)
