"""Which matches were played, and what happened in each of them, step by step?

Everything is asked for by numbers that the store knows; no name from a request reaches the file system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from referee.dashboard.desk import PRIVATE, Desk
from referee.dashboard.proof import KINDS, shown
from referee.record.match import Match, Reading, undone
from referee.record.newer import recorded_call, told
from referee.record.observations import Elapsed, Seat
from referee.record.rulings import AnyRuling, Penalty, Question, Settled, Turn, Win, read
from referee.store import DamagedRecordError, Record, Store, StoredMatch
from referee.store.export import as_json_lines, as_notation
from referee.table.evidence import Shelf
from referee.text import has, say
from referee.text.calls import Names, card_name, rule_text, tell_row
from referee.text.faults import RefereeError

MOST: Final = 200
"""Matches that a page is told of, the newest."""
FORMS: Final[dict[str, Callable[[Record], str]]] = {
    "jsonl": lambda record: "".join(f"{line}\n" for line in as_json_lines(record)),
    "txt": as_notation,
}
"""Ways to export a match, by the ending of the file's name."""


def archive_routes(desk: Desk) -> APIRouter:
    """The matches that are kept where `desk`'s is, for everybody with the table's code.

    The answers are made in threads of their own (`def`, not `async def`): a long record does not stop play.
    """
    router = APIRouter()

    def answered(request: Request, answer: Callable[[Store], Response]) -> Response:
        """What `answer` gives, unless whoever asks may not know or the store cannot tell."""
        if not desk.bearer(request).inside:
            return JSONResponse({"error": say("pages.error.code")}, 403, headers=PRIVATE)
        if desk.store is None:
            return JSONResponse({"error": say("pages.error.no-store")}, 404, headers=PRIVATE)
        try:
            return answer(desk.store)
        except RefereeError as fault:
            told = str(fault).replace(str(desk.store.path), desk.store.path.name)  # where it lies is nobody's business
            return JSONResponse({"error": told}, 404, headers=PRIVATE)

    @router.get("/matches.json")
    def listed(request: Request) -> Response:
        """The newest matches, and what is damaged."""

        def answer(store: Store) -> Response:
            damaged = [str(damage) for damage in store.verify(rows=False)]
            matches = [_listed(store, match, damaged) for match in store.matches()[: -MOST - 1 : -1]]
            return JSONResponse({"error": "", "matches": matches, "damaged": damaged}, headers=PRIVATE)

        return answered(request, answer)

    @router.get("/matches/{number}/steps")
    def steps(number: int, request: Request) -> Response:
        """What happened in match `number`: every row of its record, what was ruled, and how the table stood then."""

        def answer(store: Store) -> Response:
            record, damage = _load(store, number)
            wrong = [*([damage] if damage else []), *told(record.unknown)]
            found = {
                "match": _head(record.match, store.winner(number) if not damage else None),
                "wrong": wrong,
                "steps": _steps(record),
            }
            return JSONResponse({"error": "", **found}, headers=PRIVATE)

        return answered(request, answer)

    @router.get("/matches/{number}/row/{row}")
    def of_row(number: int, row: int, request: Request) -> Response:
        """The evidence that is kept for row `row` of match `number`."""

        def answer(store: Store) -> Response:
            record, _ = _load(store, number)
            if not 1 <= row <= len(record.observations):
                raise RefereeError(say("pages.error.row", row=str(row)[:12]))
            shelf = _shelf(desk, number)
            there = shelf.names(row) if shelf else frozenset[str]()
            found = shown(row, record.observations, record.match.names, there, f"/matches/{number}/row", _first(record))
            return JSONResponse({"error": "", "rows": [found]}, headers=PRIVATE)

        return answered(request, answer)

    @router.get("/matches/{number}/row/{row}/{name}")
    def file(number: int, row: int, name: str, request: Request) -> Response:
        """A frame or the sound; only names that we gave are looked for, of matches that the store knows."""

        def answer(store: Store) -> Response:
            shelf = _shelf(desk, number)
            known = any(match.id == number and 1 <= row <= match.rows for match in store.matches())
            data = shelf.read(row, name) if shelf and known and name in KINDS else None
            if data is None:
                return Response(status_code=404, headers=PRIVATE)
            return Response(data, media_type=KINDS[name], headers=PRIVATE)

        return answered(request, answer)

    @router.get("/matches/{number}/export/{form}")
    def export(number: int, form: str, request: Request) -> Response:
        """Match `number` as a file that `referee import` reads."""

        def answer(store: Store) -> Response:
            if form not in FORMS:
                return Response(status_code=404, headers=PRIVATE)
            name = {"content-disposition": f'attachment; filename="match-{number}.{form}"'}
            return Response(FORMS[form](store.load(number)), media_type="text/plain", headers={**PRIVATE, **name})

        return answered(request, answer)

    return router


def _shelf(desk: Desk, match: int) -> Shelf | None:
    return desk.evidence.shelf(match) if desk.evidence else None


def _load(store: Store, number: int) -> tuple[Record, str]:
    """Match `number` as far as it is sound, and what is wrong with the rest."""
    try:
        return store.load(number), ""
    except DamagedRecordError as fault:
        if fault.sound is None:
            raise
        return fault.sound, str(fault)


def _listed(store: Store, match: StoredMatch, damaged: list[str]) -> dict[str, Any]:
    """What the list tells of one match; one whose rows cannot be read is named in `damaged` and stays in the list."""
    try:
        return _head(match, store.winner(match.id))
    except RefereeError:
        damaged += map(str, store.verify(match.id))
        return _head(match, None)


