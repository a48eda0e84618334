"""Which rules does a table play by, with the options it agreed on, and what may be claimed at it?"""

from __future__ import annotations

from typing import Final

from referee.games.uncle_baiting.options import CARD_RULES, Table
from referee.games.uncle_baiting.step import RULE_OF

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
CLAIMS_OF_CARDS: Final = {
    "no-sorry": ("A",),
    "no-in": ("T", "Q"),
    "no-out": ("T", "Q"),
    "no-you": ("5",),
    "no-suit": ("J",),
    "changed-suit": ("J",),
    "no-apologies": ("7r", "7b"),
}
"""Penalties that nobody can deserve unless the rule of one of these cards is in play."""


def rules_in_play(table: Table) -> tuple[str, ...]:
    """The numbers of the rules of `table`, in order."""
    return tuple(rule for rule in RULES if _holds(rule, table))


def in_play(table: Table) -> frozenset[str]:
    """What the options bring: rules of cards as `cards=` lists them, `butting-in`, `penalties`."""
    switches = {"butting-in": table.butting_in, "penalties": table.penalties}
    return table.cards | {name for name, on in switches.items() if on}


def claimable(table: Table) -> tuple[str, ...]:
    """The codes of the penalties that can be claimed at `table` (UB-30)."""
    active = set(table.effects.values())
    return tuple(
        code
        for code in RULE_OF
        if table.penalties
        and code != "unjust-claim"
        and (code != "slow" or table.slow)
        and (code not in CLAIMS_OF_CARDS or active & set(CLAIMS_OF_CARDS[code]))
    )


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
