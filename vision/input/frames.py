"""What is one picture from a camera, a video or a file?"""

from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from vision.look.quads import Image


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """`image`: `(h, w, 3)` uint8 BGR; `t`: seconds of the source's clock when it was taken; `index`: counted from 0."""

    image: Image
    t: float
    index: int


class FrameSource(Protocol):
    """Where frames come from. Close it, or use it as a context manager."""

    name: str
    live: bool
    fault: str
    """Why no picture comes just now; `""` while they do."""

    @property
    def age(self) -> float:
        """Seconds since the newest frame was taken; 0 for recordings, which cannot freeze."""

    def frames(self) -> Iterator[Frame]:
        """Recordings: every frame in order. Live: the newest frame each time, for as long as it is open."""

    def close(self) -> None:
        """Ends `frames` and lets go of the device."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None: ...
