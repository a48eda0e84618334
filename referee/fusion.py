"""What does a sighting become when the rules are asked, where the eye is undecided?

The one place where rules help the eye. A card that was clearly seen stays what it was, legal or not. Only a card that
could not be named may be taken for one of its alternatives, when no other of them may be played now, and then it is
never sure: no penalty rests on it. A seat is claimed only when the hand was clearly that seat's. How many cards were
taken in one reach only what is owed can say. A pointing is believed only where one is awaited.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from referee.cards import Card
from referee.observations import (
    SURE,
    UNKNOWN,
    Happening,
    Landed,
    Pointed,
    Recycled,
    Seat,
    Seated,
    Taken,
    TakenBack,
)
from referee.standing import Standing

SEAT_SURE: Final = 0.95
"""From this probability on a hand is said to be a seat's."""
PRESUMED: Final = 0.85
"""The most an observation may be sure of that rests on the rules in part."""
LEGAL: Final = 20.0
"""How much likelier a card is played that may be played: people err in about one play of twenty."""
AGREED: Final = 0.8
"""From this probability on, rules included, an unread card is named."""
RUN_OUT: Final = 4
"""Believed cards in the pick-up pile up to which it may have been recycled; more, and the eye was wrong."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the eye noticed, in the referee's words.

    Attributes:
        kind: `landed`, `taken_back`, `taken`, `recycled`, `pointed`.
        card: None where it could not be read, or none is meant.
        count: cards taken, as far as reaches tell; `single`: each by a reach of its own.
        at: the seat pointed at.
    """

    kind: str
    t: float
    card: Card | None
    confidence: float
    alternatives: tuple[tuple[Card, float], ...] = ()
    seat: Seat = UNKNOWN
    seat_confidence: float = 0.0
    count: int = 0
    single: bool = True
    evidence: tuple[str, ...] = ()
    at: Seat = ""


Legal = Callable[[Seat], frozenset[Card]]
"""The cards a seat could play now without a penalty."""


def observation(seen: Seen, standing: Standing, legal: Legal) -> Happening | None:
    """What the match is told of it; None when the eye cannot have been right."""
    sure_seat = seen.seat in standing.players and seen.seat_confidence >= SEAT_SURE
    happening = _happening(seen, seen.seat if sure_seat else UNKNOWN, standing, legal)
    if sure_seat and isinstance(happening, Seated):
        return replace(happening, seat_confidence=seen.seat_confidence)
    return happening


def _happening(seen: Seen, seat: Seat, standing: Standing, legal: Legal) -> Happening | None:
    match seen.kind:
        case "landed":
            return _landed(seen, seat, standing, legal)
        case "taken_back":
            return TakenBack(
                t=seen.t, seat=seat, card=seen.card, confidence=seen.confidence, source="eye", evidence=seen.evidence
            )
        case "taken":
            return _taken(seen, seat, standing)
        case "recycled" if standing.pick_up_pile <= RUN_OUT:
            return Recycled(t=seen.t, confidence=seen.confidence, source="eye", evidence=seen.evidence)
        case "pointed" if seat != UNKNOWN:
            return _pointed(seen, seat, standing)
        case _:
            return None


def _pointed(seen: Seen, seat: Seat, standing: Standing) -> Pointed | None:
    """Where a seat has to be pointed at, and it is clear which; at which of two hands no camera can tell (UB-13).

    What is left out harms nobody: then whoever acts next was pointed at.
    """
    if "pointing" not in standing.modes or "queens" in standing.modes:
        return None
    if seen.at not in standing.players or seen.confidence < SURE:
        return None
    return Pointed(t=seen.t, seat=seat, at=seen.at, confidence=seen.confidence, source="eye", evidence=seen.evidence)


def _landed(seen: Seen, seat: Seat, standing: Standing, legal: Legal) -> Landed:
    card, confidence, alternatives = seen.card, seen.confidence, seen.alternatives
    if card is None and alternatives:
        card, confidence = _read(alternatives, _playable(seat, standing, legal))
        if card is None:
            confidence = seen.confidence
        else:
            alternatives = ()
    return Landed(
        t=seen.t,
        seat=seat,
        card=card,
        confidence=confidence,
        alternatives=alternatives,
        source="eye",
        evidence=seen.evidence,
    )


def _playable(seat: Seat, standing: Standing, legal: Legal) -> frozenset[Card]:
    """What may be played now: by that seat, or by whoever is in turn."""
    whose = seat if seat != UNKNOWN else standing.turn
    return legal(whose) if whose is not None else frozenset()


def _read(alternatives: tuple[tuple[Card, float], ...], playable: frozenset[Card]) -> tuple[Card | None, float]:
    """The one alternative that may be played, if eye and rules are nearly sure of it; never surer than that."""
    weighed = [(share * (LEGAL if card in playable else 1.0), card) for card, share in alternatives]
    best, card = max(weighed, key=lambda pair: pair[0])
    total = sum(weight for weight, _ in weighed) + max(0.0, 1.0 - sum(share for _, share in alternatives))
    probability = best / total if total > 0 else 0.0
    if card not in playable or probability < AGREED:
        return None, 0.0
    return card, min(probability, PRESUMED)


def _taken(seen: Seen, seat: Seat, standing: Standing) -> Taken:
    """Cards taken. One reach takes what is owed, if anything is; reaches counted one by one are believed."""
    owed = _owed(seat, standing)
    count, sure = max(seen.count, 1), seen.confidence
    if not seen.single and owed > 1:
        count, sure = owed, min(sure, PRESUMED)
    elif not seen.single:
        sure = min(sure, SURE)
    elif count != max(owed, 1):
        sure = min(sure, PRESUMED)  # a card may have been taken beneath the arm
    return Taken(
        t=seen.t,
        seat=seat,
        count=min(count, 999),
        count_confidence=sure,
        confidence=seen.confidence,
        source="eye",
        evidence=seen.evidence,
    )


def _owed(seat: Seat, standing: Standing) -> int:
    """Cards that `seat`, or whoever is in turn, has to pick up: penalties, and the turn's debt."""
    whose = seat if seat != UNKNOWN else standing.turn
    if whose is None or whose not in standing.players:
        return 0
    place = standing.players.index(whose)
    penalties = standing.penalties_owed[place] if place < len(standing.penalties_owed) else 0
    return penalties + (standing.owed if whose == standing.turn else 0)
