"""How does a match go on at a live table: what is held, what is called now, and who is told?

A session belongs to one thread (the asyncio loop, or the command that watches a recording).
"""

from __future__ import annotations

import logging
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Protocol

from referee.record.match import Match, Slices
from referee.record.observations import (
    UNKNOWN,
    AnyObservation,
    Corrected,
    Elapsed,
    Happening,
    Said,
    Seat,
    Subject,
    Tossed,
    Undone,
    Voted,
)
from referee.record.rulings import AnyRuling, Settled, Turn
from referee.record.sequencer import HEARING_GRACE, Sequencer
from referee.table import answers
from referee.table.asking import SURE_ANSWER, Asking
from referee.table.health import Health
from referee.table.view import Shown
from referee.text import say
from referee.text.calls import Names
from referee.text.faults import RefereeError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """What the session tells its listeners. One with nothing in it: the view has changed all the same.

    Attributes:
        observations: what was judged, with its row of the record.
        rulings: what the referee answers to it.
        calls: what is to be called now. A turn is called as soon as it is noticed, before its observations are judged,
            since nobody is harmed if it is corrected; it is not called again when they are.
        held: what was noticed and is not judged yet.
        asked: the rows that open questions rest on; None where that cannot have changed.
    """

    observations: tuple[tuple[int, AnyObservation], ...] = ()
    rulings: tuple[AnyRuling, ...] = ()
    calls: tuple[AnyRuling, ...] = ()
    held: tuple[Happening, ...] = ()
    asked: frozenset[int] | None = None


def fair_coin() -> bool:
    """Heads or tails, as nobody can foresee."""
    return secrets.randbelow(2) == 1


class Voice(Protocol):
    """Whoever says the calls aloud."""

    def choose(self, seat: Seat, least: int) -> None:
        """Speak to `seat` (`?`: to everyone who has not chosen) only what is at least so important."""

    def report(self, number: object, who: object, began: bool) -> None:
        """A page, `who`, began or ended to speak call `number`."""


