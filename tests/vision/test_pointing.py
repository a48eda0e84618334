"""Who points at whom is told from an arm over the bare table, and from no other arm."""

import numpy as np
import pytest

from vision.hands.pointing import Pointing
from vision.hands.visits import Hands
from vision.sightings import Sighting
from vision.synthetic.match import art
from vision.synthetic.match.acts import Act, Setting, around
from vision.synthetic.match.film import Film
from vision.synthetic.match.hand import drawn_hand

OTHERS = ("play", "throw", "take", "rest", "pass", "nudge", "recycle")


def pointed(acts: list[Act], seconds: float, seats: str = "ABCD") -> list[Sighting]:
    rng = np.random.default_rng(3)
    setting = Setting(seats=around(seats), size=(640, 360), fps=20, card=55, tilt=15, noise=2)
    hands = {seat: drawn_hand(rng) for seat in seats}
    film = Film(setting, art.deck("byronknoll"), art.table_top(rng, "stone"), hands, acts, "5h", seconds, 3)
    watched = Hands({"discard": film.zone("discard"), "pick-up": film.zone("pick-up")}, film.directions())
    watcher = Pointing(watched)
    found = []
    for frame in film.frames():
        watched.see(frame)
        found += watcher.watch(frame)
    return found


@pytest.mark.parametrize(("seat", "at"), ["AC", "CA", "BD", "DB"])
def test_an_arm_that_stays_over_the_table_points_from_seat_to_seat(seat: str, at: str) -> None:
    (told,) = pointed([Act(1.5, "point", seat, amount=0.7, at=at)], 3.6)
    assert (told.kind, told.seat, told.at) == ("pointed", seat, at)
    assert told.confidence > 0.9
    assert told.t == pytest.approx(1.5, abs=0.3)


@pytest.mark.parametrize("kind", OTHERS)
def test_a_hand_at_the_piles_points_at_nobody(kind: str) -> None:
    acts = [Act(2.0, kind, "B", "Qh", count=1, amount=0.1 if kind == "nudge" else 0.6)]  # type: ignore[arg-type]
    assert pointed(acts, 4.5) == []


def test_an_arm_that_lies_there_points_at_nobody() -> None:
    assert pointed([Act(1.5, "point", "A", amount=3.0, at="C")], 6.0) == []
