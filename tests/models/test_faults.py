"""A fault of a lower room is a sentence where the referee runs, and still tells what happened where it does not."""

import pickle
import subprocess
import sys
from pathlib import Path

from vision.faults import VisionError
from vision.input.bounds import UnfitPictureError


def test_without_the_referee_it_tells_what_happened() -> None:
    program = "from vision.input.sources import *; import time; open_source('gone.jpg', clock=time.monotonic)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert run.stderr.splitlines()[-1] == "vision.faults.VisionError: vision.no-file file=gone.jpg"


def test_it_is_the_same_sentence_in_another_process() -> None:
    fault = UnfitPictureError("vision.narrow", width=4000, height=2)
    again = pickle.loads(pickle.dumps(fault))
    assert type(again) is UnfitPictureError
    assert str(again) == str(fault)
    assert "4000 x 2 pixels is too narrow" in str(again)


def test_one_that_wraps_another_tells_that_too() -> None:
    inner = VisionError("vision.narrow", width=1, height=1)
    assert str(VisionError("vision.of-file", file="a.png", what=inner)) == f"a.png: {inner}"
