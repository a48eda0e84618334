"""What happens when a card lands on the discard pile, or leaves it (UB-4, UB-12, UB-25, UB-27)?"""

from __future__ import annotations

from referee.cards import JOKER, Card
from referee.games.ring import ANYONE, Hand, same_hand_of_player, seat_of
from referee.games.uncle_baiting import doubt, order, owed, words
from referee.games.uncle_baiting.legal import (
    BUTTS_IN,
    OUT_OF_TURN,
    PLAYS,
    PLAYS_JOKER,
    butt_in_open,
    follows,
    identical,
    rule_broken,
    verdict,
)
from referee.games.uncle_baiting.state import Retreat, Top
from referee.games.uncle_baiting.step import SHAKEN, Step


def landed(step: Step, seat: int, card: Card | None) -> None:
    """`seat` (-1 unknown) put `card` (None unread) on the discard pile."""
    pile = step.pile
    if pile.lifted:
        if card is pile.lifted[0]:
            step.pile = pile._replace(lifted=None, discard=pile.discard + 1)
            return
        owed.lifted_is_kept(step)
    elif not pile.discard:
        _first_card(step, card)
        return
    if seat >= 0 and step.duties:
        words.close_wrong(step, seat)
    if card and step.turn >= 0 and seat in (-1, seat_of(step.turn)) and not identical(step.top, card):
        owed.pass_hands_on(step)
    if card is None:
        _unread(step, seat)
    elif seat < 0:
        _landed_unseen(step, card)
    else:
        what = verdict(step, seat, card)
        open_ = step.others or step.turn < 0
        if open_ and what != BUTTS_IN and card is not JOKER and doubt.may_act(step, seat):
            what = verdict(step, seat, card)
        if what == PLAYS:
            _plays(step, seat, card)
        elif what == BUTTS_IN:
            _butts_in(step, seat, card)
        elif what == PLAYS_JOKER:
            _plays_joker(step, seat)
        else:
            _wrong(step, seat, card, what)


def taken_back(step: Step, seat: int, card: Card | None) -> bool:
    """`seat` took `card` (None: the top one) off the discard pile: right for a wrong card, else it must come back.

    Returns:
        Whether it is as if that card, of which too little was known, had not been played.
    """
    pile, top = step.pile, step.top
    if step.retreat and top.card in (None, card) and not pile.wrong:
        withdraw(step)
        return True
    for place in range(len(pile.wrong) - 1, -1, -1):
        face, owner = pile.wrong[place]
        if card is None or card is face:
            step.pile = pile._replace(wrong=pile.wrong[:place] + pile.wrong[place + 1 :], discard=pile.discard - 1)
            step.ahead = None
            owed.give(step, owner, 1)
            return False
    on_top = JOKER if top.jokers else top.card
    if pile.lifted or not pile.discard or on_top is None or card not in (None, on_top):
        step.notice("not-there", seat, card)
        return False
    step.pile = pile._replace(lifted=(on_top, seat if seat >= 0 else top.owner), discard=pile.discard - 1)
    step.notice("put-back", seat, on_top, "UB-27")
    return False


def withdraw(step: Step) -> None:
    """The card that landed last, of which too little was known, is gone again: as if it had not been played."""
    if step.retreat:
        seat = step.top.owner
        step.order, step.others, step.top, step.turn, step.debt, step.debt_sure = step.retreat
        step.retreat = None
        top = step.top
        step.duties = tuple(d for d in step.duties if d.row != top.row or not top.single >> d.seat & 1)  # not due yet
        step.pile = step.pile._replace(discard=step.pile.discard - 1)
        owed.give(step, seat, 1)


def _before(step: Step) -> Retreat:
    """Where the match stood before the card of this step."""
    was = step.before
    return Retreat(was.order, was.others, was.top, was.turn, was.debt, was.debt_sure)


def was_right(step: Step, seat: int, row: int) -> None:
    """The table decided that the card which `seat` played in turn, row `row`, was right: it counts as played.

    Only while it lies there and nobody has played since. Words that it demands are forgiven: who knew?
    """
    wrong = step.pile.wrong
    if not wrong or wrong[-1][1] != seat or step.turn < 0 or seat_of(step.turn) != seat:
        return
    step.pile = step.pile._replace(wrong=wrong[:-1], discard=step.pile.discard - 1)
    owed.give(step, seat, 1)
    step.duties = tuple(duty for duty in step.duties if not (duty.wrong and duty.seat == seat))
    seen, step.seen = step.seen, row
    _plays(step, seat, wrong[-1][0])
    step.duties = tuple(duty for duty in step.duties if duty.row != row)
    step.seen = seen


