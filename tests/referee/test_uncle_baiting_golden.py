"""How many different states can be reached from a small deal, and from which first move when the number changes?

The counts were taken from this engine when all vectors passed, and were those of the engine before it, which kept doubt
in its states, when that was told everything for sure; they are here to notice a change that no vector tells.
Regenerate with `python -m tests.referee.test_uncle_baiting_golden` after a change that is meant.
"""

from collections.abc import Iterator

import pytest

from referee.games import adjudicate
from referee.games.kit.ring import ANYONE
from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.words import WORDS_OF
from referee.record.cards import Card
from referee.record.notation import token_of
from referee.record.observations import Happening, Landed, Pointed, Said, Taken, TakenBack

Hands = tuple[tuple[str, ...], ...]

DEALS: dict[str, tuple[dict[str, str], Hands]] = {
    "aces-and-kings": ({"players": "AB", "start": "7h"}, (("9h", "Kh", "Ah"), ("9h", "8h", "2c"))),
    "modes-and-jacks": ({"players": "ABC", "start": "Td"}, (("Th", "Jh"), ("Qh", "Th"), ("6h",))),
    "twos-jokers-fives": ({"players": "ABC", "start": "2h"}, (("2s", "Jk"), ("2s", "5s"), ("3s",))),
}
GOLDEN: dict[str, dict[str, int]] = {
    "aces-and-kings": {
        "after 1": 7,
        "after 2": 41,
        "after 3": 210,
        "after 4": 934,
        "after 5": 3388,
        "A:9h": 599,
        "A:Ah": 602,
        "A:Kh": 606,
        "A+1": 1018,
        "B:2c": 741,
        "B:8h": 681,
        "B:9h": 683,
    },
    "modes-and-jacks": {
        "after 1": 6,
        "after 2": 37,
        "after 3": 185,
        "after 4": 790,
        "after 5": 2876,
        "A:Jh": 489,
        "A:Th": 486,
        "A+1": 860,
        "B:Qh": 718,
        "B:Th": 705,
        "C:6h": 656,
    },
    "twos-jokers-fives": {
        "after 1": 6,
        "after 2": 39,
        "after 3": 183,
        "after 4": 703,
        "after 5": 2316,
        "A:2s": 386,
        "A:Jk": 416,
        "A+1": 668,
        "B:2s": 504,
        "B:5s": 602,
        "C:3s": 630,
    },
}
DEPTH = 5


def moves(state: State, hands: Hands, t: float) -> Iterator[tuple[Happening, Hands]]:
    """What people may do at `t`, rightly or wrongly, with the hands after it: play, take back, take, say, point."""
    seats, turn = state.table.players, state.order.turn
    for place, hand in enumerate(hands):
        for card in sorted(set(hand)):
            left = list(hand)
            left.remove(card)
            rest = (*hands[:place], tuple(left), *hands[place + 1 :])
            yield Landed(t=t, seat=seats[place], card=Card.of(card)), rest
        if turn >> 1 == place or state.owed.penalties[place]:
            yield Taken(t=t, seat=seats[place]), hands
    for wrong, owner in state.pile.wrong[-1:]:
        back = (*hands[owner], wrong.name)
        yield TakenBack(t=t, seat=seats[owner], card=wrong), (*hands[:owner], back, *hands[owner + 1 :])
    for duty in state.duties[:1]:
        yield Said(t=t, seat=seats[duty.seat], text=WORDS_OF[duty.code][0]), hands
    if state.order.pointing == ANYONE:
        yield Pointed(t=t, seat=seats[state.top.owner], at="C"), hands


def states_after(start: set[tuple[State, Hands]], depth: int, t: int = 1) -> set[tuple[State, Hands]]:
    """Every state that `depth` happenings lead to, a second each, the first at `t`, with the hands."""
    reached = start
    for now in range(t, t + depth):
        reached = {
            (adjudicate(GAME, state, move)[0], rest)
            for state, hands in reached
            for move, rest in moves(state, hands, float(now))
        }
    return reached


def different(reached: set[tuple[State, Hands]]) -> int:
    """How many of the states differ in what follows from them."""
    return len({GAME.key(state) for state, _ in reached})


def divided(deal: str, depth: int = DEPTH) -> dict[str, int]:
    """The number of different states after 1 to `depth` happenings, and after `depth` by the first of them."""
    options, hands = DEALS[deal]
    counts = ",".join(f"{seat}{len(hand)}" for seat, hand in zip(options["players"], hands, strict=True))
    start = GAME.start({**options, "hands": counts})
    found = {f"after {n}": different(states_after({(start, hands)}, n)) for n in range(1, depth + 1)}
    for move, rest in moves(start, hands, 1.0):
        first = {(adjudicate(GAME, start, move)[0], rest)}
        found[token_of(move)] = different(states_after(first, depth - 1, 2))
    return found


@pytest.mark.parametrize("deal", DEALS)
def test_number_of_states(deal: str) -> None:
    found, golden = divided(deal), GOLDEN[deal]
    changed = [
        f"{move}: {golden.get(move, 0)} before, {found.get(move, 0)} now"
        for move in {**golden, **found}
        if golden.get(move) != found.get(move)
    ]
    assert not changed, "\n".join(changed)


if __name__ == "__main__":
    for name in DEALS:
        print(f'    "{name}": {divided(name)},')
