"""Whose hand it was is told from where it came in, and left open where that is not clear."""

import numpy as np
import pytest

from vision.hands.pick_up import PickUpWatcher
from vision.hands.visits import Hands
from vision.look.quads import Image
from vision.sightings import Sighting
from vision.synthetic.match import art
from vision.synthetic.match.acts import Act, Setting, around
from vision.synthetic.match.film import Film
from vision.synthetic.match.hand import drawn_hand

CLAIMED = 0.95


def film(
    acts: list[Act], seconds: float, seats: str = "ABCD", top: str | Image = "stone", seed: int = 3, **light: float
) -> Film:
    rng = np.random.default_rng(seed)
    setting = Setting(seats=around(seats), size=(640, 360), fps=20, card=95, tilt=15, **({"noise": 2.0} | light))
    hands = {seat: drawn_hand(rng) for seat in seats}
    table = art.table_top(rng, top) if isinstance(top, str) else top
    return Film(setting, art.deck("byronknoll"), table, hands, acts, "Ts", seconds, seed)


def watched(shown: Film) -> Hands:
    hands = Hands({"discard": shown.zone("discard"), "pick-up": shown.zone("pick-up")}, shown.directions())
    for frame in shown.frames():
        hands.see(frame)
    return hands


@pytest.mark.parametrize("seat", "ABCD")
def test_a_hand_that_plays_is_its_seats(seat: str) -> None:
    hands = watched(film([Act(1.5, "play", seat, "Qh")], 2.6))
    (visit,) = [v for v in hands.since("discard", 0.0) if v.inside]
    whose = hands.whose("discard", visit)
    assert whose.seat == seat
    assert whose.confidence > 0.8
    assert visit.turned == pytest.approx(1.5, abs=0.3)


def test_two_hands_at_once_are_two_visits_in_their_order() -> None:
    hands = watched(film([Act(1.5, "play", "A", "Qh"), Act(1.8, "play", "C", "7s")], 3.0))
    visits = [v for v in hands.since("discard", 0.0) if v.inside]
    assert [hands.whose("discard", v).seat for v in visits] == ["A", "C"]


def test_a_hand_between_two_seats_is_nobodys_for_sure() -> None:
    shown = film([Act(1.5, "play", "A", "Qh")], 2.6)
    seats = {"A": 250.0, "B": 290.0}  # two people who sit side by side
    hands = Hands({"discard": shown.zone("discard")}, seats)
    for frame in shown.frames():
        hands.see(frame)
    (visit,) = [v for v in hands.since("discard", 0.0) if v.inside]
    visit.angle = -90.0
    assert hands.whose("discard", visit).confidence < CLAIMED


def test_without_seats_a_hand_is_nobodys() -> None:
    shown = film([Act(1.5, "play", "A", "Qh")], 2.6)
    hands = Hands({"discard": shown.zone("discard")})
    for frame in shown.frames():
        hands.see(frame)
    (visit,) = [v for v in hands.since("discard", 0.0) if v.inside]
    assert hands.whose("discard", visit).seat == "?"


def test_a_lamp_is_no_hand() -> None:
    hands = watched(film([Act(1.0, "lamp", amount=0.6), Act(2.0, "lamp", amount=1.6)], 3.0))
    assert [v for v in hands.since("discard", 0.0) if v.inside] == []


def test_a_hand_at_rest_is_over_the_pile_and_then_part_of_the_table() -> None:
    shown = film([Act(1.5, "rest", "A", amount=2.5)], 6.0)
    hands = Hands({"discard": shown.zone("discard")}, shown.directions())
    over = {}
    for frame in shown.frames():
        hands.see(frame)
        over[round(frame.t, 2)] = hands.over("discard")
    assert not over[0.5]
    assert over[1.8]
    assert not over[5.8]


def taken(shown: Film) -> list[Sighting]:
    hands = Hands({"discard": shown.zone("discard")}, shown.directions())
    watcher = PickUpWatcher(hands, shown.zone("pick-up"))
    found = []
    for frame in shown.frames():
        hands.see(frame)
        found += watcher.watch(frame)
    return found + watcher.finish()


def test_cards_taken_singly_are_counted_and_a_lump_is_at_least_one() -> None:
    (singly,) = taken(film([Act(3.2, "take", "B", count=3, one_by_one=True)], 5.0))
    assert (singly.kind, singly.seat, singly.count, singly.single) == ("taken", "B", 3, True)
    (lump,) = taken(film([Act(1.5, "take", "A", count=4)], 3.5))
    assert (lump.seat, lump.count, lump.single) == ("A", 1, False)


def test_a_play_is_no_taking() -> None:
    assert taken(film([Act(1.5, "play", "C", "Qh")], 3.2)) == []


def test_cards_taken_in_bad_light_are_seen() -> None:
    acts = [Act(3.2, "take", "B", count=2, one_by_one=True)]
    (told,) = taken(film(acts, 5.0, noise=6.0, flicker=0.05, shake=0.3))
    assert (told.seat, told.count, told.single) == ("B", 2, True)


def test_a_hand_that_goes_from_pile_to_pile_was_at_one_after_the_other() -> None:
    hands = watched(film([Act(2.4, "recycle", "A")], 4.5))
    (gathered,), (laid,) = ([s for v in hands.since(zone, 0.0) for s in v.stays] for zone in ("discard", "pick-up"))
    assert gathered[1] - gathered[0] > 0.8
    assert 0 <= laid[0] - gathered[1] < 0.5
    assert laid[1] - laid[0] > 0.25


def test_a_camera_that_is_bumped_shows_no_hands() -> None:
    """Every edge of a chequered cloth lies elsewhere then, and some reach over the picture's edge as arms do."""
    squares = np.indices((16, 16)).sum(axis=0) % 2
    cloth = np.kron(np.where(squares[..., None], [60, 60, 190], [225, 230, 235]), np.ones((32, 32, 1))).astype(np.uint8)
    hands = watched(film([Act(1.5, "bump", amount=9.0), Act(3.6, "play", "B", "Qh")], 5.0, top=cloth))
    assert [v for zone in hands.zones for v in hands.since(zone, 0.0) if v.began < 3.0] == []
    assert [hands.whose("discard", v).seat for v in hands.since("discard", 3.0) if v.inside] == ["B"]
