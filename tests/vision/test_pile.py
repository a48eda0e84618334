"""Cards laid on a pile become sightings; hands, lamps and noise do not.

The frames are put together from real photos of cards, with a hand-like shape moving over them.
"""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.input.frames import Frame
from vision.input.sources import read_picture
from vision.look.eye import Eye
from vision.look.quads import Image, Quad, rectify
from vision.motion.rest import Motion
from vision.pile.discard import PileWatcher
from vision.sightings import Sighting

PHOTOS = Path(__file__).parents[1] / "data" / "vision"
FPS = 20
WIDTH, HEIGHT = 640, 480


@pytest.fixture(scope="module")
def faces(eye: Eye) -> dict[str, Image]:
    """Rectified real cards by name."""
    found = {}
    for name in ("2s-table", "7s-table", "8d-table", "qs-table"):
        photo = read_picture(PHOTOS / f"{name}.jpg")
        (seen,) = eye.look(photo)
        found[seen.card] = rectify(photo, seen.quad, (200, 290))
    return found


class Table:
    """A table filmed at 20 frames a second."""

    def __init__(self, faces: dict[str, Image]) -> None:
        self.faces = faces
        rng = np.random.default_rng(3)
        coarse = rng.integers(0, 40, (HEIGHT // 8, WIDTH // 8, 3)).astype(np.uint8) + np.array([40, 80, 50], np.uint8)
        self.top = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
        self.rng = rng
        self.index = 0

    def lay(self, card: str, angle: float, at: tuple[float, float] = (320, 240)) -> Image:
        """Puts a card on the pile and gives back how the pile looked before."""
        before = self.top.copy()
        quad = lying(angle, at)
        face = self.faces[card]
        box = np.array([[0, 0], [face.shape[1], 0], [face.shape[1], face.shape[0]], [0, face.shape[0]]], np.float32)
        matrix = cv2.getPerspectiveTransform(box, quad)
        laid = cv2.warpPerspective(face, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), matrix, (WIDTH, HEIGHT))
        self.top = np.where(mask[..., None] > 127, laid, self.top)
        return before

    def film(self, seconds: float, light: float = 1.0, hand: bool = False) -> Iterator[Frame]:
        """Frames of the table as it lies, with sensor noise; with `hand`, an arm sweeps over it."""
        count = round(seconds * FPS)
        for step in range(count):
            picture = self.top.astype(np.float32)
            if hand:
                reach = int(HEIGHT * np.sin(np.pi * (step + 0.5) / count))
                cv2.ellipse(picture, (320, HEIGHT), (60, max(reach, 1)), 0, 0, 360, (110, 140, 200), -1)
            picture = picture * light + self.rng.normal(0, 2.5, picture.shape)
            yield Frame(np.clip(picture, 0, 255).astype(np.uint8), self.index / FPS, self.index)
            self.index += 1


def lying(angle: float, at: tuple[float, float]) -> Quad:
    box = cv2.boxPoints((at, (150, 218), angle))
    start = int(np.argmin(box.sum(axis=1)))
    return np.roll(box, -start, axis=0).astype(np.float32)


def play(watcher: PileWatcher, table: Table, card: str, angle: float) -> list[Sighting]:
    """A hand comes in, the card is there when it leaves, and the table is left alone for a second."""
    found = run(watcher, table.film(0.4, hand=True))
    table.lay(card, angle)
    return found + run(watcher, table.film(0.4, hand=True)) + run(watcher, table.film(1.0))


def run(watcher: PileWatcher, frames: Iterator[Frame]) -> list[Sighting]:
    return [sighting for frame in frames for sighting in watcher.watch(frame)]


def told(sightings: list[Sighting]) -> list[tuple[str, str]]:
    return [(sighting.kind, sighting.card) for sighting in sightings]


def test_cards_land_one_by_one_at_the_time_they_came_to_rest(eye: Eye, faces: dict[str, Image]) -> None:
    table, watcher = Table(faces), PileWatcher(eye)
    assert run(watcher, table.film(1.0)) == []
    found = []
    rests = []
    for card, angle in (("7s", 4), ("8d", -13), ("Qs", 9), ("2s", -5)):
        found += play(watcher, table, card, angle)
        rests.append(table.index / FPS - 1.0)
    assert told(found) == [("landed", "7s"), ("landed", "8d"), ("landed", "Qs"), ("landed", "2s")]
    assert [sighting.t for sighting in found] == pytest.approx(rests, abs=0.45)  # between the hand's turn and its going
    assert all(sighting.confidence >= eye.reader.sure for sighting in found)
    assert np.abs(found[-1].quad.mean(axis=0) - (320, 240)).max() < 4


def test_a_card_taken_back_shows_the_one_below(eye: Eye, faces: dict[str, Image]) -> None:
    table, watcher = Table(faces), PileWatcher(eye)
    play(watcher, table, "7s", 4)
    before = table.top.copy()
    play(watcher, table, "8d", -13)
    run(watcher, table.film(0.4, hand=True))
    table.top = before
    found = run(watcher, table.film(0.4, hand=True)) + run(watcher, table.film(1.0))
    assert told(found) == [("taken_back", "8d")]
    assert told(play(watcher, table, "Qs", 8)) == [("landed", "Qs")]


def test_a_hand_that_only_passes_is_no_play(eye: Eye, faces: dict[str, Image]) -> None:
    table, watcher = Table(faces), PileWatcher(eye)
    play(watcher, table, "7s", 4)
    assert run(watcher, table.film(1.0, hand=True)) + run(watcher, table.film(1.0)) == []


@pytest.mark.parametrize("light", [0.55, 0.8, 1.2])
def test_a_lamp_switched_is_no_play(eye: Eye, faces: dict[str, Image], light: float) -> None:
    table, watcher = Table(faces), PileWatcher(eye)
    play(watcher, table, "8d", -6)
    assert run(watcher, table.film(1.0, light=light)) + run(watcher, table.film(1.0)) == []


def test_a_shadow_creeping_over_the_card_is_no_play(eye: Eye, faces: dict[str, Image]) -> None:
    table, watcher = Table(faces), PileWatcher(eye)
    play(watcher, table, "8d", -6)
    lit = table.top
    ys, xs = np.mgrid[0:HEIGHT, 0:WIDTH]
    for edge in range(150, 620, 45):
        dark = (xs + 0.35 * ys < edge)[..., None]
        table.top = np.where(dark, lit * np.array([0.45, 0.5, 0.6]), lit).astype(np.uint8)
        assert run(watcher, table.film(0.45)) == []


def test_a_nudged_card_is_no_play(eye: Eye, faces: dict[str, Image]) -> None:
    table, watcher = Table(faces), PileWatcher(eye)
    bare = table.top.copy()
    play(watcher, table, "7s", 4)
    run(watcher, table.film(0.4, hand=True))
    table.top = bare
    assert play(watcher, table, "7s", 40) == []
    assert told(play(watcher, table, "Qs", 8)) == [("landed", "Qs")]


def test_an_identical_card_on_top_is_a_play(eye: Eye, faces: dict[str, Image]) -> None:
    table, watcher = Table(faces), PileWatcher(eye)
    play(watcher, table, "7s", 4)
    assert told(play(watcher, table, "7s", 40)) == [("landed", "7s")]


def test_while_a_hand_lies_on_the_pile_nothing_is_decided(eye: Eye, faces: dict[str, Image]) -> None:
    table, watcher = Table(faces), PileWatcher(eye)
    play(watcher, table, "7s", 4)
    bare = table.top.copy()
    table.lay("8d", -13)
    cv2.ellipse(table.top, (320, HEIGHT), (60, 260), 0, 0, 360, (110, 140, 200), -1)
    assert run(watcher, table.film(0.8)) == []
    table.top = bare
    table.lay("8d", -13)
    assert told(run(watcher, table.film(1.0))) == [("landed", "8d")]


def test_an_empty_table_and_noise_tell_nothing(eye: Eye) -> None:
    watcher = PileWatcher(eye)
    assert run(watcher, Table({}).film(2.0)) == []
    assert watcher.finish() == []


def test_a_recording_that_ends_early_still_tells_its_last_card(eye: Eye, faces: dict[str, Image]) -> None:
    table, watcher = Table(faces), PileWatcher(eye)
    table.lay("8d", 10)
    assert run(watcher, table.film(0.1)) == []
    assert told(watcher.finish()) == [("landed", "8d")]


def test_outside_the_zone_nothing_counts(eye: Eye, faces: dict[str, Image]) -> None:
    table, watcher = Table(faces), PileWatcher(eye, zone=(330, 0, 310, 480))
    table.lay("8d", 0, at=(150, 240))
    assert run(watcher, table.film(1.0)) == []
    table.lay("7s", 0, at=(480, 240))
    assert told(run(watcher, table.film(1.0))) == [("landed", "7s")]


def test_all_is_at_rest_on_a_still_table_and_moves_for_a_card(faces: dict[str, Image]) -> None:
    table, motion = Table(faces), Motion()
    for frame in table.film(1.0):
        motion.see(frame.image, frame.t)
    assert not motion.moving
    table.lay("2s", 0)
    (frame,) = table.film(1 / FPS)
    motion.see(frame.image, frame.t)
    assert motion.moving
