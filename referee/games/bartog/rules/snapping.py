"""Which rules let people play out of turn, or several cards at once (BA-17, BA-18)?"""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar, Literal

from referee.games.bartog.rules.rule import Rule
from referee.games.bartog.state import Top
from referee.record.cards import Card


class Snap(Rule):
    """A card identical to the top one may be played at any time, with “snap”."""

    name: ClassVar = "snap"
    number: ClassVar = "5"
    snaps: ClassVar = True

    @property
    def words(self) -> tuple[str, ...]:
        """What is said with it."""
        return ("snap",)

    def butts_in(self, top: Top, value: int, card: Card, worth: int, decks: int) -> str:
        """The same number and suit; with one pack, the same number and colour."""
        same = card.suit == top.shown.suit or (decks == 1 and card.red == top.shown.red)
        return "snap" if worth == value and same and card.suit and top.shown.suit else ""


class Crackle(Rule):
    """On a card just snapped the next higher one of its suit may be played at any time, with “crackle”."""

    name: ClassVar = "crackle"
    number: ClassVar = "5a"

    @property
    def words(self) -> tuple[str, ...]:
        """What is said with it."""
        return ("crackle",)

    def butts_in(self, top: Top, value: int, card: Card, worth: int, decks: int) -> str:
        """The same suit, and one more."""
        return "crackle" if top.snapped and worth == value + 1 and card.suit == top.shown.suit else ""


class SnapToWin(Rule):
    """Whoever snaps on the winning card wins instead."""

    name: ClassVar = "snap-to-win"
    number: ClassVar = "20"
    takes_the_win: ClassVar = True


class Rummy(Rule):
    """A set, or a run of a suit from its lowest card up, may be played in one turn; only the last card has effect."""

    name: ClassVar = "rummy"
    number: ClassVar = "29"
    several: ClassVar = True

    only: Literal["", "set", "run"] = ""

    def variants(self) -> tuple[str, ...]:
        """Sets or runs only."""
        return (self.only,) if self.only else ()

    def goes_on(self, run: tuple[tuple[Card, int], ...], card: Card, worth: int) -> bool:
        """Whether all of them are a set, or all of them a run."""
        cards = [*run, (card, worth)]
        steps = {later - value for (_, value), (_, later) in pairwise(cards)}
        suits = {one.suit for one, _ in cards}
        if not card.suit:
            return False
        return (self.only != "run" and steps == {0}) or (self.only != "set" and steps == {1} and len(suits) == 1)
