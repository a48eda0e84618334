"""Corners, turns and overlaps come out as they do on paper."""

import cv2
import numpy as np
import pytest

from vision.look.quads import clockwise, overlap, portrait, rectify, signed_area

UPRIGHT = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)


def test_the_area_tells_the_sense_of_turning() -> None:
    assert signed_area(UPRIGHT) == 5400
    assert signed_area(UPRIGHT[::-1]) == -5400
    assert signed_area(clockwise(UPRIGHT[::-1].copy())) == 5400


def test_portrait_begins_with_a_short_side() -> None:
    lying = np.roll(UPRIGHT, 1, axis=0)
    assert portrait(lying).tolist() == UPRIGHT.tolist()


@pytest.mark.parametrize(
    ("shift", "iou", "inside"),
    [
        pytest.param((0, 0), 1.0, 1.0, id="the same"),
        pytest.param((30, 0), 1 / 3, 0.5, id="half beside"),
        pytest.param((200, 0), 0.0, 0.0, id="apart"),
    ],
)
def test_overlap(shift: tuple[int, int], iou: float, inside: float) -> None:
    assert overlap(UPRIGHT, UPRIGHT + np.array(shift, np.float32)) == pytest.approx((iou, inside), abs=1e-4)


def test_overlap_of_two_finds_of_one_real_card() -> None:
    outer = np.array([[93, 325], [22, 292], [49, 169], [129, 195]], np.float32)
    inner = np.array([[47, 177], [114, 207], [86, 311], [24, 282]], np.float32)
    masks = [cv2.fillConvexPoly(np.zeros((400, 200), np.uint8), quad.astype(int), 1) for quad in (outer, inner)]
    shared, union = (masks[0] & masks[1]).sum(), (masks[0] | masks[1]).sum()
    assert overlap(outer, inner)[0] == pytest.approx(shared / union, abs=0.02)


def test_rectifying_puts_the_cards_own_top_left_first() -> None:
    picture = np.zeros((300, 300, 3), np.uint8)
    quad = np.array([[200, 60], [240, 220], [140, 245], [100, 85]], np.float32)
    cv2.fillConvexPoly(picture, quad.astype(np.int32), (90, 90, 90))
    cv2.circle(picture, (195, 80), 12, (0, 0, 255), -1)
    for turn in range(4):
        flat = rectify(picture, np.roll(quad, -turn, axis=0), (60, 90))
        reds = np.argwhere(flat[..., 2] > 200)
        y, x = reds.mean(axis=0)
        corner = [(0, 0), (1, 0), (1, 1), (0, 1)][turn]
        assert (y > 45, x > 30) == corner


def test_a_quad_outside_the_picture_rectifies_to_nothing() -> None:
    assert not rectify(np.full((50, 50, 3), 200, np.uint8), UPRIGHT + 500, (60, 90)).any()
