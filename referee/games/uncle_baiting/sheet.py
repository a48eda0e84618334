"""Which rules does a table play by, with the options it agreed on, and what may be claimed at it?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.games.uncle_baiting.options import CARD_RULES, Table
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.step import RULE_OF
from referee.games.uncle_baiting.words import CODES
from referee.record.observations import Seat

RULES: Final = tuple(f"UB-{number}" for number in range(1, 32))
OF_CARDS: Final = {
    "UB-7": ("Q",),
    "UB-8": ("6",),
    "UB-9": ("3",),
    "UB-10": ("9",),
    "UB-11": ("Jk",),
    "UB-13": ("5",),
    "UB-14": ("A", "2"),
    "UB-15": ("A", "2"),
    "UB-16": ("4",),
    "UB-18": ("J",),
    "UB-19": ("J",),
    "UB-20": ("7r", "7b"),
    "UB-21": ("7r", "7b"),
    "UB-22": ("A", "T", "Q"),
    "UB-29": ("J", "Jk"),
}
"""Rules that mean nothing unless the rule of one of these cards is in play."""
BUTTING_IN: Final = {"UB-2", "UB-12", "UB-15", "UB-19"}
PENALTIES: Final = {"UB-25", "UB-30", "UB-31"}


def rules_in_play(state: State) -> tuple[str, ...]:
    """The numbers of the rules that the table plays by, in order."""
    return tuple(rule for rule in RULES if _holds(rule, state.table))


def in_play(state: State) -> frozenset[str]:
    """What the options bring: rules of cards as `cards=` lists them, `butting-in`, `penalties`."""
    table = state.table
    switches = {"butting-in": table.butting_in, "penalties": table.penalties}
    return table.cards | {name for name, on in switches.items() if on}


def changeable(state: State) -> Mapping[str, tuple[str, ...]]:
    """Whether one may butt in on oneself (UB-2) may be agreed on anew; it is what it is not that is offered."""
    if not state.table.butting_in or state.winner >= 0:
        return {}
    return {"auto_butt_in": ("forbid" if state.auto else "allow",)}


def claimable(state: State) -> tuple[str, ...]:
    """The codes of the penalties that players may claim against each other (UB-30); none once somebody has won."""
    return _deserved(state.table) if state.winner < 0 else ()


def refusal(state: State, seat: Seat, against: Seat, code: str) -> str:
    """Why `seat` cannot claim a penalty for `code` against another, as the code of a notice; empty if it can.

    When no such penalty can be claimed: UB-31, `classic`, slowness in `junior` or before the game begins.
    """
    if not {seat, against} <= state.table.place.keys() or code not in RULE_OF or code == "unjust-claim":
        return "unclear-claim"
    refused = code not in _deserved(state.table) or state.paused >= 0 or state.pile.renewal
    return "no-claims-now" if refused or (code == "slow" and not state.top.card) else ""


def _deserved(table: Table) -> tuple[str, ...]:
    """The codes of the penalties that somebody can deserve who is claimed to (UB-30)."""
    if not table.penalties:
        return ()
    active = {code for effect in table.effects.values() for code in CODES.get(effect, ())}
    never = {code for codes in CODES.values() for code in codes} - active | {"unjust-claim"}
    return tuple(code for code in RULE_OF if code not in never and (code != "slow" or table.slow))


def _holds(rule: str, table: Table) -> bool:
    active = set(table.effects.values())
    if rule == "UB-2" and table.auto_butt_in == "allow":
        return False
    if rule == "UB-3":
        return not table.cards >= set(CARD_RULES) - {"7"}
    if rule == "UB-17":
        return "J" in active and bool({"A", "2"} & active)
    if (rule in BUTTING_IN and not table.butting_in) or (rule in PENALTIES and not table.penalties):
        return False
    return rule not in OF_CARDS or bool(active & set(OF_CARDS[rule]))
