"""What does the referee rule: give a penalty, ask, strike one out, call a win, or wait?

What it gave, and what people claim and vote, is one thing for all worlds and is kept here, not in a game's state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

from referee.doubt.belief import Belief
from referee.doubt.decisions import PLAY, Case, Open, cases
from referee.doubt.minutes import Minutes
from referee.doubt.panel import HAS_WON, Panel
from referee.doubt.parameters import PARAMETERS, Parameters
from referee.doubt.questions import Questions
from referee.doubt.readings import UNCLEAR
from referee.games import Game
from referee.record.observations import (
    UNKNOWN,
    Claimed,
    Elapsed,
    Happening,
    Pointed,
    Said,
    Seat,
    Seated,
    Voted,
)
from referee.record.rulings import AnyRuling, Notice, Penalty, Question, Turn
from referee.record.standing import Standing


class Referee:
    """The belief about one match, and everything that was ruled on it.

    Attributes:
        minutes: what was seen, asked and ruled so far.
        panel: what people claim, contest and vote.
    """

    def __init__(self, game: Game[object], options: Mapping[str, str], parameters: Parameters = PARAMETERS) -> None:
        self.game, self.p = game, parameters
        self.minutes = Minutes(game, parameters, Belief(game, options, parameters))
        self._questions = Questions(self.minutes)
        self.panel = Panel(self.minutes, self._questions, options)
        self._asked_who_won: frozenset[Seat] = frozenset()
        self._confirmed: frozenset[int] = frozenset()  # rows that people tapped or put right
        self._whose = self.standing.whose()

    def copy(self) -> Referee:
        """A referee that goes on from here by itself."""
        other = Referee.__new__(Referee)
        other.__dict__.update(self.__dict__)
        other.minutes = self.minutes.copy()
        other._questions = self._questions.copy(other.minutes)
        other.panel = self.panel.copy(other.minutes, other._questions)
        return other

    @property
    def belief(self) -> Belief:
        """What may truly have happened."""
        return self.minutes.belief

    @property
    def rulings(self) -> Sequence[AnyRuling]:
        """In order; their numbers count from 1."""
        return self.minutes.rulings

    @property
    def standing(self) -> Standing:
        """How the table stands, as far as anybody can tell."""
        return self.completed(self.minutes.standing)

    @property
    def deadline(self) -> float | None:
        """When there is something to rule though nothing happens, seconds of the match clock."""
        return self.standing.deadline

    def completed(self, standing: Standing) -> Standing:
        """`standing` of the game, with what only the referee knows."""
        ends = [*([] if standing.deadline is None else [standing.deadline]), *self.panel.deadlines(standing)]
        if not standing.time_out:
            ends += self._questions.patience()
        win = self.minutes.win
        winner = standing.winner if win is None else win.seat
        hidden = self.panel.hides(standing)
        return replace(standing, deadline=min(ends, default=None), winner=winner, turn_hidden=hidden)

    def observe(self, seen: Happening, row: int, answered: bool = False) -> tuple[AnyRuling, ...]:
        """What the referee answers to `seen`, which row `row` of the record tells.

        Args:
            answered: whether people have put it right since.
        """
        before = len(self.rulings)
        for _ in self.slices(seen, row, answered):
            pass
        return tuple(self.rulings[before:])

    def slices(self, seen: Happening, row: int, answered: bool = False) -> Iterator[None]:
        """The same in slices of a few milliseconds, between which it says what was true before."""
        self.panel.time_passes(seen, self.standing)
        stood = self.belief.state
        if answered or seen.source == "tap":
            self._confirmed |= {row}
        self.belief.meet(seen)
        self.minutes.heard += isinstance(seen, Said) and seen.source == "ear" and seen.text != UNCLEAR
        why = self._no_business(seen)
        polled = isinstance(seen, Voted) and self._polled(seen, stood)
        read = Elapsed(t=seen.t) if why or (isinstance(seen, Claimed | Voted) and not polled) else seen
        yield from self.belief.slices(read, row, row in self._confirmed)
        self.minutes.happened(row, seen, stood)
        if why:
            self.minutes.tell(why, None, seen.t, (row,))
        if isinstance(seen, Claimed):
            self.panel.claimed(seen, row)
        elif isinstance(seen, Voted) and not polled:
            self.panel.voted(seen, row)
        self._decide(seen.t, row)

    def _no_business(self, seen: Happening) -> str:
        """Why `seen` is no business of the game, as the code of a notice: nobody sits there."""
        seats = (*self.belief.worlds[0].brief.players, UNKNOWN)
        if isinstance(seen, Seated) and not isinstance(seen, Claimed | Voted):
            strange = seen.seat not in seats or (isinstance(seen, Pointed) and seen.at not in seats)
            return "unknown-seat" if strange else ""
        return ""

    def _polled(self, vote: Voted, state: object) -> bool:
        """Whether `vote` is on what the game leaves to a vote; one that names nothing is, where that is open."""
        return vote.ruling is None and any(poll.is_about(vote.subject) for poll in self.game.polls(state))

    def _decide(self, t: float, row: int) -> None:
        p, found = self.p, cases(self.belief)
        wrong = defaultdict[int, float](float)
        for case, open_ in found.items():
            wrong[case.row] += open_.weight if case.what == PLAY else 0.0
        for case, open_ in found.items():
            if case in self.minutes.given or case in self.minutes.closed:
                continue
            penalty, since = open_.penalty, t - open_.penalty.t
            if open_.weight >= self._enough(case, penalty) and (since <= p.within or case.row in self._confirmed):
                self._give(case, open_, t, row)
            elif since > p.within and not self._questions.is_asked(case.row):
                self.minutes.closed |= {case}
                self.belief.give(penalty.seat, 0, penalty.code)
            elif open_.weight >= p.ask and self._questions.is_time(penalty, wrong[case.row], t):
                self._questions.ask(case, open_, t)
        self._reconsider(found, t)
        self._questions.where_it_stands(t)
        for notice, weight in self.belief.notices.items():
            if weight >= p.tell:
                self._notice(notice, t, row)
        self._winner(t)
        self._turn(t, row)

    def _enough(self, case: Case, penalty: Penalty) -> float:
        """From which weight on a penalty is given."""
        if penalty.omission and self.belief.senses:
            return inf  # a silence alone is none where the ear may have missed a word, or the eye a card
        return self.p.give_confirmed if case.row in self._confirmed else self.p.give

    def _give(self, case: Case, open_: Open, t: float, row: int) -> None:
        """The belief is nearly sure of it."""
        penalty = open_.penalty
        for asked in self.minutes.asked:
            if asked.case == case:
                self.minutes.settle(asked.number, "upheld", t, penalty.rule, penalty.rests_on)
        rests_on = penalty.rests_on if t <= penalty.t else tuple(dict.fromkeys((*penalty.rests_on, row)))
        penalty = replace(penalty, rests_on=rests_on, possible=self._questions.possible(case.row))
        self.minutes.given[case] = self.panel.penalise(penalty)

    def _reconsider(self, found: Mapping[Case, Open], t: float) -> None:
        """Strike out what the weight has left, and ask no longer about what is clear."""
        for case, given in list(self.minutes.given.items()):
            if t - given.penalty.t > self.p.strike_within:
                del self.minutes.given[case]
                self.minutes.closed |= {case}
            elif case not in found or found[case].weight < self.p.strike:
                self.panel.strike_out(given, t)
        self._questions.close(found, t)

    def _notice(self, notice: Notice, t: float, row: int) -> None:
        if notice.code == "asked":
            self.panel.asked(notice, self.standing, row)
        elif row in notice.rests_on or not notice.rests_on:
            self.minutes.rulings.append(replace(notice, number=self.minutes.next))

    def _winner(self, t: float) -> None:
        winners = self.belief.winners()
        if self.minutes.win is not None and winners.get(self.minutes.win.seat, 0.0) < self.p.strike:
            self.minutes.settle(self.minutes.win.number, "overturned", t, self.minutes.win.rule)
            self.minutes.win = None
        for seat, weight in winners.items():
            if self.minutes.win is None and not self.panel.accused(seat):
                if weight >= self.p.win:
                    self.minutes.wins(seat)
                elif weight >= self.p.strike and seat not in self._asked_who_won:
                    self._asked_who_won |= {seat}
                    win = self.belief.wins[seat]
                    who = Question(
                        number=self.minutes.next, t=t, rule=win.rule, rests_on=win.rests_on, seat=seat, code=HAS_WON
                    )
                    self.minutes.ask(who, "fact", t)

    def _turn(self, t: float, row: int) -> None:
        standing = self.standing
        if standing.whose() != self._whose and standing.winner is None:
            self._whose = standing.whose()
            turn = Turn.of(standing, number=self.minutes.next, t=t)
            self.minutes.rulings.append(replace(turn, rule=standing.why, rests_on=(row,)))
