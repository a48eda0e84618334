"""What does each row of a record say, after the edits that stand in the rows behind it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from referee.record.observations import AnyObservation, Corrected, Happening, Newer, Undone


class Edits:
    """Follows a record row by row; a row costs what it changes, however long the record is.

    Attributes:
        undone: the rows, from 1, that an undo took out. An undo that was undone itself takes nothing out.
    """

    def __init__(self, record: Iterable[AnyObservation] = ()) -> None:
        self.undone: set[int] = set()
        self._record: list[AnyObservation] = []
        self._undos: Counter[int] = Counter()  # undos of each row that hold
        self._corrections: dict[int, list[int]] = {}  # rows that correct each row, oldest first
        for observation in record:
            self.add(observation)

    def add(self, observation: AnyObservation) -> set[int]:
        """Follow the record by one row; the answer is the rows that may say something else now, this one among them.

        An edit that names no earlier row changes nothing.
        """
        self._record.append(observation)
        row = len(self._record)
        match observation:
            case Undone(of=of) if of < row:
                return {row} | self._strike(of)
            case Corrected(of=of) if of < row:
                self._corrections.setdefault(of, []).append(row)
                return {row, of}
        return {row}

    def says(self, row: int) -> Happening | None:
        """What row `row` says happened, as corrected; None where it was undone, or tells nothing that can be read."""
        if row in self.undone:
            return None
        for edit in reversed(self._corrections.get(row, ())):
            correction = self._record[edit - 1]
            if edit not in self.undone and isinstance(correction, Corrected):
                return correction.by
        seen = self._record[row - 1]
        return None if isinstance(seen, Undone | Corrected | Newer) else seen

    def _strike(self, row: int) -> set[int]:
        """One more undo of row `row` holds: what that takes out or, where the row is an undo, puts back."""
        changed: set[int] = set()
        by = 1
        while True:
            before = self._undos[row] > 0
            self._undos[row] += by
            if (self._undos[row] > 0) == before:
                return changed
            self.undone ^= {row}
            changed.add(row)
            edit = self._record[row - 1]
            if isinstance(edit, Corrected):
                changed.add(edit.of)
            if not isinstance(edit, Undone):
                return changed
            row, by = edit.of, -by
