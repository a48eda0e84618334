"""Can the camera see the piles well: near enough, sharp, in good light, apart from one another?"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.layout.places import Layout, shared
from vision.look.eye import Eye, cut
from vision.look.faces import BACK
from vision.look.quads import Image

SMALLEST = 70.0
"""Pixels: a lower card is too small to be read for sure."""
SHARPEST = 0.03
"""From this variance of the Laplacian on, over that of the picture, a card 200 pixels high is sharp."""
DARKEST, BRIGHTEST = 90.0, 215.0
"""Grey levels that the brightest hundredth of the picture should reach, and that half of it should not."""
GLARE = 0.04
"""Share of a zone that may be blown out."""
OVERLAP = 0.1
"""Share of the smaller zone that may lie in the other one: a hand at one pile is then not over the other."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing about the picture that matters: `card`, `focus`, `light` or `glare`; its value, and whether it will do.

    Attributes:
        fault: what is wrong, `""` when nothing is: `no-card`, `small`, `blurred`, `dark`, `bright`, `glare`.
    """

    name: str
    value: float
    fault: str = ""


def checks(eye: Eye, image: Image, layout: Layout) -> list[Check]:
    """How well the discard zone of this picture can be seen: card size, focus, light, glare, and room between piles."""
    zone = layout.discard or (0, 0, image.shape[1], image.shape[0])
    view = cut(image, zone)[0]
    grey = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
    cards = [card for card in eye.look(image, zone) if card.card != BACK]
    tall = max((card.height for card in cards), default=0.0)
    found = [Check("card", round(tall), "no-card" if not cards else "small" if tall < SMALLEST else "")]
    if cards:
        sharp = _sharpness(grey, tall)
        found.append(Check("focus", round(sharp, 3), "blurred" if sharp < SHARPEST else ""))
    found.append(light(image))
    table = np.ones(grey.shape, np.uint8)
    for card in cards:  # white paper may be as white as a picture gets
        cv2.fillConvexPoly(table, np.round(card.quad - np.array(zone[:2], np.float32)).astype(np.int32), 0)
    table = np.asarray(cv2.erode(table, np.ones((9, 9), np.uint8)), np.uint8)
    blown = float(((view.min(axis=2) >= 252) & (table > 0)).mean())
    found.append(Check("glare", round(blown, 3), "glare" if blown > GLARE else ""))
    common = shared(layout.discard, layout.pick_up)
    if common > OVERLAP:
        found.append(Check("zones", round(common, 3), "overlap"))
    return found


def light(image: Image) -> Check:
    """Whether the picture is bright enough, and not too bright."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    bright = float(np.percentile(grey, 99))
    over = float(np.median(grey)) > BRIGHTEST
    return Check("light", round(bright), "dark" if bright < DARKEST else "bright" if over else "")


def _sharpness(grey: cv2.typing.MatLike, tall: float) -> float:
    """Variance of the Laplacian over the picture's, cards at most 200 pixels high: how much is fine detail."""
    scale = min(200 / max(tall, 1), 1.0)
    same = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return float(cv2.Laplacian(same, cv2.CV_64F).var()) / max(float(same.var()), 1.0)
