"""What shows that it was so? For every row of the record that eye or ear reported, the moment it happened in.

Two frames (before and after, with what the eye saw drawn in) and three seconds of sound are kept beside the record,
bounded by age and by size: the oldest go first. What an open question rests on stays, however old the calendar says
it is; only for want of room that of other matches goes, last of all.
"""

from __future__ import annotations

import io
import logging
import shutil
import time
import wave
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.record.observations import Claimed, Corrected, Elapsed, OptionSet, Undone, Voted
from referee.table.health import Health
from referee.table.session import Event
from referee.text import say

_log = logging.getLogger(__name__)
BEFORE: Final = 0.6
"""Seconds before a moment at which nothing of it is to be seen yet."""
AFTER: Final = 0.3
SOUND: Final = (1.0, 2.0)
"""Seconds of sound before and after the moment."""
KEPT: Final = 20.0
"""Seconds of frames and sound that are at hand; a word may be recognised several seconds late."""
NAMES: Final = {"before": "before.jpg", "after": "after.jpg", "sound": "sound.wav"}
DISPUTED: Final = "disputed"
MOST_BYTES: Final = 500_000_000
MOST_DAYS: Final = 30.0
PRUNE_EVERY: Final = 20
"""Moments written between two looks at how much there is."""


class Moments:
    """The last seconds of what eye and ear were given; filled by their threads, read by the loop's."""

    def __init__(self) -> None:
        self._frames: deque[tuple[float, bytes]] = deque()
        self._sound: deque[tuple[float, bytes]] = deque()
        self._rate = 16_000

    def frame(self, t: float, jpeg: bytes) -> None:
        """A frame as it is to be shown."""
        _add(self._frames, t, jpeg)

    def sound(self, t: float, pcm: bytes, rate: int) -> None:
        """Mono sound, int16 at `rate`, whose first sample was captured at `t`."""
        self._rate = rate
        _add(self._sound, t, pcm)

    def before(self, t: float) -> bytes | None:
        """The last frame before the moment `t`."""
        return next((jpeg for at, jpeg in reversed(tuple(self._frames)) if at <= t - BEFORE), None)

    def after(self, t: float) -> bytes | None:
        """The first frame after the moment `t`."""
        return next((jpeg for at, jpeg in tuple(self._frames) if at >= t + AFTER), None)

    def around(self, t: float) -> bytes | None:
        """The sound around the moment `t` as a WAV file."""
        since, until = t - SOUND[0], t + SOUND[1]
        pieces = []
        for at, pcm in tuple(self._sound):
            first = max(0, round((since - at) * self._rate)) * 2
            last = max(0, round((until - at) * self._rate)) * 2
            pieces.append(pcm[first:last])
        pcm = b"".join(pieces)
        if not pcm:
            return None
        file = io.BytesIO()
        with wave.open(file, "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(2)
            out.setframerate(self._rate)
            out.writeframes(pcm)
        return file.getvalue()


def _add(kept: deque[tuple[float, bytes]], t: float, data: bytes) -> None:
    kept.append((t, data))
    while kept[0][0] < t - KEPT:
        kept.popleft()


@dataclass(frozen=True, slots=True)
class Shelf:
    """The moments of one match that are on the disk, in `folder`; any thread may read them."""

    folder: Path

    def names(self, row: int) -> frozenset[str]:
        """What there is for `row`: of `before`, `after` and `sound`."""
        return frozenset(name for name, file in NAMES.items() if (self.folder / str(row) / file).is_file())

    def read(self, row: int, name: str) -> bytes | None:
        """The file `name` of `row`; None when there is none, or no longer."""
        try:
            return (self.folder / str(row) / NAMES[name]).read_bytes() if name in NAMES else None
        except FileNotFoundError:
            return None
        except OSError:
            _log.exception("%s of row %d cannot be read", name, row)
            return None


@dataclass(frozen=True, slots=True)
class _Kept:
    """One moment on the disk."""

    folder: Path
    written: float
    size: int
    disputed: bool


class Calendar:
    """Seconds of the calendar as they were when it was made, and then as they pass: it does not jump when it is set."""

    def __init__(self) -> None:
        self._apart = time.time() - time.monotonic()

    def __call__(self) -> float:
        """Seconds since 1970, now."""
        return time.monotonic() + self._apart


class Evidence:
    """A session's listener that keeps the moments of one match."""

    def __init__(
        self,
        root: Path,
        match: int,
        moments: Moments,
        *,
        most_bytes: int = MOST_BYTES,
        most_days: float = MOST_DAYS,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Keep them below `root`, which holds those of all matches.

        Args:
            clock: seconds of the calendar, for the age; a `Calendar` if none is named.
        """
        self._root, self._match, self._moments = root, match, moments
        self._most_bytes, self._most_age, self._clock = most_bytes, most_days * 86_400, clock or Calendar()
        self._due: deque[tuple[float, int]] = deque()  # moments and rows that wait until there is a frame after them
        self._rows: dict[int, frozenset[str]] = {}
        self._written = 0
        self._fault = ""
        shelf = self.shelf(match)
        for folder in _numbered(shelf.folder):
            self._rows[int(folder.name)] = shelf.names(int(folder.name))
        self._asked = frozenset(row for row in self._rows if (shelf.folder / str(row) / DISPUTED).exists())
        self.prune()

    def __call__(self, event: Event) -> None:
        """Note what happened, and what is asked or disputed."""
        for row, seen in event.observations:
            if seen.source == "ear" or not isinstance(seen, Voted | Claimed | OptionSet | Elapsed | Undone | Corrected):
                self._due.append((seen.t, row))
        if event.asked is not None and event.asked != self._asked:
            changed, self._asked = event.asked ^ self._asked, event.asked
            for row in changed:
                self._mark(row)

    def poll(self, now: float) -> None:
        """Keep the moments that are over at `now`, seconds of the match clock; call it often, it is cheap."""
        while self._due and self._due[0][0] + SOUND[1] + AFTER <= now:
            t, row = self._due.popleft()
            moments = self._moments
            self._keep(row, {"before": moments.before(t), "after": moments.after(t), "sound": moments.around(t)})

    def names(self, row: int) -> frozenset[str]:
        """What there is for `row`: of `before`, `after` and `sound`."""
        return self._rows.get(row, frozenset())

    def read(self, row: int, name: str) -> bytes | None:
        """The file `name` of `row`; None when there is none, or no longer."""
        return self.shelf(self._match).read(row, name) if name in self.names(row) else None

    def shelf(self, match: int) -> Shelf:
        """What is kept of any match."""
        return Shelf(self._root / str(match))

    @property
    def health(self) -> Health:
        """Whether evidence is being kept; play goes on without."""
        return Health("evidence", "waiting" if self._fault else "ok", detail=self._fault)

    def prune(self) -> None:
        """Remove what is too old, and then the oldest until the rest fits; what is disputed goes last, if at all."""
        kept = list(self._all())
        now, size = self._clock(), sum(moment.size for moment in kept)
        for moment in sorted(kept, key=lambda moment: (moment.disputed, moment.written)):
            ours = moment.folder.parent.name == str(self._match)
            old = now - moment.written > self._most_age
            if moment.disputed and ours:
                continue
            if size <= self._most_bytes and (moment.disputed or not old):
                continue
            shutil.rmtree(moment.folder, ignore_errors=True)
            size -= moment.size
            if ours:
                self._rows.pop(int(moment.folder.name), None)

    def _keep(self, row: int, files: dict[str, bytes | None]) -> None:
        there = {name: data for name, data in files.items() if data}
        folder = self._root / str(self._match) / str(row)
        try:
            if there:
                folder.mkdir(parents=True, exist_ok=True)
            for name, data in there.items():
                fresh = folder / f"{NAMES[name]}.new"  # a disk that is full, or a kill, leaves no half a frame
                fresh.write_bytes(data)
                fresh.replace(folder / NAMES[name])
            self._fault = ""
        except OSError as fault:
            shutil.rmtree(folder, ignore_errors=True)
            self._fault = say("health.evidence", why=fault.strerror or str(fault))
            return
        self._rows[row] = frozenset(there)
        self._mark(row)
        self._written += 1
        if self._written % PRUNE_EVERY == 0:
            self.prune()

    def _mark(self, row: int) -> None:
        """Let it be seen in the folder of `row` whether an open question rests on it."""
        folder = self._root / str(self._match) / str(row)
        try:
            if row in self._asked and folder.is_dir():
                (folder / DISPUTED).touch()
            else:
                (folder / DISPUTED).unlink(missing_ok=True)
        except OSError as fault:
            self._fault = say("health.evidence", why=fault.strerror or str(fault))

    def _all(self) -> Iterator[_Kept]:
        for match in _numbered(self._root):
            for folder in _numbered(match):
                try:
                    stats = [file.stat() for file in folder.iterdir()]
                    written = max((stat.st_mtime for stat in stats), default=folder.stat().st_mtime)
                except OSError:
                    continue  # somebody else is removing it
                size = sum(stat.st_size for stat in stats)
                yield _Kept(folder, written, size, (folder / DISPUTED).exists())


def _numbered(folder: Path) -> list[Path]:
    """The folders in `folder` that are named by a number."""
    try:
        return [path for path in folder.iterdir() if path.name.isdecimal() and path.is_dir()]
    except OSError:
        return []
