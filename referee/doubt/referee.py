"""What does the referee rule: give a penalty, ask, strike one out, call a win, or wait?

What it gave, and what people claim and vote, is one thing for all worlds and is kept here, not in a game's state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf
from typing import Final

from referee.doubt.belief import Belief
from referee.doubt.decisions import PLAY, Case, Open, cases
from referee.doubt.panel import Given, Panel
from referee.doubt.parameters import PARAMETERS, Parameters
from referee.doubt.questions import Questions
from referee.doubt.readings import UNCLEAR
from referee.doubt.votes import Outcome
from referee.doubt.worlds import Fault, World
from referee.games import Game
from referee.record.observations import (
    UNKNOWN,
    Claimed,
    Elapsed,
    Happening,
    Landed,
    Pointed,
    Said,
    Seat,
    Seated,
    Subject,
    Tossed,
    Voted,
)
from referee.record.rulings import AnyRuling, Notice, Penalty, Question, Settled, Turn, Win
from referee.record.standing import OpenPoll, Standing

TOLD: Final = 16
"""Rows that a question may be about."""
HAS_WON: Final = "has-won"


class Referee:
    """The belief about one match, and everything that was ruled on it.

    Attributes:
        rulings: in order; their numbers count from 1.
        told, stood: the newest observations by row, and what was believed before each of them.
        given, closed: the faults that were ruled on, and those that nothing is ruled on any more.
        heard: words that the ear has understood.
    """

    def __init__(self, game: Game[object], options: Mapping[str, str], parameters: Parameters = PARAMETERS) -> None:
        self.game, self.p = game, parameters
        self.belief = Belief(game, options, parameters)
        self.rulings: list[AnyRuling] = []
        self.panel, self.questions = Panel(self, options), Questions(self)
        self.told: dict[int, Happening] = {}
        self.stood: dict[int, object] = {}
        self.given: dict[Case, Given] = {}
        self.heard = 0
        self.closed: frozenset[Case] = frozenset()
        self._asked_who_won: frozenset[Seat] = frozenset()
        self._confirmed: frozenset[int] = frozenset()  # rows that people tapped or put right
        self._win: Win | None = None
        self._whose = self.standing.whose()

    def copy(self) -> Referee:
        """A referee that goes on from here by itself."""
        other = Referee.__new__(Referee)
        other.__dict__.update(self.__dict__)
        other.belief, other.rulings = self.belief.copy(), list(self.rulings)
        other.panel, other.questions = self.panel.copy(other), self.questions.copy(other)
        other.told, other.stood, other.given = dict(self.told), dict(self.stood), dict(self.given)
        return other

    @property
    def standing(self) -> Standing:
        """How the table stands, as far as anybody can tell."""
        return self.completed(self.game.standing(self.belief.state))

    @property
    def deadline(self) -> float | None:
        """When there is something to rule though nothing happens, seconds of the match clock."""
        return self.standing.deadline

    def completed(self, standing: Standing) -> Standing:
        """`standing` of the game, with what only the referee knows."""
        ends = [*([] if standing.deadline is None else [standing.deadline]), *self.panel.deadlines(standing)]
        if not standing.time_out:
            ends += self.questions.patience()
        winner = standing.winner if self._win is None else self._win.seat
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
        if answered or seen.source == "tap" or isinstance(seen, Tossed):
            self._confirmed |= {row}
        self.belief.meet(seen)
        self.heard += isinstance(seen, Said) and seen.source == "ear" and seen.text != UNCLEAR
        why = self._no_business(seen)
        polled = self.polls(seen) if isinstance(seen, Voted) else ()
        if polled and isinstance(seen, Voted) and seen.uphold:
            self._witnessed(polled[-1].subject)
        read = Elapsed(t=seen.t) if why or (isinstance(seen, Claimed | Voted) and not polled) else seen
        yield from self.belief.slices(read, row, row in self._confirmed)
        self.told[row], self.stood[row] = seen, stood
        if len(self.told) > TOLD:
            oldest = next(iter(self.told))
            del self.told[oldest], self.stood[oldest]
        if why:
            self.tell(why, None, seen.t, (row,))
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

    def polls(self, vote: Voted) -> tuple[OpenPoll, ...]:
        """What the game has people vote on that `vote` may be about; one that names nothing is about what is newest."""
        if vote.ruling is not None:
            return ()
        since = self.panel.newest if vote.subject is None else -inf
        polls = self.game.polls(self.belief.state)
        return tuple(poll for poll in polls if poll.opened >= since and poll.is_about(vote.subject))

    def _witnessed(self, subject: Subject) -> None:
        """Somebody says yes to what the game has people vote on: then it is likely that there was reason to."""
        polls = self.game.polls
        self.belief.told(lambda world: float(any(poll.is_about(subject) for poll in polls(world.state))), True)

    def _decide(self, t: float, row: int) -> None:
        p, found = self.p, cases(self.belief)
        wrong = defaultdict[int, float](float)
        for case, open_ in found.items():
            wrong[case.row] += open_.weight if case.what == PLAY else 0.0
        for case, open_ in found.items():
            if case in self.given or case in self.closed:
                continue
            penalty, since = open_.penalty, t - open_.penalty.t
            if open_.weight >= self._enough(case, penalty) and (since <= p.within or case.row in self._confirmed):
                self._give(case, open_, t, row)
            elif since > p.within and not self.questions.is_asked(case.row):
                self.closed |= {case}
                self.belief.give(penalty.seat, 0, penalty.code)
            elif open_.weight >= p.ask and self.questions.is_time(penalty, wrong[case.row], t):
                self.questions.ask(case, open_, t)
        self._reconsider(found, t)
        self.questions.where_it_stands(t)
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
        for asked in self.questions.asked:
            if asked.case == case:
                self.settle(asked.number, "upheld", t, penalty.rule, penalty.rests_on)
        rests_on = penalty.rests_on if t <= penalty.t else tuple(dict.fromkeys((*penalty.rests_on, row)))
        penalty = replace(penalty, rests_on=rests_on, possible=self.questions.possible(case.row))
        self.given[case] = self.penalise(penalty)

    def _reconsider(self, found: Mapping[Case, Open], t: float) -> None:
        """Strike out what the weight has left, and ask no longer about what is clear."""
        for case, given in list(self.given.items()):
            if t - given.penalty.t > self.p.strike_within:
                del self.given[case]
                self.closed |= {case}
            elif case not in found or found[case].weight < self.p.strike:
                self.strike_out(given, t)
        self.questions.close(found, t)

    def penalise(self, penalty: Penalty, claimer: Seat = "") -> Given:
        """Give a penalty; at `level=gentle` the first one of a kind is a warning: a penalty of no cards."""
        penalty = replace(penalty, number=self.next, cards=self.panel.costs(penalty))
        self.rulings.append(penalty)
        self.belief.give(penalty.seat, penalty.cards, penalty.code)
        return self.panel.remember(penalty, claimer)

    def strike_out(self, given: Given, t: float) -> None:
        """A penalty that was unjust is owed no longer; a card already taken stays where it is."""
        penalty = given.penalty
        owed = dict(zip(self.standing.players, self.standing.penalties_owed, strict=True))[penalty.seat]
        self.panel.forget(given)
        self.closed |= {case for case, one in self.given.items() if one is given}
        self.given = {case: one for case, one in self.given.items() if one is not given}
        self.belief.give(penalty.seat, -penalty.cards, penalty.code)
        if owed < penalty.cards:
            self.tell("card-stays", penalty.seat, t, penalty.rests_on[-1:], "UB-30")
        self.settle(penalty.number, "overturned", t, penalty.rule, penalty.rests_on)

    def people_say(self, number: int, yes: bool, t: float) -> None:
        """People answered yes or no to question `number`, which the referee asked."""
        asked = next((asked for asked in self.questions.asked if asked.number == number), None)
        ruling = self.rulings[number - 1]
        outcome: Outcome = "answered" if asked and ruling.rule == "" else "upheld" if yes else "overturned"
        self.settle(number, outcome, t, ruling.rule, ruling.rests_on)
        if isinstance(ruling, Question) and ruling.code == HAS_WON:
            self.belief.told(lambda world: float(world.brief.winner == ruling.seat), yes)
            if yes and ruling.seat in self.belief.wins:
                self._wins(ruling.seat)
        elif asked is not None:
            found = cases(self.belief)
            open_ = found.get(asked.case)
            act = asked.case[::2]  # one seat's fault in it is nobody else's
            self.closed |= {asked.case, *(case for case in found if yes and case[::2] == act)}
            self.belief.told(lambda world: _holds(world, asked.case), yes)
            if yes and open_ is not None:
                self.questions.silence = -inf
                self.penalise(replace(open_.penalty, t=t, rests_on=ruling.rests_on))

    def ruled(self, seat: Seat, code: str, t: float) -> None:
        """`seat` has owned up to that, or the table has found so: it is neither asked about nor given once more."""
        found = cases(self.belief)
        acts = {case[::2] for case, open_ in found.items() if case.seat == seat and open_.penalty.code == code}
        self.closed |= {case for case in found if case[::2] in acts}
        for asked in self.questions.asked:
            if asked.case[::2] in acts:
                self.settle(asked.number, "answered", t)

    def was_right(self, penalty: Penalty) -> None:
        """The table decided that the card a seat was penalised for was right: it counts as played, if it lies there."""
        row = penalty.rests_on[0]
        landed = self.told.get(row)
        if isinstance(landed, Landed) and landed.card is not None:
            played = Landed(t=landed.t, seat=penalty.seat, card=landed.card)

            def right(world: World) -> World:
                brief = world.brief
                if not (brief.wrong and brief.wrong[-1] == (played.card, played.seat) and brief.turn == played.seat):
                    return world
                return World(self.game, world.weight, self.game.forced(world.state, played, row)[0], world.ledger)

            self.belief.change(lambda worlds: [right(world) for world in worlds])

    def settle(self, ruling: int, outcome: Outcome, t: float, rule: str = "", rests_on: tuple[int, ...] = ()) -> None:
        """Question or penalty `ruling` is decided."""
        self.questions.asked = tuple(asked for asked in self.questions.asked if asked.number != ruling)
        self.panel.close(ruling)
        self.rulings.append(
            Settled(number=self.next, t=t, rule=rule, rests_on=rests_on, ruling=ruling, outcome=outcome)
        )

    def tell(self, code: str, seat: Seat | None, t: float, rests_on: tuple[int, ...], rule: str = "") -> None:
        """Tell the table something."""
        self.rulings.append(Notice(number=self.next, t=t, rule=rule, rests_on=rests_on, code=code, seat=seat))

    def _notice(self, notice: Notice, t: float, row: int) -> None:
        if notice.code == "asked":
            self.panel.asked(notice, self.standing, row)
        elif row in notice.rests_on or not notice.rests_on:
            self.rulings.append(replace(notice, number=self.next))

    def _winner(self, t: float) -> None:
        winners = self.belief.winners()
        if self._win is not None and winners.get(self._win.seat, 0.0) < self.p.strike:
            self.settle(self._win.number, "overturned", t, self._win.rule)
            self._win = None
        for seat, weight in winners.items():
            if self._win is None and not self.panel.accused(seat):
                if weight >= self.p.win:
                    self._wins(seat)
                elif weight >= self.p.strike and seat not in self._asked_who_won:
                    self._asked_who_won |= {seat}
                    win = self.belief.wins[seat]
                    who = Question(number=self.next, t=t, rule=win.rule, rests_on=win.rests_on, seat=seat, code=HAS_WON)
                    self.panel.ask(who, "fact", t)

    def _wins(self, seat: Seat) -> None:
        self._win = replace(self.belief.wins[seat], number=self.next)
        self.rulings.append(self._win)

    def _turn(self, t: float, row: int) -> None:
        standing = self.standing
        if standing.whose() != self._whose and standing.winner is None:
            self._whose = standing.whose()
            turn = Turn.of(standing, number=self.next, t=t)
            self.rulings.append(replace(turn, rule=standing.why, rests_on=(row,)))

    def newest_card(self) -> tuple[int, ...]:
        """The row of the card that landed last, if one has of late."""
        return tuple(row for row, seen in self.told.items() if isinstance(seen, Landed))[-1:]

    @property
    def next(self) -> int:
        """The number of the next ruling."""
        return len(self.rulings) + 1


def _holds(world: World, case: Case) -> float:
    """How likely a world, by the ways that lead to it, holds that fault."""
    found = world.ledger.items()
    return min(1.0, sum(share for odd, share in found if isinstance(odd, Fault) and Case.of(odd) == case))
