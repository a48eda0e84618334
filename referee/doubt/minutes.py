"""What has been seen, asked and ruled of one match so far? Questions, panel and referee write into the same minutes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from referee.doubt.belief import Belief
from referee.doubt.decisions import Case
from referee.doubt.parameters import Parameters
from referee.doubt.votes import Ballot, Outcome
from referee.games import Game
from referee.record.observations import Happening, Landed, Seat
from referee.record.rulings import AnyRuling, Notice, Penalty, Question, Settled, Win
from referee.record.standing import Standing

OPEN: Final = 16
"""Questions open at a time."""
TOLD: Final = 16
"""Rows that a question may be about."""


class Asked(NamedTuple):
    """A question about a fault, and its number."""

    case: Case
    number: int


class Given(NamedTuple):
    """A penalty that can still be disputed, and the seat that claimed it; empty if the referee saw it by itself."""

    penalty: Penalty
    claimer: Seat


@dataclass
class Minutes:
    """The minutes of one match.

    Attributes:
        rulings: in order; their numbers count from 1.
        ballots: the questions that are open.
        asked: those of them that the referee asks about faults.
        told, stood: the newest observations by row, and what was believed before each of them.
        given, closed: the faults that were ruled on, and those that nothing is ruled on any more.
        heard: words that the ear has understood.
        win: who has won, once that was called.
    """

    game: Game[object]
    p: Parameters
    belief: Belief
    rulings: list[AnyRuling] = field(default_factory=list)
    ballots: tuple[Ballot, ...] = ()
    asked: tuple[Asked, ...] = ()
    told: dict[int, Happening] = field(default_factory=dict)
    stood: dict[int, object] = field(default_factory=dict)
    given: dict[Case, Given] = field(default_factory=dict)
    closed: frozenset[Case] = frozenset()
    heard: int = 0
    win: Win | None = None

    def copy(self) -> Minutes:
        """The same minutes, to be gone on with apart."""
        return replace(
            self,
            belief=self.belief.copy(),
            rulings=list(self.rulings),
            told=dict(self.told),
            stood=dict(self.stood),
            given=dict(self.given),
        )

    @property
    def next(self) -> int:
        """The number of the next ruling."""
        return len(self.rulings) + 1

    @property
    def players(self) -> str:
        """The seats, in seating order."""
        return self.belief.worlds[0].brief.players

    @property
    def standing(self) -> Standing:
        """How the table stands, as far as the game knows."""
        return self.game.standing(self.belief.state)

    def place(self, seat: Seat | None) -> int:
        """The place of `seat` in seating order; -1 for nobody, and for who does not sit here."""
        return self.players.find(seat) if seat else -1

    def happened(self, row: int, seen: Happening, stood: object) -> None:
        """Row `row` of the record tells `seen`; before it, `stood` was believed."""
        self.told[row], self.stood[row] = seen, stood
        if len(self.told) > TOLD:
            oldest = next(iter(self.told))
            del self.told[oldest], self.stood[oldest]

    def newest_card(self) -> tuple[int, ...]:
        """The row of the card that landed last, if one has of late."""
        return tuple(row for row, seen in self.told.items() if isinstance(seen, Landed))[-1:]

    def tell(self, code: str, seat: Seat | None, t: float, rests_on: tuple[int, ...], rule: str = "") -> None:
        """Tell the table something."""
        self.rulings.append(Notice(number=self.next, t=t, rule=rule, rests_on=rests_on, code=code, seat=seat))

    def asks(self, asked: Question) -> bool:
        """Whether that is open already."""
        return any((b.code, b.rests_on[-1:]) == (asked.code, asked.rests_on[-1:]) for b in self.ballots)

    def ask(self, asked: Question, kind: str, t: float) -> None:
        """Put a question to the table; play goes on meanwhile."""
        if len(self.ballots) >= OPEN:
            self.settle(self.ballots[0].number, "lapsed", t)
            asked = replace(asked, number=self.next)
        self.rulings.append(asked)
        self.ballots += (
            Ballot(
                number=asked.number,
                kind=kind,
                seat=self.place(asked.seat),
                code=asked.code,
                claimer=self.place(asked.claimed_by),
                penalty=asked.disputes,
                opened=t,
                ayes=0,
                noes=0,
                rests_on=asked.rests_on,
                rule=asked.rule,
                cards=asked.cards,
            ),
        )

    def settle(self, ruling: int, outcome: Outcome, t: float, rule: str = "", rests_on: tuple[int, ...] = ()) -> None:
        """Question or penalty `ruling` is decided."""
        self.asked = tuple(asked for asked in self.asked if asked.number != ruling)
        self.ballots = tuple(ballot for ballot in self.ballots if ballot.number != ruling)
        self.rulings.append(
            Settled(number=self.next, t=t, rule=rule, rests_on=rests_on, ruling=ruling, outcome=outcome)
        )

    def wins(self, seat: Seat) -> None:
        """`seat` is called the winner."""
        self.win = replace(self.belief.wins[seat], number=self.next)
        self.rulings.append(self.win)
