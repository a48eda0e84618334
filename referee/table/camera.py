"""How is the camera of a table doing, where does it look, and what is shown of it?

Wiring, as `live.py`, `eye.py` and `sound.py` are: one of the few places of the referee that know the vision room.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from referee.record.observations import Happening
from referee.table.evidence import Moments
from referee.table.eye import Pile, calibration
from referee.table.health import Health
from referee.table.session import Session
from referee.text import say
from referee.text.faults import RefereeError
from vision.faults import VisionError
from vision.input.frames import Frame, FrameSource
from vision.input.live import Doubt
from vision.input.pushed import PushedFrames
from vision.layout.places import Layout
from vision.look.detections import SeenCard
from vision.look.ink import colourless
from vision.show.drawing import drawn
from vision.show.jpeg import jpeg
from vision.table import TableWatcher

_log = logging.getLogger(__name__)

FROZEN: Final = 2.5
"""Seconds without a picture that was looked at, after which that is told; people are to know within 3."""
STALE: Final = 4.0
"""Seconds for which a picture shows the table as it is: no less, since a slow machine looks at one for a second."""
BLACK: Final = 1.0
"""Seconds of black pictures after which that is told: a hand over the lens is soon gone."""
BLINDED: Final = 3
"""Pictures in a row that broke the eye before that is told."""
CLOSING: Final = 15.0
"""Seconds to wait for the eye's last look, or for its weights that are being read on a busy machine."""
TOLD: Final = 20.0
"""Seconds for which it is told that the camera was moved and the zones followed."""
SETTLED: Final = 3.0
"""Seconds without another nudge after which the layout that followed is kept."""
COLOUR_EVERY: Final = 2.0
"""Seconds between two looks at whether the picture has any colour."""
PICTURE_EVERY: Final = 0.2
"""Seconds between two pictures that the dashboard is given."""


class Picture:
    """The newest picture of the table as JPEG, about five times a second; made in the thread that sees the frames.

    Attributes:
        moments: is given each picture with what the eye sees drawn in, for the evidence.
        clock: seconds, as frames are stamped; a picture older than `STALE` is not shown as the table's. None: any is.
    """

    def __init__(self, moments: Moments, clock: Callable[[], float] | None = None) -> None:
        self.moments = moments
        self._clock = clock
        self._seen: tuple[bytes, int] | None = None
        self._made: tuple[bytes, int] | None = None
        self._t = -PICTURE_EVERY

    def show(self, frame: Frame, cards: tuple[SeenCard, ...] = ()) -> None:
        """`frame` is the newest one, and the eye knows `cards` to lie uppermost in it."""
        if frame.t - self._t >= PICTURE_EVERY:
            self._t = frame.t
            self._made = (jpeg(frame.image), frame.index + 1)
            self._seen = (jpeg(drawn(frame.image, cards)), frame.index + 1)
            self.moments.frame(frame.t, self._seen[0])

    def __call__(self) -> tuple[bytes, int] | None:
        """The newest picture and its number, from 1, which grows; None while none shows the table as it is."""
        return self._made if self._fresh else None

    @property
    def seen(self) -> tuple[bytes, int] | None:
        """The same with what the eye sees drawn in."""
        return self._seen if self._fresh else None

    @property
    def _fresh(self) -> bool:
        return self._clock is None or self._clock() - self._t < STALE


