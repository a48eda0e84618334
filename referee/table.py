"""How do eye and ear reach the match? The wiring of a recording, and of a live table.

The only module of the referee, beside the command line's verbs, that knows vision and speech.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from models import ModelError
from referee.cards import Card
from referee.clock import RecordedClock
from referee.observations import UNKNOWN, Happening, Landed, Said, TakenBack
from referee.session import Health, Session
from referee.text import say
from speech.ear import Ear
from speech.faults import SpeechError
from speech.microphone import Microphone
from speech.sources import RATE as SOUND_RATE
from speech.sources import Chunk, SoundFile
from speech.words import Word
from vision.eye import Eye
from vision.faults import VisionError
from vision.frames import Frame, Source
from vision.picture import jpeg
from vision.pile import PileWatcher
from vision.sightings import Sighting
from vision.sources import open_source

FROZEN: Final = 3.0
"""Seconds without data after which a source is shown as frozen."""
PICTURE_EVERY: Final = 0.2
"""Seconds between two pictures that the dashboard is given."""
TICK: Final = 0.05
"""Seconds between two looks at what may be judged."""


def seen(sighting: Sighting) -> Happening:
    """What the eye noticed, as an observation. Whose hand it was the eye does not tell yet."""
    card = None if sighting.card == "?" else Card.of(sighting.card)
    evidence = (f"frame {sighting.frame}",)
    if sighting.kind == "taken_back":
        return TakenBack(
            t=sighting.t, seat=UNKNOWN, card=card, confidence=sighting.confidence, source="eye", evidence=evidence
        )
    return Landed(
        t=sighting.t,
        seat=UNKNOWN,
        card=card,
        confidence=sighting.confidence,
        alternatives=tuple((Card.of(name), share) for name, share in sighting.alternatives),
        source="eye",
        evidence=evidence,
    )


class Pile:
    """The discard pile under the camera's eye.

    The first card the eye sees is no play when the match knows already that it lies there: the dead first card, or the
    top card of a match that goes on.
    """

    def __init__(self, deck: str, detector: Path | None, known: Card | None) -> None:
        """Watch for `deck`'s cards; `known` lies on top.

        Raises:
            VisionError: the deck or the detector cannot be used.
        """
        self._watcher = PileWatcher(Eye(deck, detector=detector))
        self._known = known

    def watch(self, frame: Frame) -> list[Happening]:
        """What has become certain with `frame`."""
        return self._new(self._watcher.watch(frame))

    def finish(self) -> list[Happening]:
        """What the end of the recording makes certain."""
        return self._new(self._watcher.finish())

    def _new(self, sightings: list[Sighting]) -> list[Happening]:
        if sightings and self._known is not None:
            lay_there = sightings[0].card == self._known.name
            self._known = None
            sightings = sightings[lay_there:]
        return [seen(sighting) for sighting in sightings]


def end_of(chunk: Chunk) -> float:
    """Capture time at which the sound of `chunk` ends."""
    return chunk.t + len(chunk.pcm) / SOUND_RATE


def decided_until(ear: Ear, heard: float) -> float:
    """Up to which capture time the ear has told every word, of the sound up to `heard` that it was given."""
    since = ear.speaking_since
    return heard if since is None else min(since, heard)


def said(word: Word) -> Said:
    """What the ear heard, as an observation. Who said it the ear does not tell."""
    return Said(t=word.start, seat=UNKNOWN, text=word.means, confidence=word.confidence, source="ear")


@dataclass(frozen=True, slots=True)
class Step:
    """What a recording brought up to `t`.

    Attributes:
        t: seconds from the beginning of the recording.
        happenings: what eye, ear and tapping fingers noticed since the step before.
        heard_until: the ear has decided all sound up to here; None without sound.
        frame: the picture at `t`.
    """

    t: float
    happenings: tuple[Happening, ...]
    heard_until: float | None
    frame: Frame


@dataclass(frozen=True, slots=True)
class Recording:
    """A table that was recorded, for a session: a video, its sound, and what people tapped meanwhile.

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

    def __iter__(self) -> Iterator[Step]:
        """The recording frame by frame, as fast as it is asked for."""
        pile = Pile(self.deck, self.detector, self.session.match.standing.top)
        ear = Ear(self.session.match.game.name) if self.sound else None
        chunks = SoundFile(self.sound).chunks() if self.sound else iter(())
        taps = sorted(self.taps, key=lambda tap: tap.t)
        heard = 0.0
        with open_source(str(self.video), clock=lambda: 0.0) as source:
            frame = None
            for frame in source.frames():
                noticed = pile.watch(frame)
                while ear is not None and heard < frame.t and (chunk := next(chunks, None)) is not None:
                    ear.expect(self.session.listening)
                    noticed += [said(word) for word in ear.listen(chunk)]
                    heard = end_of(chunk)
                while taps and taps[0].t <= frame.t:
                    noticed.append(taps.pop(0))
                yield Step(frame.t, tuple(noticed), decided_until(ear, heard) if ear else None, frame)
            if frame is not None:
                rest = [*pile.finish(), *(map(said, ear.flush()) if ear else ()), *taps]
                yield Step(max(frame.t, *(tap.t for tap in taps), 0.0), tuple(rest), None, frame)


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