def _first_card(step: Step, card: Card | None) -> None:
    """The dealer turns over the first card; it is dead (UB-4)."""
    step.pile = step.pile._replace(discard=1, pick_up=step.pile.pick_up - 1)
    step.top = step.top._replace(card=card, sure=step.sure)
    step.clock = step.clock._replace(acted=step.t)
    if card is None:
        step.ask("which-card", -1, (step.seen,), rule="UB-4", answers=doubt.readings(step.observation))


def _landed_unseen(step: Step, card: Card) -> None:
    """Nobody saw whose card it was: the hand in turn's, unless anyone may have played it."""
    table, top = step.table, step.top
    if card is JOKER and table.jokers:
        _plays_joker(step, -1)
    elif table.butting_in and identical(top, card) and butt_in_open(top):
        step.ask("whose-card", -1, (step.seen,), rule="UB-12", about=card, answers=doubt.whose(step))
        _butts_in(step, -1, card)
    elif step.turn >= 0:
        seat = seat_of(step.turn)
        what = verdict(step, seat, card)
        if doubt.seems_another(step, seat):
            step.ask("whose-card", -1, (step.seen,), about=card, answers=doubt.whose(step))
        if what == PLAYS:
            _plays(step, -1, card)
        else:
            _wrong(step, seat, card, what, presumed=True)
    else:
        step.ask("whose-card", -1, (step.seen,), about=card, answers=doubt.whose(step))
        if card in table.effects and follows(top, step.debt, card, table.effects[card]):
            _plays(step, -1, card)
        else:
            _lies_wrong(step, -1, card)


def _plays(step: Step, seat: int, card: Card) -> None:
    """The hand in turn plays `card`, rightly as far as is known; `seat` is -1 where it is only presumed who did."""
    hand, before, top = step.turn, step.order, step.top
    sure = step.sure and not (seat < 0 and doubt.seems_another(step, seat_of(hand)))
    owed.next_hand_acts(step, sure)
    if step.winner >= 0:
        owed.card_leaves_hand(step, seat_of(hand))
        return
    effect = _effect_of(step, card, butt_in=False)
    codes = words.codes_of(effect, before.tens, before.queens)
    if sure and top.sure and not step.others:
        step.order = order.played(before, hand, effect)
    else:
        codes = _known(step, codes, effect)
        orders = (before, *step.others)
        doubt.move(step, lambda held: order.played(held, doubt.acting(step, held, seat), effect))
        if not sure:
            doubt.may_also_be(step, doubt.after_any_card(step, orders, seat, in_turn=True))
            _hands_may_be_passed(step)
        elif not top.sure and step.table.butting_in:  # on a card that was not read for sure any card may be a butt-in
            for held in (step.before.order, *step.before.others):
                doubt.may_also_be(step, doubt.after_butt_in(step, held, seat, effect))
    if effect == "2":
        step.debt += 2
        step.debt_sure = step.debt_sure and sure
    else:  # it would not be right if anything were owed still
        step.debt = 4 if effect == "A" else 0
        step.debt_sure = sure
    _on_top(step, hand, card, effect, int(effect == "4"), codes, sure=sure and (seat >= 0 or not step.others))
    if step.sure and not sure:
        step.top = step.top._replace(contested=True)
    step.words = ()
    if not sure or seat < 0 or step.before.others or not top.sure:
        step.retreat = _before(step)


def _butts_in(step: Step, seat: int, card: Card) -> None:
    """`seat` (-1 unknown) plays an identical card: as if it had been the first to play it (UB-12)."""
    top, before = step.top, step.order
    effect = "" if top.dead else _effect_of(step, card, butt_in=True)
    codes = _known(step, words.codes_of(effect, before.tens, before.queens), effect)
    orders = (before, *step.others)
    hand = 2 * seat if seat >= 0 else ANYONE
    doubt.move(step, lambda held: order.butted_in(held, hand, effect))
    if seat < 0:
        for held in orders:
            doubt.may_also_be(step, doubt.after_butt_in(step, held, -1, effect))
    elif not step.sure:  # the same card nudged, or another
        in_turn = seat == seat_of(step.turn)
        doubt.may_also_be(step, (*orders, *doubt.after_any_card(step, orders, seat, in_turn)))
        _hands_may_be_passed(step)
    if not top.sure:  # not identical at all, but played in turn
        doubt.may_also_be(
            step,
            (
                order.played(held, doubt.acting(step, held, seat), effect)
                for held in orders
                if seat < 0 or seat_of(doubt.acting(step, held, -1)) in (seat, -1)
            ),
        )
    if effect in ("A", "2"):  # UB-14
        step.debt = (0 if top.jokers else step.debt) + (4 if effect == "A" else 2)
    step.debt_sure = step.debt_sure and step.sure
    fours = top.fours + 1 if effect == "4" else 0  # UB-16: counted anew once the hands have been passed
    _on_top(step, hand, card, effect, fours, codes, sure=step.sure, dead=top.dead)
    step.why = "UB-12"
    if seat >= 0 and not step.sure:  # a second one, or the same card nudged?
        step.ask("second-card", seat, (step.seen,), rule="UB-12", about=card, answers=("second", "nudged"))
        step.retreat = _before(step)


