"""What does `referee see` answer for a file?"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from vision.faults import VisionError
from vision.input.sources import PictureFile, open_source
from vision.look.eye import Eye
from vision.look.oddities import oddities
from vision.pile.discard import PileWatcher


def see(paths: Iterable[str | Path], deck: str = "french", detector: Path | None = None) -> Iterator[dict[str, Any]]:
    """One JSON object for a photo: `{"file", "cards"}`; for a video one per event: `{"file", "t", "kind", "card", …}`.

    A file that cannot be read, or not to its end, is told in its place: `{"file", "error"}`. An
    odd photo has `hints`, too (`vision.look.oddities`).

    Args:
        paths: pictures or videos.
        deck: `french`, `uno`, or the name of an enrolled deck.
        detector: weights to find the cards with in place of the shipped ones.

    Raises:
        VisionError: the deck or the detector cannot be used.
    """
    eye = Eye(deck, detector=detector)
    for path in paths:
        try:
            for found in _seen(eye, str(path)):
                yield {"file": str(path), **found}
        except VisionError as fault:
            yield {"file": str(path), "error": str(fault)}


def _seen(eye: Eye, path: str) -> Iterator[dict[str, Any]]:
    with open_source(path, clock=lambda: 0.0) as source:
        if isinstance(source, PictureFile):
            for frame in source.frames():
                seen = eye.look(frame.image)
                odd = oddities(eye, frame.image, list(seen))
                yield {"cards": seen.to_json(), **({"hints": odd} if odd else {})}
            return
        watcher = PileWatcher(eye)
        for frame in source.frames():
            for sighting in watcher.watch(frame):
                yield sighting.to_json()
        for sighting in watcher.finish():
            yield sighting.to_json()
