"""Which options does every game have, and how are people told of one that makes no sense?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Annotated, ClassVar, Literal, Self, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from referee.record.cards import FRENCH, Card
from referee.record.observations import Seat
from referee.text import say
from referee.text.faults import RefereeError

_SWITCH = {"on": True, "off": False}
Switch = Annotated[bool, Field(strict=True), BeforeValidator(lambda value: _SWITCH.get(value, value))]
"""An option that is `on` or `off`."""
Seconds = Annotated[float, Field(ge=0, le=600)]
"""An option that is a short time."""


class Options(BaseModel):
    """What a table agreed on before it played; get one with `of`.

    A game subclasses it with its own options: a `Literal`, whose default stands first, a `Switch`, or a number with
    its limits (`Annotated[int, Field(ge=1, le=8)]`).

    Attributes:
        players: seat letters in seating order.
        start: the card that lies on the discard pile already; None while none does.
        turn: the seat that begins; the first one where it is empty.
        hands: cards that seats hold to begin with, where they were not dealt the usual number: `A2,B5`.
        settle: seconds after which a win is called, if nobody acts before (N-9).
        reasonable: seconds after which a question that nobody answers is dropped.
        words: whether it is judged what is said; not where nobody listens.
        level: `gentle` warns before it penalises, `strict` hides the turn until somebody buys it with a card.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    deck: ClassVar[Sequence[Card]] = FRENCH
    """The faces that are played with."""
    dealt: ClassVar[int] = 7
    """Cards dealt to each player."""

    players: str = "ABC"
    start: Card | None = None
    turn: Seat = ""
    hands: str = ""
    settle: Seconds = 3.0
    reasonable: Annotated[float, Field(ge=0, le=3600)] = 20.0
    words: Switch = True
    level: Literal["normal", "gentle", "strict"] = "normal"

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Self:
        """The options written as `options`, as in a vector.

        Raises:
            RefereeError: there is no such option, or its value makes no sense.
        """
        agreed = _of(cls, tuple(sorted(options.items())))
        assert isinstance(agreed, cls)
        return agreed

    @cached_property
    def place(self) -> dict[Seat, int]:
        """A seat's place in seating order, by its letter."""
        return {seat: place for place, seat in enumerate(self.players)}

    @cached_property
    def first(self) -> int:
        """The place of the seat that begins."""
        return self._place("turn", self.turn) if self.turn else 0

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many cards each seat holds to begin with."""
        counts = self.deal()
        for hand in filter(None, self.hands.split(",")):
            count = hand[1:]
            if not (count.isascii() and count.isdecimal() and len(count) <= 3):
                raise RefereeError(say("wrong-option.hands", value=self.hands))
            place = self._place("hands", hand[0])
            if not int(count):
                raise RefereeError(say("wrong-option.no-hand", value=self.hands, seat=hand[0]))
            counts = (*counts[:place], int(count), *counts[place + 1 :])
        return counts

    def deal(self) -> tuple[int, ...]:
        """How many cards each seat is dealt."""
        return (self.dealt,) * len(self.players)

    def _place(self, name: str, seat: Seat) -> int:
        if seat not in self.place:
            raise RefereeError(say("wrong-option.seat", option=name, seat=seat, players=self.players))
        return self.place[seat]

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        seats = self.players
        if not (2 <= len(seats) == len(set(seats)) and seats.isascii() and seats.isalpha() and seats.isupper()):
            raise RefereeError(say("wrong-option.players", value=seats))
        if self.start is not None and self.start not in self.deck:
            name = type(self).model_fields["start"].alias or "start"
            known = ", ".join(str(face) for face in self.deck[:: len(self.deck) // 3])
            raise RefereeError(say("wrong-option.card", name=name, value=self.start, known=known))
        _ = self.first, self.counts  # told now if they make no sense
        return self


@lru_cache(maxsize=256)
def _of(kind: type[Options], written: tuple[tuple[str, str], ...]) -> Options:
    try:
        return kind.model_validate(dict(written))
    except ValidationError as fault:
        raise RefereeError(_told(fault, kind)) from None


def _told(fault: ValidationError, options: type[Options]) -> str:
    """What is wrong, in one sentence; of several things, the first."""
    wrong = fault.errors(include_url=False)[0]
    name, value = wrong["loc"][0], wrong["input"]
    known = {field.alias or own: field for own, field in options.model_fields.items()}
    if name not in known:
        near = get_close_matches(str(name), known, 1)
        if near:
            return say("wrong-option.near", name=name, near=near[0])
        return say("wrong-option.unknown", name=name, known=", ".join(sorted(known)))
    if wrong["type"] == "value_error":
        return str(wrong["ctx"]["error"])
    field = known[str(name)]
    choices = tuple(_SWITCH) if field.annotation is bool else get_args(field.annotation)
    if field.annotation is bool or get_origin(field.annotation) is Literal:
        return say("wrong-option.choice", name=name, value=value, known=", ".join(choices))
    least, most = (next(getattr(m, end) for m in field.metadata if hasattr(m, end)) for end in ("ge", "le"))
    key = "wrong-option.number" if field.annotation is float else "wrong-option.whole"
    return say(key, name=name, value=value, least=least, most=most)