def _plays_joker(step: Step, seat: int) -> None:
    """A Joker moves the origin one player on (UB-11); it is no turn."""
    top, orders = step.top, (step.order, *step.others)
    owed.card_leaves_hand(step, seat)
    doubt.move(step, lambda held: order.jokered(held, step.seats))
    if not step.sure:
        doubt.may_also_be(step, doubt.after_any_card(step, orders, seat, in_turn=seat < 0 or seat == step.turn >> 1))
    step.pile = step.pile._replace(wrong=())
    holder = top.holder if top.turns else same_hand_of_player(top.holder, step.order.direction, step.seats)
    step.top = top._replace(jokers=top.jokers + 1, holder=holder, sure=top.sure and step.sure)
    _last_card_due(step, seat, step.sure)
    step.acted("UB-11")


def _on_top(
    step: Step,
    hand: Hand,
    card: Card,
    effect: str,
    fours: int,
    codes: tuple[str, ...],
    *,
    sure: bool,
    dead: bool = False,
) -> None:
    """`card` is the one that counts now; wrong cards beneath it stay where they lie (UB-27)."""
    seat = seat_of(hand)
    last = owed.card_leaves_hand(step, seat)
    if step.pile.wrong:
        step.pile = step.pile._replace(wrong=())
    holder = step.order.origin
    if step.others and any(held.origin != holder for held in step.others):
        holder = ANYONE
    step.top = Top(card, effect, dead, seat, holder, 0, 0, "", step.heard, fours, step.seen, step.sure)
    if last:
        step.hands = step.hands._replace(out=(*step.hands.out, seat))
    if codes:
        words.demand(step, seat, codes, step.seen, sure)
    _last_card_due(step, seat, sure)
    if effect == "5" and step.words:
        words.use_pointing_ahead(step)
    step.acted()


def _last_card_due(step: Step, seat: int, sure: bool) -> None:
    """A play that leaves exactly one card demands "last card" (UB-24)."""
    hands = step.hands
    if seat >= 0 and hands.counts[seat] == 1:
        words.demand(step, seat, ("no-last-card",), step.seen, sure and not hands.vague >> seat & 1)


def _effect_of(step: Step, card: Card, butt_in: bool) -> str:
    effect = step.table.effects.get(card, "")
    if (effect == "4" and step.order.queens) or (effect == "5" and step.table.fives_by_butt_in and not butt_in):
        return ""
    return effect


def _known(step: Step, codes: tuple[str, ...], effect: str) -> tuple[str, ...]:
    """No words are due where nobody knows whether a ten or a Queen goes into its mode or out of it."""
    here = (step.order.tens, bool(step.order.queens))
    if effect in ("T", "Q") and any((held.tens, bool(held.queens)) != here for held in step.others):
        return ()
    return codes


def _wrong(step: Step, seat: int, card: Card, what: int, presumed: bool = False) -> None:
    """`seat` played a card it may not play; `presumed`: it is only presumed that the card was that seat's."""
    code = "out-of-turn" if what == OUT_OF_TURN else "illegal-card"
    rule = "UB-27" if what == OUT_OF_TURN else rule_broken(step, seat, card)
    effect, top = step.table.effects.get(card), step.top
    if not step.sure:
        _unread(step, seat, code, card, rule)
        return
    if effect is not None and what == OUT_OF_TURN and not top.sure and step.table.butting_in:
        if top.card:  # identical with what the eye took for another card?
            step.fault(seat, code, (step.seen,), False, rule, about=card)
        _butts_in(step, seat, card)
        step.retreat = _before(step)
        return
    if effect is not None and what != OUT_OF_TURN and _rests_on_doubt(step, seat, card, rule):
        step.fault(seat, code, (step.seen,), False, rule, about=card)
        if card is JOKER:
            _plays_joker(step, seat)
        else:
            _plays(step, -1 if presumed else seat, card)
            step.retreat = _before(step)
        return
    known = -1 if presumed else seat
    if effect is not None and doubt.lost_track(step, known, card, effect):
        _finds_track_again(step, known)
        return
    shaken = step.shaken
    if step.before.others:  # who plays what is wrong in any case tells nothing about the order of play
        was = step.before
        step.order, step.others, step.turn, step.shaken = was.order, was.others, was.turn, was.shaken
    unheeded = step.ahead is not None and len(step.ahead.rows) > 1  # is it the referee who is wrong?
    turn_in_doubt = step.others != () or step.retreat is not None
    doubtful = presumed or unheeded or (what == OUT_OF_TURN and turn_in_doubt)
    step.fault(seat, code, (step.seen,), not doubtful, rule, about=card)
    step.shaken = shaken
    step.notice("take-back", known, card, "UB-27")
    _lies_wrong(step, seat, card, sure=not presumed)


