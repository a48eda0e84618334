"""How much of what is said does the ear hear, how much does it invent, and how fast is it?

Measured on `../shared/data/sound`, beside other recognisers in the same run. The clips are halved by the hash of their
names: thresholds are chosen on one half (`tuned`), and the other (`held back`) is reported apart.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from speech.bench.listening import Heard, Listening, texts
from speech.bench.peers import PLAIN, peer, peers
from speech.bench.sounds import CARDS, Row, card_table, in_room, is_other, load, mixed, read_manifest, tuned
from speech.hearing.ear import Ear
from speech.hearing.judge import Judging
from speech.input.chunks import RATE

_AT_ONCE = 12  # clips that a process is given at a time
_WINDOW = 3.0  # seconds after a card in which an owed word is waited for
SHIFTS = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
"""By how much more or less evidence is asked for along the curve of misses against false words."""

# Moments of a match of Uncle Baiting: what somebody owes while all may be said ahead of a card (see `Ear.expect`).
_SUITS = frozenset({"clubs", "diamonds", "hearts", "spades"})
_AHEAD = frozenset({"last card", "sorry", "in", "you"}) | _SUITS
MOMENTS = (frozenset[str](), frozenset({"sorry"}), frozenset({"last card"}), _SUITS)
CONDITIONS = (
    *(f"talk at {snr} dB" for snr in (20, 10, 5, 0)),
    *(f"cards at {snr} dB" for snr in (10, 0)),
    "small room",
    "small room, talk at 20 dB",
)
"""What the human words are put through."""


def bench_ear(shared: Path, *, full: bool = False) -> dict[str, Any]:
    """Figures of the ear on the sound under `shared`/data/sound, ready to print or to write as JSON.

    A file is right when the words heard are exactly those said. Words under noise are measured on the half that is held
    back, a third of the synthetic voices and half of the other sound for the peers, unless it is to be `full`.
    """
    folder = shared / "data" / "sound"
    rows = read_manifest(folder)
    vocabulary = Ear("all").vocabulary
    written = {phrase.text for phrase in vocabulary.phrases}
    said = [r for r in rows if not is_other(r) and (r["says"] in written or vocabulary.parse(r["says"].split()))]
    humans = [row for row in said if row["human"] != "no"]
    noisy = humans if full else [row for row in humans if not tuned(row)]
    voices = [row for row in said if row["human"] == "no"][:: 1 if full else 3]
    others = [row for row in rows if is_other(row)]
    asked = others if full else [row for row in others if not tuned(row)]
    names = peers()
    began = time.perf_counter()
    with ProcessPoolExecutor(
        max(1, os.cpu_count() or 1), multiprocessing.get_context("spawn"), _begin, (folder,)
    ) as pool:
        run = _Runs(pool)
        run.add("alone", humans)
        run.add("other", others)
        run.add("synthetic", voices)
        for condition in CONDITIONS:
            run.add(condition, noisy)
        for name in names:
            run.add(f"peer: {name}", humans)
            run.add(f"peer: {name}: other", asked)
        run.add("in a match", others)
        run.add(f"peer: {PLAIN}: talk at 10 dB", noisy)
        found = run.results()
    return _figures(found, humans, noisy, voices, others) | {
        "peers": {
            name: {
                "human": _right(found[f"peer: {name}"], humans)["right"],
                "human words": len(humans),
                "false words an hour": _an_hour(found[f"peer: {name}: other"], lambda heard: heard.texts),
            }
            for name in names
        }
        | {
            f"{PLAIN}, talk at 10 dB": {
                "right": _right(found[f"peer: {PLAIN}: talk at 10 dB"], noisy)["right"],
                "of": len(noisy),
            }
        },
        "seconds it took": time.perf_counter() - began,
    }


def _figures(
    found: dict[str, list[Heard]], humans: list[Row], noisy: list[Row], voices: list[Row], others: list[Row]
) -> dict[str, Any]:
    alone, other, match = found["alone"], found["other"], found["in a match"]
    latencies = [late for heard in alone for late in heard.latencies]
    halves = {"tuned": [tuned(r) for r in humans], "held back": [not tuned(r) for r in humans]}
    quiet = {"tuned": [tuned(r) for r in others], "held back": [not tuned(r) for r in others]}
    return {
        "human": _right(alone, humans),
        "human, by half": {
            name: _right(_pick(alone, mine), _pick(humans, mine), brief=True) for name, mine in halves.items()
        },
        "plural suits, by speaker": _plurals(alone, humans),
        "synthetic": _right(found["synthetic"], voices),
        "conditions": {name: _right(found[name], noisy, brief=True) for name in CONDITIONS},
        "when owed: right, told as unclear, missed": {
            name: _told(found[name], humans if name == "alone" else noisy) for name in ("alone", *CONDITIONS)
        },
        "false words an hour": _an_hour(other, lambda heard: heard.texts),
        "false words an hour, by half": {
            name: _an_hour(_pick(other, mine), lambda heard: heard.texts) for name, mine in quiet.items()
        },
        "false words": [text for heard in other for text in heard.texts],
        "false words an hour, with context": _an_hour(match, _in_moments) / len(MOMENTS),
        "by what is owed": {
            " or ".join(sorted(owed)) or "nothing": {
                "false words an hour": _an_hour(match, lambda heard, i=i: heard.moments[i]),  # type: ignore[misc]
                "unclear an hour": _an_hour(match, lambda heard, i=i: heard.unclear[i]),  # type: ignore[misc]
                f"share of {_WINDOW:.0f} s with an unclear one": _windows(match, i),
            }
            for i, owed in enumerate(MOMENTS)
        },
        "false words, with context": [text for heard in match for text in _in_moments(heard)],
        "hours of other sound": sum(heard.seconds for heard in other) / 3600,
        "curve": {
            f"{Judging().needed + shift:.1f}": {
                "missed of human words": 1
                - sum(" ".join(h.shifts[i]) == r["says"] for h, r in zip(alone, humans, strict=True)) / len(humans),
                "false words an hour": _an_hour(other, lambda heard, i=i: heard.shifts[i]),  # type: ignore[misc]
            }
            for i, shift in enumerate(SHIFTS)
        },
        "latency": {
            "median": statistics.median(latencies),
            "95 %": float(np.percentile(latencies, 95)),
            "worst": max(latencies),
        },
        "real-time factor": sum(h.busy for h in other) / sum(h.seconds for h in other),
    }


class _Runs:
    """Work for all cores: clips by the name of what is measured on them."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool
        self._given: dict[str, list[Any]] = {}

    def add(self, name: str, rows: list[Row]) -> None:
        pieces = [rows[i : i + _AT_ONCE] for i in range(0, len(rows), _AT_ONCE)]
        self._given[name] = [self._pool.submit(_measure, name, piece) for piece in pieces]

    def results(self) -> dict[str, list[Heard]]:
        return {name: [heard for one in given for heard in one.result()] for name, given in self._given.items()}


