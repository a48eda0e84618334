"""What did the card on top do, for those who learn the game?"""

from __future__ import annotations

from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.step import RULE_OF_TURN
from referee.record.cards import JOKER
from referee.text import say

RULE_OF_EFFECT = {**RULE_OF_TURN, "4": "UB-16", "7r": "UB-20", "7b": "UB-20"}
"""The rule that says what a card with that effect does."""


def lesson(state: State) -> tuple[tuple[str, str], ...]:
    """What the top card and what lies on it did, in sentences, each with the number of its rule."""
    top, order = state.top, state.order
    if top.card is None or state.winner >= 0:
        return ()
    told = []
    if top.dead:
        told.append(("dead", "UB-4"))
    elif top.effect in ("T", "Q"):
        on = order.tens if top.effect == "T" else bool(order.queens)
        told.append((f"{top.effect}-{'in' if on else 'out'}", RULE_OF_EFFECT[top.effect]))
    elif top.effect in RULE_OF_EFFECT:
        told.append((top.effect, RULE_OF_EFFECT[top.effect]))
    elif top.card is not JOKER:
        told.append(("plain", "UB-3"))
    if top.jokers:
        told.append(("Jk", "UB-11"))
    if state.pile.wrong:
        told.append(("wrong", "UB-27"))
    return tuple((say(f"lesson.{key}"), rule) for key, rule in told)
