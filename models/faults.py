"""What went wrong, for people to read, in a room that does not know in which words?"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar


def _bare(key: str, /, **values: object) -> str:
    return " ".join([key, *(f"{name}={value}" for name, value in values.items())])


class Fault(Exception):  # noqa: N818  (what is raised is a room's own error)
    """Something a user can put right: the key of the sentence that names the thing and the remedy, and its values.

    `str()` is that sentence; where there is none, or no catalogue, which `referee.text` brings, the key and the values.
    """

    say: ClassVar[Callable[..., str]] = _bare
    """What makes a sentence of a key and its values."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values

    def __str__(self) -> str:
        try:
            return Fault.say(self.key, **self.values)
        except KeyError:
            return _bare(self.key, **self.values)
