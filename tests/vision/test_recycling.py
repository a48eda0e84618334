"""Was the discard pile carried away? The hands say it where hardly a card sticks out; without them it is not told."""

import numpy as np
import pytest

from vision.layout.places import Layout
from vision.look.eye import Eye
from vision.synthetic.match import art
from vision.synthetic.match.acts import Act, Setting, around
from vision.synthetic.match.film import Film
from vision.synthetic.match.hand import drawn_hand
from vision.table import TableWatcher

PLAYED = [Act(1.4, "play", "B", "Qh"), Act(2.8, "play", "C", "9d")]


def told(eye: Eye, acts: list[Act], spread: float, seconds: float) -> tuple[list[tuple[str, str, str]], list[str]]:
    """What was told after the plays, with seats, and which cards are then known to lie on the pile."""
    rng = np.random.default_rng(5)
    setting = Setting(seats=around("ABC"), fps=20, card=150, tilt=10, spread=spread, noise=2)
    hands = {seat: drawn_hand(rng) for seat in "ABC"}
    deck, top = art.deck("heruka-2color"), art.table_top(rng, "stone")
    film = Film(setting, deck, top, hands, [*PLAYED, *acts], "Ts", seconds, 4)
    layout = Layout(film.zone("discard", 1.0), film.zone("pick-up"), film.directions())
    watcher = TableWatcher(eye, layout)
    found = [s for frame in film.frames() for s in watcher.watch(frame)] + watcher.finish()
    late = [(s.kind, s.card, s.seat) for s in found if s.t > 4.0]
    return late, [card.card for card in watcher.pile.stack]


@pytest.mark.parametrize("spread", [0.005, 0.08], ids=["tidy", "untidy"])
def test_a_pile_carried_over_was_recycled_and_no_card_taken(eye: Eye, spread: float) -> None:
    assert told(eye, [Act(5.6, "recycle", "A")], spread, 8.0) == ([("recycled", "", "A")], ["9d"])


def test_a_hand_that_rests_on_the_pile_and_then_takes_a_card_recycled_nothing(eye: Eye) -> None:
    acts = [Act(5.0, "rest", "A", amount=0.9), Act(7.0, "take", "A", count=1)]
    assert told(eye, acts, 0.08, 9.0) == ([("taken", "", "A")], ["Ts", "Qh", "9d"])
