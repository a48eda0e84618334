"""How does a round end and the next one begin (rules 12 and 13, BA-21)?"""

from __future__ import annotations

from typing import Final

from referee.games.bartog.rules import MOST, in_force, rule_of
from referee.games.bartog.state import State, Top
from referee.games.kit.copying import replace
from referee.record.cards import FRENCH, JOKER, Card
from referee.text.faults import RefereeError

PACK: Final = (*FRENCH, JOKER, JOKER)
REPEAL: Final = "-"
"""What stands before a rule that is repealed: `++-skip@7` (rule 12)."""


def dealt(state: State) -> tuple[int, ...]:
    """How many cards each seat is dealt for the next round."""
    counts = list(state.deal)
    for rule in in_force(state.rules):
        counts = [rule.dealt(state, seat, cards) for seat, cards in enumerate(counts)]
    return tuple(counts)


def won(state: State, seat: int) -> State:
    """`seat` has won the round: it makes a rule and deals."""
    state = replace(state, winner=seat, out=-1, dealer=seat, due=(), calls=(), choosing=None, before=None, base=None)
    for rule in in_force(state.rules):
        state = rule.round_ends(state)
    return state


def champion(state: State) -> int:
    """The seat that is to be dealt no cards, and has won the tournament by that; -1 for none."""
    counts = dealt(state)
    return counts.index(0) if 0 in counts else -1


def rule_added(state: State, text: str) -> State | None:
    """The state in which that rule holds from the next round on; None where it makes no sense, or is there already.

    Args:
        text: as in `rules=`; with `-` before it, a rule that is repealed.
    """
    repealed = text.startswith(REPEAL)
    try:
        rule = rule_of(text.removeprefix(REPEAL)).text
    except RefereeError:
        return None
    known = rule in _to_come(state)
    if known != repealed or (not repealed and len(_to_come(state)) >= MOST):
        return None
    return replace(state, coming=(*state.coming, (REPEAL + rule if repealed else rule, state.winner)))


def _to_come(state: State) -> dict[str, int]:
    """The rules of the next round, oldest first, each with its maker."""
    rules = dict(zip(state.rules, state.makers, strict=True))
    for text, maker in state.coming:
        if text.startswith(REPEAL):
            rules.pop(text.removeprefix(REPEAL), None)
        else:
            rules[text] = maker
    return rules


def round_begins(state: State, card: Card | None, t: float) -> State:
    """A new round begins at `t` with new hands and `card` turned up; None while that is to come."""
    rules = _to_come(state)
    texts = tuple(rules)
    lasting = {rule.name for rule in in_force(texts) if rule.lasts}
    state = replace(
        state,
        rules=texts,
        makers=tuple(rules.values()),
        coming=(),
        memory=tuple(entry for entry in state.memory if entry[0] in lasting),
    )
    counts = tuple(max(1, cards) for cards in dealt(state))
    bottoms = counts if any(rule.double for rule in in_force(texts)) else ()
    top = None if card is None or card is JOKER else Top(card)
    lies = len(PACK) * state.decks - sum(counts) - sum(bottoms) - (card is not None)
    return State(
        players=state.players,
        rules=state.rules,
        makers=state.makers,
        order=state.order,
        counts=counts,
        bottoms=bottoms,
        penalties=(0,) * state.seats,
        deal=state.deal,
        pick_up=max(0, lies),
        top=top,
        memory=state.memory,
        dealer=state.dealer,
        acted=t,
        settle=state.settle,
        decks=state.decks,
        heard=state.heard,
    )
