"""How does the table stand right now, in words every game shares?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from referee.record.cards import Card
from referee.record.observations import Seat, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Words a seat must still say.

    Attributes:
        words: any one of these meets it, as the recogniser writes them.
        code: the penalty if nobody hears them in time.
        may: whether they need not be said at all.
    """

    seat: Seat
    words: tuple[str, ...]
    code: str
    may: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPoll:
    """What people vote on now because the rules of the game leave it to them; a tie is left to a coin.

    Attributes:
        subject: what a vote on it names; its code is at which the catalogue has the question (`question.CODE`).
        rule: the number of the rule that has it so.
        opened, until: when it began, and when it is closed as it stands, seconds of the match clock.
        voters: the seats that have a vote.
        voted: those of them that have voted; they may change their minds.
        tied: since when only a coin can decide it; None while people can.
    """

    subject: Subject
    rule: str
    opened: float
    until: float
    voters: tuple[Seat, ...]
    voted: tuple[Seat, ...]
    tied: float | None = None

    def is_about(self, subject: Subject | None) -> bool:
        """Whether a vote on `subject` is one on this, as one that names none is."""
        own = self.subject
        return subject is None or subject.is_same(own.rows, own.code, own.seat)


class Brief(NamedTuple):
    """The few things that the belief asks of thousands of states a second.

    Attributes:
        players: seat letters in seating order.
        turn: whose turn it is; None when anyone may play.
        owed: cards that the hand in turn takes when it takes: what it owes, or one.
        penalties: penalty cards each seat has to take now, in seating order.
        wrong: cards on the pile that must come back, lowest first, each with its seat.
        due: words still to be said, oldest first.
        winner: who has won.
        next: the seat that ends the turn by acting, where a turn of several cards is under way; else None.
        faced: cards that it takes when it takes then.
        ends: words by which the seat in turn may end its turn now.
    """

    players: str
    turn: Seat | None
    owed: int
    penalties: tuple[int, ...]
    wrong: tuple[tuple[Card, Seat], ...]
    due: tuple[Due, ...]
    winner: Seat | None
    next: Seat | None = None
    faced: int = 1
    ends: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What dashboard, voice, ear and notation need to know of a state, whatever the game.

    Attributes:
        players: seat letters in seating order.
        turn: whose turn it is; None when anyone may play.
        hand: 1 leading, 2 trailing hand, 0 where a player has one hand.
        owed: cards the hand in turn must pick up (aces, twos and the like).
        direction: 1 as dealt, -1 reversed.
        suit: the suit (UNO: colour) named for the top card; empty when none is.
        top: the card that counts; None on an empty pile or when the eye could not read it.
        counts: cards each seat is believed to hold, in seating order.
        penalties_owed: penalty cards each seat has still to take, in seating order.
        wrong: cards on the pile that must come back, lowest first, each with its seat.
        pick_up_pile: cards believed to be in the pick-up pile.
        due: words still to be said.
        listening: words that would mean something if they were said now, or just ahead of a card.
        ahead: those of them that mean nothing before a card that asks for them has landed.
        modes: what is switched on, by the names at which the catalogue has it (`mode-NAME`).
        pointing: whether the table waits for a seat to be pointed at, whichever hand of it.
        time_out: whether time out is on.
        winner: who has won; the round is over then.
        deadline: when a deadline passes by itself, seconds of the match clock; None when none runs.
        turn_hidden: in strict play the turn is shown only when somebody has bought the answer.
        why: the number of the rule that says whose turn it is.
        turn_since: when the present turn began, seconds of the match clock (how slow is slow?).
        words_judged: whether it is judged what is said; while nobody listens it is not.
    """

    players: str
    turn: Seat | None
    hand: int = 0
    owed: int = 0
    direction: int = 1
    suit: str = ""
    top: Card | None = None
    counts: tuple[int, ...] = ()
    penalties_owed: tuple[int, ...] = ()
    wrong: tuple[tuple[Card, Seat], ...] = ()
    pick_up_pile: int = 0
    due: tuple[Due, ...] = ()
    listening: frozenset[str] = frozenset()
    ahead: frozenset[str] = frozenset()
    modes: tuple[str, ...] = ()
    pointing: bool = False
    time_out: bool = False
    winner: Seat | None = None
    deadline: float | None = None
    turn_hidden: bool = False
    turn_since: float | None = None
    words_judged: bool = True
    why: str = ""

    def owed_words(self) -> frozenset[str]:
        """Every word that meets something due."""
        return frozenset(word for due in self.due for word in due.words)

    def whose(self) -> tuple[Seat | None, int, int, int, str]:
        """What a `Turn` calls: seat, hand, owed, direction and suit."""
        return self.turn, self.hand, self.owed, self.direction, self.suit
