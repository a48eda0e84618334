"""A real camera and eye of the referee over the virtual table: one picture after the other, with its own clock."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from referee.record.match import Match
from referee.record.observations import Happening
from referee.table.camera import Camera, Picture
from referee.table.evidence import Moments
from referee.table.health import Health
from referee.table.session import Session
from vision.input.frames import Frame
from vision.input.live import LiveSource
from vision.input.pushed import PushedFrames
from vision.layout.places import Layout
from vision.look.quads import Image
from vision.synthetic.match import art
from vision.synthetic.match.acts import Setting, around
from vision.synthetic.match.film import Film

WIDE, HIGH = 960, 540


def film() -> Film:
    """A table at which Q♥ lies on the discard pile."""
    top = art.table_top(np.random.default_rng(3), "wood")
    return Film(Setting(seats=around("AB"), card=150, noise=2), art.deck("byronknoll"), top, {}, [], "Qh", 0.2, 1)


class Seen(Moments):
    """Says when a picture has been looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.looked = threading.Semaphore(0)

    def frame(self, t: float, jpeg: bytes) -> None:
        super().frame(t, jpeg)
        self.looked.release()


class FilmedTable:
    """The camera's own session, and the pictures it is shown."""

    def __init__(
        self, layout: Layout | None = None, kept: Path | None = None, frozen: float = 2.5, url: str = ""
    ) -> None:
        """With `url`, the pictures are those of the network camera there, and time passes as it does."""
        self.now = 1.0
        clock = time.monotonic if url else lambda: self.now
        self.session = Session(Match("uncle-baiting", {"players": "ABC", "start": "Qh"}), {}, clock)
        self.source = PushedFrames("camera", clock=lambda: self.now)
        self.seen = Seen()
        self.picture = Picture(self.seen)
        self.noticed: list[Happening] = []
        self.camera = Camera(
            LiveSource(url, clock=clock) if url else self.source,
            self.session,
            self.picture,
            "french",
            layout=layout,
            tell=self.noticed.append,
            kept=kept,
            frozen=frozen,
        )

    def show(self, image: Image) -> None:
        """A quarter of a second later the camera gives `image`, and the eye has looked at it."""
        self.now += 0.25
        self.source.push(cv2.imencode(".jpg", image)[1].tobytes(), self.now)
        assert self.seen.looked.acquire(timeout=60)

    def looked_at(self) -> bool:
        """Takes note of a picture that was shown and looked at meanwhile; whether there was one."""
        return self.seen.looked.acquire(blocking=False)

    def health(self, name: str = "camera") -> Health:
        self.camera.check()
        return self.session.health[name]


@contextmanager
def filmed(
    layout: Layout | None = None, kept: Path | None = None, frozen: float = 2.5, url: str = ""
) -> Iterator[FilmedTable]:
    table = FilmedTable(layout, kept, frozen, url)
    table.camera.start()
    try:
        yield table
    finally:
        table.camera.close()


def noisy(image: Image, seed: int) -> Image:
    """The picture as a camera takes it once more."""
    noise = np.random.default_rng(seed).normal(0, 3, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def frames(count: int) -> Iterator[Frame]:
    """Pictures of the table at rest."""
    first = next(film().frames())
    for index in range(count):
        yield Frame(noisy(first.image, index), 0.0, index)
