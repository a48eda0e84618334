"""What had a referee acknowledged that was killed before it was in the record?"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from referee.record.observations import AnyObservation
from referee.record.rulings import AnyRuling
from referee.store.journal import ENDING, LOCKS, Journal, home
from referee.store.matches import Record
from referee.text.faults import RefereeError


class Records(Protocol):
    """Where matches are kept (`Store`)."""

    path: Path

    def tip(self, match: int) -> tuple[str, int]:
        """The newest hash of a match, and its rows."""

    def load(self, match: int) -> Record:
        """The whole match."""

    def append(self, match: int, row: int, observation: AnyObservation, rulings: Iterable[AnyRuling]) -> None:
        """Keep one row more."""


def take_up(store: Records) -> None:
    """Judge it, and put it in the record. What cannot be taken up now, for the record is damaged, stays where it is."""
    for path in sorted(home(store.path).glob(f"*{ENDING}")):
        if LOCKS and path.stem.isdecimal():
            with suppress(RefereeError, OSError):
                _take_up(store, int(path.stem))


def _take_up(store: Records, match: int) -> None:
    journal = Journal(store.path, match, store.tip(match)[0])
    if not journal.mine():
        return  # somebody plays on
    try:
        record = store.load(match)
        if rest := journal.left_over(record.written):
            again = record.resume()
            for row, seen in enumerate(rest, len(record.written) + 1):
                store.append(match, row, seen, again.add(seen))
        journal.clear()
    finally:
        journal.close()
