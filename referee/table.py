"""How do eye and ear reach the match? The wiring of a recording, and of a live table.

The only module of the referee, beside the command line's verbs, that knows vision and speech.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from referee.cards import Card
from referee.clock import RecordedClock
from referee.evidence import Moments
from referee.fusion import Seen, observation
from referee.observations import Happening
from referee.session import Health, Session
from referee.sound import Sound, said
from referee.text import say
from speech.ear import Ear
from speech.faults import SpeechError
from speech.microphone import Microphone
from speech.sources import RATE as SOUND_RATE
from speech.sources import Chunk, PushedSound, SoundFile
from speech.sources import Source as SoundSource
from vision.detections import SeenCard
from vision.drawing import drawn
from vision.eye import Eye
from vision.faults import VisionError
from vision.frames import Frame, Source
from vision.layout import Layout, checks, find_layout
from vision.picture import jpeg
from vision.pushed import PushedFrames
from vision.sightings import Sighting
from vision.sources import open_source
from vision.table import TableWatcher

FROZEN: Final = 3.0
"""Seconds without data after which a source is shown as frozen."""
PICTURE_EVERY: Final = 0.2
"""Seconds between two pictures that the dashboard is given."""
PHONE: Final = "phone"
"""Instead of a camera or a microphone: a phone's browser sends frames or sound."""
LAY_THERE: Final = 1.0
"""Seconds from the first picture on in which an unread card is the one that the match knows to lie there."""
TICK: Final = 0.05
"""Seconds between two looks at what may be judged."""


def seen(sighting: Sighting) -> Seen:
    """What the eye noticed, in the referee's words."""
    return Seen(
        kind=sighting.kind,
        t=sighting.t,
        card=Card.of(sighting.card) if sighting.card not in ("?", "") else None,
        confidence=sighting.confidence,
        alternatives=tuple((Card.of(name), share) for name, share in sighting.alternatives),
        seat=sighting.seat,
        seat_confidence=sighting.seat_confidence,
        count=sighting.count,
        single=sighting.single,
        evidence=(f"frame {sighting.frame}",),
    )


class Pile:
    """The piles and hands under the camera's eye, and the rules beside it (`referee.fusion`).

    The first card the eye sees is no play when the match knows already that it lies there: the dead first card, or the
    top card of a match that goes on.
    """

    def __init__(self, deck: str, detector: Path | None, session: Session, layout: Layout | None = None) -> None:
        """Watch for `deck`'s cards in the match of `session`, at a table laid out like that.

        Raises:
            VisionError: the deck or the detector cannot be used.
        """
        self._watcher = TableWatcher(Eye(deck, detector=detector), layout)
        self._session = session
        self._known = session.match.standing.top

    @property
    def cards(self) -> tuple[SeenCard, ...]:
        """The cards that lie uppermost as far as the eye knows, the top one last."""
        return tuple(self._watcher.pile.stack[-2:])

    def watch(self, frame: Frame) -> list[Happening]:
        """What has become certain with `frame`."""
        return self._new(self._watcher.watch(frame))

    def finish(self) -> list[Happening]:
        """What the end of the recording makes certain."""
        return self._new(self._watcher.finish())

    def _new(self, sightings: list[Sighting]) -> list[Happening]:
        landed = next((sighting for sighting in sightings if sighting.kind == "landed"), None)
        if landed is not None and self._known is not None:
            if landed.card == self._known.name or (landed.card == "?" and landed.t < LAY_THERE):
                sightings = [sighting for sighting in sightings if sighting is not landed]
            self._known = None
        told = (observation(seen(s), self._session.standing, self._session.legal_cards) for s in sightings)
        return [happening for happening in told if happening is not None]


def calibration(eye: Eye, frame: Frame, layout: Layout | None = None) -> dict[str, Any]:
    """What a calibration page shows of `frame`, as JSON values.

    `layout`: the one given, or as found (`vision.layout.Layout.to_json`); `size`: of the picture; `checks`: per check
    `name`, `value`, `ok` and a sentence `text` with what to do.
    """
    layout = layout or find_layout(eye, frame.image)
    found = checks(eye, frame.image, layout)
    height, width = frame.image.shape[:2]
    return {
        "layout": layout.to_json(),
        "size": [width, height],
        "checks": [
            {
                "name": check.name,
                "value": check.value,
                "ok": not check.fault,
                "text": say(f"layout.{check.fault or 'ok-' + check.name}", value=check.value),
            }
            for check in found
        ],
    }


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
        ear = Ear(self.session.match.game.name) if self.sound else None
        chunks = SoundFile(self.sound).chunks() if self.sound else iter(())
        taps = sorted(self.taps, key=lambda tap: tap.t)
        heard = 0.0
        with open_source(str(self.video), clock=lambda: 0.0) as source:
            frame = None
            for frame in source.frames():
                noticed = pile.watch(frame)
                while ear is not None and heard < frame.t and (chunk := next(chunks, None)) is not None:
                    self.moments.sound(chunk.t, chunk.pcm.tobytes(), SOUND_RATE)
                    ear.expect(self.session.listening, self.session.owed)
                    noticed += said(ear.listen(chunk))
                    heard = end_of(chunk)
                while taps and taps[0].t <= frame.t:
                    noticed.append(taps.pop(0))
                yield Step(frame.t, tuple(noticed), ear.decided_until(heard) if ear else None, frame, pile.cards)
            if frame is not None:
                rest = [*pile.finish(), *said(ear.flush() if ear else ()), *taps]
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


