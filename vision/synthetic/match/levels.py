"""How hard is a virtual table to see: three levels, each with a range of cameras, light and habits."""

from __future__ import annotations

from typing import Final

from vision.faults import VisionError
from vision.synthetic.match.acts import Setting, around
from vision.synthetic.scenery import Rng

LEVELS: Final = ("easy", "middle", "hard")


def setting_for(level: str, seats: str, rng: Rng, size: tuple[int, int] = (960, 540), fps: float = 30.0) -> Setting:
    """A table of that level: `easy` is a good camera above a tidy pile, `hard` an oblique, noisy, shaken one.

    Raises:
        VisionError: there is no such level.
    """
    if level not in LEVELS:
        raise VisionError("vision.no-level", name=level, known=", ".join(LEVELS))
    hard = LEVELS.index(level)
    scale = size[1] / 540
    low, high = ((140, 165), (110, 150), (85, 120))[hard]
    return Setting(
        seats=around(seats),
        size=size,
        fps=fps,
        card=float(rng.uniform(low, high)) * scale,
        tilt=float(rng.uniform(0, (8, 28, 42)[hard])),
        turn=float(rng.normal(0, (2, 6, 12)[hard])),
        spread=float(rng.uniform(0.03, (0.05, 0.09, 0.12)[hard])),
        speed=float(rng.uniform(0.8, (1.0, 1.3, 1.6)[hard])),
        noise=float(rng.uniform(1, (2, 4.5, 8)[hard])),
        blur=float(rng.uniform(0, (0, 0.7, 1.1)[hard])) * scale,
        flicker=float(rng.uniform(0, (0, 0.02, 0.05)[hard])),
        shake=float(rng.uniform(0, (0, 0.15, 0.4)[hard])),
        dropped=(0.0, 0.02, 0.12)[hard],
    )
