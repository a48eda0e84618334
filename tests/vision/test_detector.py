"""The detector marks every card of a real photo, and the corner network moves loose marks onto the card."""

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

import models
from vision.faults import VisionError
from vision.input.sources import read_picture
from vision.look.corners import Corners
from vision.look.detector import Detector
from vision.look.finder import Finder
from vision.look.quads import overlap

PHOTOS = Path(__file__).parents[1] / "data" / "vision"
ACES = {"Ah": (140, 10, 113, 148), "Ad": (271, 9, 114, 148)}
"""Where two cards of four-aces.jpg lie, read off the photo: x, y, width, height."""


def box(x: float, y: float, w: float, h: float) -> np.ndarray:
    return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder()


@pytest.mark.parametrize("card", ACES)
@pytest.mark.parametrize("zoned", [True, False], ids=["zone", "photo"])
def test_a_card_is_found_where_it_lies_and_is_whole(finder: Finder, card: str, zoned: bool) -> None:
    quads, whole = finder.find(read_picture(PHOTOS / "four-aces.jpg"), zoned)
    upright = [box(*quad.min(axis=0), *np.ptp(quad, axis=0)) for quad in quads]
    shares = [overlap(box(*ACES[card]), here)[0] for here in upright]
    assert max(shares) > 0.85
    assert whole[int(np.argmax(shares))] > 0.5


def test_a_card_with_another_one_on_it_is_not_whole(finder: Finder) -> None:
    room = 200
    wood = [int(v) for v in np.median(read_picture(PHOTOS / "7s-table.jpg")[:80], axis=(0, 1))]
    photo = cv2.copyMakeBorder(
        read_picture(PHOTOS / "7s-table.jpg"), room, room, room, room, cv2.BORDER_CONSTANT, value=wood
    )
    quads, whole = finder.find(photo)
    quad = quads[int(np.argmax(whole))]
    # The same card once more, pushed half a card's width to the side.
    step = (quad[1] - quad[0]) * 0.5
    mask = np.zeros(photo.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 255, cv2.LINE_AA)
    shift = np.array([[1, 0, step[0]], [0, 1, step[1]]], np.float32)
    size = photo.shape[1::-1]
    top = cv2.warpAffine(photo, shift, size)
    alpha = cv2.warpAffine(mask, shift, size)[..., None] / 255.0
    pile = np.asarray(photo * (1 - alpha) + top * alpha, np.uint8)
    quads, whole = finder.find(pile)
    below = max(range(len(quads)), key=lambda i: overlap(quads[i], quad)[0])
    above = max(range(len(quads)), key=lambda i: overlap(quads[i], quad + step)[0])
    assert overlap(quads[above], quad + step)[0] > 0.8
    assert whole[above] > 0.5
    assert below == above or whole[below] < 0.5


@pytest.mark.parametrize("photo", ["2s-table", "kd-bag", "qs-cloth", "jd-wood", "9s-carpet"])
def test_a_loose_box_is_moved_onto_the_card(finder: Finder, photo: str) -> None:
    image = read_picture(PHOTOS / f"{photo}.jpg")
    quads, whole = finder.find(image)
    truth = quads[int(np.argmax(whole))]
    centre = truth.mean(axis=0)
    loose = ((truth - centre) * 1.06 + centre + 0.03 * (truth[2] - truth[0])).astype(np.float32)
    (moved,), _ = Corners(models.locate("corners")).refine(image, loose[None])
    height = float(np.linalg.norm(truth[3] - truth[0]))
    assert np.linalg.norm(moved - truth, axis=1).mean() < 0.35 * np.linalg.norm(loose - truth, axis=1).mean()
    assert np.linalg.norm(moved - truth, axis=1).max() < 0.03 * height


def test_a_table_without_cards_has_no_boxes_to_move(finder: Finder) -> None:
    quads, whole = finder.find(np.full((480, 640, 3), 90, np.uint8))
    assert quads.shape == (0, 4, 2)
    assert whole.shape == (0,)


def test_weights_that_are_no_detector_are_named(tmp_path: Path) -> None:
    with pytest.raises(VisionError, match=r"there is no file .*nosuch\.onnx.*: check its name"):
        Detector(tmp_path / "nosuch.onnx")
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"not a network")
    with pytest.raises(VisionError, match=r"bad\.onnx does not hold the weights of a detector"):
        Detector(bad)
    with pytest.raises(VisionError, match=r"weights of a detector|does not find whole"):
        Detector(models.locate("reader"))
    with pytest.raises(VisionError, match=r"bad\.onnx does not hold the weights that find corners"):
        Corners(bad)


def test_a_pt_file_without_ultralytics_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = tmp_path / "mine.pt"
    weights.write_bytes(b"")
    monkeypatch.setitem(sys.modules, "ultralytics", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(VisionError, match=r"pip install 'table-referee\[train\]', or use its \.onnx"):
        Detector(weights)
