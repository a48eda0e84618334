"""Are words heard through what no voice makes, and is sound without it left as it is?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from speech.hearing.hear import hear
from speech.input.chunks import RATE
from speech.input.cleaning import Cleaner, Mixer
from speech.input.files import SoundFile
from tests.speech.conftest import DATA

CASES = DATA.parent / "cases"


@pytest.mark.parametrize("name", ["dc-offset-0.1", "mains-hum-0.08", "inverted-stereo"])
def test_words_are_heard_through_an_offset_hum_and_channels_that_cancel(name: str) -> None:
    (answer,) = hear([CASES / f"{name}.flac"], "uncle-baiting")
    words = [word["text"] for word in answer["words"]]
    assert [word.replace("hearts", "heart") for word in words] == ["sorry", "last card", "heart", "apologies"]


def through(sound: np.ndarray, piece: int) -> np.ndarray:
    cleaner = Cleaner()
    return np.concatenate([cleaner.push(sound[i : i + piece]) for i in range(0, len(sound), piece)])


@pytest.mark.parametrize("piece", [320, 1600, 48_000], ids=lambda piece: f"{piece}-samples")
@pytest.mark.parametrize("mains", [50.0, 49.93, 60.05])
def test_hum_is_gone_after_a_second_though_the_mains_are_a_little_off(mains: float, piece: int) -> None:
    t = np.arange(3 * RATE) / RATE
    noise = np.random.default_rng(1).standard_normal(len(t)) * 1e-3
    hum = sum(np.sin(2 * np.pi * mains * k * t + k) * 0.05 / k for k in (1, 2, 3, 5))
    left = through((hum + noise + 0.1).astype(np.float32), piece)[3 * RATE // 2 :]
    assert np.sqrt(np.mean(np.square(left))) < np.std(hum) / 20


@pytest.mark.parametrize("clip", sorted((DATA / "words").glob("*.flac"))[::4], ids=lambda clip: clip.stem)
def test_sound_without_hum_is_hardly_changed(clip: Path) -> None:
    sound = np.concatenate([chunk.pcm for chunk in SoundFile(clip).chunks()]).astype(np.float32) / 32768
    assert np.abs(through(sound, 1600) - sound).max() < 0.02 * np.abs(sound).max()


def test_hum_that_ends_leaves_nothing_behind() -> None:
    t = np.arange(RATE) / RATE
    hum = 0.1 * np.sin(2 * np.pi * 50 * t)
    left = through(np.concatenate([hum, np.zeros(RATE)]).astype(np.float32), 1600)
    assert np.abs(left[RATE + RATE // 5 :]).max() < 1e-6


@pytest.mark.parametrize(
    ("left", "right", "loudest"),
    [
        pytest.param(1.0, 1.0, 1.0, id="alike"),
        pytest.param(1.0, -1.0, 1.0, id="opposed"),
        pytest.param(1.0, 0.0, 0.5, id="one-is-dead"),
    ],
)
def test_channels_become_one(left: float, right: float, loudest: float) -> None:
    voice = np.random.default_rng(1).standard_normal(RATE).astype(np.float32) * 0.1
    mixed = Mixer().push(np.stack([voice * left, voice * right], axis=1))
    assert np.std(mixed) == pytest.approx(loudest * np.std(voice), rel=0.01)
