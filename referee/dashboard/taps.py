"""What does a page ask for when somebody taps, and is it fit to be put in the record?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from referee.faults import RefereeError
from referee.observations import UNKNOWN, Corrected, Elapsed, Happening, OptionSet, Undone, from_json
from referee.session import Session
from referee.text import say

LARGEST: Final = 4096
"""Bytes of a message from a page; the longest honest one has about 500."""
SEATS: Final = ("seat", "at", "against")


def parse(text: str) -> dict[str, Any]:
    """The message in `text`: `{"do": "tap", "what": {...}}`, with `id` if the page wants an answer.

    Raises:
        RefereeError: it is no such message.
    """
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or not isinstance(message.get("do"), str):
        raise RefereeError(say("pages.error.message"))
    return message


def carry_out(session: Session, message: Mapping[str, Any]) -> None:
    """Do what a host asks for.

    - `tap`: `what` happened just now (an observation without time and source);
    - `correct`: row `of` of the record was in truth `what`;
    - `remove`: row `of` did not happen (an undo that is removed itself puts back what it took out);
    - `undo`: the newest thing did not happen.

    Raises:
        RefereeError: it cannot be done, and nothing was changed.
    """
    match message["do"]:
        case "tap":
            session.tap(_happening(session, message.get("what"), 0.0))
        case "correct":
            of = _row(session, message)
            what = _happening(session, message.get("what"), session.match.record[of - 1].t)
            session.edit(Corrected(t=0.0, of=of, by=what))
        case "remove":
            session.edit(Undone(t=0.0, of=_row(session, message)))
        case "undo":
            session.undo()
        case _:
            raise RefereeError(say("pages.error.message"))


def _happening(session: Session, what: object, t: float) -> Happening:
    if not isinstance(what, dict):
        raise RefereeError(say("pages.error.message"))
    read = from_json({**what, "t": t, "source": "tap", "confidence": 1.0, "evidence": (), "alternatives": ()})
    if isinstance(read, Undone | Corrected | Elapsed | OptionSet):
        raise RefereeError(say("pages.error.kind", kind=read.kind))
    seats = session.standing.players + UNKNOWN
    for name in SEATS:
        seat = getattr(read, name, UNKNOWN)
        if seat not in seats:
            raise RefereeError(say("pages.error.seat", seat=seat))
    return read


def _row(session: Session, message: Mapping[str, Any]) -> int:
    of = message.get("of")
    if type(of) is not int or not 1 <= of <= len(session.match.record):
        raise RefereeError(say("pages.error.row", row=str(of)[:12]))
    return of
