"""How does the referee say its calls aloud: the important ones first, shortly, and never what is no longer true?"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from speech.faults import SpeechError
from speech.voice.calls import Call, Calls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from speech.hearing.echo import EchoGate
    from speech.voice.engines import Engine, Rendered
    from speech.voice.player import Player

_REMEMBERED = 200  # rendered calls kept
_POLITE = 1.0  # seconds a call waits for people to finish
_PAUSE = 0.05  # seconds between two looks whether they have


class Voice:
    """Speaks calls on this host in a thread of its own; every method returns at once.

    Args:
        engine: renders the texts, in a program of its own.
        player: makes them audible.
        gate: is told when something is audible, so that the ear does not hear it.
        clock: the match's clock (seconds).
        busy: whether somebody at the table speaks or has something to say: a call waits for them, at most a second.

    `fault` is why nothing is spoken, None when all is well.
    """

    def __init__(
        self,
        engine: Engine,
        player: Player,
        gate: EchoGate | None = None,
        clock: Callable[[], float] = time.monotonic,
        busy: Callable[[], bool] = lambda: False,
    ) -> None:
        self.fault: str | None = None
        self._engine, self._player, self._gate, self._clock, self._busy = engine, player, gate, clock, busy
        self._calls = Calls()
        self._rendered: OrderedDict[str, Rendered] = OrderedDict()
        self._ahead: list[str] = []
        self._interrupt = threading.Event()
        self._closing = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, call: Call) -> None:
        """Speak a call when its time comes; it cuts short a less important one, and an older one about the same."""
        with self._changed:
            if self._calls.add(call):
                self._interrupt.set()
            self._changed.notify_all()

    def drop(self, about: str) -> None:
        """What there is to say about that is stale: it is not spoken, or no further."""
        with self._changed:
            if self._calls.drop(about):
                self._interrupt.set()
            self._changed.notify_all()

    def forget(self) -> None:
        """Stop, and forget what waits: it is no longer true."""
        with self._changed:
            if self._calls.forget():
                self._interrupt.set()
            self._changed.notify_all()

    def prepare(self, texts: Iterable[str]) -> None:
        """Render texts while there is nothing to say, so that they are spoken without delay later."""
        with self._changed:
            self._ahead += texts
            self._changed.notify_all()

    def close(self) -> None:
        """Fall silent and end the thread."""
        with self._changed:
            self._closing = True
            self._interrupt.set()
            self._changed.notify_all()
        self._thread.join()

    def _run(self) -> None:
        while (work := self._next()) is not None:
            call, text = work
            try:
                sound = self._sound(text)
                if call is not None:
                    self._play(sound)
                self.fault = None
            except SpeechError as fault:
                self.fault = str(fault)
            if call is not None:
                with self._changed:
                    self._calls.spoken()

    def _next(self) -> tuple[Call | None, str] | None:
        """A call to speak, or a text to render ahead; None when the voice is closed. Waits for either."""
        with self._changed:
            while not self._closing:
                self._interrupt.clear()
                if self._calls.may_wait(self._clock(), _POLITE) and self._busy():
                    self._changed.wait(_PAUSE)
                    continue
                call = self._calls.take(self._clock())
                if call is not None:
                    return call, call.text
                if self._ahead:
                    return None, self._ahead.pop(0)
                self._changed.wait()
            return None

    def _sound(self, text: str) -> Rendered:
        sound = self._rendered.pop(text, None) or self._engine.render(text)
        self._rendered[text] = sound
        if len(self._rendered) > _REMEMBERED:
            self._rendered.popitem(last=False)
        return sound

    def _play(self, sound: Rendered) -> None:
        if self._interrupt.is_set():
            return
        gate = self._gate

        def began(t: float) -> None:
            if gate is not None:
                gate.began(sound.text, t)

        silent = self._clock()
        try:
            silent = self._player.play(sound, self._interrupt, began)
        finally:
            if gate is not None:
                gate.ended(sound.text, max(silent, self._clock()))
