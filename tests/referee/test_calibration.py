"""What the calibration page is given says where the piles are and what to do about the picture."""

import json
from pathlib import Path

import numpy as np
import pytest

from referee.table.eye import calibration
from vision.input.frames import Frame
from vision.input.sources import read_picture
from vision.layout.places import Layout
from vision.look.eye import Eye
from vision.synthetic.match import art
from vision.synthetic.match.acts import Setting, around
from vision.synthetic.match.film import Film


@pytest.fixture(scope="module")
def frame() -> Frame:
    top = art.table_top(np.random.default_rng(3), "wood")
    film = Film(Setting(seats=around("AB"), card=150), art.deck("byronknoll"), top, {}, [], "Qh", 0.1, 1)
    return next(film.frames())


@pytest.fixture(scope="module")
def eye() -> Eye:
    return Eye("french")


def test_a_good_table_is_found_and_praised(eye: Eye, frame: Frame) -> None:
    shown = json.loads(json.dumps(calibration(eye, frame)))
    assert Layout.from_json(shown["layout"]).discard is not None
    assert shown["size"] == [960, 540]
    assert [check["name"] for check in shown["checks"]] == ["card", "focus", "light", "glare"]
    assert all(check["ok"] and check["text"] for check in shown["checks"])


def test_a_dark_table_is_told_what_to_do(eye: Eye, frame: Frame) -> None:
    dark = Frame((frame.image * 0.15).astype(np.uint8), 0.0, 0)
    texts = [check["text"] for check in calibration(eye, dark)["checks"] if not check["ok"]]
    assert any("lamp on" in text for text in texts)


@pytest.mark.parametrize(("case", "hint"), [("mirrored", "be mirrored"), ("grey-2", "has no colour")])
def test_an_odd_picture_is_told_what_to_do(eye: Eye, case: str, hint: str) -> None:
    image = read_picture(Path(__file__).parents[1] / "data" / "cases" / f"{case}.jpg")
    texts = [check["text"] for check in calibration(eye, Frame(image, 0.0, 0))["checks"] if not check["ok"]]
    assert [text for text in texts if hint in text]