async def play_recording(
    recording: Recording, clock: RecordedClock, show: Callable[[Frame, tuple[SeenCard, ...]], None]
) -> None:
    """Referee a recording at the speed at which it was made, its frames and what is seen in them shown by `show`."""
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
    if faults:
        raise faults[0]


class Picture:
    """The newest picture of the table as JPEG, about five times a second; made in the thread that sees the frames.

    Attributes:
        moments: is given each picture with what the eye sees drawn in, for the evidence.
        seen: the newest of those, and its number.
    """

    def __init__(self, moments: Moments) -> None:
        self.moments = moments
        self.seen: tuple[bytes, int] | None = None
        self._made: tuple[bytes, int] | None = None
        self._t = -PICTURE_EVERY

    def show(self, frame: Frame, cards: tuple[SeenCard, ...] = ()) -> None:
        """`frame` is the newest one, and the eye knows `cards` to lie uppermost in it."""
        if frame.t - self._t >= PICTURE_EVERY:
            self._t = frame.t
            self._made = (jpeg(frame.image), frame.index)
            self.seen = (jpeg(drawn(frame.image, cards)), frame.index)
            self.moments.frame(frame.t, self.seen[0])

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
        voice: str = "browser",
        moments: Moments | None = None,
        layout: Layout | None = None,
    ) -> None:
        """Open the camera; None is no camera, or no microphone, an empty string the default microphone.

        `PHONE` for either means that a phone sends it (`see`, `hear`).

        Args:
            others: how other parts of the table are doing, asked with every tick.
            voice: who speaks, as for `Sound`.
            moments: is given what eye and ear are given, for the evidence.

        Raises:
            VisionError: the camera or the deck cannot be used.
        """
        self.session = session
        self.moments = moments or Moments()
        self.picture = Picture(self.moments)
        self._stop = threading.Event()
        self._frames = PushedFrames("the phone's camera", clock=session.clock)
        self._sound = PushedSound()
        self.wants = frozenset(name for name, how in (("camera", camera), ("microphone", microphone)) if how == PHONE)
        self._camera: Source | None = None
        if camera is not None:
            self._camera = self._frames if camera == PHONE else open_source(camera, clock=session.clock)
        self._pile = Pile(deck, detector, session, layout) if camera is not None else None
        self._sounds = Sound(session, None if microphone is None else lambda: self._open(microphone), voice)
        self._sounds.tape = self._tape
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
        if self._camera is not None:
            threading.Thread(target=self._look, name="eye", daemon=True).start()
        self._sounds.start()
        try:
            while True:
                await asyncio.sleep(TICK)
                self._check()
                self.session.tick(heard_until=self._sounds.decided)
        finally:
            self._stop.set()
            self._sounds.close()
            if self._camera is not None:
                self._camera.close()

    def _check(self) -> None:
        if self._camera is not None and self._health("camera") != "off":
            self.session.report(_health("camera", self._camera.age))
        self._sounds.check()
        for health in self._others():
            self.session.report(health)

    def _health(self, name: str) -> str:
        known = self.session.health.get(name)
        return known.state if known else ""

    def _tell(self, happening: Happening) -> None:
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):  # the match was over before this was noticed
            self._loop.call_soon_threadsafe(self.session.observe, happening)

    def _report(self, health: Health) -> None:
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):  # the match was over before this was noticed
            self._loop.call_soon_threadsafe(self.session.report, health)

    def _look(self) -> None:
        assert self._camera is not None
        assert self._pile is not None
        try:
            for frame in self._camera.frames():
                for happening in self._pile.watch(frame):
                    self._tell(happening)
                self.picture.show(frame, self._pile.cards)
        except VisionError as fault:
            self._report(Health("camera", "off", detail=str(fault)))

    def _tape(self, chunk: Chunk) -> None:
        self.moments.sound(chunk.t, chunk.pcm.tobytes(), SOUND_RATE)

    def _open(self, microphone: str) -> SoundSource:
        if microphone == PHONE:
            return self._sound
        return Microphone(int(microphone) if microphone.isdecimal() else microphone or None, self.session.clock)


def _health(name: str, age: float) -> Health:
    frozen = age > FROZEN
    return Health(name, "waiting" if frozen else "ok", age, say(f"health.{name}") if frozen else "")
