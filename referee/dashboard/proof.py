"""How is the evidence for a ruling, or for a row of the record, shown to those at the table?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from referee.dashboard.desk import PRIVATE, Desk
from referee.record.observations import AnyObservation
from referee.record.rulings import Penalty, Question, Turn
from referee.text import say
from referee.text.calls import Names, possible, rule_text, tell_row

KINDS: Final = {"before": "image/jpeg", "after": "image/jpeg", "sound": "audio/wav"}
HEARD: Final = ("listened", "free")


def proof_routes(desk: Desk) -> APIRouter:
    """The evidence of `desk`'s match, for everybody with the table's code."""
    router = APIRouter()

    def live(row: int) -> dict[str, Any]:
        there = desk.evidence.names(row) if desk.evidence else frozenset[str]()
        match = desk.session.match
        return shown(row, match.record, desk.session.names, there, "/evidence/row", match.turned_over)

    @router.get("/evidence/ruling/{number}")
    async def of_ruling(number: int, request: Request) -> Response:
        """What ruling `number` rests on: observations with their frames, their sound and what the ear made of it."""
        if not desk.bearer(request).inside:
            return JSONResponse({"error": say("pages.error.code")}, 403, headers=PRIVATE)
        ruling = desk.session.match.ledger.numbered(number)
        if ruling is None or isinstance(ruling, Turn):
            return JSONResponse({"error": say("pages.error.ruling")}, 404, headers=PRIVATE)
        match = desk.session.match
        told = rule_text(ruling.rule, match.game.in_play(match.state))
        rows = [live(row) for row in ruling.rests_on]
        thought = possible(ruling, desk.session.names) if isinstance(ruling, Penalty | Question) else ""
        found = {"error": "", "rule": ruling.rule, "ruleText": told, "possible": thought, "rows": rows}
        return JSONResponse(found, headers=PRIVATE)

    @router.get("/evidence/row/{row}")
    async def of_row(row: int, request: Request) -> Response:
        """The same for row `row` of the record alone."""
        if not desk.bearer(request).inside:
            return JSONResponse({"error": say("pages.error.code")}, 403, headers=PRIVATE)
        if not 1 <= row <= len(desk.session.match.record):
            return JSONResponse({"error": say("pages.error.row", row=str(row)[:12])}, 404, headers=PRIVATE)
        return JSONResponse({"error": "", "rule": "", "ruleText": "", "rows": [live(row)]}, headers=PRIVATE)

    @router.get("/evidence/row/{row}/{name}")
    async def file(row: int, name: str, request: Request) -> Response:
        """A frame or the sound; only names that we gave are looked for."""
        if not desk.bearer(request).inside:
            return Response(status_code=403, headers=PRIVATE)
        data = desk.evidence.read(row, name) if desk.evidence and name in KINDS else None
        if data is None:
            return Response(status_code=404, headers=PRIVATE)
        return Response(data, media_type=KINDS[name], headers=PRIVATE)

    return router


def shown(
    row: int,
    record: Sequence[AnyObservation],
    names: Names,
    there: frozenset[str],
    home: str,
    turned_over: frozenset[int],
) -> dict[str, Any]:
    """What there is to show for row `row` of `record`.

    Args:
        there: which of its files are kept.
        home: the address below which they are found.
        turned_over: the rows of the card that began the match.
    """
    seen = record[row - 1]
    decodes = dict(part.split(": ", 1) for part in seen.evidence if part.startswith(HEARD))
    return {
        "row": row,
        "text": tell_row(record, row, names, turned_over),
        "t": seen.t,
        "source": seen.source,
        "confidence": seen.confidence,
        "alternatives": [[str(card), share] for card, share in getattr(seen, "alternatives", ())],
        "decodes": [decodes[name] for name in HEARD if name in decodes],
        **{name: f"{home}/{row}/{name}" if name in there else "" for name in KINDS},
    }
