"""The bench counts what was told against what truly happened: each thing once, and only what happened as right."""

from collections import Counter, defaultdict

import numpy as np

from vision.bench.pile import SEAT_SURE, judge, pan
from vision.sightings import Kind, Sighting
from vision.synthetic.match.acts import Truth

QUAD = np.zeros((4, 2), np.float32)


def told(kind: Kind, t: float, card: str = "", confidence: float = 0.98, seat: str = "A") -> tuple[Sighting, float]:
    return Sighting(kind, t, card, confidence, (), QUAD, 0, seat, SEAT_SURE, 1, False), t + 0.4


def counted(truth: list[Truth], sightings: list[tuple[Sighting, float]]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    judge(truth, {one.t: one.act for one in truth}, sightings, counts, lambda _: None)
    return counts


def played(t: float, card: str, seat: str = "A") -> Truth:
    return Truth(t, "landed", "play", seat, card, 0, QUAD)


def test_right_wrong_unread_and_missed_are_told_apart() -> None:
    truth = [played(2, "Qh"), played(5, "7s"), played(8, "4d"), played(11, "9c")]
    sightings = [told("landed", 2.1, "Qh"), told("landed", 5.1, "7c"), told("landed", 8.1, "?", 0.6)]
    counts = counted(truth, sightings)["play"]
    assert (counts["of"], counts["found"], counts["wrong"], counts["unread"], counts["missed"]) == (4, 1, 1, 1, 1)


def test_of_two_cards_at_once_the_one_told_is_found_and_the_other_missed() -> None:
    counts = counted([played(2, "Qh"), played(2.5, "7s")], [told("landed", 2.5, "7s")])["play"]
    assert (counts["found"], counts["missed"], counts["wrong"]) == (1, 1, 0)


def test_what_did_not_happen_is_invented_near_what_did() -> None:
    truth = [played(2, "Qh"), Truth(5, "nothing", "nudge", "B", "Qh", 0, QUAD)]
    sightings = [told("landed", 2.1, "Qh"), told("landed", 5.2, "Qh"), told("landed", 5.6, "Qh", 0.5)]
    counts = counted(truth, sightings)
    assert counts["nudge"]["invented"] == 1
    assert counts["nudge"]["invented_doubtful"] == 1
    assert counts["play"]["invented"] == 0


def test_only_seats_that_are_claimed_can_be_wrong() -> None:
    truth = [played(2, "Qh", "A"), played(5, "7s", "A")]
    counts = counted(truth, [told("landed", 2.1, "Qh", seat="B"), told("landed", 5.1, "7s", seat="?")])["play"]
    assert (counts["seats"], counts["wrong_seats"]) == (1, 1)


def test_the_card_that_lay_there_is_not_invented() -> None:
    counts = counted([played(2, "Qh")], [told("landed", 0.1, "Ts"), told("landed", 2.1, "Qh")])
    assert counts["play"]["found"] == 1
    assert sum(count["invented"] for count in counts.values()) == 0


def test_a_pan_moves_and_rests() -> None:
    photo = np.random.default_rng(1).integers(0, 255, (90, 120, 3)).astype(np.uint8)
    frames = list(pan(photo, 2.0, 10.0))
    assert len(frames) == 20
    assert len({frame.image.shape for frame in frames}) == 1
