"""Which words of a game are said in a sound file? The answer of `referee hear`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from speech.faults import SpeechError
from speech.hearing.ear import Ear
from speech.input.files import SoundFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


def hear(paths: Iterable[Path], game: str = "all") -> Iterator[dict[str, Any]]:
    """One object a file: `{"file", "words": [{"text", "start", "end", "confidence"}]}`, times in seconds of the file.

    Nothing is expected: every word of the game counts. A file that is missing, broken or has no sound in it is told in
    its place: `{"file", "error"}`.

    Raises:
        SpeechError: no such game.
        models.ModelError: the recogniser's model is missing or damaged.
    """
    ear = Ear(game)
    for path in paths:
        try:
            words = [word for chunk in SoundFile(path).chunks() for word in ear.listen(chunk)] + ear.flush()
        except SpeechError as fault:
            ear.flush()  # what was heard of it must not be taken for the beginning of the next
            yield {"file": str(path), "error": str(fault)}
            continue
        told = [{"text": w.text, "start": w.start, "end": w.end, "confidence": w.confidence} for w in words]
        yield {"file": str(path), "words": told}
