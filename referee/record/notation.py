"""How is a match, or a test of one, read from and written as table notation (`rules/notation.md`)?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from referee.record.cards import Card
from referee.record.observations import (
    Claimed,
    Elapsed,
    Happening,
    Landed,
    OptionSet,
    Pointed,
    Recycled,
    RoundBegan,
    RuleAdded,
    Said,
    Subject,
    Taken,
    TakenBack,
    TimeOut,
    Tossed,
    TurnEnded,
    Voted,
    close_to,
)
from referee.text import say
from referee.text.faults import NotationError, RefereeError


@dataclass(frozen=True, slots=True)
class ExpectTurn:
    """`=B`, `=B2`, `=B(4)`, `=*`: whose turn it is; `owed` is None where the token does not say."""

    seat: str | None
    hand: int = 0
    owed: int | None = None


@dataclass(frozen=True, slots=True)
class ExpectPenalty:
    """`!B`, `!B:no-uno*6`: B has just been given a penalty; `code` and `cards` are None where not said."""

    seat: str
    code: str | None = None
    cards: int | None = None


@dataclass(frozen=True, slots=True)
class ExpectWin:
    """`#C`: C has won."""

    seat: str


@dataclass(frozen=True, slots=True)
class ExpectCount:
    """`<A5`: seat A is believed to hold five cards."""

    seat: str
    count: int


@dataclass(frozen=True, slots=True)
class ExpectSuit:
    """`=suit:s`, `=colour:r`: the suit to follow."""

    suit: str


@dataclass(frozen=True, slots=True)
class ExpectDirection:
    """`=dir:+`, `=dir:-`: the direction of play."""

    direction: int


Expectation: TypeAlias = ExpectTurn | ExpectPenalty | ExpectWin | ExpectCount | ExpectSuit | ExpectDirection
Item: TypeAlias = Happening | Expectation

LONGEST: Final = 60
"""Characters of a token that a message shows."""
_SECOND: Final = 1.0  # each observation comes one second after the one before it
_CARD = r"(?P<card>[A-Za-z0-9+]+|\?)"
_SEAT = r"(?P<seat>[A-Z?])"
_NUMBER = r"\d{1,9}(?:\.\d{1,20})?"
_TOKEN: Final = re.compile(r'(?:[A-Z?]"[^"\n]*"?)|\S+')
_FORMS: Final = {
    kind: re.compile(pattern)
    for kind, pattern in {
        "landed": rf"{_SEAT}:{_CARD}",
        "taken-back": rf"{_SEAT}:-{_CARD}",
        "taken": rf"{_SEAT}\+(?P<count>\d{{1,3}})",
        "said": rf'{_SEAT}"(?P<text>[^"]+)"',
        "pointed": rf"{_SEAT}>(?P<at>[A-Z])(?P<hand>[12]?)",
        "turn-ended": rf"{_SEAT}\.",
        "recycled": r"~",
        "time-out": r"\|\|",
        "clock": rf"@(?P<relative>\+?)(?P<seconds>{_NUMBER})",
        "claimed": rf"{_SEAT}!(?P<against>[A-Z?]):(?P<code>[a-z][a-z-]*)",
        "voted": rf"{_SEAT}\^(?P<uphold>[01])(?:#(?P<ruling>[1-9]\d{{0,8}}))?",
        "tossed": r"toss:(?P<heads>[01])",
        "round-began": rf"start:{_CARD}",
        "rule-added": r"\+\+(?P<rule>[!-~]{1,200})",
        "option": r"(?P<name>[a-z][a-z_]+)=(?P<value>\S+)",
        "=suit": r"=(?:suit|colour):(?P<suit>[cdhsrygb])",
        "=dir": r"=dir:(?P<direction>[+-])",
        "=turn": r"=(?P<seat>[A-Z*])(?P<hand>[12]?)(?:\((?P<owed>\d{1,4})\))?",
        "!": r"!(?P<seat>[A-Z])(?::(?P<code>[a-z][a-z-]*)(?:\*(?P<cards>\d{1,4}))?)?",
        "#": r"#(?P<seat>[A-Z])",
        "<": r"<(?P<seat>[A-Z])(?P<count>\d{1,4})",
    }.items()
}


def parse(text: str, *, line: int = 1, column: int = 1) -> list[Item]:
    """Read table notation: observations and expectations in order.

    A clock that moves on without an observation before the next expectation, or before the end, is an `Elapsed`.

    Args:
        text: one or more lines; from a `#` followed by a space to the end of the line is a comment.
        line: number of the first line, for messages.
        column: column of the first line's first character, for messages.

    Raises:
        NotationError: a token is none of the notation's.
    """
    items: list[Item] = []
    clock, clock_set = 0.0, False
    for number, row in enumerate(text.splitlines(), line):
        offset = column if number == line else 1
        for match in _TOKEN.finditer(_without_comment(row)):
            token, place = match.group(), (number, match.start() + offset)
            kind, part = _form(token, *place)
            if kind == "clock":
                seconds = float(part["seconds"])
                moved = clock + seconds if part["relative"] else seconds
                if moved < clock and not close_to(moved, clock):
                    raise NotationError(say("file.clock", token=token, clock=clock), *place)
                clock, clock_set = moved, True
                continue
            if kind in ("=suit", "=dir", "=turn", "!", "#", "<"):
                if clock_set:
                    items.append(Elapsed(t=clock))
                    clock_set = False
                items.append(_expectation(kind, part))
                continue
            if not clock_set:
                clock += _SECOND
            clock_set = False
            try:
                items.append(_observation(kind, part, clock))
            except RefereeError as fault:
                raise NotationError(say("file.token", token=token, why=fault), *place) from None
    if clock_set:
        items.append(Elapsed(t=clock))
    return items


def _without_comment(row: str) -> str:
    return "" if row.startswith("#") and not _FORMS["#"].fullmatch(row.split()[0]) else row.split(" # ")[0]


def _form(token: str, line: int, column: int) -> tuple[str, dict[str, str]]:
    for kind, form in _FORMS.items():
        if found := form.fullmatch(token):
            return kind, {name: value or "" for name, value in found.groupdict().items()}
    shown = token if len(token) <= LONGEST else f"{token[:LONGEST]}…"
    raise NotationError(say("file.unreadable-token", token=shown), line, column)


def _observation(kind: str, part: dict[str, str], t: float) -> Happening:
    seat = part.get("seat", "")
    match kind:
        case "landed":
            return Landed(t=t, seat=seat, card=_card(part["card"]))
        case "taken-back":
            return TakenBack(t=t, seat=seat, card=_card(part["card"]))
        case "taken":
            count = int(part["count"])
            if count < 1:
                raise RefereeError(say("file.none-taken"))
            return Taken(t=t, seat=seat, count=count)
        case "said":
            return Said(t=t, seat=seat, text=part["text"])
        case "pointed":
            return Pointed(t=t, seat=seat, at=part["at"], hand=int(part["hand"] or 0))
        case "turn-ended":
            return TurnEnded(t=t, seat=seat)
        case "recycled":
            return Recycled(t=t)
        case "time-out":
            return TimeOut(t=t)
        case "tossed":
            return Tossed(t=t, heads=part["heads"] == "1")
        case "round-began":
            return RoundBegan(t=t, card=_card(part["card"]))
        case "rule-added":
            return RuleAdded(t=t, rule=part["rule"])
        case "claimed":
            return Claimed(t=t, seat=seat, against=part["against"], code=part["code"])
        case "voted":
            ruling = int(part["ruling"]) if part["ruling"] else None
            return Voted(t=t, seat=seat, uphold=part["uphold"] == "1", ruling=ruling)
        case _:
            return OptionSet(t=t, name=part["name"], value=part["value"])


def _card(name: str) -> Card | None:
    return None if name == "?" else Card.of(name)


def _expectation(kind: str, part: dict[str, str]) -> Expectation:
    seat = part.get("seat", "")
    match kind:
        case "=suit":
            return ExpectSuit(part["suit"])
        case "=dir":
            return ExpectDirection(1 if part["direction"] == "+" else -1)
        case "=turn":
            owed = int(part["owed"]) if part["owed"] else None
            return ExpectTurn(None if seat == "*" else seat, int(part["hand"] or 0), owed)
        case "!":
            return ExpectPenalty(seat, part["code"] or None, int(part["cards"]) if part["cards"] else None)
        case "#":
            return ExpectWin(seat)
        case _:
            return ExpectCount(seat, int(part["count"]))


def write(observations: Iterable[Happening]) -> str:
    """The observations as one line of table notation, with `@` wherever they are not one second apart.

    An `Elapsed` is written only at the end: before another observation it says nothing that the later time does not.
    """
    return " ".join(_tokens(list(observations)))


def _tokens(observations: list[Happening]) -> Iterator[str]:
    clock = 0.0
    for place, observation in enumerate(observations, 1):
        if isinstance(observation, Elapsed):
            if place == len(observations):
                yield token_of(observation)
            continue
        if not close_to(observation.t, clock + _SECOND):
            yield f"@{_seconds(observation.t)}"
        yield token_of(observation)
        clock = observation.t


def _seconds(t: float) -> str:
    return f"{t:.3f}".rstrip("0").rstrip(".")


def token_of(observation: Happening) -> str:
    """One observation's token, without its time."""
    match observation:
        case Landed(seat=seat, card=card):
            return f"{seat}:{card or '?'}"
        case TakenBack(seat=seat, card=card):
            return f"{seat}:-{card or '?'}"
        case Taken(seat=seat, count=count):
            return f"{seat}+{count}"
        case Said(seat=seat, text=text):
            return f'{seat}"{text}"'
        case Pointed(seat=seat, at=at, hand=hand):
            return f"{seat}>{at}{hand or ''}"
        case TurnEnded(seat=seat):
            return f"{seat}."
        case Recycled():
            return "~"
        case TimeOut():
            return "||"
        case Claimed(seat=seat, against=against, code=code):
            return f"{seat}!{against}:{code}"
        case Voted(subject=Subject(), ruling=None):
            raise RefereeError(say("file.vote"))
        case Voted(seat=seat, uphold=uphold, ruling=ruling):
            return f"{seat}^{int(uphold)}" + (f"#{ruling}" if ruling else "")
        case Tossed(heads=heads):
            return f"toss:{int(heads)}"
        case RoundBegan(card=card):
            return f"start:{card or '?'}"
        case RuleAdded(rule=rule):
            return f"++{rule}"
        case OptionSet(name=name, value=value):
            return f"{name}={value}"
        case _:
            return f"@{_seconds(observation.t)}"


