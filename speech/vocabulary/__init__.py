"""What may be said in a game, and what does it mean?

The sentences are data, one file a game beside this module; `common.toml` explains how they are written. They are
expanded once, and the same phrases make the recogniser's grammar and its decoys.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import product
from typing import Any, Literal

from speech.faults import SpeechError

GAMES = ("uncle-baiting", "bartog", "blackjack", "uno")
COMMON = "common"
"""What is said at every table."""
Kind = Literal["sentence", "lead", "part"]
UNHEARD = "speech.unheard"
"""The key of the fault that tells of a phrase which the recogniser cannot hear."""

_LONGEST = 12  # words in a row that `parse` looks at


@dataclass(frozen=True, slots=True)
class Phrase:
    """One thing that may be said.

    `text` is how it is written ("bartog"), `words` are those the recogniser writes ("bar", "talk"), `means` what the
    rules call it: "diamond" means "diamonds". `context`: it counts only while the referee waits for it; `anywhere`:
    also inside other speech.
    """

    text: str
    words: tuple[str, ...]
    means: str
    context: bool = False
    kind: Kind = "sentence"
    purpose: str = ""
    anywhere: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """The phrases of a game, or of all of them."""

    game: str
    phrases: tuple[Phrase, ...]

    @classmethod
    def of(cls, game: str) -> Vocabulary:
        """The vocabulary of a game in `GAMES`, of all of them for "all", or of none for `COMMON`.

        Raises:
            SpeechError: there is no such game.
        """
        if game not in ("all", COMMON, *GAMES):
            raise SpeechError("speech.game", game=game, known=", ".join(GAMES))
        phrases: dict[tuple[str, ...], Phrase] = {}
        for name in dict.fromkeys((COMMON, *(GAMES if game == "all" else (game,)))):
            for phrase in _sentences(name):
                first = phrases.setdefault(phrase.words, phrase)
                if phrase.purpose not in first.purpose:  # said in several games
                    phrases[phrase.words] = replace(first, purpose=f"{first.purpose}; {phrase.purpose}".strip("; "))
        return cls(game, tuple(phrases.values()))

    def with_words(self, *texts: str, purpose: str = "a rule of this match asks for it") -> Vocabulary:
        """This vocabulary and more words, such as a Bartog rule asks for; they count while they are waited for."""
        known = {phrase.text for phrase in self.phrases}
        more = [_written(text) for text in texts]
        added = [Phrase(t, tuple(t.split()), t, True, "sentence", purpose) for t in dict.fromkeys(more)]
        return replace(self, phrases=(*self.phrases, *(phrase for phrase in added if phrase.text not in known)))

    def with_answers(self) -> Vocabulary:
        """This vocabulary and the answers to what the referee may ask; they count while they are waited for."""
        known = {phrase.words for phrase in self.phrases}
        return replace(self, phrases=(*self.phrases, *(p for p in _sentences("answers") if p.words not in known)))

    def fitted(self, knows: Callable[[str], bool]) -> tuple[Vocabulary, tuple[SpeechError, ...]]:
        """This vocabulary in words that a model knows, and a fault for each word that needed help.

        A word it lacks is replaced by its sound-alikes out of `common.toml`, else by two words it has that are spelt
        like its parts. A phrase for which there is neither is left out, and its fault (`UNHEARD`) says so.
        """
        phrases: list[Phrase] = []
        reports: dict[str, SpeechError] = {}
        for phrase in self.phrases:
            spoken = [[w] if knows(w) else sound_alikes(w, knows) for w in phrase.words]
            phrases += [replace(phrase, words=tuple(" ".join(way).split())) for way in product(*spoken)]
            for word, ways in zip(phrase.words, spoken, strict=True):
                if not ways:
                    reports[f"{word} {phrase.text}"] = SpeechError(UNHEARD, phrase=phrase.text, word=word)
                elif ways != [word]:
                    reports[word] = SpeechError("speech.sounds-like", word=word, ways=", ".join(ways))
        return replace(self, phrases=tuple(phrases)), tuple(reports.values())

    def grammar(self, decoys: int = 0) -> list[str]:
        """The recogniser's grammar: every phrase, `decoys` common words that are in none, and `[unk]` for the rest."""
        mine = {word for phrase in self.phrases for word in phrase.words}
        return [*dict.fromkeys(" ".join(p.words) for p in self.phrases), *_decoys(mine)[:decoys], "[unk]"]

    def parse(self, words: list[str]) -> list[tuple[Phrase, int, int]] | None:
        """The phrases these words are, each with its first word and the one after its last; None if they are not."""
        best: list[list[tuple[Phrase, int, int]] | None] = [[]]
        for j in range(1, len(words) + 1):
            ways = []
            for i in range(max(0, j - _LONGEST), j):
                phrase, before = self._by_words.get(tuple(words[i:j])), best[i]
                if phrase is not None and before is not None:
                    ways.append([*before, (phrase, i, j)])
            best.append(min(ways, key=len, default=None))
        return best[-1]

    def choices(self, phrase: Phrase) -> list[Phrase]:
        """What may be said in place of `phrase`, and means something else: the other suits, for a suit."""
        whole = (p for p in self.phrases if p.kind == "sentence")
        return [p for p in whole if p.purpose == phrase.purpose and p.means != phrase.means]

    @cached_property
    def _by_words(self) -> dict[tuple[str, ...], Phrase]:
        return {phrase.words: phrase for phrase in reversed(self.phrases)}


