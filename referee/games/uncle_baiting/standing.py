"""How does the table stand in a state, for the other rooms and for a person?"""

from __future__ import annotations

from referee.games.ring import ANYONE, seat_of
from referee.games.uncle_baiting import winning
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.words import ASKING, WORDS_OF
from referee.standing import Due, Standing


def standing(state: State) -> Standing:
    """The state in words every game shares."""
    table, order, hands, turn, top = state.table, state.order, state.hands, state.turn, state.top
    players = table.players
    now, ahead = _meaning(state), _ahead(state)
    return Standing(
        players=players,
        turn=table.letter(seat_of(turn)),
        hand=1 + (turn & 1) if order.queens and turn >= 0 else 0,
        owed=state.debt,
        direction=order.direction,
        suit=top.suits[:1],
        top=top.card,
        counts=hands.counts[: table.seats],
        penalties_owed=tuple(now + later for now, later in zip(hands.penalties, hands.later, strict=True)),
        pick_up_pile=max(0, state.pile.pick_up),
        due=tuple(Due(seat=players[duty.seat], words=WORDS_OF[duty.code], code=duty.code) for duty in state.duties),
        listening=now | ahead,
        ahead=ahead - now,
        modes=_modes(state),
        time_out=state.clock.paused >= 0,
        winner=table.letter(state.winner),
        deadline=_deadline(state),
        turn_hidden=table.strict and not state.bought and state.winner < 0,
        turn_since=state.clock.acted,
        words_judged=state.heard,
    )


def picture(state: State) -> str:
    """The state in a few lines, for a person."""
    now = standing(state)
    owed = f" owes {now.owed}" if now.owed else ""
    hand = ("", " leading", " trailing")[now.hand]
    arrow = "→" if now.direction > 0 else "←"
    seats = "  ".join(
        f"{seat}:{held}" + ("+" + str(penalty) if penalty else "")
        for seat, held, penalty in zip(now.players, now.counts, now.penalties_owed, strict=True)
    )
    suit = f" ({state.top.suits})" if state.top.suits else ""
    wrong = "".join(f" wrong {card} of {state.table.letter(seat) or '?'}" for card, seat in state.pile.wrong)
    lines = [
        f"{arrow} {now.turn or 'anyone'}{hand} to play{owed} on {now.top or '?'}{suit}{wrong}",
        f"{seats}  pick-up pile {now.pick_up_pile}",
    ]
    if now.modes:
        lines.append(" ".join(now.modes))
    if now.due:
        lines.append("to say: " + ", ".join(f"{due.seat} {' or '.join(due.words)}" for due in now.due))
    if now.winner:
        lines.append(f"{now.winner} has won")
    return "\n".join(lines)


def _modes(state: State) -> tuple[str, ...]:
    order = state.order
    modes = {
        "tens": order.tens,
        "queens": bool(order.queens),
        "skip-pending": order.waiting > 0,
        "reverse-pending": order.six > 0,
        "pointing": order.pointing == ANYONE,
        "hands-pass": state.top.fours > 0,
        "no-auto-butt-in": not state.auto,
        "pile-exhausted": state.pile.renewal == 1,
        "in-doubt": bool(state.others),
    }
    return tuple(mode for mode, on in modes.items() if on)


def _meaning(state: State) -> frozenset[str]:
    """Words that meet a duty, or change a Jack's suit, or ask what strict play keeps to itself."""
    if state.winner >= 0:
        return frozenset()
    words = {word for duty in state.duties for word in WORDS_OF[duty.code]}
    if state.table.strict and not state.bought:
        words.add(ASKING)
    if state.top.effect == "J" and not state.top.turns:
        words.update(WORDS_OF["no-suit"])
    return frozenset(words)


def _ahead(state: State) -> frozenset[str]:
    """Words that may be said just before the card they belong to (UB-22)."""
    if state.winner >= 0:
        return frozenset()
    table, order, top, seat = state.table, state.order, state.top, seat_of(state.turn)
    words = set(WORDS_OF["no-suit"] if "J" in table.cards else ())
    if not table.penalties:
        return frozenset(words)
    words.add("last card")
    if "A" in table.cards:
        words.add("sorry")
    if "T" in table.cards:
        words.add("out" if order.tens else "in")
    if "Q" in table.cards:
        words.add("out" if order.queens else "in")
    if "5" in table.cards:
        words.add("you")
    if top.effect in ("7r", "7b") and (seat < 0 or seat_of(top.holder) == seat):
        words.add("apologies")
    return frozenset(words)


def _deadline(state: State) -> float | None:
    """The next moment at which something is settled though nothing happens."""
    if state.winner >= 0 or state.clock.paused >= 0 or state.pile.renewal == 1:
        return None
    ends = [ballot.opened + state.table.reasonable for ballot in state.votes.ballots]
    if state.hands.out and not state.debt and not state.pile.renewal:
        ends.append(winning.deadline(state.clock, state.table))
    return min((end for end in ends if end > state.clock.now), default=None)
