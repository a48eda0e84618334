"""What time is it in the match?"""

from __future__ import annotations

import time


class LiveClock:
    """Seconds since the match began, by the machine's monotonic clock; what camera and microphone stamp with."""

    def __init__(self, start: float = 0.0) -> None:
        """Begin at `start`: where a match that is resumed left off."""
        self._began = time.monotonic() - start

    def __call__(self) -> float:
        """Seconds of the match clock, now."""
        return time.monotonic() - self._began


class RecordedClock:
    """Seconds of the recording that have been played; `now` is set by who plays it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Seconds of the match clock, now."""
        return self.now
