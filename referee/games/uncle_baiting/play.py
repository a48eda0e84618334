"""What happens when a card lands on the discard pile, or leaves it (UB-4, UB-12, UB-25, UB-27)?"""

from __future__ import annotations

from dataclasses import replace

from referee.games.kit.ring import Hand, same_hand_of_player, seat_of
from referee.games.uncle_baiting import order, owed, words
from referee.games.uncle_baiting.legal import (
    BUTTS_IN,
    ILLEGAL,
    OUT_OF_TURN,
    PLAYS,
    PLAYS_JOKER,
    identical,
    rule_broken,
    verdict,
)
from referee.games.uncle_baiting.state import Before, Pile, Top
from referee.games.uncle_baiting.step import Step
from referee.record.cards import JOKER, Card


def landed(step: Step, seat: int, card: Card) -> None:
    """`seat` put `card` on the discard pile."""
    if step.pile.lifted:
        if card is step.pile.lifted[0]:
            step.pile = replace(step.pile, lifted=None)
            return
        owed.lifted_is_kept(step)
    elif step.top.card is None:
        _first_card(step, card)
        return
    if step.duties:
        words.close_wrong(step, seat)
    if step.top.fours and seat == step.order.turn >> 1 and not identical(step.top, card):
        owed.pass_hands(step)
    before = Before(seat, step.order, step.debt, step.top, step.turns, step.pile.wrong, step.duties)
    what = verdict(step, seat, card)
    if step.order.turn < 0 and what in (PLAYS, ILLEGAL) and card is not JOKER:
        step.order = order.pointed(step.order, seat, 0, 0, step.table.seats)  # UB-13: whoever plays was pointed at
    if what == PLAYS:
        _plays(step, seat, card)
    elif what == BUTTS_IN:
        _butts_in(step, seat, card)
    elif what == PLAYS_JOKER:
        _plays_joker(step, seat)
    else:
        _wrong(step, seat, card, what)
        return
    step.before = before


def forced(step: Step, seat: int, card: Card) -> None:
    """The table lets `card` of `seat` pass as if it had been right, and it its turn.

    If it lies there as a wrong one already it is that one which counts, and its words are forgiven: who knew?
    """
    step.before = None
    wrong = step.pile.wrong
    lies = bool(wrong) and wrong[-1] == (card, seat)
    if lies:
        step.pile = replace(step.pile, wrong=wrong[:-1])
        owed.give(step, seat, 1)
        step.duties = tuple(duty for duty in step.duties if not (duty.wrong and duty.seat == seat))
    elif step.pile.lifted or step.top.card is None or verdict(step, seat, card) <= PLAYS_JOKER:
        landed(step, seat, card)
        return
    elif step.duties:
        words.close_wrong(step, seat)
    if card is JOKER:
        _plays_joker(step, seat)
    else:
        step.debt = 0
        _plays(step, seat, card)
    if lies:
        step.duties = tuple(duty for duty in step.duties if duty.row != step.row)


def taken_back(step: Step, seat: int, card: Card | None) -> None:
    """`seat` took `card` (None: the top one) off the discard pile.

    That is right for a wrong card, and undoes a play after which nobody has acted (N-4); else it must come back.
    """
    pile, top = step.pile, step.top
    for place in range(len(pile.wrong) - 1, -1, -1):
        face, owner = pile.wrong[place]
        if card is None or card is face:
            step.pile = Pile(pile.wrong[:place] + pile.wrong[place + 1 :], pile.lifted, pile.renewal)
            owed.give(step, owner, 1)
            return
    on_top = JOKER if top.jokers else top.card
    if pile.lifted or on_top is None or card not in (None, on_top) or owed.discarded(step) < 1:
        step.notice("not-there", seat, card)
    elif step.before:
        _undone(step, step.before)
    else:
        step.pile = replace(pile, lifted=(on_top, seat))
        step.notice("put-back", seat, on_top, "UB-27")


def _undone(step: Step, before: Before) -> None:
    """It is as if the newest card had not been played; what was due then was told, and is due no more."""
    still = set(step.duties)
    step.order, step.debt, step.top, step.turns = before[1:5]
    step.pile = replace(step.pile, wrong=(*before.wrong, *step.pile.wrong))
    step.duties = tuple(duty for duty in before.duties if duty in still)
    step.before = None
    owed.give(step, before.seat, 1)


