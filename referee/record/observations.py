"""What happened at the table, as the eye, the ear and tapping fingers report it?

Every class here is one kind of observation: a frozen value with its capture time. They are written to the record
as JSON with `to_json` and read back with `from_json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from referee.record.cards import Card
from referee.text import say
from referee.text.faults import RefereeError

T = TypeVar("T")

Seat: TypeAlias = str
"""A seat letter, `A` for the first player in seating order; `?` where nobody could tell."""

UNKNOWN: Final[Seat] = "?"
LATEST: Final = 1e9
"""Seconds of the match clock that a row which cannot be read may claim."""
SURE: Final = 0.9
"""From this confidence on an observation may carry a penalty; below it the referee asks."""

Source: TypeAlias = Literal["script", "tap", "eye", "ear"]
SeatField = Annotated[str, Field(pattern=r"^[A-Z?]$")]
Probability = Annotated[float, Field(ge=0.0, le=1.0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Something that happened at the table.

    Attributes:
        t: capture time, seconds of the match clock.
        confidence: how sure the eye or the ear is that it happened, with the face or the words as written, 0 to 1; 1
            for a tap. Whose it was and how many cards have probabilities of their own.
        source: who reports it: `eye`, `ear`, `tap` or `script`.
        evidence: names of frames and sound clips that show it.
    """

    t: Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
    confidence: Probability = 1.0
    source: Source = "script"
    evidence: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        """Whether a penalty may rest on its having happened as written; whose it was is another matter (`whose`)."""
        return self.confidence >= SURE

    def to_json(self) -> dict[str, Any]:
        """The observation as JSON values; fields that hold their default are left out, except `kind` and `t`."""
        out: dict[str, Any] = {"kind": self.kind}  # type: ignore[attr-defined]
        out.update(_ADAPTERS[type(self)].dump_python(self, mode="json", include=_changed(self)))
        return out


