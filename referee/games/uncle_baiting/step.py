"""How is one observation worked through: what changes in the state, and what is answered?"""

from __future__ import annotations

from typing import Final

from referee.cards import Card
from referee.games.ring import ANYONE, Hand, seat_of
from referee.games.uncle_baiting.order import next_hand
from referee.games.uncle_baiting.state import Clock, Given, State
from referee.games.votes import Ballot, Outcome
from referee.observations import Happening
from referee.rulings import AnyRuling, Notice, Penalty, Question, Settled, Turn, Win

RULE_OF: Final = {
    "out-of-turn": "UB-27",
    "illegal-card": "UB-27",
    "no-sorry": "UB-22",
    "no-last-card": "UB-24",
    "no-in": "UB-22",
    "no-out": "UB-22",
    "no-you": "UB-13",
    "no-suit": "UB-18",
    "changed-suit": "UB-18",
    "no-apologies": "UB-21",
    "slow": "UB-30",
    "asked": "UB-30",
    "explained": "UB-30",
    "hinted": "UB-30",
    "officious": "UB-30",
    "returned-card": "UB-30",
    "unjust-claim": "UB-30",
}
"""The codes of penalties, and the rule that each rests on where a play breaks no more special one."""

RULE_OF_TURN: Final = {
    "A": "UB-14",
    "2": "UB-14",
    "3": "UB-9",
    "5": "UB-13",
    "6": "UB-8",
    "8": "UB-6",
    "9": "UB-10",
    "T": "UB-6",
    "J": "UB-18",
    "Q": "UB-5",
    "K": "UB-5",
}
"""The rule that says whose turn it is after a card with that effect."""
SHAKEN: Final = 3
"""Acts that must go as the referee expects before it is sure again of what it was wrong about."""
WHO: Final = ("whose-card", "who-took")
"""Questions who it was."""
_REMEMBERED: Final = 12
"""Penalties that can still be disputed."""
_OPEN: Final = 16
"""Questions open at a time."""


