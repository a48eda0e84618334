"""How do eye and ear reach the match together? The wiring of a recording, and of a live table.

Beside the command line's verbs, only this module, `camera.py` and `sound.py` know vision and speech.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from referee.record.observations import Happening
from referee.table.camera import FROZEN, Camera, Picture
from referee.table.clock import RecordedClock
from referee.table.evidence import Moments
from referee.table.eye import Pile
from referee.table.health import Health
from referee.table.session import Session
from referee.table.sound import BEHIND, Expected, Sound, ear_for, said
from referee.table.unheard import words_judged
from speech.faults import SpeechError
from speech.input.chunks import RATE as SOUND_RATE
from speech.input.chunks import Chunk, SoundSource
from speech.input.files import SoundFile
from speech.input.microphone import Microphone
from speech.input.pushed import PushedSound
from vision.faults import VisionError
from vision.input.frames import Frame
from vision.input.pushed import PushedFrames
from vision.input.sources import open_source
from vision.layout.places import Layout
from vision.look.detections import SeenCard

PHONE: Final = "phone"
"""Instead of a camera or a microphone: a phone's browser sends frames or sound."""
TICK: Final = 0.05
"""Seconds between two looks at what may be judged."""
AT_A_STRETCH: Final = 0.01
"""Seconds for which judging may keep the loop from everything else."""


def end_of(chunk: Chunk) -> float:
    """Capture time at which the sound of `chunk` ends."""
    return chunk.t + len(chunk.pcm) / SOUND_RATE


@dataclass(frozen=True, slots=True)
class Step:
    """What a recording brought up to `t`.

    Attributes:
        t: seconds from the beginning of the recording.
        happenings: what eye, ear and tapping fingers noticed since the step before.
        heard_until: the ear has decided all sound up to here; None without sound.
        frame: the picture at `t`.
        cards: what the eye knows to lie uppermost in it.
    """

    t: float
    happenings: tuple[Happening, ...]
    heard_until: float | None
    frame: Frame
    cards: tuple[SeenCard, ...] = ()


@dataclass(frozen=True, slots=True)
class Recording:
    """A table that was recorded, for a session: a video, its sound, and what people tapped meanwhile.

    Without a `sound` file the video's own is heard. Where there is none, or it ends early, what is said is not judged.

    Raises:
        VisionError: the video or the deck cannot be used (when it is iterated).
        SpeechError: the sound cannot be used (when it is iterated).
    """

    video: Path
    sound: Path | None
    session: Session
    deck: str = "french"
    detector: Path | None = None
    taps: Sequence[Happening] = ()
    moments: Moments = field(default_factory=Moments)
    layout: Layout | None = None

    def __iter__(self) -> Iterator[Step]:
        """The recording frame by frame, as fast as it is asked for."""
        pile = Pile(self.deck, self.detector, self.session, self.layout)
        sound = self._sound()
        ear = ear_for(self.session) if sound else None
        expected = Expected(self.session)
        chunks = sound.chunks() if sound else iter(())
        taps = sorted(self.taps, key=lambda tap: tap.t)
        heard, told = 0.0, True
        with open_source(str(self.video), clock=lambda: 0.0) as source:
            frame = None
            for frame in source.frames():
                noticed = pile.watch(frame)
                while ear is not None and heard < frame.t and (chunk := next(chunks, None)) is not None:
                    self.moments.sound(chunk.t, chunk.pcm.tobytes(), SOUND_RATE)
                    ear.expect(*expected())
                    noticed += said(ear.listen(chunk))
                    heard = end_of(chunk)
                hears = ear is not None and frame.t - heard < BEHIND
                if hears != told and (changed := words_judged(self.session, hears, heard)):
                    noticed.append(changed)
                    told = hears
                while taps and taps[0].t <= frame.t:
                    noticed.append(taps.pop(0))
                yield Step(frame.t, tuple(noticed), ear.decided_until(heard) if ear else None, frame, pile.cards)
            if frame is not None:
                rest = [*pile.finish(), *said(ear.flush() if ear else ()), *taps]
                yield Step(max(frame.t, *(tap.t for tap in taps), 0.0), tuple(rest), None, frame)

    def _sound(self) -> SoundFile | None:
        """What was recorded for the ear: the sound file, or the video's own sound if it has any."""
        if self.sound is not None:
            return SoundFile(self.sound)
        try:
            return SoundFile(self.video)
        except SpeechError:
            return None


def run_recording(recording: Recording, clock: RecordedClock) -> float:
    """Referee a recording as fast as it goes; the answer is how many seconds it lasted."""
    for step in recording:
        take_step(step, recording.session, clock)
    recording.session.close()
    return clock.now


def take_step(step: Step, session: Session, clock: RecordedClock) -> None:
    """Let the match go on by one step of a recording."""
    clock.now = max(clock.now, step.t)
    for happening in step.happenings:
        session.observe(happening)
    session.tick(heard_until=step.heard_until)