@dataclass
class Session(Shown):
    """One match at a table.

    Attributes:
        match: the record and the game.
        names: the players' names by seat.
        clock: seconds of the match clock, now.
        grace: seconds that observations are held at most (`Sequencer`).
        stretch: seconds for which judging may keep its thread from all else; what is left is judged by the next
            `tick` (`busy`).
        shows: what other parts of the table add to the view, by name.
        speaker: says the calls aloud; None at a silent table.
        coin: what decides a tied vote; None where nobody waits for it, as of a recording: then it stays open.
        unsafe: why a kill or a power cut now would lose something, in words; empty when it would lose nothing.
        standing: how the table stands with everything noticed so far, judged or held; any thread may read it.
    """

    match: Match
    names: Names
    clock: Callable[[], float]
    grace: float = HEARING_GRACE
    stretch: float = inf
    health: dict[str, Health] = field(default_factory=dict)
    shows: dict[str, Callable[[], Any]] = field(default_factory=dict)
    speaker: Voice | None = None
    coin: Callable[[], bool] | None = None
    unsafe: Callable[[], str] = str

    def __post_init__(self) -> None:
        self.sequencer = Sequencer(self.grace)
        self._listeners: list[Callable[[Event], None]] = []
        self._queue: deque[AnyObservation] = deque()  # released, and not judged yet
        self._judging: tuple[AnyObservation, Slices[tuple[AnyRuling, ...]]] | None = None
        standing = self.standing = self.match.standing
        self._called = standing.whose()
        self.listening = standing.listening
        """Words that would mean something if they were said now; the ear's thread may read it."""
        self.owed = standing.owed_words()
        """Words that somebody owes; the ear's thread may read it."""
        self.ahead = standing.ahead
        """Those of `listening` that a card has yet to ask for; the ear's thread may read it."""
        self.asking = Asking(self.open_questions)

    def listen(self, listener: Callable[[Event], None], *, first: bool = False) -> Callable[[], None]:
        """Call `listener` with every event from now on, before all others if `first`; the answer stops that."""
        self._listeners.insert(0 if first else len(self._listeners), listener)
        return lambda: self._listeners.remove(listener)

    def observe(self, observation: Happening) -> None:
        """Something the eye or the ear noticed: it is held until nothing earlier can be expected."""
        if isinstance(observation, Voted):
            observation = self.match.named(observation)
        if isinstance(observation, Said) and observation.source == "ear" and self._could_answer(observation.text):
            self._answer_aloud(observation)
        else:
            self.sequencer.put(observation)
            self._tell(held=(observation,))

    def tap(self, happening: Happening) -> None:
        """Something a person tapped just now; it waits for its turn like what eye and ear report."""
        self.observe(replace(happening, t=self.clock(), source="tap", confidence=1.0))

    def edit(self, edit: Undone | Corrected) -> None:
        """Change the record: everything held so far is judged first.

        Raises:
            RefereeError: the row is not in the record.
        """
        self.flush()
        self._judge([replace(edit, t=self.clock(), source="tap")])

    def answer(self, about: Subject, answer: str, by: Seat = UNKNOWN) -> None:
        """Somebody answered a question with one of its answers: the record is put right and judged again.

        Args:
            about: what the question is about.
            by: who answers, where that is known; whom the answer may cost a card may only admit.

        Raises:
            RefereeError: that question is not open, or does not take that answer from them.
        """
        self.flush()
        question = next((question for question in self.open_questions if question.subject == about), None)
        if question is None:
            raise RefereeError(say("pages.error.ruling"))
        if question.cards and question.seat == by and answer != question.answers[0]:
            raise RefereeError(say("pages.error.accused"))
        self.edit(answers.edit(self.match, question, answer, self.clock()))

    def _could_answer(self, word: str) -> bool:
        return word in answers.SAID and word not in self.listening

    def _answer_aloud(self, said: Said) -> None:
        """Somebody said what may answer a question; who it was nobody can hear."""
        meant = self.asking.meant(said.text, said.t) if said.confidence >= SURE_ANSWER else None
        if meant is None:
            return
        question, answer = meant
        what: AnyObservation
        if question.answers:
            what = answers.edit(self.match, question, answer, said.t, "ear")
        else:
            what = Voted(t=said.t, seat=UNKNOWN, uphold=answer == answers.YES, subject=question.subject, source="ear")
        self._judge([replace(what, confidence=said.confidence, evidence=said.evidence)])

    def undo(self) -> None:
        """Undo the newest thing that happened.

        Raises:
            RefereeError: nothing has happened.
        """
        self.flush()
        self.edit(self.match.undoing())

    def redo(self) -> None:
        """Put back what the newest undo took out.

        Raises:
            RefereeError: nothing was undone, or something happened since.
        """
        self.flush()
        self.edit(self.match.redoing())

    def tick(self, now: float | None = None, heard_until: float | None = None) -> None:
        """Judge what may be judged at `now`, and let deadlines pass (call it often: it is cheap)."""
        now = self.clock() if now is None else now
        self._judge(self.sequencer.release(now, heard_until))
        if self.asking.passed(now):
            self.touch()
        self._let_pass(self.sequencer.horizon(now, heard_until))

    def _let_pass(self, until: float) -> None:
        """Judge the deadlines up to `until`."""
        last = -inf
        while not self.busy and (deadline := self.match.standing.deadline) is not None and last < deadline <= until:
            last = deadline
            self._judge([Elapsed(t=deadline)])
        self._toss()

    def _toss(self) -> None:
        """Decide by a coin what only a coin can decide; it stands in the record, so nothing is tossed twice."""
        if self.coin is None or self.busy or self.match.standing.time_out:
            return
        for poll in self.match.game.polls(self.match.state):
            if poll.tied is not None and not self.busy:
                self._judge([Tossed(t=poll.tied, heads=self.coin())])

    @property
    def busy(self) -> bool:
        """Whether something is left to be judged that a tick had no time for."""
        return self._judging is not None or bool(self._queue)

    def hasten(self) -> None:
        """Hold nothing any longer that was noticed so far: the next ticks judge it."""
        self._queue.extend(self.sequencer.flush())

    def flush(self) -> None:
        """Judge everything that is still held, however long it takes."""
        self.hasten()
        while self.busy:
            self._judge(())

    def close(self) -> None:
        """The recording is over: judge everything that is still held, and let the last deadlines pass."""
        self.stretch = inf
        self.flush()
        self._let_pass(inf)

    def report(self, health: Health) -> None:
        """A source tells how it is doing; listeners hear of it when its state changes."""
        before = self.health.get(health.name)
        self.health[health.name] = health
        if before is None or (before.state, before.detail) != (health.state, health.detail):
            if health.state != "ok" or (before is not None and before.state != "ok"):
                _log.warning("%s is %s: %s", health.name, health.state, health.detail)
            self._send(Event())

    def touch(self) -> None:
        """Something that `shows` tells has changed."""
        self._send(Event())

    def _judge(self, observations: Iterable[AnyObservation]) -> None:
        self._queue.extend(observations)
        until = time.monotonic() + self.stretch
        while self.busy:
            if self._judging is None:
                observation = self._queue.popleft()
                self._judging = observation, self.match.slices(observation)
            observation, work = self._judging
            try:
                next(work)
            except StopIteration as end:
                self._judging = None
                self._tell((observation,), end.value)
            except RefereeError:
                self._judging = None
                raise
            if time.monotonic() >= until:
                return

    @property
    def pending(self) -> tuple[Happening, ...]:
        """What was noticed and is not judged yet, in order of capture time."""
        judging = (self._judging[0],) if self._judging else ()
        waiting = (one for one in (*judging, *self._queue) if not isinstance(one, Undone | Corrected))
        return (*waiting, *self.sequencer.pending)

    def _tell(
        self,
        observations: tuple[AnyObservation, ...] = (),
        rulings: tuple[AnyRuling, ...] = (),
        held: tuple[Happening, ...] = (),
    ) -> None:
        """Tell what was judged just now, and call the turn if it is not the one that was called last."""
        rows = len(self.match.record)
        calls: list[AnyRuling] = [r for r in rulings if not (isinstance(r, Turn) or _answered(r))]
        standing = self.standing = self._standing(self._glance())
        self.listening, self.owed, self.ahead = standing.listening, standing.owed_words(), standing.ahead
        questions = self.open_questions
        self.asking.update(questions, self.listening, self.clock())
        if standing.whose() != self._called:
            self._called = standing.whose()
            calls.append(Turn.of(standing, number=len(self.match.rulings), t=self.clock()))
        numbered = tuple(enumerate(observations, rows - len(observations) + 1))
        asked = frozenset(row for question in questions for row in question.rests_on)
        self._send(Event(numbered, rulings, tuple(calls), held, asked))

    def _send(self, event: Event) -> None:
        for listener in tuple(self._listeners):
            listener(event)


def _answered(ruling: AnyRuling) -> bool:
    """Whether it only says that a question is no longer open: nobody wants to hear that."""
    return isinstance(ruling, Settled) and ruling.outcome == "answered"
