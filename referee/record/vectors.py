"""Does a game answer a vector as its author expects?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from referee.record.match import Match
from referee.record.notation import (
    ExpectCount,
    ExpectDirection,
    ExpectPenalty,
    ExpectSuit,
    ExpectTurn,
    ExpectWin,
    Item,
    Vector,
)
from referee.record.rulings import Penalty
from referee.text import say
from referee.text.faults import RefereeError

GAME_OF_FILE: Final = {"uncle-baiting": "uncle-baiting", "bartog": "bartog", "blackjack": "blackjack", "uno": "uno"}
"""The game of a vector file, by the beginning of the file's name."""


@dataclass(frozen=True, slots=True)
class VectorResult:
    """How a vector went: `got` and `expected` tell the first difference, or are empty."""

    name: str
    ok: bool
    got: str = ""
    expected: str = ""

    def to_json(self) -> Mapping[str, object]:
        """The object that `referee judge --vectors --json` prints."""
        return {"name": self.name, "ok": self.ok, "got": self.got, "expected": self.expected}


def game_of_file(stem: str) -> str:
    """The game whose vectors a file named `stem` holds: `uncle-baiting-more` holds Uncle Baiting's.

    Raises:
        RefereeError: the name begins with no game's.
    """
    for start, game in GAME_OF_FILE.items():
        if stem.startswith(start):
            return game
    raise RefereeError(say("cli.game-of-file", file=stem))


def run_vector(vector: Vector, game: str) -> VectorResult:
    """Play `vector`'s observations and compare the answers, strictly: every penalty must be expected, and come."""
    try:
        match = Match(game, vector.options)
    except RefereeError as fault:
        return VectorResult(vector.name, False, str(fault), "a match with these options")
    fresh: list[Penalty] = []
    for place, item in enumerate(vector.script):
        if isinstance(item, ExpectPenalty):
            met = next((p for p in fresh if _meets(p, item)), None)
            if met is None:
                return _differs(vector, place, _penalties(fresh), item)
            fresh.remove(met)
        elif isinstance(item, ExpectTurn | ExpectWin | ExpectCount | ExpectSuit | ExpectDirection):
            got, wanted = _compared(match, item)
            if got != wanted:
                return _differs(vector, place, got, item)
        else:
            if fresh:
                return VectorResult(vector.name, False, _penalties(fresh), f"no penalty before token {place + 1}")
            fresh = [ruling for ruling in match.add(item) if isinstance(ruling, Penalty)]
    if fresh:
        return VectorResult(vector.name, False, _penalties(fresh), "no penalty at the end")
    return VectorResult(vector.name, True)


def _meets(penalty: Penalty, wanted: ExpectPenalty) -> bool:
    return (
        penalty.seat == wanted.seat
        and wanted.code in (None, penalty.code)
        and (wanted.cards is None or wanted.cards == penalty.cards)
    )


def _penalties(penalties: list[Penalty]) -> str:
    return " ".join(f"!{p.seat}:{p.code}" + (f"*{p.cards}" if p.cards > 1 else "") for p in penalties) or "no penalty"


def _compared(match: Match, item: Item) -> tuple[str, str]:
    """What the match says and what the token says, as text that is equal when they agree."""
    now = match.standing
    match item:
        case ExpectTurn(seat=seat, hand=hand, owed=owed):
            got = (now.turn, now.hand if hand else 0, now.owed if owed is not None else None)
            return str(got), str((seat, hand, owed))
        case ExpectWin(seat=seat):
            return f"winner {now.winner}", f"winner {seat}"
        case ExpectCount(seat=seat, count=count):
            held = now.counts[now.players.index(seat)] if seat in now.players else None
            return f"{seat} holds {held}", f"{seat} holds {count}"
        case ExpectSuit(suit=suit):
            return f"suit {now.suit}", f"suit {suit}"
        case _:
            return f"direction {now.direction}", f"direction {getattr(item, 'direction', None)}"


def _differs(vector: Vector, place: int, got: str, item: Item) -> VectorResult:
    return VectorResult(vector.name, False, got, f"{item} at token {place + 1}")
