"""How right and how quick is the eye over time, with decks, hands and table tops it was not made with?"""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.input.frames import Frame
from vision.input.sources import open_source, read_picture
from vision.layout.places import Layout
from vision.look.eye import Eye
from vision.look.faces import FRENCH
from vision.look.quads import Image
from vision.pile.discard import PileWatcher
from vision.sightings import Sighting
from vision.synthetic.demo.hand import hands as photographed_hands
from vision.synthetic.match import art
from vision.synthetic.match.acts import PACE, Act, Kind, Truth
from vision.synthetic.match.film import Film
from vision.synthetic.match.hand import Hand, drawn_hand
from vision.synthetic.match.levels import LEVELS, setting_for
from vision.synthetic.scenery import Rng
from vision.table import TableWatcher

HELD_OUT: Final = ("byronknoll", "kde-penguins", "kde-nicu-ornamental", "aisleriot-ornamental")
"""Decks the reader was not trained on and the watcher not tuned on."""
TUNED_ON: Final = ("xcards", "kde-oxygen", "aisleriot-anglo", "heruka-2color")
SURE: Final = 0.9
"""Sightings below this only make the referee ask (`referee.record.observations.SURE`)."""
SEAT_SURE: Final = 0.95
"""From this confidence on a seat is claimed (`referee.doubt.readings.SEAT_SURE`)."""
LATE: Final = {"taken": 3.5, "recycled": 2.5}
"""Seconds that a sighting's time may be off; 1.2 for other kinds."""
KINDS: Final = (
    *("play", "play", "butt-in", "play", "take", "play", "quick", "take back", "play", "throw", "take singly"),
    *("nudge", "pass", "butt-in", "glass", "lamp", "play", "rest", "recycle", "exposure", "phone", "slide off", "bump"),
)
"""What one film shows, shuffled."""
LAST: Final = ("late butt-in", "late butt-in")
"""What it shows at its end: identical cards laid on one that lay there already."""
BUTTS_IN: Final = {"butt-in": (0.3, 0.6), "late butt-in": (1.4, 2.2)}
"""Seconds from a card to the identical one, at least and at most."""
FILMS_FOR_ALL: Final = 200
"""Films of a level in which every kind of act comes 200 times."""


