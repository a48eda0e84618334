"""Which rules does a table play by, with the options it agreed on? For the sheet of the house's rules."""

from __future__ import annotations

from typing import Final

from referee.games.uncle_baiting.options import CARD_RULES, Table

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


def rules_in_play(table: Table) -> tuple[str, ...]:
    """The numbers of the rules of `table`, in order."""
    return tuple(rule for rule in RULES if _holds(rule, table))


def _holds(rule: str, table: Table) -> bool:
    active = set(table.effects.values())
    if rule == "UB-2" and table.auto_butt_in:
        return False
    if rule == "UB-3":
        return not table.cards >= set(CARD_RULES) - {"7"}
    if rule == "UB-17":
        return "J" in active and bool({"A", "2"} & active)
    if (rule in BUTTING_IN and not table.butting_in) or (rule in PENALTIES and not table.penalties):
        return False
    return rule not in OF_CARDS or bool(active & set(OF_CARDS[rule]))
