"""What landed on the discard pile, and what was taken back, frame by frame?

While something moves in the zone, or a hand is over it, nothing is decided; cards that lie there for a moment are
noted. When the zone has been still and differs from when it last was settled, the top card is read over several frames,
and `Stack` says what became of the pile.
"""

from collections import defaultdict
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hands.visits import Hands, Visit, Whose, beside
from vision.input.frames import Frame
from vision.layout.finding import around
from vision.layout.places import shifted
from vision.look.detections import SeenCard
from vision.look.eye import Eye, Zone, cut
from vision.look.faces import BACK, UNSURE
from vision.look.quads import Image, Quad, overlap, same_place, signed_area
from vision.motion.camera import Nudge
from vision.motion.rest import STILL, Motion, Small, changed
from vision.pile.passing import Glimpse
from vision.pile.stack import Change, Stack
from vision.pile.traces import Still
from vision.sightings import Sighting

VOTES = 3
"""Looks that must agree before a card is named; a doubtful one gets up to `MOST_LOOKS`."""
MOST_LOOKS = 5
STEADY = 2
"""Looks that must find the card in the same place: a moving shadow's edge never stays."""
GLIMPSE = 0.12
"""Seconds between two looks while something moves."""
SIZES = (0.55, 1.7)
"""A new card is within these times as large as the one before it: telephones and boxes are not."""
ELSEWHERE = 1.0
"""Seconds of rest after which a zone found by itself is doubted when the picture has changed beside it."""
LIKELY = 0.5
"""An unread card that only a keen look finds must be this likely the best of its alternatives."""
DISCARD = "discard"


@dataclass(slots=True)
class _Votes:
    """What the looks since the picture came to rest made of the top card."""

    since: float
    frame: int
    looks: int = 0
    sums: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    cards: list[SeenCard] = field(default_factory=list)
    others: list[SeenCard] = field(default_factory=list)


