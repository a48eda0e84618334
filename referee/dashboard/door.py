"""How many connections may be open at one time, before anybody has said who they are?"""

from __future__ import annotations

import socket
from typing import Any, Final

MOST: Final = 200
"""Open connections: fewer than the files that a process may open where that is least (256), with room for the match."""
MOST_OF_ONE: Final = 150
"""Those of one address: whoever opens connections and says nothing leaves room for the others."""
AT_ONCE: Final = 50
"""Connections that are turned away before anything else is done."""


class Door(socket.socket):
    """A listening socket that hangs up on whoever would be too many.

    A program that runs out of files accepts nobody any more, and can write no evidence.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._inside: list[tuple[socket.socket, str]] = []

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection that there is room for.

        Raises:
            BlockingIOError: nobody waits for one, or so many were turned away that the match must have its turn.
        """
        for _ in range(AT_ONCE):
            connection, address = super().accept()
            self._inside = [one for one in self._inside if one[0].fileno() >= 0]
            of_one = sum(address[0] == other for _, other in self._inside)
            if len(self._inside) < MOST and of_one < MOST_OF_ONE:
                self._inside.append((connection, address[0]))
                return connection, address
            connection.close()
        raise BlockingIOError
