"""How does a match go on at a live table: what is held, what is called now, and who is told?

A session belongs to one thread (the asyncio loop, or the command that watches a recording).
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, Final

from referee import answers
from referee.asking import SURE_ANSWER, Asking
from referee.calls import Names, answer, answer_aloud, call, card_name, fault, rule_text, tell, tell_row
from referee.cards import Card, in_order
from referee.doubt.belief import likeliest
from referee.doubt.worlds import World
from referee.faults import RefereeError
from referee.match import Match, Slices
from referee.observations import (
    UNKNOWN,
    AnyObservation,
    Corrected,
    Elapsed,
    Happening,
    Landed,
    Said,
    Seat,
    Subject,
    Undone,
    Voted,
)
from referee.rulings import AnyRuling, Penalty, Question, Settled, Turn
from referee.sequencer import HEARING_GRACE, Sequencer
from referee.standing import Standing
from referee.text import say

if TYPE_CHECKING:
    from referee.speaking import Speaker

_log = logging.getLogger(__name__)

SHOWN: Final = 30
"""Rulings, rows of the record and penalties of each seat that a page is sent."""

DRAWN: Final = 30
"""Cards that may follow, drawn one by one; where there are more, words say it better."""
TURN_SURE: Final = 0.8
"""Below that probability the turn is shown in grey."""
DUE: Final = 0.1
"""From that probability on a word counts as due: people are shown it, and the ear expects it."""
MISPLAYED: Final = ("illegal-card", "out-of-turn")
"""Penalties for a card that was not right: what would have been is said with them."""


@dataclass(frozen=True, slots=True)
class Health:
    """How a source is doing.

    Attributes:
        name: `camera`, `microphone`.
        state: `ok`, `waiting` (no data for longer than its deadline), `off`.
        age: seconds since its newest data.
        detail: what to do about it, in words; empty when all is well.
        counts: what went wrong so far, by name, and how often: `reopened`, `dropped`.
    """

    name: str
    state: str
    age: float = 0.0
    detail: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)


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


@dataclass
class Session:
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
    speaker: Speaker | None = None
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

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """The questions that nobody has answered yet, oldest first."""
        return self.match.ledger.open_questions

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

    def _glance(self) -> list[World]:
        return self.match.referee.belief.glance(self.pending)

    def _standing(self, worlds: list[World]) -> Standing:
        """How the table stands; words are due that may well be due still."""
        standing = self.match.referee.completed(self.match.game.standing(likeliest(worlds)[0]))
        due = {(one.seat, one.code): one for world in worlds if world.weight >= DUE for one in world.brief.due}
        due = {(one.seat, one.code): one for one in standing.due} | due
        words = frozenset(word for one in due.values() for word in one.words)
        return replace(
            standing, due=tuple(due.values()), listening=standing.listening | words, ahead=standing.ahead - words
        )

    def view(self) -> dict[str, Any]:
        """Everything a page shows, as JSON values. A page that joins late is right at once with it."""
        worlds = self._glance()
        state, likely = likeliest(worlds)
        now = self._standing(worlds)
        top = now.top if self._agree(worlds, now.top) else None
        turned_over = self.match.turned_over
        held_first = self._held_first(bool(turned_over - self.match.undone()))
        ledger = self.match.ledger
        return {
            "game": self.match.game.name,
            "options": self.match.options,
            "seats": [self._seat_view(now, place) for place in range(len(now.players))],
            "turn": None
            if now.turn_hidden
            else {
                "seat": now.turn,
                "hand": now.hand,
                "owed": now.owed,
                "direction": now.direction,
                "suit": now.suit,
                "sure": likely >= TURN_SURE,
            },
            "winner": now.winner,
            "top": str(top) if top else "?" if self._lies_unread() else None,
            "topName": card_name(top),
            "pickUpPile": now.pick_up_pile,
            "modes": list(now.modes),
            "timeOut": now.time_out,
            "due": [
                {"seat": due.seat, "words": list(due.words), "code": due.code, "fault": fault(due.code)}
                for due in now.due
            ],
            "listening": sorted(now.listening),
            "rulings": [{**self._ruling_view(r), "why": self._why(r, now)} for r in ledger.newest(SHOWN)],
            "questions": [self._question_view(question) for question in self.open_questions],
            "ledger": {seat: [self._ruling_view(r) for r in ledger.penalties(seat, SHOWN)] for seat in now.players},
            "record": [self._row_view(row, turned_over) for row in self._newest_rows()],
            "redo": self.match.redoable() > 0 and not self.pending,
            "held": [tell(o, self.names, turned_over=o is held_first) for o in self.pending],
            "opening": self.match.opens_with_a_card and not turned_over - self.match.undone() and held_first is None,
            "changeable": [
                {"name": name, "value": value, "text": say(f"option.{name}-{value}")}
                for name, values in self.match.game.changeable(state).items()
                for value in values
            ],
            "claimable": [{"code": code, "text": fault(code)} for code in self.match.game.claimable(state)],
            "lesson": None if now.turn_hidden else self._lesson_view(state, now),
            "explain": "" if now.turn_hidden else self.match.game.explain(state, self.names),
            "health": [
                {"name": name, "state": how, "age": age, "detail": detail}
                for name, how, age, detail in map(_shown, self.health.values())
            ],
            **{name: show() for name, show in self.shows.items()},
        }

    def _held_first(self, known: bool) -> Happening | None:
        """The card turned over to begin with, where it is still held and not `known`."""
        if known or not self.match.opens_with_a_card:
            return None
        return next((held for held in self.pending if isinstance(held, Landed)), None)

    def _agree(self, worlds: list[World], top: Card | None) -> bool:
        """Whether it is likelier than not that this card lies on top."""
        if len(worlds) == 1:
            return True
        standing = self.match.game.standing
        return sum(world.weight for world in worlds if standing(world.state).top is top) > 0.5

    def _lies_unread(self) -> bool:
        """Whether a card lies on the pile, where the top card is not known."""
        return self.match.holds(Landed) or any(isinstance(held, Landed) for held in self.pending)

    def _newest_rows(self) -> list[int]:
        """The rows of the record that came last, in the order in which they happened."""
        rows = range(len(self.match.record), 0, -1)
        told = (row for row in rows if not isinstance(self.match.record[row - 1], Elapsed))
        return sorted(islice(told, SHOWN), key=lambda row: (self.match.record[row - 1].t, row))

    def _row_view(self, row: int, turned_over: frozenset[int]) -> dict[str, Any]:
        seen = self.match.record[row - 1]
        return {
            "row": row,
            "text": tell_row(self.match.record, row, self.names, turned_over),
            "undone": row in self.match.undone(),
            "what": {**seen.to_json(), "t": seen.t},
        }

    def _seat_view(self, now: Standing, place: int) -> dict[str, Any]:
        seat = now.players[place]
        return {
            "seat": seat,
            "name": self.names.get(seat, seat),
            "count": now.counts[place],
            "owes": now.penalties_owed[place],
            "penalties": self.match.ledger.stand(seat),
            "earlier": max(0, self.match.ledger.given(seat) - SHOWN),
        }

    def _lesson_view(self, state: object, now: Standing) -> dict[str, Any]:
        """For those who learn the game: what the top card did, and the cards that may follow it."""
        legal = self.match.game.legal_cards(state, now.turn) if now.turn else frozenset()
        if len(legal) > DRAWN:
            legal = frozenset()
        did = [{"text": text, "rule": rule} for text, rule in self.match.game.lesson(state)]
        return {"did": did, "cards": [card.name for card in in_order(legal)]}

    def _question_view(self, question: Question) -> dict[str, Any]:
        """An open question, and what may be answered instead of yes or no."""
        choices = []
        for offered in question.answers:
            text = answer(question, offered, self.names)
            face = offered if question.asks == "card" else ""
            choices.append({"answer": offered, "text": text[:1].upper() + text[1:], "card": face})
        hears = self.asking.hears(question, self.clock()) if "microphone" in self.health else ()
        return {**self._ruling_view(question), "choices": choices, "aloud": answer_aloud(hears)}

    def _why(self, ruling: AnyRuling, now: Standing) -> str:
        """What might have been played instead, where a card was not right."""
        if now.turn_hidden or not isinstance(ruling, Penalty | Question) or ruling.code not in MISPLAYED:
            return ""
        before = self.match.before(ruling.rests_on[0 if isinstance(ruling, Penalty) else -1])
        return say("call.why", explain=self.match.game.explain(before, self.names)) if before is not None else ""

    def _ruling_view(self, ruling: AnyRuling) -> dict[str, Any]:
        """The ruling with what is said for it, its rule in words and what became of it."""
        return {
            **ruling.to_json(),
            "text": self._text(ruling),
            "ruleText": rule_text(ruling.rule, self.match.game.in_play(self.match.state)),
            "became": self.match.ledger.became(ruling.number),
            **({"subject": asdict(ruling.subject)} if isinstance(ruling, Penalty | Question) else {}),
        }

    def _text(self, ruling: AnyRuling) -> str:
        """What is called for `ruling`; of one that settles another also which one that is, since it is read later."""
        other = self.match.ledger.numbered(ruling.ruling) if isinstance(ruling, Settled) else None
        if isinstance(ruling, Settled) and other is not None:
            return say(f"call.of-{ruling.outcome}", what=call(other, self.names))
        return call(ruling, self.names)


def _answered(ruling: AnyRuling) -> bool:
    """Whether it only says that a question is no longer open: nobody wants to hear that."""
    return isinstance(ruling, Settled) and ruling.outcome == "answered"


def _shown(health: Health) -> tuple[str, str, int, str]:
    """What a page shows of it: the age in whole seconds, and only of a source that is not well."""
    return health.name, health.state, 0 if health.state == "ok" else int(health.age), health.detail
