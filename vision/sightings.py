"""What just happened on the table, as far as the eye can tell?"""

from dataclasses import dataclass
from typing import Any, Literal

from vision.look.detections import Alternatives, SeenCard
from vision.look.quads import Quad

Kind = Literal["landed", "taken_back", "taken", "recycled", "pointed"]


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One event at the discard pile or the pick-up pile.

    Attributes:
        kind: `landed` (a card came to rest on top), `taken_back` (the top card left, the one below shows again),
            `taken` (cards left the pick-up pile), `recycled` (all but the top card of the discard pile went away),
            `pointed` (an arm pointed from one seat at another).
        t: seconds of the source's clock when it came to rest, or was gone.
        card: table notation, or `?` with `alternatives`; for `taken_back` the card that left, else empty.
        confidence: the calibrated probability; low also where something else may have happened.
        quad: `(4, 2)` float32, pixels of the frame, where the card lies (or lay), or the pile.
        frame: index of the frame in which it was read, for the evidence.
        seat: whose hand it was, `?` when that is not clear.
        seat_confidence: how likely it is that seat's.
        count: cards taken, as far as can be told.
        single: whether each was taken by a reach of its own; else `count` is the least there may be.
        at: the seat pointed at, as surely as `confidence` says; else empty.
    """

    kind: Kind
    t: float
    card: str
    confidence: float
    alternatives: Alternatives
    quad: Quad
    frame: int
    seat: str = "?"
    seat_confidence: float = 0.0
    count: int = 0
    single: bool = True
    at: str = ""

    def to_json(self) -> dict[str, Any]:
        """The event as `referee see --json` prints it; `seat` only where it is known."""
        card = SeenCard(self.card, self.confidence, self.quad, True, self.alternatives)
        shape: dict[str, Any] = {"t": round(self.t, 3), "kind": self.kind, **card.to_json()}
        if self.seat != "?":
            shape |= {"seat": self.seat, "seat_confidence": round(self.seat_confidence, 3)}
        if self.kind == "taken":
            shape |= {"count": self.count, "single": self.single}
        if self.kind == "pointed":
            shape |= {"at": self.at}
        return shape
