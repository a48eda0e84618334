"""Which rules move hands, places and cards about the table?"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from pydantic import Field

from referee.games.bartog.rules.rule import Play, Rule
from referee.games.bartog.rules.spoken import Influence, ThreeWords
from referee.games.bartog.selectors import Selector
from referee.games.bartog.state import State, after, pass_hands, recalled, remember, to_the_left
from referee.games.kit.copying import replace

Target: TypeAlias = Literal["next", "previous", "left", "right", "opposite"]
"""A player as seen from another; `next` and `previous` are told in the direction of play."""
Choice: TypeAlias = Literal["next", "previous", "left", "right", "opposite", "choice"]
Which: TypeAlias = Literal["top", "bottom", "both"]


def target(state: State, seat: int, whom: Target) -> int:
    """The seat that is meant, as seen from `seat`."""
    match whom:
        case "next" | "previous":
            return after(state, seat, 1 if whom == "next" else -1)
        case "opposite":
            return to_the_left(state, seat, state.seats // 2)
        case _:
            return to_the_left(state, seat, 1 if whom == "left" else -1)


def swapped(state: State, one: int, other: int, which: Which) -> State:
    """The state in which two seats have swapped their hands, the top ones, the bottom ones or both."""
    whose = dict[int, int]()
    if which != "bottom" or not state.bottoms:
        whose |= {one: other, other: one}
    if which != "top" and state.bottoms:
        whose |= {one + state.seats: other + state.seats, other + state.seats: one + state.seats}
    return pass_hands(state, whose)


def moved_on(state: State, to: Target, which: Which) -> State:
    """The state in which everybody has given a hand, or both, to the seat that `to` means."""
    whose = dict[int, int]()
    for seat in range(state.seats):
        getter = target(state, seat, to)
        if which != "bottom" or not state.bottoms:
            whose[getter] = seat
        if which != "top" and state.bottoms:
            whose[getter + state.seats] = seat + state.seats
    return pass_hands(state, whose)


class WithSomebody(Rule):
    """What is done with another player, who may be one that the player points at."""

    on: Selector
    whom: Choice = Field(default="next", alias="with")

    def lands(self, state: State, play: Play) -> State:
        """It is done, or the player is to choose."""
        if self.whom == "choice":
            return replace(state, choosing=(play.seat, state.rules.index(self.text)))
        return self.chosen(state, play.seat, target(state, play.seat, self.whom))


class Swap(WithSomebody):
    """Its player swaps hands with another."""

    name: ClassVar = "swap"
    number: ClassVar = "3"

    def chosen(self, state: State, seat: int, other: int) -> State:
        """The two swap hands."""
        return swapped(state, seat, other, "top")


class SwapAll(Rule):
    """Everybody hands the cards on."""

    name: ClassVar = "swap-all"
    number: ClassVar = "4"

    on: Selector
    to: Target = "next"

    def lands(self, state: State, play: Play) -> State:
        """All top hands move."""
        return moved_on(state, self.to, "top")


class Places(WithSomebody):
    """Its player changes places with another; their hands go with them, or stay."""

    name: ClassVar = "places"
    number: ClassVar = "7"

    hands: Literal["take", "leave"] = "take"

    def variants(self) -> tuple[str, ...]:
        """Whether hands stay."""
        return ("leave",) if self.hands == "leave" else ()

    def chosen(self, state: State, seat: int, other: int) -> State:
        """The two change places."""
        switch = {seat: other, other: seat}
        state = replace(state, order=tuple(switch.get(one, one) for one in state.order))
        return swapped(state, seat, other, "both") if self.hands == "leave" else state


class DoubleHands(Rule):
    """Everybody has a top and a bottom hand, and swaps them at a card; whoever has an empty top hand wins."""

    name: ClassVar = "double-hands"
    number: ClassVar = "13"
    double: ClassVar = True

    on: Selector

    def lands(self, state: State, play: Play) -> State:
        """All turn their hands over."""
        if not state.bottoms:
            return state
        hands = 2 * state.seats
        return pass_hands(state, {hand: (hand + state.seats) % hands for hand in range(hands)})


class BottomSwap(WithSomebody):
    """A swap, of two players or of all, of the bottom hands or of both."""

    name: ClassVar = "bottom-swap"
    number: ClassVar = "13a"

    hands: Literal["bottom", "both"] = "bottom"
    everybody: bool = False

    def variants(self) -> tuple[str, ...]:
        """Which hands, and whose."""
        return (*(["both"] if self.hands == "both" else []), *(["everybody"] if self.everybody else []))

    def lands(self, state: State, play: Play) -> State:
        """Nothing where there are no bottom hands."""
        if not state.bottoms:
            return state
        if self.everybody and self.whom != "choice":
            return moved_on(state, self.whom, self.hands)
        return super().lands(state, play)

    def chosen(self, state: State, seat: int, other: int) -> State:
        """The two swap them."""
        return swapped(state, seat, other, self.hands)


class Sticky(Rule):
    """What a player is under goes with a hand that is swapped, or with a place."""

    name: ClassVar = "sticky"
    number: ClassVar = "19"

    def settled(self, before: State, state: State) -> State:
        """Whoever has the hand now, or sits in the place, is under it now."""
        whose = dict(enumerate(state.passed[: state.seats])) if state.passed else {}
        if not any(seat != was for seat, was in whose.items()):
            whose = dict(zip(state.order, before.order, strict=True))
        now = {was: seat for seat, was in whose.items()}
        for rule in (Influence.name, ThreeWords.name):
            held = recalled(state, rule)
            state = remember(state, rule, *(now.get(seat, seat) for seat in held))
        return state


class TakeThat(Rule):
    """The next player picks up that card."""

    name: ClassVar = "take-that"
    number: ClassVar = "28"

    on: Selector

    def lands(self, state: State, play: Play) -> State:
        """The card is the next player's, and the one beneath counts (BA-15)."""
        getter = after(state, play.seat, 1)
        counts = tuple(cards + (seat == getter) for seat, cards in enumerate(state.counts))
        beneath = play.beneath._replace(snapped=False) if play.beneath else None
        return replace(state, counts=counts, top=beneath, gone=(state.top.card, getter) if state.top else None)
