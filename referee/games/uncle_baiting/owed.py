"""What has to be picked up, and how many cards does everybody hold (UB-14, UB-16, UB-24, UB-26, UB-31)?"""

from __future__ import annotations

from referee.games.kit.copying import replace
from referee.games.kit.counts import added
from referee.games.kit.ring import seat_of
from referee.games.uncle_baiting import order, winning, words
from referee.games.uncle_baiting.legal import passed_by
from referee.games.uncle_baiting.state import Owed, Pile, State
from referee.games.uncle_baiting.step import Step


def taken(step: Step, seat: int, count: int) -> None:
    """`seat` took cards: first for penalties, then for what its turn owes, else as its turn (UB-26)."""
    step.before = None
    if step.pile.lifted:
        lifted_is_kept(step)
    if seat == step.order.turn >> 1:
        pass_hands(step)
    left = count - min(count, step.owed.penalties[seat])
    acts = left > 0 and step.in_turn(seat)
    if acts:
        next_hand_acts(step, seat)
    _leave_pick_up_pile(step, count)
    give(step, seat, count)
    if left < count:
        owed = step.owed
        step.owed = Owed(added(owed.penalties, seat, left - count), owed.later, owed.overdue, owed.out)
    if acts and step.winner < 0:
        _turn_of_taking(step, seat, left)


def next_hand_acts(step: Step, seat: int) -> None:
    """`seat`, which is in turn, acts: deadlines pass, a seat that is out wins, a red four's hands are passed on."""
    if step.owed.overdue >= 0:
        step.owed = replace(step.owed, overdue=-1)
    turn_begins(step, seat)  # where anybody might have acted it begins only now
    if step.pile.renewal == 2:  # UB-31: deadlines pass again from the act after this one
        step.pile = replace(step.pile, renewal=0)
    elif step.duties:
        words.close(step, seat)
    if step.owed.out:
        winning.declare(step, step.t)
    if step.winner < 0:
        pass_hands(step)
        _single_cards_are_due(step, seat)


def pass_hands(step: Step) -> None:
    """The hand in turn is about to act: everybody has passed a four's hands on by now (UB-16).

    Unless somebody is out and wins with that act.
    """
    if not step.top.fours or any(winning.cleared(step, seat) for seat in step.owed.out):
        return
    single: tuple[int, ...] = ()
    if by := passed_by(step):
        step.counts = (*step.counts[-by:], *step.counts[:-by])
        single = tuple(seat for seat, held in enumerate(step.counts) if held == 1)
        step.owed = replace(step.owed, out=tuple(seat for seat in step.owed.out if not step.counts[seat]))
    step.top = replace(step.top, fours=0, single=single)


def give(step: Step, seat: int, cards: int) -> None:
    """`seat` has `cards` more in hand; so it is not out."""
    step.counts = added(step.counts, seat, cards)
    step.not_out(seat)


def card_leaves_hand(step: Step, seat: int) -> bool:
    """A card of `seat` lands on the discard pile; whether it was that seat's last one.

    A seat that is believed to hold none must have taken a card that nobody saw.
    """
    held = step.counts[seat]
    if held <= 0:
        step.pick_up -= 1
        step.notice("miscount", seat)
        return False
    step.counts = added(step.counts, seat, -1)
    return held == 1


def given(state: State, seat: int, cards: int, code: str) -> State:
    """The referee gave `seat` penalty cards for `code`, or (fewer than 0) struck them out; 0 is a warning.

    A card for "last card" is owed from the start of the seat's next turn (UB-24). What was taken already stays in the
    hand. Who has won and is given a card has not won after all.
    """
    owed = state.owed
    penalties, later, out = owed.penalties, owed.later, owed.out
    if code == "no-last-card" and (later[seat] if cards < 0 else seat not in (seat_of(state.order.turn), owed.overdue)):
        later = added(later, seat, max(cards, -later[seat]))
    else:
        penalties = added(penalties, seat, max(cards, -penalties[seat]))
    if cards <= 0 and not (state.counts[seat] or penalties[seat] or later[seat] or seat in out):
        out = (*out, seat)  # it was out before the fault was found
    winner = -1 if cards > 0 and state.winner == seat else state.winner
    return replace(state, owed=Owed(penalties, later, owed.overdue, out), winner=winner)


def turn_begins(step: Step, seat: int) -> None:
    """Penalties for a forgotten "last card" are owed from the start of the next turn of `seat` (UB-24)."""
    owed = step.owed
    if cards := owed.later[seat]:
        step.owed = Owed(added(owed.penalties, seat, cards), added(owed.later, seat, -cards), owed.overdue, owed.out)


def discarded(position: Step | State) -> int:
    """How many cards lie on the discard pile: all that are neither in a hand nor on the pick-up pile."""
    return position.table.pack - sum(position.counts) - position.pick_up - (position.pile.lifted is not None)


def recycled(step: Step) -> None:
    """The discard pile, without its top card, became the new pick-up pile (UB-31)."""
    step.pick_up += max(0, _under_top(step))
    step.pile = replace(step.pile, renewal=2)


def lifted_is_kept(step: Step) -> None:
    """Play goes on although a right card was lifted off the pile: whoever lifted it has it in hand now."""
    if step.pile.lifted:
        _, seat = step.pile.lifted
        step.pile = replace(step.pile, lifted=None)
        give(step, seat, 1)


def _turn_of_taking(step: Step, seat: int, count: int) -> None:
    """The hand in turn picks up what it owes (UB-14), or one card instead of playing; any more is only counted."""
    if step.debt > count:
        step.debt -= count
        return
    step.debt = 0
    hand, top = step.hand_of(seat), step.top
    step.order = order.took(step.order, hand, step.table.seats)
    step.turns = min(2, step.turns + 1)
    if top.effect in ("7r", "7b") and top.holder == hand:  # UB-21
        step.words = tuple(word for word in step.words if word.word == "apologies")
        words.demand(step, seat, ("no-apologies",), step.row)
    step.words = ()
    step.acted = step.t


def _under_top(step: Step) -> int:
    """Cards on the discard pile but the one that counts and the wrong ones on it."""
    return discarded(step) - 1 - len(step.pile.wrong)


def _leave_pick_up_pile(step: Step, count: int) -> None:
    if step.pick_up <= 0 and _under_top(step) > 0:
        recycled(step)  # somebody must have renewed it unseen
    if step.pick_up <= count and not step.pile.renewal:
        pile = step.pile
        step.pile = Pile(pile.wrong, pile.lifted, 1)
        step.notice("pile-exhausted", rule="UB-31")
    step.pick_up -= count


def _single_cards_are_due(step: Step, acting: int) -> None:
    """The seat `acting` in turn has acted: whoever else received a single card must say so (UB-16)."""
    single = step.top.single
    if single:
        step.top = replace(step.top, single=())
        for seat in single:
            if step.counts[seat] == 1 and seat != acting:
                words.demand(step, seat, ("no-last-card",), step.top.row)
