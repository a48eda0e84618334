"""Does the recogniser stay right and awake however long it listens?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from speech.bench.sounds import load
from speech.hearing.recogniser import Decoding, Recogniser
from speech.input.chunks import RATE
from tests.speech.conftest import clips

QUIET = np.zeros(RATE // 4, np.int16)


@pytest.fixture
def recogniser() -> Recogniser:
    mine = ["hearts", "heart", "spades"]
    return Recogniser([*mine, "[unk]"], [*mine, "left", "house", "[unk]"])


def read(recogniser: Recogniser, path: Path) -> Decoding:
    return recogniser.read(np.concatenate([QUIET, load(path), QUIET]), -20.0)


def test_both_decodes_are_kept_with_times_from_the_first_sample(recogniser: Recogniser, hearts: Path) -> None:
    decoding = read(recogniser, hearts)
    best = decoding.grammar[0]
    assert best.words == ("hearts",)
    assert 0.2 < best.times[0][0] < best.times[0][1] < 0.5 + len(load(hearts)) / RATE
    assert decoding.free[0].text in ("hearts", "heart")
    assert best.score > decoding.free[0].score
    assert recogniser.restarts == 0


@pytest.mark.parametrize("name", ["hearts", "left", "sorry"])
def test_same_sound_is_read_the_very_same_however_much_was_heard_before(recogniser: Recogniser, name: str) -> None:
    path = next(Path(row["file"]) for row in clips() if row["says"] == name)
    first = read(recogniser, path)
    for row in clips()[:3]:
        read(recogniser, Path(row["file"]))
    assert read(recogniser, path) == first
    for _ in range(100):  # the decoders are made anew on the way
        recogniser.read(QUIET, -60.0)
    assert read(recogniser, path) == first
    other = Recogniser(["hearts", "heart", "spades", "[unk]"], ["[unk]"])
    read(other, Path(clips()[-1]["file"]))
    assert read(other, path) == first


@pytest.mark.parametrize("gain", [0.03, 0.1, 0.3, 0.9])
def test_how_likely_the_words_are_hardly_changes_with_loudness(
    recogniser: Recogniser, hearts: Path, gain: float
) -> None:
    whole, sound = read(recogniser, hearts), np.concatenate([QUIET, load(hearts), QUIET])
    fainter = recogniser.read(np.asarray(sound * gain, np.int16), -20.0 + 20 * np.log10(gain))
    assert fainter.grammar[0].words == whole.grammar[0].words
    assert ratio(fainter) == pytest.approx(ratio(whole), abs=1.0)


def ratio(decoding: Decoding) -> float:
    return decoding.grammar[0].score - decoding.free[0].score


def test_decoys_win_where_they_are_what_was_said(recogniser: Recogniser, hearts: Path) -> None:
    left = next(Path(row["file"]) for row in clips() if row["says"] == "left")
    for path, said in ((hearts, "hearts"), (left, "left")):
        best, *_ = recogniser.among_decoys(np.concatenate([QUIET, load(path), QUIET]), -20.0)
        assert best.text == said


def test_times_stay_right_after_many_utterances(recogniser: Recogniser, hearts: Path) -> None:
    first = read(recogniser, hearts).grammar[0]
    for _ in range(205):  # the decoders are made anew on the way
        recogniser.read(QUIET, -60.0)
    again = read(recogniser, hearts).grammar[0]
    assert again.words == first.words
    assert again.times[0] == pytest.approx(first.times[0], abs=0.04)


def test_recogniser_that_hears_nothing_at_all_is_made_anew(recogniser: Recogniser, hearts: Path) -> None:
    for _ in range(30):
        assert recogniser.read(QUIET, -60.0).free[0].words == ()
    assert recogniser.restarts == 1
    assert read(recogniser, hearts).grammar[0].text == "hearts"
