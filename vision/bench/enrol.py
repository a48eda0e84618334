"""How much better is a deck read once enrolled, and how long does enrolling take? `python -m vision.bench.enrol`."""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from vision.bench.eye import judge
from vision.enrol.dealing import Dealing, in_photo
from vision.enrol.enrolment import Enrolment, Question
from vision.input.frames import Frame
from vision.input.sources import read_picture
from vision.look.deck_reader import opened
from vision.look.eye import Eye
from vision.look.faces import ANY, BACK
from vision.look.quads import overlap
from vision.synthetic import decks
from vision.synthetic.prints import lay, smaller
from vision.synthetic.scenery import Scenery

LEAST = 6
"""Faces that must come up in several photos of a source for it to be measured."""
DEALT = "byronknoll"
"""A deck never trained on."""

Label = dict[str, Any]


def bench_enrol(shared: Path) -> dict[str, Any]:
    """Enrols each source of `shared/data/photos/eval` from some of its photos, and reads the others with and without.

    Returns:
        Under `photos` per source `enrolled` (photos and faces), and for the whole cards of those faces in its other
        photos `before` and `after`: `right`, `unsure`, `wrong`, `missed`; `strangers`: cards of other faces that
        were given a name. Under `dealing`: 54 drawn cards dealt at 1280x720, one every two seconds.
    """
    folder = shared / "data" / "photos" / "eval"
    sources: dict[str, dict[str, Label]] = defaultdict(dict)
    for name, label in sorted(json.loads((folder / "labels.json").read_text()).items()):
        sources[label["source"]][name] = label
    found = {source: _one_source(folder, labels) for source, labels in sorted(sources.items()) if _repeated(labels)}
    total = {
        when: dict(sum((Counter(figures[when]) for figures in found.values()), Counter()))
        for when in ("before", "after")
    }
    return {"photos": found, "all": total, "dealing": bench_dealing(shared)}


def bench_dealing(shared: Path, seconds_a_card: float = 2.0) -> dict[str, Any]:
    """A drawn deck dealt on a pile: how many cards are found and named, and the time it takes."""
    eye = Eye(ANY)
    enrolment = Enrolment("dealt", eye.reader)
    dealing = Dealing(eye)
    order: list[str] = []
    spent: list[float] = []
    last = 0.0
    for frame, card in dealt_frames(shared, DEALT, seconds_a_card):
        if not order or order[-1] != card:
            order.append(card)
        began = time.perf_counter()
        shown = dealing.watch(frame)
        if shown is not None:
            enrolment.add(shown)
            enrolment.progress()
        spent.append(time.perf_counter() - began)
        last = frame.t
    enrolment.finish()
    cards = enrolment.progress().cards
    at_once = [name for name in cards if name != "?"]
    return {
        "cards dealt": len(order),
        "cards found": len(cards),
        "named at once": len(at_once),
        "named wrongly": sum((Counter(at_once) - Counter(order)).values()),
        "to be asked": len(enrolment.questions()),
        "seconds of video": round(last, 1),
        "seconds to follow it": round(sum(spent), 1),
        "slowest frame, ms": round(1000 * max(spent)),
    }


def dealt_frames(
    shared: Path, deck: str, seconds_a_card: float = 2.0, size: tuple[int, int] = (1280, 720), seed: int = 1
) -> Iterator[tuple[Frame, str]]:
    """A deck dealt face up on a pile at 15 frames a second: every frame, and the card on top or arriving."""
    rng = np.random.default_rng(seed)
    scenery = Scenery(shared)
    faces = [face for face in decks.faces(shared) if face.deck == deck and face.card != BACK]
    table = scenery.patch(rng, *size)
    tall = 0.36 * size[1]
    number, rate = 0, 15
    for face in (faces[i] for i in rng.permutation(len(faces))):
        picture = smaller(face.picture(), tall)
        half = np.array([tall * picture.shape[1] / picture.shape[0], tall]) / 2
        angle, (dx, dy) = rng.normal(0, 0.12), rng.normal(0, 14, 2)
        spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        box = (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half) @ spin.T + np.array(size) / 2 + [dx, dy]
        box[:, 0] *= 1 + (box[:, 1] - size[1] / 2) * 0.0002  # seen a little from below
        steps = round(seconds_a_card * rate)
        for step in range(steps):
            away = max(0.0, 1 - step / (0.25 * steps))
            view = table.copy()
            lay(
                view,
                picture,
                (box + np.array([0.9 * size[0] * away**2, 0])).astype(np.float32),
                0.25,
                np.random.default_rng(seed),
            )
            if away == 0 and step == steps - 1:
                table = view
            noisy = view + np.random.default_rng(number).normal(0, 2.5, view.shape)
            yield Frame(np.clip(noisy, 0, 255).astype(np.uint8), number / rate, number), face.card
            number += 1