class PileWatcher:
    """Watches the discard pile of one camera.

    Args:
        eye: reads the cards.
        zone: where the pile lies, in pixels of the frame; when None the whole frame until a card is seen, then around
            it.
        hands: the table's hands, which somebody else shows the frames; its own when None.
    """

    def __init__(self, eye: Eye, zone: Zone | None = None, hands: Hands | None = None) -> None:
        self.eye = eye
        self.zone = zone
        self.pile = Stack()
        self.hands = hands or Hands({})
        self._own_hands = hands is None
        self._given = zone is not None
        if zone is not None:
            self.hands.watch(DISCARD, zone)
        self._motion = Motion()
        self._wide = Motion()
        self._nudge = Nudge()
        self.shifted = np.zeros(2, np.float32)  # pixels by which nudges have moved everything so far
        self._wide_settled: Small | None = None
        self._settled: Small | None = None
        self._settled_t = 0.0
        self._votes: _Votes | None = None
        self._glimpses: list[Glimpse] = []
        self._glimpsed_t = 0.0
        self._last: Frame | None = None

    @property
    def stack(self) -> list[SeenCard]:
        """The pile as far as it was seen, the top card last."""
        return self.pile.cards

    @property
    def deciding(self) -> bool:
        """Whether it has looked at what lies there now and wants to look again."""
        return self._votes is not None

    @property
    def settled_t(self) -> float:
        """Seconds when it last was found at rest and everything about it was told."""
        return self._settled_t

    def watch(self, frame: Frame) -> list[Sighting]:
        """The sightings that became certain with this frame, usually none; give it every frame, in order."""
        self._last = frame
        if self._own_hands:
            self.hands.see(frame)
        small = self._motion.see(self._view(frame.image), frame.t)
        if self._doubt_zone(frame):
            return []
        if self._motion.still_for(frame.t) < STILL or self.hands.over(DISCARD):
            self._votes = None
            self._glimpse(frame)
            return []
        if self._votes is None:
            if self._settled is not None and not changed(self._settled, small, self._motion.noise).any():
                self._forget(frame.t)
                return []
            if self._nudged(frame):
                return []
            self._votes = _Votes(self._motion.rest_since, frame.index)
        return self._look(frame, small)

    def finish(self) -> list[Sighting]:
        """What the last frames of a recording still tell: a card that came to rest just before it ended."""
        frame = self._last
        if frame is None:
            return []
        small = self._motion.small(self._view(frame.image))
        if self._votes is None:
            if self._settled is not None and not changed(self._settled, small, self._motion.noise).any():
                return []
            if self._motion.moving or self.hands.over(DISCARD):
                return []
            self._votes = _Votes(self._motion.rest_since, frame.index)
        found: list[Sighting] = []
        while self._votes is not None and not found:
            found = self._look(frame, self._motion.small(self._view(frame.image)))
        return found

    def _nudged(self, frame: Frame) -> bool:
        """Whether the camera was nudged since the last rest, and nobody was at the pile; then everything follows it."""
        shift = self._nudge.see(frame.image)
        if self.zone is None or shift == (0.0, 0.0) or self._visits(frame.t):
            return False
        self.moved(*shift)
        return True

    def moved(self, dx: float, dy: float) -> None:
        """The camera was nudged: everything lies `dx`, `dy` pixels from where it lay."""
        step = np.array([dx, dy], np.float32)
        self.shifted = self.shifted + step
        self.pile.move(step)
        if self.zone is not None:
            self.zone = shifted(self.zone, dx, dy)
            self.hands.watch(DISCARD, self.zone)
        self._settled = None
        self._motion = Motion()

    def _view(self, image: Image) -> Image:
        return image if self.zone is None else cut(image, self.zone)[0]

    def _look(self, frame: Frame, small: Small) -> list[Sighting]:
        votes = self._votes
        assert votes is not None
        keen = votes.looks >= VOTES
        seen = [
            card for card in self.eye.look(frame.image, self.zone, keen)
            if card.card != BACK and self._usual(card.quad) and not (keen and _vague(card))
        ]  # fmt: skip
        top = self._top(seen, small)
        votes.looks += 1
        if top is not None:
            votes.cards.append(top)
            for card, share in top.alternatives or ((top.card, top.confidence),):
                votes.sums[card] += share
            votes.others += [card for card in seen if card is not top]
        if self._undecided(votes):
            return []
        self._votes = None
        sightings = self._decide(votes, Still.of(frame.image, self.zone), frame)
        self._settled = small
        if self.zone is None and self.pile.top is not None:
            self._watch_around(self.pile.top, frame)
        self._forget(frame.t)
        return sightings

    def _forget(self, t: float) -> None:
        """The pile is settled: what moved before does not matter any more."""
        self._settled_t = t
        self._glimpses.clear()

    def _usual(self, quad: Quad) -> bool:
        """Whether it is about as large as the card before it."""
        top = self.pile.top
        if top is None:
            return True
        ratio = (abs(signed_area(quad)) / max(abs(signed_area(top.quad)), 1)) ** 0.5
        return bool(SIZES[0] < ratio < SIZES[1])

    def _top(self, seen: list[SeenCard], small: Small) -> SeenCard | None:
        """The card that lies on top: the one the picture changed most under; else a whole one near the last top."""
        if not seen:
            return None
        top = self.pile.top
        if self._settled is None or top is None or self._settled.shape != small.shape:
            return max(seen, key=lambda card: (card.card != UNSURE, card.whole, card.confidence))
        moved = changed(self._settled, small, self._motion.noise)
        scored = [(self._share(card.quad, moved), card) for card in seen]
        most = max(share for share, _ in scored)
        if most < 0.1:
            near = [card for card in seen if overlap(card.quad, top.quad)[1] > 0.3]
            return max(near, key=lambda card: overlap(card.quad, top.quad)[0], default=None)
        scored = [(share, card) for share, card in scored if share >= 0.1]
        return max(scored, key=lambda pair: pair[0] + 0.1 * (pair[1].card != UNSURE) + 0.6 * pair[1].whole)[1]

    def _share(self, quad: Quad, moved: NDArray[np.bool_]) -> float:
        """How much of the quad changed."""
        origin = np.array(self.zone[:2] if self.zone else (0, 0), np.float32)
        inside = np.zeros(moved.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round((quad - origin) * self._motion.scale).astype(np.int32), 1)
        count = int(inside.sum())
        return float(moved[inside > 0].sum()) / count if count else 0.0

    def _undecided(self, votes: _Votes) -> bool:
        if votes.looks < VOTES:
            return True
        best = max(votes.sums.values(), default=0.0)
        agreed = best > 0.85 * votes.looks and len(_steady(votes.cards)) >= STEADY
        return not agreed and votes.looks < MOST_LOOKS

    def _decide(self, votes: _Votes, now: Still, frame: Frame) -> list[Sighting]:
        name, confidence, alternatives = _verdict(votes)
        steady = _steady([card for card in votes.cards if card.card == name] or votes.cards)
        top = self.pile.top
        looks = [card.quad for card in votes.cards]
        there = top is not None and name in (top.card, UNSURE) and any(same_place(quad, top.quad) for quad in looks)
        visits = self._visits(frame.t)
        touched = sum(visit.ended - visit.began + 0.01 for visit in visits)
        hands = _people([visit for visit in visits if visit.inside])
        if len(steady) < STEADY and not there:
            return self._told(self.pile.without(now, touched), votes, frame)
        quad = steady[-1].quad if steady else looks[-1]
        found = SeenCard(name, confidence, quad, True, alternatives)
        if self.hands.jolted > self._settled_t:
            return self._told(self.pile.jolted(found, now), votes, frame)
        changes = self.pile.after(found, looks, votes.others, self._glimpses, now, touched, hands)
        return self._told(changes, votes, frame)

    def _told(self, changes: list[Change], votes: _Votes, frame: Frame) -> list[Sighting]:
        """The changes as sightings, each with its time and whose hand it was."""
        visits = self._visits(frame.t)
        told: list[Sighting] = []
        for place, change in enumerate(changes):
            visit = _visit_of(change, place, len(changes), visits)
            whose = self.hands.whose(DISCARD, visit) if visit else Whose()
            card = change.card
            t = votes.since
            if visit and visit.inside and self._settled_t - 0.1 <= visit.turned < votes.since:
                t = visit.turned
            if told:
                t = max(t, told[-1].t + 0.01)
            told.append(
                Sighting(
                    change.kind, t, card.card, card.confidence, card.alternatives if change.kind == "landed" else (),
                    card.quad, votes.frame, whose.seat, whose.confidence,
                )
            )  # fmt: skip
        return told

    def _visits(self, t: float) -> list[Visit]:
        """The hands that were at the pile since it last was settled."""
        return [visit for visit in self.hands.since(DISCARD, self._settled_t - 0.1) if visit.turned <= t]

    def _glimpse(self, frame: Frame) -> None:
        """Note the cards that lie in the zone while something moves."""
        if self.zone is None or self.pile.top is None or frame.t - self._glimpsed_t < GLIMPSE:
            return
        self._glimpsed_t = frame.t
        top = self.pile.top
        for card in self.eye.look(frame.image, self.zone):
            if card.card in (BACK, UNSURE) or not self._usual(card.quad):
                continue
            if card.card == top.card and overlap(card.quad, top.quad)[0] > 0.5:
                continue
            same = [g for g in self._glimpses if g.card.card == card.card and same_place(g.card.quad, card.quad)]
            if same:
                same[0].count += 1
                same[0].ended = frame.t
                same[0].stills = [*same[0].stills[-2:], Still.of(frame.image, self.zone)]
            else:
                self._glimpses.append(Glimpse(card, [Still.of(frame.image, self.zone)], frame.t, frame.t))
        del self._glimpses[:-12]

    def _watch_around(self, card: SeenCard, frame: Frame) -> None:
        """From now on the zone is around that card."""
        self.zone = around(card, frame.image)
        self.hands.watch(DISCARD, self.zone)
        self._motion = Motion()
        self._settled = self._motion.see(self._view(frame.image), frame.t)
        self.pile.rest(Still.of(frame.image, self.zone))
        self._wide_settled = None

    def _doubt_zone(self, frame: Frame) -> bool:
        """Whether the pile has gone on somewhere else than in the zone that was found by itself."""
        if self._given or self.zone is None:
            return False
        small = self._wide.see(frame.image, frame.t)
        if self._wide_settled is None:
            self._wide_settled = small
        if self._wide.still_for(frame.t) < ELSEWHERE or self._votes is not None:
            return False
        outside = changed(self._wide_settled, small, self._wide.noise)
        self._wide_settled = small
        x, y, w, h = (int(v * self._wide.scale) for v in self.zone)
        outside[y : y + h + 1, x : x + w + 1] = False
        if not outside.any():
            return False
        top = self.pile.top
        new = [
            card for card in self.eye.look(frame.image)
            if card.card not in (BACK, UNSURE) and card.whole and self._usual(card.quad) and top is not None
            and overlap(card.quad, top.quad)[0] < 0.1 and not within(card.quad, self.zone)
            and self._wide_share(card.quad, outside) > 0.3
        ]  # fmt: skip
        if not new:
            return False
        self.zone, self._settled, self._votes = None, None, None
        self._motion = Motion()
        self._motion.see(frame.image, frame.t)
        return True

    def _wide_share(self, quad: Quad, outside: NDArray[np.bool_]) -> float:
        inside = np.zeros(outside.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(quad * self._wide.scale).astype(np.int32), 1)
        return float(outside[inside > 0].mean()) if inside.any() else 0.0


