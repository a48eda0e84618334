"""What did the microphone's sound say, whatever happens to the recogniser meanwhile?

Sound is taken in one thread and recognised in another. What the ear has not decided yet is kept, so that an ear that
hangs or breaks is replaced by a fresh one that goes on where the other stopped.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from speech.faults import SpeechError
from speech.input.chunks import RATE
from speech.input.meter import Meter

if TYPE_CHECKING:
    from collections.abc import Callable

    from speech.hearing.ear import Ear
    from speech.hearing.words import Word
    from speech.input.chunks import Chunk, SoundSource
    from speech.input.meter import Level

Expecting = tuple[frozenset[str] | None, frozenset[str], frozenset[str]]

_log = logging.getLogger(__name__)

STUCK = 8.0  # seconds an ear may think about one piece of sound; the slowest decode takes about one
_MOST = 30.0  # seconds of undecided sound kept; beyond it the oldest is dropped and counted
_BEFORE = 0.5  # seconds before undecided sound that a fresh ear is given too
_TRIES = 2  # ears that may break on the same sound before it is given up


class Listener:
    """A source and an ear at work, each in a thread of its own.

    Args:
        source: where the sound comes from; closed by `close`.
        make_ear: makes an ear, and a fresh one when that is needed; called in the ear's thread.
        expecting: what `Ear.expect` is told before every piece of sound.
        told: is given every word, in the ear's thread.
        stuck: seconds after which an ear that has not come back is replaced.

    Values to show, to be read from any thread: `heard` and `decided`, the capture times up to which sound arrived and
    has been decided (None before the first); `level`, the microphone's; `restarts`, ears that were replaced; `dropped`,
    seconds of sound that no ear managed to take; `speaking`, whether somebody speaks at the table; `reports`, the
    ear's; `fault`, why nothing is heard any more.
    """

    def __init__(
        self,
        source: SoundSource,
        make_ear: Callable[[], Ear],
        expecting: Callable[[], Expecting],
        told: Callable[[Word], None],
        *,
        stuck: float = STUCK,
    ) -> None:
        self.heard: float | None = None
        self.decided: float | None = None
        self.level: Level | None = None
        self.restarts = 0
        self.dropped = 0.0
        self.speaking = False
        self.reports: tuple[SpeechError, ...] = ()
        self.fault = ""
        self._source, self._make_ear, self._expecting, self._told = source, make_ear, expecting, told
        self._stuck = stuck
        self._meter = Meter()
        self._changed = threading.Condition()
        self._waiting: deque[Chunk] = deque()  # sound that the ear has not taken yet
        self._kept: deque[Chunk] = deque()  # what it took and may still be thinking about
        self._thinking: float | None = None  # since when it is busy with a piece, by the monotonic clock
        self._ear_number = 0
        self._broke_at: tuple[float, int] = (-1.0, 0)  # undecided sound at which ears broke, and how many did
        self._ended = False  # the source gives nothing more
        self._finished = False  # and all of it is decided
        self._taker = self._hearing = threading.Thread(target=self._take, name="microphone", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._spawn()
        self._taker.start()

    def join(self, seconds: float | None = None) -> None:
        """Wait until the source has ended and all its sound is decided, at most so long."""
        deadline = None if seconds is None else time.monotonic() + seconds
        with self._changed:
            while not self._finished and not (self.fault and not self._waiting):
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    return
                self._changed.wait(0.2 if left is None else min(0.2, left))
                self._look_after_ear()

    def close(self) -> None:
        """Stop listening and wait for both threads, but not for an ear that hangs; what was not decided is dropped."""
        self._source.close()
        with self._changed:
            self._ear_number += 1
            self._ended = True
            self._waiting.clear()
            self._changed.notify_all()
        for thread in (self._taker, self._hearing):
            if thread.is_alive() and thread is not threading.current_thread():
                thread.join(self._stuck)

    def _take(self) -> None:
        try:
            for chunk in self._source.chunks():
                self.level = self._meter.push(chunk)
                with self._changed:
                    self._waiting.append(chunk)
                    self.heard = chunk.t + len(chunk.pcm) / RATE
                    while self.heard - self._waiting[0].t > _MOST:
                        self.dropped += len(self._waiting.popleft().pcm) / RATE
                    self._look_after_ear()
                    self._changed.notify_all()
        except SpeechError as fault:
            self.fault = str(fault)
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _look_after_ear(self) -> None:
        """Replace an ear that does not come back. The lock is held."""
        if self._thinking is not None and time.monotonic() - self._thinking > self._stuck:
            _log.warning("ear %d hangs: a fresh one goes on", self._ear_number)
            self._replace()

    def _replace(self) -> None:
        """Put a fresh ear in the place of one that hangs or broke, and give it the undecided sound again."""
        self.restarts += 1
        since = self.decided if self.decided is not None else -1.0
        where, broken = self._broke_at
        self._broke_at = (since, broken + 1 if where == since else 1)
        if self._broke_at[1] >= _TRIES:  # this sound breaks ears
            self.dropped += sum(len(chunk.pcm) for chunk in self._kept) / RATE
        else:
            self._waiting.extendleft(reversed(self._kept))
        self._kept.clear()
        self._thinking = None
        self._spawn()

    def _spawn(self) -> None:
        self._ear_number += 1
        self._hearing = threading.Thread(target=self._listen, args=(self._ear_number,), name="ear", daemon=True)
        self._hearing.start()

    def _listen(self, number: int) -> None:
        try:
            ear = self._make_ear()
        except Exception as fault:  # no model: whatever says so, nobody else hears of it
            _log.exception("there is no ear")
            self.fault = str(fault)
            return
        self.reports = ear.reports
        finished = False
        while not finished:
            with self._changed:
                while number == self._ear_number and not self._waiting and not self._ended:
                    self._changed.wait()
                if number != self._ear_number:
                    return
                chunk = self._waiting.popleft() if self._waiting else None
                if chunk is not None:
                    self._kept.append(chunk)
                self._thinking = time.monotonic()
            finished = chunk is None
            try:
                ear.expect(*self._expecting())
                words = ear.listen(chunk) if chunk is not None else ear.flush()
            except Exception:  # the recogniser is a foreign library: whatever it raises, hearing goes on
                _log.exception("ear %d broke", number)
                with self._changed:
                    if number == self._ear_number:
                        self._replace()
                return
            with self._changed:
                if number != self._ear_number:
                    return
                self._thinking = None
                self._decide(ear, chunk)
                for word in words:
                    self._told(word)
                self._finished = finished
                self._changed.notify_all()

    def _decide(self, ear: Ear, chunk: Chunk | None) -> None:
        """All sound before a word that may be coming is decided, and forgotten."""
        self.speaking = ear.speaking_since is not None
        if chunk is not None:
            self.decided = ear.decided_until(chunk.t + len(chunk.pcm) / RATE)
        elif self._kept:
            self.decided = self._kept[-1].t + len(self._kept[-1].pcm) / RATE
        while self._kept and self.decided is not None and self._kept[0].t < self.decided - _BEFORE:
            self._kept.popleft()
