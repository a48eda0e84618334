"""What does the belief call for: a penalty, a question, or patience?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from referee.doubt.belief import Belief
from referee.doubt.worlds import Fault, Read
from referee.record.observations import Happening, Landed, Seat, Taken
from referee.record.rulings import Penalty

PLAY: Final = "play"
"""What a case is about whose fault is a card played wrongly."""
ANSWERS: Final = 4
"""Answers that a question offers, at most."""
FEW: Final = 0.2
"""Which card it was is asked without offering answers where none is as likely as that."""
OFFERED: Final = 0.02
"""What is less likely than that is no answer to choose from."""
NOTHING: Final = ("0", "nudged")
"""That nothing happened can always be answered."""
KNOWN: Final = 0.9
"""What a row was is no question from that probability on."""
BEFORE: Final = 3
"""Rows before a fault that may be what it depends on."""


class Case(NamedTuple):
    """One fault of one seat in one act; the codes of a wrong play are one fault, each word that is due its own."""

    row: int
    seat: Seat
    what: str

    @classmethod
    def of(cls, fault: Fault) -> Case:
        """The case that `fault` belongs to."""
        return cls(fault.row, fault.seat, PLAY if fault.play else fault.code)


@dataclass(slots=True)
class Open:
    """What the belief says of a case: how likely it is, and the penalty for the likeliest fault."""

    weight: float
    penalty: Penalty


class Ask(NamedTuple):
    """A question about what `row` was: code, and answers, likeliest first; with none the fault itself is voted on."""

    row: int
    code: str
    answers: tuple[str, ...]


def cases(belief: Belief) -> dict[Case, Open]:
    """Every fault that some world has found of late."""
    found: dict[Case, Open] = {}
    best: dict[Case, float] = defaultdict(float)
    for fault, weight in belief.faults().items():
        case = Case.of(fault)
        open_ = found.setdefault(case, Open(0.0, belief.penalties[fault]))
        open_.weight += weight
        if weight > best[case]:
            best[case], open_.penalty = weight, belief.penalties[fault]
    return found


def possible(belief: Belief, row: int, seen: Happening | None) -> dict[Read, float]:
    """What row `row`, told as `seen`, may have been, likeliest first; empty where nothing else was thought possible."""
    shares = belief.readings(row)
    rest = 1.0 - sum(shares.values())
    if shares and rest > 0.0 and isinstance(seen, Landed | Taken):
        told = Read(row, seen.seat, _what(seen))
        shares[told] = shares.get(told, 0.0) + rest
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def question(belief: Belief, case: Case, told: Mapping[int, Happening]) -> Ask:
    """What to ask about `case`: the row on which the worlds differ most.

    Args:
        told: the observations that may be asked about, by row.
    """
    rows = [row for row in told if case.row - BEFORE <= row and isinstance(told[row], Landed | Taken)]
    least, ask = KNOWN, Ask(case.row, "", ())
    for row in rows:
        shares = possible(belief, row, told[row])
        for code, answers in _asks(told[row], shares, _twice(told, row)):
            top = max(answers.values(), default=1.0)
            likely = [name for name, share in answers.items() if share >= OFFERED or name in NOTHING][:ANSWERS]
            if code == "which-card" and top < FEW:
                likely = []
            elif len(likely) < 2:
                continue
            if top < least:
                least, ask = top, Ask(row, code, tuple(likely))
    return ask


def _twice(told: Mapping[int, Happening], row: int) -> bool:
    """Whether the card of `row` has the face of the one that landed before it: it may be that one, nudged."""
    seen = told[row]
    before = [one for at, one in told.items() if at < row and isinstance(one, Landed)][-1:]
    return isinstance(seen, Landed) and any(one.card is seen.card for one in before)


def _asks(seen: Happening, shares: Mapping[Read, float], twice: bool) -> list[tuple[str, dict[str, float]]]:
    """The questions there are about a row, each with its answers and how likely they are."""
    seats: dict[str, float] = defaultdict(float)
    whats: dict[str, float] = defaultdict(float)
    nothing = 0.0
    for read, share in shares.items():
        if read.seat:
            seats[read.seat] += share
            whats[read.what] += share
        else:
            nothing += share
    if isinstance(seen, Taken):
        return [("who-took", _likeliest(seats)), ("how-many", {**_likeliest({**whats, "0": nothing}), "0": nothing})]
    real = {"second": 1.0 - nothing, "nudged": nothing}
    cards = [("whose-card", _likeliest(seats)), ("which-card", _likeliest(whats))]
    return [*cards, ("second-card", real)] if twice else cards


def _likeliest(shares: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _what(seen: Landed | Taken) -> str:
    if isinstance(seen, Landed):
        return seen.card.name if seen.card else ""
    return str(seen.count)
