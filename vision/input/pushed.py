"""How do frames get in that somebody else sends, such as a phone's browser?"""

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Self

from vision.input.bounds import UnfitPictureError, from_jpeg
from vision.input.frames import Frame

_log = logging.getLogger(__name__)


class PushedFrames:
    """A live source that JPEG frames are pushed into; the newest wins, and only what is taken is decoded.

    Args:
        name: what it is called on the dashboard.
        clock: seconds, as frames are stamped.

    Attributes:
        dropped: frames that a newer one replaced before they were taken.
        unreadable: frames that were no fit picture.
        fault: why the newest frame could not be taken; `""` when it could.
    """

    live = True

    def __init__(self, name: str, *, clock: Callable[[], float]) -> None:
        self.name = name
        self.dropped = 0
        self.unreadable = 0
        self.fault = ""
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
            try:
                image = from_jpeg(newest[0])
            except UnfitPictureError as fault:
                if not self.fault:
                    _log.warning("%s: %s", self.name, fault)
                self.unreadable += 1
                self.fault = str(fault)
                continue
            self.fault = ""
            yield Frame(image, newest[1], index)
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
