"""What does the referee answer, and on which observations does it rest?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from referee.record.cards import Card
from referee.record.observations import Probability, Seat, Subject, validated
from referee.record.standing import Standing
from referee.text.faults import RefereeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """An answer of the referee.

    Attributes:
        number: place in the match's rulings, from 1; another one when the match is judged again.
        t: seconds of the match clock at which it holds.
        rule: the rule it applies, `UB-22`.
        rests_on: rows of the match record it rests on, oldest first.
    """

    number: int
    t: float
    rule: str = ""
    rests_on: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The ruling as JSON values: `kind`, `number`, `t`, `rule` and the fields of its kind."""
        out: dict[str, Any] = {"kind": self.kind}  # type: ignore[attr-defined]
        keep = {
            f.name
            for f in fields(self)
            if f.name in _ALWAYS or f.default is MISSING or getattr(self, f.name) != f.default
        }
        out.update(_ADAPTERS[type(self)].dump_python(self, mode="json", include=keep - {"kind"}))
        return out

    def what(self) -> tuple[object, ...]:
        """What is answered, without number, time and grounds: equal for the same answer in a match judged again."""
        what: tuple[object, ...] = _WHAT[type(self)](self)
        return what


_ALWAYS: Final = frozenset({"number", "t", "seat", "code", "rule", "cards", "owed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Ruling):
    """Whose turn it is and what that hand owes.

    Attributes:
        seat: None when anyone may play next.
        hand: 1 for the leading hand, 2 for the trailing hand, 0 where a player has one hand.
        owed: cards to pick up from aces, twos and the like.
        direction: 1 as dealt (to the left), -1 reversed.
        suit: the suit (UNO: colour) named for the top card; empty when none is.
    """

    kind: Literal["turn"] = "turn"
    seat: Seat | None
    hand: int = 0
    owed: int = 0
    direction: int = 1
    suit: str = ""

    @classmethod
    def of(cls, standing: Standing, *, number: int, t: float) -> Turn:
        """The turn as `standing` has it."""
        return cls(
            number=number,
            t=t,
            seat=standing.turn,
            hand=standing.hand,
            owed=standing.owed,
            direction=standing.direction,
            suit=standing.suit,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty(Ruling):
    """A seat takes penalty cards, or (0 cards) is warned of a fault that costs none this time.

    Attributes:
        omission: whether the fault is something that was not said, so that the penalty rests on a silence.
        possible: what else the act may have been: cards, numbers or seats with their shares, likeliest first.
    """

    kind: Literal["penalty"] = "penalty"
    seat: Seat
    code: str
    cards: int = 1
    omission: bool = False
    possible: tuple[tuple[str, Probability], ...] = ()

    @property
    def subject(self) -> Subject:
        """What people name when they dispute it."""
        return Subject(rows=self.rests_on, code=self.code, seat=self.seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Ruling):
    """What the referee is not sure of, or may not decide alone. Play never waits for the answer.

    Attributes:
        seat: whom it is about; None when about nobody.
        code: what is asked; a penalty's code when upholding it (`S^1`) gives that penalty.
        cards: penalty cards at stake.
        about: the card in doubt, if there is one.
        answers: what the newest row it rests on may have been in truth, likeliest first: cards, seats, numbers of cards
            or words (`referee.table.answers`); none where people vote yes or no.
        claimed_by: the seat that claimed the penalty, if a seat did.
        disputes: the number of the penalty that is contested, if one is.
        possible: as for a penalty.
    """

    kind: Literal["question"] = "question"
    seat: Seat | None
    code: str
    cards: int = 0
    about: Card | None = None
    answers: tuple[str, ...] = ()
    claimed_by: Seat | None = None
    disputes: int = 0
    possible: tuple[tuple[str, Probability], ...] = ()

    @property
    def subject(self) -> Subject:
        """What people name when they answer it; that of a dispute is the penalty's."""
        return Subject(rows=self.rests_on, code=self.code, seat=self.seat)

    @property
    def asks(self) -> str:
        """What its answers are: `card`, `seat`, `count` or `event` (whether the row happened)."""
        return _ASKS.get(self.code, "card")


_ASKS: Final = {"whose-card": "seat", "who-took": "seat", "how-many": "count", "second-card": "event"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Ruling):
    """Question or penalty `ruling` was upheld or has lapsed, or was overturned and is struck out.

    A question that an answer or a later event has made clear is `answered`.
    """

    kind: Literal["settled"] = "settled"
    ruling: int
    outcome: Literal["upheld", "overturned", "lapsed", "answered"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Win(Ruling):
    """A seat has won."""

    kind: Literal["win"] = "win"
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice(Ruling):
    """Something the table should know that changes nobody's cards (`take-back`, `pile-exhausted`, `option`…)."""

    kind: Literal["notice"] = "notice"
    code: str
    seat: Seat | None = None
    about: Card | None = None


AnyRuling: TypeAlias = Turn | Penalty | Question | Settled | Win | Notice
KINDS: Final = AnyRuling.__args__

_ANY: Final[TypeAdapter[AnyRuling]] = TypeAdapter(Annotated[AnyRuling, Field(discriminator="kind")])
_WHAT: Final = {
    kind: attrgetter(*(field.name for field in fields(kind) if field.name not in ("number", "t", "rests_on")))
    for kind in KINDS
}
_ADAPTERS: Final[dict[type, TypeAdapter[Any]]] = {kind: TypeAdapter(kind) for kind in KINDS}


ADDED: Final = frozenset({"answers", "omission", "possible"})
"""Fields that rulings were given after matches had been recorded without them; add a new one's name."""


def same(given: Ruling, recorded: Mapping[str, Any]) -> bool:
    """Whether `given` is the ruling that was `recorded` (as JSON), perhaps by a version that knew other fields."""
    names, now = {field.name for field in fields(given)}, given.to_json()
    then = {name: value for name, value in recorded.items() if name in names}
    return {name: value for name, value in now.items() if name in then or name not in ADDED} == then


def from_json(data: object) -> AnyRuling:
    """The ruling that `to_json` wrote.

    Raises:
        RefereeError: it is no ruling; the message says which field is wrong.
    """
    return validated(_ANY, data, "ruling")


def read(recorded: object) -> AnyRuling | None:
    """The ruling that some version's `to_json` wrote; None where this version does not know it."""
    try:
        return from_json(recorded)
    except RefereeError:
        return None
