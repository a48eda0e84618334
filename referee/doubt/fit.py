"""How often do the people, eyes and ears of these records err, by what the belief makes of them in the end?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Final

from referee.doubt.decisions import possible
from referee.doubt.parameters import PARAMETERS
from referee.doubt.referee import Referee
from referee.doubt.worlds import KEPT_ROWS, Read
from referee.games import Game
from referee.record.observations import UNKNOWN, Happening, Landed, Said, Taken, TakenBack

Record = tuple[Mapping[str, str], Iterable[Happening]]
"""The options of a match, and what was noticed in it."""
SETTLED: Final = KEPT_ROWS // 2
"""Rows after which nothing later says any more what a row was."""


def fitted(game: Game[object], records: Iterable[Record]) -> dict[str, dict[str, Any]]:
    """The parameters that `records` tell of: what was counted, of how many, and the share beside the one in use.

    `wrong` are plays out of turn and illegal ones together.

    Counts are what the belief expects, so they are seldom whole. What it takes for granted it cannot count: people who
    err as one who is misread are told apart by what others do next.
    """
    counted, of = defaultdict[str, float](float), Counter[str]()
    for options, seen in records:
        judge, told = Referee(game, options), dict[int, Happening]()
        for row, one in enumerate(seen, 1):
            told[row] = one
            judge.observe(one, row)
            if row > SETTLED:
                _count(judge, row - SETTLED, told[row - SETTLED], counted, of)
    now = {one.name: getattr(PARAMETERS, one.name) for one in fields(PARAMETERS)}
    now["wrong"] = PARAMETERS.out_of_turn + PARAMETERS.illegal
    return {
        name: {"counted": round(counted[name], 1), "of": of[name], "share": round(counted[name] / of[name], 4)}
        | {"in_use": now[name]}
        for name in sorted(of)
        if of[name]
    }


def _count(judge: Referee, row: int, seen: Happening, counted: dict[str, float], of: Counter[str]) -> None:
    """Count what is odd about `row`, now that it is settled."""
    belief = judge.belief
    if isinstance(seen, Said):
        of["omit"] += 1
        return
    if not isinstance(seen, Landed | Taken | TakenBack):
        return
    faults = {fault: share for fault, share in belief.faults().items() if fault.row == row}
    of["unnoticed"] += 1
    hidden = belief.readings(row, before=True)
    counted["unnoticed"] += sum(share for read, share in hidden.items() if not _is_word(read))
    counted["omit"] += sum(share for fault, share in faults.items() if not fault.play)
    shares = possible(belief, row, seen)
    nothing = sum(share for read, share in shares.items() if not read.seat)
    of["unreal"] += 1
    counted["unreal"] += nothing
    if isinstance(seen, Landed):
        of["wrong"] += 1
        counted["wrong"] += sum(share for fault, share in faults.items() if fault.play)
        if seen.card is not None and seen.sure:
            of["misread"] += 1
            counted["misread"] += sum(s for read, s in shares.items() if read.seat and read.what != seen.card.name)
    if not isinstance(seen, TakenBack) and seen.seat != UNKNOWN:
        of["wrong_seat"] += 1
        counted["wrong_seat"] += sum(share for read, share in shares.items() if read.seat not in ("", seen.seat))


def _is_word(read: Read) -> bool:
    return " " in read.what or read.what.islower()
