"""How does what happens at the table get into the store, even when the disk does not take it at once?"""

from __future__ import annotations

import time
from collections import deque
from itertools import islice
from typing import Final

from referee.record.match import Match
from referee.record.observations import AnyObservation
from referee.record.rulings import AnyRuling
from referee.store.export import save_apart
from referee.store.journal import Journal
from referee.store.store import Store
from referee.table.health import Health
from referee.table.session import Event
from referee.text import say
from referee.text.calls import Names
from referee.text.faults import RefereeError

AGAIN: Final = 2.0
"""Seconds after which it is tried once more to save what could not be saved."""


class Recorder:
    """A session's listener that keeps everything of one match: what waits for its turn, and what was judged.

    Let it listen before anything that shows rulings or answers taps: then what is shown is safe. It never stops play:
    what the file does not take now (a full disk, a lock) it keeps and appends, in order, with the next event, with
    `watch` or with `save`.
    """

    def __init__(self, store: Store, match: int) -> None:
        """Append to `match`, a match of `store`."""
        self._store = store
        self._match = match
        head, self._rows = store.tip(match)
        self._journal = Journal(store.path, match, head)
        self._held: list[AnyObservation] = []
        self._unsaved: deque[tuple[int, AnyObservation, tuple[AnyRuling, ...]]] = deque()
        self._noted = 0  # of the unsaved rows, how many stand in the journal
        self._fault = self._unsafe = self._moved = ""
        self._tried = time.monotonic()

    def __call__(self, event: Event) -> None:
        """Keep what `event` says was noticed, and append what was judged."""
        for seen in event.held:
            self._held.append(seen)
            self._note(seen, after=self._rows)
        last = event.observations[-1][0] if event.observations else 0
        for row, observation in event.observations:
            self._unsaved.append((row, observation, event.rulings if row == last else ()))
            self._held = [held for held in self._held if held is not observation]
            self._rows = row
        self.save()

    def claim(self) -> None:
        """Make sure that nobody else goes on with this match.

        Raises:
            RefereeError: another process does.
        """
        try:
            mine = self._journal.mine()
        except OSError as fault:  # people play all the same, and see it on the page
            self._unsafe = say("record.unsafe", why=fault.strerror or str(fault))
        else:
            if not mine:
                raise RefereeError(say("record.claimed", match=self._match, file=self._store.path))

    def save(self) -> bool:
        """Append what could not be appended before; whether everything is in the record now."""
        self._tried = time.monotonic()
        try:
            while self._unsaved:
                self._store.append(self._match, *self._unsaved[0])
                self._unsaved.popleft()
                self._noted = max(0, self._noted - 1)
            self._fault = ""
        except RefereeError as fault:
            self._fault = str(fault)
            for row, observation, _ in islice(self._unsaved, self._noted, None):
                if not self._note(observation, row=row):
                    break
                self._noted += 1
        if not self._unsaved and not self._held:
            self._unsafe = ""
            self._journal.clear()
        return not self._unsaved

    def watch(self) -> str:
        """Look after the file (call it now and then): what to tell people once, if it is no longer there.

        When somebody removes or replaces it, the match goes on in a copy that holds everything.
        """
        told = ""
        if self._store.is_lost():
            try:
                lost = self._store.path
                there = self._store.move()
                self._moved = say("record.moved", lost=lost.name, file=there.name)
                told = say("record.moved", lost=lost, file=there)
                self._start_again()
            except RefereeError as fault:
                self._unsafe = say("record.unsafe", why=fault)
        elif self._unsaved and time.monotonic() - self._tried > AGAIN:
            self.save()
        return told

    @property
    def health(self) -> Health:
        """Whether everything is on the disk, and if not, how much is missing and what to do about it."""
        if self._unsaved:
            told = say("record.unsaved", count=len(self._unsaved), why=self._fault)
            return Health("record", "waiting", detail=told)
        return Health("record", "waiting" if self._unsafe else "ok", detail=self._unsafe or self._moved)

    def unsafe(self) -> str:
        """Why a kill or a power cut now would lose something, in words; empty when it would lose nothing."""
        return self._unsafe

    def close(self, match: Match, names: Names) -> None:
        """The table is closed: what still could not be saved is put in a file of its own, with the whole match.

        Raises:
            RefereeError: that was necessary; the message says where it is and how it comes back.
        """
        if self.save():
            self._journal.close()
            return
        there = save_apart(self._store.path, self._match, match, names)
        raise RefereeError(say("record.apart", count=len(self._unsaved), why=self._fault, file=there))

    def _note(self, seen: AnyObservation, **place: int) -> bool:
        try:
            self._journal.note(seen, **place)
        except OSError as fault:
            self._unsafe = say("record.unsafe", why=fault.strerror or str(fault))
            return False
        return True

    def _start_again(self) -> None:
        """The file lies elsewhere now, and so does the journal."""
        self._journal = Journal(self._store.path, self._match, self._store.tip(self._match)[0])
        self._noted, self._unsafe = 0, ""
        for seen in self._held:
            self._note(seen, after=self._rows)
        self.save()
