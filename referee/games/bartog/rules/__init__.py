"""Which rules does the catalogue know, how is one read and written, and what is contrary to reason?"""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from pydantic import ValidationError

from referee.games.bartog.rules.evening import AntiTournament, Tournament
from referee.games.bartog.rules.hands import BottomSwap, DoubleHands, Places, Sticky, Swap, SwapAll, TakeThat
from referee.games.bartog.rules.honour import Bike, Ghost, Parallel, Tune, WrongHand
from referee.games.bartog.rules.rule import Rule
from referee.games.bartog.rules.snapping import Crackle, Rummy, Snap, SnapToWin
from referee.games.bartog.rules.spoken import Influence, NameOfTheGame, Say, Taboo, ThreeWords
from referee.games.bartog.rules.turns import BuckStops, DoublePlay, Draw, Reverse, ReverseByColour, Skip
from referee.games.bartog.rules.values import Danger, LastCardCounts, Reset, Revalue, RevalueAll
from referee.text import say
from referee.text.faults import RefereeError

CATALOGUE: Final = (
    Skip, Reverse, Swap, SwapAll, Snap, Crackle, Draw, BuckStops, Places, ReverseByColour, Tournament, AntiTournament,
    Reset, Danger, LastCardCounts, DoubleHands, BottomSwap, Say, Bike, Taboo, ThreeWords, Influence, Sticky, SnapToWin,
    Parallel, Tune, Revalue, RevalueAll, DoublePlay, Ghost, NameOfTheGame, WrongHand, TakeThat, Rummy,
)  # fmt: skip
"""Every rule of the catalogue, in its order."""
BY_NAME: Final = MappingProxyType({rule.name: rule for rule in CATALOGUE})
BY_NUMBER: Final = MappingProxyType({rule.number: rule for rule in CATALOGUE})
MOST: Final = 100
"""Rules in force at a time: an evening has ten or twenty."""
LONGEST: Final = 200
"""Characters of a rule."""


@lru_cache(maxsize=4096)
def rule_of(text: str) -> Rule:
    """The rule written as in `rules=`: `draw@2/count=2/cumulative`.

    Raises:
        RefereeError: it cannot be read, or makes no sense; the message names the nearest thing that does.
    """
    if len(text) > LONGEST:
        raise RefereeError(say("bartog.long-rule", rule=text[:40] + "…", most=LONGEST))
    head, *parameters = text.split("/")
    name, at, selector = head.partition("@")
    if name not in BY_NAME:
        near = get_close_matches(name, BY_NAME, 1)
        key = "bartog.rule-near" if near else "bartog.no-rule"
        raise RefereeError(say(key, name=name, near=near[0] if near else "", known=", ".join(BY_NAME)))
    kind = BY_NAME[name]
    values: dict[str, object] = {"on": selector} if at else {}
    for parameter in parameters:
        key, equals, value = parameter.partition("=")
        if key in values or key == "on":
            raise RefereeError(say("bartog.twice", name=name, key=key))
        values[key] = value.replace("_", " ") if equals else True
    try:
        rule = kind.model_validate(values)
    except ValidationError as fault:
        raise RefereeError(_told(fault, kind)) from None
    if at and "on" not in kind.model_fields_set_by_class():
        raise RefereeError(say("bartog.no-cards", name=name))
    return rule


def rules_of(text: str) -> tuple[Rule, ...]:
    """The rules written as `rules=` has them, separated by `;`, oldest first.

    Raises:
        RefereeError: one of them cannot be read or makes no sense, or there are too many.
    """
    written = [one for one in text.split(";") if one]
    if len(written) > MOST:
        raise RefereeError(say("bartog.too-many", count=len(written), most=MOST))
    return tuple(rule_of(one) for one in written)


@lru_cache(maxsize=1024)
def in_force(texts: tuple[str, ...]) -> tuple[Rule, ...]:
    """The rules that are written so."""
    return tuple(rule_of(text) for text in texts)