def _rests_on_doubt(step: Step, seat: int, card: Card, rule: str) -> bool:
    """Whether the fault depends on a card or a suit that was not made out for sure, or on a count that is in doubt."""
    top = step.top
    if rule == "UB-29":
        return bool(step.hands.vague >> seat & 1)
    if card is JOKER:
        return rule == "UB-11" and bool(step.others)  # perhaps it is not this seat that has to pick up
    if rule == "UB-14" and not step.debt_sure:
        return True
    return not top.sure or (top.effect == "J" and not top.suit_sure and step.table.effects.get(card) != "J")


def _lies_wrong(step: Step, seat: int, card: Card, sure: bool = True) -> None:
    """A wrong card lies on the pile until it is taken back; it demands its words all the same (UB-25)."""
    owed.card_leaves_hand(step, seat)
    step.pile = step.pile._replace(wrong=(*step.pile.wrong, (card, seat)))
    effect = step.table.effects.get(card, "")
    codes = _known(step, words.codes_of(effect, step.order.tens, step.order.queens), effect)
    if codes:
        words.demand(step, seat, codes, step.seen, sure and step.sure, wrong=True)


def _finds_track_again(step: Step, seat: int) -> None:
    """The referee has missed something: the match stands where the people play on, and deadlines are forgotten.

    What it held against the cards they played on from was its own mistake.
    """
    ahead = step.ahead
    if ahead is None:
        return
    for given in [given for given in step.votes.given if given.rests_on[-1] in ahead.rows]:
        step.retract(given)
    for ballot in [ballot for ballot in step.votes.ballots if ballot.rests_on[-1] in ahead.rows]:
        step.settle(ballot, "lapsed", step.t)
    step.ask("lost-track", -1, (step.seen,), rule="UB-27")
    owed.card_leaves_hand(step, seat)
    step.top, step.order, step.others, step.debt, _ = ahead
    step.duties, step.words, step.debt_sure = (), (), False
    step.pile = step.pile._replace(wrong=())
    step.hands = step.hands._replace(vague=(1 << step.seats) - 1)
    step.shaken = SHAKEN
    doubt.may_also_be(step, doubt.other_modes(step))
    step.acted()


def _hands_may_be_passed(step: Step) -> None:
    """The card may be a red four, and everybody's count change with the next act (UB-16)."""
    if "4r" in step.table.cards and not step.order.queens:
        step.hands = step.hands._replace(vague=(1 << step.seats) - 1)


def _unread(step: Step, seat: int, code: str = "", card: Card | None = None, rule: str = "") -> None:
    """A card landed of which too little is known: play goes on, anything may follow it, and the table is asked.

    Args:
        code: the penalty it would cost if all that is known were right.
    """
    readings = doubt.readings(step.observation)
    in_turn = seat < 0 or doubt.may_act(step, seat)
    if code and step.table.penalties and not step.suspended:
        step.fault(seat, code, (step.seen,), False, rule, about=card, answers=readings)
    else:
        step.ask("which-card", seat, (step.seen,), about=card, answers=readings)
    hand = step.turn if seat < 0 else step.hand_of(seat)
    if in_turn:
        owed.next_hand_acts(step, False)
    last = owed.card_leaves_hand(step, seat_of(hand))
    if step.winner >= 0:
        return
    orders = (step.order, *step.others)
    if in_turn:
        doubt.move(step, lambda held: order.played(held, doubt.acting(step, held, seat), ""))
        step.words = ()
    doubt.may_also_be(step, doubt.after_any_card(step, orders, seat, in_turn))
    if code:
        doubt.may_also_be(step, orders)  # if it is taken back
    step.pile = step.pile._replace(wrong=())
    step.debt_sure = False
    step.top = Top(None, "", False, seat_of(hand), hand, 0, 0, "", True, 0, step.seen, False)
    if last:
        step.hands = step.hands._replace(out=(*step.hands.out, seat_of(hand)))
    _hands_may_be_passed(step)
    if seat < 0:
        step.hands = step.hands._replace(vague=(1 << step.seats) - 1)
    step.acted()
    step.retreat = _before(step)