async def play_recording(recording: Recording, clock: RecordedClock, show: Callable[[Frame], None]) -> None:
    """Referee a recording at the speed at which it was made, its frames shown by `show`."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    stop = threading.Event()
    faults: list[BaseException] = []

    def work() -> None:
        began = time.monotonic()
        try:
            for step in recording:
                if stop.wait(max(0.0, began + step.t - time.monotonic())):
                    return
                show(step.frame)
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
    if faults:
        raise faults[0]


class Picture:
    """The newest picture of the table as JPEG, about five times a second; made in the thread that sees the frames."""

    def __init__(self) -> None:
        self._made: tuple[bytes, int] | None = None
        self._t = -PICTURE_EVERY

    def show(self, frame: Frame) -> None:
        """`frame` is the newest one."""
        if frame.t - self._t >= PICTURE_EVERY:
            self._t = frame.t
            self._made = (jpeg(frame.image), frame.index)

    def __call__(self) -> tuple[bytes, int] | None:
        """The newest picture and its number, which grows; None while there is none."""
        return self._made


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
    ) -> None:
        """Open the camera; None is no camera, or no microphone, an empty string the default microphone.

        Args:
            others: how other parts of the table are doing, asked with every tick.

        Raises:
            VisionError: the camera or the deck cannot be used.
        """
        self.session = session
        self.picture = Picture()
        self._stop = threading.Event()
        self._camera: Source | None = open_source(camera, clock=session.clock) if camera is not None else None
        self._pile = Pile(deck, detector, session.match.standing.top) if camera is not None else None
        self._microphone = microphone
        self._others = others
        self._heard: float | None = None  # the end of the sound that the ear was given
        self._decided: float | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def run(self) -> None:
        """Referee until cancelled."""
        self._loop = asyncio.get_running_loop()
        if self._camera is not None:
            threading.Thread(target=self._look, name="eye", daemon=True).start()
        if self._microphone is not None:
            threading.Thread(target=self._listen, name="ear", daemon=True).start()
        try:
            while True:
                await asyncio.sleep(TICK)
                self._check()
                self.session.tick(heard_until=self._decided)
        finally:
            self._stop.set()
            if self._camera is not None:
                self._camera.close()

    def _check(self) -> None:
        if self._camera is not None and self._health("camera") != "off":
            self.session.report(_health("camera", self._camera.age))
        if self._heard is not None and self._health("microphone") != "off":
            self.session.report(_health("microphone", self.session.clock() - self._heard))
        for health in self._others():
            self.session.report(health)

    def _health(self, name: str) -> str:
        known = self.session.health.get(name)
        return known.state if known else ""

    def _tell(self, happening: Happening) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self.session.observe, happening)

    def _report(self, health: Health) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self.session.report, health)

    def _look(self) -> None:
        assert self._camera is not None
        assert self._pile is not None
        try:
            for frame in self._camera.frames():
                self.picture.show(frame)
                for happening in self._pile.watch(frame):
                    self._tell(happening)
        except VisionError as fault:
            self._report(Health("camera", "off", detail=str(fault)))

    def _listen(self) -> None:
        named = self._microphone or None
        try:
            ear = Ear(self.session.match.game.name)
            device = int(named) if named and named.isdecimal() else named
            with contextlib.closing(Microphone(device, self.session.clock)) as source:
                self._heard = self.session.clock()
                for chunk in source.chunks():
                    if self._stop.is_set():
                        return
                    ear.expect(self.session.listening)
                    for word in ear.listen(chunk):
                        self._tell(said(word))
                    self._heard = end_of(chunk)
                    self._decided = decided_until(ear, self._heard)
        except (SpeechError, ModelError) as fault:
            self._report(Health("microphone", "off", detail=str(fault)))


def _health(name: str, age: float) -> Health:
    frozen = age > FROZEN
    return Health(name, "waiting" if frozen else "ok", age, say(f"health.{name}") if frozen else "")
