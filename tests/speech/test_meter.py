"""Does the meter tell a dead, faint, clipping or noisy microphone from a good one?"""

from __future__ import annotations

import numpy as np
import pytest

from speech.bench import load
from speech.meter import Level, Meter
from speech.sources import RATE, Chunk
from tests.speech.conftest import DATA

NOISE = np.random.default_rng(1)


def last(gain: float, noise: float, seconds: int = 8) -> Level:
    """What the meter shows after a human has said "hearts" every two seconds at this gain over noise (0..1)."""
    word = load(next(DATA.rglob("*suits_H*"))).astype(float)
    meter = Meter()
    level = Level(0, 0, False, "")
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


def test_no_advice_before_enough_was_heard() -> None:
    assert last(0.0, 0.0, seconds=1).advice == ""


def test_level_is_in_decibels_of_full_scale() -> None:
    square = np.full(1600, 16384, np.int16)
    level = Meter().push(Chunk(square, 0.0))
    assert (level.peak, level.rms, level.clipped) == (-6.0, -6.0, False)
