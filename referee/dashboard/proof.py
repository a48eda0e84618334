"""How is the evidence for a ruling, or for a row of the record, shown to those at the table?"""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from referee.calls import Names, possible, tell
from referee.dashboard.desk import PRIVATE, Desk
from referee.observations import AnyObservation
from referee.rulings import Penalty, Question, Turn
from referee.text import has, say

KINDS: Final = {"before": "image/jpeg", "after": "image/jpeg", "sound": "audio/wav"}
HEARD: Final = ("listened", "free")


def proof_routes(desk: Desk) -> APIRouter:
    """The evidence of `desk`'s match, for everybody with the table's code."""
    router = APIRouter()

    def live(row: int) -> dict[str, Any]:
        there = desk.evidence.names(row) if desk.evidence else frozenset[str]()
        return shown(row, desk.session.match.record[row - 1], desk.session.names, there, "/evidence/row")

    @router.get("/evidence/ruling/{number}")
    async def of_ruling(number: int, request: Request) -> Response:
        """What ruling `number` rests on: observations with their frames, their sound and what the ear made of it."""
        if not desk.bearer(request).inside:
            return JSONResponse({"error": say("pages.error.code")}, 403, headers=PRIVATE)
        ruling = next((r for r in desk.session.match.rulings if r.number == number and not isinstance(r, Turn)), None)
        if ruling is None:
            return JSONResponse({"error": say("pages.error.ruling")}, 404, headers=PRIVATE)
        rule = f"rule.{ruling.rule}"
        rule_text = say(rule) if ruling.rule and has(rule) else ""
        rows = [live(row) for row in ruling.rests_on]
        thought = possible(ruling, desk.session.names) if isinstance(ruling, Penalty | Question) else ""
        found = {"error": "", "rule": ruling.rule, "ruleText": rule_text, "possible": thought, "rows": rows}
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


def shown(row: int, seen: AnyObservation, names: Names, there: frozenset[str], home: str) -> dict[str, Any]:
    """What there is to show for row `row` of a record.

    Args:
        there: which of its files are kept.
        home: the address below which they are found.
    """
    decodes = dict(part.split(": ", 1) for part in seen.evidence if part.startswith(HEARD))
    return {
        "row": row,
        "text": tell(seen, names),
        "t": seen.t,
        "source": seen.source,
        "confidence": seen.confidence,
        "alternatives": [[str(card), share] for card, share in getattr(seen, "alternatives", ())],
        "decodes": [decodes[name] for name in HEARD if name in decodes],
        **{name: f"{home}/{row}/{name}" if name in there else "" for name in KINDS},
    }
