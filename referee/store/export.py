"""How is a stored match written as text that `referee judge` and `referee import` read?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from referee.record.match import Match
from referee.record.notation import read_match, token_of, write
from referee.record.observations import KINDS, Happening, Newer, Seat, Subject, Voted
from referee.record.rulings import Penalty, Question
from referee.store.file import beside, canonical
from referee.store.matches import Record, StoredMatch
from referee.text import say
from referee.text.faults import RefereeError


def as_json_lines(record: Record) -> Iterator[str]:
    """The record without loss: a line `{"options": {…}}`, then every row, edits among them."""
    yield canonical({"options": _options(record)})
    for seen in record.written:
        yield canonical(seen)


def save_apart(matches: Path, number: int, match: Match, names: Mapping[Seat, str]) -> Path:
    """Write match `number`, which the file `matches` does not take, to a file of its own, as JSON lines; which one.

    Raises:
        RefereeError: no disk takes it.
    """
    stored = StoredMatch(
        id=number,
        started=datetime.now(UTC),
        game=match.game.name,
        options=match.options,
        names=names,
        state="open",
        rows=len(match.record),
    )
    record = Record(stored, tuple(seen.to_json() for seen in match.record), ((),) * len(match.record))
    try:
        path = beside(matches, f"match-{number}-saved", ".jsonl")
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in as_json_lines(record))
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        raise RefereeError(say("record.nowhere", why=fault.strerror or str(fault))) from None
    return path


def as_notation(record: Record) -> str:
    """What happened in the end, with edits carried out: a line of options, then table notation.

    Notation does not say how sure the eye and the ear were, so it may be judged differently. Rows that only a newer
    version can read are comments at the end.

    Raises:
        RefereeError: notation cannot say it.
    """
    happenings = _numbered(record.resume())
    options = _options(record)
    head = " ".join(f"{key}={value}" for key, value in options.items())
    text = f"{head}\n{write(happenings)}\n"
    # What people say, and what house rules are called, may hold what notation cannot: better no file than a wrong one.
    try:
        read, items = read_match(text)
    except RefereeError:
        read, items = {}, []
    said = [token_of(item) for item in items if isinstance(item, KINDS) and item.kind != "elapsed"]
    if read != options or said != [token_of(happening) for happening in happenings if happening.kind != "elapsed"]:
        raise RefereeError(say("record.not-notation", match=record.match.id))
    newer = (f"# {canonical(seen.to_json())}\n" for seen in record.observations if isinstance(seen, Newer))
    return text + "".join(newer)


def _numbered(match: Match) -> list[Happening]:
    """What happened; votes tell the number of what they are about, and those on what is gone are left out."""
    told: list[Happening] = []
    numbers: dict[Subject, int] = {}
    for reading in match.read():
        happening = reading.happening
        if not isinstance(happening, Voted) or happening.subject is None:
            told.append(happening)
        elif happening.subject in numbers:
            told.append(replace(happening, subject=None, ruling=numbers[happening.subject]))
        numbers |= {r.subject: r.number for r in reading.rulings if isinstance(r, Question | Penalty)}
    return told


def _options(record: Record) -> dict[str, str]:
    """The match's options as one flat table, `game` and `names` among them."""
    match = record.match
    seats = match.options.get("players", "") or "".join(sorted(match.names))
    names = [re.sub(r"[\s,]+", "_", match.names.get(seat, seat).strip()) for seat in seats]
    told = {"names": ",".join(names)} if names != list(seats) and len(set(names)) == len(names) else {}
    return {"game": match.game, "players": seats, **match.options, **told}
