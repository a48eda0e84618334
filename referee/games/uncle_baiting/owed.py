"""What has to be picked up, and how many cards does everybody hold (UB-14, UB-16, UB-24, UB-26, UB-31)?"""

from __future__ import annotations

from referee.games.ring import ANYONE, seat_of
from referee.games.uncle_baiting import doubt, order, winning, words
from referee.games.uncle_baiting.passing import passed_on
from referee.games.uncle_baiting.state import Hands, Pile
from referee.games.uncle_baiting.step import SHAKEN, Step


def taken(step: Step, seat: int, count: int) -> None:
    """`seat` (-1 unknown) took cards: first for penalties, then for what its turn owes, else as its turn (UB-26)."""
    known, sure, certain = seat, step.sure, True
    if seat < 0:
        seat, certain = doubt.presumed_taker(step, count)
        sure = sure and certain
    if not certain:
        step.ask("who-took", -1, (step.seen,), rule="UB-26", answers=doubt.whose(step))
    elif not sure:
        step.ask("how-many", seat, (step.seen,), rule="UB-26", answers=doubt.counts(step, seat, count))
    lifted_is_kept(step)
    if seat >= 0 and seat == seat_of(step.turn):
        pass_hands_on(step)
    unseen = count if count == step.debt > 1 else 0  # whoever it is that is in turn
    left = count - min(count, step.hands.penalties[seat]) if seat >= 0 else unseen
    orders, retreat = (step.order, *step.others), step.retreat
    acts = left > 0 and (step.turn >> 1 == seat or (known >= 0 and _is_its_turn(step, seat, left)))
    if acts:
        next_hand_acts(step, sure)
    elif left:
        doubt.taken_ahead(step, seat)
        if known >= 0 and not step.others and step.turn >= 0:  # did nobody see those before it take theirs?
            doubt.may_also_be(step, [order.took(step.order, 2 * seat)])
            step.shaken = SHAKEN
    _leave_pick_up_pile(step, count)
    give(step, seat, count)
    if seat >= 0:
        _pay_penalties(step, seat, count - left)
    if acts and step.winner < 0:
        _turn_of_taking(step, known, left, sure)
    step.retreat = retreat  # the card may be taken back still
    if not sure or (known < 0 and step.others):
        everybody = (1 << step.seats) - 1
        step.hands = step.hands._replace(vague=step.hands.vague | (1 << known if known >= 0 else everybody))
    if not sure and step.winner < 0:  # it may have been a turn, or none
        doubt.may_also_be(step, orders if acts else (order.took(held, doubt.acting(step, held, -1)) for held in orders))


def _is_its_turn(step: Step, seat: int, count: int) -> bool:
    """Whether `seat`, which was not presumed to be in turn, takes `count` cards as its turn.

    People also take cards for what they agreed on among themselves; so it may have been its turn, or not, unless it
    took more than that would be.
    """
    if step.turn == ANYONE or not step.others or (count > 1 and (count == step.debt or not step.debt_sure)):
        return doubt.may_act(step, seat)
    known = doubt.with_turn(step, step.others, seat)
    doubt.may_rather_be(step, [order.took(held, doubt.acting(step, held, seat)) for held in known])
    return False


def next_hand_acts(step: Step, sure: bool) -> None:
    """The hand in turn acts: deadlines pass, a seat that is out wins, a red four's hands are passed on."""
    step.retreat = None
    if step.pile.renewal == 2:  # UB-31: deadlines pass again from the act after this one
        step.pile = step.pile._replace(renewal=0)
    elif step.duties:
        words.close(step, sure and not step.before.others)
        deferred_become_owed(step)  # where the hand in turn missed its own "last card", this is its next turn
    if step.hands.out:
        winning.declare(step, step.t)
    if step.winner < 0:
        pass_hands_on(step)
        _single_cards_are_due(step)


def pass_hands_on(step: Step) -> None:
    """The hand in turn is about to act: everybody has passed a four's hands on by now (UB-16).

    Unless somebody is out and wins with that act.
    """
    if not step.top.fours or any(winning.cleared(step, seat) for seat in step.hands.out):
        return
    before, step.hands = step.hands, passed_on(step)
    single = 0
    if step.hands.counts != before.counts:
        single = sum(1 << seat for seat in range(step.seats) if step.hands.counts[seat] == 1)
    step.top = step.top._replace(fours=0, single=single)
    was = step.before  # nobody passes them on twice, though the card may be taken back
    step.before = was._replace(top=was.top._replace(fours=0, single=single))


def _single_cards_are_due(step: Step) -> None:
    """The hand in turn has acted: whoever else received a single card must say so."""
    top, hands = step.top, step.hands
    if top.single:
        step.top = top._replace(single=0)
        for seat in range(step.seats):
            if top.single >> seat & 1 and hands.counts[seat] == 1 and seat != seat_of(step.turn):
                words.demand(step, seat, ("no-last-card",), top.row, not hands.vague >> seat & 1)


