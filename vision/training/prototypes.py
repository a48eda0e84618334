"""How much may an enrolled deck's likeness count? `python -m vision.training.prototypes` prints the shipped weights.

Run it again after the reader was trained. Decks never trained on are enrolled from a few drawn views of one light and
read in others, made-up decks that no network knows among them, and so are real training photos kept for it.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.look.deck_reader import seen_by
from vision.look.decks import Deck
from vision.look.faces import BACK, NONE
from vision.look.prototypes import FITTED, STRANGE, Prototypes, Weights
from vision.look.quads import MARGIN, SIZE, Image, rectify
from vision.look.reader import Reader
from vision.synthetic import decks
from vision.synthetic.camera import photographed
from vision.synthetic.prints import draw_foreign_card, lay, smaller, worn
from vision.synthetic.scenery import Rng, Scenery, draw_fingers
from vision.training.photos import snaps
from vision.training.views import no_card, photo_view

ABSENT = 0.2
"""Share of each deck's faces that is not enrolled: they must not be taken for others."""
MADE_UP = 2
"""Decks of pictures nobody ever saw."""


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A deck as enrolled, and views with their right answers: a face, or `none` for what is no card of it."""

    name: str
    deck: Deck
    answers: tuple[str, ...]
    views: NDArray[np.uint8]


def trials(root: Path, cache: Path, seed: int = 1) -> Iterator[Trial]:
    """Every trial of a seed."""
    scenery = Scenery(root)
    drawn: dict[str, list[tuple[str, NDArray[np.uint8]]]] = defaultdict(list)
    for face in decks.faces(root):
        if face.card != BACK and (face.deck in decks.HELD_OUT or face.deck == decks.UNO_DECK):
            drawn[face.deck].append((face.card, face.picture()))
    rng = np.random.default_rng(seed)
    for number in range(MADE_UP):
        drawn[f"made up {number}"] = [(f"card-{i}", _made_up(rng, scenery)) for i in range(40)]
    for name in sorted(drawn):
        yield _drawn_trial(rng, name, drawn[name], scenery)
    yield from _photo_trials(rng, root, cache)


def _made_up(rng: Rng, scenery: Scenery) -> NDArray[np.uint8]:
    card = np.full((360, 250, 4), 255, np.uint8)
    inner = np.full((340, 230, 3), 255, np.uint8)
    draw_foreign_card(rng, inner, scenery)
    card[10:-10, 10:-10, :3] = inner
    return card


def _drawn_trial(rng: Rng, name: str, faces: list[tuple[str, NDArray[np.uint8]]], scenery: Scenery) -> Trial:
    """Enrolled on one table in one light from three looks a card; read three times on others."""
    printing = int(rng.integers(1 << 30))
    light = int(rng.integers(1 << 30))
    faces = [(card, worn(np.random.default_rng(printing), picture, turn=False)) for card, picture in faces]
    pictures = [picture for _, picture in faces]
    tall = int(rng.uniform(120, 240))
    absent = {faces[i][0] for i in rng.permutation(len(faces))[: int(ABSENT * len(faces))]}
    cards, views, answers, asked = [], [], [], []
    for card, picture in faces:
        turned = rng.random() < 0.5
        for _ in range(3):
            if card not in absent:
                beneath = pictures[rng.integers(len(pictures))]
                view = _laid(rng, scenery, picture, beneath, tall, 0.010, np.random.default_rng(light))
                views.append(view[::-1, ::-1] if turned else view)
                cards.append(card)
            other = pictures[rng.integers(len(pictures))] if rng.random() < 0.5 else None
            end = picture if rng.random() < 0.5 else np.ascontiguousarray(picture[::-1, ::-1])
            seen = int(np.exp(rng.uniform(np.log(60), np.log(260))))
            asked.append(_laid(rng, scenery, end, other, seen, 0.015, rng, fingers=0.15))
            answers.append(NONE if card in absent else card)
    for _ in range(60):
        asked.append(no_card(rng, scenery, pictures[rng.integers(len(pictures))]))
        answers.append(NONE)
    return Trial(name, Deck(name, tuple(cards), np.stack(views)), tuple(answers), np.stack(asked))


def _laid(
    rng: Rng,
    scenery: Scenery,
    face: NDArray[np.uint8],
    beneath: NDArray[np.uint8] | None,
    tall: int,
    loose: float,
    light: Rng,
    fingers: float = 0.0,
) -> Image:
    """A face of `tall` pixels on a table or on another card, photographed in `light`, and rectified `loose`ly."""
    pad = int(0.15 * tall)
    wide = int(tall * face.shape[1] / face.shape[0])
    canvas = scenery.patch(rng, wide + 2 * pad, tall + 2 * pad)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    box = (unit * [wide, tall] + pad).astype(np.float32)
    if beneath is not None:
        lay(canvas, smaller(beneath, tall), _turned(box, rng.normal(0, 0.5), rng.normal(0, 0.15, 2) * tall), 0.3, rng)
    truth = _turned(box + rng.normal(0, 0.02, (4, 2)) * tall, rng.normal(0, 0.15), np.zeros(2))
    lay(canvas, smaller(face, tall), truth, rng.uniform(0, 0.5), rng)
    if rng.random() < fingers:
        draw_fingers(rng, canvas, truth)
    corners = truth + rng.normal(0, loose, (4, 2)) * tall
    return rectify(photographed(light, canvas), corners.astype(np.float32), SIZE, MARGIN)


def _turned(quad: NDArray[np.floating], angle: float, shift: NDArray[np.float64]) -> NDArray[np.float32]:
    centre = quad.mean(axis=0)
    spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray((quad - centre) @ spin.T + centre + shift, np.float32)


def _photo_trials(rng: Rng, root: Path, cache: Path) -> Iterator[Trial]:
    """Real decks photographed again and again: enrolled from up to three photos a card, read in those held out."""
    every = snaps(root, cache)
    for source in ("quentin", "uno"):
        enrolled: dict[str, list[Image]] = defaultdict(list)
        answers, asked = [], []
        own = [snap for snap in every if snap.source == source]
        for i in rng.permutation(len(own)):
            snap = own[i]
            photo = np.asarray(cv2.imread(str(snap.path)), np.uint8)
            if snap.held_out:
                asked += [photo_view(rng, photo, np.roll(snap.quad, 2 * (look % 2), axis=0)) for look in range(2)]
                answers += [snap.cards[0]] * 2
            elif len(enrolled[snap.cards[0]]) < 3:
                enrolled[snap.cards[0]].append(rectify(photo, snap.quad, SIZE, MARGIN))
        for snap in every:
            if snap.source == f"{source}-not" and snap.held_out:
                asked.append(photo_view(rng, np.asarray(cv2.imread(str(snap.path)), np.uint8), snap.quad))
                answers.append(NONE)
        cards = tuple(card for card, views in enrolled.items() for _ in views)
        views = np.stack([view for part in enrolled.values() for view in part])
        right = tuple(answer if answer in enrolled else NONE for answer in answers)
        yield Trial(f"photos of {source}", Deck(source, cards, views), right, np.stack(asked))


class Asked:
    """A trial after the reader has seen it: what any weights make of it costs next to nothing."""

    def __init__(self, trial: Trial, path: Path) -> None:
        self.name = trial.name
        reader = Reader(path, trial.deck.faces)
        self.faces = trial.deck.faces
        self.deck = seen_by(trial.deck, reader)
        self.classes = reader.classes
        self.general, self.flipped = reader.scores(trial.views)
        self.features = reader.see(trial.views)[2]
        self.sure = reader.sure
        names = (*self.faces, NONE)
        self.truth = np.array([names.index(answer) for answer in trial.answers])

    def answers(self, weights: Weights | None) -> NDArray[np.float32]:
        """Probabilities `(n, faces + 1)`, the last for no card; of the reader alone without weights."""
        scores = self.general
        if weights is not None:
            prototypes = Prototypes(self.deck, self.classes, weights)
            scores = prototypes.weigh(self.general, self.flipped, self.features)[0]
        return np.concatenate([scores[:, :-2], scores[:, -2:].sum(axis=1, keepdims=True)], axis=1)


def descend(loss: Callable[[Weights], float], weights: Weights) -> Weights:
    """The weights of least loss, one after the other by ever smaller steps."""
    best = loss(weights)
    steps = {"general": 0.2, "likeness": 8.0, "alike": 0.04}
    for fineness in (1, 2, 4):
        for name, step in steps.items():
            for move in (step / fineness, -step / fineness):
                while (found := loss(tried := replace(weights, **{name: getattr(weights, name) + move}))) < best:
                    weights, best = tried, found
    return weights


def unnamed(asked: list[Asked], weights: Weights) -> float:
    """How many cards get no name, or a wrong one; endless where more names are wrong than the reader alone gives."""
    wrong = right = alone = 0
    for trial in asked:
        named, correct = _named(trial, weights)
        wrong, right = wrong + int((named & ~correct).sum()), right + int((named & correct).sum())
        named, correct = _named(trial, None)
        alone += int((named & ~correct).sum())
    return float("inf") if wrong > alone else float(sum(len(trial.truth) for trial in asked) - right)


def _named(trial: Asked, weights: Weights | None) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which views were given a name, and which answers were right."""
    scores = trial.answers(weights)
    best = scores.argmax(axis=1)
    return (best < len(trial.faces)) & (scores.max(axis=1) >= trial.sure), best == trial.truth


