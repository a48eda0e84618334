"""How do frames get in that somebody else sends, such as a phone's browser?"""

import struct
import threading
from collections.abc import Callable, Iterator
from typing import Self

import cv2
import numpy as np

from vision.frames import Frame

MOST_PIXELS = 4096 * 4096
"""A larger picture is not decoded: a small file can claim to be a huge one."""


class PushedFrames:
    """A live source that JPEG frames are pushed into; the newest wins, and only what is taken is decoded.

    Args:
        name: what it is called on the dashboard.
        clock: seconds, as frames are stamped.
    """

    live = True

    def __init__(self, name: str, *, clock: Callable[[], float]) -> None:
        self.name = name
        self.dropped = 0
        """Frames that a newer one replaced before they were taken."""
        self.unreadable = 0
        self._clock = clock
        self._news = threading.Condition()
        self._closed = False
        self._newest: tuple[bytes, float] | None = None
        self._since = clock()
        self._last: float | None = None

    def push(self, jpeg: bytes, t: float) -> None:
        """Take a frame captured at `t`; time never runs backwards."""
        with self._news:
            if self._newest is not None:
                self.dropped += 1
            self._last = t if self._last is None else max(t, self._last)
            self._newest = jpeg, self._last
            self._news.notify_all()

    @property
    def age(self) -> float:
        """Seconds since the newest frame was captured, or since the source was made."""
        return self._clock() - (self._since if self._last is None else self._last)

    def frames(self) -> Iterator[Frame]:
        """The newest frame each time it is asked, never one twice; waits while there is none, ends on `close`."""
        index = 0
        while True:
            with self._news:
                while not self._closed and self._newest is None:
                    self._news.wait()
                newest, self._newest = self._newest, None
                if self._closed or newest is None:
                    return
            image = cv2.imdecode(np.frombuffer(newest[0], np.uint8), cv2.IMREAD_COLOR) if fits(newest[0]) else None
            if image is None:
                self.unreadable += 1
                continue
            yield Frame(np.asarray(image, np.uint8), newest[1], index)
            index += 1

    def close(self) -> None:
        """End `frames`."""
        with self._news:
            self._closed = True
            self._news.notify_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def fits(jpeg: bytes) -> bool:
    """Whether these bytes begin like a JPEG of at most `MOST_PIXELS`, by its frame header (ITU T.81, B.2)."""
    if not jpeg.startswith(b"\xff\xd8"):
        return False
    place = 2
    while place + 9 <= len(jpeg) and jpeg[place] == 0xFF:
        marker, length = jpeg[place + 1], int.from_bytes(jpeg[place + 2 : place + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            size: tuple[int, int] = struct.unpack_from(">HH", jpeg, place + 5)  # height and width
            return 0 < size[0] * size[1] <= MOST_PIXELS
        place += 2 + length
    return False
