"""How does a rendered call become audible on this host, and when exactly did it begin and end?"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Protocol

import numpy as np

from speech.faults import SpeechError
from speech.portaudio import IN_USE, portaudio

if TYPE_CHECKING:
    from collections.abc import Callable

    from speech.voice.engines import Rendered

_BLOCK = 0.05  # seconds: how soon a call can be interrupted


class Player(Protocol):
    """Plays one call at a time."""

    def play(self, sound: Rendered, stop: threading.Event, began: Callable[[float], None]) -> float:
        """Play until the end or until `stop` is set, say when it became audible, answer when it fell silent.

        Raises:
            SpeechError: there is no loudspeaker.
        """


class Loudspeaker:
    """The host's loudspeaker.

    `clock` gives the same time as the microphone's, so that what was heard can be compared with what was played.
    """

    def __init__(self, device: int | str | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._device, self._clock = device, clock

    def play(self, sound: Rendered, stop: threading.Event, began: Callable[[float], None]) -> float:
        """Play through PortAudio, counting the device's own delay."""
        audio = portaudio()
        try:
            with (
                IN_USE,
                audio.OutputStream(sound.rate, device=self._device, channels=1, dtype="float32") as stream,
            ):
                began(self._clock())
                size = max(1, round(sound.rate * _BLOCK))
                for at in range(0, len(sound.pcm), size):
                    if stop.is_set():
                        stream.abort()
                        return self._clock() + float(stream.latency)
                    stream.write(np.ascontiguousarray(sound.pcm[at : at + size, None]))
                stream.stop()  # waits until everything has been played
                return self._clock()
        except audio.PortAudioError as fault:
            raise SpeechError("speech.loudspeaker", why=str(fault).splitlines()[0]) from fault
