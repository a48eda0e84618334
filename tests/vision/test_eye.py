"""The eye reads real photos, and sees no card where there is none."""

from pathlib import Path

import cv2
import numpy as np
import pytest

import models
from vision.faults import VisionError
from vision.input.sources import read_picture
from vision.look.eye import Eye
from vision.see import see

PHOTOS = Path(__file__).parents[1] / "data" / "vision"


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("2s-table", {"2s"}),
        ("7s-table", {"7s"}),
        ("8d-table", {"8d"}),
        ("kd-table", {"Kd"}),
        ("qs-table", {"Qs"}),
        ("9s-carpet", {"9s"}),
        ("kd-bag", {"Kd"}),
        ("qs-cloth", {"Qs"}),
        ("jd-wood", {"Jd"}),
        ("four-aces", {"Ac", "Ad", "Ah", "As"}),
        ("four-clubs", {"Ac", "2c", "3c", "4c"}),
        ("notebook", set()),
        ("hands", set()),
    ],
)
def test_real_photos(eye: Eye, name: str, cards: set[str]) -> None:
    seen = eye.look(read_picture(PHOTOS / f"{name}.jpg"))
    assert sorted(seen.cards) == sorted(cards)
    assert seen.whole.all()
    assert (seen.confidences >= eye.reader.sure).all()


def test_the_quad_is_the_cards_outline_from_its_own_top_left(eye: Eye) -> None:
    photo = read_picture(PHOTOS / "7s-table.jpg")
    (upright,) = eye.look(photo)
    turned = np.ascontiguousarray(np.rot90(photo))
    (lying,) = eye.look(turned)
    # Turned by a quarter against the clock, a point (x, y) lies at (y, width - x).
    there = np.stack([upright.quad[:, 1], photo.shape[1] - upright.quad[:, 0]], axis=1)
    assert min(np.abs(lying.quad - np.roll(there, k, axis=0)).max() for k in (0, 2)) < 8
    for seen in (upright, lying):
        top, right, *_ = np.linalg.norm(np.roll(seen.quad, -1, axis=0) - seen.quad, axis=1)
        assert 1.2 < right / top < 1.7


def test_with_a_zone_quads_are_still_in_pixels_of_the_whole_picture(eye: Eye) -> None:
    photo = read_picture(PHOTOS / "four-aces.jpg")
    alls = {seen.card: seen.quad for seen in eye.look(photo)}
    x, y = alls["Ad"].min(axis=0).astype(int) - 15
    w, h = alls["Ad"].max(axis=0).astype(int) + 15 - (x, y)
    (only,) = eye.look(photo, zone=(int(x), int(y), int(w), int(h)))
    assert only.card == "Ad"
    # A card of this kind looks the same upside down, so either end may come first.
    assert min(np.abs(only.quad - np.roll(alls["Ad"], turn, axis=0)).max() for turn in (0, 2)) < 6


def rectangle(colour: tuple[int, int, int], text: str = "") -> np.ndarray:
    picture = np.full((480, 640, 3), (70, 110, 80), np.uint8)
    box = cv2.boxPoints(((320, 240), (190, 280), 25)).astype(np.int32)
    cv2.fillConvexPoly(picture, box, colour, cv2.LINE_AA)
    if text:
        cv2.putText(picture, text, (250, 250), cv2.FONT_HERSHEY_SIMPLEX, 1, (30, 30, 30), 2, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(rectangle((20, 20, 25)), id="phone"),
        pytest.param(rectangle((245, 245, 245)), id="blank paper"),
        pytest.param(rectangle((240, 242, 245), "milk, eggs"), id="shopping list"),
        pytest.param(np.zeros((480, 640, 3), np.uint8), id="lens cap on"),
        pytest.param(np.full((480, 640, 3), 255, np.uint8), id="blinded"),
        pytest.param(np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8), id="noise"),
        pytest.param(np.full((1, 1, 3), 128, np.uint8), id="one pixel"),
    ],
)
def test_what_is_no_card_gives_nothing(eye: Eye, picture: np.ndarray) -> None:
    assert eye.look(picture).cards == ()


def test_a_french_deck_has_no_uno_cards_and_the_other_way_round() -> None:
    assert Eye("uno").look(read_picture(PHOTOS / "8d-table.jpg")).cards in ((), ("?",))


def test_an_unknown_deck_names_the_known_ones() -> None:
    with pytest.raises(VisionError, match="no deck called 'tarot': use one of french, uno"):
        Eye("tarot")


def test_a_zone_outside_the_picture_says_what_to_do(eye: Eye) -> None:
    with pytest.raises(VisionError, match="mark the discard pile again"):
        eye.look(np.zeros((100, 100, 3), np.uint8), zone=(200, 0, 50, 50))


def test_weights_that_are_none_are_named(tmp_path: Path) -> None:
    broken = tmp_path / "reader.onnx"
    broken.write_bytes(b"not a network")
    with pytest.raises(VisionError, match="does not hold the weights that read cards"):
        Eye("french", reader=broken)


def test_see_uses_the_detector_it_is_given(tmp_path: Path) -> None:
    photo = PHOTOS / "7s-table.jpg"
    (plain,) = see([photo])
    (given,) = see([photo], detector=models.locate("detector"))
    assert given == plain
    with pytest.raises(VisionError, match=r"there is no file .*nosuch\.onnx"):
        list(see([photo], detector=tmp_path / "nosuch.onnx"))
