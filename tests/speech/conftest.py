"""Clips of tests/data/speech with what is said in them, and ears of the real recogniser."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data" / "speech"


def clips() -> list[dict[str, str]]:
    """Every clip: file (a path), says, human, source, licence."""
    with (DATA / "clips.csv").open(newline="", encoding="utf-8") as file:
        return [row | {"file": str(DATA / row["file"])} for row in csv.DictReader(file)]


@pytest.fixture(scope="session")
def hearts() -> Path:
    """A human who says "hearts"."""
    return next(Path(row["file"]) for row in clips() if row["says"] == "hearts" and row["human"] == "yes")
