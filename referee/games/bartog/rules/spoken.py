"""Which rules say what has to be said, and what may not be?"""

from __future__ import annotations

from typing import ClassVar

from referee.games.bartog.rules.rule import Phrase, Play, Rule
from referee.games.bartog.selectors import Selector
from referee.games.bartog.state import State, Word, call, recalled, remember
from referee.games.bartog.words import has_phrase
from referee.games.kit.copying import replace


class Say(Rule):
    """A word is said with a card."""

    name: ClassVar = "say"
    number: ClassVar = "14"

    on: Selector
    word: Phrase

    @property
    def words(self) -> tuple[str, ...]:
        """The word."""
        return (self.word,)

    def lands(self, state: State, play: Play) -> State:
        """The player has to say it."""
        word = Word(play.seat, "no-word", (self.word,), play.row, self.cites)
        return replace(state, due=(*state.due, word))


class NameOfTheGame(Rule):
    """With one card left something else than “Bartog” is said."""

    name: ClassVar = "name"
    number: ClassVar = "26"

    word: Phrase

    @property
    def words(self) -> tuple[str, ...]:
        """The game's new name."""
        return (self.word,)

    def last_word(self) -> str:
        """The same."""
        return self.word


class Taboo(Rule):
    """A word may not be said."""

    name: ClassVar = "taboo"
    number: ClassVar = "16"
    claims: ClassVar = ("taboo",)

    word: Phrase

    @property
    def words(self) -> tuple[str, ...]:
        """The word that may not be said."""
        return (self.word,)

    def suspects(self, state: State, seat: int, text: str) -> str:
        """Whether it was said."""
        return "taboo" if has_phrase(text, self.word) else ""


class Under(Rule):
    """Whoever played a card is under something until somebody else plays such a card."""

    on: Selector

    def lands(self, state: State, play: Play) -> State:
        """That is its player now."""
        return call(remember(state, self.name, play.seat), play.seat, self.name, play.row, self.cites)

    def clears(self, state: State, against: int, code: str) -> bool:
        """Only of whoever is under it can it be claimed."""
        return code in self.claims and against not in recalled(state, self.name)


class ThreeWords(Under):
    """Its player speaks three words at a time."""

    name: ClassVar = "three-words"
    number: ClassVar = "17"
    claims: ClassVar = ("three-words",)

    def suspects(self, state: State, seat: int, text: str) -> str:
        """Whether more or fewer were heard."""
        return "three-words" if seat in recalled(state, self.name) and len(text.split()) != 3 else ""


class Influence(Under):
    """Its player says only what is false."""

    name: ClassVar = "influence"
    number: ClassVar = "18"
    claims: ClassVar = ("influence",)

    def clears(self, state: State, against: int, code: str) -> bool:
        """Whoever is under it may say what is false."""
        return super().clears(state, against, code) or (code == "false" and against in recalled(state, self.name))