def sound_alikes(word: str, knows: Callable[[str], bool]) -> list[str]:
    """Words a model knows that sound like one it lacks: those listed, else the word split in two."""
    listed = [way for way in _data("common")["sounds"].get(word, []) if all(map(knows, way.split()))]
    if listed:
        return listed
    halves = [(word[:i], word[i:]) for i in range(2, len(word) - 1)]
    return [f"{a} {b}" for a, b in halves if knows(a) and knows(b)]


def expand(template: str, lists: dict[str, dict[str, list[str]]]) -> list[tuple[str, dict[str, str]]]:
    """Every sentence a template stands for, each with the meanings of the list items in it."""
    found = re.search(r"\(([^()\[\]{}]*)\)|\[([^()\[\]{}]*)\]|\{(\w+)\}", template)
    if not found:
        return [(" ".join(template.split()), {})]
    group, optional, name = found.groups()
    if name is not None:
        ways = [(form, {name: meaning}) for meaning, forms in lists[name].items() for form in forms]
    else:
        ways = [(way, {}) for way in (group.split("|") if group is not None else ["", *optional.split("|")])]
    return [
        (rest, meant | more)
        for way, meant in ways
        for rest, more in expand(template[: found.start()] + way + template[found.end() :], lists)
    ]


def _sentences(name: str) -> list[Phrase]:
    lists = _data("common")["lists"]
    phrases = []
    for row in _data(name).get("sentence", []):
        for template in row["say"]:
            for text, meant in expand(template, lists):
                written = row.get("text", text).format(**meant)
                means = row.get("means", written).format(**meant)
                purpose, kind, context = row.get("for", ""), row.get("kind", "sentence"), row.get("context", False)
                inside = row.get("anywhere", False)
                phrases.append(Phrase(written, tuple(text.split()), means, context, kind, purpose, inside))
    return phrases


def _written(text: str) -> str:
    """Words as the recogniser writes them: lower case, apostrophes kept, nothing else."""
    plain = " ".join(re.findall(r"[a-z']+", text.lower().replace("’", "'")))
    if not plain:
        raise SpeechError("speech.no-word", text=text)
    return plain


@lru_cache
def _data(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))


def _decoys(without: set[str]) -> list[str]:
    lines = (files(__package__) / "decoys.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#") and line not in without]
