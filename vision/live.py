"""How is a camera kept to its newest frame, watched, and reopened when it freezes?"""

import threading
from collections.abc import Callable, Iterator
from typing import Self

import cv2
import numpy as np

from vision.faults import VisionError
from vision.frames import Frame
from vision.quads import Image

TIMEOUT = 5.0
"""Seconds a network camera may take to connect, or to send its next frame, before it counts as gone."""
BACK_OFF = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds waited before each try to reopen; the last repeats."""
BLACK = 16.0
"""Grey level; a picture that has nothing brighter shows nothing."""


class LiveSource:
    """A camera (by number) or a network camera (by URL), read by a thread of its own.

    Args:
        spec: `0`, `1`, … or a URL that OpenCV can open.
        clock: gives the time in seconds that frames are stamped with.

    Raises:
        VisionError: it does not open, or opens and sends nothing.
    """

    live = True

    def __init__(self, spec: str, *, clock: Callable[[], float]) -> None:
        self.name = f"camera {spec}" if spec.isdecimal() else spec
        self.reopened = 0
        self.dropped = 0
        """Frames that a newer one replaced before they were taken."""
        self._spec = spec
        self._clock = clock
        self._news = threading.Condition()
        self._closed = threading.Event()
        self._newest: Frame | None = None
        self._since = clock()
        capture = self._open()
        if capture is None or not self._take(capture):
            remedy = (
                "another program may be using it, or it may be unplugged; try `referee doctor`"
                if spec.isdecimal()
                else "check the address in a browser, and that camera and computer share a network"
            )
            raise VisionError(f"{self.name} did not open: {remedy}")
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

    def _open(self) -> cv2.VideoCapture | None:
        if self._spec.isdecimal():
            capture = cv2.VideoCapture(int(self._spec))
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        else:
            wait = int(TIMEOUT * 1000)
            limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait]
            capture = cv2.VideoCapture(self._spec, cv2.CAP_FFMPEG, limits)
        if capture.isOpened():
            return capture
        capture.release()
        return None

    def _take(self, capture: cv2.VideoCapture) -> bool:
        got, image = capture.read()
        if not got:
            return False
        with self._news:
            index = self._newest.index + 1 if self._newest else 0
            self._newest = Frame(np.asarray(image, np.uint8), self._clock(), index)
            self._news.notify_all()
        return True

    def _keep_reading(self, capture: cv2.VideoCapture | None) -> None:
        tries = 0
        while not self._closed.is_set():
            if capture is not None and self._take(capture):
                tries = 0
                continue
            if capture is not None:
                capture.release()
            if self._closed.wait(BACK_OFF[min(tries, len(BACK_OFF) - 1)]):
                return
            tries += 1
            capture = self._open()
            self.reopened += capture is not None
        if capture is not None:
            capture.release()


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
