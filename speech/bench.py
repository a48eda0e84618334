"""How much of what is said does the ear hear, how much does it invent, and how fast is it?

Measured on `../shared/data/sound`, beside the same recogniser used plainly: with the game's words and `[unk]` as its
grammar, and free.
"""

from __future__ import annotations

import csv
import json
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import vosk
from numpy.typing import NDArray

from speech.ear import Ear
from speech.recogniser import RATE, Readings, Recogniser, load_model
from speech.sources import Chunk, SoundFile
from speech.words import Word

Hearing = Callable[[NDArray[np.int16]], list[str]]
_CHUNK = RATE // 20

# What a referee waits for in a typical moment: nothing; the owed word and "last card" after a card that wants one.
MOMENTS = (frozenset[str](), frozenset({"sorry", "last card"}), frozenset({"in", "last card"}), frozenset({"you"}))


def bench_ear(shared: Path, noise: Iterable[float] = (20.0, 10.0, 5.0, 0.0)) -> dict[str, Any]:
    """Figures of the ear on the sound under `shared`/data/sound, ready to print or to write as JSON.

    `human`, `synthetic`: `{"right", "of", "by_word"}`, a file being right when the words heard are exactly those said;
    `noise`: the human words over other speech, by signal-to-noise ratio in decibels; `false_per_hour`: words heard in
    speech and noise that hold none; `real_time_factor` of one core; `latency`: seconds from the end of a word to its
    being told, computing included; `peers`: the same of plain Vosk.
    """
    folder = shared / "data" / "sound"
    with (folder / "manifest.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    ear = Ear("all")
    said = [row for row in rows if not row["file"].startswith("other/") and _sayable(ear, row["says"])]
    clips = {row["file"]: load(folder / row["file"]) for row in rows}
    humans = [row for row in said if row["human"] != "no"]
    others = [clips[row["file"]] for row in rows if row["file"].startswith("other/")]
    heard = _Heard(ear)
    seconds = sum(len(x) for x in others) / RATE
    result: dict[str, Any] = {
        "human": _right(heard.texts, humans, clips),
        "synthetic": _right(heard.texts, [row for row in said if row["human"] == "no"], clips),
        "noise": {
            f"{snr:g} dB": _right(
                heard.texts, humans, {r["file"]: mixed(clips[r["file"]], others, snr) for r in humans}
            )
            for snr in noise
        },
        "latency": {"median": statistics.median(heard.latencies), "worst": max(heard.latencies)},
        "hours_of_other_sound": seconds / 3600,
    }
    false = [text for x in others for text in heard.texts(x)]
    result["real_time_factor"] = heard.busy / heard.seconds
    waiting = [text for x in others for moment in MOMENTS for text in heard.texts(x, moment)]
    result["false_per_hour"] = len(false) * 3600 / seconds
    result["false_words"] = false
    result["false_per_hour_with_context"] = len(waiting) * 3600 / seconds / len(MOMENTS)
    result["false_words_with_context"] = waiting
    result["peers"] = {
        name: {
            "human": _right(peer, humans, clips),
            "false_per_hour": sum(len(_in_vocabulary(ear, peer(x))) for x in others) * 3600 / seconds,
        }
        for name, peer in (
            ("vosk, grammar and [unk]", _plain(ear.vocabulary.grammar())),
            ("vosk, grammar, 300 decoys and [unk]", _plain(ear.vocabulary.grammar(decoys=300))),
            ("vosk, free", _plain(None)),
        )
    }
    return result


class _Heard:
    """The ear as a function, with the time it takes."""

    def __init__(self, ear: Ear) -> None:
        self.ear, self.busy, self.seconds = ear, 0.0, 0.0
        self.latencies: list[float] = []
        ear.recogniser = _Remembering(ear.recogniser)

    def texts(self, pcm: NDArray[np.int16], expecting: frozenset[str] | None = None) -> list[str]:
        self.ear.expect(expecting)
        words: list[Word] = []
        for i in range(0, len(pcm) + RATE, _CHUNK):  # a second of quiet after it, as at a table
            piece = pcm[i : i + _CHUNK]
            piece = np.pad(piece, (0, _CHUNK - len(piece)))
            began = time.process_time()
            fresh = self.ear.listen(Chunk(piece, i / RATE))
            took = time.process_time() - began
            self.busy += took
            self.latencies += [(i + _CHUNK) / RATE + took - word.end for word in fresh]
            words += fresh
        words += self.ear.flush()
        self.seconds += len(pcm) / RATE + 1
        return [word.text for word in words]


class _Remembering(Recogniser):
    """Decodes each utterance once, though it is judged in several moments; the time measured is that of the first."""

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser = recogniser
        self._known: dict[bytes, Readings] = {}

    def read(self, pcm: NDArray[np.int16], peak: float) -> Readings:
        key = pcm.tobytes()
        if key not in self._known:
            self._known[key] = self._recogniser.read(pcm, peak)
        return self._known[key]


def _plain(grammar: list[str] | None) -> Hearing:
    """Vosk as its documentation shows it."""
    model = load_model()

    def hear(pcm: NDArray[np.int16]) -> list[str]:
        kaldi = vosk.KaldiRecognizer(model, RATE, *([json.dumps(grammar)] if grammar else []))
        texts = []
        for i in range(0, len(pcm), _CHUNK):
            if kaldi.AcceptWaveform(pcm[i : i + _CHUNK].tobytes()):
                texts.append(json.loads(kaldi.Result())["text"])
        texts.append(json.loads(kaldi.FinalResult())["text"])
        return [word for text in texts for word in text.split() if word != "[unk]"]

    return hear


def _right(hear: Hearing, rows: list[dict[str, str]], clips: dict[str, NDArray[np.int16]]) -> dict[str, Any]:
    by_word: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    missed = []
    for row in rows:
        got = " ".join(hear(clips[row["file"]])).replace("bar talk", "bartog")
        correct = got == row["says"]
        by_word[row["says"]][0] += int(correct)
        by_word[row["says"]][1] += 1
        if not correct:
            missed.append(f"{row['file']}: {got or '-'}")
    right, total = (sum(count[i] for count in by_word.values()) for i in (0, 1))
    return {
        "right": right,
        "of": total,
        "by_word": {w: f"{a}/{b}" for w, (a, b) in sorted(by_word.items())},
        "missed": missed,
    }


def _sayable(ear: Ear, says: str) -> bool:
    texts = {phrase.text for phrase in ear.vocabulary.phrases}
    return bool(says) and (says in texts or bool(ear.vocabulary.parse(says.split())))


def _in_vocabulary(ear: Ear, words: list[str]) -> list[str]:
    return [word for word in words if ear.vocabulary.parse([word])]


def load(path: Path) -> NDArray[np.int16]:
    """A whole sound file as the ear hears it."""
    return np.concatenate([chunk.pcm for chunk in SoundFile(path).chunks()])


def mixed(
    word: NDArray[np.int16], others: list[NDArray[np.int16]], snr: float, seed: int = 0, margin: float = 1.0
) -> NDArray[np.int16]:
    """A word over other sound, `snr` decibels louder than it, with `margin` seconds of that before and after."""
    pick = random.Random(f"{seed} {len(word)} {int(word[::97].sum())}")
    room = len(word) + 2 * int(margin * RATE)
    bed = np.zeros(0)
    while not bed.size or np.sqrt(np.mean(bed**2)) < 100:
        sound = pick.choice(others)
        if len(sound) > room:
            at = pick.randrange(len(sound) - room)
            bed = sound[at : at + room].astype(float)
    bed *= np.sqrt(np.mean(word.astype(float) ** 2)) / np.sqrt(np.mean(bed**2)) * 10 ** (-snr / 20)
    bed[int(margin * RATE) : int(margin * RATE) + len(word)] += word
    return np.asarray(bed * min(1.0, 31_000 / np.abs(bed).max()), dtype=np.int16)
