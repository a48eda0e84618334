"""Which rules does the catalogue know, how is one read and written, and what is contrary to reason?"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

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
        raise RefereeError(_unknown("bartog.rule", name, name, BY_NAME))
    kind, values = BY_NAME[name], dict[str, object]()
    if at and not kind.model_fields["on"].is_required():
        raise RefereeError(say("bartog.no-cards", name=name))
    if at:
        values["on"] = selector
    known = _parameters(kind)
    for parameter in parameters:
        key, equals, value = parameter.partition("=")
        if key not in known:
            raise RefereeError(_unknown("bartog.parameter", key, name, known))
        if key in values:
            raise RefereeError(say("bartog.twice", name=name, key=key))
        if bool(equals) == (known[key].annotation is bool):
            raise RefereeError(say("bartog.flag" if equals else "bartog.no-value", name=name, key=key))
        values[key] = value.replace("_", " ") if equals else True
    try:
        return kind.model_validate(values)
    except ValidationError as fault:
        raise RefereeError(_told(fault, kind)) from None


def _parameters(kind: type[Rule]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in kind.model_fields.items() if name != "on"}


def _unknown(what: str, word: str, name: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, 1)
    key = f"{what}-near" if near else f"{what}-unknown"
    return say(key, word=word, name=name, near=near[0] if near else "", known=", ".join(known))


def _told(fault: ValidationError, kind: type[Rule]) -> str:
    """What is wrong with the parameters, in one sentence; of several things, the first."""
    wrong = fault.errors(include_url=False)[0]
    key, value = str(wrong["loc"][0]), wrong["input"]
    if wrong["type"] == "missing":
        return say("bartog.no-selector" if key == "on" else "bartog.missing", name=kind.name, key=key)
    field = _parameters(kind)[key]
    if get_origin(field.annotation) is Literal:
        known = ", ".join(filter(None, get_args(field.annotation)))
        return say("wrong-option.choice", name=f"{kind.name}/{key}", value=value, known=known)
    least, most = (next((getattr(m, end) for m in field.metadata if hasattr(m, end)), None) for end in ("ge", "le"))
    if least is None:
        return say("bartog.phrase", name=kind.name, key=key, value=value)
    return say("wrong-option.whole", name=f"{kind.name}/{key}", value=value, least=least, most=most)


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
