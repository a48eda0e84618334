"""What has happened in this match, and what does the referee say to it?

The record is append-only. Undo and corrections are rows of it; the state is always what reading the record gives.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeVar, cast

from referee.doubt.parameters import PARAMETERS, Parameters
from referee.doubt.referee import Referee
from referee.faults import RefereeError
from referee.games import Game, game_named
from referee.observations import AnyObservation, Corrected, Elapsed, Happening, Newer, Subject, Undone, Voted
from referee.rulings import AnyRuling, Penalty, Question, Settled, Turn, Win
from referee.standing import Standing

SNAPSHOT: Final = 50
"""Observations after which the belief is kept: an edit reads the record again from there."""
T = TypeVar("T")
Slices = Generator[None, None, T]
"""Work in slices of a few milliseconds; what it comes to, at the end."""


class Reading(NamedTuple):
    """One row of a match as it is read: corrected where it was, and judged with all that is known by now.

    Attributes:
        row: its number in the record.
        rulings: what the referee answers to it.
        state: the game's state after it.
    """

    row: int
    happening: Happening
    rulings: tuple[AnyRuling, ...]
    state: object


class Match:
    """The record of one match, and the referee that reads it.

    Rows are numbered from 1 as they are appended. They are read in order of capture time, so a word that was
    recognised late still counts from when it was spoken.
    """

    def __init__(
        self,
        game: str,
        options: Mapping[str, str],
        record: Iterable[AnyObservation] = (),
        parameters: Parameters = PARAMETERS,
    ) -> None:
        """Begin the match, or resume it from its `record`.

        Raises:
            RefereeError: the game, an option or a row's reference is unknown.
        """
        self.game: Game[object] = game_named(game)
        self.options = dict(options)
        self.record: list[AnyObservation] = []
        self.referee = Referee(self.game, options, parameters)
        self._read: list[tuple[float, int, Happening]] = []  # capture time, row, what happened: in reading order
        self._states: list[object] = []  # what was believed before each of `_read`
        self._counts: list[int] = []  # rulings given before each of `_read`
        self._snapshots: list[tuple[int, Referee]] = [(0, self.referee.copy())]  # how many were read, and by whom
        for observation in record:
            self.add(observation)

    @property
    def rulings(self) -> list[AnyRuling]:
        """Everything that was ruled, in order."""
        return self.referee.rulings

    @property
    def state(self) -> object:
        """The game's state after everything in the record, as far as anybody can tell."""
        return self.referee.belief.state

    @property
    def standing(self) -> Standing:
        """How the table stands after everything in the record."""
        return self.referee.standing

    @property
    def happenings(self) -> tuple[Happening, ...]:
        """What happened, in reading order, with undone rows left out and corrected rows as corrected."""
        return tuple(happening for _, _, happening in self._read)

    def read(self) -> Iterator[Reading]:
        """What happened in the end, in reading order, and what came of it."""
        counts, states = [*self._counts, len(self.rulings)], [*self._states, self.state]
        for place, (_, row, happening) in enumerate(self._read):
            ruled = self.rulings[counts[place] : counts[place + 1]]
            yield Reading(row, happening, tuple(ruled), states[place + 1])

    def happening(self, row: int) -> Happening | None:
        """What row `row` says, as corrected; None where it was undone, or is itself an edit."""
        return next((happening for _, of, happening in self._read if of == row), None)

    def before(self, row: int) -> object | None:
        """The game's state before row `row` was read; None where it is not read."""
        return next((self._states[place] for place, (_, of, _) in enumerate(self._read) if of == row), None)

    def subjects(self) -> Iterator[Subject]:
        """What the questions and penalties that stand now are about."""
        return (ruling.subject for ruling in self.rulings if isinstance(ruling, Question | Penalty))

    def named(self, vote: Voted) -> Voted:
        """`vote` with what it is about, where it tells a number, or nothing, which is the newest that is open."""
        if vote.subject:
            return vote
        settled = {ruling.ruling for ruling in self.rulings if isinstance(ruling, Settled)}
        rulings = [ruling for ruling in reversed(self.rulings) if isinstance(ruling, Question | Penalty)]
        if vote.ruling is None:
            open_ = [ruling for ruling in rulings if ruling.number not in settled]
            questions = [ruling for ruling in open_ if isinstance(ruling, Question)]
            rulings = [*questions, *([] if vote.uphold else open_)]
        about = next((r.subject for r in rulings if vote.ruling in (None, r.number)), Subject())
        return replace(vote, subject=about, ruling=None)

    def add(self, observation: AnyObservation) -> tuple[AnyRuling, ...]:
        """Append `observation` to the record and say what is new (see `slices`)."""
        work = self.slices(observation)
        try:
            while True:
                next(work)
        except StopIteration as end:
            return cast(tuple[AnyRuling, ...], end.value)

    def slices(self, observation: AnyObservation) -> Slices[tuple[AnyRuling, ...]]:
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
            return (yield from self._judge_again(self._readable()))
        self.record.append(observation)
        if isinstance(observation, Newer):
            return ()
        entry = (observation.t, row, observation)
        if not self._read or entry[:2] > self._read[-1][:2]:
            self._read.append(entry)
            before = len(self.rulings)
            yield from self._advance()
            return tuple(self.rulings[before:])
        reading = list(self._read)
        insort(reading, entry, key=lambda item: item[:2])
        return (yield from self._judge_again(reading))

    def undo(self, t: float) -> tuple[AnyRuling, ...]:
        """Undo the newest row that can be undone.

        Raises:
            RefereeError: there is nothing to undo.
        """
        row = self.undoable()
        if row == 0:
            raise RefereeError("there is nothing to undo: the record is empty")
        return self.add(Undone(t=t, of=row, source="tap"))

    def undoable(self) -> int:
        """The newest row that still stands and is neither an undo nor time that passed, and can be read; 0 for none."""
        gone = self.undone()
        for row in range(len(self.record), 0, -1):
            if row not in gone and not isinstance(self.record[row - 1], Undone | Elapsed | Newer):
                return row
        return 0

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

    def _advance(self) -> Slices[None]:
        """Read the first entry of `_read` that was not read yet."""
        _, row, happening = self._read[len(self._states)]
        if len(self._states) >= self._snapshots[-1][0] + SNAPSHOT:
            self._snapshots.append((len(self._states), self.referee.copy()))
        self._states.append(self.state)
        self._counts.append(len(self.rulings))
        yield from self.referee.slices(happening, row, happening is not self.record[row - 1])

    def _readable(self) -> list[tuple[float, int, Happening]]:
        gone = self.undone()
        corrections = {
            edit.of: edit.by
            for row, edit in enumerate(self.record, 1)
            if isinstance(edit, Corrected) and row not in gone
        }
        reading: list[tuple[float, int, Happening]] = []
        for row, observation in enumerate(self.record, 1):
            happening = corrections.get(row, observation)
            if row not in gone and not isinstance(happening, Undone | Corrected | Newer):
                reading.append((happening.t, row, happening))
        return sorted(reading, key=lambda item: item[:2])

    def undone(self) -> set[int]:
        """The rows of the record that an undo took out."""
        return undone(self.record)

    def _judge_again(self, reading: list[tuple[float, int, Happening]]) -> Slices[tuple[AnyRuling, ...]]:
        same = 0
        for before, after in zip(self._read, reading, strict=False):
            if before != after:
                break
            same += 1
        ruled = self._counts[same] if same < len(self._counts) else len(self.rulings)
        old, standing = self.rulings[ruled:], self.standing
        while self._snapshots[-1][0] > same:
            self._snapshots.pop()
        place, referee = self._snapshots[-1]
        self.referee = referee.copy()
        del self._states[place:], self._counts[place:]
        self._read = reading
        while len(self._states) < len(reading):
            yield from self._advance()
        return self._changes(old, self.rulings[ruled:], standing)

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


def with_subjects(
    game: str, options: Mapping[str, str], record: Iterable[AnyObservation]
) -> tuple[AnyObservation, ...]:
    """`record`, in which votes name a number or the newest, as notation has it, with what they are about.

    Raises:
        RefereeError: the game or an option is unknown.
    """
    match = Match(game, options)
    for observation in record:
        match.add(match.named(observation) if isinstance(observation, Voted) else observation)
    return tuple(match.record)


def undone(record: Sequence[AnyObservation]) -> set[int]:
    """The rows of `record`, numbered from 1, that an undo took out."""
    gone: set[int] = set()
    for row in range(len(record), 0, -1):  # later edits first: an undone undo undoes nothing
        edit = record[row - 1]
        if isinstance(edit, Undone) and row not in gone:
            gone.add(edit.of)
    return gone


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
