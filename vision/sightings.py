"""What just happened on the discard pile, as far as the eye can tell?"""

from dataclasses import dataclass
from typing import Any, Literal

from vision.detections import Alternatives, SeenCard
from vision.quads import Quad

Kind = Literal["landed", "taken_back"]


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One event at the discard pile.

    Attributes:
        kind: `landed` (a card came to rest on top) or `taken_back` (the top card left, the one below shows again).
        t: seconds of the source's clock when it came to rest, or was gone.
        card: table notation, or `?` with `alternatives`; for `taken_back` the card that left.
        confidence: the calibrated probability; low also where the same card may only have been nudged.
        quad: `(4, 2)` float32, pixels of the frame, where the card lies (or lay).
        frame: index of the frame in which it was read, for the evidence.
    """

    kind: Kind
    t: float
    card: str
    confidence: float
    alternatives: Alternatives
    quad: Quad
    frame: int

    def to_json(self) -> dict[str, Any]:
        """The event as `referee see --json` prints it."""
        card = SeenCard(self.card, self.confidence, self.quad, True, self.alternatives)
        return {"t": round(self.t, 3), "kind": self.kind, **card.to_json()}
