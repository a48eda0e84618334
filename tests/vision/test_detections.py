"""What leaves the room keeps the shape that checks outside rely on."""

import numpy as np
import pytest

from vision.look.detections import Detections, SeenCard

QUAD = np.array([[10, 20], [70.04, 20], [70, 110], [10, 110]], np.float32)


def test_a_card_as_json() -> None:
    seen = Detections.of([SeenCard("Qh", 0.99123, QUAD)])
    assert seen.to_json() == [
        {"card": "Qh", "confidence": 0.9912, "quad": [[10, 20], [70, 20], [70, 110], [10, 110]], "whole": True}
    ]


def test_only_an_unsure_card_has_alternatives() -> None:
    seen = Detections.of([SeenCard("?", 0.6, QUAD, False, (("6h", 0.6), ("9h", 0.3))), SeenCard("back", 1.0, QUAD)])
    unsure, back = seen.to_json()
    assert unsure["alternatives"] == [["6h", 0.6], ["9h", 0.3]] and unsure["whole"] is False
    assert "alternatives" not in back


def test_nothing_seen_is_an_empty_list() -> None:
    assert Detections().to_json() == [] and len(Detections.of([])) == 0


def test_parts_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ValueError, match="1 cards do not go with"):
        Detections(np.zeros((2, 4, 2), np.float32), ("Qh",), np.zeros(1, np.float32), ((),), np.ones(1, np.bool_))
