"""What may be played now, what is owed, and what did the top card do, in words?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from referee.games.bartog.effects import NO_LAST_WORD, NO_NAME, worth
from referee.games.bartog.rules import in_force
from referee.games.bartog.state import State, Word
from referee.record.cards import RANKS
from referee.record.observations import Seat
from referee.text import has, say
from referee.text.calls import card_name, who

_TOLD: Final = {NO_LAST_WORD: "bartog.last-word", NO_NAME: "bartog.name-it"}
"""The sentences of words that are due, by their code."""


def explain(state: State, names: Mapping[Seat, str]) -> str:
    """One sentence: "Hearts or a nine; Bo to play"."""
    called = [who(seat, names) for seat in state.players]
    if state.winner >= 0:
        return say("explain.over", who=called[state.winner])
    text = "; ".join((_playable(state), *_owed(state, called)))
    return text[0].upper() + text[1:]


def _playable(state: State) -> str:
    top = state.top
    if state.then >= 0 or state.partly:
        return say("explain.nothing")
    if top is None or top.unnamed:
        return say("explain.any")
    value = worth(state.force, top.shown)
    rank = say(f"explain.ranks.{RANKS[value - 1]}") if value <= len(RANKS) else say("bartog.same-value")
    key = "bartog.answer" if state.debt else "bartog.follow"
    return say(key, suit=say(f"explain.suits.{top.shown.suit}"), rank=rank)


def _owed(state: State, called: list[str]) -> Iterator[str]:
    if state.debt:
        yield say("explain.owes", who=called[state.turn], count=_number(state.debt))
    for name, owed in zip(called, state.penalties, strict=True):
        if owed:
            yield say("explain.penalty" if owed == 1 else "explain.penalties", who=name, count=_number(owed))
    for card, seat in state.wrong:
        yield say("explain.take-back", who=called[seat], card=card_name(card))
    for word in state.due:
        yield _due(word, called[word.seat])
    if state.choosing:
        yield say("bartog.points", who=called[state.choosing[0]])
    if not state.debt:
        yield say("explain.turn", who=called[state.turn]) if state.turn >= 0 else say("bartog.anyone")


def _due(word: Word, name: str) -> str:
    return say(_TOLD.get(word.code, "bartog.says"), who=name, word=word.words[0] if word.words else "")


def _number(count: int) -> str:
    return say(f"explain.numbers.{count}") if has(f"explain.numbers.{count}") else str(count)


def sheet(state: State) -> tuple[tuple[str, str], ...]:
    """The rules in force in sentences, newest first, each with its number: what the dashboard lists."""
    return tuple((rule.sentence, rule.cites) for rule in reversed(in_force(state.rules)))


def lesson(state: State) -> tuple[tuple[str, str], ...]:
    """What the top card did, in sentences, each with the number of its rule: oldest rule first."""
    top = state.top
    if top is None or state.winner >= 0 or top.by < 0:
        return ()
    value = worth(state.force, top.shown)
    speaking = [rule for rule in in_force(state.force) if rule.on is not None and rule.speaks_of(top.shown, value)]
    told = [(rule.hint, rule.cites) for rule in speaking if rule.hint]
    if top.unnamed:
        told.append((say("bartog.hints.joker"), "BI-6"))
    return tuple(told) or ((say("bartog.hints.plain"), "BI-5"),)