def bench_pile(
    shared: Path,
    films: int = 1,
    levels: Sequence[str] = LEVELS,
    held_out: bool = True,
    say: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Watches `films` films of each level and says per level and kind of act what became of it.

    Args:
        shared: the folder of bench data.
        held_out: decks, hands and table tops that nothing was tuned on.
        say: is told of every act that went wrong.

    Returns:
        Per level and kind: `of` acts, `found` (told, with the right card), `doubtful` (of the found, those that only
        make the referee ask), `unread` (told as `?`), `wrong` card, `missed`, `invented` (told for sure, and it did not
        happen), `invented_doubtful`, `seats` claimed and `wrong_seats`; `ms`: processing from the first look to the
        sighting, median and 95th percentile; `delay`: seconds from the true rest to the frame that told it;
        `frame_ms`: of a frame without a look; `clips`: plays invented in real videos and over real piles.
    """
    eye = Eye("french")
    result: dict[str, Any] = {}
    for level in levels:
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        spent: dict[str, list[float]] = defaultdict(list)
        for number in range(films):
            seed = 1000 * LEVELS.index(level) + number + (500 if held_out else 0)
            film, layout, kinds = scene(shared, level, seed, held_out)
            sightings = watch(TableWatcher(eye, layout), film.frames(), spent)
            judge(film.truth, kinds, sightings, counts, partial(_tell, say, f"{level} {seed}"))
            spent["delay"] += delays(film.truth, sightings)
        result[level] = {
            "kinds": {kind: dict(counts[kind]) for kind in sorted(counts)},
            **{name: _spread(values) for name, values in spent.items()},
        }
    result["clips"] = invented_in_clips(shared, eye)
    return result


def scene(shared: Path, level: str, seed: int, held_out: bool) -> tuple[Film, Layout, dict[float, str]]:
    """A film of all kinds of acts, the layout its household would have marked, and each act's kind by its time."""
    rng = np.random.default_rng(seed)
    seats = "ABCDE"[: int(rng.integers(3, 6))]
    setting = setting_for(level, seats, rng)
    deck = art.shared_deck(shared, str(rng.choice(HELD_OUT if held_out else TUNED_ON)))
    top = _table_top(shared, rng) if held_out else art.table_top(rng, str(rng.choice(art.TOPS)))
    hands = _hands(shared, rng, seats) if held_out else {seat: drawn_hand(rng) for seat in seats}
    faces = [card for card in FRENCH if card in deck and card != "Jk"]
    start = str(rng.choice(faces))
    acts, kinds, seconds = _acts(rng, seats, faces, start)
    film = Film(setting, deck, top, hands, acts, start, seconds, seed)
    return film, Layout(film.zone("discard", 1.0), film.zone("pick-up", 0.75), film.directions()), kinds


def _acts(rng: Rng, seats: str, faces: Sequence[str], start: str) -> tuple[list[Act], dict[float, str], float]:
    acts: list[Act] = []
    kinds: dict[float, str] = {}
    t, top = 1.2, start
    for kind in (*map(str, rng.permutation(KINDS)), *LAST):
        before = len(acts)
        t += float(rng.uniform(1.9, 2.4))
        seat, other = (str(s) for s in rng.choice(list(seats), 2, replace=False))
        card, second = (str(c) for c in rng.choice([face for face in faces if face != top], 2, replace=False))
        match kind:
            case "butt-in" | "late butt-in":
                acts.append(Act(t, "play", seat, card))
                t += float(rng.uniform(*BUTTS_IN[kind]))
                acts.append(Act(t, "play", other, card))
                top = card
            case "quick":
                acts.append(Act(t, "play", seat, card))
                t += float(rng.uniform(0.4, 0.8))
                acts.append(Act(t, "play", other, second))
                top = second
            case "play" | "throw":
                acts.append(Act(t, "throw" if kind == "throw" else "play", seat, card))
                top = card
            case "take back":
                acts.append(Act(t, "play", seat, card))
                t += 2.1
                acts.append(Act(t, "take back", seat))
            case "take":
                acts.append(Act(t, "take", seat, count=int(rng.integers(1, 5))))
                t += 0.6
            case "take singly":
                count = int(rng.integers(2, 4))
                t += PACE * (count - 1)
                acts.append(Act(t, "take", seat, count=count, one_by_one=True))
                t += 0.6
            case "recycle":
                t += 0.9
                acts.append(Act(t, "recycle", seat))
                t += 0.9
            case _:
                acts.append(_disturbance(rng, kind, t, seat))
                t += 0.8 if kind in ("rest", "glass", "phone", "exposure", "slide off") else 0.2
        kinds |= {act.t: kind for act in acts[before:]}
    return acts, kinds, t + 2.0


def _disturbance(rng: Rng, kind: str, t: float, seat: str) -> Act:
    amount = {
        "nudge": float(rng.uniform(0.05, 0.2)),
        "lamp": float(rng.choice([0.7, 0.8, 1.2, 1.3])),
        "exposure": float(rng.choice([0.7, 1.3])),
        "bump": float(rng.uniform(3, 9)),
    }.get(kind, 0.7)
    named: Kind = kind  # type: ignore[assignment]
    return Act(t, named, "" if kind in ("lamp", "exposure", "bump", "slide off") else seat, amount=amount)


def watch(
    watcher: TableWatcher, frames: Iterator[Frame], spent: dict[str, list[float]]
) -> list[tuple[Sighting, float]]:
    """The sightings, each with the time of the frame that told it; `spent` is given milliseconds of processing."""
    told: list[tuple[Sighting, float]] = []
    looking = 0.0
    for frame in frames:
        began = time.perf_counter()
        found = watcher.watch(frame)
        passed = 1000 * (time.perf_counter() - began)
        deciding = watcher.pile.deciding
        looking = looking + passed if deciding or found else 0.0
        if any(sighting.kind == "landed" for sighting in found):
            spent["ms"].append(looking)
        if not deciding and not found:
            spent["frame_ms"].append(passed)
        if found:
            looking = 0.0
        told += [(sighting, frame.t) for sighting in found]
    return told + [(sighting, frame.t) for sighting in watcher.finish()]


def judge(
    truth: Sequence[Truth],
    kinds: Mapping[float, str],
    told: Sequence[tuple[Sighting, float]],
    counts: dict[str, Counter[str]],
    say: Callable[[str], None],
) -> None:
    """Count what became of each act of a film."""
    left = [sighting for sighting, _ in told if sighting.kind != "pointed"]  # believed only where awaited
    if left and left[0].kind == "landed" and left[0].t < truth[0].t - 0.6:
        left.pop(0)  # the card that lay there
    pairs = _pairs(truth, left)
    for happened in truth:
        kind = kinds[happened.t]
        counts[kind]["of"] += 1
        if happened.kind == "nothing":
            continue
        best = pairs.get(happened.t)
        if best is None:
            counts[kind]["missed"] += 1
            say(f"missed {kind} {happened.kind} {happened.card} of {happened.seat} at {happened.t:.2f}")
            continue
        left.remove(best)
        right = _right(happened, best)
        outcome = "found" if right else "unread" if best.card == "?" else "wrong"
        counts[kind][outcome] += 1
        counts[kind]["doubtful"] += right and best.confidence < SURE
        if not right:
            say(f"{kind} {happened.card} at {happened.t:.2f} told as {best.card} ({best.confidence:.2f})")
        if happened.kind == "taken" and best.single:
            counts[kind]["counted"] += 1
            counts[kind]["miscounted"] += best.count != happened.count
        if happened.seat and happened.kind != "recycled" and best.seat != "?" and best.seat_confidence >= SEAT_SURE:
            counts[kind]["seats"] += 1
            counts[kind]["wrong_seats"] += best.seat != happened.seat
            if best.seat != happened.seat:
                say(f"{kind} {happened.card} of {happened.seat} at {happened.t:.2f} told as of {best.seat}")
    for sighting in left:
        cause = min(truth, key=lambda h: abs(h.t - sighting.t))
        sure = sighting.confidence >= SURE and sighting.card != "?"
        counts[kinds[cause.t]]["invented" if sure else "invented_doubtful"] += 1
        say(
            f"{'invented' if sure else 'doubted'} {sighting.kind} {sighting.card} ({sighting.confidence:.2f})"
            f" at {sighting.t:.2f}, near {kinds[cause.t]} {cause.card} at {cause.t:.2f}"
        )


def _pairs(truth: Sequence[Truth], told: Sequence[Sighting]) -> dict[float, Sighting]:
    """What was told of each act, by its time: those with the right card first, each sighting once."""
    found: dict[float, Sighting] = {}
    left = list(told)
    for exact in (True, False):
        for happened in truth:
            room = LATE.get(happened.kind, 1.2)
            near = [
                s for s in left if s.kind == happened.kind and abs(s.t - happened.t) < room
                and (not exact or _right(happened, s))
            ]  # fmt: skip
            if happened.t in found or happened.kind == "nothing" or not near:
                continue
            best = min(near, key=lambda s: abs(s.t - happened.t))
            left.remove(best)
            found[happened.t] = best
    return found


def _right(happened: Truth, told: Sighting) -> bool:
    return happened.kind in ("taken", "recycled") or told.card == happened.card


def delays(truth: Sequence[Truth], told: Sequence[tuple[Sighting, float]]) -> list[float]:
    """Seconds from the moment a card came to rest, the hand still over it, to the frame that told it."""
    found = []
    for happened in truth:
        if happened.kind == "landed":
            found += [
                t - happened.t for s, t in told
                if s.kind == "landed" and s.card == happened.card and abs(s.t - happened.t) < 1.2
            ][:1]  # fmt: skip
    return found


def invented_in_clips(shared: Path, eye: Eye) -> dict[str, int]:
    """Plays told in videos of one still card and in hand-held pans over photos of piles; the first card is none."""
    found = {}
    for path in sorted((shared / "data" / "video").rglob("*")):
        if path.suffix.lower() not in {".mp4", ".avi", ".mov", ".mkv", ".webm"}:
            continue
        with open_source(str(path), clock=lambda: 0.0) as source:
            found[path.name] = _invented(PileWatcher(eye), source.frames())
    folder = shared / "data" / "photos" / "eval"
    labels = json.loads((folder / "labels.json").read_text())
    piles = [name for name, label in sorted(labels.items()) if label["game"] == "french" and len(label["cards"]) > 3]
    found["pans"] = sum(_invented(PileWatcher(eye), pan(read_picture(folder / name))) for name in piles[::40][:5])
    return found


def pan(photo: Image, seconds: float = 4.0, fps: float = 20.0) -> Iterator[Frame]:
    """A hand-held pan over a photo, with rests, as a camera 640 pixels wide sees it."""
    rng = np.random.default_rng(5)
    scale = 900 / max(photo.shape[:2])
    photo = np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    height, width = photo.shape[:2]
    size = (min(640, width - 40), min(480, height - 40))
    room = np.array([width - size[0], height - size[1]], np.float64)
    for number in range(round(seconds * fps)):
        part = number / (seconds * fps)
        along = 0.5 - 0.5 * np.cos(np.pi * np.clip((part * 3) % 1 * 1.6 - 0.3, 0, 1))  # moves, and rests between
        place = room * (0.5 + 0.35 * np.array([along if int(part * 3) % 2 else 1 - along, part - 0.5]))
        x, y = place + rng.normal(0, 0.4, 2)
        view = cv2.getRectSubPix(photo, size, (x + size[0] / 2, y + size[1] / 2))
        yield Frame(np.asarray(view, np.uint8), number / fps, number)


def _invented(watcher: PileWatcher, frames: Iterator[Frame]) -> int:
    told = [s for frame in frames for s in watcher.watch(frame)] + watcher.finish()
    return max(sum(sighting.kind == "landed" for sighting in told) - 1, 0)


def _table_top(shared: Path, rng: Rng) -> Image:
    """A photographed surface, which the drawn ones that tuning saw are not."""
    paths = sorted((shared / "data" / "scenery" / "sweethome3d-textures").glob("*.jpg"))
    picture = read_picture(paths[int(rng.integers(len(paths)))])
    return np.asarray(cv2.resize(picture, (512, 512), interpolation=cv2.INTER_AREA), np.uint8)


def _hands(shared: Path, rng: Rng, seats: str) -> dict[str, Hand]:
    """A photographed hand in other colours, for every seat."""
    made = photographed_hands(shared / "data")
    found = {}
    for place, seat in enumerate(seats):
        sprite = made["ABC"[place % 3]]
        alpha = sprite.pixels[..., 3:]
        colour = sprite.pixels[..., :3] / np.maximum(alpha, 0.02) * rng.uniform(0.8, 1.1, 3)
        picture = np.dstack([(colour * 255).clip(0, 255), alpha * 255]).astype(np.uint8)
        found[seat] = Hand(picture, sprite.anchor, 260.0)
    return found


def _tell(say: Callable[[str], None] | None, where: str, text: str) -> None:
    if say is not None:
        say(f"{where}: {text}")


def _spread(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {"median": 0.0, "p95": 0.0}
    return {"median": round(float(np.median(values)), 2), "p95": round(float(np.percentile(values, 95)), 2)}
