"""An arm that points after a five decides whose turn it is; the same arm after another card says nothing."""

import numpy as np
import pytest

from referee.record.match import Match
from referee.record.observations import Happening, Landed, Pointed
from referee.table.eye import Pile
from referee.table.session import Session
from vision.layout.places import Layout
from vision.synthetic.match import art
from vision.synthetic.match.acts import Act, Setting, around
from vision.synthetic.match.film import Film
from vision.synthetic.match.hand import drawn_hand


@pytest.mark.parametrize(("card", "at", "turn"), [("5s", "C", "C"), ("9h", None, "D")], ids=["five", "nine"])
def test_a_pointing_counts_where_the_card_asks_for_it(card: str, at: str | None, turn: str) -> None:
    rng = np.random.default_rng(5)
    setting = Setting(seats=around("ABCD"), fps=20, card=110, tilt=10, spread=0.07, noise=2)
    hands = {seat: drawn_hand(rng) for seat in "ABCD"}
    acts = [Act(1.5, "play", "A", card), Act(3.2, "point", "A", amount=0.7, at="C")]
    film = Film(setting, art.deck("heruka-2color"), art.table_top(rng, "stone"), hands, acts, "5h", 5.2, 4)
    layout = Layout(film.zone("discard", 1.0), film.zone("pick-up"), film.directions())
    now = 0.0
    session = Session(Match("uncle-baiting", {"players": "ABCD", "start": "5h"}), {}, lambda: now)
    pile = Pile("french", None, session, layout)
    told: list[Happening] = []
    for frame in film.frames():
        now = frame.t
        for happening in pile.watch(frame):
            told.append(happening)
            session.observe(happening)
    assert [(h.seat, str(h.card)) for h in told if isinstance(h, Landed)] == [("A", card)]
    assert [(h.seat, h.at) for h in told if isinstance(h, Pointed)] == ([("A", at)] if at else [])
    assert session.standing.turn == turn
