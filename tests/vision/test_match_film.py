"""The virtual table shows what it says: the same every time, and the cards where the truth has them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.faults import VisionError
from vision.look.faces import BACK, FRENCH
from vision.look.quads import Image, rectify
from vision.synthetic.match import art
from vision.synthetic.match.acts import Act, Setting, around
from vision.synthetic.match.film import Film
from vision.synthetic.match.hand import drawn_hand
from vision.synthetic.match.levels import LEVELS, setting_for
from vision.synthetic.match.sound import RATE, sound_track

SETTING = Setting(seats=around("ABC"), size=(640, 360), fps=20, card=110, tilt=20)


def film(acts: list[Act], seconds: float, setting: Setting = SETTING, start: str = "Ts") -> Film:
    rng = np.random.default_rng(4)
    hands = {seat: drawn_hand(rng) for seat in setting.seats}
    return Film(setting, art.deck("byronknoll"), art.table_top(rng, "felt"), hands, acts, start, seconds, seed=2)


def alike(seen: Image, face: Image) -> float:
    """Correlation of two pictures of a card."""
    size = (60, 84)
    one, other = (cv2.cvtColor(cv2.resize(p, size), cv2.COLOR_BGR2GRAY).astype(float) for p in (seen, face[..., :3]))
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


@pytest.mark.parametrize("name", art.DECKS)
def test_each_shipped_deck_has_every_face_and_a_back(name: str) -> None:
    deck = art.deck(name)
    assert set(deck) == {*art.DECKS[name], BACK}
    assert len({face.tobytes() for face in deck.values()}) == len(deck)


def test_an_unknown_deck_is_named_with_those_there_are() -> None:
    with pytest.raises(VisionError, match="byronknoll"):
        art.deck("nobody")


def test_the_same_seed_gives_the_same_pictures() -> None:
    acts = [Act(0.6, "play", "A", "Qh")]
    setting = replace(SETTING, noise=4, flicker=0.03, shake=0.3, dropped=0.2)
    one, other = ([(f.index, f.image.tobytes()) for f in film(acts, 1.5, setting).frames()] for _ in range(2))
    assert one == other
    assert len(one) < 30  # some were dropped


def test_cards_lie_where_the_truth_says_and_look_like_themselves() -> None:
    shown = film([Act(0.6, "play", "A", "Qh"), Act(2.0, "throw", "B", "7s")], 3.2)
    frames = list(shown.frames())
    deck = art.deck("byronknoll")
    assert [(t.kind, t.card, t.seat) for t in shown.truth] == [("landed", "Qh", "A"), ("landed", "7s", "B")]
    for truth, t in zip(shown.truth, (1.4, 3.0), strict=True):
        still = next(f for f in frames if f.t >= t)
        face = rectify(still.image, truth.quad, (150, 212))
        others = [alike(face, deck[card]) for card in FRENCH if card != truth.card]
        assert alike(face, deck[truth.card]) > max(*others, 0.8)


def test_what_leaves_the_piles_is_true_as_well() -> None:
    acts = [
        Act(0.6, "play", "A", "Qh"),
        Act(1.6, "take back", "A"),
        Act(3.4, "take", "B", count=2, one_by_one=True),
        Act(4.6, "nudge", "C", amount=0.1),
        Act(5.2, "lamp", amount=0.7),
    ]
    shown = film(acts, 6.0)
    frames = list(shown.frames())
    told = [(t.kind, t.card, t.count) for t in shown.truth]
    assert told[:3] == [("landed", "Qh", 0), ("taken_back", "Qh", 0), ("taken", "", 2)]
    assert told[3:] == [("nothing", "Ts", 0), ("nothing", "", 0)]
    assert frames[-1].image.mean() < 0.8 * frames[0].image.mean()


def test_a_hand_comes_from_its_seat() -> None:
    shown = film([Act(0.8, "play", "B", "Qh")], 1.6)
    frames = {f.index: f.image.astype(int) for f in shown.frames()}
    changed = np.abs(frames[15] - frames[0]).sum(axis=2) > 60
    edge = np.zeros_like(changed)
    edge[:2], edge[-2:], edge[:, :2], edge[:, -2:] = True, True, True, True
    y, x = np.argwhere(changed & edge).mean(axis=0)
    angle = np.degrees(np.arctan2(180 - y, x - 320)) % 360
    assert abs((angle - shown.directions()["B"] + 180) % 360 - 180) < 40


@pytest.mark.parametrize("level", LEVELS)
def test_levels_are_settings_within_reason(level: str) -> None:
    setting = setting_for(level, "ABCD", np.random.default_rng(1))
    assert set(setting.seats) == set("ABCD")
    assert 70 < setting.card < 200


def test_cards_are_heard_when_they_land() -> None:
    track = sound_track([Act(1.0, "play", "A", "Qh")], [], 2.0, seed=1)
    loud = np.abs(track).argmax() / RATE
    assert loud == pytest.approx(1.0, abs=0.05)
