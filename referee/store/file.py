"""Where is the file of the matches, what is in it, and what is wrong when SQLite cannot use it?"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Final

import platformdirs

from referee.text import has, say
from referee.text.faults import RefereeError

SCHEMA_VERSION: Final = 1
APPLICATION: Final = 0x52464545  # "RFEE" in the file's head: this database is ours

_SCHEMA: Final = (
    "PRAGMA journal_mode = WAL",
    "BEGIN",
    """CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,   -- wall clock, ISO 8601 in UTC
    game TEXT NOT NULL,
    options TEXT NOT NULL,   -- canonical JSON, as all JSON here
    names TEXT NOT NULL,
    hash TEXT NOT NULL,      -- of the five columns above: what row 1 of the record is chained to
    state TEXT NOT NULL,     -- open or closed
    rows INTEGER NOT NULL,   -- how long the record is, and
    tip TEXT NOT NULL        -- the hash of its last row: a record that lost its end is known by them
)""",
    # One flat tree in the order of play: a damaged page takes no more with it than the rows that are on it.
    """CREATE TABLE record (
    place INTEGER PRIMARY KEY,                   -- see `place`
    match INTEGER AS (place >> 32),
    row INTEGER AS (place & 0xffffffff),         -- from 1
    observation TEXT NOT NULL,
    rulings TEXT NOT NULL,                       -- what the referee answered when it was recorded
    hash TEXT NOT NULL
)""",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
    "COMMIT",
)


def default_path() -> Path:
    """The file that holds the matches: `$REFEREE_DATA`, or one in the user's data folder."""
    return Path(os.environ.get("REFEREE_DATA") or platformdirs.user_data_path("table-referee") / "matches.db")


MATCHES_MOST: Final = 2**31 - 1


def place(match: int, row: int) -> int:
    """Where a row of a match is kept in the table of all rows."""
    return match << 32 | row


def places(match: int) -> tuple[int, int]:
    """The first and the last place that a row of `match` may have."""
    return place(match, 1), place(match, 2**32 - 1)


def canonical(value: object) -> str:
    """The one way to write `value` as JSON that hashes are made of: ASCII, keys sorted, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def head_hash(match: int, started: str, game: str, options: str, names: str) -> str:
    """SHA-256 of a match's beginning; `options` and `names` are canonical JSON."""
    return _hash(canonical(match), canonical(str(started)), canonical(str(game)), options, names)


def row_hash(before: str, match: int, row: int, observation: str, rulings: str) -> str:
    """SHA-256 of a row of a record; `before` is the hash before it, `observation` and `rulings` are canonical JSON."""
    return _hash(canonical(before), canonical(match), canonical(row), observation, rulings)


def _hash(*parts: str) -> str:
    return sha256(f"[{','.join(map(str, parts))}]".encode(errors="surrogatepass")).hexdigest()