def give(step: Step, seat: int, cards: int) -> None:
    """The hand of `seat` (-1: one that nobody identified) has `cards` more."""
    hands = step.hands
    place = seat if seat >= 0 else step.seats
    counts = (*hands.counts[:place], hands.counts[place] + cards, *hands.counts[place + 1 :])
    out = tuple(other for other in hands.out if other != seat) if hands.out and cards > 0 else hands.out
    step.hands = Hands(counts, hands.penalties, hands.later, hands.vague, out)


def card_leaves_hand(step: Step, seat: int) -> bool:
    """A card of `seat` (-1 unknown) lands on the discard pile; whether it was, for all we know, that seat's last one.

    A seat that is believed to hold none must have taken a card that nobody saw.
    """
    hands, pile = step.hands, step.pile
    if seat < 0:
        step.pile = pile._replace(discard=pile.discard + 1)
        give(step, ANYONE, -1)
        step.hands = step.hands._replace(vague=(1 << step.seats) - 1)  # it was somebody's
        return False
    counts = hands.counts
    held = counts[seat]
    if held <= 0:
        step.pile = pile._replace(discard=pile.discard + 1, pick_up=pile.pick_up - 1)
        step.hands = hands._replace(vague=hands.vague | 1 << seat)
        step.notice("miscount", seat)
        return False
    step.pile = Pile(pile.pick_up, pile.discard + 1, pile.wrong, pile.lifted, pile.renewal)
    counts = (*counts[:seat], held - 1, *counts[seat + 1 :])
    step.hands = Hands(counts, hands.penalties, hands.later, hands.vague, hands.out)
    return held == 1


def deferred_become_owed(step: Step) -> None:
    """Penalties for a forgotten "last card" are owed from the start of the seat's next turn (UB-24)."""
    seat, hands = seat_of(step.turn), step.hands
    if seat >= 0 and hands.later[seat]:
        penalties, later = hands.penalties, hands.later
        step.hands = hands._replace(
            penalties=(*penalties[:seat], penalties[seat] + later[seat], *penalties[seat + 1 :]),
            later=(*later[:seat], 0, *later[seat + 1 :]),
        )


def recycled(step: Step) -> None:
    """The discard pile, without its top card, became the new pick-up pile (UB-31)."""
    pile = step.pile
    moved = max(0, pile.discard - 1 - len(pile.wrong))
    step.pile = pile._replace(pick_up=pile.pick_up + moved, discard=pile.discard - moved, renewal=2)


def lifted_is_kept(step: Step) -> None:
    """Play goes on although a right card was lifted off the pile: whoever lifted it has it in hand now."""
    if step.pile.lifted:
        step.shaken = SHAKEN  # or was it wrong?
        _, seat = step.pile.lifted
        step.pile = step.pile._replace(lifted=None)
        give(step, seat, 1)


def _turn_of_taking(step: Step, known: int, count: int, sure: bool) -> None:
    """The hand in turn picks up what it owes (UB-14), or one card instead of playing; any more is only counted."""
    if step.debt > count:
        step.debt -= count
        step.debt_sure = step.debt_sure and sure
        if not step.debt_sure:  # perhaps that was all
            orders = [order.took(held, doubt.acting(step, held, known)) for held in (step.order, *step.others)]
            doubt.may_also_be(step, orders)
        return
    step.debt_sure = True
    step.debt = 0
    hand, top = step.turn, step.top
    if step.others:
        doubt.move(step, lambda held: order.took(held, doubt.acting(step, held, known)))
    else:
        step.order = order.took(step.order, hand)
    if top.turns < 2:
        step.top = top._replace(turns=top.turns + 1)
    if top.effect in ("7r", "7b") and top.holder == hand:  # UB-21
        step.words = tuple(word for word in step.words if word.word == "apologies")
        words.demand(step, seat_of(hand), ("no-apologies",), step.seen, sure and not top.contested)
    step.words = ()
    step.acted()


def _leave_pick_up_pile(step: Step, count: int) -> None:
    if step.pile.pick_up <= 0 and step.pile.discard > 1 + len(step.pile.wrong):
        recycled(step)  # somebody must have renewed it unseen
    pick_up, discard, wrong, lifted, renewal = step.pile
    if pick_up <= count and not renewal:
        renewal = 1
        step.notice("pile-exhausted", rule="UB-31")
    step.pile = Pile(pick_up - count, discard, wrong, lifted, renewal)


def _pay_penalties(step: Step, seat: int, count: int) -> None:
    if count:
        penalties = step.hands.penalties
        step.hands = step.hands._replace(penalties=(*penalties[:seat], penalties[seat] - count, *penalties[seat + 1 :]))
