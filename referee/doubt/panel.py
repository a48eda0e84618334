"""What do people claim, contest and vote, and what do warnings and bought answers cost?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import Final

from referee.doubt.decisions import Case, cases
from referee.doubt.minutes import Given, Minutes
from referee.doubt.questions import Questions
from referee.doubt.votes import Ballot, Outcome, answered, lapsed, outcome, vote
from referee.doubt.worlds import Fault, World
from referee.record.observations import Claimed, Happening, Landed, Seat, TimeOut, Voted
from referee.record.rulings import Notice, Penalty, Question
from referee.record.standing import Standing

REMEMBERED: Final = 12
"""Penalties that can still be disputed."""
RECENT: Final = 3
"""Rows within which a penalty was given for what is claimed just now."""
HAS_WON: Final = "has-won"
"""The question whether a seat has won."""
UNJUST: Final = "unjust-claim"


class Panel:
    """Open questions, claims and disputes of a match, and the penalties that may be contested.

    Attributes:
        gentle: whether the first fault of a kind is only a warning.
        minutes: what was seen, asked and ruled so far.
    """

    def __init__(self, minutes: Minutes, questions: Questions, options: Mapping[str, str]) -> None:
        self.minutes, self._questions = minutes, questions
        agreed = minutes.game.options.of(options)
        self._reasonable = agreed.reasonable
        self.gentle = agreed.level == "gentle"
        self._strict = agreed.level == "strict"
        self._given: tuple[Given, ...] = ()
        self._warned: frozenset[tuple[Seat, str]] = frozenset()
        self._paused = -1.0
        self._bought: float | None = None  # when the turn began in which the answer was bought

    def copy(self, minutes: Minutes, questions: Questions) -> Panel:
        """The same panel, written into other minutes."""
        other = Panel.__new__(Panel)
        other.__dict__.update(self.__dict__)
        other.minutes, other._questions = minutes, questions
        return other

    def deadlines(self, standing: Standing) -> list[float]:
        """When questions lapse."""
        return [] if standing.time_out else [ballot.opened + self._reasonable for ballot in self.minutes.ballots]

    @property
    def newest(self) -> float:
        """When the newest question that is open was asked; before all time where none is."""
        return max((ballot.opened for ballot in self.minutes.ballots), default=-inf)

    def hides(self, standing: Standing) -> bool:
        """Whether the turn is told to nobody, because nobody has paid for it."""
        return self._strict and standing.winner is None and self._bought != standing.turn_since

    def accused(self, seat: Seat) -> bool:
        """Whether it is open if `seat` has to take a card: then it has not won yet."""
        return any(ballot.seat == self.minutes.place(seat) and ballot.cards for ballot in self.minutes.ballots)

    def time_passes(self, seen: Happening, standing: Standing) -> None:
        """Before `seen`: questions lapse that nobody answered in time; in time out none does."""
        if isinstance(seen, TimeOut):
            if standing.time_out:
                lost = seen.t - self._paused
                self.minutes.ballots = tuple(
                    ballot._replace(opened=ballot.opened + lost) for ballot in self.minutes.ballots
                )
            self._paused = -1.0 if standing.time_out else seen.t
        elif not standing.time_out:
            for ballot in self.minutes.ballots:
                until = ballot.opened + self._reasonable
                if until <= seen.t:
                    ends = lapsed(ballot)
                    self.minutes.settle(ballot.number, ends, until, ballot.rule, ballot.rests_on)
                    if ends == "upheld":
                        self._upheld(ballot, until)

    def _costs(self, penalty: Penalty) -> int:
        """How many cards a penalty costs: in gentle play the first of a kind is a warning."""
        kind = (penalty.seat, penalty.code)
        if not self.gentle or kind in self._warned:
            return penalty.cards
        self._warned |= {kind}
        return 0

    def _remember(self, penalty: Penalty, claimer: Seat) -> Given:
        """A penalty was given; it can be disputed from now on."""
        given = Given(penalty, claimer)
        self._given = (*self._given[1 - REMEMBERED :], given)
        return given

    def _forget(self, given: Given) -> None:
        """A penalty was struck out; of what was warned of unjustly, the next fault is the first."""
        self._given = tuple(one for one in self._given if one is not given)
        if not given.penalty.cards:
            self._warned -= {(given.penalty.seat, given.penalty.code)}

    def asked(self, notice: Notice, standing: Standing, row: int) -> None:
        """In strict play the state of play is told only to those who pay a card for it; then everybody hears it."""
        if self._strict and notice.seat and self._bought != standing.turn_since:
            self._penalise(notice.seat, "asked", (row,), notice.t)
            self.minutes.tell("bought", notice.seat, notice.t, (row,), self._rule("asked"))

    def claimed(self, seen: Claimed, row: int) -> None:
        """A seat claims a penalty: the others vote, unless the referee knows by itself; to accuse oneself is to admit.

        Refused, at no cost, where the game does not let it be claimed, the referee has given it or asks about it, or
        the explanation was bought.
        """
        refused = self._refused(seen, row)
        if refused:
            known = self.minutes.place(seen.seat) >= 0
            self.minutes.tell(refused, seen.seat if known else None, seen.t, (row,), self._rule(UNJUST))
        elif seen.seat == seen.against:
            self._penalise(seen.seat, seen.code, (row,), seen.t)
        else:
            self.minutes.ask(
                Question(
                    number=self.minutes.next,
                    t=seen.t,
                    rule=self._rule(seen.code),
                    rests_on=(*self.minutes.newest_card(), row),
                    seat=seen.against,
                    code=seen.code,
                    cards=1,
                    claimed_by=seen.seat,
                ),
                "claim" if self._rule(UNJUST) else "consensus",
                seen.t,
            )

    def _refused(self, seen: Claimed, row: int) -> str:
        minutes = self.minutes
        refused = minutes.game.refusal(minutes.belief.state, seen.seat, seen.against, seen.code)
        if refused or seen.code == UNJUST:
            return refused or "unclear-claim"
        if seen.code == "explained" and self._bought is not None and self._bought == minutes.standing.turn_since:
            return "was-bought"
        if any(b.seat == self.minutes.place(seen.against) and b.code == seen.code for b in self.minutes.ballots):
            return "already-asked"
        recent = (g.penalty for g in self._given if g.penalty.rests_on[-1] >= row - RECENT)
        return "already-given" if any((p.seat, p.code) == (seen.against, seen.code) for p in recent) else ""

    def voted(self, seen: Voted, row: int) -> None:
        """A seat votes on what the vote names; if nothing, on the newest question or against the newest penalty.

        Somebody nobody knows may answer what the referee is in doubt about, and has no vote on what people claim. A
        vote on what is not asked and was not given, or not any more, changes nothing.
        """
        seat = self.minutes.place(seen.seat)
        ballot = self._ballot(seen)
        if ballot is None and not seen.uphold and seat >= 0:
            ballot = self._dispute(seen)
        if ballot is None or (seat < 0 and ballot.kind != "fact"):
            self.minutes.tell("no-vote", seen.seat if seat >= 0 else None, seen.t, (row,))
            return
        cast = vote(ballot, seat, seen.uphold) if seat >= 0 else ballot
        self.minutes.ballots = tuple(cast if one is ballot else one for one in self.minutes.ballots)
        decided = outcome(cast, len(self.minutes.players)) if seat >= 0 else answered(seen.uphold)
        if decided is None:
            return
        if cast.kind == "fact":
            self._people_say(cast.number, decided == "upheld", seen.t)
            return
        self.minutes.settle(cast.number, decided, seen.t, cast.rule, cast.rests_on)
        if cast.kind == "dispute":
            self._disputed(cast, decided == "overturned", seen.t, row)
        elif decided == "upheld":
            self._upheld(cast, seen.t)
        elif decided == "overturned":
            self._unjust(cast, seen.t, row)

    def _upheld(self, claim: Ballot, t: float) -> None:
        seat, claimer = (self.minutes.players[place] for place in (claim.seat, claim.claimer))
        self._penalise(seat, claim.code, claim.rests_on, t, claimer)

    def _disputed(self, ballot: Ballot, overturned: bool, t: float, row: int) -> None:
        given = next((one for one in self._given if one.penalty.number == ballot.penalty), None)
        if given is None or not overturned:
            return
        self.strike_out(given, t)
        self._was_right(given.penalty)
        self._unjust(ballot, t, row)

    def _unjust(self, ballot: Ballot, t: float, row: int) -> None:
        """An unjust claim costs the claimer a card, in a game that has a rule of that kind."""
        if ballot.claimer >= 0 and ballot.kind != "consensus" and self._rule(UNJUST):
            self._penalise(self.minutes.players[ballot.claimer], UNJUST, (*ballot.rests_on, row), t)

    def _ballot(self, seen: Voted) -> Ballot | None:
        """The open question that the vote is about, or that disputes what it is about."""
        for ballot in reversed(self.minutes.ballots):
            seat = self.minutes.players[ballot.seat] if ballot.seat >= 0 else None
            if _is_about(seen, ballot.rests_on, ballot.code, seat, ballot.number, ballot.penalty):
                return ballot
        return None

    def _dispute(self, seen: Voted) -> Ballot | None:
        """Open a dispute about a penalty that was given."""
        for penalty, claimer in reversed(self._given):
            if _is_about(seen, penalty.rests_on, penalty.code, penalty.seat, penalty.number):
                self.minutes.ask(
                    Question(
                        number=self.minutes.next,
                        t=seen.t,
                        rule=penalty.rule,
                        rests_on=penalty.rests_on,
                        seat=penalty.seat,
                        code=penalty.code,
                        cards=penalty.cards,
                        claimed_by=claimer or None,
                        disputes=penalty.number,
                    ),
                    "dispute",
                    seen.t,
                )
                return self.minutes.ballots[-1]
        return None

    def _penalise(self, seat: Seat, code: str, rests_on: tuple[int, ...], t: float, claimer: Seat = "") -> None:
        rule = self._rule(code)
        if code == "asked":
            self._bought = self.minutes.standing.turn_since
        self.penalise(Penalty(number=0, t=t, rule=rule, rests_on=rests_on, seat=seat, code=code, cards=1), claimer)
        self._ruled(seat, code, t)

    def _rule(self, code: str) -> str:
        return self.minutes.game.codes().get(code, "")

    def penalise(self, penalty: Penalty, claimer: Seat = "") -> Given:
        """Give a penalty; at `level=gentle` the first one of a kind is a warning: a penalty of no cards."""
        penalty = replace(penalty, number=self.minutes.next, cards=self._costs(penalty))
        self.minutes.rulings.append(penalty)
        self.minutes.belief.give(penalty.seat, penalty.cards, penalty.code)
        return self._remember(penalty, claimer)

    def strike_out(self, given: Given, t: float) -> None:
        """A penalty that was unjust is owed no longer; a card already taken stays where it is."""
        penalty = given.penalty
        owed = self.minutes.standing.penalties_owed[self.minutes.place(penalty.seat)]
        self._forget(given)
        self.minutes.closed |= {case for case, one in self.minutes.given.items() if one is given}
        self.minutes.given = {case: one for case, one in self.minutes.given.items() if one is not given}
        self.minutes.belief.give(penalty.seat, -penalty.cards, penalty.code)
        if owed < penalty.cards:
            self.minutes.tell("card-stays", penalty.seat, t, penalty.rests_on[-1:], self._rule(UNJUST))
        self.minutes.settle(penalty.number, "overturned", t, penalty.rule, penalty.rests_on)

    def _people_say(self, number: int, yes: bool, t: float) -> None:
        """People answered yes or no to question `number`, which the referee asked."""
        asked = next((asked for asked in self.minutes.asked if asked.number == number), None)
        ruling = self.minutes.rulings[number - 1]
        outcome: Outcome = "answered" if asked and ruling.rule == "" else "upheld" if yes else "overturned"
        self.minutes.settle(number, outcome, t, ruling.rule, ruling.rests_on)
        if isinstance(ruling, Question) and ruling.code == HAS_WON:
            self.minutes.belief.told(lambda world: float(world.brief.winner == ruling.seat), yes)
            if yes and ruling.seat in self.minutes.belief.wins:
                self.minutes.wins(ruling.seat)
        elif asked is not None:
            found = cases(self.minutes.belief)
            open_ = found.get(asked.case)
            act = asked.case[::2]  # one seat's fault in it is nobody else's
            self.minutes.closed |= {asked.case, *(case for case in found if yes and case[::2] == act)}
            self.minutes.belief.told(lambda world: _holds(world, asked.case), yes)
            if yes and open_ is not None:
                self._questions.silence = -inf
                self.penalise(replace(open_.penalty, t=t, rests_on=ruling.rests_on))

    def _ruled(self, seat: Seat, code: str, t: float) -> None:
        """`seat` has owned up to that, or the table has found so: it is neither asked about nor given once more."""
        found = cases(self.minutes.belief)
        acts = {case[::2] for case, open_ in found.items() if case.seat == seat and open_.penalty.code == code}
        self.minutes.closed |= {case for case in found if case[::2] in acts}
        for asked in self.minutes.asked:
            if asked.case[::2] in acts:
                self.minutes.settle(asked.number, "answered", t)

    def _was_right(self, penalty: Penalty) -> None:
        """The table decided that the card a seat was penalised for was right: it counts as played, if it lies there."""
        row = penalty.rests_on[0]
        landed = self.minutes.told.get(row)
        if isinstance(landed, Landed) and landed.card is not None:
            played = Landed(t=landed.t, seat=penalty.seat, card=landed.card)

            def right(world: World) -> World:
                brief = world.brief
                if not (brief.wrong and brief.wrong[-1] == (played.card, played.seat) and brief.turn == played.seat):
                    return world
                return World(
                    self.minutes.game,
                    world.weight,
                    self.minutes.game.forced(world.state, played, row)[0],
                    world.ledger,
                )

            self.minutes.belief.change(lambda worlds: [right(world) for world in worlds])


def _is_about(seen: Voted, rows: tuple[int, ...], code: str, seat: Seat | None, *numbers: int) -> bool:
    """Whether a vote is about a ruling."""
    if seen.subject is None:
        return seen.ruling is None or seen.ruling in numbers
    return seen.subject.is_same(rows, code, seat)


def _holds(world: World, case: Case) -> float:
    """How likely a world, by the ways that lead to it, holds that fault."""
    found = world.ledger.items()
    return min(1.0, sum(share for odd, share in found if isinstance(odd, Fault) and Case.of(odd) == case))