def _first_card(step: Step, card: Card) -> None:
    """The dealer turns over the first card; it is dead (UB-4)."""
    step.pick_up -= 1
    step.top = replace(step.top, card=card)
    step.acted = step.t


def _plays(step: Step, seat: int, card: Card) -> None:
    """`seat` plays `card` in its turn."""
    hand, before = step.hand_of(seat), step.order
    owed.next_hand_acts(step, seat)
    if step.winner >= 0:
        owed.card_leaves_hand(step, seat)
        return
    effect = _effect_of(step, card, butt_in=False)
    step.order = order.played(before, hand, effect, step.table.seats)
    if effect == "2":
        step.debt += 2
    else:  # it would not be right if anything were owed still
        step.debt = 4 if effect == "A" else 0
    _on_top(step, hand, card, effect, int(effect == "4"), words.codes_of(effect, before))
    step.words = ()


def _butts_in(step: Step, seat: int, card: Card) -> None:
    """`seat` plays an identical card: as if it had been the first to play it (UB-12)."""
    top, before = step.top, step.order
    effect = "" if top.dead else _effect_of(step, card, butt_in=True)
    step.order = order.butted_in(before, 2 * seat, effect, step.table.seats)
    if effect in ("A", "2"):  # UB-14
        step.debt = (0 if top.jokers else step.debt) + (4 if effect == "A" else 2)
    fours = top.fours + 1 if effect == "4" else 0  # UB-16: counted anew once the hands have been passed
    _on_top(step, 2 * seat, card, effect, fours, words.codes_of(effect, before), "UB-12", top.dead)


def _plays_joker(step: Step, seat: int) -> None:
    """A Joker moves the origin one player on (UB-11); it is no turn."""
    top, seats = step.top, step.table.seats
    owed.card_leaves_hand(step, seat)
    step.order = order.jokered(step.order, seats)
    if step.pile.wrong:
        step.pile = replace(step.pile, wrong=())
    holder = top.holder if step.turns else same_hand_of_player(top.holder, step.order.direction, seats)
    step.top = replace(top, jokers=top.jokers + 1, holder=holder, why="UB-11")
    _last_card_due(step, seat)
    step.acted = step.t


def _on_top(
    step: Step,
    hand: Hand,
    card: Card,
    effect: str,
    fours: int,
    codes: tuple[str, ...],
    why: str = "",
    dead: bool = False,
) -> None:
    """`card` is the one that counts now; wrong cards beneath it stay where they lie (UB-27)."""
    seat = seat_of(hand)
    last = owed.card_leaves_hand(step, seat)
    if step.pile.wrong:
        step.pile = replace(step.pile, wrong=())
    step.top = Top(
        card, effect, dead, seat, step.order.origin, step.row, fours, unheard=not step.heard and effect == "J", why=why
    )
    step.turns = 0
    if last:
        step.owed = replace(step.owed, out=(*step.owed.out, seat))
    if codes:
        words.demand(step, seat, codes, step.row)
    _last_card_due(step, seat)
    if effect == "5" and step.words:
        words.use_pointing_ahead(step)
    step.acted = step.t


def _last_card_due(step: Step, seat: int) -> None:
    """A play that leaves exactly one card demands "last card" (UB-24)."""
    if step.counts[seat] == 1:
        words.demand(step, seat, ("no-last-card",), step.row)


def _effect_of(step: Step, card: Card, butt_in: bool) -> str:
    table = step.table
    effect = table.effects.get(card, "")
    if (effect == "4" and step.order.queens) or (effect == "5" and table.fives == "butt-in" and not butt_in):
        return ""
    return effect


def _wrong(step: Step, seat: int, card: Card, what: int) -> None:
    """`seat` played a card it may not play: it lies there until it is taken back, and demands its words (UB-25)."""
    if what == OUT_OF_TURN:
        step.fault(seat, "out-of-turn", (step.row,), "UB-27")
    else:
        step.fault(seat, "illegal-card", (step.row,), rule_broken(step, seat, card))
    step.notice("take-back", seat, card, "UB-27")
    owed.card_leaves_hand(step, seat)
    pile = step.pile
    step.pile = Pile((*pile.wrong, (card, seat)), pile.lifted, pile.renewal)
    codes = words.codes_of(step.table.effects.get(card, ""), step.order)
    if codes:
        words.demand(step, seat, codes, step.row, wrong=True)
