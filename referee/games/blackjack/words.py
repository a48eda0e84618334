"""Which suit was named (BJ-4)?"""

from __future__ import annotations

import re
from typing import Final

WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
_NAMED: Final = re.compile(r"\b(club|diamond|heart|spade)s?\b")


def named(text: str) -> str:
    """The suit that `text` names last, `c d h s`; empty where it names none."""
    found = _NAMED.findall(text.lower())
    return found[-1][0] if found else ""
