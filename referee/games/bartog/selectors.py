"""Which cards does a rule speak of (BA-2): `7`, `A,2,3`, `primes`, `9&red`, `Qs`?"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final, TypeAlias

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from referee.record.cards import FRENCH, RANKS, SUITS, Card
from referee.text import say
from referee.text.calls import card_name
from referee.text.faults import RefereeError

Test: TypeAlias = Callable[[Card, int], bool]
"""Whether a card is meant, by its face and the value it counts as."""

LONGEST: Final = 80
"""Characters of a selector: more than the longest sensible one, thirteen ranks, seven words and `&`."""
_MULTIPLES: Final = "multiples:"
_NAMED: Final[dict[str, Test]] = {
    "primes": lambda _, value: value > 1 and all(value % factor for factor in range(2, value)),
    "squares": lambda _, value: value in (1, 4, 9, 16),
    "cubes": lambda _, value: value in (1, 8, 27),
    "odds": lambda _, value: value % 2 == 1,
    "evens": lambda _, value: value % 2 == 0,
    "court": lambda card, _: card.rank in ("J", "Q", "K"),
    "red": lambda card, _: card.red,
    "black": lambda card, _: card.suit in ("c", "s"),
}


class Selector:
    """A set of cards, as text such as `9&red`; equal texts are equal selectors.

    Raises:
        RefereeError: it cannot be read, or no card in the pack is meant by it.
    """

    __slots__ = ("_tests", "text")

    def __init__(self, text: str) -> None:
        self.text, self._tests = text, _tests(text)
        if not any(self.has(card, face_value(card)) for card in FRENCH):
            raise RefereeError(say("bartog.selects-nothing", selector=text))

    def has(self, card: Card, value: int) -> bool:
        """Whether `card`, which counts as `value`, is meant; a Joker that nobody has named never is."""
        return bool(card.suit) and all(any(test(card, value) for test in part) for part in self._tests)

    @property
    def told(self) -> str:
        """The cards in words: "a nine that is a red card"."""
        parts = [say("bartog.or").join(map(_told, part.split(","))) for part in self.text.split("&")]
        return say("bartog.that-is").join(parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Selector) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        def parse(value: Any) -> Selector:
            return value if isinstance(value, Selector) else Selector(str(value))

        return core_schema.no_info_plain_validator_function(
            parse, serialization=core_schema.plain_serializer_function_ser_schema(str)
        )


def face_value(card: Card) -> int:
    """What a card counts as by its face: ace 1, Jack, Queen and King 11 to 13; a Joker 0."""
    return RANKS.find(card.rank) + 1


def _told(word: str) -> str:
    if word in SUITS and len(word) == 1:
        return say("bartog.of-suit", suit=say(f"explain.suits.{word}"))
    if word.startswith(_MULTIPLES):
        return say("bartog.multiple", factor=word.removeprefix(_MULTIPLES))
    if len(word) == 2 and word != "10":
        return card_name(Card.of(word))
    return say(f"bartog.{word}") if word in _NAMED else say(f"explain.ranks.{'T' if word == '10' else word}")


@lru_cache(maxsize=512)
def _tests(text: str) -> tuple[tuple[Test, ...], ...]:
    """One tuple for each part between `&`, of which any one has to hold."""
    if not text:
        raise RefereeError(say("bartog.no-selector"))
    if len(text) > LONGEST:
        raise RefereeError(say("bartog.long-selector", selector=text[:LONGEST] + "…", most=LONGEST))
    return tuple(tuple(_test(word, text) for word in part.split(",")) for part in text.split("&"))


def _test(word: str, text: str) -> Test:
    if word in _NAMED:
        return _NAMED[word]
    if word in SUITS and len(word) == 1:
        return lambda card, _: card.suit == word
    rank = "T" if word == "10" else word
    if rank in RANKS and len(rank) == 1:
        wanted = RANKS.index(rank) + 1
        return lambda _, value: value == wanted
    if len(word) == 2 and word[0] in RANKS and word[1] in SUITS:
        return lambda card, _: card.name == word
    factor = word.removeprefix(_MULTIPLES)
    if factor != word and factor.isascii() and factor.isdecimal() and len(factor) <= 2 and int(factor) > 1:
        return lambda _, value: value % int(factor) == 0
    near = get_close_matches(word, [*_NAMED, _MULTIPLES + "3"], 1, 0.6)
    if near:
        raise RefereeError(say("bartog.selector-near", word=word, selector=text, near=near[0]))
    raise RefereeError(say("bartog.selector", word=word, selector=text))
