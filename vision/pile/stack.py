"""Given the card that now lies on top, what became of the discard pile: played, taken back, pushed, turned over?

A card with another face is a new one. For the same face in another place three things are possible, and the pictures of
before and now decide: the old one still shows beside it (an identical card was played on it), or what lay under the old
one shows (it was pushed), or the whole pile went (it was recycled).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.look.detections import SeenCard
from vision.look.faces import UNSURE
from vision.look.quads import NEARLY, Quad, overlap, same_place
from vision.pile.passing import DOUBTFUL, TELLING, Glimpse, between, doubt, likeliest, shows, steadily
from vision.pile.traces import DIFFERS, Mask, Still, resembles

SAME = 0.7
"""From this intersection over union on, the same face is the same card, unless the picture says otherwise."""
EXACTLY, VERY_EXACTLY = 0.02, 0.012
"""Shares of a side by which the corners of an identical card laid on it are seen elsewhere at least; the smaller share
where its print has moved much."""
UNCHANGED = 0.05
"""Share of a card's place that changes at least when it comes to lie there."""
MOSTLY = 0.35
"""The same for a card that is known to lie there, and to show."""
STIRRED, MUCH_STIRRED = 0.25, 0.45
"""Share of its print that moves at least when a card is pushed a little, or an identical one is laid on it; below the
larger share it may be a glass that stands over it."""
RECYCLING = 0.7
"""Seconds that a hand needs at least to take the pile from under its top card."""
RETURNED = 0.8
"""Share of the pixels that can tell which must look as before the cards came that are said to have been taken back."""
MUCH, LITTLE = 0.1, 0.02
"""How many pixels of theirs must be able to tell; fewer where the card below is read again in its very place."""
DEEPEST = 4
"""So many cards from the top on may show again when those above are taken back."""
SLOW = 1.4
"""Seconds at the pile from which on a hand has hardly played a card: it took the pile, or squared it."""
SHOWED = 0.015
"""How much of the pile beneath must have shown, in top cards, for its going away to be seen."""
GONE_WITH = 0.5
"""Share of what showed of the pile beneath that must have changed when the pile is said to have gone."""


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What happened to the pile."""

    kind: Literal["landed", "taken_back", "recycled"]
    card: SeenCard


class Stack:
    """The discard pile as far as it was seen, the top card last.

    Attributes:
        cards: the cards, at their places.
        settled: the pile when it last was at rest; None before it was seen.
    """

    def __init__(self) -> None:
        self.cards: list[SeenCard] = []
        self.settled: Still | None = None
        self._laid: list[Still | None] = []  # the picture before each card came
        self._touched, self._hands = 0.0, 0

    @property
    def top(self) -> SeenCard | None:
        """The top card."""
        return self.cards[-1] if self.cards else None

    def after(
        self,
        found: SeenCard,
        looks: Sequence[Quad],
        others: Sequence[SeenCard],
        glimpses: Sequence[Glimpse],
        now: Still,
        touched: float,
        hands: int,
    ) -> list[Change]:
        """What happened, now that the pile is at rest with `found` on top; the pile is then as it says.

        Args:
            touched: for how many seconds hands were at the pile since it last was at rest; 0 when none came near.
            hands: how many people's hands those were.
            looks: where single looks saw the top card.
            others: the cards that single looks saw beside it.
            glimpses: cards that were seen lying meanwhile.
            now: the picture of this moment.
        """
        self._touched, self._hands = touched, hands
        changes = self._explain(found, looks, others, glimpses, now)
        self.settled = now
        return changes

    def without(self, now: Still, touched: float) -> list[Change]:
        """What happened, now that the pile is at rest and no card is seen where the top one lay.

        Something may lie over it; or it looks as it did before that card came: then it was taken back, for sure if no
        other card lies there that should be seen now.
        """
        top = self.top
        gone = top is not None and touched > 0 and self._as_before([top], self._laid[-1], now)
        self.settled = now
        if top is None or not gone:
            return []
        del self.cards[-1], self._laid[-1]
        return [Change("taken_back", doubt(top, DOUBTFUL) if self.cards else top)]

    def jolted(self, found: SeenCard, now: Still) -> list[Change]:
        """What happened, now that the pile is at rest with `found` on top, and the camera was moved meanwhile.

        What lay there lies elsewhere in the picture, and nothing was played: a face that was not known to lie there has
        come into view.
        """
        top = self.top
        known = next((card for card in reversed(self.cards) if _faces(card) & _faces(found)), None)
        if known is None:
            self.cards, self._laid, self.settled = [found], [None], now
            return [] if top is not None else [Change("landed", found)]
        self._follow(known, found)
        if known is top:
            self.cards[-1] = _named(top, found)
        self.settled = now
        return []

    def _follow(self, known: SeenCard, found: SeenCard) -> None:
        """The camera was nudged: everything lies as far from where it lay as `found` does from `known`."""
        self.move(np.asarray(found.quad.mean(axis=0) - known.quad.mean(axis=0), np.float32))

    def rest(self, now: Still) -> None:
        """The pile is at rest; this is how it looks."""
        self.settled = now

    def recycled(self) -> None:
        """All but the top card have gone; what lay under it does so no longer."""
        del self.cards[:-1]
        self._laid = [None]

    def move(self, step: Quad) -> None:
        """Everything lies `step` `(2,)` pixels from where it lay: the camera was nudged."""
        self.cards = [SeenCard(c.card, c.confidence, c.quad + step, c.whole, c.alternatives) for c in self.cards]
        self.settled, self._laid = None, [None] * len(self.cards)

    def _explain(
        self,
        found: SeenCard,
        looks: Sequence[Quad],
        others: Sequence[SeenCard],
        glimpses: Sequence[Glimpse],
        now: Still,
    ) -> list[Change]:
        top = self.top
        if top is None:
            return [self._land(found, self.settled)]
        came = self._came(found, now) if self._touched else 0.0
        moved = self._moved(found, now) if came else 0.0
        stirred = moved > STIRRED
        within = VERY_EXACTLY if moved > MUCH_STIRRED else EXACTLY if stirred else NEARLY
        unmoved = any(same_place(quad, top.quad, within) for quad in looks)
        if stirred and top.card == found.card == UNSURE and not {*dict(top.alternatives)} & {*dict(found.alternatives)}:
            unmoved = False  # neither was read, but they do not look alike
        if unmoved and found.card in (top.card, UNSURE):
            return self._recycled(
                found, others, now
            )  # the top card itself; a look may have taken a shadow for its edge
        if unmoved and (top.card == UNSURE and found.card in dict(top.alternatives)):
            self.cards[-1] = SeenCard(found.card, found.confidence, top.quad)  # the light is better now
            return []
        seen = [c for c in others if c.card == likeliest(top) and overlap(c.quad, top.quad)[0] > 0.5]
        slid = next((card for card in steadily(others) if card.card == likeliest(top)), None)
        alike = [c for c in self.cards[-6:] if found.card == c.card != UNSURE and overlap(found.quad, c.quad)[0] > 0.5]
        known = max(alike, key=lambda c: (same_place(found.quad, c.quad), c is top), default=None)
        if known is not None and known is not top:
            where_it_was = same_place(found.quad, known.quad)
            if self._touched and len(seen) >= 2 and (where_it_was or came < MOSTLY):
                return []  # a card that lay there before, below the top one
            if slid is not None and (where_it_was or not (self._touched or seen)):
                self.cards[-1] = _named(top, slid)
                return []  # it shows again because the top one was pushed, or slid, off it
            if not self._touched:
                if not seen:  # the camera was bumped
                    self._follow(known, found)
                return []
        if found.card == UNSURE and not self._touched:
            if slid is not None and not seen:
                self.cards[-1] = _named(top, slid)
            return []  # a shadow, a glare, a camera that was bumped, a card that showed when the top one slid off
        back = self._taken_back(found, now) if len(seen) < 2 else []
        if back:
            return back
        if likeliest(found) == likeliest(top) != UNSURE:
            return self._same_face(found, top, others, now)
        if self._touched and came < (MOSTLY if known is not None and shows(known, self.cards, now) else UNCHANGED):
            return []
        passed = between(found, others, glimpses, self.cards, self.settled, now, self._hands)
        if passed is not None:
            return [self._land(passed, self.settled), self._land(found, None)]
        landed = self._land(found, self.settled)
        if self._hands > 1 and found.card != UNSURE:
            # What did the other hand do? An identical card hides the one it covers.
            return [landed, self._land(doubt(found, DOUBTFUL), None)]
        return [landed]

    def _came(self, found: SeenCard, now: Still) -> float:
        """How much of the place where it lies has changed: what looks as before has been there before."""
        where = now.inside(found.quad, 2)
        if self.settled is None or not where.any():
            return 1.0
        return float(now.differs(self.settled, where)[where].mean())

    def _moved(self, found: SeenCard, now: Still) -> float:
        """How much of what is printed where it lies has moved; a shadow moves nothing."""
        return 0.0 if self.settled is None else now.print_moved(self.settled, now.inside(found.quad, 2))

    def _land(self, card: SeenCard, before: Still | None) -> Change:
        self.cards.append(card)
        self._laid.append(before)
        del self.cards[:-40], self._laid[:-40]
        return Change("landed", card)

    def _taken_back(self, found: SeenCard, now: Still) -> list[Change]:
        """Whether a card further down shows again, so that those above it were taken back.

        The picture has to say so too: where those cards lay it looks as it did before they came. Otherwise another
        card with that face was played in about that place.
        """
        for deep in range(2, min(len(self.cards), DEEPEST) + 1):
            below, gone, before = self.cards[-deep], self.cards[-deep + 1 :], self._laid[-deep + 1]
            if found.card not in (UNSURE, *(card.card for card in self.cards[: -deep + 1])):
                continue
            exactly = found.card == below.card and same_place(found.quad, below.quad)
            if not self._as_before(gone, before, now, LITTLE if exactly else MUCH):
                continue
            del self.cards[-deep + 1 :], self._laid[-deep + 1 :]
            sure = found.confidence if found.card == below.card else below.confidence
            return [Change("taken_back", doubt(card, sure)) for card in reversed(gone)]
        return []

    def _as_before(self, gone: Sequence[SeenCard], before: Still | None, now: Still, least: float = MUCH) -> bool:
        """Whether it looks, where `gone` lay, as it did before they came, by `least` of their pixels or more."""
        if before is None or before.zone != now.zone:
            return False
        where = np.zeros(now.grey.shape, np.bool_)
        for card in gone:
            where |= now.inside(card.quad, -1)
        share, count = resembles(now, before, self.settled, where)
        return share >= RETURNED and count >= least * int(where.sum())

    def _same_face(self, found: SeenCard, top: SeenCard, others: Sequence[SeenCard], now: Still) -> list[Change]:
        """The face that lay there lies somewhere else: pushed, or a second one on it?"""
        settled = self.settled
        if not self._touched:  # it slid, or the camera was bumped
            self.cards[-1] = _named(top, found)
            return []
        if settled is None or settled.zone != now.zone:
            return [self._land(doubt(found, DOUBTFUL), None)]
        recycled = self._recycled(found, others, now)
        if recycled:
            self.cards[-1] = _named(top, found)
            return recycled
        where = now.inside(top.quad, -1)
        if overlap(found.quad, top.quad)[0] > SAME and float(now.differs(settled)[where].mean()) < 0.015:
            return []  # nothing has changed there: only the corners were seen a little otherwise
        beside = where & ~now.inside(found.quad, 2)
        stayed = self._stayed(beside, int(where.sum()), now)
        if stayed is None:
            seen_below = [c for c in others if c.card == likeliest(top) and overlap(c.quad, top.quad)[0] > 0.6]
            stayed = 0.8 if len(seen_below) >= 2 else 0.5
        if any(likeliest(card) == likeliest(top) for card in self.cards[:-1]):
            stayed = min(stayed, 0.5)  # two packs have no third one
        if stayed >= 0.65:
            slow = self._hands < 2 and self._touched > SLOW
            return [self._land(doubt(found, 0.8 if slow else min(1.0, 0.55 + 0.5 * stayed)), settled)]
        if stayed <= 0.35:
            self.cards[-1] = _named(top, found)
            return []
        return [self._land(doubt(found, DOUBTFUL), settled)]

    def _stayed(self, beside: Mask, card: int, now: Still) -> float | None:
        """How surely what shows of the old top card still lies there; None when nothing can tell."""
        settled = self.settled
        assert settled is not None
        share, count = resembles(now, settled, self._laid[-1], beside)
        if count >= max(10, TELLING * card):
            return share
        drawn = beside & _drawn(settled)
        if int(drawn.sum()) < max(10, TELLING * card):
            return None
        return max(0.0, 1 - 2 * float(now.differs(settled)[drawn].mean()))

    def _recycled(self, found: SeenCard, others: Sequence[SeenCard], now: Still) -> list[Change]:
        """Whether all that showed of the pile beneath the top card has gone."""
        settled, top = self.settled, self.top
        if settled is None or top is None or settled.zone != now.zone or len(self.cards) < 2:
            return []
        if self._touched < RECYCLING:
            return []
        showed = np.zeros(now.grey.shape, np.bool_)
        for card in self.cards[:-1]:
            showed |= now.inside(card.quad, -1)
        showed &= ~now.inside(top.quad, 2) & ~now.inside(found.quad, 3)
        if int(showed.sum()) < SHOWED * int(now.inside(found.quad).sum()):
            return []
        if float(now.differs(settled)[showed].mean()) < GONE_WITH:
            return []
        if any(overlap(card.quad, found.quad)[1] < 0.9 or card.card != found.card for card in others):
            return []  # other cards still show: the pile was pushed
        self.recycled()
        return [Change("recycled", SeenCard("", 0.8, found.quad))]


def _faces(card: SeenCard) -> set[str]:
    """The faces that it may have."""
    return {likeliest(card), *dict(card.alternatives)}


def _named(top: SeenCard, found: SeenCard) -> SeenCard:
    """The top card where `found` has it, by the name of whichever was read."""
    card = found if top.card == UNSURE else top
    return SeenCard(card.card, card.confidence, found.quad, True, card.alternatives)


def _drawn(still: Still) -> Mask:
    """Where something is printed or ends: pixels that differ from those around them."""
    around = cv2.blur(still.grey, (7, 7))
    return np.asarray(np.abs(still.grey - around) > DIFFERS, np.bool_)