class _Bench:
    """What each process has ready."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ear = Listening(Ear("all"))
        self.match = Listening(Ear("uncle-baiting"))
        rows = [row for row in read_manifest(folder) if is_other(row)]
        self.others = [load(folder / row["file"]) for row in rows if row["source"] not in CARDS]
        cards = [load(folder / row["file"]) for row in rows if row["source"] in CARDS]
        self.table = [card_table(cards)] if cards else []
        self.peers: dict[str, Callable[[NDArray[np.int16]], list[str]]] = {}

    def through(self, condition: str, pcm: NDArray[np.int16]) -> NDArray[np.int16]:
        if condition.startswith("small room"):
            pcm = in_room(pcm)
        if "talk at" in condition:
            return mixed(pcm, self.others, float(condition.split()[-2]))
        if condition.startswith("cards at"):
            return mixed(pcm, self.table, float(condition.split()[-2]))
        return pcm


_bench: _Bench


def _begin(folder: Path) -> None:
    global _bench
    _bench = _Bench(folder)


def _measure(name: str, rows: list[Row]) -> list[Heard]:
    return [_one(name, row, load(_bench.folder / row["file"])) for row in rows]


def _one(name: str, row: Row, pcm: NDArray[np.int16]) -> Heard:
    if name.startswith("peer: "):
        _, which, *condition = name.split(": ")
        vocabulary = _bench.ear.ear.vocabulary
        if which not in _bench.peers:
            _bench.peers[which] = peer(which, vocabulary)
        words = _bench.peers[which](_bench.through(condition[0] if condition else "", pcm))
        false = [word for word in words if vocabulary.parse([word])]
        return Heard(false if condition == ["other"] else words, seconds=len(pcm) / RATE)
    if name == "in a match":
        heard = _bench.match.live(pcm)
        moments = [_bench.match.again(_AHEAD, owed, ahead=_AHEAD) for owed in MOMENTS]
        unclear = [[word.start for word in words if word.kind == "unclear"] for words in moments]
        return replace(heard, moments=[texts(words, ("sentence",)) for words in moments], unclear=unclear)
    ear = _bench.ear
    heard = ear.live(_bench.through(name, pcm))
    if name in ("alone", "other"):
        heard = replace(heard, shifts=[texts(ear.again(shift=shift)) for shift in SHIFTS])
    if name == "other":
        return heard
    whole = {p.means for p in ear.ear.vocabulary.phrases if p.text == row["says"]}
    means = whole or {phrase.means for phrase, _, _ in ear.ear.vocabulary.parse(row["says"].split()) or ()}
    told = ear.again(frozenset(), frozenset(means))
    return replace(heard, owed=texts(told), unclear=[[word.start for word in told if word.kind == "unclear"]])


def _told(heard: list[Heard], rows: list[Row]) -> list[int]:
    right = [" ".join(one.owed) == row["says"] for one, row in zip(heard, rows, strict=True)]
    asked = sum(any(one.unclear) and not ok for one, ok in zip(heard, right, strict=True))
    return [sum(right), asked, len(right) - sum(right) - asked]


def _windows(heard: list[Heard], moment: int) -> float:
    """The share of all stretches as long as a person has to say a word that hold an unclear one."""
    starts = [(t, one.unclear[moment]) for one in heard for t in np.arange(0.0, one.seconds, 0.25)]
    return sum(any(t <= at < t + _WINDOW for at in unclear) for t, unclear in starts) / len(starts)


def _in_moments(heard: Heard) -> list[str]:
    return [text for moment in heard.moments for text in moment]


def _pick(items: list[Any], mine: list[bool]) -> list[Any]:
    return [item for item, is_mine in zip(items, mine, strict=True) if is_mine]


def _an_hour(heard: list[Heard], words: Callable[[Heard], list[str]]) -> float:
    return sum(len(words(one)) for one in heard) * 3600 / sum(one.seconds for one in heard)


def _right(heard: list[Heard], rows: list[Row], *, brief: bool = False) -> dict[str, Any]:
    by_word: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    missed = []
    for one, row in zip(heard, rows, strict=True):
        got = " ".join(one.texts).replace("bar talk", "bartog")
        by_word[row["says"]][0] += got == row["says"]
        by_word[row["says"]][1] += 1
        if got != row["says"]:
            missed.append(f"{row['file']}: {got or '-'}")
    right = len(rows) - len(missed)
    figures: dict[str, Any] = {"right": right, "of": len(rows), "share": right / max(len(rows), 1)}
    return figures if brief else figures | {"by word": _fractions(by_word), "missed": missed}


def _plurals(heard: list[Heard], rows: list[Row]) -> dict[str, str]:
    """Suits in the plural come from few speakers: right of said, by the source of the clips."""
    by_speaker: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one, row in zip(heard, rows, strict=True):
        if row["says"].split()[-1] in _SUITS:
            by_speaker[row["source"]][0] += " ".join(one.texts) == row["says"]
            by_speaker[row["source"]][1] += 1
    return _fractions(by_speaker)


def _fractions(counts: dict[str, list[int]]) -> dict[str, str]:
    return {name: f"{a}/{b}" for name, (a, b) in sorted(counts.items())}
