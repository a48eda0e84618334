"""What has to be known of an evening of Bartog at one moment, and who sits where?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from referee.games.kit.copying import replace
from referee.record.cards import JOKER, Card

Memory: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
"""What a rule remembers, by its name: numbers only the rule itself understands, mostly seats."""


class Top(NamedTuple):
    """The card that is followed.

    Attributes:
        card: as it lies.
        named: what its player said it stands for, a Joker only; None while that is open.
        by: who played it; -1 where it was turned up.
        snapped: whether it came by a snap.
    """

    card: Card
    named: Card | None = None
    by: int = -1
    snapped: bool = False

    @property
    def shown(self) -> Card:
        """The card that is followed: what a Joker stands for."""
        return self.named or self.card

    @property
    def unnamed(self) -> bool:
        """Whether it is a Joker that nobody has named, so that any card may follow (BA-5)."""
        return self.card is JOKER and self.named is None


class Word(NamedTuple):
    """Words that a seat has still to say; any one of `words` will do. `row` asked for them, by rule `rule`."""

    seat: int
    code: str
    words: tuple[str, ...]
    row: int
    rule: str


class Call(NamedTuple):
    """What is called when a turn is over: a penalty of so many cards, or (0) a thing that everybody should know."""

    seat: int
    code: str
    cards: int
    row: int
    rule: str


@dataclass(frozen=True, slots=True)
class State:
    """An evening at one moment; seats are numbers, by the order in which they sat down.

    Attributes:
        players: their letters, in the same order.
        rules: the rules in force, oldest first, each as in `rules=`.
        makers: who made each of them; -1 for a rule that was agreed on before.
        coming: rules for the next round, each with its maker.
        without: rules whose effect a reset has switched off for this round: all of them, or none.
        order: the seats as they sit round the table, to the left.
        counts: cards in each hand; the top hand, where everybody has two.
        bottoms: cards in each bottom hand; empty where there is none.
        turn: whose turn it is; -1 where anyone may begin (BA-4).
        way: 1 to the left, -1 to the right.
        debt: cards that the seat in turn has to take.
        then: who plays once they are taken; -1 for the seat after. Where it is told, nothing may be played instead.
        partly: whether some of them were taken already.
        penalties: cards that each seat owes for penalties that were given.
        wrong: cards on top that must be taken back, each with its seat, lowest first.
        gone: the card that a seat has to take away, and that seat (BA-15); None once it has, or where there is none.
        due: words still to be said.
        ahead: words said since the last act, each with its speaker, that a card to come may ask for.
        choosing: the seat that has to point at another, and the place in `rules` of the rule that asks for it.
        calls: what is called once the turn is over, because another card of it could still follow (BA-18).
        run: the cards of a turn that others may still be added to.
        base: the state in which that turn began.
        before: the state before the newest card, while nobody has acted since (N-4).
        passed: which hand went where with the newest card: for each hand, top hands first, whose it was before.
        memory: what rules remember.
        out: the seat that has no cards left and has not won yet; -1 for none.
        winner: who has won the round; -1 while it is played.
        dealer: who deals.
        acted: when somebody last acted, seconds of the match clock.
        paused: when time out began; -1 where none is on.
        settle: seconds after which a win is called.
        deal: cards dealt to each seat in rounds to come, beside what rules change.
        heard: whether it is judged what is said.
    """

    players: str
    rules: tuple[str, ...]
    order: tuple[int, ...]
    counts: tuple[int, ...]
    penalties: tuple[int, ...]
    deal: tuple[int, ...]
    pick_up: int
    makers: tuple[int, ...] = ()
    coming: tuple[tuple[str, int], ...] = ()
    without: bool = False
    bottoms: tuple[int, ...] = ()
    top: Top | None = None
    turn: int = -1
    way: int = 1
    debt: int = 0
    then: int = -1
    partly: bool = False
    wrong: tuple[tuple[Card, int], ...] = ()
    gone: tuple[Card, int] | None = None
    due: tuple[Word, ...] = ()
    ahead: tuple[tuple[int, str], ...] = ()
    choosing: tuple[int, int] | None = None
    calls: tuple[Call, ...] = ()
    run: tuple[Card, ...] = ()
    base: State | None = None
    before: State | None = None
    passed: tuple[int, ...] = ()
    memory: Memory = ()
    out: int = -1
    winner: int = -1
    dealer: int = -1
    acted: float = 0.0
    paused: float = -1.0
    settle: float = 3.0
    decks: int = 1
    heard: bool = True

    @property
    def force(self) -> tuple[str, ...]:
        """The rules that have effect now."""
        return () if self.without else self.rules

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.players)


def everywhere(state: State, change: Callable[[State], State]) -> State:
    """`change` of a state, and of those that it may go back to: what has nothing to do with the newest card."""
    before = everywhere(state.before, change) if state.before else None
    base = change(state.base) if state.base else None
    return replace(change(state), before=before, base=base)


def after(state: State, seat: int, steps: int) -> int:
    """The seat so many places further on in the direction of play."""
    return to_the_left(state, seat, steps * state.way)


def to_the_left(state: State, seat: int, steps: int) -> int:
    """The seat so many places further to the left, or to the right (below 0)."""
    return state.order[(state.order.index(seat) + steps) % state.seats]


def recalled(state: State, rule: str) -> tuple[int, ...]:
    """What the rule of that name remembers; nothing at first."""
    return next((values for name, values in state.memory if name == rule), ())


def remember(state: State, rule: str, *values: int) -> State:
    """The state in which the rule of that name remembers `values`, and nothing else."""
    rest = [(name, other) for name, other in state.memory if name != rule]
    return replace(state, memory=tuple(sorted([*rest, (rule, values)] if values else rest)))


def call(state: State, seat: int, code: str, row: int, rule: str, cards: int = 0) -> State:
    """The state in which that is called when the turn is over."""
    return replace(state, calls=(*state.calls, Call(seat, code, cards, row, rule)))


def pass_hands(state: State, whose: dict[int, int]) -> State:
    """The state in which hands have changed owners.

    Args:
        whose: for a hand, whose hand it was; a seat's number means its top hand, `seats` more its bottom one.
    """
    held = (*state.counts, *state.bottoms)
    came = state.passed or tuple(range(len(held)))
    now = [whose.get(hand, hand) for hand in range(len(held))]
    counts = tuple(held[hand] for hand in now)
    return replace(
        state,
        counts=counts[: state.seats],
        bottoms=counts[state.seats :],
        passed=tuple(came[hand] for hand in now),
    )
