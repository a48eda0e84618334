"""Which link, code and cookies let people in at the table of a match, when the table is opened again?"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from referee.store.journal import home, private
from referee.store.store import Store

ENDING: Final = ".access"


class Secrets:
    """A file beside the matches, for one of them, that only this user may read; it is in no export."""

    def __init__(self, store: Store, match: int) -> None:
        """Those of `match`, a match of `store`."""
        self._store, self._match = store, match
        self._head, _ = store.tip(match)
        self._written: dict[str, Any] = {}

    @property
    def path(self) -> Path:
        """Where they are."""
        return home(self._store.path) / f"{self._match}{ENDING}"

    def read(self) -> dict[str, Any]:
        """What was written last; nothing when there is none, or it is of another match of that number."""
        try:
            written = json.loads(self.path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return written if isinstance(written, dict) and written.get("match") == self._head else {}

    def write(self, what: dict[str, Any]) -> None:
        """Keep `what`, JSON values, whole or not at all. A disk that takes none costs a new link after a restart."""
        self._written = what
        fresh = self.path.with_suffix(f"{ENDING}.new")
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
            with os.fdopen(private(fresh), "w", encoding="utf-8") as file:
                json.dump({**what, "match": self._head}, file)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)

    def follow(self) -> None:
        """The file of the matches lies elsewhere now: keep them beside it."""
        self.write(self._written)
