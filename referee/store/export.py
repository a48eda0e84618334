"""How is a stored match written as text that `referee judge` and `referee import` read?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from referee.faults import RefereeError
from referee.match import Match
from referee.notation import read_match, token_of, write
from referee.observations import KINDS, Happening, Newer, Subject, Voted
from referee.rulings import Penalty, Question
from referee.store.file import canonical
from referee.store.matches import Record


def as_json_lines(record: Record) -> Iterator[str]:
    """The record without loss: a line `{"options": {…}}`, then every row, edits among them."""
    yield canonical({"options": _options(record)})
    for seen in record.written:
        yield canonical(seen)


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
        raise RefereeError(f"match {record.match.id} cannot be written in notation: export it --to jsonl")
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
