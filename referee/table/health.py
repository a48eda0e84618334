"""How is a source of the table doing: camera, microphone, record?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Health:
    """How a source is doing.

    Attributes:
        name: `camera`, `microphone`.
        state: `ok`, `waiting` (no data for longer than its deadline), `off`.
        age: seconds since its newest data.
        detail: what to do about it, in words; empty when all is well.
        counts: what went wrong so far, by name, and how often: `reopened`, `dropped`.
    """

    name: str
    state: str
    age: float = 0.0
    detail: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
