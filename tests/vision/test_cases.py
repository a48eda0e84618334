"""Pictures on which others' readers failed: nothing is dropped in silence, and nothing told that cannot be known."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.input.sources import read_picture
from vision.look.eye import Eye
from vision.look.faces import UNO, UNSURE
from vision.look.ink import TWIN, Twins, colourless
from vision.look.oddities import oddities
from vision.look.quads import Image
from vision.see import see

DATA = Path(__file__).parents[1] / "data"
CASES = DATA / "cases"
PHOTOS = DATA / "vision"

DARK_RED = {(150, 170): "5d", (495, 178): "Td", (795, 166): "As", (1144, 166): "2s",
            (163, 539): "9s", (501, 530): "6s", (782, 554): "Kh", (1137, 532): "Jc"}  # fmt: skip
GREY = {(179, 360): "5d", (482, 371): "Qd", (817, 367): "Kh", (1099, 346): "Ah"}


def may_be(eye: Eye, image: Image) -> dict[tuple[int, int], tuple[str, tuple[str, ...]]]:
    """By the middle of each card: what it is called, and what it may be."""
    seen = {}
    for card in eye.look(image):
        x, y = card.quad.mean(axis=0)
        seen[round(float(x)), round(float(y))] = (
            card.card,
            tuple(name for name, _ in card.alternatives) or (card.card,),
        )
    return seen


def at(
    seen: dict[tuple[int, int], tuple[str, tuple[str, ...]]], place: tuple[float, ...]
) -> tuple[str, tuple[str, ...]]:
    """What was seen there."""
    return seen[min(seen, key=lambda middle: np.hypot(middle[0] - place[0], middle[1] - place[1]))]


def grey(photo: Image) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


def test_dark_red_cards_are_named_or_asked_about_and_none_is_dropped(eye: Eye) -> None:
    seen = may_be(eye, read_picture(CASES / "dark-red.jpg"))
    assert len(seen) == 8
    for place, card in DARK_RED.items():
        assert card in at(seen, place)[1]


def test_ink_that_is_red_is_not_named_black_for_sure(eye: Eye) -> None:
    photo = read_picture(PHOTOS / "four-clubs.jpg")
    ink = np.clip(1 - 1.4 * photo.mean(axis=2) / 255, 0, 1)
    reddish = photo.astype(np.float32)
    reddish[..., 2] += 40 * ink
    assert sorted(eye.look(photo).cards) == ["2c", "3c", "4c", "Ac"]
    seen = list(eye.look(np.clip(reddish, 0, 255).astype(np.uint8)))
    assert len(seen) == 4
    for card in seen:
        may_be = {name for name, _ in card.alternatives}
        assert card.card == UNSURE and {name[0] for name in may_be} <= set("A234")
        assert {name[1] for name in may_be} == set("chd")


@pytest.mark.parametrize("name", ["grey-1", "grey-2"])
def test_without_colour_no_suit_that_only_colour_tells_is_named(eye: Eye, name: str) -> None:
    image = read_picture(CASES / f"{name}.jpg")
    seen = may_be(eye, image)
    assert len(seen) == 4
    for place, card in GREY.items():
        assert card in at(seen, place)[1]
    assert at(seen, (817, 367))[0] == "Kh"  # its shape tells it
    assert oddities(eye, image, list(eye.look(image))) == ["grey"]


def test_the_same_cards_are_named_with_colour_and_asked_about_without(eye: Eye) -> None:
    photo = read_picture(PHOTOS / "four-aces.jpg")
    assert not colourless(photo)
    assert sorted(eye.look(photo).cards) == ["Ac", "Ad", "Ah", "As"]
    assert colourless(grey(photo))
    for card in eye.look(grey(photo)):
        assert card.card in ("Ad", "Ah", UNSURE)
        best = card.alternatives[0][0] if card.alternatives else card.card
        assert best in ("Ad", "Ah") or {"Ad", "Ah"} <= dict(card.alternatives).keys()


@pytest.mark.parametrize("name", ["7s-table", "jd-wood", "notebook", "hands", "qs-table"])
def test_a_photo_with_colour_is_not_called_grey_or_mirrored(eye: Eye, name: str) -> None:
    photo = read_picture(PHOTOS / f"{name}.jpg")
    assert oddities(eye, photo, list(eye.look(photo))) == []


def test_without_colour_any_uno_card_may_be_of_any_colour_but_a_wild_one_is_known() -> None:
    sure = np.eye(len(UNO), dtype=np.float32)
    shared = Twins(UNO).share(sure, TWIN, coloured=True)
    assert {UNO[i]: round(float(p), 3) for i, p in enumerate(shared[UNO.index("r5")]) if p} == dict.fromkeys(
        ("r5", "y5", "g5", "b5"), 0.25
    )
    assert (shared[UNO.index("W")] == sure[UNO.index("W")]).all()


def test_a_mirrored_picture_is_told_with_its_cards() -> None:
    (found,) = see([CASES / "mirrored.jpg"])
    assert found["hints"] == ["mirrored"]
    (found,) = see([PHOTOS / "7s-table.jpg"])
    assert "hints" not in found
