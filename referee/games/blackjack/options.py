"""How does a table play Blackjack (BJ-1, BJ-11)?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.games.blackjack.state import State
from referee.record.cards import FRENCH, Card
from referee.text import say
from referee.text.faults import RefereeError

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "shortage": ("exhaust", "debt"),
    "words": ("on", "off"),
    "level": ("normal", "gentle", "strict"),
}
"""Options with a fixed choice of values, the default first."""
NUMBERS: Final[Mapping[str, tuple[float, float, float]]] = {
    "decks": (1, 1, 8),
    "owed": (0, 0, 999),
    "settle": (3, 0, 600),
    "reasonable": (20, 0, 3600),
}
"""Options that are numbers: default, least, most."""
KNOWN: Final = ("players", "turn", "hands", "top", *NUMBERS, *CHOICES)


def begin(options: Mapping[str, str]) -> State:
    """The state before the first happening: all cards are dealt, the pile is empty (BJ-1), unless `top` lies there.

    Raises:
        RefereeError: an option or its value is unknown.
    """
    if unknown := [name for name in options if name not in KNOWN]:
        raise RefereeError(say("kit.option", name=unknown[0], known=", ".join(KNOWN)))
    for name, known in CHOICES.items():
        if options.get(name, known[0]) not in known:
            raise RefereeError(say("wrong-option.choice", name=name, value=options[name], known=", ".join(known)))
    numbers = {name: _number(options, name) for name in NUMBERS}
    players = options.get("players", "ABC")
    if not (2 <= len(players) == len(set(players)) and players.isascii() and players.isalpha() and players.isupper()):
        raise RefereeError(say("wrong-option.players", value=players))
    decks = int(numbers["decks"])
    top = Card.of(options["top"]) if "top" in options else None
    if top is not None and top not in FRENCH:
        raise RefereeError(say("blackjack.card", card=top))
    counts = _dealt(players, len(FRENCH) * decks - (top is not None), options.get("hands", ""))
    left = max(0, len(FRENCH) * decks - (top is not None) - sum(counts))
    turn = players.find(options.get("turn", players[0]))
    if turn < 0:
        raise RefereeError(say("wrong-option.seat", option="turn", seat=options["turn"], players=players))
    return State(
        players,
        turn,
        way=1,
        top=top,
        suit="",
        debt=int(numbers["owed"]),
        counts=counts,
        pick_up=left,
        penalties=(0,) * len(players),
        decks=decks,
        remembers=options.get("shortage") == "debt",
        heard=options.get("words") != "off",
    )


def _dealt(players: str, cards: int, hands: str) -> tuple[int, ...]:
    each, more = divmod(cards, len(players))
    counts = [each + (place < more) for place in range(len(players))]
    for entry in filter(None, hands.split(",")):
        if not entry[1:].isdecimal() or len(entry) > 4:
            raise RefereeError(say("wrong-option.hands", value=hands))
        if entry[0] not in players:
            raise RefereeError(say("wrong-option.seat", option="hands", seat=entry[0], players=players))
        if not int(entry[1:]):
            raise RefereeError(say("blackjack.no-hand", seat=entry[0]))
        counts[players.index(entry[0])] = int(entry[1:])
    return tuple(counts)


def _number(options: Mapping[str, str], name: str) -> float:
    default, least, most = NUMBERS[name]
    try:
        value = float(options.get(name, default))
    except ValueError:
        value = float("nan")
    if not least <= value <= most or (name in ("decks", "owed") and value != int(value)):
        raise RefereeError(say("wrong-option.number", name=name, value=options[name], least=least, most=most))
    return value