async def play_recording(
    recording: Recording, clock: RecordedClock, show: Callable[[Frame, tuple[SeenCard, ...]], None]
) -> None:
    """Referee a recording at the speed at which it was made, its frames and what is seen in them shown by `show`."""
    loop = asyncio.get_running_loop()
    recording.session.stretch = AT_A_STRETCH
    done = asyncio.Event()
    stop = threading.Event()
    faults: list[BaseException] = []

    def work() -> None:
        began = time.monotonic()
        try:
            for step in recording:
                if stop.wait(max(0.0, began + step.t - time.monotonic())):
                    return
                show(step.frame, step.cards)
                loop.call_soon_threadsafe(take_step, step, recording.session, clock)
            loop.call_soon_threadsafe(recording.session.close)
        except (VisionError, SpeechError) as fault:
            faults.append(fault)
        finally:
            loop.call_soon_threadsafe(done.set)

    worker = threading.Thread(target=work, name="recording", daemon=True)
    worker.start()
    try:
        await done.wait()
    finally:
        stop.set()
        worker.join()  # eye and ear are foreign code: the process must not end while they run
    if faults:
        raise faults[0]


class LiveTable:
    """Camera and microphone of a live table, each with a thread of its own that reports to the session's loop.

    A source that fails is shown on the dashboard with what to do, and the match goes on by tapping.
    """

    def __init__(
        self,
        session: Session,
        camera: str | None,
        microphone: str | None,
        deck: str,
        detector: Path | None = None,
        others: Callable[[], Iterable[Health]] = tuple,
        voice: str = "browser",
        moments: Moments | None = None,
        layout: Layout | None = None,
        kept: Path | None = None,
        frozen: float = FROZEN,
    ) -> None:
        """Open the camera; None is no camera, or no microphone, an empty string the default microphone.

        `PHONE` for either means that a phone sends it (`see`, `hear`).

        Args:
            others: how other parts of the table are doing, asked with every tick.
            voice: who speaks, as for `Sound`.
            moments: is given what eye and ear are given, for the evidence.
            layout, kept, frozen: as for `Camera`.

        Raises:
            VisionError: the camera or the deck cannot be used.
        """
        self.session = session
        self.moments = moments or Moments()
        self.picture = Picture(self.moments, session.clock)
        self._frames = PushedFrames("the phone's camera", clock=session.clock)
        self._sound = PushedSound()
        self.wants = frozenset(name for name, how in (("camera", camera), ("microphone", microphone)) if how == PHONE)
        self.camera: Camera | None = None
        if camera is not None:
            source = self._frames if camera == PHONE else open_source(camera, clock=session.clock)
            try:
                self.camera = Camera(
                    source, session, self.picture, deck, detector, layout, tell=self._tell, kept=kept, frozen=frozen
                )
            except VisionError:
                source.close()
                raise
        self._sounds = Sound(session, None if microphone is None else lambda: self._open(microphone), voice)
        self._sounds.tape = self._tape
        if microphone == PHONE:
            self._sounds.silent = "microphone-phone"
        self._others = others
        self._loop: asyncio.AbstractEventLoop | None = None

    def see(self, jpeg: bytes, t: float) -> None:
        """A phone sent a frame that was captured at `t`."""
        self._frames.push(jpeg, t)

    def hear(self, pcm: bytes, rate: int, t: float) -> None:
        """A phone sent mono sound, int16 little-endian at `rate`, whose first sample was captured at `t`."""
        self._sound.rate = rate
        self._sound.push(np.frombuffer(pcm, "<i2").astype(np.int16), t)

    async def run(self) -> None:
        """Referee until cancelled."""
        self._loop = asyncio.get_running_loop()
        self.session.stretch = AT_A_STRETCH
        gc.freeze()  # or every full collection looks at all that was loaded, and nothing else runs for 50 ms
        if self.camera is not None:
            self.camera.start()
        self._sounds.start()
        try:
            while True:
                await asyncio.sleep(0 if self.session.busy else TICK)
                self._check()
                self.session.tick(heard_until=self._sounds.decided)
        finally:
            self._sounds.close()
            if self.camera is not None:
                self.camera.close()

    def _check(self) -> None:
        if self.camera is not None:
            self.camera.check()
        self._sounds.check()
        for health in self._others():
            self.session.report(health)

    def _tell(self, happening: Happening) -> None:
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):  # the match was over before this was noticed
            self._loop.call_soon_threadsafe(self.session.observe, happening)

    def _tape(self, chunk: Chunk) -> None:
        self.moments.sound(chunk.t, chunk.pcm.tobytes(), SOUND_RATE)

    def _open(self, microphone: str) -> SoundSource:
        if microphone == PHONE:
            return self._sound
        return Microphone(int(microphone) if microphone.isdecimal() else microphone or None, self.session.clock)
