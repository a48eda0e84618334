"""What is a card, and how is it written in table notation?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from referee.text import say
from referee.text.faults import RefereeError

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
COLOURS: Final = "rygb"
UNO_SYMBOLS: Final = (*"0123456789", "S", "R", "+2")


class Card:
    """One face of a deck. Every face exists once, so cards compare by identity; get one with `Card.of`.

    Attributes:
        name: table notation, `Qh`, `Jk`, `r+2`, `W`.
        rank: `A`…`K`, `Jk` for a joker; for UNO the symbol: `0`…`9`, `S`, `R`, `+2`, `W`, `W+4`.
        suit: `c d h s`; for UNO the colour `r y g b`; empty for jokers and wild cards.
    """

    __slots__ = ("name", "rank", "suit")
    name: str
    rank: str
    suit: str
    _faces: dict[str, Card] = {}  # noqa: RUF012  (filled once, below)

    def __init__(self, name: str, rank: str, suit: str) -> None:
        self.name, self.rank, self.suit = name, rank, suit
        Card._faces[name] = self

    @staticmethod
    def of(name: str) -> Card:
        """The card written `name`.

        Raises:
            RefereeError: there is no such card.
        """
        try:
            return Card._faces[name]
        except (KeyError, TypeError):
            raise RefereeError(say("file.card", name=name)) from None

    @property
    def red(self) -> bool:
        """Whether the face is a heart or a diamond."""
        return self.suit in ("h", "d")

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    def __lt__(self, other: Card) -> bool:
        return self.name < other.name

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return Card.of, (self.name,)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        def parse(value: object) -> Card:
            if isinstance(value, Card):
                return value
            try:
                return Card.of(value)  # type: ignore[arg-type]
            except RefereeError as fault:
                raise ValueError(str(fault)) from None

        return core_schema.no_info_plain_validator_function(
            parse, serialization=core_schema.plain_serializer_function_ser_schema(str)
        )


def in_order(cards: Iterable[Card]) -> list[Card]:
    """The cards as people sort them: by suit, then by rank; jokers and wild cards last."""
    return sorted(cards, key=lambda card: (card.suit or "z", RANKS.find(card.rank), card.name))


FRENCH: Final = tuple(Card(rank + suit, rank, suit) for suit in SUITS for rank in RANKS)
JOKER: Final = Card("Jk", "Jk", "")
WILD: Final = Card("W", "W", "")
WILD_DRAW_FOUR: Final = Card("W+4", "W+4", "")
UNO: Final = (
    *(Card(colour + symbol, symbol, colour) for colour in COLOURS for symbol in UNO_SYMBOLS),
    WILD,
    WILD_DRAW_FOUR,
)
DECKS: Final = {"french": (*FRENCH, JOKER), "uno": UNO}
"""Every face of each deck, by its name."""
