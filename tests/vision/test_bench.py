"""The bench counts what became of each card, by place where the label knows it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from vision.bench.eye import STILL_LIFE, bench_eye, frame_times
from vision.input.sources import read_picture
from vision.look.eye import Eye

PHOTOS = Path(__file__).parents[1] / "data" / "vision"


def label(*cards: dict[str, Any], game: str = "french", letters: str = "en") -> dict[str, Any]:
    return {"cards": list(cards), "game": game, "letters": letters, "more_unlabelled": False}


@pytest.fixture(scope="module")
def report(eye: Eye, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    root = tmp_path_factory.mktemp("shared")
    folder = root / "data" / "photos" / "eval"
    folder.mkdir(parents=True)
    labels = {
        "7s-table.jpg": label({"card": "7s", "whole": True}),
        "2s-table.jpg": label({"card": "3s", "whole": True}),
        "qs-table.jpg": label({"card": "Qs", "whole": True, "bbox": [0, 0, 40, 40]}),
        "four-aces.jpg": label(
            {"card": "Ah", "whole": True, "bbox": [140, 10, 113, 148]},
            {"card": "Ad", "whole": True, "bbox": [271, 9, 114, 148]},
            {"card": "As", "whole": False, "bbox": [137, 180, 119, 166]},
        ),
        "hands.jpg": label(game="none"),
    }
    for name in labels:
        shutil.copy(PHOTOS / name, folder / name)
    shutil.copy(PHOTOS / "8d-table.jpg", folder / STILL_LIFE)
    (folder / "labels.json").write_text(json.dumps(labels))
    return bench_eye(root, {"french": eye.look}, sheet=root / "sheet.png") | {"root": root}


@pytest.mark.parametrize(
    ("group", "counts"),
    [
        ("french single", {"right": 1, "wrong": 1, "missed": 1, "false": 1, "cards": 3, "photos": 3}),
        ("french several", {"right": 2, "false": 1, "cards": 2, "photos": 1}),
        ("partly covered", {"right": 1, "cards": 1}),
        ("negatives", {"photos": 1}),
    ],
)
def test_counts(report: dict[str, Any], group: str, counts: dict[str, int]) -> None:
    assert report["groups"][group] == counts


def test_what_went_wrong_is_told_with_its_photo(report: dict[str, Any]) -> None:
    single = report["faults"]["french single"]
    assert any(line.startswith("wrong 3s as 2s") and line.endswith("in 2s-table.jpg") for line in single)
    assert any(line == "missed Qs in qs-table.jpg" for line in single)


def test_cards_that_look_alike_are_counted_apart(report: dict[str, Any]) -> None:
    # Ah, Ad and As, and the 2s labelled 3s: four cards were found where a label is, none taken for its twin.
    assert report["pairs"]["hearts/diamonds"] == "0 of 2"
    assert report["pairs"]["clubs/spades"] == "0 of 3"
    assert report["pairs"]["UNO 6/9"] == "0 of 0"


def test_a_wrong_label_shows_in_the_calibration(report: dict[str, Any]) -> None:
    assert report["calibration"]["cards"] == 5
    assert 0.15 < report["calibration"]["error"] < 0.25  # one of five sure answers is not what its label says


def test_whole_and_covered_cards_are_counted_apart(report: dict[str, Any]) -> None:
    # The ace of spades of four-aces.jpg is whole, whatever its label here says.
    assert report["whole"] == {"whole": "4 of 4", "covered": "0 of 1"}


def test_what_was_not_right_is_pictured(report: dict[str, Any]) -> None:
    sheet = read_picture(report["root"] / "sheet.png")
    faults = [line for group, lines in report["faults"].items() if group != "partly covered" for line in lines]
    assert sheet.shape == (250 * -(-len(faults) // 6), 260 * 6, 3)


def test_times_are_there(eye: Eye, report: dict[str, Any]) -> None:
    assert {"idle", "zone"} == set(frame_times(report["root"], eye))
    assert report["ms"]["photo"] > 0
