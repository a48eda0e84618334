"""What does the referee ask the table, and when? Only what matters, and what waiting has not settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import Final

from referee.doubt.decisions import Ask, Case, Open, cases, possible, question
from referee.doubt.minutes import Asked, Minutes
from referee.record.cards import Card
from referee.record.observations import UNKNOWN, Landed, Seated, Taken
from referee.record.rulings import Penalty, Question

MENTIONED: Final = 0.002
"""What else an act may have been is told from that share on."""
CLEAR: Final = 0.1
"""Below that weight a fault that was asked about is no question any more."""
WHO: Final = ("whose-card", "who-took")
"""Questions who it was."""


class Questions:
    """What the referee of one match asks.

    Attributes:
        silence: when people were last asked about a silence that they had not owned up to.
    """

    def __init__(self, minutes: Minutes) -> None:
        self.minutes = minutes
        self.silence = -inf

    def copy(self, minutes: Minutes) -> Questions:
        """The same questions, written into other minutes."""
        other = Questions(minutes)
        other.silence = self.silence
        return other

    def _bothers(self, penalty: Penalty, t: float) -> bool:
        """Whether it is a silence, and the ear may be bad: little was heard yet, or one was asked about for nothing."""
        bad = self.minutes.heard < self.minutes.p.proved or t < self.silence + self.minutes.p.silences
        return penalty.omission and bad

    def is_time(self, penalty: Penalty, wrong: float, t: float) -> bool:
        """Whether to ask: when the next acts have not settled it; at once what they cannot settle.

        That is what was never said, and who put down a card that is surely `wrong`.
        """
        waited = penalty.omission or wrong >= self.minutes.p.give or t - penalty.t >= self.minutes.p.ask_after
        return waited and not self._bothers(penalty, t)

    def possible(self, row: int) -> tuple[tuple[str, float], ...]:
        """What else `row` may have been: cards, numbers or seats, likeliest first."""
        seats: dict[str, float] = {}
        whats: dict[str, float] = {}
        for read, share in possible(self.minutes.belief, row, self.minutes.told.get(row)).items():
            seats[read.seat or "0"] = seats.get(read.seat or "0", 0.0) + share
            whats[read.what or "0"] = whats.get(read.what or "0", 0.0) + share
        doubtful = min(seats, whats, key=lambda shares: max(shares.values(), default=1.0))
        told = sorted(((name, round(share, 3)) for name, share in doubtful.items()), key=lambda pair: -pair[1])
        likely = tuple(pair for pair in told if pair[1] >= MENTIONED)
        return likely if len(likely) > 1 else ()

    def ask(self, case: Case, open_: Open, t: float) -> None:
        """Ask about a fault, or about the row on which it depends, unless its act is asked about already."""
        if self.is_asked(case.row):
            return
        penalty, ask = open_.penalty, question(self.minutes.belief, case, self.minutes.told)
        if ask.code and (ask.row != case.row or ask.code != "which-card"):
            self._ask_about(case, ask, t)
            return
        wrong = self._wrong_card(case, ask.answers)
        if penalty.omission:
            self.silence = t
        self._put(
            case,
            Question(
                number=self.minutes.next,
                t=penalty.t,
                rule=penalty.rule,
                rests_on=(*(row for row in penalty.rests_on if row != case.row), case.row),
                seat=penalty.seat,
                code=penalty.code,
                cards=penalty.cards,
                about=wrong,
                answers=tuple(sorted(ask.answers, key=lambda name: wrong is None or name != wrong.name)),
                possible=self.possible(case.row),
            ),
            t,
        )

    def _ask_about(self, case: Case, ask: Ask, t: float) -> None:
        """Ask what a row was in truth."""
        seen = self.minutes.told[ask.row]
        known = seen.seat if isinstance(seen, Seated) and ask.code not in WHO and seen.seat != UNKNOWN else None
        self._put(
            case,
            Question(
                number=self.minutes.next,
                t=t,
                rests_on=(ask.row,),
                seat=known,
                code=ask.code,
                about=self._card(ask.row),
                answers=ask.answers,
                possible=self.possible(ask.row),
            ),
            t,
        )

    def _put(self, case: Case, asked: Question, t: float) -> None:
        if self.minutes.asks(asked):
            return
        self.minutes.asked += (Asked(case, asked.number),)
        self.minutes.ask(asked, "fact", t)

    def _wrong_card(self, case: Case, names: tuple[str, ...]) -> Card | None:
        """The card of `names` that `case` is about, or the one that was told."""
        wrong = (
            Card.of(name)
            for name in names
            if not self.minutes.game.right(self.minutes.stood[case.row], case.seat, Card.of(name))
        )
        return next(wrong, self._card(case.row))

    def _card(self, row: int) -> Card | None:
        seen = self.minutes.told.get(row)
        return seen.card if isinstance(seen, Landed) else None

    def where_it_stands(self, t: float) -> None:
        """Nobody has acted for a while, and it is in doubt whose turn it is or what lies on top."""
        act = self._newest_act()
        if act is None or t - self.minutes.told[act].t < self.minutes.p.ask_after or not self.in_doubt():
            return
        case = Case(act, "", "")
        ask = question(self.minutes.belief, case, self.minutes.told)
        if ask.code and not self.minutes.asked and case not in self.minutes.closed:
            self.minutes.closed |= {case}
            self._ask_about(case, ask, t)

    def _newest_act(self) -> int | None:
        return next(
            (row for row in reversed(self.minutes.told) if isinstance(self.minutes.told[row], Landed | Taken)), None
        )

    def in_doubt(self) -> bool:
        """Whether it is open whose turn it is, or which card lies on top."""
        if len(self.minutes.belief.worlds) == 1:
            return False
        card = next(iter(self.minutes.newest_card()), None)
        lies = max(possible(self.minutes.belief, card, self.minutes.told[card]).values(), default=1.0) if card else 1.0
        return min(self.minutes.belief.turn[1], lies) < self.minutes.p.clear

    def is_asked(self, row: int) -> bool:
        """Whether a question about a fault in that act is open."""
        return any(asked.case.row == row for asked in self.minutes.asked)

    def patience(self) -> Iterator[float]:
        """When questions will be asked that nothing has settled until then."""
        p, now = self.minutes.p, max((seen.t for seen in self.minutes.told.values()), default=0.0)
        act = self._newest_act()
        if (
            act is not None
            and not self.minutes.asked
            and self.in_doubt()
            and self.minutes.told[act].t + p.ask_after > now
        ):
            yield self.minutes.told[act].t + p.ask_after
        for case, open_ in cases(self.minutes.belief).items():
            at = open_.penalty.t + p.ask_after
            if (
                open_.weight >= p.ask
                and not self._bothers(open_.penalty, at)
                and at > now
                and case not in self.minutes.given
                and case not in self.minutes.closed
                and not self.is_asked(case.row)
            ):
                yield at

    def close(self, found: Mapping[Case, Open], t: float) -> None:
        """Ask no longer about what is clear by now."""
        for asked in self.minutes.asked:
            fault = asked.case.seat != ""
            if (found[asked.case].weight < CLEAR if asked.case in found else fault) or not (fault or self.in_doubt()):
                self.minutes.settle(asked.number, "answered", t)
