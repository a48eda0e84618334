"""How do matches get into the file and out of it again?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeAlias

from referee.record.observations import AnyObservation, Seat
from referee.record.rulings import AnyRuling
from referee.store.file import (
    BUSY,
    MATCHES_MOST,
    canonical,
    code,
    connect,
    copied,
    default_path,
    harm,
    head_hash,
    identity,
    make,
    named,
    place,
    places,
    quick_check,
    row_hash,
)
from referee.store.matches import (
    Damage,
    DamagedRecordError,
    Record,
    StoredMatch,
    observation_of,
    rulings_of,
    winner_of,
    written,
)
from referee.store.recovery import take_up
from referee.text import say
from referee.text.faults import RefereeError

PATIENCE: Final = 2.0
"""Seconds to wait for another process that is writing the same file."""
_ENDINGS: Final = (
    "SELECT rulings FROM record WHERE place BETWEEN ? AND ?"
    """ AND (rulings LIKE '%"kind":"win"%' OR rulings LIKE '%"outcome":"overturned"%') ORDER BY place"""
)
_Row: TypeAlias = tuple[Mapping[str, Any], tuple[Mapping[str, Any], ...]]
"""An observation and the rulings to it, as JSON values."""
_HEAD: Final = "started, game, options, names, hash, state, rows, tip"


class Store:
    """The matches in one file. Any thread may use it, and several processes may use the same file."""

    def __init__(self, path: Path, connection: sqlite3.Connection, patience: float, *, cut: bool) -> None:
        self.path = path
        self._connection = connection
        self._patience = patience
        self._cut = cut
        self._lock = Lock()
        self._there = identity(path)

    @classmethod
    def open(cls, path: Path | str | None = None, *, create: bool = True, patience: float = PATIENCE) -> Store:
        """Open the file, by default `default_path()`.

        A file that is read-only, or whose end is missing, is opened all the same: what it holds can be read.

        Args:
            path: the file.
            create: whether to make it when there is none.
            patience: seconds to wait for another process that is writing it.

        Raises:
            RefereeError: there is no such file, it is no record of the referee, or it cannot be opened.
        """
        path = Path(path) if path else default_path()
        if not create and not path.exists():
            raise RefereeError(say("record.file.missing", file=path))
        if path.is_dir():
            raise RefereeError(say("record.file.folder", file=path))
        with named(path):
            if not path.exists():
                make(path)
            connection, cut = connect(path, patience)
        store = cls(path, connection, patience, cut=cut)
        take_up(store)
        return store

    def close(self) -> None:
        """Close the file; the matches in it stay as they are."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def is_lost(self) -> bool:
        """Whether the file is no longer where it was opened: somebody removed it, or put another in its place."""
        try:
            return identity(self.path) != self._there
        except OSError:  # nobody may look
            return False

    def move(self) -> Path:
        """Go on in a copy of all matches, made from what is still open of a file that was removed; where it is.

        Raises:
            RefereeError: no copy could be made.
        """
        with self._lock, named(self.path):
            path = copied(self._connection, self.path)
            old = self._connection
            self._connection, self._cut = connect(path, self._patience)
            old.close()
            self.path, self._there = path, identity(path)
        return path

    def begin(self, game: str, options: Mapping[str, str], names: Mapping[Seat, str]) -> int:
        """Begin the record of a match and say its number.

        Raises:
            RefereeError: the file cannot be written.
        """
        with self._writing():
            return self._insert_match(game, options, names)[0]

    def append(self, match: int, row: int, observation: AnyObservation, rulings: Iterable[AnyRuling]) -> None:
        """Append row `row` to the record of `match`: when this returns, it is safe on the disk.

        Appending the same row again changes nothing, so whoever cannot know whether it got through may try again.

        Raises:
            RefereeError: the file cannot be written, or `row` is not the next one.
        """
        seen, given = written(observation, rulings)
        with self._writing():
            found = self._one("SELECT rows, tip FROM matches WHERE id = ?", match)
            if found is None:
                raise self._no_match(match)
            rows, tip = found
            if row == rows + 1:
                self._insert_row(match, row, seen, given, tip)
            elif self._one("SELECT observation, rulings FROM record WHERE place = ?", place(match, row)) != (
                seen,
                given,
            ):
                raise RefereeError(say("record.two-referees", match=match, file=self.path, rows=rows, row=row))

    def keep(
        self,
        game: str,
        options: Mapping[str, str],
        names: Mapping[Seat, str],
        rows: Iterable[tuple[AnyObservation | Mapping[str, Any], Iterable[AnyRuling]]],
    ) -> int:
        """Store a whole match, closed, and say its number: all of it or, when that fails, nothing.

        Args:
            rows: observations, or the JSON values of those of which a newer version knew more, and their rulings.

        Raises:
            RefereeError: the file cannot be written.
        """
        kept = [written(observation, rulings) for observation, rulings in rows]
        with self._writing():
            match, tip = self._insert_match(game, options, names)
            for row, (seen, given) in enumerate(kept, 1):
                tip = self._insert_row(match, row, seen, given, tip)
            self._connection.execute("UPDATE matches SET state = 'closed' WHERE id = ?", (match,))
            return match

    def finish(self, match: int) -> None:
        """Mark `match` as closed; appending to it opens it again.

        Raises:
            RefereeError: there is no such match, or the file cannot be written.
        """
        with self._writing():
            if not self._connection.execute("UPDATE matches SET state = 'closed' WHERE id = ?", (match,)).rowcount:
                raise self._no_match(match)

    def discard(self, match: int) -> bool:
        """Take out `match` again, of which nothing was recorded; whether that was so.

        One after which another was begun stays: a gap in the numbers would look like damage.

        Raises:
            RefereeError: the file cannot be written.
        """
        empty = "DELETE FROM matches WHERE id = ? AND rows = 0 AND id = (SELECT max(id) FROM matches)"
        with self._writing():
            return self._connection.execute(empty, (match,)).rowcount > 0

    def matches(self) -> tuple[StoredMatch, ...]:
        """The matches whose beginning is sound, oldest first; `verify` names the others.

        Raises:
            RefereeError: the file cannot be read.
        """
        with self._reading():
            heads = (self._head(match, listed=True) for match in self._ids()[0])
            return tuple(head[0] for head in heads if not isinstance(head, Damage))

    def tip(self, match: int) -> tuple[str, int]:
        """The hash of the beginning of `match`, and how many rows it has.

        Raises:
            RefereeError: there is no such match, or the file cannot be read.
        """
        with self._reading():
            found = self._one("SELECT hash, rows FROM matches WHERE id = ?", match)
        if found is None:
            raise self._no_match(match)
        return found[0], found[1]

    def winner(self, of: int) -> Seat | None:
        """Who has won match `of` according to its recorded rulings; None when nobody has, or not any more.

        Raises:
            RefereeError: the file cannot be read.
        """
        with self._reading():
            return winner_of(given for (given,) in self._connection.execute(_ENDINGS, places(of)))

    def load(self, match: int) -> Record:
        """The record of `match`, checked.

        Raises:
            DamagedRecordError: it is not what was written; the sound part before the damage comes with it.
            RefereeError: there is no such match, or the file cannot be read.
        """
        with self._reading():
            head, rows, damage = self._walk(match)
        if head is None:
            assert damage is not None
            raise DamagedRecordError(damage, None)
        record = Record(head, tuple(seen for seen, _ in rows), tuple(given for _, given in rows))
        if damage:
            raise DamagedRecordError(damage, record)
        return record

    def verify(self, match: int | None = None, *, rows: bool = True) -> tuple[Damage, ...]:
        """What is damaged first in `match`, or in every match and in the file itself; nothing when all is sound.

        Args:
            match: None for all matches.
            rows: whether to look at all of their rows; if not, only at their beginnings.

        Raises:
            RefereeError: there is no such match, or the file cannot be read.
        """
        with self._reading():
            if match is not None:
                damage = self._walk(match)[2] if rows else self._damaged_head(match)
                return (damage,) if damage else ()
            ids, found = self._ids()
            for before, number in zip([0, *ids], ids, strict=False):
                if number > before + 1:
                    found.append(Damage(before + 1, 0, say("damage.missing")))
                if damage := self._walk(number, listed=True)[2] if rows else self._damaged_head(number, listed=True):
                    found.append(damage)
            if self._cut:
                found.append(Damage(None, 0, say("damage.cut")))
            elif rows and not found and (check := quick_check(self._connection)) != "ok":
                found.append(Damage(None, 0, say("damage.between", why=check)))
            return tuple(found)

    def _damaged_head(self, match: int, *, listed: bool = False) -> Damage | None:
        head = self._head(match, listed=listed)
        return head if isinstance(head, Damage) else None

    def _insert_match(self, game: str, options: Mapping[str, str], names: Mapping[Seat, str]) -> tuple[int, str]:
        (match,) = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM matches").fetchone()
        started = datetime.now(UTC).isoformat(timespec="seconds")
        head = (match, started, game, canonical(dict(options)), canonical(dict(names)))
        tip = head_hash(*head)
        self._connection.execute("INSERT INTO matches VALUES (?,?,?,?,?,?,'open',0,?)", (*head, tip, tip))
        return match, tip

    def _insert_row(self, match: int, row: int, seen: str, given: str, tip: str) -> str:
        chained = row_hash(tip, match, row, seen, given)
        self._connection.execute(
            "INSERT INTO record (place, observation, rulings, hash) VALUES (?,?,?,?)",
            (place(match, row), seen, given, chained),
        )
        self._connection.execute(
            "UPDATE matches SET rows = ?, tip = ?, state = 'open' WHERE id = ?", (row, chained, match)
        )
        return chained

    def _ids(self) -> tuple[list[int], list[Damage]]:
        """The numbers of all matches that have a beginning or a row, as far as they can be read, in order."""
        ids: set[int] = set()
        damages = []
        try:
            ids.update(match for (match,) in self._connection.execute("SELECT id FROM matches ORDER BY id"))
            before, step = 0, "SELECT match FROM record WHERE place > ? ORDER BY place"
            while (found := self._one(step, places(before)[1])) and found[0] > before:  # damaged trees may run back
                (before,) = found  # from one match to the next, without reading all of their rows
                ids.add(before)
        except sqlite3.DatabaseError as fault:
            damages.append(Damage(None, 0, say("damage.list", why=harm(fault))))
        return sorted(match for match in ids if 0 < match <= MATCHES_MOST), damages

    def _head(self, match: int, *, listed: bool = False) -> tuple[StoredMatch, str, int, str] | Damage:
        """The match's beginning with its hash, and the length and the last hash that its record must have."""
        if not 0 < match <= MATCHES_MOST:
            raise self._no_match(match)
        try:
            found = self._one(f"SELECT {_HEAD} FROM matches WHERE id = ?", match)
            if found is None:
                if listed or self._one("SELECT 1 FROM record WHERE place BETWEEN ? AND ?", *places(match)):
                    return Damage(match, 0, say("damage.no-head"))
                raise self._no_match(match)
        except sqlite3.DatabaseError as fault:
            return Damage(match, 0, say("damage.unreadable", why=harm(fault)))
        started, game, options, names, chained, state, rows, tip = found
        if head_hash(match, started, game, options, names) != chained or state not in ("open", "closed"):
            return Damage(match, 0, say("damage.head"))
        try:
            return StoredMatch.of(match, started, game, options, names, state, rows), chained, rows, tip
        except RefereeError as fault:
            return Damage(match, 0, say("damage.unreadable", why=fault))

    def _walk(self, match: int, *, listed: bool = False) -> tuple[StoredMatch | None, list[_Row], Damage | None]:
        """The match, its sound rows up to the first damage, and that damage."""
        head = self._head(match, listed=listed)
        if isinstance(head, Damage):
            return None, [], head
        stored, before, length, tip = head
        rows: list[_Row] = []
        query = "SELECT row, observation, rulings, hash FROM record WHERE place BETWEEN ? AND ? ORDER BY place"
        try:
            for row, seen, given, chained in self._connection.execute(query, places(match)):
                expected = len(rows) + 1
                if row != expected:
                    return stored, rows, Damage(match, expected, say("damage.missing"))
                if row_hash(before, match, row, seen, given) != chained:
                    return stored, rows, Damage(match, row, say("damage.row"))
                rows.append((observation_of(seen), rulings_of(given)))
                before = chained
        except RefereeError as fault:
            return stored, rows, Damage(match, len(rows) + 1, say("damage.unreadable", why=fault))
        except sqlite3.DatabaseError as fault:
            return stored, rows, Damage(match, len(rows) + 1, say("damage.unreadable", why=harm(fault)))
        if len(rows) < length:
            return stored, rows, Damage(match, len(rows) + 1, say("damage.end", rows=length))
        if len(rows) > length or before != tip:
            return stored, rows, Damage(match, len(rows) + 1, say("damage.longer"))
        return stored, rows, None

    def _one(self, query: str, *values: object) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._connection.execute(query, values).fetchone()
        return row

    def _no_match(self, match: int) -> RefereeError:
        return RefereeError(say("record.no-match", match=match, file=self.path))

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """One moment of the file: what others write meanwhile is not seen."""
        with self._lock, named(self.path):
            try:
                self._connection.execute("BEGIN")
                yield
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self._cut:
            raise RefereeError(say("record.file.cut", file=self.path))
        with self._lock, named(self.path):
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except sqlite3.Error as fault:
                # play goes on meanwhile: who waited in vain once asks without waiting until the file is free again
                self._wait(0.0 if code(fault) in BUSY else self._patience)
                raise
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
            self._wait(self._patience)

    def _wait(self, seconds: float) -> None:
        self._connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")
