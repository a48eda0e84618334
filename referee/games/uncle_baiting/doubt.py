"""What does the referee presume when it is not sure who did something, or which card it was?

Play never waits. The state then holds, beside the order of play it presumes, every other order that may be true
(`State.others`); whoever acts next rules some of them out. Nothing that rests on a presumption becomes a penalty: it is
put to the table as a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from referee.cards import Card
from referee.games.ring import ANYONE, Hand
from referee.games.uncle_baiting.legal import follows
from referee.games.uncle_baiting.order import butted_in, jokered, next_hand, played, took
from referee.games.uncle_baiting.state import Ahead, Order, Top
from referee.games.uncle_baiting.step import SHAKEN, Step
from referee.observations import UNKNOWN, Happening, Landed, Seated

LOST_AFTER: Final = 3
"""So many wrong cards on each other, by one seat after the other, show that the referee has missed something."""
ASKED_ABOUT_A_ROW: Final = frozenset({"which-card", "whose-card", "who-took", "how-many", "second-card"})
"""Questions about what one row of the record was in truth; an answer puts the row right (`referee.answers`)."""
ANSWERS: Final = 4
"""Answers that a question offers, at most."""
_ORDERS: Final = 200
"""Orders held in mind, at most."""


def may_act(step: Step, seat: int) -> bool:
    """Whether `seat` may be in turn; then it is, and the orders in which it would not be are dropped.

    The one presumed so far is kept for another act: somebody may be acting out of turn.
    """
    if not step.others:
        if step.turn == ANYONE:
            step.turn = 2 * seat  # UB-13: with a five that pointed nowhere, whoever acts
        return step.turn >> 1 == seat
    known, open_ = [], []
    for order in (step.order, *step.others):
        turn = next_hand(order, step.seats)
        if turn == ANYONE:
            open_.append(order)
        elif turn >> 1 == seat:
            known.append(order)
    if not known and not open_:
        return False
    kept = known + [order for order in open_ if order.origin >= 0 or not known]
    if step.order not in known + open_:
        kept.append(step.order)
        step.shaken = SHAKEN
    _hold(step, kept)
    turn = next_hand(step.order, step.seats)
    step.turn = 2 * seat if turn == ANYONE else turn
    return True


def may_be_in_turn(step: Step, seat: int) -> bool:
    """Whether `seat` is in turn in an order that may be true."""
    turns = [next_hand(order, step.seats) for order in (step.order, *step.others)] if step.others else [step.turn]
    return any(turn in (2 * seat, 2 * seat + 1, ANYONE) for turn in turns)


def move(step: Step, change: Callable[[Order], Order]) -> None:
    """The order of play changes; so do those that may be true instead."""
    if step.others:
        _hold(step, map(change, (step.order, *step.others)))
    else:
        step.order = change(step.order)


def may_also_be(step: Step, orders: Iterable[Order]) -> None:
    """These orders may be true instead of the one presumed."""
    _hold(step, (step.order, *step.others, *orders))


def may_rather_be(step: Step, orders: Iterable[Order]) -> None:
    """These orders may be true instead of the one presumed, and are likelier than all others."""
    _hold(step, (step.order, *orders, *step.others))


def acting(step: Step, order: Order, seat: int) -> Hand:
    """The hand with which `seat` (-1 unknown) acts if `order` is true."""
    turn = next_hand(order, step.seats)
    return turn if seat < 0 or turn >> 1 == seat else 2 * seat


def with_turn(step: Step, orders: Iterable[Order], seat: int) -> list[Order]:
    """Those of `orders` in which it is the turn of `seat`."""
    return [order for order in orders if next_hand(order, step.seats) >> 1 == seat]


def after_any_card(step: Step, before: Iterable[Order], seat: int, in_turn: bool) -> list[Order]:
    """Every order there may be after `seat` (-1 unknown) put a card nobody could read on the pile."""
    table, effect = step.table, step.top.effect
    effects = sorted({"", *table.effects.values()}) if in_turn else []
    orders = []
    for order in before:
        if in_turn:
            orders += [played(order, acting(step, order, seat), each) for each in effects]
        else:
            orders.append(order)
        if table.jokers:
            orders.append(jokered(order, step.seats))
        if table.butting_in:
            orders += after_butt_in(step, order, seat, effect)
    return orders


def after_butt_in(step: Step, order: Order, seat: int, effect: str) -> list[Order]:
    """Every order there may be after `seat` (-1: somebody) butted in."""
    return [butted_in(order, 2 * each, effect) for each in (range(step.seats) if seat < 0 else (seat,))]


def presumed_taker(step: Step, count: int) -> tuple[int, bool]:
    """Which seat took cards unseen, and whether that is certain: the one in turn, unless others owe penalties."""
    penalties, turn = step.hands.penalties, step.turn >> 1
    owing = [seat for seat in range(step.seats) if penalties[seat] and seat != turn]
    if not owing or (turn >= 0 and count == step.debt + penalties[turn] > 1):
        return turn, turn >= 0 and not seems_another(step, turn)
    return (turn if turn >= 0 and (step.debt or penalties[turn]) else owing[0]), False


def clear(step: Step) -> bool:
    """Whether order of play, top card and debt are known for sure by now."""
    return not step.others and step.turn >= 0 and step.top.sure and step.debt_sure


def readings(seen: Happening) -> tuple[str, ...]:
    """The cards that the eye hesitated between, likeliest first; none where there are not at least two."""
    if not isinstance(seen, Landed):
        return ()
    cards = dict.fromkeys(card.name for card in (seen.card, *(other for other, _ in seen.alternatives)) if card)
    return tuple(cards)[:ANSWERS] if len(cards) > 1 else ()


def seemed(step: Step) -> int:
    """The seat that seems to have acted though that is not sure; -1 where none does."""
    seen = step.observation
    return step.table.seat(seen.seat) if isinstance(seen, Seated) and seen.whose == UNKNOWN else -1


def seems_another(step: Step, seat: int) -> bool:
    """Whether it rather seems that somebody else than `seat`, who is presumed to have acted, has."""
    return seemed(step) not in (seat, -1)


def whose(step: Step) -> tuple[str, ...]:
    """The seats that may have acted, likeliest first: whose it seemed, those that may be in turn, then as they sit."""
    turns = (next_hand(order, step.seats) >> 1 for order in (step.order, *step.others))
    seats = dict.fromkeys((*(seat for seat in (seemed(step), *turns) if seat >= 0), *range(step.seats)))
    return tuple(step.table.players[seat] for seat in seats)[:ANSWERS]


def counts(step: Step, seat: int, count: int) -> tuple[str, ...]:
    """How many cards `seat` may have taken where `count` is not sure: that, or what it had to take; 0 for none."""
    due = max(1, step.hands.penalties[seat] + (step.debt if step.turn >> 1 == seat else 0))
    near = dict.fromkeys((count, due, *((1,) if count == due else ()), count - 1, count + 1))
    return (*[str(number) for number in near if number > 0][: ANSWERS - 1], "0")


def lost_track(step: Step, seat: int, card: Card, effect: str) -> bool:
    """Whether the wrong `card` of `seat` (-1 unknown) shows that the referee missed something: nobody takes any back.

    Then the match goes on from what they play.
    """
    ahead = step.ahead
    held, debt = (step.order, *step.others), 0
    rows: tuple[int, ...] = ()
    if ahead and (seat < 0 or ahead.top.owner != seat):
        rows = ahead.rows
        if follows(ahead.top, ahead.debt, card, effect):
            held, debt = (ahead.order, *ahead.others), ahead.debt
    known = list(held) if seat < 0 else with_turn(step, held, seat)
    if not known:  # what made it that seat's turn nobody saw: a King, perhaps
        known = [order._replace(direction=way * order.direction) for way in (1, -1) for order in held]
    order, *others = dict.fromkeys(played(order, acting(step, order, seat), effect) for order in known)
    debt = debt + 4 if effect == "A" else debt + 2 if effect == "2" else 0
    top = Top(card, effect, False, seat, order.origin, 0, 0, "", True, 0, step.seen, True)
    step.ahead = Ahead(top, order, tuple(others), debt, (*rows, step.seen))
    return len(step.ahead.rows) >= LOST_AFTER


def other_modes(step: Step) -> list[Order]:
    """The orders held in mind, with tens and Queens the other way round: nobody knows which mode people are in."""
    held, effects = (step.order, *step.others), set(step.table.effects.values())
    tens = [order._replace(tens=not order.tens) for order in held] if "T" in effects else []
    both = (*held, *tens)
    return [*tens, *(o._replace(queens=0 if o.queens else o.direction) for o in both if "Q" in effects)]


def named_ahead(step: Step, suit: str) -> None:
    """A suit that is named for a Jack which lies there wrongly holds if it was right."""
    ahead = step.ahead
    if ahead and ahead.top.effect == "J":
        step.ahead = ahead._replace(top=ahead.top._replace(suits=suit))


def taken_ahead(step: Step, seat: int) -> None:
    """A card that `seat` took, though it is not in turn, would be its turn if the wrong cards had been right."""
    ahead = step.ahead
    if ahead:
        known = with_turn(step, (ahead.order, *ahead.others), seat)
        if known:
            order, *others = dict.fromkeys(took(order, acting(step, order, seat)) for order in known)
            step.ahead = ahead._replace(order=order, others=tuple(others), debt=0)


def _hold(step: Step, orders: Iterable[Order]) -> None:
    """The first of `orders` is presumed, the others may be true instead."""
    step.order, *others = dict.fromkeys(orders)
    step.others = tuple(others[:_ORDERS])
