"""In what pieces does sound travel through the house, whatever it comes from?

Every source gives the same thing: `Chunk`s of 16 kHz mono in order, whatever the device or file delivers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

RATE: Final = 16_000
"""Samples a second."""


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """A piece of sound: `pcm` is int16 at 16 kHz, mono; its first sample was captured at `t` (seconds)."""

    pcm: NDArray[np.int16]
    t: float


class SoundSource(Protocol):
    """What the ear listens to."""

    def chunks(self) -> Iterator[Chunk]:
        """The sound in order of capture, until it ends or `close` is called."""

    def close(self) -> None:
        """Stop; may be called from another thread, and twice."""
