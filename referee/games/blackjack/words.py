"""Which suit was named (BJ-4), and is the turn said to be over (BJ-5)?"""

from __future__ import annotations

import re
from typing import Final

WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
DONE: Final = "done"
_NAMED: Final = re.compile(r"\b(club|diamond|heart|spade)s?\b")
_DONE: Final = re.compile(r"\bdone\b")


def named(text: str) -> str:
    """The suit that `text` names last, `c d h s`; empty where it names none."""
    found = _NAMED.findall(text.lower())
    return found[-1][0] if found else ""


def ends(text: str) -> bool:
    """Whether `text` says that the turn is over."""
    return bool(_DONE.search(text.lower()))
