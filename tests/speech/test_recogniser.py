"""Does the recogniser stay right and awake however long it listens?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from speech.bench import load
from speech.recogniser import Readings, Recogniser
from speech.sources import RATE
from tests.speech.conftest import clips

QUIET = np.zeros(RATE // 4, np.int16)


@pytest.fixture
def recogniser() -> Recogniser:
    mine = ["hearts", "heart", "spades"]
    return Recogniser([*mine, "[unk]"], [*mine, "left", "house", "[unk]"])


def read(recogniser: Recogniser, path: Path) -> Readings:
    return recogniser.read(np.concatenate([QUIET, load(path), QUIET]), -20.0)


def test_both_decodes_are_kept_with_times_from_the_first_sample(recogniser: Recogniser, hearts: Path) -> None:
    readings = read(recogniser, hearts)
    best = readings.grammar[0]
    assert best.words == ("hearts",)
    assert 0.2 < best.times[0][0] < best.times[0][1] < 0.5 + len(load(hearts)) / RATE
    assert readings.free[0].text in ("hearts", "heart")
    assert best.score > readings.free[0].score
    assert recogniser.restarts == 0


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
