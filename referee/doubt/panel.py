"""What do people claim, contest and vote, and what do warnings and bought answers cost (UB-30)?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from referee.doubt.votes import Ballot, answered, outcome, vote
from referee.record.observations import Claimed, Happening, Seat, TimeOut, Voted
from referee.record.rulings import Notice, Penalty, Question
from referee.record.standing import Standing

if TYPE_CHECKING:
    from referee.doubt.referee import Referee

REMEMBERED: Final = 12
"""Penalties that can still be disputed."""
OPEN: Final = 16
"""Questions open at a time."""
RECENT: Final = 3
"""Rows within which a penalty was given for what is claimed just now."""
REASONABLE: Final = 20.0
"""Seconds after which a question that nobody answers is dropped (option `reasonable`)."""
UNJUST: Final = "unjust-claim"


class Given(NamedTuple):
    """A penalty that can still be disputed, and the seat that claimed it; empty if the referee saw it by itself."""

    penalty: Penalty
    claimer: Seat


class Panel:
    """Open questions, claims and disputes of a match, and the penalties that may be contested.

    Attributes:
        gentle: whether the first fault of a kind is only a warning.
    """

    def __init__(self, referee: Referee, options: Mapping[str, str]) -> None:
        self._referee = referee
        self._reasonable = float(options.get("reasonable", REASONABLE))
        self.gentle = options.get("level") == "gentle"
        self._strict = options.get("strict") == "on" or options.get("level") == "strict"
        self._ballots: tuple[Ballot, ...] = ()
        self._given: tuple[Given, ...] = ()
        self._warned: frozenset[tuple[Seat, str]] = frozenset()
        self._paused = -1.0
        self._bought: float | None = None  # when the turn began in which the answer was bought

    def copy(self, referee: Referee) -> Panel:
        """The same panel of another referee."""
        other = Panel.__new__(Panel)
        other.__dict__.update(self.__dict__)
        other._referee = referee
        return other

    def deadlines(self, standing: Standing) -> list[float]:
        """When questions lapse."""
        return [] if standing.time_out else [ballot.opened + self._reasonable for ballot in self._ballots]

    @property
    def newest(self) -> float:
        """When the newest question that is open was asked; before all time where none is."""
        return max((ballot.opened for ballot in self._ballots), default=-inf)

    def hides(self, standing: Standing) -> bool:
        """Whether the turn is told to nobody, because nobody has paid for it."""
        return self._strict and standing.winner is None and self._bought != standing.turn_since

    def accused(self, seat: Seat) -> bool:
        """Whether it is open if `seat` has to take a card: then it has not won yet."""
        return any(ballot.seat == self._place(seat) and ballot.cards for ballot in self._ballots)

    def time_passes(self, seen: Happening, standing: Standing) -> None:
        """Before `seen`: questions lapse that nobody answered in time; in time out none does."""
        if isinstance(seen, TimeOut):
            if standing.time_out:
                lost = seen.t - self._paused
                self._ballots = tuple(ballot._replace(opened=ballot.opened + lost) for ballot in self._ballots)
            self._paused = -1.0 if standing.time_out else seen.t
        elif not standing.time_out:
            for ballot in self._ballots:
                until = ballot.opened + self._reasonable
                if until <= seen.t:
                    self._referee.settle(ballot.number, "lapsed", until, ballot.rule, ballot.rests_on)

    def costs(self, penalty: Penalty) -> int:
        """How many cards a penalty costs: in gentle play the first of a kind is a warning."""
        kind = (penalty.seat, penalty.code)
        if not self.gentle or kind in self._warned:
            return penalty.cards
        self._warned |= {kind}
        return 0

    def remember(self, penalty: Penalty, claimer: Seat) -> Given:
        """A penalty was given; it can be disputed from now on."""
        given = Given(penalty, claimer)
        self._given = (*self._given[1 - REMEMBERED :], given)
        return given

    def forget(self, given: Given) -> None:
        """A penalty was struck out; of what was warned of unjustly, the next fault is the first."""
        self._given = tuple(one for one in self._given if one is not given)
        if not given.penalty.cards:
            self._warned -= {(given.penalty.seat, given.penalty.code)}

    def ask(self, asked: Question, kind: str, t: float) -> None:
        """Put a question to the table; play goes on meanwhile."""
        if len(self._ballots) >= OPEN:
            self._referee.settle(self._ballots[0].number, "lapsed", t)
            asked = replace(asked, number=self._referee.next)
        self._referee.rulings.append(asked)
        self._ballots += (
            Ballot(
                number=asked.number,
                kind=kind,
                seat=self._place(asked.seat),
                code=asked.code,
                claimer=self._place(asked.claimed_by),
                penalty=asked.disputes,
                opened=t,
                ayes=0,
                noes=0,
                rests_on=asked.rests_on,
                rule=asked.rule,
                cards=asked.cards,
            ),
        )

    def asks(self, asked: Question) -> bool:
        """Whether that is open already."""
        return any((b.code, b.rests_on[-1:]) == (asked.code, asked.rests_on[-1:]) for b in self._ballots)

    def close(self, number: int) -> None:
        """Question `number` is open no longer."""
        self._ballots = tuple(ballot for ballot in self._ballots if ballot.number != number)

    def asked(self, notice: Notice, standing: Standing, row: int) -> None:
        """In strict play the state of play is told only to those who pay a card for it; then everybody hears it."""
        if self._strict and notice.seat and self._bought != standing.turn_since:
            self._penalise(notice.seat, "asked", (row,), notice.t)
            self._referee.tell("bought", notice.seat, notice.t, (row,), self._rule("asked"))

    def claimed(self, seen: Claimed, row: int) -> None:
        """A seat claims a penalty: the others vote, unless the referee knows by itself; to accuse oneself is to admit.

        Refused, at no cost, where the game does not let it be claimed, the referee has given it or asks about it, or
        the explanation was bought.
        """
        refused = self._refused(seen, row)
        if refused:
            self._referee.tell(refused, seen.seat if self._place(seen.seat) >= 0 else None, seen.t, (row,), "UB-30")
        elif seen.seat == seen.against:
            self._penalise(seen.seat, seen.code, (row,), seen.t)
        else:
            self.ask(
                Question(
                    number=self._referee.next,
                    t=seen.t,
                    rule=self._rule(seen.code),
                    rests_on=(*self._referee.newest_card(), row),
                    seat=seen.against,
                    code=seen.code,
                    cards=1,
                    claimed_by=seen.seat,
                ),
                "claim",
                seen.t,
            )

    def _refused(self, seen: Claimed, row: int) -> str:
        referee = self._referee
        refused = referee.game.refusal(referee.belief.state, seen.seat, seen.against, seen.code)
        if refused or seen.code == UNJUST:
            return refused or "unclear-claim"
        if seen.code == "explained" and self._bought is not None and self._bought == referee.standing.turn_since:
            return "was-bought"
        if any(b.seat == self._place(seen.against) and b.code == seen.code for b in self._ballots):
            return "already-asked"
        recent = (g.penalty for g in self._given if g.penalty.rests_on[-1] >= row - RECENT)
        return "already-given" if any((p.seat, p.code) == (seen.against, seen.code) for p in recent) else ""

    def voted(self, seen: Voted, row: int) -> None:
        """A seat votes on what the vote names; if nothing, on the newest question or against the newest penalty.

        Somebody nobody knows may answer what the referee is in doubt about, and has no vote on what people claim. A
        vote on what is not asked and was not given, or not any more, changes nothing.
        """
        seat = self._place(seen.seat)
        ballot = self._ballot(seen)
        if ballot is None and not seen.uphold and seat >= 0:
            ballot = self._dispute(seen)
        if ballot is None or (seat < 0 and ballot.kind != "fact"):
            self._referee.tell("no-vote", seen.seat if seat >= 0 else None, seen.t, (row,))
            return
        cast = vote(ballot, seat, seen.uphold) if seat >= 0 else ballot
        self._ballots = tuple(cast if one is ballot else one for one in self._ballots)
        decided = outcome(cast, len(self._players)) if seat >= 0 else answered(seen.uphold)
        if decided is None:
            return
        if cast.kind == "fact":
            self._referee.people_say(cast.number, decided == "upheld", seen.t)
            return
        self._referee.settle(cast.number, decided, seen.t, cast.rule, cast.rests_on)
        if cast.kind == "dispute":
            self._disputed(cast, decided == "overturned", seen.t, row)
        elif decided == "upheld":
            self._penalise(self._players[cast.seat], cast.code, cast.rests_on, seen.t, self._players[cast.claimer])
        elif decided == "overturned":
            self._unjust(cast, seen.t, row)

    def _disputed(self, ballot: Ballot, overturned: bool, t: float, row: int) -> None:
        given = next((one for one in self._given if one.penalty.number == ballot.penalty), None)
        if given is None or not overturned:
            return
        self._referee.strike_out(given, t)
        self._referee.was_right(given.penalty)
        self._unjust(ballot, t, row)

    def _unjust(self, ballot: Ballot, t: float, row: int) -> None:
        """An unjust claim costs the claimer a card."""
        if ballot.claimer >= 0:
            self._penalise(self._players[ballot.claimer], UNJUST, (*ballot.rests_on, row), t)

    def _ballot(self, seen: Voted) -> Ballot | None:
        """The open question that the vote is about, or that disputes what it is about."""
        for ballot in reversed(self._ballots):
            seat = self._players[ballot.seat] if ballot.seat >= 0 else None
            if _is_about(seen, ballot.rests_on, ballot.code, seat, ballot.number, ballot.penalty):
                return ballot
        return None

    def _dispute(self, seen: Voted) -> Ballot | None:
        """Open a dispute about a penalty that was given."""
        for penalty, claimer in reversed(self._given):
            if _is_about(seen, penalty.rests_on, penalty.code, penalty.seat, penalty.number):
                self.ask(
                    Question(
                        number=self._referee.next,
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
                return self._ballots[-1]
        return None

    def _penalise(self, seat: Seat, code: str, rests_on: tuple[int, ...], t: float, claimer: Seat = "") -> None:
        rule = self._rule(code)
        if code == "asked":
            self._bought = self._referee.standing.turn_since
        self._referee.penalise(
            Penalty(number=0, t=t, rule=rule, rests_on=rests_on, seat=seat, code=code, cards=1), claimer
        )
        self._referee.ruled(seat, code, t)

    def _rule(self, code: str) -> str:
        return self._referee.game.codes().get(code, "")

    @property
    def _players(self) -> str:
        return self._referee.belief.worlds[0].brief.players

    def _place(self, seat: Seat | None) -> int:
        return self._players.find(seat) if seat else -1


def _is_about(seen: Voted, rows: tuple[int, ...], code: str, seat: Seat | None, *numbers: int) -> bool:
    """Whether a vote is about a ruling; later rows that it rests on may be others in a match that is judged again."""
    if seen.subject is None:
        return seen.ruling is None or seen.ruling in numbers
    about = seen.subject
    return (about.rows[:1], about.code, about.seat) == (rows[:1], code, seat)
