"""What landed on the discard pile, and what was taken back, frame by frame?

While something moves nothing is decided. When the picture has been still for a moment and differs from the last
one that was settled, the top card is read over several frames, and the votes are compared with what lay on top.
"""

from collections import defaultdict
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import SeenCard
from vision.eye import Eye, Zone, cut
from vision.faces import BACK, UNSURE
from vision.frames import Frame
from vision.quads import Image, Quad, overlap, sides
from vision.sightings import Kind, Sighting

STILL = 0.15
"""Seconds without motion before anything is read."""
VOTES = 3
"""Looks that must agree before a card is named; a doubtful one gets up to `MOST_LOOKS`."""
MOST_LOOKS = 7
STEADY = 2
"""Looks that must find the card in the same place: a moving shadow's edge never stays."""
GATE_WIDTH = 160
"""Width in pixels of the small picture in which motion is sought."""
NUDGED = 0.5
"""Confidence of a play that may as well be the same card pushed aside."""

Small = NDArray[np.float32]


@dataclass(slots=True)
class _Votes:
    """What the looks since the picture came to rest made of the top card."""

    since: float
    frame: int
    looks: int = 0
    sums: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    cards: list[SeenCard] = field(default_factory=list)


class PileWatcher:
    """Watches the discard pile of one camera.

    Args:
        eye: reads the cards.
        zone: where the pile lies, in pixels of the frame; the whole frame when None.
    """

    def __init__(self, eye: Eye, zone: Zone | None = None) -> None:
        self.eye = eye
        self.zone = zone
        self.stack: list[SeenCard] = []
        self._gate = MotionGate()
        self._settled: Small | None = None
        self._votes: _Votes | None = None
        self._last: Frame | None = None

    def watch(self, frame: Frame) -> list[Sighting]:
        """The sightings that became certain with this frame, usually none; give it every frame, in order."""
        self._last = frame
        view = frame.image if self.zone is None else cut(frame.image, self.zone)[0]
        small = self._gate.see(view, frame.t)
        if self._gate.still_for(frame.t) < STILL:
            self._votes = None
            return []
        if self._votes is None:
            if self._settled is not None and not changed(self._settled, small, self._gate.noise).any():
                return []
            self._votes = _Votes(self._gate.rest_since, frame.index)
        return self._look(frame, small)

    def finish(self) -> list[Sighting]:
        """What the last frames of a recording still tell: a card that came to rest just before it ended."""
        frame = self._last
        if frame is None:
            return []
        view = frame.image if self.zone is None else cut(frame.image, self.zone)[0]
        if self._votes is None:
            if self._settled is not None and not changed(self._settled, self._gate.small(view), self._gate.noise).any():
                return []
            if self._gate.moving:
                return []
            self._votes = _Votes(self._gate.rest_since, frame.index)
        found: list[Sighting] = []
        while self._votes is not None and not found:
            found = self._look(frame, self._gate.small(view))
        return found

    def _look(self, frame: Frame, small: Small) -> list[Sighting]:
        votes = self._votes
        assert votes is not None
        seen = [card for card in self.eye.look(frame.image, self.zone) if card.card != BACK]
        top = self._top(seen, small)
        votes.looks += 1
        if top is not None:
            votes.cards.append(top)
            for card, share in top.alternatives or ((top.card, top.confidence),):
                votes.sums[card] += share
        if self._undecided(votes):
            return []
        self._votes = None
        self._settled = small
        return self._decide(votes) if votes.cards else []

    def _top(self, seen: list[SeenCard], small: Small) -> SeenCard | None:
        """The card that lies on top: the one the picture changed most under; else a whole one near the last top."""
        if not seen:
            return None
        if self._settled is None or not self.stack:
            return max(seen, key=lambda card: (card.card != UNSURE, card.whole, card.confidence))
        moved = changed(self._settled, small, self._gate.noise)
        scored = [(self._share(card.quad, moved), card) for card in seen]
        most = max(share for share, _ in scored)
        if most < 0.1:
            near = [card for card in seen if overlap(card.quad, self.stack[-1].quad)[1] > 0.3]
            return max(near, key=lambda card: overlap(card.quad, self.stack[-1].quad)[0], default=None)
        return max(scored, key=lambda pair: pair[0] + 0.1 * (pair[1].card != UNSURE))[1]

    def _share(self, quad: Quad, moved: NDArray[np.bool_]) -> float:
        """How much of the quad changed."""
        origin = np.array(self.zone[:2] if self.zone else (0, 0), np.float32)
        inside = np.zeros(moved.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round((quad - origin) * self._gate.scale).astype(np.int32), 1)
        count = int(inside.sum())
        return float(moved[inside > 0].sum()) / count if count else 0.0

    def _undecided(self, votes: _Votes) -> bool:
        if votes.looks < VOTES:
            return True
        best = max(votes.sums.values(), default=0.0)
        agreed = best > 0.85 * votes.looks and len(_steady(votes.cards)) >= STEADY
        return not agreed and votes.looks < MOST_LOOKS

    def _decide(self, votes: _Votes) -> list[Sighting]:
        name, confidence, alternatives = self._verdict(votes)
        if (
            self.stack
            and name in (self.stack[-1].card, UNSURE)
            and any(same_place(card.quad, self.stack[-1].quad) for card in votes.cards)
        ):
            return []  # the top card itself; other looks may have taken a shadow for its edge
        steady = _steady([card for card in votes.cards if card.card == name] or votes.cards)
        if len(steady) < STEADY:
            return []
        quad = steady[-1].quad
        seen = SeenCard(name, confidence, quad, True, alternatives)
        if not self.stack:
            return [self._event("landed", votes, seen)]
        top = self.stack[-1]
        if name == top.card and name != UNSURE:
            return [self._event("landed", votes, SeenCard(name, NUDGED * confidence, quad, True, ((name, NUDGED),)))]
        below = self.stack[-2] if len(self.stack) > 1 else None
        if below is not None and same_place(quad, below.quad) and name in (below.card, UNSURE):
            gone = self.stack.pop()
            return [Sighting("taken_back", votes.since, gone.card, confidence, (), gone.quad, votes.frame)]
        return [self._event("landed", votes, seen)]

    def _verdict(self, votes: _Votes) -> tuple[str, float, tuple[tuple[str, float], ...]]:
        """The face most looks agree on, how sure they are together, and what else it may be."""
        total = max(len(votes.cards), 1)
        ranked = sorted(((share / total, card) for card, share in votes.sums.items()), reverse=True)
        named = [card.card for card in votes.cards if card.card != UNSURE]
        share, card = ranked[0] if ranked else (0.0, UNSURE)
        if named.count(card) * 2 > total:
            return card, share, ()
        return UNSURE, share, tuple((name, round(part, 3)) for part, name in ranked[:3])

    def _event(self, kind: Kind, votes: _Votes, seen: SeenCard) -> Sighting:
        self.stack.append(seen)
        return Sighting(kind, votes.since, seen.card, seen.confidence, seen.alternatives, seen.quad, votes.frame)


