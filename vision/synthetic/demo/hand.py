"""Whose hand puts the card there? One photographed hand, cut out, made into three people's.

The outline and the ring were marked by hand in the photograph; the sleeve's cloth beyond the picture's edge is taken
from the other sleeve in the same photograph.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.synthetic.demo.paint import Picture, Sprite
from vision.synthetic.demo.table import Image, read_image

PHOTO: Final = "scenery/hands-cansik/images__cathryn-lavery-fMD_Cru6OTk-unsplash.jpg"

_FINE: Final = 5  # the cut-out is this many times larger than the photograph
_LENGTH: Final = 450.0  # pixels in the picture from the finger tips to the wrist
_LEFT, _TOP, _RIGHT, _BOTTOM, _EDGE = 60, 215, 330, 700, 426  # the cut-out in the photograph; the photograph's last row
_TIPS: Final = (232.0, 243.0)
_WRIST: Final = (186.0, 408.0)

_HAND: Final = (
    (161, 360), (165, 350), (168, 342), (172, 332), (175, 320), (177, 308), (178, 296), (179, 287), (181, 278),
    (184, 268), (188, 260), (193, 252), (197, 248.5), (201, 248.5), (204.5, 252), (205.5, 256.5), (209, 253),
    (213, 246), (218, 239), (223, 235.5), (228, 235), (231.5, 237.5), (232.5, 241), (231.5, 246), (230, 250.5),
    (234, 246), (239, 240), (243, 236.5), (247, 236), (251, 238.5), (252.5, 243), (251, 248), (247.5, 256), (243, 264),
    (238, 271), (235, 278), (232, 285), (230.5, 291), (234, 286), (239, 278), (245, 268), (250, 259), (255, 253),
    (259, 250), (263, 250), (266.5, 253), (268.5, 258), (267.5, 264), (263, 272), (258, 282), (255, 290), (251.5, 298),
    (249, 306), (245, 313), (243, 320), (242, 328), (242, 333), (241, 337), (244, 333), (250, 324), (256, 316),
    (263, 309), (271, 304), (278, 302), (284, 303), (287.5, 307), (286, 311), (280, 316), (275, 322), (270, 330),
    (265, 338), (260, 346), (256, 354), (252, 362), (247, 368), (240, 378), (235, 384), (231, 389), (222, 398),
    (214, 408), (208, 418), (198, 420), (185, 419), (170, 412), (158, 407), (153, 401), (156, 390), (158, 375),
)  # fmt: skip
_SLEEVE: Final = (
    (161, 359.5), (159, 359.5), (150, 359), (141, 362), (130, 369), (121, 378), (116, 388), (114, 398), (115, 412),
    (118, 427), (257.5, 427), (257, 423), (254, 417), (250, 411), (248, 404), (241, 400), (237, 395), (233, 389),
    (231, 388), (210, 360),
)  # fmt: skip
_RING: Final = ((221, 305), (226, 295), (233, 293), (251, 301), (250, 310), (246, 317), (236, 312))
_CLOTH: Final = (428, 362, 505, 427)  # left, top, right, bottom of plain cloth of the other sleeve


def hands(data: Path) -> dict[str, Sprite]:
    """A hand for each seat, finger tips up: the photograph's own for A, others recoloured, B's ring taken off.

    Raises:
        VisionError: the photograph is missing.
    """
    photo = read_image(data / PHOTO)
    ring, skin = _filled(photo.shape[:2], _RING), _filled(photo.shape[:2], _HAND)
    near = cv2.dilate(ring, np.ones((31, 31), np.uint8))  # paper there would bleed into the skin
    paper = cv2.bitwise_and(near, cv2.bitwise_not(cv2.erode(skin, np.ones((3, 3), np.uint8))))
    off = cv2.bitwise_or(cv2.dilate(ring, np.ones((3, 3), np.uint8)), paper)
    bare = np.asarray(cv2.inpaint(photo, off, 4, cv2.INPAINT_TELEA), np.uint8)
    right_handed, left_handed = True, False
    return {
        "A": _hand(photo, skin=(1.02, 1.02, 1.03), cloth=(0.98, 0.98, 1.0), mirrored=right_handed),
        "B": _hand(bare, skin=(0.80, 0.86, 0.93), cloth=(0.62, 0.44, 0.34), mirrored=right_handed),
        "C": _hand(bare, skin=(1.08, 1.06, 1.07), cloth=(0.36, 0.40, 0.74), mirrored=left_handed),
    }


def _hand(
    photo: Image, *, skin: tuple[float, float, float], cloth: tuple[float, float, float], mirrored: bool
) -> Sprite:
    size = ((_RIGHT - _LEFT) * _FINE, (_BOTTOM - _TOP) * _FINE)
    view = cv2.resize(
        photo[_TOP : _EDGE + 1, _LEFT:_RIGHT], None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_LANCZOS4
    ).astype(np.float32)
    view = view + 0.6 * (view - cv2.GaussianBlur(view, (0, 0), _FINE * 0.8))
    colour = np.zeros((size[1], size[0], 3), np.float32)
    colour[: view.shape[0]] = view / 255
    inside = cv2.erode(_fine(_HAND), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * _FINE - 1, 2 * _FINE - 1)))
    hand_shape = cv2.GaussianBlur(inside, (0, 0), _FINE * 0.5)
    arm = _fine((*_SLEEVE[:9], (119, 440), (138, _BOTTOM + 9), (262, _BOTTOM + 9), (258, 430), *_SLEEVE[11:]))
    sleeve_shape = cv2.GaussianBlur(arm, (0, 0), _FINE * 0.6)
    seam = np.clip((np.arange(size[1]) / _FINE + _TOP - (_EDGE - 7)) / 6, 0, 1).astype(np.float32)[:, None, None]
    woven = colour * (1 - seam) + _forearm(photo, size) * seam
    hand_only = (hand_shape * (1 - _below_cuff(size)))[..., None]
    pixels = woven * np.array(cloth, np.float32) * (1 - hand_only) + colour * np.array(skin, np.float32) * hand_only
    alpha = np.maximum(hand_shape, sleeve_shape)[..., None]
    cut = np.dstack([pixels.clip(0, 1) * alpha, alpha]).astype(np.float32)
    tips = np.array([(_TIPS[0] - _LEFT) * _FINE, (_TIPS[1] - _TOP) * _FINE])
    wrist = np.array([(_WRIST[0] - _LEFT) * _FINE, (_WRIST[1] - _TOP) * _FINE])
    return _upright(cut, tips, wrist, mirrored)


def _upright(cut: Picture, tips: np.ndarray, wrist: np.ndarray, mirrored: bool) -> Sprite:
    """The cut-out turned so that the fingers point up, at the size it is shown."""
    along = tips - wrist
    scale = _LENGTH / float(np.linalg.norm(along))
    turn = -np.arctan2(along[0], -along[1])
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    width, height = 560, 1250
    middle = (width / 2, 60.0)
    onto = np.array(
        [
            [cos, -sin, middle[0] - cos * tips[0] + sin * tips[1]],
            [sin, cos, middle[1] - sin * tips[0] - cos * tips[1]],
        ]
    )
    soft = cv2.GaussianBlur(cut, (0, 0), 0.5 / scale)
    shown = cv2.warpAffine(soft, onto, (width, height), flags=cv2.INTER_LINEAR)
    if mirrored:
        shown = np.ascontiguousarray(shown[:, ::-1])
    return Sprite(np.asarray(shown, np.float32), middle, 1.0)


def _forearm(photo: Image, size: tuple[int, int]) -> Picture:
    """Cloth for the whole cut-out: the plain piece of the other sleeve, mirrored on, lit as something round."""
    left, top, right, bottom = _CLOTH
    piece = photo[top:bottom, left:right]
    tile = np.vstack([np.hstack([piece, piece[:, ::-1]]), np.hstack([piece[::-1], piece[::-1, ::-1]])])
    rows, columns = -(-size[1] // (tile.shape[0] * _FINE)), -(-size[0] // (tile.shape[1] * _FINE))
    sheet = cv2.resize(np.tile(tile, (rows, columns, 1)), None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_CUBIC)
    across = (np.arange(size[0]) / _FINE + _LEFT - 192) / 72
    round_light = np.sqrt(np.clip(1 - 0.75 * across**2, 0.12, 1)).astype(np.float32)[None, :, None]
    return np.asarray(sheet[: size[1], : size[0]].astype(np.float32) / 255 * round_light, np.float32)


def _below_cuff(size: tuple[int, int]) -> Picture:
    """1 where there is surely no skin: below the photograph's edge."""
    rows = np.arange(size[1], dtype=np.float32)[:, None] / _FINE + _TOP
    return np.asarray(np.repeat((rows > _EDGE).astype(np.float32), size[0], axis=1), np.float32)


def _fine(outline: tuple[tuple[float, float], ...]) -> Picture:
    """The outline, given in the photograph, filled with 1 in the cut-out."""
    shape = np.zeros(((_BOTTOM - _TOP) * _FINE, (_RIGHT - _LEFT) * _FINE), np.float32)
    points = (np.array(outline, np.float64) - (_LEFT, _TOP)) * _FINE
    cv2.fillPoly(shape, [np.round(points * 16).astype(np.int32)], 1.0, cv2.LINE_8, 4)
    return shape


def _filled(shape: tuple[int, ...], outline: tuple[tuple[float, float], ...]) -> Image:
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(np.array(outline)).astype(np.int32)], 255)
    return mask
