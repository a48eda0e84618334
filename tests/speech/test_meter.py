"""Does the meter tell a dead, faint, clipping or noisy microphone from a good one?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import soxr

from referee.text import say
from speech.bench.sounds import in_room, load
from speech.input.chunks import RATE, Chunk
from speech.input.meter import Level, Meter
from tests.speech.conftest import DATA

NOISE = np.random.default_rng(1)


def last(gain: float, noise: float, seconds: int = 8) -> Level:
    """What the meter shows after a human has said "hearts" every two seconds at this gain over noise (0..1)."""
    word = load(next(DATA.rglob("*suits_H*"))).astype(float)
    meter = Meter()
    level = Level(0, False, "")
    for second in range(seconds):
        pcm = NOISE.standard_normal(RATE) * noise * 32768
        if second % 2:
            pcm[: len(word)] += word[:RATE] * gain
        for i in range(0, RATE, 1600):
            piece = np.asarray(np.clip(pcm[i : i + 1600], -32768, 32767), dtype=np.int16)
            level = meter.push(Chunk(piece, second + i / RATE))
    return level


@pytest.mark.parametrize(
    ("gain", "noise", "advice"),
    [
        pytest.param(0.4, 1e-3, "", id="good"),
        pytest.param(0.004, 1e-4, "turn it up", id="faint"),
        pytest.param(20.0, 1e-3, "turn it down", id="clipping"),
        pytest.param(0.0, 0.0, "dead", id="dead"),
        pytest.param(0.4, 0.05, "too noisy", id="fan"),
    ],
)
def test_advice(gain: float, noise: float, advice: str) -> None:
    assert last(gain, noise).advice == advice


def advised(change: Callable[[np.ndarray], np.ndarray]) -> str:
    """What is advised at last where humans speak into a microphone that does this to their words."""
    meter = Meter()
    clips = [load(path) / 70_000 for path in sorted((DATA / "words").glob("blernermhc_cards*"))[:4]]
    sound = change(np.concatenate([np.concatenate([clip, np.zeros(RATE // 2)]) for clip in clips]))
    pcm = np.asarray(np.clip(sound + NOISE.standard_normal(len(sound)) * 1e-4 * (sound != 0), -1, 1) * 32767, np.int16)
    return [meter.push(Chunk(pcm[i : i + 1600], i / RATE)) for i in range(0, len(pcm), 1600)][-1].advice


def telephone(sound: np.ndarray) -> np.ndarray:
    return soxr.resample(soxr.resample(sound, RATE, 8_000), 8_000, RATE)


def with_gaps(sound: np.ndarray) -> np.ndarray:
    return np.where(np.arange(len(sound)) % (RATE // 4) < 480, 0.0, sound)  # 30 ms, four times a second


def in_a_bathroom(sound: np.ndarray) -> np.ndarray:
    return in_room(np.asarray(sound * 32767, np.int16), 0.9) / 70_000


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        pytest.param(lambda sound: sound, "", id="good"),
        pytest.param(telephone, "narrow", id="bluetooth-headset"),
        pytest.param(with_gaps, "drop-outs", id="drop-outs-of-30-ms"),
        pytest.param(in_a_bathroom, "echo", id="strong-echo"),
    ],
)
def test_a_poor_microphone_is_told(change: Callable[[np.ndarray], np.ndarray], advice: str) -> None:
    assert advised(change) == advice
    if advice:
        assert "words are missed" in say(f"health.advice.{advice}")


def test_no_advice_before_enough_was_heard() -> None:
    assert last(0.0, 0.0, seconds=1).advice == ""


def test_level_is_in_decibels_of_full_scale() -> None:
    square = np.full(1600, 16384, np.int16)
    level = Meter().push(Chunk(square, 0.0))
    assert (level.peak, level.clipped) == (-6.0, False)
