"""Blackjack's turns are read as a second reader reads them, who follows the three steps of the rule book literally.

He knows no automaton: he cuts the cards of a turn into steps and added cards in every way there is. By hand,
`every_turn` was run with five cards of the whole pack.
"""

from collections import Counter
from collections.abc import Iterator

import pytest

from referee.games.blackjack import GAME
from referee.games.blackjack.state import State
from referee.games.blackjack.turn import Readings, complete, follow
from referee.record.cards import Card
from referee.record.observations import Landed, TurnEnded
from referee.record.rulings import Penalty

DECK = ["9h", "9c", "9d", "3h", "3c", "Qh", "Qd", "Ah", "Ac", "Ad", "Jh", "Js", "Jc", "2h", "2s", "4c"]
TOPS = ("", "9s", "Qs", "As", "3d")


def endings(cards: list[str], top: str, suit: str, free: bool = False) -> Iterator[bool]:
    """Every way to read `cards` from step 1 on: whether the turn could end after them.

    Args:
        suit: the suit that was named for every ace of the turn and for `top`, or "".
        free: any card may be played on `top`.
    """
    if not cards:
        yield False  # step 1 is still to be done
        return
    card, rest = cards[0], cards[1:]
    shown = suit if top[:1] == "A" and suit else top[1:]
    if not (free or card[0] == "A" or card[0] == top[0] or card[1] == shown):
        return
    if card[0] in "3Q":  # back to step 1
        yield from endings(rest, card, suit, free=card[0] == "Q")
        return
    if not rest:
        yield True
    for more in range(1, len(rest) + 1):  # step 2: so many of the same rank
        if any(other[0] != card[0] for other in rest[:more]):
            break
        if more == len(rest):
            yield card[0] in "2J"
        else:  # step 3
            yield from endings(rest[more:], rest[more - 1], suit)


def every_turn(deck: list[str], most: int, top: str, suit: str) -> Counter[str]:
    """Compare both readers on every turn of up to `most` cards of `deck` that is begun on `top`."""
    seen = Counter[str]()

    def go_on(cards: list[str], readings: Readings, last: Card | None) -> None:
        for name in deck:
            if name in cards:
                continue
            card, turn = Card.of(name), [*cards, name]
            ways = list(endings(turn, top, suit, free=not top))
            after = follow(readings, last, suit if last and last.rank == "A" else "", card)
            assert (bool(after), complete(after, card)) == (bool(ways), any(ways)), (top, suit, turn)
            seen["complete" if any(ways) else "begun" if ways else "wrong"] += 1
            if ways and len(turn) < most:
                go_on(turn, after, card)

    go_on([], (), Card.of(top) if top else None)
    return seen


@pytest.mark.parametrize("suit", ["", "c"])
@pytest.mark.parametrize("top", TOPS)
def test_every_turn_is_read_alike(top: str, suit: str) -> None:
    seen = every_turn(DECK, 5, top, suit)
    assert min(seen["complete"], seen["begun"], seen["wrong"]) > 100


@pytest.mark.parametrize("top", TOPS)
def test_the_referee_calls_a_turn_uncapped_when_the_second_reader_does(top: str) -> None:
    options = {"players": "AB", "hands": "A20,B20", **({"top": top} if top else {})}
    calls = Counter[bool]()

    def go_on(cards: list[str], state: State) -> None:
        for name in DECK:
            if name in cards:
                continue
            turn = [*cards, name]
            ways = list(endings(turn, top, "", free=not top))
            after, answers = GAME.observe(state, Landed(t=1.0, seat="A", card=Card.of(name)))
            assert any(isinstance(one, Penalty) for one in answers) == (not ways), turn
            if ways:
                _, said = GAME.observe(after, TurnEnded(t=2.0, seat="A"))
                codes = [one.code for one in said if isinstance(one, Penalty)]
                assert codes == ([] if any(ways) else ["uncapped"]), turn
                calls[any(ways)] += 1
                if len(turn) < 3:
                    go_on(turn, after)

    go_on([], GAME.start(options))
    assert min(calls[True], calls[False]) > 10
