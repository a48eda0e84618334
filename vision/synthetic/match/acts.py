"""What happens at the virtual table, and what is then true of it?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from vision.look.quads import Quad

Kind = Literal[
    "play",
    "throw",
    "take back",
    "take",
    "recycle",
    "nudge",
    "slide off",
    "pass",
    "rest",
    "glass",
    "phone",
    "lamp",
    "exposure",
    "bump",
    "point",
]
"""`play` (put down by a hand), `throw` (let go of beforehand, it flies and slides to its place), `take back`,
`take` (from the pick-up pile), `recycle` (all but the top card become the pick-up pile); and what is no move in a game:
a card pushed (`nudge`), one that slides off the pile, a hand that passes over or rests on it, things put there and
taken away again, the lamp switched, the camera's exposure stepping, the camera bumped. Besides, a hand that points at a
seat (`point`)."""

PLAYS: Final = ("play", "throw")


@dataclass(frozen=True, slots=True)
class Act:
    """One act.

    Attributes:
        t: seconds; when the card lies still (plays), has left (taken back, taken), or when it begins.
        seat: whose hand; empty for lamps and cameras.
        card: table notation; the card played.
        count: cards taken.
        one_by_one: cards are taken singly, one every `PACE` seconds; the last one leaves at `t`.
        amount: how far a card is pushed (card heights), how bright it gets (factor), how long a thing stays (seconds),
            how far the camera turns (pixels).
        at: the seat pointed at.
    """

    t: float
    kind: Kind
    seat: str = ""
    card: str = ""
    count: int = 0
    one_by_one: bool = False
    amount: float = 0.0
    at: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """Words said from `t` seconds on by a seat."""

    t: float
    seat: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What an act changed at the table.

    Attributes:
        t: seconds when the card came to rest, or was gone.
        kind: `landed`, `taken_back`, `taken`, `recycled`, `pointed`, or `nothing`: it only looked like something.
        act: the kind of act that did it.
        quad: `(4, 2)` float32, pixels, where the card lies or lay; empty `(0, 2)` where no card is meant.
        at: the seat pointed at.
    """

    t: float
    kind: Literal["landed", "taken_back", "taken", "recycled", "pointed", "nothing"]
    act: Kind
    seat: str = ""
    card: str = ""
    count: int = 0
    quad: Quad = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    at: str = ""


PACE: Final = 0.75
"""Seconds from one card taken singly to the next."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How the table is set up and filmed.

    Attributes:
        seats: seat letter and the direction it sits in, degrees counter-clockwise from the picture's right, as seen
            from straight above.
        size: width and height of the picture in pixels.
        fps: frames a second.
        card: height of a card at the pile, pixels.
        tilt: degrees the camera leans from straight above.
        turn: degrees the camera is turned about its axis.
        spread: how untidily cards are put down, card heights; turned by up to 150 times as many degrees.
        speed: of the hands; 1 is brisk.
        noise: of the sensor, grey levels.
        blur: standard deviation of the lens's blur, pixels.
        flicker: of the lamp, share of its light.
        shake: of the camera, pixels.
        dropped: share of frames that never arrive.
    """

    seats: dict[str, float]
    size: tuple[int, int] = (960, 540)
    fps: float = 30.0
    card: float = 130.0
    tilt: float = 15.0
    turn: float = 0.0
    spread: float = 0.06
    speed: float = 1.0
    noise: float = 2.0
    blur: float = 0.0
    flicker: float = 0.0
    shake: float = 0.0
    dropped: float = 0.0


def around(seats: str) -> dict[str, float]:
    """Seats evenly around a table, the first below the picture, to the left (clockwise as seen from above)."""
    return {seat: (270.0 - 360.0 * place / len(seats)) % 360 for place, seat in enumerate(seats)}