def report(trial: Asked, weights: Weights | None) -> str:
    """Right, unsure or taken for no card, and wrong, of the deck's cards; named, of what is none."""
    named, right = _named(trial, weights)
    card = trial.truth < len(trial.faces)
    parts = [(named & right)[card], (~named)[card], (named & ~right)[card], named[~card]]
    return "  ".join(f"{100 * float(part.mean()) if len(part) else 0:5.1f}" for part in parts)


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reader", type=Path, default=Path("models/reader.onnx"))
    parser.add_argument("--photos", type=Path, default=Path("runs/reader/photos.json"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true", help="only measure the shipped weights, on another seed")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    seed = args.seed + 1000 * args.check
    asked = [Asked(trial, args.reader) for trial in trials(decks.shared(), args.photos, seed)]
    for kind, shipped in (("known", FITTED), ("strange", STRANGE)):
        chosen = [trial for trial in asked if trial.name.startswith("made up") == (kind == "strange")]
        weights = shipped
        if not args.check and kind == "known":
            weights = descend(partial(unnamed, chosen), shipped)
        print(kind, weights)
        print(f"{'% of views':28}  right unsure  wrong  false    right unsure  wrong  false (the reader alone)")
        for trial in chosen:
            print(f"{trial.name:28} {report(trial, weights)}    {report(trial, None)}")


if __name__ == "__main__":
    main()
