"""Which card came and was covered by another before the pile was at rest?

It still shows in part, or was seen lying for a moment (`Glimpse`); pictures of the place decide whether it stayed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from vision.look.detections import SeenCard
from vision.look.faces import UNSURE
from vision.look.quads import Quad, overlap, same_place
from vision.pile.traces import Still, resembles

DOUBTFUL = 0.5
"""Confidence of a play that may as well be the same card pushed aside."""
TELLING = 0.003
"""Share of a card's pixels that must be able to tell before they are believed."""
STAYED = 0.6
"""Share of them that looks as in the glimpse where the card stayed; more is asked for where it is less likely:"""
STAYED_SURELY = 0.8
"""... where one hand may have put its card right, ..."""
STAYED_SINCE = 0.85
"""... or it was seen once only."""
HIDDEN = 0.7
"""From this intersection over union on, a card hides one below it of which nothing shows."""
LONG = 3
"""Glimpses of a card that lay there for long."""


@dataclass(slots=True, eq=False)
class Glimpse:
    """A card seen lying while something moved: how often, first and last when, and pictures of such moments."""

    card: SeenCard
    stills: list[Still]
    began: float
    ended: float
    count: int = 1


def between(
    found: SeenCard,
    others: Sequence[SeenCard],
    glimpses: Sequence[Glimpse],
    pile: Sequence[SeenCard],
    settled: Still | None,
    now: Still,
    hands: int,
) -> SeenCard | None:
    """The card that came before `found`, with its confidence; None when none did, or nothing tells.

    Args:
        found: the card that lies on top now.
        others: the cards that single looks saw beside it.
        glimpses: cards that were seen lying since the pile was at rest.
        pile: the cards that lay there then, the top one last.
        settled: how it looked then.
        now: how it looks now.
        hands: how many people's hands were at the pile.
    """
    if settled is None or settled.zone != now.zone:
        return None
    return _showing(found, others, pile, settled, now, hands) or _seen(found, glimpses, pile, settled, now, hands)


def _showing(
    found: SeenCard, others: Sequence[SeenCard], pile: Sequence[SeenCard], settled: Still, now: Still, hands: int
) -> SeenCard | None:
    """A card that shows in part where the picture has changed."""
    differs = now.differs(settled)
    covered = now.inside(found.quad, 3)
    for card in sorted(steadily(others), key=lambda card: -card.confidence):
        where = now.inside(card.quad, -1) & ~covered
        size = int(now.inside(card.quad).sum())
        known = any(card.card == c.card and overlap(card.quad, c.quad)[0] > 0.5 for c in pile)
        alone = card.card == found.card and hands < 2  # the top card itself, seen a little otherwise
        if known or alone or int(where.sum()) < 0.03 * size or card.card == UNSURE:
            continue
        if float(differs[where].mean()) > 0.35:
            return doubt(card, 0.97)
    return None


def _seen(
    found: SeenCard, glimpses: Sequence[Glimpse], pile: Sequence[SeenCard], settled: Still, now: Still, hands: int
) -> SeenCard | None:
    """A card that was seen lying for a moment and has not gone since."""
    covered = now.inside(found.quad, 3)
    perhaps: list[SeenCard] = []
    for glimpse in sorted(glimpses, key=lambda glimpse: -glimpse.count):
        card = glimpse.card
        alike = card.card == found.card or (found.card == UNSURE and card.card in dict(found.alternatives))
        if alike and same_place(card.quad, found.quad):
            continue
        if any(card.card == c.card and _lay(c, card.quad, pile, now) for c in pile):
            changed = [float(s.differs(settled)[s.inside(card.quad, -1)].mean()) for s in glimpse.stills]
            if max(changed) < 0.5:
                continue  # it lay there before
        where = now.inside(card.quad, -1) & ~covered
        size = int(now.inside(card.quad).sum())
        enough = max(10, TELLING * size)
        # A hand may be over it in one of the pictures.
        shares = [resembles(now, still, settled, where) for still in glimpse.stills]
        share, count = max(shares, key=lambda one: (one[1] >= enough, one[0]))
        if alike and hands < 2:
            if _alone(glimpse, glimpses) and count >= enough and share > STAYED_SURELY:
                return doubt(card, 0.85)
            continue  # the same card, still on its way
        hidden = overlap(card.quad, found.quad)[0]
        if glimpse.count < 2:
            if share > STAYED_SINCE and count > 5 * TELLING * size:
                return doubt(card, 0.5 + 0.5 * share)
            if not alike and hidden > HIDDEN and share >= 0.5:
                perhaps.append(doubt(card, DOUBTFUL))
        elif count >= enough:
            if share > STAYED:
                return doubt(card, min(1.0, 0.5 + 0.5 * share))
        elif hidden > HIDDEN or (not alike and glimpse.count >= LONG and hidden > 0.5):
            return doubt(card, 0.85)
    return perhaps[0] if perhaps and hands > 1 and found.card != UNSURE else None


def _alone(glimpse: Glimpse, glimpses: Sequence[Glimpse]) -> bool:
    """Whether a card lay there for long while its face was seen nowhere else: no second outline of the same card."""
    others = [other for other in glimpses if other is not glimpse and other.card.card == glimpse.card.card]
    apart = all(other.ended < glimpse.began or glimpse.ended < other.began for other in others)
    return glimpse.count >= LONG and apart


def _lay(card: SeenCard, quad: Quad, pile: Sequence[SeenCard], now: Still) -> bool:
    """Whether a card of the pile showed in about the place of `quad`, or lay exactly there and may show again."""
    return same_place(card.quad, quad) or (overlap(card.quad, quad)[0] > 0.5 and shows(card, pile, now))


def shows(card: SeenCard, pile: Sequence[SeenCard], now: Still) -> bool:
    """Whether most of a card of the pile is not covered by those above it: it slid off, say."""
    where = now.inside(card.quad)
    free = where.copy()
    for above in pile[pile.index(card) + 1 :]:
        free &= ~now.inside(above.quad)
    return 2 * int(free.sum()) > int(where.sum())


def doubt(card: SeenCard, share: float) -> SeenCard:
    """The card, with its confidence so much lower."""
    confidence = card.confidence * share
    left = ((card.card, round(confidence, 3)),) if share <= DOUBTFUL else card.alternatives
    return SeenCard(card.card, confidence, card.quad, True, left)


def likeliest(card: SeenCard) -> str:
    """The face it has, or most likely has."""
    return card.alternatives[0][0] if card.card == UNSURE and card.alternatives else card.card


def steadily(cards: Sequence[SeenCard]) -> list[SeenCard]:
    """The cards that two looks or more saw in one place."""
    found: list[SeenCard] = []
    for place, card in enumerate(cards):
        if any(card.card == one.card and same_place(card.quad, one.quad) for one in found):
            continue
        if any(card.card == later.card and same_place(card.quad, later.quad) for later in cards[place + 1 :]):
            found.append(card)
    return found