def _visit_of(change: Change, place: int, changes: int, visits: list[Visit]) -> Visit | None:
    """The hand that made a change; None when it is not clear."""
    inside = [visit for visit in visits if visit.inside]
    if changes > 1 and change.kind == "landed":
        return inside[place] if len(inside) == changes else None
    if len(inside) == 1:
        return inside[0]
    if not inside:
        return visits[0] if len(visits) == 1 else None
    size = change.card.height
    middle = change.card.quad.mean(axis=0)
    near = [visit for visit in inside if float(np.hypot(*(middle - visit.tip))) < 0.75 * size]
    return near[0] if len(near) == 1 else None


def _people(visits: list[Visit]) -> int:
    """How many people reached in, by where their hands came from."""
    apart: list[Visit] = []
    for visit in visits:
        if not any(beside(visit, other) for other in apart):
            apart.append(visit)
    return len(apart)


def _vague(card: SeenCard) -> bool:
    """Whether nothing says which card it is: a shadow or a glass, then, as a keen look finds many."""
    return card.card == UNSURE and max((share for _, share in card.alternatives), default=0.0) < LIKELY


def _verdict(votes: _Votes) -> tuple[str, float, tuple[tuple[str, float], ...]]:
    """The face most looks agree on, how sure they are together, and what else it may be."""
    total = max(len(votes.cards), 1)
    ranked = sorted(((share / total, card) for card, share in votes.sums.items()), reverse=True)
    named = [card.card for card in votes.cards if card.card != UNSURE]
    share, card = ranked[0] if ranked else (0.0, UNSURE)
    if named.count(card) * 2 > total:
        return card, share, ()
    return UNSURE, share, tuple((name, round(part, 3)) for part, name in ranked[:3])


def _steady(cards: list[SeenCard]) -> list[SeenCard]:
    """The most looks that found the card in one place."""
    groups = [[other for other in cards if same_place(card.quad, other.quad)] for card in cards]
    return max(groups, key=len, default=[])


def within(quad: Quad, zone: Zone) -> bool:
    """Whether the middle of a card lies in a zone."""
    x, y = quad.mean(axis=0)
    return bool(zone[0] <= x <= zone[0] + zone[2] and zone[1] <= y <= zone[1] + zone[3])
