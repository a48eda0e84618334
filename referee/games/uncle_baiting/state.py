"""What is remembered of a match of Uncle Baiting?

`State` is one immutable value made of a few small ones. A `Step` is its working copy while one happening is judged.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, NamedTuple

from pydantic import TypeAdapter

from referee.games.kit.counts import MANY
from referee.games.kit.ring import ANYONE, Hand
from referee.games.uncle_baiting.options import Table
from referee.record.cards import Card

NO_FIVE = -2
"""`Order.pointing` while no five is waiting for its seat."""


@dataclass(frozen=True, slots=True)
class Order:
    """The ring of hands and what moves along it (UB-5 to UB-13).

    Attributes:
        origin: the hand that last acted.
        direction: 1 as dealt (to the left), -1 reversed.
        tens: whether every other hand is skipped.
        queens: 0, or in Queens mode the direction on entering it.
        skips: hands to skip after the origin.
        back: a nine moves play to the player before the origin.
        pointing: the hand a five points at, `ANYONE` until somebody saw it, `NO_FIVE` without a five.
        waiting: skips of threes that wait for the next hand to act.
        six: hands still to finish until a six reverses again; 0 without one.
        carried: skips of an earlier three that fell on the top card and go along with a butt-in (UB-9).
        turn: the hand in turn, which follows from all that; `ANYONE` when anybody may act.
    """

    origin: Hand
    direction: int
    tens: bool
    queens: int
    skips: int
    back: bool
    pointing: Hand
    waiting: int
    six: int
    carried: int
    turn: Hand


@dataclass(frozen=True, slots=True)
class Top:
    """The card that counts, and what has been done to it.

    Attributes:
        card: None before there is one.
        effect: its rule (see `Table.effects`); empty when it is plain or dead.
        dead: the first card, or one that butted in on it (UB-4).
        owner: the seat that put it there, -1 for the first card.
        holder: the hand it counts as played by: the owner's, moved on by Jokers.
        row: what the record calls its landing; 0 for the card turned over at the start.
        fours: how often the hands are still to be passed on: 1 for a four, 2 when it was butted in on (UB-16).
        single: seats that received a single card with a four's hands: they have to say so once the next hand has acted.
        jokers: Jokers put on it.
        suit: the suit named for a Jack; empty when none was.
        unheard: whether one may have been named while nobody listened.
        why: the rule by which it is the next hand's turn, where the card's effect does not say it.
    """

    card: Card | None
    effect: str
    dead: bool
    owner: int
    holder: Hand
    row: int
    fours: int = 0
    single: tuple[int, ...] = ()
    jokers: int = 0
    suit: str = ""
    unheard: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Owed:
    """What seats have to take for penalties that were given, and who is out.

    Attributes:
        penalties: cards owed now, by seat.
        later: cards owed from the start of that seat's next turn (UB-24).
        overdue: the seat that has just acted without having said "last card": that was its next turn; -1 for none.
        out: seats that have played their last card and have neither won yet nor made a fault since, the first first.
    """

    penalties: tuple[int, ...]
    later: tuple[int, ...]
    overdue: int = -1
    out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Pile:
    """What is odd about the two piles.

    Attributes:
        wrong: cards on top that must be taken back, each with its seat, lowest first (UB-27).
        lifted: a right card that somebody took off the pile, with that seat; it has to come back.
        renewal: 1 since the pick-up pile ran out, 2 since it was renewed, 0 after the next act (UB-31).
    """

    wrong: tuple[tuple[Card, int], ...] = ()
    lifted: tuple[Card, int] | None = None
    renewal: int = 0


@dataclass(frozen=True, slots=True)
class Duty:
    """Words that a seat still has to say; `wrong` when a wrongly played card demands them (UB-25)."""

    seat: int
    code: str
    row: int
    wrong: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A word said since the last hand finished, that has met nothing yet (UB-22); seat -1 for an unknown speaker."""

    seat: int
    word: str
    row: int


class Before(NamedTuple):
    """What a good play of `seat` has changed: it is so again if that card is taken back before anybody acts (N-4)."""

    seat: int
    order: Order
    debt: int
    top: Top
    turns: int
    wrong: tuple[tuple[Card, int], ...]
    duties: tuple[Duty, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A match of Uncle Baiting at one moment; seats are places in seating order.

    Attributes:
        debt: cards from aces and twos that the hand in turn has to pick up (UB-14).
        turns: hands that finished their turn since the top card landed, 2 at most.
        counts: cards that each seat is believed to hold.
        pick_up: cards in the pick-up pile, as far as is known; all the others lie on the discard pile.
        duties: words to be said, oldest first.
        words: words said ahead of the card they belong to.
        acted: when the last hand acted, seconds of the match clock.
        paused: when time out began, -1 while it is off.
        auto: whether a seat may butt in on its own card (UB-2).
        heard: whether it is judged what is said; while nobody listens nothing has to be.
        before: how it was before the newest play, until somebody else acts.
        winner: -1 before there is one.
    """

    table: Table
    order: Order
    debt: int
    top: Top
    turns: int
    counts: tuple[int, ...]
    pick_up: int
    owed: Owed
    pile: Pile
    duties: tuple[Duty, ...]
    words: tuple[Word, ...]
    acted: float
    paused: float
    auto: bool
    heard: bool
    before: Before | None
    winner: int


STATE: Final = TypeAdapter(State)
"""Writes a state as JSON and reads it back."""


def first_state(table: Table) -> State:
    """The state before anything has happened: all is dealt, and the first card turned over if it is known."""
    dealer = 2 * ((table.first - 1) % table.seats)
    none = (0,) * table.seats
    return State(
        table=table,
        order=Order(
            origin=dealer,
            direction=1,
            tens=False,
            queens=0,
            skips=0,
            back=False,
            pointing=NO_FIVE,
            waiting=0,
            six=0,
            carried=0,
            turn=2 * table.first,
        ),
        debt=0,
        top=Top(card=table.start, effect="", dead=True, owner=-1, holder=ANYONE, row=0),
        turns=0,
        counts=table.counts,
        pick_up=table.pack - sum(table.counts) - (table.start is not None),
        owed=Owed(penalties=none, later=none),
        pile=Pile(),
        duties=(),
        words=(),
        acted=0.0,
        paused=-1.0,
        auto=table.auto_butt_in == "allow",
        heard=table.words,
        before=None,
        winner=-1,
    )


def key(state: State) -> Hashable:
    """Equal for states that judge the future alike: without rows and times, and with large counts alike.

    How it was before the newest play is left out: it matters only if that card is taken back, which people seldom do.
    """
    top, owed, pile = state.top, state.owed, state.pile
    return (
        state.order,
        state.debt,
        top.card,
        top.effect,
        top.dead,
        top.owner,
        top.holder,
        top.fours,
        top.single,
        top.jokers,
        state.turns,
        top.suit,
        top.unheard,
        tuple([count if count < MANY else MANY for count in state.counts]),
        state.pick_up if state.pick_up < 2 * MANY else 2 * MANY,
        owed.penalties,
        owed.later,
        owed.overdue,
        owed.out,
        pile.wrong,
        pile.lifted,
        pile.renewal,
        tuple([(duty.seat, duty.code, duty.wrong) for duty in state.duties]) if state.duties else (),
        tuple([(word.seat, word.word) for word in state.words]) if state.words else (),
        state.paused >= 0,
        state.auto,
        state.heard,
        state.winner,
    )
