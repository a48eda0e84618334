"""Was that a person, or the referee hearing itself?

The host's player and every browser that speaks tell the gate when they really begin and end. What the ear hears in
between, and until the room's echo has died, is dropped, and so is a word of a call that has only just been spoken.
Whoever judges what was not said has to ask `EchoGate.deaf` when nobody could have heard it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from speech.hearing.words import Word

_KEPT = 50  # spoken calls remembered
_PER_LETTER, _SPARE = 0.12, 2.0  # seconds a call may last when nobody reports its end (a page was closed)
_RUN_INTO = 1.0  # seconds before a call: a word that no pause parts from it is not made out


@dataclass(frozen=True, slots=True)
class Playback:
    """A call that was played from `start` to `end` (seconds of capture time; `end` is a guess while `open`).

    `by`: which loudspeaker played it.
    """

    text: str
    start: float
    end: float
    open: bool = True
    by: object = None


class EchoGate:
    """Knows when the referee spoke; used by several threads.

    `hold_off` seconds after a call nothing is heard; for `echo` seconds after it words of its own text are not.
    """

    def __init__(self, hold_off: float = 0.4, echo: float = 1.0) -> None:
        self.hold_off, self.echo = hold_off, echo
        self._played: tuple[Playback, ...] = ()
        self._lock = Lock()

    def began(self, text: str, t: float, by: object = None) -> None:
        """A call became audible at `t`, played `by` the host (None) or one of the browsers."""
        with self._lock:
            fresh = Playback(text, t, t + _SPARE + _PER_LETTER * len(text), by=by)
            self._played = (*self._played[-_KEPT:], fresh)

    def ended(self, text: str, t: float, by: object = None) -> None:
        """The call was over, or interrupted, at `t`, where `by` played it; elsewhere it may go on."""
        with self._lock:
            self._played = tuple(
                replace(call, end=max(call.start, t), open=False)
                if (call.open, call.text, call.by) == (True, text, by)
                else call
                for call in self._played
            )

    def hears(self, word: Word) -> bool:
        """Whether a word was said by somebody at the table, as far as playback tells."""
        return not any(self._drowns(call, word) for call in self._played)

    def deaf(self, since: float, words: Iterable[str] = ()) -> list[tuple[float, float]]:
        """When `words` could not be heard since then, `(start, end)` each; what was not said meanwhile is in doubt."""
        plain = tuple(words)
        spans = [
            (call.start - _RUN_INTO, call.end + max(self.hold_off, self._own(call, *plain))) for call in self._played
        ]
        return [(start, end) for start, end in spans if end > since]

    def _own(self, call: Playback, *texts: str) -> float:
        """Seconds after the call for which `texts` are dropped, since the call had one of them."""
        return self.echo if any(f" {text} " in f" {_plain(call.text)} " for text in texts) else 0.0

    def _drowns(self, call: Playback, word: Word) -> bool:
        if word.end <= call.start:
            return False
        if word.start < call.end + self.hold_off:
            return True
        return word.start < call.end + self._own(call, word.text, word.means)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w']+", text.lower()))