def _repeated(labels: dict[str, Label]) -> bool:
    """Whether enough faces come up whole in more than one photo."""
    counts = Counter(card for label in labels.values() for card in _whole(label))
    return sum(count > 1 for count in counts.values()) >= LEAST


def _whole(label: Label) -> set[str]:
    return {card["card"] for card in label["cards"] if card["whole"] and card["card"] != BACK}


def _one_source(folder: Path, labels: dict[str, Label]) -> dict[str, Any]:
    chosen = _chosen(labels)
    pictures = {name: read_picture(folder / name) for name in labels}
    game = next(iter(labels.values()))["game"]
    eye = Eye(ANY)
    enrolment = Enrolment("source", eye.reader)
    for name in chosen:
        for shown in in_photo(eye, pictures[name], name):
            enrolment.add(shown)
    enrolment.finish()
    asked = enrolment.questions()
    for question in asked:
        enrolment.answer(question.number, _truth(labels[question.source], question))
    deck = enrolment.deck()
    before, after = Eye(game), Eye(game)
    after.reader = opened(deck, eye.reader.path)[1]
    figures: dict[str, Any] = {"photos enrolled": len(chosen), "faces": len(deck.faces), "asked": len(asked)}
    faults = []
    for when, look in (("before", before.look), ("after", after.look)):
        counts: Counter[str] = Counter()
        for name, label in labels.items():
            if name in chosen:
                continue
            for fate in judge(label, list(look(pictures[name]))):
                if fate.truth is None or not fate.truth["whole"]:
                    continue
                if fate.truth["card"] in deck.faces:
                    counts[fate.outcome] += 1
                    if fate.outcome != "right" and when == "after":
                        faults.append(f"{fate} in {name}")
                elif fate.outcome == "wrong":
                    counts["stranger named"] += 1
        figures[when] = dict(counts)
    return figures | {"faults": faults}


def _chosen(labels: dict[str, Label]) -> list[str]:
    """A few photos that show, between them, most of the faces that other photos show as well."""
    wanted = Counter(card for label in labels.values() for card in _whole(label))
    left = {card for card, count in wanted.items() if count > 1}
    chosen: list[str] = []
    while left and len(chosen) < (len(labels) + 1) // 2:
        best = max(sorted(labels), key=lambda name: len(_whole(labels[name]) & left))
        if not _whole(labels[best]) & left:
            break
        chosen.append(best)
        left -= _whole(labels[best])
    return chosen


def _truth(label: Label, question: Question) -> str | None:
    """What a person would answer, looking at the photo."""
    low, high = question.place.min(axis=0), question.place.max(axis=0)
    best, answer = 0.3, None
    for card in label["cards"]:
        if "quad" in card:
            share = overlap(np.array(card["quad"], np.float32), question.place)[0]
        elif "bbox" in card:
            x, y, w, h = card["bbox"]
            box = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)
            share = overlap(box, np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32))[0]
        else:
            share = 1.0 if len(label["cards"]) == 1 else 0.0
        if share > best:
            best, answer = share, card["card"]
    return answer


if __name__ == "__main__":
    print(json.dumps(bench_enrol(decks.shared()), indent=1))
