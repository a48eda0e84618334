"""Piles are found by themselves, and what would spoil the picture is said."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.faults import VisionError
from vision.layout.checks import checks
from vision.layout.finding import layout_of
from vision.layout.places import Layout
from vision.look.eye import Eye
from vision.look.quads import Image
from vision.motion.camera import Nudge
from vision.synthetic.match import art
from vision.synthetic.match.acts import Setting, around
from vision.synthetic.match.film import Film


@pytest.fixture(scope="module")
def film() -> Film:
    rng = np.random.default_rng(3)
    setting = Setting(seats=around("AB"), card=150, noise=1)
    return Film(setting, art.deck("byronknoll"), art.table_top(rng, "wood"), {}, [], "Qh", 0.1, 1)


@pytest.fixture(scope="module")
def table(film: Film) -> Image:
    return next(film.frames()).image


def faults(eye: Eye, image: Image, layout: Layout) -> set[str]:
    return {check.fault for check in checks(eye, image, layout) if check.fault}


def test_the_piles_are_where_the_face_and_the_back_are(eye: Eye, film: Film, table: Image) -> None:
    found = layout_of(list(eye.look(table)), table)
    for zone, truth in ((found.discard, film.zone("discard")), (found.pick_up, film.zone("pick-up"))):
        assert zone is not None
        assert abs(zone[0] + zone[2] / 2 - truth[0] - truth[2] / 2) < 30
        assert abs(zone[1] + zone[3] / 2 - truth[1] - truth[3] / 2) < 30


def test_a_good_picture_has_no_fault(eye: Eye, film: Film, table: Image) -> None:
    assert faults(eye, table, Layout(film.zone("discard", 1.0))) == set()


def test_what_is_wrong_is_named(eye: Eye, film: Film, table: Image) -> None:
    layout = Layout(film.zone("discard", 1.0))
    glare = table.copy()
    x, y, width, height = film.zone("discard", 1.0)
    cv2.ellipse(glare, (x + width // 6, y + height // 2), (width // 7, height // 3), 0, 0, 360, (255, 255, 255), -1)
    assert faults(eye, np.asarray(cv2.GaussianBlur(table, (0, 0), 4), np.uint8), layout) >= {"blurred"}
    assert faults(eye, (table * 0.15).astype(np.uint8), layout) >= {"dark"}
    assert faults(eye, glare, layout) >= {"glare"}
    assert faults(eye, table, Layout((0, 0, 200, 150))) >= {"no-card"}


def test_a_nudged_camera_is_noticed_and_how_far(table: Image) -> None:
    nudge = Nudge()
    assert nudge.see(table) == (0.0, 0.0)
    assert nudge.see((table * 0.8).astype(np.uint8)) == (0.0, 0.0)
    onto = np.array([[1, 0, 14], [0, 1, -9]], np.float64)
    shifted = cv2.warpAffine(table, onto, (table.shape[1], table.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    assert nudge.see(np.asarray(shifted, np.uint8)) == pytest.approx((14, -9), abs=2.5)


def test_a_layout_is_what_it_was_when_it_is_read_again(tmp_path: Path) -> None:
    layout = Layout((1, 2, 30, 40), None, {"A": 270.0})
    assert Layout.from_json(layout.to_json()) == layout
    with pytest.raises(VisionError, match="pixels"):
        Layout.from_json({"discard": [1, 2]})
    with pytest.raises(VisionError, match=r"none\.json"):
        Layout.read(tmp_path / "none.json")
