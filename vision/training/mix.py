"""What does the reader get to see in training, and how often?"""

from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import Dataset

from vision.look.faces import BACK, COLOURS, FACES, NONE, SUITED, UNO
from vision.synthetic import decks
from vision.synthetic.letters import joker, plain_card, relettered
from vision.synthetic.prints import made_up_back
from vision.synthetic.scenery import Scenery
from vision.synthetic.uno import uno_card
from vision.training.photos import Snap
from vision.training.views import drawn_view, no_card, photo_view, yellowed

INDEX = {name: i for i, name in enumerate(FACES)}
SOURCE_WEIGHTS = {"uno": 2.2, "kaggle": 1.2, "quentin": 1.3, "edje": 1.0}
"""How often photos of a source are looked at; half as often as one for outlines there that are no card."""
UNO_SHARE = 0.3
NEW_INDEX = 0.42
"""The share of French cards whose index, or everything, is drawn here."""
HARD_UNO = (*(colour + digit for colour in COLOURS for digit in "69"), "W", "W+4")


class Views(Dataset[tuple[Tensor, Tensor]]):  # type: ignore[misc, unused-ignore]  # torch is no dependency
    """View number `i` of a seed is always the same picture, whoever draws it.

    Args:
        seed, count: which views, and how many.
        root: the folder of training data.
        photos: real cards to look at, in that `share` of the views.
        names: the drawn decks to choose from; none means cards of decks drawn here from nothing only.
        fonts: for cards drawn here; without any there are none.
        yellow: whether all of them lie under a very warm lamp.
    """

    def __init__(
        self, seed: int, count: int, root: Path, photos: list[Snap], names: set[str], fonts: tuple[str, ...] = (),
        share: float = 0.32, yellow: bool = False,
    ) -> None:  # fmt: skip
        self.seed, self.count, self.share, self.fonts, self.yellow = seed, count, share, fonts, yellow
        every = [f for f in decks.faces(root) if f.deck not in decks.HELD_OUT or f.deck in names]
        drawn = [f for f in every if f.deck in names]
        self.french = [f for f in drawn if f.deck != decks.UNO_DECK and f.card != BACK]
        # Foreign letters are few among the decks and hard: they come up three times as often.
        self.french += 2 * [f for f in self.french if f.deck in decks.FOREIGN and f.card[0] in "AJQK"]
        self.uno = [f for f in drawn if f.deck == decks.UNO_DECK]
        self.backs = [f for f in every if f.card == BACK]
        suited = [f for f in every if f.deck != decks.UNO_DECK and f.card in SUITED]
        self.under_new_index = [f for f in suited if f.deck not in decks.LARGE_INDEX]
        self.courts = [f for f in suited if f.card[0] in "JQK"]
        self.jokers = [f for f in every if f.card == "Jk"]
        self.photos = {source: [s for s in photos if s.source == source] for source in {s.source for s in photos}}
        self.sources = sorted(self.photos)
        weights = np.array([SOURCE_WEIGHTS.get(source, 0.5) for source in self.sources])
        self.weights = weights / max(weights.sum(), 1e-9)
        self.scenery = Scenery(root)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, number: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng((self.seed, number))
        view, cards = self.draw(rng)
        view = yellowed(rng, view) if self.yellow else view
        allowed = np.zeros(len(FACES), bool)
        allowed[[INDEX[card] for card in cards]] = True
        return torch.from_numpy(np.ascontiguousarray(view)), torch.from_numpy(allowed)

    def draw(self, rng: np.random.Generator) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
        """One view, and the faces it may be."""
        if rng.random() < self.share and self.sources:
            source = self.photos[self.sources[rng.choice(len(self.sources), p=self.weights)]]
            snap = source[rng.integers(len(source))]
            photo = cv2.imread(str(snap.path))
            turns = 2 * int(rng.integers(2)) if snap.cards != (NONE,) else int(rng.integers(4))
            quad = np.roll(snap.quad, turns, axis=0)
            return photo_view(rng, np.asarray(photo, np.uint8), quad), snap.cards
        drawer = self._uno if rng.random() < UNO_SHARE and (self.uno or self.fonts) else self._french
        card, picture = drawer(rng)
        kind = rng.random()
        if kind < 0.16:
            return no_card(rng, self.scenery, picture), (NONE,)
        other = drawer(rng)[1] if rng.random() < 0.4 else None
        if kind < 0.22:
            drawn = rng.random() < 0.5 and bool(self.backs)
            back = self.backs[rng.integers(len(self.backs))].picture() if drawn else made_up_back(rng)
            return drawn_view(rng, back, self.scenery, other), (BACK,)
        return drawn_view(rng, picture, self.scenery, other, covered=0.25), (card,)

    def _french(self, rng: np.random.Generator) -> tuple[str, NDArray[np.uint8]]:
        """A card of a drawn deck, or one with an index (or all) drawn here: its name and picture."""
        kind = rng.random()
        if not self.french:
            kind *= NEW_INDEX
        elif not self.fonts:
            kind = 1.0
        if kind < 0.05:
            if rng.random() < 0.5:
                return "Jk", joker(rng, self._one(rng, self.jokers), self.fonts)
            middle = self._one(rng, self.courts) if rng.random() < 0.4 else self.scenery.patch(rng, 160, 240)
            return "Jk", joker(rng, middle, self.fonts)
        if kind < 0.28:
            faces = self.courts if rng.random() < 0.5 else self.under_new_index
            face = faces[rng.integers(len(faces))]
            card = face.card
            if card[0] in "JQK" and rng.random() < 0.2:  # what is printed in the corner decides
                card = str(rng.choice(list("JQK"))) + card[1]
            return card, relettered(rng, face.picture(), card, self.fonts)
        if kind < NEW_INDEX:
            card = SUITED[rng.integers(len(SUITED))]
            if rng.random() < 0.4:
                card = str(rng.choice(list("AJQK"))) + card[1]
            return card, plain_card(rng, card, self._one(rng, self.courts), self.fonts)
        face = self.french[rng.integers(len(self.french))]
        return face.card, face.picture()

    def _uno(self, rng: np.random.Generator) -> tuple[str, NDArray[np.uint8]]:
        """A UNO card: its name and picture."""
        if self.uno and (not self.fonts or rng.random() < 0.12):
            face = self.uno[rng.integers(len(self.uno))]
            return face.card, face.picture()
        # Six and nine, wild and wild draw four are hard or few: they come up more often.
        card = UNO[rng.integers(len(UNO))] if rng.random() < 0.8 else HARD_UNO[rng.integers(len(HARD_UNO))]
        return card, uno_card(rng, card, self.fonts)

    def _one(self, rng: np.random.Generator, faces: list[decks.Face]) -> NDArray[np.uint8]:
        return faces[rng.integers(len(faces))].picture()
