"""What has happened in this match, and what does the referee say to it?

The record is append-only. Undo and corrections are rows of it; the state is always what reading the record gives.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeVar, cast

from referee.doubt.parameters import PARAMETERS, Parameters
from referee.doubt.referee import Referee
from referee.games import Game, game_named
from referee.record.edits import Edits
from referee.record.ledger import Ledger
from referee.record.observations import (
    AnyObservation,
    Corrected,
    Elapsed,
    Happening,
    Landed,
    Newer,
    OptionSet,
    Subject,
    Tossed,
    Undone,
    Voted,
)
from referee.record.rulings import AnyRuling, Penalty, Question, Settled, Turn, Win
from referee.record.standing import Standing
from referee.text import say
from referee.text.faults import RefereeError

SNAPSHOT: Final = 50
"""Observations after which the belief is kept: an edit reads the record again from there."""
T = TypeVar("T")
R = TypeVar("R", bound=AnyRuling)
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


@dataclass(slots=True)
class _Course:
    """How a record has been read so far.

    Attributes:
        referee: who has read it.
        states: what was believed before each entry.
        counts: rulings given before each entry.
        snapshots: how many entries had been read, and by whom, every now and then.
    """

    referee: Referee
    states: list[object] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    snapshots: list[tuple[int, Referee]] = field(default_factory=list)

    def read(self, happening: Happening, row: int, answered: bool) -> Iterator[None]:
        """Read one entry more, in slices; `answered` where people have put it right."""
        if not self.snapshots or len(self.states) >= self.snapshots[-1][0] + SNAPSHOT:
            self.snapshots.append((len(self.states), self.referee.copy()))
        self.states.append(self.referee.belief.state)
        self.counts.append(len(self.referee.rulings))
        yield from self.referee.slices(happening, row, answered)

    def until(self, place: int) -> _Course:
        """A course that goes on by itself from entry `place`, or from a few before it."""
        snapshots = [snapshot for snapshot in self.snapshots if snapshot[0] <= place]
        if not snapshots:
            return _Course(self.referee.copy())
        read, referee = snapshots[-1]
        return _Course(referee.copy(), self.states[:read], self.counts[:read], snapshots)


class Match:
    """The record of one match and the game that reads it.

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
        self.ledger = Ledger()
        self._edits = Edits()
        self._read: list[tuple[float, int, Happening]] = []  # capture time, row, what happened: in reading order
        self._said: dict[int, Happening] = {}  # what each row that is read says
        self._kinds: Counter[type] = Counter()  # of what is read
        self._course = _Course(Referee(self.game, options, parameters))
        for observation in record:
            self.add(observation)

    @property
    def referee(self) -> Referee:
        """Who has read the record."""
        return self._course.referee

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

    @property
    def rulings(self) -> list[AnyRuling]:
        """What the referee answers to the record, oldest first."""
        return self.ledger.rulings

    def read(self) -> Iterator[Reading]:
        """What happened in the end, in reading order, and what came of it."""
        counts, states = [*self._course.counts, len(self.rulings)], [*self._course.states, self.state]
        for place, (_, row, happening) in enumerate(self._read):
            ruled = self.rulings[counts[place] : counts[place + 1]]
            yield Reading(row, happening, tuple(ruled), states[place + 1])

    def happening(self, row: int) -> Happening | None:
        """What row `row` says, as corrected; None where it was undone, or is itself an edit."""
        return self._said.get(row)

    @property
    def turned_over(self) -> frozenset[int]:
        """The rows that tell of the card turned over to begin with, which is nobody's play.

        The one that stands, and those before it that did not happen; empty where the options tell that card.
        """
        if not self.opens_with_a_card:
            return frozenset()
        gone = self.undone()
        first = next((row for _, row, happening in self._read if isinstance(happening, Landed)), len(self.record))
        rows = enumerate(self.record[:first], 1)
        return frozenset(row for row, seen in rows if isinstance(seen, Landed) and (row == first or row in gone))

    @property
    def opens_with_a_card(self) -> bool:
        """Whether the first card that lands is the one turned over to begin with."""
        return self.game.turns_over and "start" not in self.options

    def before(self, row: int) -> object | None:
        """The game's state before row `row` was read; None where it is not read."""
        said = self._said.get(row)
        return self._course.states[self._place(said.t, row)] if said else None

    def holds(self, kind: type[Happening]) -> bool:
        """Whether anything of that kind happened."""
        return self._kinds[kind] > 0

    def subjects(self) -> Iterator[Subject]:
        """What the questions and penalties that stand now are about, and what the game has people vote on."""
        yield from (ruling.subject for ruling in self.rulings if isinstance(ruling, Question | Penalty))
        yield from (poll.subject for poll in self.game.polls(self.state))

    def named(self, vote: Voted) -> Voted:
        """`vote` with what it is about, where it tells a number, or nothing, which is the newest that is open."""
        if vote.subject:
            return vote
        polls = self.game.polls(self.state) if vote.ruling is None else ()
        if polls:
            own = [poll for poll in polls if vote.seat in poll.voters] or polls
            return replace(vote, subject=own[-1].subject)
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
                raise RefereeError(say("record.no-row", row=observation.of, rows=row - 1))
            if isinstance(observation, Corrected) and isinstance(self.record[observation.of - 1], Undone | Corrected):
                raise RefereeError(say("record.edit", row=observation.of))
        self.record.append(observation)
        first = min(map(self._reread, self._edits.add(observation)))
        if first == len(self._course.states) == len(self._read):
            return ()  # nothing reads otherwise
        if first == len(self._course.states) and not isinstance(observation, Undone | Corrected):
            yield from self._advance(self._course)
            return self._give(self._course)
        return (yield from self._judge_again(first))

    def undoing(self, t: float = 0.0) -> Undone:
        """The edit, made at `t`, that undoes the newest row that can be undone.

        Raises:
            RefereeError: there is nothing to undo.
        """
        row = self.undoable()
        if row == 0:
            raise RefereeError(say("record.nothing-to-undo"))
        return Undone(t=t, of=row, source="tap")

    def undoable(self) -> int:
        """The newest row that still stands, can be read, is no undo and did not come about by itself; 0 for none."""
        gone = self.undone()
        for row in range(len(self.record), 0, -1):
            done = self.record[row - 1]
            if row not in gone and not isinstance(done, Undone | Newer) and not _by_itself(done):
                return row
        return 0

    def redoing(self, t: float = 0.0) -> Undone:
        """The edit, made at `t`, that puts back what the newest undo took out, as long as nothing happened since.

        Raises:
            RefereeError: there is nothing to put back.
        """
        row = self.redoable()
        if row == 0:
            raise RefereeError(say("record.nothing-to-put-back"))
        return Undone(t=t, of=row, source="tap")

    def redoable(self) -> int:
        """The row of the undo that `redo` would take back; 0 when there is none."""
        gone = self.undone()
        for row in range(len(self.record), 0, -1):
            edit = self.record[row - 1]
            if isinstance(edit, Undone):
                if row not in gone and not isinstance(self.record[edit.of - 1], Undone):
                    return row
            elif not _by_itself(edit) and row not in gone:
                return 0
        return 0

    def _advance(self, course: _Course) -> Slices[None]:
        """Read the first entry of `_read` that `course` has not read yet."""
        _, row, happening = self._read[len(course.states)]
        yield from course.read(happening, row, happening is not self.record[row - 1])

    def _give(self, course: _Course) -> tuple[AnyRuling, ...]:
        """Enter what was ruled of late in the ledger."""
        new = tuple(course.referee.rulings[len(self.rulings) :])
        self.ledger.give(new)
        return new

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

    def _judge_again(self, first: int) -> Slices[tuple[AnyRuling, ...]]:
        """Judge what is read from place `first` on once more; until that is done, what was true before is told."""
        counts, before = self._course.counts, self.standing
        ruled = counts[first] if first < len(counts) else len(self.rulings)
        course = self._course.until(first)
        while len(course.states) < len(self._read):
            yield from self._advance(course)
        old = self.rulings[ruled:]
        self.ledger.take_back(ruled)
        self._course = course
        return self._changes(old, self._give(course), before)

    def _changes(self, judged: list[AnyRuling], again: Iterable[AnyRuling], before: Standing) -> tuple[AnyRuling, ...]:
        t, row = self.record[-1].t, len(self.record)
        old, new = ([ruling for ruling in rulings if not isinstance(ruling, Turn)] for rulings in (judged, again))
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
        fresh = _without(new, old)
        now = self.standing
        turns = [Turn.of(now, number=len(self.rulings), t=t)] if now.whose() != before.whose() else []
        return (*struck, *fresh, *turns)


def _by_itself(observation: AnyObservation) -> bool:
    """Whether nobody did anything: time passed, the referee tossed a coin, or the ear came or went."""
    return isinstance(observation, Elapsed | Tossed) or (
        isinstance(observation, OptionSet) and observation.source == "ear"
    )


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
    return Edits(record).undone


def _without(these: Sequence[R], those: Sequence[R]) -> list[R]:
    """The rulings of `these` that `those` do not give as well, as often as they do."""
    spare = Counter(r.what() for r in those)
    rest = []
    for ruling in these:
        if spare[ruling.what()]:
            spare[ruling.what()] -= 1
        else:
            rest.append(ruling)
    return rest
