"""Which match does a file hold, written in table notation or as JSON lines?"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from referee.cli.common import seats_and_names
from referee.games import DEFAULT_GAME
from referee.record.jsontext import parse
from referee.record.match import with_subjects
from referee.record.newer import Unknown, gathered, unknown
from referee.record.notation import read_match, read_options
from referee.record.observations import KINDS, AnyObservation, Happening, Seat, Voted, from_json, read
from referee.text import say
from referee.text.faults import RefereeError

DEFAULT_PLAYERS: Final = "ABCD"


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A match as a file holds it: the game, its options, the players' names and the record.

    Attributes:
        newer: rows, from 1, that hold what this version does not know, as JSON values.
    """

    game: str
    options: dict[str, str]
    names: dict[Seat, str]
    record: tuple[AnyObservation, ...]
    newer: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def unknown(self) -> Unknown:
        """What a newer version wrote that this one does not know, and in which rows."""
        return gathered((row, unknown(written)) for row, written in self.newer.items())


def read_text(file: str) -> str:
    """The text of `file`; `-` is standard input.

    Raises:
        RefereeError: it is not there, or is no text.
    """
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig").read()
    except FileNotFoundError:
        raise RefereeError(say("file.missing", file=file)) from None
    except (OSError, UnicodeDecodeError) as fault:
        raise RefereeError(say("file.unreadable", file=file, why=fault)) from None


def read_match_file(file: str, game: str = "", players: str = "", extra: Iterable[str] = ()) -> MatchFile:
    """The match in `file`; `game`, `players` and the `key=value` words of `extra` win over what the file says.

    Raises:
        RefereeError: the file, an option or a line of it cannot be read; the message says where.
    """
    text = read_text(file)
    notation = not text.lstrip().startswith("{")
    told, record, newer = _notation(text, file) if notation else _json_lines(text, file)
    named, told_game = told.pop("names", ""), told.pop("game", "")
    seats, names = seats_and_names(players or named or told.get("players", DEFAULT_PLAYERS))
    options = {"players": seats, **told, **read_options(" ".join(extra))}
    played = game or told_game or DEFAULT_GAME
    voted = notation and any(isinstance(seen, Voted) for seen in record)
    return MatchFile(played, options, names, with_subjects(played, options, record) if voted else tuple(record), newer)


def read_taps(file: str) -> tuple[Happening, ...]:
    """What people tapped, in table notation.

    Raises:
        RefereeError: the file or a token of it cannot be read; the message says where.
    """
    return tuple(tap for tap in _notation(read_text(file), file)[1] if isinstance(tap, Happening.__args__))


_Read: TypeAlias = tuple[dict[str, str], list[AnyObservation], dict[int, dict[str, Any]]]
"""Options, record, and its rows that hold something unknown."""


def _notation(text: str, file: str) -> _Read:
    try:
        options, items = read_match(text)
    except RefereeError as fault:
        raise RefereeError(say("file.in", file=file, what=fault)) from None
    return options, [item for item in items if isinstance(item, KINDS)], {}


def _json_lines(text: str, file: str) -> _Read:
    """JSON lines: observations, and before them, if wanted, one object `{"options": {…}}`.

    Kinds that this version does not know may be a newer one's; known kinds must be well written.
    """
    options: dict[str, str] = {}
    newer: dict[int, dict[str, Any]] = {}
    record: list[AnyObservation] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = parse(line)
            if not record and isinstance(value, dict) and isinstance(value.get("options"), dict):
                options = {str(key): str(entry) for key, entry in value["options"].items()}
                continue
            if isinstance(value, dict) and unknown(value):
                newer[len(record) + 1] = value
            record.append(read(value) if _other(value) else from_json(value))
        except RefereeError as fault:
            raise RefereeError(say("file.line", file=file, line=number, what=fault)) from None
    return options, record, newer


def _other(value: object) -> bool:
    """Whether `value` is something that happened of a kind that this version does not know."""
    kind = value.get("kind") if isinstance(value, dict) else None
    return isinstance(kind, str) and not any(kind == known.__dataclass_fields__["kind"].default for known in KINDS)
