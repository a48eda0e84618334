"""Which match does a file hold, written in table notation or as JSON lines?"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.cli.common import seats_and_names
from referee.faults import RefereeError
from referee.notation import read_match, read_options
from referee.observations import KINDS, AnyObservation, Seat, from_json

DEFAULT_GAME: Final = "uncle-baiting"
DEFAULT_PLAYERS: Final = "ABCD"


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A match as a file holds it: the game, its options, the players' names and the record."""

    game: str
    options: dict[str, str]
    names: dict[Seat, str]
    record: tuple[AnyObservation, ...]


def read_text(file: str) -> str:
    """The text of `file`; `-` is standard input.

    Raises:
        RefereeError: it is not there, or is no text.
    """
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RefereeError(f"there is no file {file}: check the name") from None
    except (OSError, UnicodeDecodeError) as fault:
        raise RefereeError(f"cannot read {file} as text: {fault}") from None


def read_match_file(file: str, game: str = "", players: str = "", extra: Iterable[str] = ()) -> MatchFile:
    """The match in `file`; `game`, `players` and the `key=value` words of `extra` win over what the file says.

    Raises:
        RefereeError: the file, an option or a line of it cannot be read; the message says where.
    """
    text = read_text(file)
    told, record = _json_lines(text, file) if text.lstrip().startswith("{") else _notation(text, file)
    named, told_game = told.pop("names", ""), told.pop("game", "")
    seats, names = seats_and_names(players or named or told.get("players", DEFAULT_PLAYERS))
    options = {"players": seats, **told, **read_options(" ".join(extra))}
    return MatchFile(game or told_game or DEFAULT_GAME, options, names, tuple(record))


def _notation(text: str, file: str) -> tuple[dict[str, str], list[AnyObservation]]:
    try:
        options, items = read_match(text)
    except RefereeError as fault:
        raise RefereeError(f"{file}, {fault}") from None
    return options, [item for item in items if isinstance(item, KINDS)]


def _json_lines(text: str, file: str) -> tuple[dict[str, str], list[AnyObservation]]:
    """JSON lines: observations, and before them, if wanted, one object `{"options": {…}}`."""
    options: dict[str, str] = {}
    record: list[AnyObservation] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            if not record and isinstance(value, dict) and isinstance(value.get("options"), dict):
                options = {str(key): str(entry) for key, entry in value["options"].items()}
                continue
            record.append(from_json(value))
        except json.JSONDecodeError as fault:
            raise RefereeError(f"{file}, line {number}, column {fault.colno}: not JSON: {fault.msg}") from None
        except RefereeError as fault:
            raise RefereeError(f"{file}, line {number}: {fault}") from None
    return options, record
