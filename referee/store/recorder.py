"""How does what is judged at the table get into the store, even when the disk does not take it at once?"""

from __future__ import annotations

from collections import deque

from referee.faults import RefereeError
from referee.observations import AnyObservation
from referee.rulings import AnyRuling
from referee.session import Event, Health
from referee.store.store import Store


class Recorder:
    """A session's listener that appends everything judged to the record of one match.

    Let it listen before anything that shows rulings: then what is shown is safe. It never stops play: what the file
    does not take now (a full disk, a lock) it keeps and appends, in order, with the next event or `save`.
    """

    def __init__(self, store: Store, match: int) -> None:
        """Append to `match`, a match of `store`."""
        self._store = store
        self._match = match
        self._unsaved: deque[tuple[int, AnyObservation, tuple[AnyRuling, ...]]] = deque()
        self._fault = ""

    def __call__(self, event: Event) -> None:
        """Append what `event` says was judged."""
        last = event.observations[-1][0] if event.observations else 0
        for row, observation in event.observations:
            self._unsaved.append((row, observation, event.rulings if row == last else ()))
        self.save()

    def save(self) -> bool:
        """Append what could not be appended before; whether everything is on the disk now."""
        try:
            while self._unsaved:
                self._store.append(self._match, *self._unsaved[0])
                self._unsaved.popleft()
            self._fault = ""
        except RefereeError as fault:
            self._fault = str(fault)
        return not self._unsaved

    @property
    def health(self) -> Health:
        """Whether everything is on the disk, and if not, how much is missing and what to do about it."""
        if not self._unsaved:
            return Health("record", "ok")
        return Health("record", "waiting", detail=f"{len(self._unsaved)} rows are not saved yet: {self._fault}")
