"""What has happened in this match, and what does the referee say to it?

The record is append-only. Undo and corrections are rows of it; the state is always what reading the record gives.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from referee.edits import Edits
from referee.faults import RefereeError
from referee.games import Game, game_named
from referee.ledger import Ledger
from referee.observations import AnyObservation, Corrected, Elapsed, Happening, Newer, Undone
from referee.rulings import AnyRuling, Penalty, Question, Settled, Turn, Win
from referee.standing import Standing


class Match:
    """The record of one match and the game that reads it.

    Rows are numbered from 1 as they are appended. They are read in order of capture time, so a word that was
    recognised late still counts from when it was spoken.
    """

    def __init__(self, game: str, options: Mapping[str, str], record: Iterable[AnyObservation] = ()) -> None:
        """Begin the match, or resume it from its `record`.

        Raises:
            RefereeError: the game, an option or a row's reference is unknown.
        """
        self.game: Game[object] = game_named(game)
        self.options = dict(options)
        self.record: list[AnyObservation] = []
        self.ledger = Ledger()
        self._edits = Edits()
        self._read: list[tuple[float, int, Happening]] = []  # capture time, row, what happened: in reading order
        self._said: dict[int, Happening] = {}  # what each row that is read says
        self._kinds: Counter[type] = Counter()  # of what is read
        self._states: list[object] = [self.game.start(options)]  # state before each of `_read`, and after the last
        self._counts: list[int] = [0]  # rulings given up to each of `_states`
        for observation in record:
            self.add(observation)

    @property
    def state(self) -> object:
        """The game's state after everything in the record."""
        return self._states[-1]

    @property
    def standing(self) -> Standing:
        """How the table stands after everything in the record."""
        return self.game.standing(self.state)

    @property
    def happenings(self) -> tuple[Happening, ...]:
        """What happened, in reading order, with undone rows left out and corrected rows as corrected."""
        return tuple(happening for _, _, happening in self._read)

    @property
    def rulings(self) -> list[AnyRuling]:
        """What the referee answers to the record, oldest first."""
        return self.ledger.rulings

    def happening(self, row: int) -> Happening | None:
        """What row `row` says, as corrected; None where it was undone, or is itself an edit."""
        return self._said.get(row)

    def before(self, row: int) -> object | None:
        """The game's state before row `row` was read; None where it is not read."""
        said = self._said.get(row)
        return self._states[self._place(said.t, row)] if said else None

    def holds(self, kind: type[Happening]) -> bool:
        """Whether anything of that kind happened."""
        return self._kinds[kind] > 0

    def add(self, observation: AnyObservation) -> tuple[AnyRuling, ...]:
        """Append `observation` to the record and say what is new.

        For an edit, or an observation that belongs before others, the match is judged again from there on: penalties
        and wins that no longer stand come back as `Settled(outcome="overturned")`, questions as `"answered"`, then what
        is new.

        Raises:
            RefereeError: an edit names a row that is not in the record; nothing is appended then.
        """
        row = len(self.record) + 1
        if isinstance(observation, Undone | Corrected):
            if not 1 <= observation.of < row:
                raise RefereeError(f"row {observation.of} is not in the record: it has {row - 1} rows")
            if isinstance(observation, Corrected) and isinstance(self.record[observation.of - 1], Undone | Corrected):
                raise RefereeError(f"row {observation.of} is itself an edit: undo it instead of correcting it")
        self.record.append(observation)
        first = min(map(self._reread, self._edits.add(observation)))
        if isinstance(observation, Newer):
            return ()
        if first == len(self._states) - 1 < len(self._read) and not isinstance(observation, Undone | Corrected):
            return self._advance()
        return self._judge_again(first)

    def undo(self, t: float) -> tuple[AnyRuling, ...]:
        """Undo the newest row that still stands and is neither an undo nor time that passed, and can be read.

        Raises:
            RefereeError: there is nothing to undo.
        """
        gone = self.undone()
        for row in range(len(self.record), 0, -1):
            if row not in gone and not isinstance(self.record[row - 1], Undone | Elapsed | Newer):
                return self.add(Undone(t=t, of=row, source="tap"))
        raise RefereeError("there is nothing to undo: the record is empty")

    def redo(self, t: float) -> tuple[AnyRuling, ...]:
        """Put back what the newest undo took out, as long as nothing happened since.

        Raises:
            RefereeError: there is nothing to put back.
        """
        row = self.redoable()
        if row == 0:
            raise RefereeError("there is nothing to redo: something happened since, or nothing was undone")
        return self.add(Undone(t=t, of=row, source="tap"))

    def redoable(self) -> int:
        """The row of the undo that `redo` would take back; 0 when there is none."""
        gone = self.undone()
        for row in range(len(self.record), 0, -1):
            edit = self.record[row - 1]
            if isinstance(edit, Undone):
                if row not in gone and not isinstance(self.record[edit.of - 1], Undone):
                    return row
            elif not isinstance(edit, Elapsed) and row not in gone:
                return 0
        return 0

    def _advance(self) -> tuple[AnyRuling, ...]:
        """Read the one entry of `_read` that has no state yet."""
        _, _, happening = self._read[len(self._states) - 1]
        state, rulings = self.game.observe(self._states[-1], happening)
        named = tuple(replace(r, rests_on=tuple(self._read[i - 1][1] for i in r.rests_on)) for r in rulings)
        self.ledger.give(named)
        self._states.append(state)
        self._counts.append(len(self.rulings))
        return named

    def undone(self) -> Set[int]:
        """The rows of the record that an undo took out."""
        return self._edits.undone

    def _place(self, t: float, row: int) -> int:
        """Where in reading order row `row`, captured at `t`, stands or would stand."""
        return bisect_left(self._read, (t, row), key=lambda item: item[:2])

    def _reread(self, row: int) -> int:
        """Read row `row` as its edits have it now; the answer is the first place that is not read as it was."""
        before, now = self._said.get(row), self._edits.says(row)
        first = len(self._read)
        if before == now:
            return first
        if before is not None:
            first = self._place(before.t, row)
            del self._read[first], self._said[row]
            self._kinds[type(before)] -= 1
        if now is not None:
            place = self._place(now.t, row)
            self._read.insert(place, (now.t, row, now))
            self._said[row] = now
            self._kinds[type(now)] += 1
            first = min(first, place)
        return first

    def _judge_again(self, first: int) -> tuple[AnyRuling, ...]:
        """Judge what is read from place `first` on once more."""
        turn_before = self.standing
        old = self.ledger.take_back(self._counts[first])
        del self._states[first + 1 :], self._counts[first + 1 :]
        while len(self._states) <= len(self._read):
            self._advance()
        return self._changes(old, self.rulings[self._counts[first] :], turn_before)

    def _changes(self, old: list[AnyRuling], new: list[AnyRuling], before: Standing) -> tuple[AnyRuling, ...]:
        t, row = self.record[-1].t, len(self.record)
        struck = [
            Settled(
                number=r.number,
                t=t,
                rule=r.rule,
                rests_on=(row,),
                ruling=r.number,
                outcome="answered" if isinstance(r, Question) else "overturned",
            )
            for r in _without(old, new)
            if isinstance(r, Penalty | Question | Win)
        ]
        fresh = [r for r in _without(new, old) if not isinstance(r, Turn)]
        now = self.standing
        turns = [Turn.of(now, number=len(self.rulings), t=t)] if now.whose() != before.whose() else []
        return (*struck, *fresh, *turns)


def undone(record: Sequence[AnyObservation]) -> set[int]:
    """The rows of `record`, numbered from 1, that an undo took out."""
    return Edits(record).undone


def _without(these: list[AnyRuling], those: list[AnyRuling]) -> list[AnyRuling]:
    """The rulings of `these` that `those` do not give as well, as often as they do."""
    spare = Counter(r.what() for r in those)
    rest = []
    for ruling in these:
        if spare[ruling.what()]:
            spare[ruling.what()] -= 1
        else:
            rest.append(ruling)
    return rest