def make(path: Path) -> None:
    """Make the file where there is none yet, whole or not at all: an empty one has lost what it held.

    Raises:
        OSError: the folder cannot be made or written.
        sqlite3.Error: the disk does not take it; see `named`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".new", dir=path.parent)
    os.close(handle)
    new = Path(name)
    try:
        with closing(sqlite3.connect(new, isolation_level=None)) as connection:
            for statement in _SCHEMA:
                connection.execute(statement)
        try:
            path.hardlink_to(new)
        except FileExistsError:
            pass  # another referee was quicker
        except OSError:  # a file system without hard links
            if not path.exists():
                new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def copied(connection: sqlite3.Connection, lost: Path) -> Path:
    """A new file with all that `connection` has open, beside where `lost` was, or where else there is room.

    Raises:
        OSError: there is none.
        sqlite3.Error: what is open cannot be read.
    """
    new = beside(lost, f"{lost.stem}-saved", lost.suffix)
    try:
        with closing(sqlite3.connect(new)) as copy:
            connection.backup(copy)
    except sqlite3.Error:
        new.unlink()
        raise
    return new


def identity(path: Path) -> tuple[int, int] | None:
    """Which file lies at `path`; None where none does."""
    try:
        there = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return there.st_dev, there.st_ino


def beside(matches: Path, name: str, ending: str) -> Path:
    """A new, empty file beside `matches`, called `name`; where that folder takes nothing, in another one.

    Raises:
        OSError: no folder takes it.
    """
    faults: list[OSError] = []
    for folder in (matches.parent, default_path().parent, Path(tempfile.gettempdir())):
        for number in count(1):
            path = folder / f"{name}{f'-{number}' if number > 1 else ''}{ending}"
            try:
                folder.mkdir(parents=True, exist_ok=True)
                path.touch(0o600, exist_ok=False)
                return path
            except FileExistsError:
                continue
            except OSError as fault:
                faults.append(fault)
                break
    raise faults[0]


def connect(path: Path, patience: float) -> tuple[sqlite3.Connection, bool]:
    """Open the file and say whether its end is missing: then it can only be read.

    Raises:
        RefereeError: it is no record of the referee, or a newer referee's.
        sqlite3.Error: it cannot be opened; see `named`.
    """
    try:
        return _opened(path, "rw", patience)
    except sqlite3.Error as fault:
        if code(fault) in ("CANTOPEN", "READONLY") and path.exists() and _nothing_beside(path):
            return _opened(path, "ro&immutable=1", patience)  # a folder that may not be written
        raise


def _opened(path: Path, mode: str, patience: float) -> tuple[sqlite3.Connection, bool]:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=patience, isolation_level=None, check_same_thread=False)
    try:
        return connection, _prepare(connection, path)
    except BaseException:
        connection.close()
        raise


def _nothing_beside(path: Path) -> bool:
    """Whether all is in the file itself and nothing still in its write-ahead log."""
    log = path.with_name(path.name + "-wal")
    return not log.exists() or not log.stat().st_size


def _prepare(connection: sqlite3.Connection, path: Path) -> bool:
    cut = False
    try:
        tables = _number(connection, _TABLES)
    except sqlite3.DatabaseError as fault:
        if code(fault) != "CORRUPT":
            raise
        cut = True
        connection.execute("PRAGMA writable_schema = ON")  # SQLite's way to read a file whose end is missing
        connection.execute("PRAGMA query_only = ON")
        try:
            tables = _number(connection, _TABLES)
        except sqlite3.DatabaseError:
            raise RefereeError(say("record.file.beginning", file=path)) from None
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: fsync alone leaves data in the drive's cache
    connection.execute("PRAGMA cell_size_check = ON")
    if not tables:
        raise RefereeError(say("record.file.empty", file=path))
    if _number(connection, "PRAGMA application_id") != APPLICATION:
        raise RefereeError(say("record.file.foreign", file=path))
    if _number(connection, "PRAGMA user_version") > SCHEMA_VERSION:
        raise RefereeError(say("record.file.newer", file=path))
    return cut


def _number(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


_TABLES: Final = "SELECT count(*) FROM sqlite_master"
BUSY: Final = ("BUSY", "LOCKED", "PROTOCOL")
_HARM: Final = ("CORRUPT", "NOTADB", "IOERR", "ERROR", "")


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Turn what SQLite says of the file into a fault that names the file and the remedy.

    Raises:
        RefereeError: in place of an `sqlite3.Error` or an `OSError`.
    """
    try:
        yield
    except OSError as fault:
        raise RefereeError(say("record.file.other", file=path, why=fault.strerror)) from None
    except sqlite3.Error as fault:
        key = f"record.file.{'BUSY' if code(fault) in BUSY else code(fault)}"
        raise RefereeError(say(key if has(key) else "record.file.other", file=path, why=fault)) from None


def code(fault: Exception) -> str:
    """SQLite's primary name of the fault, as `BUSY`; empty when it is not from SQLite's own code."""
    return str(getattr(fault, "sqlite_errorname", "")).removeprefix("SQLITE_").split("_")[0]


def harm(fault: sqlite3.Error) -> str:
    """What is wrong with the bytes of the file.

    Raises:
        sqlite3.Error: `fault` itself, when it says nothing of them.
    """
    if code(fault) not in _HARM or isinstance(fault, sqlite3.ProgrammingError):
        raise fault
    return str(fault)


def quick_check(connection: sqlite3.Connection) -> str:
    """What SQLite itself finds wrong; `ok` where it finds nothing."""
    try:
        return " ".join(str(connection.execute("PRAGMA quick_check(1)").fetchone()[0]).split())
    except sqlite3.DatabaseError as fault:
        return harm(fault)
