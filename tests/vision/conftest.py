"""Real parts for the tests of the eye."""

from pathlib import Path

import pytest

from vision.look.eye import Eye

PHOTOS = Path(__file__).parents[1] / "data" / "vision"


@pytest.fixture(scope="session")
def eye() -> Eye:
    return Eye("french")
