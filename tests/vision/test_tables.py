"""Synthetic tables tell the exact truth: what their truth says is there can be read there.

The deck is made of four real cards, so that a clone without the shared decks can draw it too.
"""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.input.sources import read_picture
from vision.look.eye import Eye
from vision.look.quads import rectify, signed_area
from vision.synthetic.sheet import marked
from vision.synthetic.tables import Tables

PHOTOS = Path(__file__).parents[1] / "data" / "vision"


@pytest.fixture(scope="module")
def tables(eye: Eye, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    root = tmp_path_factory.mktemp("shared")
    deck = root / "data" / "decks" / "four-real-cards"
    deck.mkdir(parents=True)
    for name in ("2s", "7s", "8d", "qs"):
        photo = read_picture(PHOTOS / f"{name}-table.jpg")
        (seen,) = eye.look(photo)
        cv2.imwrite(str(deck / f"{name.upper()}.png"), rectify(photo, seen.quad, (240, 336)))
    return Tables(root)


def test_a_seed_gives_the_same_table_again(tables: Tables) -> None:
    one, again, other = tables.draw(7), tables.draw(7), tables.draw(8)
    assert np.array_equal(one.image, again.image)
    assert [c.card for c in one.cards] == [c.card for c in again.cards]
    assert not np.array_equal(one.image, other.image)


def test_the_truth_is_about_what_can_be_seen(tables: Tables) -> None:
    cards = [card for seed in range(40) for card in tables.draw(seed).cards]
    assert {card.card for card in cards} == {"2s", "7s", "8d", "Qs", "back"}
    assert all(signed_area(card.quad) > 0 for card in cards)
    assert all(0 < card.visible < 1.1 and 0 <= min(card.indices) <= max(card.indices) < 1.3 for card in cards)
    assert all(min(card.indices) > 0.6 for card in cards if card.whole and np.ptp(card.quad) > 80)
    assert any(card.whole for card in cards) and any(card.visible < 0.5 for card in cards)


def test_cards_are_where_the_truth_says_and_begin_at_their_own_top_left(tables: Tables, eye: Eye) -> None:
    right = wrong = 0
    for seed in range(60):
        table = tables.draw(seed)
        for card in table.cards:
            if card.whole and card.card != "back" and np.ptp(card.quad, axis=0).min() > 110:
                (reading,) = eye.reader.read(table.image, card.quad[None])
                turned = min(np.abs(reading.quad - np.roll(card.quad, k, axis=0)).max() for k in (0, 2))
                right += reading.card == card.card and turned < 1
                wrong += reading.card not in (card.card, "?", "none")
    assert right >= 12 and wrong == 0


def test_the_sheet_marks_every_card(tables: Tables) -> None:
    table = next(t for t in map(tables.draw, range(20)) if t.cards)
    x, y = np.round(table.cards[-1].quad.mean(axis=0)).astype(int)
    drawn = np.abs(marked(table).astype(int) - table.image).max(axis=2)
    assert drawn.max() > 0 and drawn[max(y - 20, 0) : y + 20, max(x - 30, 0) : x + 30].max() > 0
