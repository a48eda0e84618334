"""Which call is spoken next, and which is not worth speaking any more?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Priority(IntEnum):
    """What a call is about; the greater goes first."""

    CHATTER = 0
    QUESTION = 1
    PENALTY = 2
    TURN = 3  # whose turn it is and what is owed


# Seconds after which a call that nobody had time to speak is left out: the game has gone on.
PATIENCE: Mapping[Priority, float] = MappingProxyType(
    {Priority.TURN: 4.0, Priority.PENALTY: 12.0, Priority.QUESTION: 8.0, Priority.CHATTER: 2.0}
)


@dataclass(frozen=True, slots=True)
class Call:
    """Something to say aloud.

    `at` is when it became true (seconds of the match's clock). A newer call with the same `about` replaces it: "turn"
    for the turn, so that only the newest is ever spoken.
    """

    text: str
    priority: Priority
    at: float
    about: str = ""


class Calls:
    """The calls that wait, and the one being spoken. Not for several threads at once; the voice holds its own lock."""

    def __init__(self, patience: Mapping[Priority, float] = PATIENCE) -> None:
        self._patience = patience
        self._waiting: list[Call] = []
        self.speaking: Call | None = None

    def add(self, call: Call) -> bool:
        """Queue a call; true when what is being spoken must give way to it."""
        self._waiting = [other for other in self._waiting if not call.about or other.about != call.about]
        self._waiting.append(call)
        now = self.speaking
        return now is not None and (call.priority > now.priority or (bool(call.about) and call.about == now.about))

    def drop(self, about: str) -> bool:
        """Drop what waits about that; true when it is being spoken now."""
        self._waiting = [call for call in self._waiting if call.about != about]
        return self.speaking is not None and self.speaking.about == about

    def forget(self) -> bool:
        """Drop what waits; true when something is being spoken now."""
        self._waiting = []
        return self.speaking is not None

    def may_wait(self, now: float, seconds: float) -> bool:
        """Whether something waits, and nothing of it has waited for so long yet."""
        return bool(self._waiting) and all(now - call.at < seconds for call in self._waiting)

    def take(self, now: float) -> Call | None:
        """The call to speak at this moment, None when there is nothing worth saying."""
        self._waiting = [call for call in self._waiting if now - call.at <= self._patience[call.priority]]
        self.speaking = max(self._waiting, key=lambda call: (call.priority, -call.at), default=None)
        if self.speaking is not None:
            self._waiting.remove(self.speaking)
        return self.speaking

    def spoken(self) -> None:
        """What was being spoken is over, or was interrupted: it is not taken up again."""
        self.speaking = None
