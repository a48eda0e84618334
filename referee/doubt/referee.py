"""What does the referee rule on what it believes: give a penalty, ask, strike one out, or wait?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from referee.doubt.belief import Belief
from referee.doubt.parameters import PARAMETERS, Parameters
from referee.doubt.refereed import Refereed
from referee.doubt.worlds import Fault
from referee.observations import Happening, Seat
from referee.rulings import AnyRuling, Penalty, Question, Settled, Turn, Win
from referee.standing import Standing


class Case(NamedTuple):
    """One fault of one seat in one act; the codes of a wrong play are one fault, each word that is due its own."""

    row: int
    seat: Seat
    what: str


@dataclass(slots=True)
class Open:
    """What the belief says of a case: its weight, and the likeliest fault."""

    weight: float
    fault: Fault


class Referee:
    """The belief about one match, and what was ruled on it.

    Attributes:
        rulings: everything that was ruled, in order.
        delays: seconds from each fault to its penalty.
    """

    def __init__(
        self, game: Refereed[object], options: Mapping[str, str], parameters: Parameters = PARAMETERS
    ) -> None:
        self.game, self.p = game, parameters
        self.belief = Belief(game, options, parameters)
        self.rulings: list[AnyRuling] = []
        self.delays: list[float] = []
        self._given: dict[Case, Penalty] = {}
        self._asked: dict[Case, int] = {}
        self._whose = self.standing.whose()
        self._won = False

    @property
    def standing(self) -> Standing:
        """How the table stands in the heaviest world."""
        return self.game.standing(self.belief.state)

    def observe(self, seen: Happening, row: int) -> tuple[AnyRuling, ...]:
        """What the referee answers to `seen`, which row `row` of the record tells."""
        before = len(self.rulings)
        self.belief.observe(seen, row)
        self._decide(seen.t, row)
        return tuple(self.rulings[before:])

    def _cases(self) -> dict[Case, Open]:
        cases: dict[Case, Open] = {}
        best: dict[Case, float] = defaultdict(float)
        for fault, weight in self.belief.faults().items():
            case = Case(fault.row, fault.seat, "play" if fault.play else fault.code)
            open_ = cases.setdefault(case, Open(0.0, fault))
            open_.weight += weight
            if weight > best[case]:
                best[case], open_.fault = weight, fault
        return cases

    def _decide(self, t: float, row: int) -> None:
        p, cases = self.p, self._cases()
        for case, open_ in cases.items():
            penalty = self.belief.penalties[open_.fault]
            since = t - penalty.t
            if case in self._given or since > p.within:
                continue
            omission = penalty.omission
            if open_.weight >= (p.give_omission if omission else p.give):
                self._give(case, penalty, t, row)
            elif case not in self._asked and open_.weight >= (p.ask_omission if omission else p.ask) and since >= p.ask_after:
                self._ask(case, penalty)
        for case, penalty in list(self._given.items()):
            gone = case not in cases or cases[case].weight < p.strike
            if t - penalty.t > p.strike_within:
                del self._given[case]
            elif gone:
                self._strike(case, penalty, t, row)
        self._wins(row)
        self._turn(t, row)

    def _give(self, case: Case, penalty: Penalty, t: float, row: int) -> None:
        rests_on = tuple(sorted({*penalty.rests_on, row})) if t > penalty.t else penalty.rests_on
        self._given[case] = penalty = replace(penalty, number=self._next, rests_on=rests_on)
        self.delays.append(t - penalty.t)
        self.rulings.append(penalty)
        self.belief.give(penalty.seat, penalty.cards, penalty.code)
        if case in self._asked:
            self._settle(self._asked.pop(case), t, "answered")

    def _ask(self, case: Case, penalty: Penalty) -> None:
        self._asked[case] = self._next
        self.rulings.append(
            Question(
                number=self._next,
                t=penalty.t,
                rule=penalty.rule,
                rests_on=penalty.rests_on,
                seat=penalty.seat,
                code=penalty.code,
                cards=penalty.cards,
            )
        )

    def _strike(self, case: Case, penalty: Penalty, t: float, row: int) -> None:
        del self._given[case]
        self.belief.give(penalty.seat, -penalty.cards, penalty.code)
        self._settle(penalty.number, t, "overturned")

    def _settle(self, ruling: int, t: float, outcome: str) -> None:
        self.rulings.append(Settled(number=self._next, t=t, ruling=ruling, outcome=outcome))  # type: ignore[arg-type]

    def _wins(self, row: int) -> None:
        for seat, weight in self.belief.winners().items():
            if weight >= self.p.win and not self._won:
                self._won = True
                self.rulings.append(replace(self.belief.wins[seat], number=self._next))

    def _turn(self, t: float, row: int) -> None:
        standing = self.standing
        if standing.whose() != self._whose and not self._won:
            self._whose = standing.whose()
            self.rulings.append(Turn.of(standing, number=self._next, t=t))

    @property
    def _next(self) -> int:
        return len(self.rulings) + 1
