"""Which error does a user of the referee meet?"""

from referee.text import say


class RefereeError(Exception):
    """Something a user can put right; its message names the thing and the remedy in one line."""


class NotationError(RefereeError):
    """A malformed token of table notation, with where it stands.

    Attributes:
        line: line number in the text, from 1.
        column: column of the token's first character, from 1.
    """

    def __init__(self, what: str, line: int, column: int) -> None:
        super().__init__(say("file.place", line=line, column=column, what=what))
        self.line = line
        self.column = column
