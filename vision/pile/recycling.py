"""Did somebody carry the discard pile over to the pick-up pile, all but its top card?

The pile itself shows it where cards stick out from under the top one (`stack.py`). Where few do, the hands have to say
it: one that stays at the discard pile, goes on to the pick-up pile and stays there too, while no card was played or
taken back.
"""

from collections.abc import Sequence

import numpy as np

from vision.hands.pick_up import PICK_UP
from vision.hands.visits import Hands, Visit, between
from vision.input.frames import Frame
from vision.pile.discard import DISCARD, PileWatcher
from vision.pile.traces import Still
from vision.sightings import Sighting

GATHERING = 0.6
"""Seconds that a hand is at the discard pile at least to take it up."""
CARRYING = 2.0
"""Seconds at most from there to the pick-up pile."""
LAYING = 0.25
"""Seconds that it is at the pick-up pile at least; less, and it only passes over it."""
SAME_ARM = 60.0
"""Degrees between the directions of an arm as seen from the two piles, at most."""
SHOWED = 0.03
"""How much of the pile beneath must have shown, in top cards, for the picture to have a say."""
GONE, STAYED = 0.5, 0.25
"""Share of what showed that has changed when the pile has gone, and when it is still there."""
SEEN, LIKELY = 0.92, 0.6
"""Confidence where the picture says so too, and where only the hands do."""
AGAIN = 0.5
"""Seconds between two pictures of the pile at rest."""


class Recycling:
    """Watches for the discard pile being carried away.

    Args:
        hands: the table's hands, with both zones.
    """

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self._rest: Still | None = None
        self._rest_t = -AGAIN
        self._since = 0.0

    def watch(self, frame: Frame, pile: PileWatcher, told: Sequence[Sighting]) -> list[Sighting]:
        """The recycling that became certain with this frame, if any; the pile is then its top card.

        Args:
            pile: the watcher of the discard pile, which saw the frame.
            told: what it told of it.
        """
        if told:
            self._since = frame.t
        if pile.zone is None or not pile.stack or self.hands.over(DISCARD) or pile.deciding:
            return []
        arms = [arm for arm in self._arms() if arm[0].ended > self._rest_t]
        if not arms or pile.settled_t < min(left for _, left in arms):
            if not arms and frame.t - self._rest_t > AGAIN and not self._near(frame.t):
                self._rest, self._rest_t = Still.of(frame.image, pile.zone), frame.t
            return []
        visit, left = arms[-1]
        before, self._rest, self._rest_t = self._rest, None, frame.t
        confidence = _gone(before, Still.of(frame.image, pile.zone), pile)
        self._since = frame.t
        if not confidence:
            return []
        whose = self.hands.whose(DISCARD, visit)
        quad = pile.stack[-1].quad
        pile.pile.recycled()
        return [
            Sighting("recycled", left, "", confidence, (), quad, frame.index, whose.seat, whose.confidence)
        ]  # fmt: skip

    def _near(self, t: float) -> bool:
        """Whether a hand is near a pile now."""
        return any(self.hands.since(zone, t - AGAIN) for zone in (DISCARD, PICK_UP))

    def _arms(self) -> list[tuple[Visit, float]]:
        """The hands that gathered something at the discard pile and laid it down, and when they left it."""
        found = []
        laid = [(visit, stay) for visit in self.hands.since(PICK_UP, self._since) for stay in visit.stays]
        for visit in self.hands.since(DISCARD, self._since):
            for began, left in visit.stays:
                if began < self._since or left - began < GATHERING:
                    continue
                if any(
                    between(visit.angle, other.angle) < SAME_ARM
                    and -0.1 < first - left < CARRYING
                    and last - first > LAYING
                    for other, (first, last) in laid
                ):
                    found.append((visit, left))
        return found


def _gone(before: Still | None, now: Still, pile: PileWatcher) -> float:
    """How surely all but the top card has gone, by how the pile looked before; 0 where it is seen to lie there."""
    if before is None or before.zone != now.zone or len(pile.stack) < 2:
        return 0.0
    top = pile.stack[-1]
    showed = np.zeros(now.grey.shape, np.bool_)
    for card in pile.stack[:-1]:
        showed |= now.inside(card.quad, -1)
    showed &= ~now.inside(top.quad, 3)
    differs, where = now.differs(before), now.inside(top.quad, -2)
    if float(differs[where].mean()) > GONE:
        return 0.0  # the top card is another one: something else happened
    if int(showed.sum()) < SHOWED * int(where.sum()):
        return LIKELY
    share = float(differs[showed].mean())
    return SEEN if share > GONE else LIKELY if share > STAYED else 0.0
