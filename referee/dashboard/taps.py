"""What does a page ask for when somebody taps, may they ask it, and is it fit to be put in the record?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from referee.dashboard.access import Bearer
from referee.dashboard.requests import object_in
from referee.record.observations import (
    UNKNOWN,
    Corrected,
    Elapsed,
    Happening,
    OptionSet,
    Subject,
    Tossed,
    Undone,
    Voted,
    from_json,
    validated,
)
from referee.table.session import Session
from referee.table.speaking import CHATTER, NOTHING
from referee.text import say
from referee.text.calls import tell
from referee.text.faults import RefereeError

_SUBJECT: Final = TypeAdapter(Subject)
EDITS: Final = ("correct", "remove", "answer", "undo", "redo")
"""What changes the record of before: everything noticed until then is judged first."""
SEATS: Final = ("seat", "at", "against")
CERTAIN: Final = {
    "source": "tap",
    "confidence": 1.0,
    "seat_confidence": 1.0,
    "count_confidence": 1.0,
    "evidence": (),
    "alternatives": (),
}
"""What a page cannot say of what somebody taps: people know what they did."""


class AskFirstError(RefereeError):
    """People have to be asked before that is done.

    Attributes:
        of: the row of the record that is told when they agree.
    """

    def __init__(self, question: str, of: int) -> None:
        super().__init__(question)
        self.of = of


def parse(text: str) -> dict[str, Any]:
    """The message in `text`: `{"do": "tap", "what": {...}}`, with `id` if the page wants an answer.

    Raises:
        RefereeError: it is no such message.
    """
    message = object_in(text)
    if not isinstance(message.get("do"), str):
        raise RefereeError(say("pages.error.message"))
    return message


def carry_out(session: Session, message: Mapping[str, Any], bearer: Bearer) -> None:
    """Do what the host or a seat asks for.

    - `tap`: `what` happened just now (an observation without time and source);
    - `correct`: row `of` of the record was in truth `what`;
    - `remove`: row `of` did not happen (an undo that is removed itself puts back what it took out);
    - `answer`: one of the `answers` of an open question; `question` is its subject;
    - `voice`: to `seat` only what is at least as important as `least` is said aloud;
    - `undo`: the newest thing did not happen; somebody's vote only with its row as `of`, which `AskFirstError` tells;
    - `redo`: the newest undo did not happen.

    A seat taps what it did, said or wants itself, and may correct or remove what it tapped; the rest is the host's.

    Raises:
        RefereeError: it cannot be done, or not by this bearer, and nothing was changed.
    """
    if bearer.role not in ("host", "seat"):
        raise RefereeError(say("pages.error.spectator"))
    match message["do"]:
        case "tap":
            session.tap(_happening(session, message.get("what"), 0.0, bearer))
        case "correct":
            of = _row(session, message, bearer)
            what = _happening(session, message.get("what"), session.match.record[of - 1].t, bearer)
            session.edit(Corrected(t=0.0, of=of, by=what))
        case "remove":
            session.edit(Undone(t=0.0, of=_row(session, message, bearer)))
        case "answer":
            _answer(session, message, bearer)
        case "voice":
            _choose_voice(session, message, bearer)
        case "undo" | "redo" if bearer.role != "host":
            raise RefereeError(say("pages.error.host-only"))
        case "undo":
            _undo(session, message.get("of"))
        case "redo":
            session.redo()
        case _:
            raise RefereeError(say("pages.error.message"))


def _undo(session: Session, of: object) -> None:
    session.flush()
    row = session.match.undoable()
    vote = session.match.happening(row)
    if of is None and isinstance(vote, Voted):
        raise AskFirstError(say("pages.error.undo-vote", what=tell(vote, session.names)), row)
    if of not in (None, row):
        raise RefereeError(say("pages.error.undo-other"))
    session.undo()


def _answer(session: Session, message: Mapping[str, Any], bearer: Bearer) -> None:
    answer = message.get("answer")
    if not isinstance(answer, str):
        raise RefereeError(say("pages.error.message"))
    about = validated(_SUBJECT, message.get("question"), "question")
    session.answer(about, answer, bearer.seat if bearer.role == "seat" else UNKNOWN)


def _choose_voice(session: Session, message: Mapping[str, Any], bearer: Bearer) -> None:
    seat, least = message.get("seat"), message.get("least")
    if type(least) is not int or not CHATTER <= least <= NOTHING or session.speaker is None:
        raise RefereeError(say("pages.error.message"))
    if bearer.role == "seat" and seat != bearer.seat:
        raise RefereeError(say("pages.error.host-only"))
    if not isinstance(seat, str) or seat not in (*session.standing.players, UNKNOWN):
        raise RefereeError(say("pages.error.seat", seat=str(seat)[:12]))
    session.speaker.choose(seat, least)


def _happening(session: Session, what: object, t: float, bearer: Bearer) -> Happening:
    if not isinstance(what, dict):
        raise RefereeError(say("pages.error.message"))
    read = from_json({**what, **CERTAIN, "t": t})
    if isinstance(read, Undone | Corrected | Elapsed | Tossed) or (
        isinstance(read, OptionSet) and not _may_set(session, read)
    ):
        raise RefereeError(say("pages.error.kind", kind=read.kind))
    seats = session.standing.players + UNKNOWN
    for name in SEATS:
        seat = getattr(read, name, UNKNOWN)
        if seat not in seats:
            raise RefereeError(say("pages.error.seat", seat=seat))
    if isinstance(read, Voted) and (read.ruling or read.subject not in (None, *session.match.subjects())):
        raise RefereeError(say("pages.error.ruling"))
    if isinstance(read, OptionSet) and bearer.role != "host":
        raise RefereeError(say("pages.error.host-only"))
    if bearer.role == "seat" and getattr(read, "seat", bearer.seat) != bearer.seat:
        raise RefereeError(say("pages.error.own-seat"))
    return read


def _may_set(session: Session, read: OptionSet) -> bool:
    return read.value in session.match.game.changeable(session.match.state).get(read.name, ())


def _row(session: Session, message: Mapping[str, Any], bearer: Bearer) -> int:
    of = message.get("of")
    if type(of) is not int or not 1 <= of <= len(session.match.record):
        raise RefereeError(say("pages.error.row", row=str(of)[:12]))
    row = session.match.record[of - 1]
    if isinstance(row, Tossed):
        raise RefereeError(say("pages.error.coin"))
    if bearer.role == "seat" and (row.source != "tap" or getattr(row, "seat", UNKNOWN) != bearer.seat):
        raise RefereeError(say("pages.error.own-row"))
    return of