class Step:
    """A state being changed by one observation, and the rulings so far. The parts are `State`'s."""

    __slots__ = (
        "ahead",
        "auto",
        "before",
        "bought",
        "clock",
        "debt",
        "debt_sure",
        "duties",
        "hands",
        "heard",
        "observation",
        "order",
        "others",
        "pile",
        "retreat",
        "ruled",
        "rulings",
        "seats",
        "seen",
        "shaken",
        "sure",
        "t",
        "table",
        "top",
        "turn",
        "votes",
        "warned",
        "why",
        "winner",
        "words",
    )

    def __init__(self, state: State, observation: Happening) -> None:
        self.before = state
        self.observation = observation
        (
            self.table,
            self.order,
            self.others,
            self.turn,
            self.debt,
            self.debt_sure,
            self.top,
            self.hands,
            self.pile,
            self.retreat,
            self.ahead,
            self.duties,
            self.words,
            self.clock,
            self.votes,
            self.auto,
            self.heard,
            self.bought,
            self.warned,
            self.shaken,
            seen,
            self.ruled,
            self.winner,
        ) = state
        self.seen = seen + 1
        self.seats = self.table.seats
        self.sure = observation.sure
        self.t = max(observation.t, self.clock.now)
        self.rulings: list[AnyRuling] = []
        self.why = ""  # the rule that moved the turn, where the top card's effect does not say it

    def finish(self) -> tuple[State, tuple[AnyRuling, ...]]:
        """The state after the observation, and the rulings; a `Turn` last if whose turn it is, or how, has changed."""
        before, order, turn, suits, clock = self.before, self.order, self.turn, self.top.suits, self.clock
        if self.winner < 0 and (
            turn != before.turn
            or self.debt != before.debt
            or order.direction != before.order.direction
            or suits[:1] != before.top.suits[:1]
            or (order.queens != 0) != (before.order.queens != 0)
        ):
            self.ruled += 1
            self.rulings.append(
                Turn(
                    number=self.ruled,
                    t=self.t,
                    rule=self.why or RULE_OF_TURN.get(self.top.effect, "UB-6"),
                    rests_on=(self.seen,),
                    seat=self.table.players[turn >> 1] if turn >= 0 else None,
                    hand=1 + (turn & 1) if order.queens and turn >= 0 else 0,
                    owed=self.debt,
                    direction=order.direction,
                    suit=suits[:1],
                )
            )
        state = State(
            self.table,
            order,
            self.others,
            turn,
            self.debt,
            self.debt_sure,
            self.top,
            self.hands,
            self.pile,
            self.retreat,
            self.ahead,
            self.duties,
            self.words,
            clock if clock.now == self.t else Clock(self.t, clock.acted, clock.paused),
            self.votes,
            self.auto,
            self.heard,
            self.bought,
            self.warned,
            self.shaken,
            self.seen,
            self.ruled,
            self.winner,
        )
        return state, tuple(self.rulings)

    @property
    def suspended(self) -> bool:
        """Whether nobody can be penalised: in time out, and while the pick-up pile has run out (UB-31)."""
        return self.clock.paused >= 0 or self.pile.renewal == 1

    def acted(self, why: str = "") -> None:
        """Somebody has acted: a new turn begins."""
        self.clock = Clock(self.t, self.t, self.clock.paused)
        self.bought = False
        self.retreat = self.ahead = None
        self.shaken = max(0, self.shaken - 1)
        self.turn = next_hand(self.order, self.seats)
        self.why = why

    def hand_of(self, seat: int) -> Hand:
        """The hand with which `seat` acts: the one in turn if it is that seat's, else its leading hand."""
        return self.turn if seat_of(self.turn) == seat else 2 * seat if seat >= 0 else ANYONE

    def fault(
        self,
        seat: int,
        code: str,
        rests_on: tuple[int, ...],
        sure: bool,
        rule: str = "",
        *,
        about: Card | None = None,
        answers: tuple[str, ...] = (),
    ) -> None:
        """`seat` has made a mistake: a penalty, or a question where what it rests on is not sure."""
        if not self.table.penalties or self.suspended:
            return
        rule = rule or RULE_OF[code]
        if sure and not self.shaken:
            self.penalty(seat, code, rests_on, rule)
        else:
            self.ask(code, seat, rests_on, rule=rule, cards=1, about=about, answers=answers)

    def penalty(self, seat: int, code: str, rests_on: tuple[int, ...], rule: str, claimer: int = -1) -> None:
        """Give `seat` a penalty card; a `claimer` is the seat that takes it instead if a vote overturns it (UB-30).

        In gentle play the first one of a kind is a warning: a penalty of no cards.
        """
        if self.table.gentle and (seat, code) not in self.warned:
            self.warned = (*self.warned, (seat, code))
            self._penalty(seat, code, rests_on, rule, claimer, cards=0)
            return
        if code == "no-last-card":
            later = self.hands.later
            self.hands = self.hands._replace(later=(*later[:seat], later[seat] + 1, *later[seat + 1 :]))
        else:
            owed = self.hands.penalties
            self.hands = self.hands._replace(penalties=(*owed[:seat], owed[seat] + 1, *owed[seat + 1 :]))
        self._penalty(seat, code, rests_on, rule, claimer, cards=1)

    def _penalty(self, seat: int, code: str, rests_on: tuple[int, ...], rule: str, claimer: int, cards: int) -> None:
        self.ruled += 1
        whose = self.table.players[seat]
        self.rulings.append(
            Penalty(number=self.ruled, t=self.t, rule=rule, rests_on=rests_on, seat=whose, code=code, cards=cards)
        )
        given = Given(self.ruled, seat, code, claimer, rule, rests_on, cards)
        self.votes = self.votes._replace(given=(*self.votes.given[1 - _REMEMBERED :], given))

    def ask(
        self,
        code: str,
        seat: int,
        rests_on: tuple[int, ...],
        *,
        rule: str = "",
        cards: int = 0,
        about: Card | None = None,
        answers: tuple[str, ...] = (),
        kind: str = "fact",
        claimer: int = -1,
        penalty: int = 0,
    ) -> None:
        """Put a question to the table; play goes on meanwhile. `answers` as in `Question`.

        Of questions who it was there is one at a time: its answer tells whose turn it is, and more would only nag.
        """
        if code in WHO and any(ballot.code in WHO for ballot in self.votes.ballots):
            return
        if len(self.votes.ballots) >= _OPEN:
            self.settle(self.votes.ballots[0], "lapsed", self.t)
        self.ruled += 1
        self.rulings.append(
            Question(
                number=self.ruled,
                t=self.t,
                rule=rule,
                rests_on=rests_on,
                seat=self.table.letter(seat),
                code=code,
                cards=cards,
                about=about,
                answers=answers,
                claimed_by=self.table.letter(claimer),
                disputes=penalty,
            )
        )
        ballot = Ballot(self.ruled, kind, seat, code, claimer, penalty, self.t, 0, 0, rests_on, rule)
        self.votes = self.votes._replace(ballots=(*self.votes.ballots, ballot))

    def settle(self, ballot: Ballot, outcome: Outcome, t: float) -> None:
        """Close `ballot`; a penalty that was disputed with success is settled too."""
        self._settled(ballot.number, ballot.rule, ballot.rests_on, outcome, t)
        if ballot.penalty and outcome == "overturned":
            self._settled(ballot.penalty, ballot.rule, ballot.rests_on, outcome, t)
        self.votes = self.votes._replace(ballots=tuple(b for b in self.votes.ballots if b is not ballot))

    def retract(self, given: Given) -> None:
        """The referee was wrong to give that penalty."""
        self.strike_out(given.number, given.seat, given.code)
        self._settled(given.number, given.rule, given.rests_on, "overturned", self.t)

    def strike_out(self, number: int, seat: int, code: str) -> None:
        """A penalty that was unjust is owed no longer; a card already taken stays where it is.

        Of what was warned of unjustly, the next fault is the first.
        """
        hands = self.hands
        warning = any(given.number == number and not given.cards for given in self.votes.given)
        self.votes = self.votes._replace(given=tuple(given for given in self.votes.given if given.number != number))
        if warning:
            self.warned = tuple(warned for warned in self.warned if warned != (seat, code))
        elif code == "no-last-card" and hands.later[seat]:
            later = (*hands.later[:seat], hands.later[seat] - 1, *hands.later[seat + 1 :])
            self.hands = hands._replace(later=later)
        elif hands.penalties[seat]:
            owed = (*hands.penalties[:seat], hands.penalties[seat] - 1, *hands.penalties[seat + 1 :])
            self.hands = hands._replace(penalties=owed)
        else:
            self.notice("card-stays", seat, rule="UB-30")

    def _settled(self, ruling: int, rule: str, rests_on: tuple[int, ...], outcome: Outcome, t: float) -> None:
        self.ruled += 1
        self.rulings.append(
            Settled(number=self.ruled, t=t, rule=rule, rests_on=rests_on, ruling=ruling, outcome=outcome)
        )

    def win(self, seat: int, t: float) -> None:
        """`seat` has won; the round is over."""
        self.winner = seat
        self.ruled += 1
        self.rulings.append(
            Win(number=self.ruled, t=t, rule="UB-28", rests_on=(self.seen,), seat=self.table.players[seat])
        )

    def notice(self, code: str, seat: int = -1, about: Card | None = None, rule: str = "") -> None:
        """Tell the table something that changes nobody's cards."""
        self.ruled += 1
        self.rulings.append(
            Notice(
                number=self.ruled,
                t=self.t,
                rule=rule,
                rests_on=(self.seen,),
                code=code,
                seat=self.table.letter(seat),
                about=about,
            )
        )