def _steady(cards: list[SeenCard]) -> list[SeenCard]:
    """The most looks that found the card in one place."""
    groups = [[other for other in cards if same_place(card.quad, other.quad)] for card in cards]
    return max(groups, key=len, default=[])


class MotionGate:
    """Tells whether anything moves, cheaply, and whatever the light does.

    It compares small grey pictures divided by their own blurred brightness, so that a lamp or a cloud is no motion.
    """

    def __init__(self) -> None:
        self.noise = 0.02
        self.scale = 1.0
        self.rest_since = 0.0
        self.moving = True
        self._before: Small | None = None

    def see(self, image: Image, t: float) -> Small:
        """Takes the next picture at time `t` and gives its small, lamp-free form."""
        small = self.small(image)
        if self._before is None or self._before.shape != small.shape:
            self.rest_since, self.moving = t, False
        else:
            difference = np.abs(small - self._before)
            self.noise = 0.95 * self.noise + 0.05 * min(float(np.median(difference)) * 3, 0.05)
            moving = bool(changed(self._before, small, self.noise).any())
            if moving:
                self.rest_since = t
            self.moving = moving
        self._before = small
        return small

    def still_for(self, t: float) -> float:
        """Seconds since anything last moved."""
        return t - self.rest_since

    def small(self, image: Image) -> Small:
        """The small picture `(h, 160)`, each pixel over the brightness around it."""
        self.scale = GATE_WIDTH / image.shape[1]
        shape = (GATE_WIDTH, max(8, round(image.shape[0] * self.scale)))
        grey = cv2.cvtColor(cv2.resize(image, shape, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        grey = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
        around = cv2.blur(grey, (31, 31)) + 12
        return np.asarray(grey / around, np.float32)


def changed(before: Small, after: Small, noise: float) -> NDArray[np.bool_]:
    """Where two small pictures differ by more than noise; specks smaller than a card corner do not count."""
    if before.shape != after.shape:
        return np.ones(after.shape, np.bool_)
    mask = (np.abs(after - before) > max(0.12, 5 * noise)).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.bool_)


def same_place(one: Quad, other: Quad) -> bool:
    """Whether two quads are the same card lying unmoved; either end may come first."""
    size = float(sides(one).mean())
    apart = min(float(np.linalg.norm(one - np.roll(other, turn, axis=0), axis=1).mean()) for turn in (0, 2))
    return apart < 0.06 * size
