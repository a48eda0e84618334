"""How well and how fast does the eye read the evaluation photos?"""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.detections import Detections, SeenCard
from vision.eye import Eye
from vision.faces import BACK, UNSURE
from vision.pile import MotionGate
from vision.quads import Image, overlap
from vision.sources import read_picture

STILL_LIFE = "foltysm__CardsRecognition__test__test44.jpg"
"""One card alone on a table, for the times."""

Look = Callable[[Image], Detections]


def bench_eye(shared: Path, look: dict[str, Look] | None = None) -> dict[str, Any]:
    """Reads every photo of `shared/data/photos/eval` and counts, per group of photos, what became of each card.

    Args:
        shared: the folder of bench data.
        look: per deck the function to measure, in place of the shipped `Eye`: peers are measured the same way.

    Returns:
        Per group `cards`, `right`, `wrong` (named, but another card), `unsure`, `missed`, `false` (cards reported
        where there is none), `photos`; under `faults` the photos with anything but right; under `ms` the median
        time of a photo, of a still 1280x720 frame at the pile (`idle`), and of a look at one card in a known zone
        of such a frame (`zone`).
    """
    folder = shared / "data" / "photos" / "eval"
    labels = json.loads((folder / "labels.json").read_text())
    look = look or {deck: Eye(deck).look for deck in ("french", "uno")}
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    faults: dict[str, list[str]] = defaultdict(list)
    times = []
    for name, label in sorted(labels.items()):
        image = read_picture(folder / name)
        for game in ("french", "uno") if label["game"] == "none" else (label["game"],):
            if game not in look:
                continue
            began = time.perf_counter()
            seen = look[game](image)
            times.append(time.perf_counter() - began)
            for group, outcome, what in _judge(label, list(seen)):
                groups[group][outcome] += 1
                groups[group]["cards"] += outcome != "false"
                if outcome != "right":
                    faults[group].append(f"{outcome} {what} in {name}")
            groups[_group(label)]["photos"] += 1
    return {
        "groups": {name: dict(counts) for name, counts in sorted(groups.items())},
        "faults": dict(sorted(faults.items())),
        "ms": {"photo": round(1000 * float(np.median(times)), 1)} | _frame_times(folder, next(iter(look.values()))),
    }


def _frame_times(folder: Path, look: Look) -> dict[str, float]:
    """Median milliseconds of a still frame and of a look into the zone, on a 1280x720 picture of one card."""
    card = read_picture(folder / STILL_LIFE)
    frame = np.full((720, 1280, 3), 90, np.uint8)
    card = np.asarray(cv2.resize(card, (480, 640), interpolation=cv2.INTER_AREA), np.uint8)
    frame[40:680, 400:880] = card
    gate = MotionGate()
    tries: dict[str, list[float]] = {"idle": [], "zone": []}
    for number in range(40):
        began = time.perf_counter()
        gate.see(frame, number / 20)
        tries["idle"].append(time.perf_counter() - began)
    for _ in range(15):
        began = time.perf_counter()
        look(frame[40:680, 400:880])
        tries["zone"].append(time.perf_counter() - began)
    return {name: round(1000 * float(np.median(spent)), 2) for name, spent in tries.items()}


def _group(label: dict[str, Any]) -> str:
    if label["game"] == "none":
        return "negatives"
    several = "several" if len(label["cards"]) > 1 else "single"
    if not label["letters"].startswith("en"):
        return "other letters"
    return f"{label['game']} {several}"


def _judge(label: dict[str, Any], seen: list[SeenCard]) -> list[tuple[str, str, str]]:
    """Per true card and per extra find: its group, what became of it, and in words."""
    group = _group(label)
    left = list(range(len(seen)))
    rows = []
    waiting = []
    for truth in label["cards"]:
        place = group if truth["whole"] else "partly covered"
        same = [i for i in left if seen[i].card == truth["card"] and _near(truth, seen[i])]
        if same:
            best = max(same, key=lambda i: seen[i].confidence)
            left.remove(best)
            rows.append((place, "right", truth["card"]))
        else:
            waiting.append((place, truth))
    for place, truth in waiting:
        near = [i for i in left if _near(truth, seen[i])]
        near.sort(key=lambda i: seen[i].card == UNSURE)
        if not near:
            rows.append((place, "missed", truth["card"]))
            continue
        left.remove(near[0])
        found = seen[near[0]]
        if found.card == UNSURE:
            rows.append((place, "unsure", f"{truth['card']} as {[a for a, _ in found.alternatives]}"))
        else:
            rows.append((place, "wrong", f"{truth['card']} as {found.card} ({found.confidence:.3f})"))
    if not label["more_unlabelled"]:
        for i in left:
            # A back nobody labelled is no mistake a referee would notice; on a table without cards it is.
            if seen[i].card != BACK or label["game"] == "none":
                rows.append((group, "false", f"{seen[i].card} ({seen[i].confidence:.3f})"))
    return rows


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
