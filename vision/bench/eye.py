"""How well and how fast does the eye read the evaluation photos?"""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.input.sources import read_picture
from vision.look.detections import Detections, SeenCard
from vision.look.eye import Eye
from vision.look.faces import BACK, COLOURED, COLOURS, UNSURE
from vision.look.quads import Image, overlap
from vision.motion.rest import Motion

STILL_LIFE = "foltysm__CardsRecognition__test__test44.jpg"
"""One card alone on a table, for the times."""

Look = Callable[[Image], Detections]


@dataclass(frozen=True, slots=True, eq=False)
class Fate:
    """What became of one card: `truth` is None for a find where there is no card, `seen` None for a miss."""

    group: str
    outcome: str
    truth: dict[str, Any] | None
    seen: SeenCard | None

    def __str__(self) -> str:
        if self.seen is None:
            return f"{self.outcome} {self.truth and self.truth['card']}"
        if self.truth is None:
            return f"{self.outcome} {self.seen.card} ({self.seen.confidence:.3f})"
        guess = [card for card, _ in self.seen.alternatives] if self.seen.card == UNSURE else self.seen.card
        return f"{self.outcome} {self.truth['card']} as {guess} ({self.seen.confidence:.3f})"


def bench_eye(shared: Path, look: dict[str, Look] | None = None, sheet: Path | None = None) -> dict[str, Any]:
    """Reads every photo of `shared/data/photos/eval` and counts, per group of photos, what became of each card.

    Args:
        shared: the folder of bench data.
        look: per deck the function to measure, in place of the shipped `Eye`: peers are measured the same way.
        sheet: where to write a picture of every card that was not read right.

    Returns:
        Per group `cards`, `right`, `wrong` (named, but another card), `unsure`, `missed`, `false` (cards reported
        where there is none), `photos`; under `faults` the photos with anything but right; under `pairs` how often
        two faces that look alike were taken for each other; under `calibration` the expected calibration error of
        the confidences; under `whole` how often it is told rightly that nothing lies on a card; under `ms` the
        median time of a photo.
    """
    folder = shared / "data" / "photos" / "eval"
    labels = json.loads((folder / "labels.json").read_text())
    look = look or {deck: Eye(deck).look for deck in ("french", "uno")}
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    faults: dict[str, list[str]] = defaultdict(list)
    fates: list[Fate] = []
    times = []
    pictures: list[Image] = []
    for name, label in sorted(labels.items()):
        image = read_picture(folder / name)
        for game in ("french", "uno") if label["game"] == "none" else (label["game"],):
            if game not in look:
                continue
            began = time.perf_counter()
            seen = look[game](image)
            times.append(time.perf_counter() - began)
            for fate in judge(label, list(seen)):
                fates.append(fate)
                groups[fate.group][fate.outcome] += 1
                groups[fate.group]["cards"] += fate.outcome != "false"
                if fate.outcome != "right":
                    faults[fate.group].append(f"{fate} in {name}")
                    if sheet and fate.group != "partly covered":
                        pictures.append(_cell(image, fate, name))
            groups[_group(label)]["photos"] += 1
    if sheet and pictures:
        rows = [np.hstack([*pictures[i : i + 6], *[pictures[0] * 0] * 6][:6]) for i in range(0, len(pictures), 6)]
        cv2.imwrite(str(sheet), np.vstack(rows))
    return {
        "groups": {name: dict(counts) for name, counts in sorted(groups.items())},
        "pairs": _pairs(fates),
        "calibration": _calibration(fates),
        "whole": _whole(fates),
        "faults": dict(sorted(faults.items())),
        "ms": {"photo": round(1000 * float(np.median(times)), 1)},
    }


def _pairs(fates: list[Fate]) -> dict[str, str]:
    """Per pair of faces that look alike: of how many cards the best guess was the other one of the pair."""
    of: Counter[str] = Counter()
    mixed: Counter[str] = Counter()
    for fate in fates:
        if fate.truth is None or fate.seen is None:
            continue
        guess = fate.seen.alternatives[0][0] if fate.seen.alternatives else fate.seen.card
        for name, twins in PAIRS.items():
            twin = twins(fate.truth["card"])
            if twin is not None:
                of[name] += 1
                mixed[name] += guess in twin
    return {name: f"{mixed[name]} of {of[name]}" for name in PAIRS}


def _swap(card: str, place: int, one: str, other: str) -> tuple[str, ...] | None:
    """The card with the letter at `place` exchanged for its twin; None where it is neither of the two."""
    twin = {one: other, other: one}.get(card[place]) if len(card) == 2 and card != "Jk" else None
    return None if twin is None else (card[:place] + twin + card[place + 1 :],)


PAIRS: dict[str, Callable[[str], tuple[str, ...] | None]] = {
    "clubs/spades": lambda card: _swap(card, 1, "c", "s"),
    "hearts/diamonds": lambda card: _swap(card, 1, "h", "d"),
    "6/9": lambda card: _swap(card, 0, "6", "9"),
    "Q/10": lambda card: _swap(card, 0, "Q", "T"),
    "UNO 6/9": lambda card: _swap(card, 1, "6", "9") if card[0] in COLOURS else None,
    "red/wild": lambda card: ("W", "W+4") if card in COLOURED and card[0] == "r" else None,
}
"""Faces that are easily taken for each other."""