def _head(match: StoredMatch, winner: Seat | None) -> dict[str, Any]:
    """What is told of a match."""
    game = f"pages.game.{match.game}"
    seats = match.options.get("players", "") or "".join(sorted(match.names))
    return {
        "id": match.id,
        "game": say(game) if has(game) else match.game,
        "names": [match.names.get(seat, seat) for seat in seats],
        "started": match.started.isoformat(),
        "state": match.state,
        "rows": match.rows,
        "winner": match.names.get(winner, winner) if winner else "",
    }


def _steps(record: Record) -> list[dict[str, Any]]:
    """Every row but those in which only time passed, in the order in which things happened.

    Each with what was ruled when it was recorded and what became of that, and how the table stood after it: as the
    record is read in the end, with what was undone, corrected or heard late in its place.
    """
    names = record.match.names
    match, why = _read(record)
    readings = list(match.read()) if match else []
    now = {reading.row: reading.happening for reading in readings}
    rows = [now.get(row, written) for row, written in enumerate(record.observations, 1)]
    places = {row: place for place, row in enumerate(sorted(range(1, len(rows) + 1), key=lambda r: (rows[r - 1].t, r)))}
    became = _became(readings, places)
    in_play = match.game.in_play(match.state) if match else None
    first = match.turned_over if match else frozenset[int]()
    gone = undone(record.observations)
    steps: list[dict[str, Any]] = []
    for row, (seen, ruled) in enumerate(zip(rows, _ruled(record, in_play), strict=True), 1):
        for ruling, told_of in ruled:
            outcome, place = became.get(_what(ruling), (told_of["became"], -1)) if ruling else ("", -1)
            told_of["became"] = f"{outcome}-later" if place > places[row] else outcome
        if ruled or not isinstance(seen, Elapsed):
            steps.append({"row": row, "t": seen.t, "text": tell_row(rows, row, names, first), "undone": row in gone})
            steps[-1]["rulings"] = [told_of for _, told_of in ruled]
    steps.sort(key=lambda step: places[step["row"]])
    if match is None:
        return [{**step, **_NOT_JUDGED, "explain": why} for step in steps]
    state, read_on = match.game.start(match.options), iter(readings)
    following = next(read_on, None)
    for step in steps:
        while following and places[following.row] <= places[step["row"]]:
            state, following = following.state, next(read_on, None)
        step |= _standing(match, state, names)
    return steps


def _ruled(record: Record, in_play: frozenset[str] | None) -> Iterator[list[tuple[AnyRuling | None, dict[str, Any]]]]:
    """What was ruled at each row when it was recorded, turns left out, with what later rows made of it."""
    newest: dict[int, dict[str, Any]] = {}  # numbers are given anew when the match is judged again
    found = []
    for recorded in record.rulings:
        ruled: list[tuple[AnyRuling | None, dict[str, Any]]] = []
        for written in recorded:
            ruling = read(written)
            if isinstance(ruling, Settled) and ruling.ruling in newest:
                newest[ruling.ruling]["became"] = ruling.outcome
            if not isinstance(ruling, Turn):
                known = ruling.to_json() if ruling else {"kind": "newer", "rule": ""}
                entry = {**known, "text": recorded_call(written, record.match.names), "became": ""}
                ruled.append((ruling, {**entry, "ruleText": rule_text(known["rule"], in_play)}))
                if ruling:
                    newest[ruling.number] = ruled[-1][1]
        found.append(ruled)
    return iter(found)


def _became(readings: list[Reading], places: dict[int, int]) -> dict[tuple[object, ...], tuple[str, int]]:
    """What becomes of the rulings that the record gives in the end, and at which place; "" of those that stand.

    They may have been struck out by an edit that was itself undone.
    """
    numbers: dict[int, tuple[object, ...]] = {}
    became: dict[tuple[object, ...], tuple[str, int]] = {}
    for reading in readings:
        for ruling in reading.rulings:
            if isinstance(ruling, Settled):
                became[numbers[ruling.ruling]] = ruling.outcome, places[reading.row]
            elif isinstance(ruling, Penalty | Question | Win):
                numbers[ruling.number] = _what(ruling)
                became[_what(ruling)] = "", -1
    return became


def _what(ruling: AnyRuling) -> tuple[object, ...]:
    """The same for the same ruling in a match that was judged again."""
    return ruling.kind, getattr(ruling, "seat", None), getattr(ruling, "code", ""), ruling.rests_on


def _read(record: Record) -> tuple[Match | None, str]:
    """The match as it is read in the end; None, and why, where this version does not know its game or an option."""
    try:
        return record.resume(), ""
    except RefereeError as fault:
        return None, str(fault)


def _first(record: Record) -> frozenset[int]:
    """The rows of the card that was turned over to begin with; none where this version cannot tell."""
    try:
        return Match(record.match.game, record.match.options, record.observations).turned_over
    except RefereeError:
        return frozenset()


_NOT_JUDGED: Final[dict[str, Any]] = {"top": None, "topName": "", "turn": "", "winner": "", "counts": []}


def _standing(match: Match, state: object, names: Names) -> dict[str, Any]:
    """How the table stands in `state`, for one step."""
    now = match.game.standing(state)
    return {
        "top": str(now.top) if now.top else None,
        "topName": card_name(now.top),
        "turn": names.get(now.turn, now.turn) if now.turn and not now.turn_hidden else "",
        "winner": names.get(now.winner, now.winner) if now.winner else "",
        "explain": "" if now.turn_hidden else match.game.explain(state, names),
        "counts": [
            [names.get(seat, seat), held, owes]
            for seat, held, owes in zip(now.players, now.counts, now.penalties_owed, strict=True)
        ],
    }
