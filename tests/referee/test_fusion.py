"""The rules help the eye where it is undecided, and nowhere else."""

import pytest

from referee.cards import Card
from referee.fusion import PRESUMED, Seen, observation
from referee.observations import SURE, UNKNOWN, Landed, Pointed, Recycled, Taken, TakenBack
from referee.standing import Standing

LEGAL = frozenset({Card.of("6h"), Card.of("Kh")})


def standing(owed: int = 0, penalties: tuple[int, int, int] = (0, 0, 0), left: int = 60) -> Standing:
    return Standing(players="ABC", turn="B", owed=owed, penalties_owed=penalties, pick_up_pile=left)


def told(seen: Seen, table: Standing | None = None) -> object:
    return observation(seen, table or standing(), lambda seat: LEGAL)


def unread(*alternatives: tuple[str, float]) -> Seen:
    options = tuple((Card.of(name), share) for name, share in alternatives)
    return Seen("landed", 2.0, None, options[0][1], options, "B", 0.99)


@pytest.mark.parametrize("card", ["9s", "6h"])
def test_a_card_that_was_clearly_seen_stays_what_it_was_legal_or_not(card: str) -> None:
    landed = told(Seen("landed", 2.0, Card.of(card), 0.97, (), "B", 0.99))
    assert isinstance(landed, Landed)
    assert (landed.card, landed.confidence, landed.seat) == (Card.of(card), 0.97, "B")


def test_an_unread_card_is_the_one_that_may_be_played_but_never_for_sure() -> None:
    landed = told(unread(("9h", 0.5), ("6h", 0.45)))
    assert isinstance(landed, Landed)
    assert landed.card == Card.of("6h")
    assert landed.confidence <= PRESUMED < SURE


@pytest.mark.parametrize(
    "alternatives",
    [
        pytest.param((("9h", 0.5), ("9s", 0.4)), id="none-may-be-played"),
        pytest.param((("6h", 0.4), ("Kh", 0.4)), id="two-may-be-played"),
        pytest.param((("9h", 0.85), ("6h", 0.03)), id="the-eye-says-something-else"),
    ],
)
def test_an_unread_card_stays_unread_where_rules_do_not_decide(alternatives: tuple[tuple[str, float], ...]) -> None:
    landed = told(unread(*alternatives))
    assert isinstance(landed, Landed)
    assert landed.card is None
    assert [(str(card), share) for card, share in landed.alternatives] == list(alternatives)


@pytest.mark.parametrize(("seat", "confidence", "named"), [("B", 0.97, "B"), ("B", 0.8, UNKNOWN), ("Z", 0.99, UNKNOWN)])
def test_a_seat_is_claimed_only_when_the_hand_was_clearly_its_own(seat: str, confidence: float, named: str) -> None:
    landed = told(Seen("landed", 2.0, Card.of("9s"), 0.97, (), seat, confidence))
    back = told(Seen("taken_back", 3.0, Card.of("9s"), 0.97, (), seat, confidence))
    assert isinstance(landed, Landed)
    assert isinstance(back, TakenBack)
    assert landed.seat == back.seat == named
    assert landed.seat_confidence == back.seat_confidence == (confidence if named != UNKNOWN else 1.0)
    assert landed.confidence == back.confidence == 0.97


@pytest.mark.parametrize(
    ("table", "count", "single", "wanted"),
    [
        pytest.param(standing(), 1, False, 1, id="nothing-owed-one-card"),
        pytest.param(standing(owed=4), 1, False, 4, id="one-reach-takes-what-is-owed"),
        pytest.param(standing(owed=4, penalties=(0, 1, 0)), 1, False, 5, id="with-the-penalty"),
        pytest.param(standing(owed=4), 3, True, 3, id="reaches-that-were-counted"),
    ],
)
def test_how_many_cards_were_taken(table: Standing, count: int, single: bool, wanted: int) -> None:
    taken = told(Seen("taken", 2.0, None, 0.9, (), "B", 0.99, count, single), table)
    assert isinstance(taken, Taken)
    assert (taken.seat, taken.count) == ("B", wanted)


def test_a_count_that_is_not_what_is_owed_is_not_sure() -> None:
    taken = told(Seen("taken", 2.0, None, 0.95, (), "B", 0.99, 3, True), standing(owed=4))
    assert isinstance(taken, Taken)
    assert not taken.sure
    assert (taken.confidence, taken.count_confidence, taken.seat_confidence) == (0.95, PRESUMED, 0.99)


def test_the_pile_is_recycled_only_when_the_other_one_may_have_run_out() -> None:
    assert isinstance(told(Seen("recycled", 2.0, None, 0.8), standing(left=2)), Recycled)
    assert told(Seen("recycled", 2.0, None, 0.8), standing(left=40)) is None


@pytest.mark.parametrize(
    ("modes", "seat_confidence", "confidence", "believed"),
    [
        pytest.param(("pointing",), 0.97, 0.95, True, id="awaited"),
        pytest.param((), 0.97, 0.95, False, id="not-awaited"),
        pytest.param(("pointing",), 0.9, 0.95, False, id="whose-arm"),
        pytest.param(("pointing",), 0.97, 0.8, False, id="at-whom"),
        pytest.param(("pointing", "queens"), 0.97, 0.95, False, id="at-which-hand"),
    ],
)
def test_a_pointing_is_believed_where_it_is_awaited_and_clear(
    modes: tuple[str, ...], seat_confidence: float, confidence: float, believed: bool
) -> None:
    seen = Seen("pointed", 5.0, None, confidence, (), "B", seat_confidence, at="C")
    found = told(seen, Standing(players="ABC", turn=None, modes=modes))
    expected = Pointed(t=5.0, seat="B", seat_confidence=seat_confidence, at="C", confidence=confidence, source="eye")
    assert found == (expected if believed else None)