class Camera:
    """The camera of a live table and the eye behind it, in a thread of their own.

    Args:
        tell: is given what the eye noticed, in the camera's thread.
        layout: where piles and seats are; what is not known is found by itself.
        kept: the file in which a layout that people set is kept; None keeps none.
        frozen: seconds without a picture that was looked at, after which that is told.

    Raises:
        VisionError: the deck or the detector cannot be used.
    """

    def __init__(
        self,
        source: FrameSource,
        session: Session,
        picture: Picture,
        deck: str,
        detector: Path | None = None,
        layout: Layout | None = None,
        *,
        tell: Callable[[Happening], None],
        kept: Path | None = None,
        frozen: float = FROZEN,
    ) -> None:
        self._source = source
        self._session = session
        self._picture = picture
        self._tell = tell
        self._kept = kept
        self._frozen = frozen
        self._pile = Pile(deck, detector, session)
        self._thread = threading.Thread(target=self._look, name="eye", daemon=True)
        self._given = layout
        self._wanted: deque[Layout] = deque()
        self._newest: Frame | None = None
        self._doubt = Doubt()
        self._grey, self._colour_t = False, -COLOUR_EVERY
        self._fault = ""
        self._broken, self._in_a_row = 0, 0
        self._looked = session.clock()
        self._bad_layout = ""
        self._nudged: tuple[int, float] = (0, 0.0)
        self._is_kept = kept is not None and layout is not None and _holds(kept, layout)
        self._kept_nudges, self._not_kept = 0, ""

    def start(self) -> None:
        """Look from now on."""
        self._looked = self._session.clock()
        self._thread.start()

    def close(self) -> None:
        """Look no more. An eye that was left looking would bring the program down when it ends."""
        self._source.close()
        if self._thread.is_alive():
            self._thread.join(CLOSING)

    def check(self) -> None:
        """Tell the session how the camera is doing; call it often, in the session's thread."""
        self._session.report(self._health())
        if self._newest is not None:
            self._session.report(Health("zones", *self._zones(), counts={"nudges": self._pile.watcher.nudges}))

    def look(self) -> dict[str, Any]:
        """What a calibration page shows of the newest picture (`calibration`). Takes a while; for any thread.

        Raises:
            RefereeError: there is no picture yet.
        """
        frame = self._newest
        if frame is None:
            raise RefereeError(say("layout.no-picture"))
        return calibration(self._pile.eye, frame, self._layout)

    def lay_out(self, asked: Mapping[str, Any]) -> None:
        """Somebody set the layout (its JSON form): it holds from the next picture on, and is kept.

        Raises:
            RefereeError: it is none, does not fit the picture, or could not be kept.
        """
        frame = self._newest
        if frame is None:
            raise RefereeError(say("layout.no-picture"))
        height, width = frame.image.shape[:2]
        try:
            layout = Layout.from_json(dict(asked)).fitted(width, height).within(width, height)
        except VisionError as fault:
            raise RefereeError(str(fault)) from None
        if strange := sorted(set(layout.seats) - set(self._session.standing.players)):
            raise RefereeError(say("pages.error.seat", seat=strange[0][:12]))
        self._wanted.append(layout)
        if self._kept is not None:
            _write(self._kept, layout)
            self._is_kept = True

    @property
    def _layout(self) -> Layout:
        """The layout that holds, or will with the next picture."""
        return self._wanted[-1] if self._wanted else self._pile.watcher.layout

    def _health(self) -> Health:
        now, doubt = self._session.clock(), self._doubt
        age = now - self._looked
        counts = {
            name: getattr(self._source, name) for name in ("reopened", "dropped", "unreadable")
            if hasattr(self._source, name)
        } | {"broken": self._broken}  # fmt: skip
        if self._fault:
            return Health("camera", "off", age, self._fault, counts)
        why = ""
        if self._source.age > self._frozen or (self._source.fault and age > self._frozen):
            phone = isinstance(self._source, PushedFrames)
            why = "camera-fault" if self._source.fault else "camera-phone" if phone else "camera"
        elif self._in_a_row >= BLINDED:
            why = "camera-broken"
        elif age > 2 * self._frozen:  # a busy machine takes its time for one look
            why = "camera-late"
        elif doubt.black_since is not None and now - doubt.black_since > BLACK:
            why = "camera-black"
        elif doubt.same_since is not None and now - doubt.same_since > self._frozen:
            why = "camera-stale"
        detail = say(f"health.{why}", why=self._source.fault) if why else say("layout.grey") if self._grey else ""
        return Health("camera", "waiting" if why else "ok", age, detail, counts)

    def _zones(self) -> tuple[str, float, str]:
        """State, age and detail of the zones: whether they are where the piles are."""
        watcher, now = self._pile.watcher, self._session.clock()
        if watcher.nudges != self._nudged[0]:
            self._nudged = watcher.nudges, now
        if self._bad_layout:
            return "waiting", 0.0, self._bad_layout
        if watcher.moved == "lost":
            return "waiting", 0.0, say("health.zones-lost")
        if not watcher.nudges or now - self._nudged[1] >= TOLD:
            return "ok", 0.0, ""
        if self._is_kept and now - self._nudged[1] >= SETTLED:
            return "ok", 0.0, self._keep_up(watcher)
        return "ok", 0.0, say("health.zones-followed")

    def _keep_up(self, watcher: TableWatcher) -> str:
        """Keep the layout as it is after the newest nudge, and say whether it is kept."""
        if self._kept is not None and self._kept_nudges != watcher.nudges:
            self._kept_nudges = watcher.nudges
            try:
                _write(self._kept, watcher.layout)
                self._not_kept = ""
            except RefereeError as fault:
                self._not_kept = str(fault)
        return self._not_kept or say("health.zones-kept")

    def _look(self) -> None:
        try:
            for frame in self._source.frames():
                self._see(frame)
        except Exception as fault:  # the source itself: what breaks the eye does not come as far
            _log.exception("the camera is given up")
            self._fault = str(fault) if isinstance(fault, VisionError) else say("health.camera-broken")

    def _see(self, frame: Frame) -> None:
        """Look at one picture. One that breaks the eye does not blind it: it looks afresh at the next one."""
        try:
            self._doubt.see(frame)
            if frame.t - self._colour_t >= COLOUR_EVERY:
                self._grey, self._colour_t = colourless(frame.image), frame.t
            fit = self._pile.watcher.fit(frame)
            self._arrange(fit)
            self._newest = fit
            try:
                for happening in self._pile.watch(fit):
                    self._tell(happening)
            finally:
                self._picture.show(fit, self._pile.cards)
        except Exception:
            if not self._in_a_row:
                _log.exception("picture %d, %d x %d, broke the eye", frame.index, *frame.image.shape[1::-1])
            self._broken += 1
            self._in_a_row += 1
            self._pile.lay_out(self._pile.watcher.layout)
        else:
            self._in_a_row = 0
            self._looked = max(self._looked, frame.t)

    def _arrange(self, frame: Frame) -> None:
        """Before the eye looks at `frame`: take over the layout that was given at the start, or set since."""
        if self._newest is None and self._given is not None:
            height, width = frame.image.shape[:2]
            try:
                self._pile.lay_out(self._given.fitted(width, height).within(width, height))
            except VisionError as fault:
                self._bad_layout = say("health.zones-bad", why=str(fault))
                self._pile.lay_out(Layout(seats=self._given.seats))
        while self._wanted:
            self._pile.lay_out(self._wanted[0])
            self._wanted.popleft()
            self._bad_layout = ""


def _holds(file: Path, layout: Layout) -> bool:
    """Whether `layout` is what the file holds."""
    try:
        return file.exists() and Layout.read(file) == layout
    except VisionError:
        return False


def _write(file: Path, layout: Layout) -> None:
    """Keep `layout` in `file`: all of it or, when that fails, nothing.

    Raises:
        RefereeError: the file cannot be written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".new")
        fresh.write_text(json.dumps(layout.to_json(), indent=1) + "\n", encoding="utf-8")
        fresh.replace(file)
    except OSError as fault:
        raise RefereeError(say("layout.not-kept", file=file, why=fault.strerror)) from None
