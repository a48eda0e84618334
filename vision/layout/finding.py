"""Where do the piles seem to be, judging by the cards that lie there?"""

from collections.abc import Sequence

from vision.layout.places import Layout, shared, zone_of
from vision.look.detections import SeenCard
from vision.look.eye import Zone
from vision.look.faces import BACK, UNSURE
from vision.look.quads import Image

ROOM = 1.2
"""A zone reaches so many card heights from the middle of its pile."""


def layout_of(seen: Sequence[SeenCard], image: Image) -> Layout:
    """The discard zone around the largest face-up card seen, the pick-up zone around the back beside it."""
    faces = [card for card in seen if card.card not in (BACK, UNSURE)] or [card for card in seen if card.card == UNSURE]
    backs = [card for card in seen if card.card == BACK]
    face = max(faces, key=lambda card: card.height, default=None)
    like = [back for back in backs if face is None or 0.5 < back.height / face.height < 2]
    back = max(like, key=lambda card: card.height, default=None)
    if face is None or back is None:
        return Layout(around(face, image) if face else None, around(back, image) if back else None)
    return Layout(*_apart(around(face, image), around(back, image)))


def _apart(one: Zone, other: Zone) -> tuple[Zone, Zone]:
    """Both zones, so narrow across the line between the piles that they do not overlap; each stays around its pile."""
    if not shared(one, other):
        return one, other
    apart = [abs(one[axis] + one[axis + 2] / 2 - other[axis] - other[axis + 2] / 2) for axis in (0, 1)]
    axis = int(apart[1] > apart[0])
    return _narrowed(one, axis, apart[axis]), _narrowed(other, axis, apart[axis])


def _narrowed(zone: Zone, axis: int, width: float) -> Zone:
    """A zone no wider than that along an axis, around the same middle."""
    parts = list(zone)
    parts[axis + 2] = min(parts[axis + 2], int(width))
    parts[axis] += (zone[axis + 2] - parts[axis + 2]) // 2
    return zone_of(parts)


def around(card: SeenCard, image: Image) -> Zone:
    """The zone of the pile on which that card lies."""
    height, width = image.shape[:2]
    x, y = (float(v) for v in card.quad.mean(axis=0))
    reach = ROOM * card.height
    left, top = max(0, round(x - reach)), max(0, round(y - reach))
    return left, top, min(width, round(x + reach)) - left, min(height, round(y + reach)) - top
