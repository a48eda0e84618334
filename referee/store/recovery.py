"""What had a referee acknowledged that was killed before it was in the record?"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from referee.store.journal import ENDING, LOCKS, Journal, home
from referee.text.faults import RefereeError

if TYPE_CHECKING:
    from referee.store.store import Store


def take_up(store: Store) -> None:
    """Judge it, and put it in the record. What cannot be taken up now, for the record is damaged, stays where it is."""
    for path in sorted(home(store.path).glob(f"*{ENDING}")):
        if LOCKS and path.stem.isdecimal():
            with suppress(RefereeError, OSError):
                _take_up(store, int(path.stem))


def _take_up(store: Store, match: int) -> None:
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
