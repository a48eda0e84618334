"""Does the real recogniser hear the words of a game in real voices, at the right time, and nothing in other sound?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr
from conftest import DATA, clips

from speech.bench import load
from speech.ear import Ear
from speech.faults import SpeechError
from speech.hear import hear
from speech.sources import RATE, Chunk
from speech.vocabulary import Vocabulary
from speech.words import Word


@pytest.fixture(scope="module")
def ear() -> Ear:
    """An ear for every game; each test says what it expects."""
    return Ear("all")


def listen(ear: Ear, *sounds: np.ndarray, expecting: frozenset[str] | None = None, start: float = 0.0) -> list[Word]:
    """What the ear hears in sounds with a second of quiet between them."""
    ear.expect(expecting)
    pcm = np.concatenate([part for sound in sounds for part in (sound, np.zeros(RATE, np.int16))])
    words: list[Word] = []
    for i in range(0, len(pcm), 800):
        words += ear.listen(Chunk(pcm[i : i + 800], start + i / RATE))
    return words + ear.flush()


def clip(name: str) -> np.ndarray:
    return load(next(DATA.rglob(f"*{name}*")))


HUMAN_WORDS = [
    row
    for row in clips()
    if row["human"] == "yes" and row["file"].count("/words/") and row["says"] not in ("five five",)
]
OTHER = [row for row in clips() if "/other/" in row["file"]]


@pytest.mark.parametrize("row", OTHER, ids=[Path(row["file"]).stem for row in OTHER])
def test_nothing_is_heard_in_other_speech_and_card_noise(ear: Ear, row: dict[str, str]) -> None:
    assert [word.text for word in listen(ear, load(Path(row["file"])))] == []
