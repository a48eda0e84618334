"""What does the room's microphone hear now?

The device is opened at its own rate and resampled, sound that came too fast is counted and not mistaken for an
unplugging, and a microphone that is unplugged is noticed and waited for.
"""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from speech.faults import SpeechError
from speech.input.chunks import RATE, Chunk
from speech.input.resampling import GAP, Resampler
from speech.portaudio import look_again, portaudio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from speech.input.chunks import SoundSource

_SILENCE = 2.0  # seconds without a block after which a microphone counts as unplugged
_RETRIES = (0.5, 1.0, 2.0, 5.0)  # seconds between attempts to open it again; the last one stays


@dataclass(frozen=True, slots=True)
class MicrophoneHealth:
    """How the microphone does: `overflows` counts blocks the computer was too slow to take, `lost` unpluggings."""

    state: Literal["open", "lost", "closed"] = "closed"
    device: str = ""
    rate: int = 0
    overflows: int = 0
    lost: int = 0
    fault: str = ""


class Microphone:
    """A live microphone as a source.

    Args:
        device: its number or a part of its name, as `microphones` lists them; None: the system's default.
        clock: gives capture times (seconds); the match's clock.

    Raises:
        SpeechError: PortAudio is missing, there is no such microphone, or another program has it.
    """

    def __init__(self, device: int | str | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._device, self._clock = device, clock
        self._portaudio = portaudio()
        self._blocks: queue.Queue[tuple[np.ndarray[Any, Any], float] | None] = queue.Queue(maxsize=600)
        self._closing = threading.Event()
        self._stream: Any = None
        self._health = MicrophoneHealth()
        try:
            self._open()
        except SpeechError:  # it may have been plugged in meanwhile
            look_again(self._portaudio)
            self._open()

    @property
    def health(self) -> MicrophoneHealth:
        """A value to show; may be read from any thread."""
        return self._health

    def chunks(self) -> Iterator[Chunk]:
        """Sound as it is captured, until `close`; while the microphone is unplugged nothing comes."""
        while not self._closing.is_set():
            yield from self._until_lost()
            self._reopen()

    def close(self) -> None:
        """Let go of the device."""
        self._closing.set()
        self._stop()
        self._health = replace(self._health, state="closed")

    def _until_lost(self) -> Iterator[Chunk]:
        resampler: Resampler | None = None
        while not self._closing.is_set():
            try:
                block = self._blocks.get(timeout=_SILENCE)
            except queue.Empty:
                return
            if block is None:
                return
            sound, t = block
            if resampler is None or abs(resampler.next_t - t) > GAP:  # first, or sound was lost
                resampler = Resampler(self._health.rate, t)
            chunk = resampler.push(sound)
            if chunk.pcm.size:
                yield chunk

    def _reopen(self) -> None:
        if self._closing.is_set():
            return
        self._stop()
        self._health = replace(self._health, state="lost", lost=self._health.lost + 1)
        for _ in _tries(self._closing):
            try:
                look_again(self._portaudio)
                self._open()
            except SpeechError as fault:
                self._health = replace(self._health, fault=str(fault))
            else:
                return

    def _open(self) -> None:
        try:
            info = self._portaudio.query_devices(self._device, "input")
            rate = int(info["default_samplerate"]) or RATE
            self._stream = self._portaudio.InputStream(
                samplerate=rate,
                device=self._device,
                channels=max(1, min(2, int(info["max_input_channels"]))),
                dtype="float32",
                blocksize=rate // 50,
                latency="low",
                callback=self._take,
                finished_callback=self._finished,
            )
            while not self._blocks.empty():
                self._blocks.get_nowait()
            self._stream.start()
        except (self._portaudio.PortAudioError, ValueError) as fault:
            key = "speech.usual-microphone" if self._device is None else "speech.microphone"
            raise SpeechError(key, device=self._device, why=str(fault).splitlines()[0]) from fault
        self._health = replace(self._health, state="open", device=str(info["name"]), rate=rate, fault="")

    def _take(self, sound: np.ndarray[Any, Any], _: int, times: Any, status: Any) -> None:
        """PortAudio's thread: only copies."""
        delay = times.currentTime - times.inputBufferAdcTime
        t = self._clock() - (delay if 0.0 < delay < 1.0 else 0.02)  # some systems do not tell the delay
        lost = bool(status and status.input_overflow)
        try:
            self._blocks.put_nowait((sound.copy(), t))
        except queue.Full:
            lost = True
        if lost:
            self._health = replace(self._health, overflows=self._health.overflows + 1)

    def _finished(self) -> None:
        if not self._blocks.full():
            self._blocks.put_nowait(None)

    def _stop(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            try:
                stream.abort()
                stream.close()
            except self._portaudio.PortAudioError as fault:
                self._health = replace(self._health, fault=str(fault))


class Awaited:
    """A source that may not be there yet, such as a microphone that is still to be plugged in.

    Args:
        opens: opens it; tried at once, and then again and again while `chunks` waits.

    `fault` says why it is not open, "" when it is.
    """

    def __init__(self, opens: Callable[[], SoundSource]) -> None:
        self._opens = opens
        self._closing = threading.Event()
        self.source: SoundSource | None = None
        self.fault = ""
        self._try()

    def chunks(self) -> Iterator[Chunk]:
        """Its sound, as soon as it is there, until `close`."""
        tries = _tries(self._closing)
        while self.source is None and next(tries, None) is not None:
            self._try()
        if self.source:
            yield from self.source.chunks()

    def close(self) -> None:
        """Let go of it, or stop waiting for it."""
        self._closing.set()
        if self.source:
            self.source.close()

    def _try(self) -> None:
        try:
            source = self._opens()
        except SpeechError as fault:
            self.fault = str(fault)
            return
        self.source, self.fault = source, ""
        if self._closing.is_set():
            source.close()


def _tries(closing: threading.Event) -> Iterator[int]:
    """Numbers of attempts, each after a longer pause, until it closes."""
    attempt = 0
    while not closing.wait(_RETRIES[min(attempt, len(_RETRIES) - 1)]):
        yield attempt
        attempt += 1


def microphones() -> list[tuple[int, str]]:
    """Number and name of each input device.

    Raises:
        SpeechError: PortAudio is missing.
    """
    devices = portaudio().query_devices()
    return [(int(d["index"]), str(d["name"])) for d in devices if d["max_input_channels"] > 0]
