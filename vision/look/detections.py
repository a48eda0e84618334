"""What did the eye see in one picture?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.look.faces import UNSURE
from vision.look.quads import Quad, Quads, sides

Alternatives = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """The cards in one picture, the best seen first.

    Attributes:
        quads: `(n, 4, 2)` float32, pixels, clockwise from the card's own top-left.
        cards: table notation (`Qh`, `Td`, `Jk`, `r5`), `back`, or `?` when it is not sure which card it is.
        confidences: `(n,)` float32, the calibrated probability of the best face, also of a `?`.
        alternatives: per card the likeliest faces of a `?` with their probability, else empty.
        whole: `(n,)` bool, False when part of the card is covered or outside the picture.

    Raises:
        ValueError: the parts differ in length or shape.
    """

    quads: Quads = field(default_factory=lambda: np.zeros((0, 4, 2), np.float32))
    cards: tuple[str, ...] = ()
    confidences: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    alternatives: tuple[Alternatives, ...] = ()
    whole: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))

    def __post_init__(self) -> None:
        n = len(self.cards)
        shapes = (self.quads.shape, self.confidences.shape, len(self.alternatives), self.whole.shape)
        if shapes != ((n, 4, 2), (n,), n, (n,)):
            raise ValueError(f"{n} cards do not go with quads, confidences, alternatives, whole of {shapes}")

    @classmethod
    def of(cls, cards: Sequence["SeenCard"]) -> "Detections":
        """The detections made of single cards."""
        if not cards:
            return cls()
        return cls(
            np.stack([card.quad for card in cards]).astype(np.float32),
            tuple(card.card for card in cards),
            np.array([card.confidence for card in cards], np.float32),
            tuple(card.alternatives for card in cards),
            np.array([card.whole for card in cards], np.bool_),
        )

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator["SeenCard"]:
        for i, card in enumerate(self.cards):
            yield SeenCard(card, float(self.confidences[i]), self.quads[i], bool(self.whole[i]), self.alternatives[i])

    def to_json(self) -> list[dict[str, Any]]:
        """One JSON object per card, in the shape `referee see --json` prints."""
        return [card.to_json() for card in self]


@dataclass(frozen=True, slots=True, eq=False)
class SeenCard:
    """One card of `Detections`."""

    card: str
    confidence: float
    quad: Quad
    whole: bool = True
    alternatives: Alternatives = ()

    @property
    def height(self) -> float:
        """Length in pixels of its longest side."""
        return float(sides(self.quad).max())

    def to_json(self) -> dict[str, Any]:
        """`card`, `confidence`, `quad`, `whole`, and for a `?` its `alternatives`."""
        shape: dict[str, Any] = {
            "card": self.card,
            "confidence": round(self.confidence, 4),
            "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in self.quad],
            "whole": self.whole,
        }
        if self.card == UNSURE:
            shape["alternatives"] = [[name, round(share, 3)] for name, share in self.alternatives]
        return shape
