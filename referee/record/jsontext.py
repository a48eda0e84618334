"""Is this text JSON that everything here can read, print and write again?

Python takes more as JSON than can be written anywhere else: NaN, half of a surrogate pair, numbers of 4 000 digits.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

from referee.text import say
from referee.text.faults import RefereeError

DEEPEST: Final = 32
"""Lists and objects in one another; an honest row has four."""
LARGEST: Final = 2**63
"""Whole numbers are smaller."""


def parse(text: str | bytes) -> Any:
    """The value that `text` writes.

    Raises:
        RefereeError: it is no JSON, or holds what cannot be carried on; the message says what, in words.
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as fault:
        raise RefereeError(say("file.not-json", column=fault.colno, why=fault.msg)) from None
    except UnicodeDecodeError:
        raise RefereeError(say("file.half-character")) from None
    except ValueError:
        raise RefereeError(say("file.number")) from None  # more digits than Python reads
    except RecursionError:
        raise RefereeError(say("file.deep", deepest=DEEPEST)) from None
    rest = [(value, 1)]
    while rest:
        part, depth = rest.pop()
        match part:
            case str() if not is_whole(part):
                raise RefereeError(say("file.half-character"))
            case float() if not math.isfinite(part):
                raise RefereeError(say("file.number"))
            case int() if abs(part) >= LARGEST:
                raise RefereeError(say("file.number"))
            case dict() | list() if depth > DEEPEST:
                raise RefereeError(say("file.deep", deepest=DEEPEST))
            case dict():
                rest += [(inner, depth + 1) for pair in part.items() for inner in pair]
            case list():
                rest += [(inner, depth + 1) for inner in part]
    return value


def is_whole(text: str) -> bool:
    """Whether every character of `text` is one: half of a surrogate pair is none."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)
