"""Which edition and which house rules does the table play by (UB-1 to UB-3)?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from referee.games.kit.options import Options, Switch
from referee.record.cards import FRENCH, JOKER, Card
from referee.record.observations import Seat
from referee.text import say
from referee.text.faults import RefereeError

CARD_RULES: Final = ("A", "2", "3", "4r", "5", "6", "7", "7r", "7b", "8", "9", "T", "J", "Q", "K", "Jk")
"""What `cards=` may list: the rules of cards. `7` makes every seven count as red, as in `junior`."""

_FULL: Final = "A,2,3,4r,5,6,7r,7b,8,9,T,J,Q,K,Jk"
_USUAL: Final = {"butting_in": "on", "penalties": "on", "slow": "on"}
PRESETS: Final[Mapping[str, Mapping[str, str]]] = {
    "full": {**_USUAL, "cards": _FULL},
    "print": {**_USUAL, "cards": _FULL.replace("3,", "").replace("5,", "")},
    "junior": {**_USUAL, "cards": "A,2,7,8,J,K", "slow": "off"},
    "classic": {"cards": "A,2,8,J,K", "butting_in": "off", "penalties": "off", "slow": "off"},
}
"""Presets (UB-1) and the options that each sets; an option given beside the preset overrides it."""


def _card_rules(value: object) -> object:
    if not isinstance(value, str):
        return value
    names = frozenset("T" if name == "10" else name for name in value.split(",") if name and name != "none")
    if unknown := names.difference(CARD_RULES):
        raise RefereeError(
            say("wrong-option.cards", value=value, unknown=", ".join(sorted(unknown)), known=",".join(CARD_RULES))
        )
    return names


class Table(Options):
    """The players and the rules they agreed on; see `referee.games.kit.options.Options`.

    Attributes:
        preset: the edition, which sets what is not given beside it.
        cards: the rules of cards that are in play.
        fives: which fives are active.
        auto_butt_in: whether a seat may butt in on its own card.
        butting_in, penalties, slow: whether there is butting in, whether anything costs a card, slowness too.
        strict: the same as `level=strict` (UB-30: asking for the state of play costs a card, and then it is told).
        decks: packs; None for two, or what the players need.
        jokers: Jokers in all; None for two a pack.
    """

    deck: ClassVar = (*FRENCH, JOKER)

    players: str = ""  # who plays has to be told
    preset: Literal["full", "print", "junior", "classic"] = "full"
    cards: Annotated[frozenset[str], BeforeValidator(_card_rules)] = frozenset()
    fives: Literal["all", "red", "black", "butt-in"] = "all"
    auto_butt_in: Literal["allow", "forbid"] = "allow"
    butting_in: Switch = True
    penalties: Switch = True
    slow: Switch = True
    strict: Switch = False
    decks: Annotated[int | None, Field(ge=1, le=40)] = None
    jokers: Annotated[int | None, Field(ge=0, le=200)] = None

    @model_validator(mode="before")
    @classmethod
    def _preset(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        level = {"level": "strict"} if given.get("strict") == "on" else {}
        return {**PRESETS.get(given.get("preset", "full"), {}), **given, **level}

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if self.pack <= sum(self.counts):
            raise RefereeError(say("wrong-option.decks", decks=self.decks, cards=sum(self.counts) + 1))
        return self

    @cached_property
    def seats(self) -> int:
        """How many players."""
        return len(self.players)

    @cached_property
    def effects(self) -> dict[Card, str]:
        """Each card's rule: `A 2 3 4 5 6 7r 7b 8 9 T J Q K Jk`, empty for a plain card; others are no cards here."""
        return {card: _effect(card, self.cards, self.fives) for card in self.deck}

    @cached_property
    def pack(self) -> int:
        """How many cards there are in all; at least as many as were dealt and one to turn over."""
        decks = self.decks or max(2, -(-(sum(self.counts) + 1 + self.dealt) // len(FRENCH)))
        jokers = 2 * decks if self.jokers is None else self.jokers
        return decks * len(FRENCH) + ("Jk" in self.cards) * jokers

    def seat(self, letter: Seat) -> int:
        """The place of `letter` in seating order; -1 when nobody of this table sits there."""
        return self.place.get(letter, -1)

    def letter(self, seat: int) -> Seat | None:
        """The letter of the seat at place `seat`; None for -1."""
        return self.players[seat] if seat >= 0 else None


def _effect(card: Card, rules: frozenset[str], fives: str) -> str:
    """The rule of `card` where `rules` are in play; a card whose rule is not in play is plain (UB-3)."""
    rank = card.rank
    if rank == "7":
        low = "7" in rules or (card.red and "7r" in rules)
        return "7r" if low else "7b" if not card.red and "7b" in rules else ""
    if rank == "4":
        return "4" if card.red and "4r" in rules else ""
    if rank == "5" and (fives, card.red) in (("red", False), ("black", True)):
        return ""
    return rank if rank in rules else ""
