"""How alike is a view to one of the cards of an enrolled deck, and how much does that count?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.look.decks import Deck
from vision.look.faces import BACK

FLOOR = 1e-4
"""No probability of the reader's own counts for less: it may never have seen such a card."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much where the reader and an enrolled deck are asked together.

    Attributes:
        general: the reader's own opinion, a log probability, beside …
        likeness: … how alike the view is to a card of the deck, a cosine, and …
        alike: … the likeness below which it is rather no card of the deck.
    """

    general: float
    likeness: float
    alike: float


FITTED = Weights(general=0.35, likeness=22.0, alike=0.8)
"""By `python -m vision.training.prototypes`: most right names without more wrong ones than the reader gives alone."""
STRANGE = Weights(general=0.35, likeness=40.0, alike=0.82)
"""The same where the reader has no name for most faces, and only likeness can tell them apart."""


class Prototypes:
    """Weighs what the reader thinks of a view with how alike it is to each card of one deck.

    Args:
        deck: a deck that the reader has seen.
        classes: what the reader can name by itself.
        weights: those that were fitted for such a deck when None.

    Attributes:
        strange: whether most faces are such as no network was trained on.
    """

    def __init__(self, deck: Deck, classes: list[str], weights: Weights | None = None) -> None:
        assert deck.features is not None
        answers = (*deck.faces, BACK)
        order = sorted(range(len(deck.cards)), key=lambda view: answers.index(deck.cards[view]))
        columns = [answers.index(deck.cards[view]) for view in order]
        features = deck.features[order].astype(np.float32)
        looks, length = features.shape[1] // 2, features.shape[2]
        self._ways = [features[:, :looks].reshape(-1, length), features[:, looks:].reshape(-1, length)]
        self._columns = sorted(set(columns))
        self._starts = [columns.index(column) * looks for column in self._columns]
        self._strange = [column for column, name in enumerate(deck.faces) if name not in classes]
        self.strange = len(self._strange) > len(deck.faces) / 2
        self.weights = weights or (STRANGE if self.strange else FITTED)

    def weigh(
        self, chosen: NDArray[np.float32], flipped: NDArray[np.bool_], features: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Probabilities `(n, faces + 2)` and `(n,)` whether a view is upside down, from the reader's own and features.

        log p = general * log p(reader) + likeness * cosine, normalised. A card that the reader has no name for must be
        like enough to be one; any other is as much of a card as the reader thinks, and as surely the one that it thinks
        where likeness does not contradict: nothing else makes an answer less sure than it is without the deck.
        """
        own = chosen.copy()
        own[:, self._strange] = own[:, -1:]
        upright, turned = (np.maximum.reduceat(features @ way.T, self._starts, axis=1) for way in self._ways)
        alike = np.zeros(chosen.shape, np.float32)
        alike[:, self._columns] = np.maximum(upright, turned)
        nearest = np.argmax(alike[:, :-2], axis=1)
        strange = np.isin(nearest, self._strange)
        best = alike[:, :-2].max(axis=1)
        alike[:, -1] = np.where(strange, self.weights.alike, np.minimum(self.weights.alike, best))
        alike[:, -2] = np.maximum(alike[:, -2], alike[:, -1])  # a back may be enrolled or not
        logits = self.weights.general * np.log(np.maximum(own, FLOOR)) + self.weights.likeness * alike
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        scores = np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)
        none = np.where(strange, scores[:, -1], np.minimum(scores[:, -1], chosen[:, -1]))
        scores[:, :-1] *= ((1 - none) / np.maximum(1 - scores[:, -1], 1e-6))[:, None]
        scores[:, -1] = none
        agreed = ~strange & (chosen.argmax(axis=1) == scores.argmax(axis=1)) & (chosen.max(axis=1) > scores.max(axis=1))
        scores[agreed] = chosen[agreed]
        # Which end is up: where the reader knows the index, it knows better than the picture as a whole.
        flipped = flipped.copy()
        for row in np.flatnonzero(strange):
            column = self._columns.index(int(nearest[row]))
            flipped[row] = turned[row, column] > upright[row, column]
        return scores, flipped
