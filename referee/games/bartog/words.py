"""Was a phrase said, and which card was named?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from referee.record.cards import FRENCH, Card

BARTOG: Final = "bartog"
_RANKS: Final = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
_SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
NAMES: Final = {f"{rank} of {_SUITS[card.suit]}": card for card, rank in zip(FRENCH, _RANKS * len(_SUITS), strict=True)}
"""What is said to name a card."""
NAME_OF: Final = {card: name for name, card in NAMES.items()}


@lru_cache(maxsize=512)
def _whole(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(phrase)}\b")


def has_phrase(text: str, phrase: str) -> bool:
    """Whether `phrase` is among the words of `text`."""
    return bool(_whole(phrase).search(text.lower()))


def phrases_in(text: str, phrases: Iterable[str]) -> list[str]:
    """Those of `phrases` that are among the words of `text`."""
    return [phrase for phrase in phrases if has_phrase(text, phrase)]


def named(text: str) -> Card | None:
    """The card that `text` names first; None where it names none."""
    found = {match.start(): card for name, card in NAMES.items() if (match := _whole(name).search(text.lower()))}
    return found[min(found)] if found else None
