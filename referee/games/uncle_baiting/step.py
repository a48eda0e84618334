"""How is one happening worked through: what changes in the state, and what is answered?"""

from __future__ import annotations

from typing import Any, Final

from referee.games.kit.ring import Hand
from referee.games.uncle_baiting.state import Owed, State
from referee.record.cards import Card
from referee.record.rulings import AnyRuling, Notice, Penalty, Win

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


class _Open:
    """A `State` that can still be written to: a frozen dataclass takes a quarter of all time to fill itself."""

    __slots__ = State.__slots__  # of one layout, the one may become the other


class Step:
    """A state being changed by one happening, and the rulings so far. The parts are `State`'s.

    Attributes:
        t: when it happens, seconds of the match clock.
        row: what the record calls it.
    """

    __slots__ = (*State.__slots__, "row", "rulings", "t")

    def __init__(self, state: State, t: float, row: int) -> None:
        self.table = state.table
        self.order = state.order
        self.debt = state.debt
        self.top = state.top
        self.turns = state.turns
        self.counts = state.counts
        self.pick_up = state.pick_up
        self.owed = state.owed
        self.pile = state.pile
        self.duties = state.duties
        self.words = state.words
        self.acted = state.acted
        self.paused = state.paused
        self.auto = state.auto
        self.heard = state.heard
        self.before = state.before
        self.winner = state.winner
        self.t = t
        self.row = row
        self.rulings: list[AnyRuling] = []

    def finish(self) -> tuple[State, tuple[AnyRuling, ...]]:
        """The state after the happening, and the rulings."""
        state: Any = _Open()
        state.table = self.table
        state.order = self.order
        state.debt = self.debt
        state.top = self.top
        state.turns = self.turns
        state.counts = self.counts
        state.pick_up = self.pick_up
        state.owed = self.owed
        state.pile = self.pile
        state.duties = self.duties
        state.words = self.words
        state.acted = self.acted
        state.paused = self.paused
        state.auto = self.auto
        state.heard = self.heard
        state.before = self.before
        state.winner = self.winner
        state.__class__ = State
        return state, tuple(self.rulings)

    @property
    def suspended(self) -> bool:
        """Whether nobody can be penalised: in time out, and while the pick-up pile has run out (UB-31)."""
        return self.paused >= 0 or self.pile.renewal == 1

    def in_turn(self, seat: int) -> bool:
        """Whether `seat` may act now; after a five that pointed nowhere whoever acts is in turn (UB-13)."""
        turn = self.order.turn
        return turn < 0 or turn >> 1 == seat

    def hand_of(self, seat: int) -> Hand:
        """The hand with which `seat` acts: the one in turn if it is that seat's, else its leading hand."""
        turn = self.order.turn
        return turn if turn >> 1 == seat else 2 * seat

    def not_out(self, seat: int) -> None:
        """`seat` has not played its last card after all, or has made a mistake since."""
        owed = self.owed
        if seat in owed.out:
            self.owed = Owed(owed.penalties, owed.later, owed.overdue, tuple(o for o in owed.out if o != seat))

    def fault(self, seat: int, code: str, rests_on: tuple[int, ...], rule: str = "", omission: bool = False) -> None:
        """`seat` has made a mistake, which costs a card if the referee says so; it has not won then (UB-28)."""
        if not self.table.penalties or self.suspended:
            return
        self.not_out(seat)
        self.rulings.append(
            Penalty(
                number=0,
                t=self.t,
                rule=rule or RULE_OF[code],
                rests_on=rests_on,
                seat=self.table.players[seat],
                code=code,
                omission=omission,
            )
        )

    def win(self, seat: int, t: float) -> None:
        """`seat` has won; the round is over."""
        self.winner = seat
        self.rulings.append(Win(number=0, t=t, rule="UB-28", rests_on=(self.row,), seat=self.table.players[seat]))

    def notice(self, code: str, seat: int = -1, about: Card | None = None, rule: str = "") -> None:
        """Tell the table something that changes nobody's cards."""
        self.rulings.append(
            Notice(
                number=0,
                t=self.t,
                rule=rule,
                rests_on=(self.row,),
                code=code,
                seat=self.table.letter(seat),
                about=about,
            )
        )
