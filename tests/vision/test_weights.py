"""A detector of one's own: what it needs is said, and its answer is read whatever its kind."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from vision.faults import VisionError
from vision.weights import TrainedFinder


class Answer:
    """What Ultralytics' `predict` gives for one picture, one of the three kinds filled in."""

    def __init__(self, kind: str, array: np.ndarray) -> None:
        kinds = {"obb": "xyxyxyxy", "keypoints": "xy", "boxes": "xyxy"}
        self.obb = self.keypoints = self.boxes = None
        setattr(self, kind, SimpleNamespace(**{kinds[kind]: array}))

    def predict(self, *_: object, **__: object) -> list["Answer"]:
        return [self]


def finder_with(answer: Answer) -> TrainedFinder:
    finder = TrainedFinder.__new__(TrainedFinder)
    finder._model = answer
    return finder


SQUARE = [[10, 20], [30, 20], [30, 60], [10, 60]]


@pytest.mark.parametrize(
    ("kind", "array"),
    [
        pytest.param("boxes", [[10, 20, 30, 60]], id="boxes"),
        pytest.param("obb", [SQUARE[::-1]], id="oriented-the-other-way-round"),
        pytest.param("keypoints", [SQUARE], id="corners"),
    ],
)
def test_quads_run_clockwise(kind: str, array: list[list[object]]) -> None:
    (quad,) = finder_with(Answer(kind, np.array(array, np.float32)))(np.zeros((100, 100, 3), np.uint8))
    start = next(i for i, corner in enumerate(quad) if corner.tolist() == [10, 20])
    assert np.roll(quad, -start, axis=0).tolist() == SQUARE


@pytest.mark.parametrize(
    ("kind", "shape"), [("boxes", (0, 4)), ("obb", (0, 4, 2)), ("keypoints", (0, 4, 2))], ids=lambda v: str(v)
)
def test_nothing_found_is_no_quad(kind: str, shape: tuple[int, ...]) -> None:
    assert finder_with(Answer(kind, np.zeros(shape, np.float32)))(np.zeros((9, 9, 3), np.uint8)).shape == (0, 4, 2)


def test_a_pose_model_of_people_is_refused() -> None:
    with pytest.raises(VisionError, match="17 keypoints"):
        finder_with(Answer("keypoints", np.zeros((1, 17, 2), np.float32)))(np.zeros((9, 9, 3), np.uint8))


def test_missing_weights_are_named() -> None:
    with pytest.raises(VisionError, match=r"no detector nosuch\.pt"):
        TrainedFinder(Path("nosuch.pt"))


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pt"
    bad.write_bytes(b"not weights")
    with pytest.raises(VisionError, match=r"table-referee\[train\]|bad\.pt is not a detector"):
        TrainedFinder(bad)
