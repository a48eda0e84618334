"""What does `referee see` answer for a file?"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vision.eye import Eye
from vision.oddities import oddities
from vision.pile import PileWatcher
from vision.sources import PictureFile, open_source


def see(path: str | Path, deck: str = "french", detector: Path | None = None) -> Iterator[dict[str, Any]]:
    """One JSON object for a photo: `{"file", "cards"}`; for a video one per event: `{"file", "t", "kind", "card", …}`.

    An odd photo has `hints`, too (`vision.oddities`).

    Args:
        path: a picture or a video.
        deck: `french`, `uno`, or the name of an enrolled deck.
        detector: weights to find the cards with in place of the shipped ones.

    Raises:
        VisionError: the file, the deck or the detector cannot be used.
    """
    eye = Eye(deck, detector=detector)
    with open_source(str(path), clock=lambda: 0.0) as source:
        if isinstance(source, PictureFile):
            for frame in source.frames():
                seen = eye.look(frame.image)
                odd = oddities(eye, frame.image, list(seen))
                yield {"file": str(path), "cards": seen.to_json(), **({"hints": odd} if odd else {})}
            return
        watcher = PileWatcher(eye)
        for frame in source.frames():
            for sighting in watcher.watch(frame):
                yield {"file": str(path), **sighting.to_json()}
        for sighting in watcher.finish():
            yield {"file": str(path), **sighting.to_json()}
