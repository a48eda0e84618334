"""What does a rule say of itself, and where in the game may it have a say?

A rule of the catalogue is a small class: data with checks, and those of the methods below that it needs. What rules do
together is composed in `referee.games.bartog.effects`, which knows none of them.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from referee.games.bartog.selectors import Selector
from referee.games.bartog.state import State, Top
from referee.record.cards import Card
from referee.text import has, say

Count = Annotated[int, Field(ge=1, le=9)]
"""How many cards or players, where that may be chosen."""
Phrase = Annotated[str, Field(pattern=r"^[a-z][a-z' ]*$", max_length=40)]
"""What people have to say, or may not: lower case, as the recogniser writes it."""


class Play(NamedTuple):
    """A card that has just been played.

    Attributes:
        seat: who played it.
        card: the card that it counts as: what a Joker was named.
        value: the value that it counts as.
        row: what the record calls it.
        beneath: the card that it was played on.
        debt: cards that were owed when it was played.
        snapped: whether it came out of turn: what was owed is not answered then, but moves on (BA-17).
    """

    seat: int
    card: Card
    value: int
    row: int
    beneath: Top | None
    debt: int
    snapped: bool

    @property
    def carried(self) -> int:
        """What is still owed where the card itself has no say in that."""
        return self.debt if self.snapped else 0


class Move(NamedTuple):
    """Whose turn it is now, what that seat owes, and (not below 0) who plays when that is taken, unavoidably."""

    seat: int
    owes: int = 0
    then: int = -1


class Rule(BaseModel):
    """A rule that a winner can pick.

    Attributes:
        name: as in `rules=`.
        number: in the catalogue: `5a`.
        claims: the codes of the penalties that players may claim by it, because only they can judge that (BA-7).
        last_card_counts: whether the last card has its effect before anybody has won.
        snaps: whether a card that is played out of turn by it counts as snapped.
        takes_the_win: whether a card that is snapped on the winning card wins instead.
        double: whether everybody has a bottom hand as well.
        several: whether a turn may consist of several cards, so that it is over only when somebody acts.
        lasts: whether it remembers things from round to round.
        on: the cards it speaks of; None where it speaks of all, or of none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, allow_inf_nan=False)
    name: ClassVar[str]
    number: ClassVar[str]
    claims: ClassVar[tuple[str, ...]] = ()
    last_card_counts: ClassVar[bool] = False
    snaps: ClassVar[bool] = False
    takes_the_win: ClassVar[bool] = False
    double: ClassVar[bool] = False
    several: ClassVar[bool] = False
    lasts: ClassVar[bool] = False

    on: Selector | None = None

    @property
    def cites(self) -> str:
        """The number by which rulings cite it: `BC-5a`."""
        return f"BC-{self.number}"

    @property
    def text(self) -> str:
        """The rule as in `rules=`: `skip@7/count=2`."""
        at = f"@{self.on}" if self.on is not None else ""
        return "/".join((f"{self.name}{at}", *self._parameters()))

    def _parameters(self) -> list[str]:
        written = []
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if name == "on" or value == field.default:
                continue
            shown = field.alias or name
            written.append(shown if value is True else f"{shown}={str(value).replace(' ', '_')}")
        return written

    @property
    def sentence(self) -> str:
        """What it says, for the sheet of the house's rules."""
        return say(f"bartog.rules.{'-'.join((self.name, *self.variants()))}", **self._told())

    @property
    def hint(self) -> str:
        """What it means for whoever learns it, once its card lies there; empty where nothing is to be told."""
        key = f"bartog.hints.{self.name}"
        return say(key, **self._told()) if has(key) else ""

    def variants(self) -> tuple[str, ...]:
        """What parts its sentence from the usual one: the parameters that change it, as the catalogue has them."""
        return ()

    def _told(self) -> dict[str, Any]:
        """The values that its sentences are filled with."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        for name in {"whom", "to"} & values.keys():
            values[name] = say(f"bartog.target.{values[name]}")
        return {**values, "cards": self.on.told if self.on is not None else ""}

    @property
    def words(self) -> tuple[str, ...]:
        """What the ear has to listen for because of it."""
        return ()

    def speaks_of(self, card: Card, value: int) -> bool:
        """Whether `card`, which counts as `value`, has its effect."""
        return self.on is None or self.on.has(card, value)

    def revalued(self, card: Card, value: int) -> int:
        """What `card`, which older rules let count as `value`, counts as."""
        return value

    def lands(self, state: State, play: Play) -> State:
        """What a card that it speaks of does, beside saying who is next."""
        return state

    def moves(self, state: State, play: Play) -> Move | None:
        """Who is next after a card that it speaks of; None where it has no say in that."""
        return None

    def chosen(self, state: State, seat: int, other: int) -> State:
        """`seat`, which had to choose, has pointed at `other`."""
        return state

    def settled(self, before: State, state: State) -> State:
        """What follows once everything that a card does is done; `before` is the state before it landed."""
        return state

    def answers(self, state: State) -> bool:
        """Whether a card that it speaks of may be played instead of taking what is owed."""
        return False

    def butts_in(self, top: Top, value: int, card: Card, worth: int, decks: int) -> str:
        """The word with which `card` (counting as `worth`) may be played out of turn on `top` (`value`), if any."""
        return ""

    def goes_on(self, run: tuple[tuple[Card, int], ...], card: Card, worth: int) -> bool:
        """Whether `card` may be added to a turn that consists of `run`, cards and what they count as."""
        return False

    def last_word(self) -> str:
        """What is said with one card left; empty where it has no say in that."""
        return ""

    def suspects(self, state: State, seat: int, text: str) -> str:
        """The code of the claim that `text`, said by `seat`, gives reason for; empty if none."""
        return ""

    def clears(self, state: State, against: int, code: str) -> bool:
        """Whether nothing of that code can be claimed against that seat now."""
        return False

    def fined(self, state: State, seat: int) -> int:
        """Who takes a penalty that `seat` has deserved."""
        return seat

    def never_says(self, seat: str) -> bool:
        """Whether that seat cannot say what is said with one card left, and takes a card for it at once."""
        return False

    def dealt(self, state: State, seat: int, cards: int) -> int:
        """How many cards `seat` is dealt for a new round, of which it would be dealt `cards`."""
        return cards

    def round_ends(self, state: State) -> State:
        """What changes when a round is won."""
        return state
