"""How is a camera kept to its newest frame, watched, and reopened when it freezes?"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Self

import numpy as np

from vision.faults import VisionError
from vision.input.bounds import UnfitPictureError
from vision.input.captures import TIMEOUT, Capture, named, open_capture
from vision.input.frames import Frame
from vision.look.quads import Image

_log = logging.getLogger(__name__)

BACK_OFF = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds waited before each try to reopen; the last repeats."""
BLACK = 16.0
"""Grey level; a picture that has nothing brighter shows nothing."""


class LiveSource:
    """A camera (by number) or a network camera (by URL), read by a thread of its own.

    Args:
        spec: `0`, `1`, … or a URL that FFmpeg can open.
        clock: gives the time in seconds that frames are stamped with.

    Attributes:
        name: what it is called, without any password.
        reopened: how often it was opened again.
        dropped: frames that a newer one replaced before they were taken.
        unreadable: pictures that could not be taken.
        fault: why no picture comes just now; `""` while they do.

    Raises:
        VisionError: it does not open, or opens and sends nothing.
    """

    live = True

    def __init__(self, spec: str, *, clock: Callable[[], float]) -> None:
        self.name = named(spec)
        self.reopened = 0
        self.dropped = 0
        self.unreadable = 0
        self.fault = ""
        self._spec = spec
        self._clock = clock
        self._news = threading.Condition()
        self._closed = threading.Event()
        self._newest: Frame | None = None
        self._since = clock()
        self._good = time.monotonic()
        capture = open_capture(spec)
        try:
            while not self._take(capture):
                pass
        except VisionError:
            capture.close()
            raise
        self._thread = threading.Thread(target=self._keep_reading, args=(capture,), name=self.name, daemon=True)
        self._thread.start()

    @property
    def age(self) -> float:
        """Seconds since the newest frame was taken."""
        newest = self._newest
        return self._clock() - (newest.t if newest else self._since)

    @property
    def newest(self) -> Frame | None:
        """The newest frame, or None before the first."""
        return self._newest

    def frames(self) -> Iterator[Frame]:
        """The newest frame each time it is asked, never one twice; waits while there is none, ends on `close`."""
        last = -1
        while True:
            with self._news:
                while not self._closed.is_set() and (self._newest is None or self._newest.index <= last):
                    self._news.wait()
                frame = self._newest
            if self._closed.is_set() or frame is None:
                return
            self.dropped += frame.index - last - 1
            last = frame.index
            yield frame

    def close(self) -> None:
        """Stops the thread and lets go of the camera."""
        self._closed.set()
        with self._news:
            self._news.notify_all()
        self._thread.join(TIMEOUT + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, capture: Capture) -> bool:
        """Whether the next picture could be taken.

        Raises:
            VisionError: the camera is gone, or sent nothing else for `TIMEOUT`.
        """
        try:
            image = capture.read()
        except UnfitPictureError as fault:
            if not self.fault:
                _log.warning("%s: %s", self.name, fault)
            self.unreadable += 1
            self.fault = str(fault)
            if time.monotonic() - self._good > TIMEOUT:
                raise VisionError(fault.key, **fault.values) from None
            return False
        self.fault, self._good = "", time.monotonic()
        with self._news:
            index = self._newest.index + 1 if self._newest else 0
            self._newest = Frame(image, self._clock(), index)
            self._news.notify_all()
        return True

    def _keep_reading(self, capture: Capture | None) -> None:
        tries = 0
        while not self._closed.is_set():
            try:
                if capture is None:
                    capture, self._good = open_capture(self._spec), time.monotonic()
                    self.reopened += 1
                if self._take(capture):
                    tries = 0
            except Exception as fault:  # also what a foreign library makes of a broken stream: it is opened again
                known = isinstance(fault, VisionError)
                if not self.fault or not known:
                    _log.warning("%s", fault, exc_info=not known)
                self.fault = str(fault if known else VisionError("vision.stream-broken", name=self.name))
                if capture is not None:
                    capture.close()
                capture = None
                if self._closed.wait(BACK_OFF[min(tries, len(BACK_OFF) - 1)]):
                    return
                tries += 1
        if capture is not None:
            capture.close()


class Doubt:
    """Tells whether pictures that do come show the table: black ones do not, nor the same one again and again.

    A real camera's picture is never twice the same to the last bit: such a one is an old one sent once more.
    """

    def __init__(self) -> None:
        self.black_since: float | None = None
        self.same_since: float | None = None
        self._before: Image | None = None

    def see(self, frame: Frame) -> None:
        """Take the next frame, of any size."""
        few = np.ascontiguousarray(frame.image[::8, ::8])
        black = float(np.percentile(few, 99)) < BLACK
        same = self._before is not None and np.array_equal(self._before, few)
        self.black_since = (frame.t if self.black_since is None else self.black_since) if black else None
        self.same_since = (frame.t if self.same_since is None else self.same_since) if same else None
        self._before = few