@dataclass(frozen=True, slots=True)
class Vector:
    """One row of a vector file: a name, the match's options and a script of observations and expectations."""

    name: str
    options: dict[str, str]
    script: tuple[Item, ...]


def read_vectors(text: str) -> list[Vector]:
    """The rows of a vector file (tab-separated: name, options, script).

    Raises:
        NotationError: a row has not three columns, or an option or a token cannot be read.
    """
    vectors = []
    for number, row in enumerate(text.splitlines(), 1):
        if not row.strip() or row.startswith("#"):
            continue
        cells = row.split("\t")
        if len(cells) != 3:
            raise NotationError(say("file.columns", count=len(cells)), number, 1)
        name, options, script = cells
        try:
            table = read_options(options)
        except RefereeError as fault:
            raise NotationError(str(fault), number, len(name) + 2) from None
        items = parse(script, line=number, column=len(name) + len(options) + 3)
        vectors.append(Vector(name, table, tuple(items)))
    return vectors


def read_options(text: str) -> dict[str, str]:
    """`players=ABC preset=full` as a dictionary; `-` is none.

    Raises:
        RefereeError: a word is not `key=value`.
    """
    options: dict[str, str] = {}
    for word in text.split() if text.strip() != "-" else []:
        key, equals, value = word.partition("=")
        if not key or not equals:
            raise RefereeError(say("file.option", word=word))
        options[key] = value
    return options


def read_match(text: str) -> tuple[dict[str, str], list[Item]]:
    """A match as people write it: a first line of options (`game=uncle-baiting players=ABC`), then what happened.

    The line of options may be missing; comment lines may stand anywhere.

    Raises:
        NotationError: a token cannot be read.
    """
    rows = text.splitlines()
    first = next((number for number, row in enumerate(rows) if _without_comment(row).strip()), None)
    if first is None or not all(_FORMS["option"].fullmatch(word) for word in rows[first].split()):
        return {}, parse(text)
    options = read_options(rows[first])
    rows[first] = ""
    return options, parse("\n".join(rows))
