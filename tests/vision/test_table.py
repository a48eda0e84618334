"""A whole table from one camera: plays, a butt-in, a bumped camera, cards taken, each with its seat."""

import numpy as np
import pytest

from vision.layout.places import Layout
from vision.look.eye import Eye
from vision.sightings import Sighting
from vision.synthetic.match import art
from vision.synthetic.match.acts import Act, Setting, around
from vision.synthetic.match.film import Film
from vision.synthetic.match.hand import drawn_hand
from vision.table import TableWatcher

ACTS = [
    Act(1.4, "play", "A", "Qh"),
    Act(3.0, "play", "B", "9d"),
    Act(3.5, "play", "C", "9d"),
    Act(4.6, "bump", amount=9),
    Act(6.0, "take", "A", count=1),
    Act(7.8, "play", "C", "4s"),
    Act(9.4, "take back", "C"),
]


@pytest.fixture(scope="module")
def sightings(eye: Eye) -> list[Sighting]:
    rng = np.random.default_rng(5)
    setting = Setting(seats=around("ABC"), fps=20, card=150, tilt=10, spread=0.09, noise=2)
    hands = {seat: drawn_hand(rng) for seat in "ABC"}
    deck, top = art.deck("heruka-2color"), art.table_top(rng, "stone")
    film = Film(setting, deck, top, hands, ACTS, "Ts", 11.0, 4)
    layout = Layout(film.zone("discard", 1.0), film.zone("pick-up"), film.directions())
    watcher = TableWatcher(eye, layout)
    return [s for frame in film.frames() for s in watcher.watch(frame)] + watcher.finish()


def test_all_that_happened_is_told_in_order_and_nothing_else(sightings: list[Sighting]) -> None:
    assert [(s.kind, s.card) for s in sorted(sightings, key=lambda s: s.t)] == [
        ("landed", "Ts"),
        ("landed", "Qh"),
        ("landed", "9d"),
        ("landed", "9d"),
        ("taken", ""),
        ("landed", "4s"),
        ("taken_back", "4s"),
    ]


def test_each_at_its_time(sightings: list[Sighting]) -> None:
    times = sorted(s.t for s in sightings)[1:]
    assert times == pytest.approx([act.t for act in ACTS if act.kind != "bump"], abs=0.5)


def test_each_by_the_seat_that_did_it(sightings: list[Sighting]) -> None:
    claimed = [(s.kind, s.card, s.seat) for s in sightings if s.seat_confidence >= 0.9]
    assert set(claimed) <= {
        ("landed", "Qh", "A"),
        ("landed", "9d", "B"),
        ("landed", "9d", "C"),
        ("taken", "", "A"),
        ("landed", "4s", "C"),
        ("taken_back", "4s", "C"),
    }
    assert len(claimed) >= 4
