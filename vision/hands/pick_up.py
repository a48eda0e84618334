"""Who took cards from the pick-up pile, and how many?

The eye sees hands that reach for the pile and go away again. Each reach takes a card or more; how many at once, only
what is owed can tell (`referee.doubt.readings`).
"""

from collections.abc import Iterator

import numpy as np

from vision.hands.visits import Hands, Visit, beside
from vision.input.frames import Frame
from vision.look.eye import Zone
from vision.sightings import Sighting

PICK_UP = "pick-up"
GONE = 1.1
"""Seconds without a reach after which somebody has done taking."""
FIRM = 0.9
"""Confidence that a hand that reached into the pile and came back took something."""
TOUCHED = 0.1
"""Seconds that a hand is nearer to this pile than to the other at least; less, and it was there for the other one."""
LINGERED = 1.2
"""Seconds at the pile from which on a single reach may well have taken several cards, or only squared the pile."""


class PickUpWatcher:
    """Watches the pick-up pile.

    Args:
        hands: the table's hands, which somebody else shows the frames.
        zone: where the pile lies, in pixels of the frame.
    """

    def __init__(self, hands: Hands, zone: Zone) -> None:
        self.hands = hands
        self.zone = zone
        hands.watch(PICK_UP, zone)
        self._told = -1.0
        self._last: Frame | None = None

    def watch(self, frame: Frame) -> list[Sighting]:
        """The takings that ended before this frame, usually none; give it every frame, after the hands saw it."""
        self._last = frame
        return list(self._ended(frame.t - GONE, frame))

    def finish(self) -> list[Sighting]:
        """What the end of a recording ends."""
        return list(self._ended(self._last.t, self._last)) if self._last else []

    def _ended(self, t: float, frame: Frame) -> Iterator[Sighting]:
        """One sighting for all reaches of the same hand that follow each other closely."""
        waiting = [v for v in self.hands.since(PICK_UP, self._told) if v.began > self._told and _reached(v, self.zone)]
        groups: list[list[Visit]] = []
        for visit in waiting:
            if groups and visit.began - groups[-1][-1].ended < GONE and beside(visit, groups[-1][-1]):
                groups[-1].append(visit)
            else:
                groups.append([visit])
        for group in groups:
            if group[-1].ended > t:
                return
            self._told = max(self._told, group[-1].began)
            yield self._sighting(group, frame)

    def _sighting(self, group: list[Visit], frame: Frame) -> Sighting:
        whose = [self.hands.whose(PICK_UP, visit) for visit in group]
        best = max(whose, key=lambda one: one.confidence)
        count = sum(visit.strokes for visit in group)
        lingered = max(visit.ended - visit.began for visit in group) > LINGERED * max(visit.strokes for visit in group)
        x, y, w, h = self.zone
        quad = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)
        return Sighting(
            "taken",
            max(visit.turned for visit in group),
            "",
            FIRM * (0.7 if lingered else 1.0),
            (),
            quad,
            frame.index,
            best.seat,
            min(one.confidence for one in whose if one.seat == best.seat),
            count,
            single=count > 1,
        )


def _reached(visit: Visit, zone: Zone) -> bool:
    """Whether a hand reached for the pile, not over it for something else: its farthest point lies on it."""
    x, y = visit.tip
    room = 0.1
    return (
        visit.inside
        and visit.strokes > 0
        and any(left - came >= TOUCHED for came, left in visit.stays)
        and -room <= (x - zone[0]) / zone[2] <= 1 + room
        and -room <= (y - zone[1]) / zone[3] <= 1 + room
    )
