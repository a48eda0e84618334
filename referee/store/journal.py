"""Where is what was acknowledged safe until it is in the record?

An observation waits for its turn before it is judged, and the file of the matches may be full or in use. Until its row
is written, it stands in a small file of its own beside them. Whoever opens the matches next puts it in the record.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from referee.record.jsontext import parse
from referee.record.observations import AnyObservation, read
from referee.store.file import canonical
from referee.text import say
from referee.text.faults import RefereeError

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

LOCKS: Final = fcntl is not None
"""Whether this system can tell that a journal's owner still plays; if not, nobody else takes it up."""

ENDING: Final = ".held"


def home(matches: Path) -> Path:
    """The folder of what belongs to the matches of the file `matches` and is in no record: it is nobody else's."""
    return matches.with_name(f"{matches.name}-tables")


def private(path: Path) -> int:
    """A descriptor of the file `path`, made where there is none, which only this user may read.

    Raises:
        OSError: it cannot be used.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)


class Journal:
    """What of one match is safe but not in its record; it belongs to one process at a time.

    A line is `{"match": …, "after": 17, "seen": {…}}`, noticed when the record had 17 rows and not judged yet, or
    `{"match": …, "row": 18, "seen": {…}}`, row 18 as it was judged. `match` is the hash of the match's beginning: a
    file of matches may be replaced by another that has the same numbers.
    """

    def __init__(self, matches: Path, match: int, head: str) -> None:
        """Of match `match` in the file `matches`, whose beginning has the hash `head`."""
        self.path = home(matches) / f"{match}{ENDING}"
        self._head = head
        self._file: int | None = None
        self._empty = False

    def mine(self) -> bool:
        """Whether it could be taken: not while another process has it.

        Raises:
            OSError: it cannot be used.
        """
        while self._file is None:
            file = private(self.path)
            if not LOCKS:
                self._file = file
                return True
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self.path.exists() and os.path.samestat(os.fstat(file), self.path.stat()):
                    self._file = file
                    _sync_folder(self.path.parent)
                    return True
            except BlockingIOError:
                os.close(file)
                return False
            os.close(file)  # its last owner removed it that moment
        return True

    def note(self, seen: AnyObservation, **place: int) -> None:
        """Write down `seen`, `after=` so many rows or as row `row=`; it is on the disk when this returns.

        Raises:
            OSError: it could not be written, and nothing was.
        """
        if not self.mine():
            raise OSError(0, say("record.other-referee"))
        assert self._file is not None
        length = os.fstat(self._file).st_size
        line = (canonical({"match": self._head, **place, "seen": seen.to_json()}) + "\n").encode()
        try:
            if os.write(self._file, line) < len(line):
                raise OSError(0, say("record.full"))
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, length)
            raise
        self._empty = False

    def clear(self) -> None:
        """Everything in it is in the record now."""
        if self._file is not None and not self._empty:
            os.ftruncate(self._file, 0)
            self._empty = True

    def close(self) -> None:
        """Let others have it; an empty one is removed."""
        if self._file is not None:
            if os.fstat(self._file).st_size == 0 and self.path.exists():
                self.path.unlink()
            os.close(self._file)
            self._file = None

    def left_over(self, record: Sequence[Mapping[str, Any]]) -> list[AnyObservation]:
        """What it holds that the `record` does not, in the order in which that is to be judged."""
        written = [canonical(seen) for seen in record]
        rest: list[AnyObservation] = []
        held = []
        for line in self._lines():
            if line.get("row") == len(written) + 1:
                written.append(canonical(line["seen"]))
                rest.append(read(line["seen"]))
            elif "after" in line:
                held.append(line)
        judged: set[int] = set()
        late: list[AnyObservation] = []
        for line in held:
            text = canonical(line["seen"])
            rows = range(int(line["after"]), len(written))
            row = next((row for row in rows if row not in judged and written[row] == text), None)
            if row is None:
                late.append(read(line["seen"]))
            else:
                judged.add(row)
        return rest + sorted(late, key=lambda seen: seen.t)

    def _lines(self) -> Iterator[dict[str, Any]]:
        """What was written down for this match; the last line may be half written, and was never acknowledged then."""
        for text in self.path.read_bytes().splitlines():
            try:
                line = parse(text)
            except RefereeError:
                continue
            if isinstance(line, dict) and line.get("match") == self._head and isinstance(line.get("seen"), dict):
                yield line


def _sync_folder(folder: Path) -> None:
    """A file that was made just now is found again after a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
