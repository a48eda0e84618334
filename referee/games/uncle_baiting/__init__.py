"""Uncle Baiting: what does the referee answer to each happening?

A reader finds the code of a rule by its number:

- `options`: UB-1 to UB-3
- `order`: UB-5 to UB-13
- `legal`: UB-2 to UB-4, UB-14 to UB-20, UB-29
- `words`: UB-13, UB-18, UB-21 to UB-25
- `owed`: UB-14, UB-16, UB-24, UB-26, UB-31
- `play`: UB-4, UB-12, UB-25, UB-27
- `winning`: UB-28

Votes, disputes and bought answers (UB-30) are the referee's, not the game's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Final

from referee.games.uncle_baiting import explain, legal, lesson, owed, play, sheet, standing, state, winning, words
from referee.games.uncle_baiting.options import Table
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.step import RULE_OF, Step
from referee.record.cards import FRENCH, JOKER, Card
from referee.record.observations import (
    UNKNOWN,
    Happening,
    Landed,
    OptionSet,
    Pointed,
    Recycled,
    Said,
    Seat,
    Taken,
    TakenBack,
    TimeOut,
)
from referee.record.rulings import AnyRuling
from referee.record.standing import Brief, OpenPoll, Standing


class UncleBaiting:
    """The game: a pure function of (state, happening) to (state, rulings); see `referee.games.Game`."""

    name: str = "uncle-baiting"
    turns_over: bool = True
    options = Table

    def start(self, options: Mapping[str, str]) -> State:
        """The state before the first happening.

        Raises:
            RefereeError: an option or its value is unknown.
        """
        return state.first_state(Table.of(options))

    def pack(self, state: State) -> list[Card]:
        """The cards that are played with (UB-3)."""
        plain = [card for card in FRENCH if card in state.table.effects]
        packs = state.table.pack // len(plain)
        return [*plain * packs, *[JOKER] * (state.table.pack - packs * len(plain))]

    def observe(self, state: State, happening: Happening, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """The state after `happening`, which the record calls `row`, and what the referee answers to it."""
        judge = _JUDGES.get(type(happening))
        if state.winner >= 0 or not (judge or state.owed.out):
            return state, ()
        step = Step(state, happening.t, row)
        if step.owed.out:
            until = winning.deadline(step)
            if until is not None and until <= step.t:
                winning.declare(step, until)
        if judge and step.winner < 0:
            judge(step, happening)
            _after(step)
        return step.finish()

    def given(self, state: State, seat: Seat, cards: int, code: str) -> State:
        """The state after the referee gave `seat` cards for `code`, struck them out (below 0) or only warned (0)."""
        return owed.given(state, state.table.place[seat], cards, code)

    def forced(self, state: State, landed: Landed, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """As `observe`, but the table lets the card pass as if it had been right.

        Where it lies there as a wrong one of that seat already, that one counts as played, and its words are forgiven.
        """
        step = Step(state, landed.t, row)
        seat = _seat(step, landed.seat)
        if seat >= 0 and landed.card and step.winner < 0:
            play.forced(step, seat, landed.card)
            _after(step)
        return step.finish()

    def key(self, now: State) -> Hashable:
        """Equal for states that judge the future alike."""
        return state.key(now)

    def brief(self, state: State) -> Brief:
        """What people have to do in `state`, told quickly."""
        return standing.brief(state)

    def standing(self, state: State) -> Standing:
        """How the table stands in `state`."""
        return standing.standing(state)

    def right(self, state: State, seat: Seat, card: Card) -> bool:
        """Whether `seat` may put `card` on the pile now."""
        return state.winner < 0 and legal.verdict(state, state.table.place[seat], card) <= legal.PLAYS_JOKER

    def legal_cards(self, state: State, seat: Seat) -> frozenset[Card]:
        """The cards that `seat` could play in `state` without a penalty, whatever it holds."""
        return legal.legal_cards(state, state.table.seat(seat)) if state.winner < 0 else frozenset()

    def silent(self, state: State) -> tuple[tuple[Happening, float], ...]:
        """Nothing is done in this game that nobody can see or hear."""
        return ()

    def polls(self, state: State) -> tuple[OpenPoll, ...]:
        """Votes are never the game's."""
        return ()

    def codes(self) -> Mapping[str, str]:
        """The codes of penalties, each with the number of its rule."""
        return RULE_OF

    def refusal(self, state: State, seat: Seat, against: Seat, code: str) -> str:
        """Why `seat` cannot claim a penalty for `code` against another, as the code of a notice; empty if it can.

        When no such penalty can be claimed: UB-31, `classic`, slowness in `junior` or before the game begins.
        """
        table = state.table
        if not {seat, against} <= table.place.keys() or code not in RULE_OF or code == "unjust-claim":
            return "unclear-claim"
        refused = code not in sheet.claimable(table) or state.paused >= 0 or state.pile.renewal
        return "no-claims-now" if refused or (code == "slow" and not state.top.card) else ""

    def explain(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        """In words what may be played and what is owed: "Hearts or a nine; or any Jack; Bo must pick up four"."""
        return explain.explain(state, names or {})

    def changeable(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """Whether one may butt in on oneself (UB-2) may be agreed on anew; it is what it is not that is offered."""
        if not state.table.butting_in or state.winner >= 0:
            return {}
        return {"auto_butt_in": ("forbid" if state.auto else "allow",)}

    def claimable(self, state: State) -> tuple[str, ...]:
        """The codes of the penalties that this edition knows (UB-30)."""
        return sheet.claimable(state.table) if state.winner < 0 else ()

    def lesson(self, state: State) -> tuple[tuple[str, str], ...]:
        """What the top card did, in sentences, each with the number of its rule."""
        return lesson.lesson(state)

    def rules_in_play(self, state: State) -> tuple[str, ...]:
        """The numbers of the rules that the table plays by."""
        return sheet.rules_in_play(state.table)

    def in_play(self, state: State) -> frozenset[str]:
        """The rules of cards that are in play, and `butting-in` and `penalties`."""
        return sheet.in_play(state.table)


def _after(step: Step) -> None:
    """What follows from every act."""
    if step.winner < 0:
        if step.owed.out:
            until = winning.deadline(step)
            if until is not None and until <= step.t:
                winning.declare(step, step.t)
        if step.order.turn >= 0:
            owed.turn_begins(step, step.order.turn >> 1)


def _seat(step: Step, letter: Seat) -> int:
    """The place of `letter`; -1, and the people are told, if nobody of this table sits there."""
    seat = step.table.place.get(letter, -1)
    if seat < 0:
        step.notice("unknown-seat")
    return seat


def _landed(step: Step, seen: Landed) -> None:
    seat = _seat(step, seen.seat)
    if seat >= 0 and seen.card:
        play.landed(step, seat, seen.card)


def _taken_back(step: Step, seen: TakenBack) -> None:
    seat = _seat(step, seen.seat)
    if seat >= 0:
        play.taken_back(step, seat, seen.card)


def _taken(step: Step, seen: Taken) -> None:
    seat = _seat(step, seen.seat)
    if seat >= 0:
        owed.taken(step, seat, seen.count)


def _said(step: Step, seen: Said) -> None:
    seat = -1 if seen.seat == UNKNOWN else _seat(step, seen.seat)
    if seat >= 0 or seen.seat == UNKNOWN:
        words.said(step, seat, seen.text)


def _pointed(step: Step, seen: Pointed) -> None:
    seat, at = -1 if seen.seat == UNKNOWN else _seat(step, seen.seat), _seat(step, seen.at)
    if at >= 0 and (seat >= 0 or seen.seat == UNKNOWN):
        words.pointed(step, seat, at, seen.hand)


def _recycled(step: Step, seen: Recycled) -> None:
    owed.recycled(step)


def _time_out(step: Step, seen: TimeOut) -> None:
    """Time out begins; or it ends, and what was running runs on from where it stood."""
    if step.paused < 0:
        step.paused = step.t
    else:
        step.acted += step.t - step.paused
        step.paused = -1.0


def _option_set(step: Step, seen: OptionSet) -> None:
    """What may change during a match: `auto_butt_in` (UB-2), and `words`, as the ear comes and goes."""
    if seen.name == "words" and seen.value in ("on", "off"):
        if seen.value == "on":
            step.heard = True
        else:
            words.not_heard(step)
        step.notice(f"words-{seen.value}")
    elif seen.name == "auto_butt_in" and seen.value in ("allow", "forbid"):
        step.auto = seen.value == "allow"
        step.notice(f"auto-butt-in-{seen.value}", rule="UB-2")
    else:
        step.notice("option-stays", rule="UB-2")


_JUDGES: Final[Mapping[type, Callable[..., None]]] = {
    Landed: _landed,
    TakenBack: _taken_back,
    Taken: _taken,
    Said: _said,
    Pointed: _pointed,
    Recycled: _recycled,
    TimeOut: _time_out,
    OptionSet: _option_set,
}
"""Who judges a happening; of the others the game knows no more than that time has passed."""

GAME: Final = UncleBaiting()
MEASURED: Final = {preset: {"preset": preset} for preset in ("junior", "full")}
"""The editions by which it is measured: the one families begin with, and the one with everything in it."""