def _calibration(fates: list[Fate]) -> dict[str, float]:
    """Expected calibration error of the best guess's confidence over ten bins, and how many cards it rests on."""
    known = [fate for fate in fates if fate.truth is not None and fate.seen is not None and fate.seen.card != BACK]
    sure = np.array([fate.seen.confidence for fate in known if fate.seen])
    right = np.array(
        [
            (fate.seen.alternatives[0][0] if fate.seen.alternatives else fate.seen.card) == fate.truth["card"]
            for fate in known
            if fate.seen and fate.truth
        ]
    )
    bins = np.minimum((sure * 10).astype(int), 9)
    gaps = [abs(sure[bins == b].mean() - right[bins == b].mean()) * (bins == b).sum() for b in set(bins.tolist())]
    return {"error": round(float(sum(gaps)) / max(len(known), 1), 4), "cards": len(known)}


def _whole(fates: list[Fate]) -> dict[str, str]:
    """Of the cards known to be whole, and of those known to be covered, how many are told to be so."""
    told: dict[bool, Counter[bool]] = {True: Counter(), False: Counter()}
    for fate in fates:
        if fate.truth is not None and fate.seen is not None and fate.truth["whole"] is not None:
            told[fate.truth["whole"]][fate.seen.whole] += 1
    return {
        name: f"{told[truth][truth]} of {told[truth].total()}" for name, truth in (("whole", True), ("covered", False))
    }


def _cell(image: Image, fate: Fate, name: str) -> Image:
    """One card that was not read right, with what was made of it: `(250, 260, 3)`."""
    quad = fate.seen.quad if fate.seen else None
    if quad is None and fate.truth and "bbox" in fate.truth:
        x, y, w, h = fate.truth["bbox"]
        quad = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)
    marked = image.copy()
    low, high = np.zeros(2), np.array(image.shape[1::-1], np.float32)
    if quad is not None:
        cv2.polylines(marked, [np.round(quad).astype(np.int32)], True, (0, 0, 255), max(1, image.shape[0] // 300))
        room = 0.3 * np.ptp(quad, axis=0).max()
        low = np.clip(quad.min(axis=0) - room, 0, high - 2)
        high = np.clip(quad.max(axis=0) + room, low + 2, high)
    part = marked[int(low[1]) : int(high[1]) + 1, int(low[0]) : int(high[0]) + 1]
    scale = min(260 / part.shape[1], 210 / part.shape[0])
    size = (max(1, int(part.shape[1] * scale)), max(1, int(part.shape[0] * scale)))
    cell = np.full((250, 260, 3), 30, np.uint8)
    cell[: size[1], : size[0]] = cv2.resize(part, size)
    for line, text in enumerate((str(fate), name[-38:])):
        cv2.putText(cell, text[:44], (2, 225 + 16 * line), 0, 0.36, (255, 255, 255), 1, cv2.LINE_AA)
    return cell


def frame_times(shared: Path, eye: Eye) -> dict[str, float]:
    """Median milliseconds of a still 1280x720 frame (`idle`), and of a look at one card in a known zone (`zone`)."""
    card = read_picture(shared / "data" / "photos" / "eval" / STILL_LIFE)
    frame = np.full((720, 1280, 3), 90, np.uint8)
    frame[40:680, 400:880] = cv2.resize(card, (480, 640), interpolation=cv2.INTER_AREA)
    motion = Motion()
    tries: dict[str, list[float]] = {"idle": [], "zone": []}
    for number in range(40):
        began = time.perf_counter()
        motion.see(frame, number / 20)
        tries["idle"].append(time.perf_counter() - began)
        began = time.perf_counter()
        eye.look(frame, (400, 40, 480, 640))
        tries["zone"].append(time.perf_counter() - began)
    return {name: round(1000 * float(np.median(spent)), 2) for name, spent in tries.items()}


def _group(label: dict[str, Any]) -> str:
    if label["game"] == "none":
        return "negatives"
    several = "several" if len(label["cards"]) > 1 else "single"
    if not label["letters"].startswith("en"):
        return "other letters"
    return f"{label['game']} {several}"


def judge(label: dict[str, Any], seen: list[SeenCard]) -> list[Fate]:
    """What became of each true card, and of each extra find."""
    group = _group(label)
    left = list(range(len(seen)))
    fates = []
    waiting = []
    for truth in label["cards"]:
        place = group if truth["whole"] else "partly covered"
        same = [i for i in left if seen[i].card == truth["card"] and _near(truth, seen[i])]
        if same:
            best = max(same, key=lambda i: seen[i].confidence)
            left.remove(best)
            fates.append(Fate(place, "right", truth, seen[best]))
        else:
            waiting.append((place, truth))
    for place, truth in waiting:
        near = [i for i in left if _near(truth, seen[i])]
        near.sort(key=lambda i: seen[i].card == UNSURE)
        if not near:
            fates.append(Fate(place, "missed", truth, None))
            continue
        left.remove(near[0])
        found = seen[near[0]]
        fates.append(Fate(place, "unsure" if found.card == UNSURE else "wrong", truth, found))
    if not label["more_unlabelled"]:
        for i in left:
            # A back nobody labelled is no mistake a referee would notice; on a table without cards it is.
            if seen[i].card != BACK or label["game"] == "none":
                fates.append(Fate(group, "false", None, seen[i]))
    return fates


def _near(truth: dict[str, Any], seen: SeenCard) -> bool:
    """Whether the find may be that card; a label without a place goes with any."""
    low, high = seen.quad.min(axis=0), seen.quad.max(axis=0)
    if "quad" in truth:
        return overlap(np.array(truth["quad"], np.float32), seen.quad)[0] > 0.3
    if "bbox" not in truth:
        return True
    x, y, w, h = truth["bbox"]
    box = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)
    find = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)
    return overlap(box, find)[0] > 0.3
