"""Which words could this utterance be, with the game's grammar and without any?

Grammar mode forces whatever it hears into its words, with full confidence. So each utterance is decoded twice, and what
counts is by how much the sound is likelier under the grammar than under all of English.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import vosk

import models
from speech.faults import SpeechError
from speech.input.chunks import RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEVEL = -26.0  # decibels of full scale that the loudest frame is brought to
_MOST_GAIN = 40.0
_NOISE, _SEED = 1.0, 0  # standard deviation in steps of int16
_DEAF = 30
_LIFETIME = 100  # utterances after which a decoder is made anew, so that its memory stays flat
_WAITING = 4  # decoders kept for sets of phrases that were owed lately


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What may have been said: the words, the seconds each begins and ends at, and the log likelihood."""

    words: tuple[str, ...]
    times: tuple[tuple[float, float], ...]
    score: float

    @property
    def text(self) -> str:
        """The words in a line."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Decoding:
    """What the two decoders make of an utterance, likeliest first; times count from the utterance's first sample."""

    grammar: tuple[Hypothesis, ...]
    free: tuple[Hypothesis, ...]


class Recogniser:
    """Vosk, twice: with a grammar and free; and for what may be a word, with decoys or with what is owed alone.

    `restarts` counts how often it had gone deaf and was made anew.

    Raises:
        SpeechError: the model cannot be loaded.
        models.ModelError: the shipped model is missing or damaged.
    """

    def __init__(self, grammar: list[str], decoyed: list[str], model: Path | None = None) -> None:
        self._model = load_model(model)
        self._grammar = _Decoder(self._model, grammar)
        self._decoyed = _Decoder(self._model, decoyed)
        self._free = _Decoder(self._model, None)
        self._owed: OrderedDict[tuple[str, ...], _Decoder] = OrderedDict()
        self.restarts = 0
        self._empty = 0  # utterances in a row in which nothing at all was heard

    def read(self, pcm: NDArray[np.int16], peak: float) -> Decoding:
        """Decode one utterance, int16 at 16 kHz with a quarter of a second of its surroundings on both sides.

        `peak` is the level of its loudest frame in decibels, so that soft voices are lifted to a common level.
        """
        pcm = _lifted(pcm, peak)
        decoding = self._decode(pcm)
        self._empty = 0 if decoding.free[0].words else self._empty + 1
        if self._empty >= _DEAF:  # gone deaf: speech is never empty for so long
            self.restarts += 1
            self._empty = 0
            self._grammar.remake()
            self._free.remake()
            decoding = self._decode(pcm)
        return decoding

    def among_decoys(self, pcm: NDArray[np.int16], peak: float) -> tuple[Hypothesis, ...]:
        """The same utterance with common words in the grammar, as likely as the game's: which of them is nearer?"""
        return self._decoyed.decode(_lifted(pcm, peak))

    def as_one_of(self, phrases: tuple[str, ...], pcm: NDArray[np.int16], peak: float) -> tuple[Hypothesis, ...]:
        """The same utterance as nothing but some of these phrases; hypotheses without words where they hardly fit."""
        decoder = self._owed.pop(phrases, None) or _Decoder(self._model, list(phrases))
        self._owed[phrases] = decoder
        if len(self._owed) > _WAITING:
            self._owed.popitem(last=False)
        return decoder.decode(_lifted(pcm, peak))

    def _decode(self, pcm: NDArray[np.int16]) -> Decoding:
        return Decoding(self._grammar.decode(pcm), self._free.decode(pcm))


class _Decoder:
    def __init__(self, model: vosk.Model, grammar: list[str] | None) -> None:
        self._model, self._phrases = model, grammar
        self.remake()

    def remake(self) -> None:
        phrases = [] if self._phrases is None else [json.dumps(self._phrases)]
        self._kaldi = vosk.KaldiRecognizer(self._model, RATE, *phrases)  # the old one is gone now
        _give_back()
        self._kaldi.SetMaxAlternatives(10)
        self._kaldi.SetWords(True)
        self._decoded, self._heard = 0, 0.0

    def decode(self, pcm: NDArray[np.int16]) -> tuple[Hypothesis, ...]:
        if self._decoded >= _LIFETIME:
            self.remake()
        self._kaldi.AcceptWaveform(pcm.tobytes())
        answer = json.loads(self._kaldi.FinalResult())
        hypotheses = tuple(_hypothesis(way, self._heard) for way in answer["alternatives"])
        self._decoded += 1
        self._heard += len(pcm) / RATE
        return hypotheses


@lru_cache
def load_model(path: Path | None = None) -> vosk.Model:
    """The shipped English model, or the one in a folder.

    Raises:
        SpeechError: the folder holds no Vosk model.
    """
    vosk.SetLogLevel(-1)
    folder = path or models.locate("vosk-en")
    try:
        return vosk.Model(str(folder))
    except Exception as fault:  # vosk raises nothing more exact
        raise SpeechError("speech.no-model", folder=folder) from fault


def knows(model: vosk.Model, word: str) -> bool:
    """Whether the model's dictionary has the word."""
    return bool(model.vosk_model_find_word(word) >= 0)


def _give_back() -> None:
    """Hand the memory that a decoder grew to, and freed, back to the system; glibc keeps it, in pieces."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def dithered(sound: NDArray[np.floating[Any]] | NDArray[np.int16]) -> NDArray[np.int16]:
    """Sound in steps of int16 with the faint noise that the model was trained on, always the same.

    Kaldi would add noise of its own (`--dither`), other for every decode: scores would tell nothing of the sound.
    """
    noise = np.random.default_rng(_SEED).normal(0.0, _NOISE, len(sound))
    return np.asarray(np.clip(np.rint(sound + noise), -32767, 32767), dtype=np.int16)


def _lifted(pcm: NDArray[np.int16], peak: float) -> NDArray[np.int16]:
    """The sound at the common level, dithered."""
    return dithered(pcm * 10 ** (min(_MOST_GAIN, _LEVEL - peak) / 20))


def _hypothesis(way: dict[str, Any], heard: float) -> Hypothesis:
    words = way.get("result", [])
    times = tuple((round(word["start"] - heard, 2), round(word["end"] - heard, 2)) for word in words)
    return Hypothesis(tuple(word["word"] for word in words), times, float(way["confidence"]))
