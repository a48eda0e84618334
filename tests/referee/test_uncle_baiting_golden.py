"""How many different states can be reached from a small deal, and from which first move when the number changes?

The counts were taken from this engine when all vectors passed; they are here to notice a change that no vector tells.
Regenerate with `python -m tests.referee.test_uncle_baiting_golden` after a change that is meant.
"""

from collections.abc import Iterator

import pytest

from referee.cards import Card
from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.state import State
from referee.games.uncle_baiting.words import WORDS_OF
from referee.notation import token_of
from referee.observations import Happening, Landed, Pointed, Said, Taken, TakenBack

Hands = tuple[tuple[str, ...], ...]

DEALS: dict[str, tuple[dict[str, str], Hands]] = {
    "aces-and-kings": ({"players": "AB", "start": "7h"}, (("9h", "Kh", "Ah"), ("9h", "8h", "2c"))),
    "modes-and-jacks": ({"players": "ABC", "start": "Td"}, (("Th", "Jh"), ("Qh", "Th"), ("6h",))),
    "twos-jokers-fives": ({"players": "ABC", "start": "2h"}, (("2s", "Jk"), ("2s", "5s"), ("3s",))),
}
GOLDEN: dict[str, dict[str, int]] = {
    "aces-and-kings": {
        "after 1": 7,
        "after 2": 42,
        "after 3": 249,
        "after 4": 1399,
        "after 5": 7187,
        "A:9h": 1020,
        "A:Ah": 1309,
        "A:Kh": 1021,
        "A+1": 1646,
        "B:2c": 1352,
        "B:8h": 1389,
        "B:9h": 1379,
    },
    "modes-and-jacks": {
        "after 1": 6,
        "after 2": 38,
        "after 3": 229,
        "after 4": 1300,
        "after 5": 6802,
        "A:Jh": 1003,
        "A:Th": 885,
        "A+1": 1522,
        "B:Qh": 1500,
        "B:Th": 1514,
        "C:6h": 1245,
    },
    "twos-jokers-fives": {
        "after 1": 6,
        "after 2": 40,
        "after 3": 241,
        "after 4": 1311,
        "after 5": 6528,
        "A:2s": 877,
        "A:Jk": 857,
        "A+1": 1188,
        "B:2s": 1074,
        "B:5s": 1295,
        "C:3s": 1261,
    },
}
DEPTH = 5


def moves(state: State, hands: Hands) -> Iterator[tuple[Happening, Hands]]:
    """What people may do, rightly or wrongly, with the hands after it: play, take back, take, say, point."""
    t, seats = state.clock.now + 1, state.table.players
    for place, hand in enumerate(hands):
        for card in sorted(set(hand)):
            left = list(hand)
            left.remove(card)
            rest = (*hands[:place], tuple(left), *hands[place + 1 :])
            yield Landed(t=t, seat=seats[place], card=Card.of(card)), rest
        if state.turn >> 1 == place or state.hands.penalties[place]:
            yield Taken(t=t, seat=seats[place]), hands
    for wrong, owner in state.pile.wrong[-1:]:
        back = (*hands[owner], wrong.name)
        yield TakenBack(t=t, seat=seats[owner], card=wrong), (*hands[:owner], back, *hands[owner + 1 :])
    for duty in state.duties[:1]:
        yield Said(t=t, seat=seats[duty.seat], text=WORDS_OF[duty.code][0]), hands
    if state.order.pointing == -1:
        yield Pointed(t=t, seat=seats[state.top.owner], at="C"), hands


def states_after(start: set[tuple[State, Hands]], depth: int) -> set[tuple[State, Hands]]:
    """Every state that `depth` observations lead to, with the hands."""
    reached = start
    for _ in range(depth):
        reached = {
            (GAME.observe(state, move)[0], rest) for state, hands in reached for move, rest in moves(state, hands)
        }
    return reached


def divided(deal: str, depth: int = DEPTH) -> dict[str, int]:
    """The number of states after 1 to `depth` observations, and after `depth` by the first of them."""
    options, hands = DEALS[deal]
    counts = ",".join(f"{seat}{len(hand)}" for seat, hand in zip(options["players"], hands, strict=True))
    start = GAME.start({**options, "hands": counts})
    found = {f"after {n}": len({state for state, _ in states_after({(start, hands)}, n)}) for n in range(1, depth + 1)}
    for move, rest in moves(start, hands):
        first = {(GAME.observe(start, move)[0], rest)}
        found[token_of(move)] = len({state for state, _ in states_after(first, depth - 1)})
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