def _changed(observation: Observation) -> set[str]:
    return {
        f.name
        for f in fields(observation)
        if f.name == "t" or f.default is MISSING or getattr(observation, f.name) != f.default
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Seated(Observation):
    """Something that a seat did, said or wants.

    Attributes:
        seat: whose it was; `?` where nobody could tell.
        seat_confidence: how sure it is that it was that seat's, 0 to 1.
    """

    seat: SeatField
    seat_confidence: Probability = 1.0

    @property
    def whose(self) -> Seat:
        """The seat that may be held to it; `?` where it is not sure whose it was."""
        return self.seat if self.seat_confidence >= SURE else UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed(Seated):
    """A card came to rest face up on the discard pile (`S:Qh`).

    Attributes:
        card: None when the eye could not read it (`S:?`).
        alternatives: the readings it hesitates between, with their probabilities, best first.
    """

    kind: Literal["landed"] = "landed"
    card: Card | None
    alternatives: tuple[tuple[Card, Probability], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack(Seated):
    """A card left the top of the discard pile (`S:-Qh`)."""

    kind: Literal["taken-back"] = "taken-back"
    card: Card | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(Seated):
    """Cards were taken from the pick-up pile (`S+3`).

    Attributes:
        count_confidence: how sure it is that it were so many, 0 to 1.
    """

    kind: Literal["taken"] = "taken"
    count: Annotated[int, Field(ge=1, le=999)] = 1
    count_confidence: Probability = 1.0

    @property
    def sure(self) -> bool:
        """Whether a penalty may rest on so many cards having been taken."""
        return self.confidence >= SURE and self.count_confidence >= SURE


@dataclass(frozen=True, slots=True, kw_only=True)
class Said(Seated):
    """Words were said (`S"last card"`), lower case as the recogniser writes them; `t` is when they began."""

    kind: Literal["said"] = "said"
    text: Annotated[str, Field(min_length=1, max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointed(Seated):
    """A seat pointed at another (`S>E`), in Queens mode at its leading (1) or trailing (2) hand; 0 at the player."""

    kind: Literal["pointed"] = "pointed"
    at: Annotated[str, Field(pattern=r"^[A-Z]$")]
    hand: Annotated[int, Field(ge=0, le=2)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Seated):
    """A seat ended a turn of several cards (`S.`)."""

    kind: Literal["turn-ended"] = "turn-ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recycled(Observation):
    """The discard pile, all but its top card, became the new pick-up pile (`~`)."""

    kind: Literal["recycled"] = "recycled"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOut(Observation):
    """Time out began or, when it was on, ended (`||`)."""

    kind: Literal["time-out"] = "time-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed(Seated):
    """A seat claims a penalty against another (`S!B:slow`)."""

    kind: Literal["claimed"] = "claimed"
    against: SeatField
    code: Annotated[str, Field(pattern=r"^[a-z][a-z-]*$", max_length=40)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a question or a penalty is about: the same however often the match is judged again, as no number is.

    Attributes:
        rows: the rows of the record it rests on, oldest first.
        code: what is asked, or the penalty's code.
        seat: whom it is about; None when about nobody.
    """

    rows: tuple[Annotated[int, Field(ge=1)], ...] = ()
    code: Annotated[str, Field(max_length=40)] = ""
    seat: SeatField | None = None

    def is_same(self, rows: tuple[int, ...], code: str, seat: Seat | None) -> bool:
        """Whether it is what rests on those `rows`; in a match that is judged again later rows may be others."""
        return (self.rows[:1], self.code, self.seat) == (rows[:1], code, seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class Voted(Seated):
    """A seat answers a question, or disputes a penalty (`S^1`, `S^0`, `S^1#7`).

    Attributes:
        subject: the question or the penalty; it may be gone by now. None in notation and in records from before.
        ruling: where no subject is told, its number; None for the newest that is open.
    """

    kind: Literal["voted"] = "voted"
    uphold: bool
    subject: Subject | None = None
    ruling: Annotated[int, Field(ge=1)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionSet(Observation):
    """The table agreed to play on with another value of an option (`auto_butt_in=forbid`)."""

    kind: Literal["option-set"] = "option-set"
    name: Annotated[str, Field(pattern=r"^[a-z][a-z_]+$", max_length=40)]
    value: Annotated[str, Field(max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tossed(Observation):
    """The referee tossed a coin to break a tie (`toss:1`, `toss:0`); a match that is read again tosses nothing."""

    kind: Literal["tossed"] = "tossed"
    heads: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleAdded(Observation):
    """Whoever won the round adds this rule to the game (`++skip@7`)."""

    kind: Literal["rule-added"] = "rule-added"
    rule: Annotated[str, Field(pattern=r"^[!-~]+$", max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegan(Observation):
    """Everybody was dealt a new hand, and this card was turned up (`start:7h`); None when nobody could read it."""

    kind: Literal["round-began"] = "round-began"
    card: Card | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Elapsed(Observation):
    """Nothing more happened up to `t` (`@12.5`): deadlines that have passed are settled."""

    kind: Literal["elapsed"] = "elapsed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Observation):
    """Row `of` of the record did not happen; the match reads on as if it were not there."""

    kind: Literal["undone"] = "undone"
    of: Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(Observation):
    """Row `of` of the record was in truth `by`, in the same place of the record."""

    kind: Literal["corrected"] = "corrected"
    of: Annotated[int, Field(ge=1)]
    by: AnyHappening


@dataclass(frozen=True, slots=True, kw_only=True)
class Newer(Observation):
    """A row that a newer version wrote and this one cannot read: it stays in the record as it is and is not judged.

    Attributes:
        written: the row, a JSON object.
    """

    kind: Literal["newer"] = "newer"
    written: str

    def to_json(self) -> dict[str, Any]:
        """The row as it was written."""
        return dict(json.loads(self.written))


Happening: TypeAlias = (
    Landed
    | TakenBack
    | Taken
    | Said
    | Pointed
    | TurnEnded
    | Recycled
    | TimeOut
    | Claimed
    | Voted
    | OptionSet
    | Tossed
    | RuleAdded
    | RoundBegan
    | Elapsed
)
"""What a game reads."""
Edit: TypeAlias = Undone | Corrected
"""What only the match reads: changes to its own record."""
AnyHappening = Annotated[Happening, Field(discriminator="kind")]
Known: TypeAlias = Happening | Edit
"""What this version writes and reads."""
AnyObservation: TypeAlias = Known | Newer
"""What may stand in a record."""

_ANY: Final[TypeAdapter[Known]] = TypeAdapter(Annotated[Known, Field(discriminator="kind")])
KINDS: Final = (*Happening.__args__, *Edit.__args__)
_ADAPTERS: Final[dict[type, TypeAdapter[Any]]] = {kind: TypeAdapter(kind) for kind in KINDS}


def from_json(data: object) -> Known:
    """The observation that `to_json` wrote.

    Raises:
        RefereeError: it is no observation; the message says which field is wrong.
    """
    return validated(_ANY, data, "observation")


def read(data: Mapping[str, Any]) -> AnyObservation:
    """The observation that some version's `to_json` wrote; fields that this version does not know are passed over."""
    try:
        return from_json(data)
    except RefereeError:
        t = data.get("t")
        return Newer(t=float(t) if isinstance(t, int | float) and 0 <= t <= LATEST else 0.0, written=json.dumps(data))


def validated(adapter: TypeAdapter[T], data: object, what: str) -> T:
    """`data` as a value of the adapter's type.

    Raises:
        RefereeError: it is none; the message says of which `what`, and which field is wrong.
    """
    try:
        return adapter.validate_python(data)
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or what
        raise RefereeError(say("file.part", part=where, why=first["msg"])) from None


def close_to(a: float, b: float) -> bool:
    """Whether two capture times are the same moment (within a millisecond)."""
    return math.isclose(a, b, abs_tol=1e-3)
