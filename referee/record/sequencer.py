"""In which order, and when, do observations that arrive late and out of order reach the match?"""

from __future__ import annotations

from bisect import insort
from typing import Final

from referee.record.observations import Happening

HEARING_GRACE: Final = 1.2
"""Seconds an observation is held at most, so that a word spoken in time is not punished for being recognised late."""


class Sequencer:
    """Holds observations until nothing earlier can be expected any more, and hands them on in order of capture time."""

    def __init__(self, grace: float = HEARING_GRACE) -> None:
        """Hold observations for `grace` seconds at most."""
        self.grace = grace
        self._held: list[Happening] = []

    @property
    def pending(self) -> tuple[Happening, ...]:
        """What is held now, in order of capture time: enough to call a turn, not to give a penalty."""
        return tuple(self._held)

    def put(self, observation: Happening) -> None:
        """Hold `observation`."""
        insort(self._held, observation, key=lambda held: held.t)

    def horizon(self, now: float, heard_until: float | None = None) -> float:
        """Up to which moment everything is known, in seconds of the match clock.

        Args:
            now: the match clock.
            heard_until: the ear has decided all sound up to here; None when no ear says so.
        """
        return max(now - self.grace, min(heard_until, now) if heard_until is not None else -1.0)

    def release(self, now: float, heard_until: float | None = None) -> list[Happening]:
        """What may be judged at `now`: all that was captured up to the horizon."""
        until = self.horizon(now, heard_until)
        free = [held for held in self._held if held.t <= until]
        del self._held[: len(free)]
        return free

    def flush(self) -> list[Happening]:
        """Everything that is held: the recording is over, or the table is closed."""
        free, self._held = self._held, []
        return free
