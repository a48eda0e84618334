"""What has to be known of a match of UNO at one moment?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from pydantic import TypeAdapter

from referee.games.kit import shedding
from referee.games.kit.polls import Poll
from referee.record.cards import UNO, WILD, WILD_DRAW_FOUR, Card
from referee.text import say
from referee.text.faults import RefereeError

PACK: Final = tuple(
    card for card in UNO for _ in range(4 if card in (WILD, WILD_DRAW_FOUR) else 1 if card.rank == "0" else 2)
)
"""108 cards: one nought of a colour, two of everything else, four of each wild card."""
DEALT: Final = 7
NUMBERS: Final = {"turn_gap": 1.5, "snipe_window": 1.5, "reasonable": 20.0, "settle": 3.0}
"""Options in seconds, with their usual values (UN-3, UN-6)."""
KNOWN: Final = ("players", "start", "turn", "hands", *NUMBERS, "words", "level")


class Snipe(NamedTuple):
    """An open vote on sniping (UN-6): places of the two, when it opened, the rows it rests on, and the votes.

    Attributes:
        tied: whether only a coin can decide it.
    """

    snipee: int
    sniper: int
    opened: float
    rows: tuple[int, int]
    poll: Poll
    tied: bool = False


@dataclass(frozen=True, slots=True)
class State(shedding.State):
    """A match at one moment; see `referee.games.kit.shedding.State`, whose `suit` is the colour here.

    Attributes:
        played: the cards of a turn that has not ended yet, all identical (UN-3).
        row: what the record calls the newest of them.
        taken: cards the seat in turn has taken in this turn.
        namer: the seat that may name a colour for the wild card on top (UN-7); -1 for none.
        said: the seats that have said "uno" ahead of what asks for it, one bit each (UN-5).
        ended: when the newest turn ended, seconds of the match clock.
        snipes: open votes, oldest first.
        gap, window, patience: the options `turn_gap`, `snipe_window` and `reasonable`.
    """

    before: State | None = None
    played: tuple[Card, ...] = ()
    row: int = 0
    taken: int = 0
    namer: int = -1
    said: int = 0
    ended: float = 0.0
    snipes: tuple[Snipe, ...] = ()
    gap: float = NUMBERS["turn_gap"]
    window: float = NUMBERS["snipe_window"]
    patience: float = NUMBERS["reasonable"]


STATE: Final = TypeAdapter(State)


def first_state(options: Mapping[str, str]) -> State:
    """The state before the first happening.

    Raises:
        RefereeError: an option or its value makes no sense.
    """
    if unknown := [name for name in options if name not in KNOWN]:
        raise RefereeError(say("kit.option", name=unknown[0], known=", ".join(KNOWN)))
    players = options.get("players", "ABC")
    if len(players) < 2 or len(set(players)) < len(players) or not (players.isascii() and players.isupper()):
        raise RefereeError(say("wrong-option.players", value=players))
    turn = options.get("turn", players[0])
    if len(turn) != 1 or turn not in players:
        raise RefereeError(say("wrong-option.seat", option="turn", seat=turn, players=players))
    top = Card.of(options["start"]) if "start" in options else None
    if top is not None and top not in UNO:
        raise RefereeError(say("uno.other-deck", card=top))
    counts = _hands(options.get("hands", ""), players)
    seconds = {name: _seconds(name, options.get(name, usual)) for name, usual in NUMBERS.items()}
    pick_up = max(0, len(PACK) - sum(counts) - (top is not None))
    none = (0,) * len(players)
    empty = State(players, players.index(turn), 1, top, "", 0, counts, pick_up, none)
    return replace(empty, gap=seconds["turn_gap"], window=seconds["snipe_window"], patience=seconds["reasonable"])


def _hands(text: str, players: str) -> tuple[int, ...]:
    hands = dict.fromkeys(players, DEALT)
    for hand in text.split(",") if text else ():
        if hand[:1] not in hands or not hand[:1]:
            raise RefereeError(say("wrong-option.seat", option="hands", seat=hand[:1], players=players))
        if not (hand[1:].isascii() and hand[1:].isdigit() and 1 <= int(hand[1:]) <= len(PACK)):
            raise RefereeError(say("wrong-option.hands", value=text))
        hands[hand[0]] = int(hand[1:])
    return tuple(hands.values())


def _seconds(name: str, value: str | float) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 600:
        raise RefereeError(say("wrong-option.number", name=name, value=value, least=0, most=600))
    return seconds
