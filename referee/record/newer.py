"""What of a record was written by a newer version and is not known to this one, and how is that told?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, Final, TypeAlias

from referee.record import observations, rulings
from referee.text import say
from referee.text.calls import Names, call, listed
from referee.text.faults import RefereeError

Unknown: TypeAlias = Mapping[str, list[int]]
"""What is not known, `landed.mood` for a field, and the rows that hold it."""
NAMED: Final = 5
"""Rows that are named one by one."""


def unknown(seen: Mapping[str, Any], given: Iterable[Mapping[str, Any]] = ()) -> tuple[str, ...]:
    """What this version does not know of the observation `seen` and of the rulings `given` to it, as JSON values."""
    found = _strange(seen, observations.KINDS, observations.from_json)
    for ruling in given:
        found += _strange(ruling, rulings.KINDS, rulings.from_json)
    by = seen.get("by")
    return found + unknown(by) if not found and isinstance(by, Mapping) else found


def gathered(rows: Iterable[tuple[int, Iterable[str]]]) -> Unknown:
    """What `rows`, numbered, hold of `unknown`."""
    found: dict[str, list[int]] = {}
    for row, names in rows:
        for name in dict.fromkeys(names):
            found.setdefault(name, []).append(row)
    return found


def told(unknown: Unknown) -> list[str]:
    """A sentence for each thing that is not known."""
    return [say("newer.rows", what=what, rows=_listed(rows)) for what, rows in unknown.items()]


def recorded_call(recorded: Mapping[str, Any], names: Names) -> str:
    """The sentence for a ruling that was recorded; of one that this version does not know, what was written."""
    ruling = rulings.read(recorded)
    try:
        if ruling:
            return call(ruling, names)
    except (KeyError, ValueError):
        pass  # a known kind of ruling, about something that is not
    return say("newer.ruling", what=listed(recorded))


def _listed(rows: list[int]) -> str:
    if len(rows) == 1:
        return say("newer.row", row=rows[0])
    listed = ", ".join(map(str, rows[:NAMED]))
    more = len(rows) - NAMED
    return say("newer.more", rows=listed, more=more) if more > 0 else say("newer.some", rows=listed)


def _strange(data: Mapping[str, Any], kinds: tuple[Any, ...], read: Callable[[object], object]) -> tuple[str, ...]:
    """The fields and values of `data` that are not those of the one of `kinds` that it says it is."""
    kind = str(data.get("kind"))[:40]
    known = next((known for known in kinds if known.__dataclass_fields__["kind"].default == kind), None)
    if known is None:
        return (kind,)
    names = {field.name for field in fields(known)}
    found = tuple(f"{kind}.{name[:40]}" for name in data if name not in names)
    try:
        read(data)
    except RefereeError as fault:
        found += (str(fault).split(": ", 1)[-1],)
    return found
