"""Where on this table are the piles and the seats?"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Any, Self

from vision.faults import VisionError
from vision.look.eye import Zone

SMALL_ZONE = 40
"""Pixels: a lower or narrower zone holds no card that can be read."""
SHAPE = 0.03
"""By how much the ratio of a picture's sides may differ for it to show the same, larger or smaller."""
LONGEST = 65_535
"""Pixels: no picture is wider or higher (JPEG knows no more)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the piles lie, in pixels of the frame, and where the seats are.

    Attributes:
        discard, pick_up: the zones; None where not known.
        seats: by seat letter, degrees counter-clockwise from the right, seen from the picture's middle.
        size: width and height of the picture whose pixels are meant; None: of whichever comes.
    """

    discard: Zone | None = None
    pick_up: Zone | None = None
    seats: Mapping[str, float] = field(default_factory=dict)
    size: tuple[int, int] | None = None

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The layout that `to_json` wrote; parts may be missing.

        Raises:
            VisionError: it is none.
        """
        try:
            zones = {name: zone_of(data[name]) for name in ("discard", "pick_up") if data.get(name) is not None}
            seats = {str(seat): float(angle) % 360 for seat, angle in data.get("seats", {}).items()}
            if not all(map(isfinite, seats.values())):
                raise ValueError("an angle is no number")
            size = None if data.get("size") is None else (int(data["size"][0]), int(data["size"][1]))
            if size is not None and not all(1 <= side <= LONGEST for side in size):
                raise ValueError("no picture has that size")
        except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
            raise VisionError("vision.no-layout") from None
        return cls(zones.get("discard"), zones.get("pick_up"), seats, size)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The layout in a JSON file.

        Raises:
            VisionError: the file cannot be read, or holds none.
        """
        try:
            return cls.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError) as fault:
            raise VisionError("vision.unreadable-layout", file=path, why=fault) from None

    def to_json(self) -> dict[str, Any]:
        """JSON values: `discard` and `pick_up` as `[x, y, width, height]` or null, `seats` as degrees, `size`."""
        return {
            "discard": list(self.discard) if self.discard else None,
            "pick_up": list(self.pick_up) if self.pick_up else None,
            "seats": {seat: round(angle, 1) for seat, angle in self.seats.items()},
            **({"size": list(self.size)} if self.size else {}),
        }

    def within(self, width: int, height: int) -> Self:
        """This layout, for pictures of that size.

        Raises:
            VisionError: a zone is too small, or does not lie in the picture.
        """
        for name, zone in (("discard", self.discard), ("pick-up", self.pick_up)):
            if zone is None:
                continue
            x, y, w, h = zone
            if w < SMALL_ZONE or h < SMALL_ZONE:
                raise VisionError(f"vision.small-{name}", width=w, height=h)
            if x < 0 or y < 0 or x + w > width or y + h > height:
                raise VisionError(f"vision.outside-{name}", width=width, height=height)
        return replace(self, size=(width, height))

    def fitted(self, width: int, height: int) -> Self:
        """The same layout in a picture of another size; of another shape, the zones are not known any more."""
        if self.size is None or self.size == (width, height):
            return replace(self, size=(width, height))
        if not same_shape(self.size, (width, height)):
            return replace(self, discard=None, pick_up=None, size=(width, height))
        times = width / self.size[0]
        zones = {"discard": _scaled(self.discard, times), "pick_up": _scaled(self.pick_up, times)}
        return replace(self, **zones, size=(width, height))  # type: ignore[arg-type]


def same_shape(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two pictures (width, height) have the same shape, so that one may be the other, larger or smaller."""
    return abs(one[0] * other[1] / (one[1] * other[0]) - 1) < SHAPE


def shared(one: Zone | None, other: Zone | None) -> float:
    """Share of the smaller zone that lies in the other one."""
    if one is None or other is None:
        return 0.0
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(0, width) * max(0, height) / min(one[2] * one[3], other[2] * other[3])


def zone_of(value: Any) -> Zone:
    """A zone out of four numbers."""
    x, y, width, height = (int(part) for part in value)
    return x, y, width, height


def shifted(zone: Zone, right: float, down: float) -> Zone:
    """The zone after the camera was nudged and all lies so many pixels elsewhere; never beyond the left or top."""
    x, y, width, height = zone
    return max(0, round(x + right)), max(0, round(y + down)), width, height


def _scaled(zone: Zone | None, times: float) -> Zone | None:
    return zone_of([round(part * times) for part in zone]) if zone else None
