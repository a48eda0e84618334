"""What became of the pile, told from real pictures of it: the readings are the truth, what is told is the watcher's."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.look.detections import SeenCard
from vision.look.quads import Image, Quad
from vision.pile.passing import Glimpse
from vision.pile.stack import Change, Stack
from vision.pile.traces import Still
from vision.synthetic.match import art
from vision.synthetic.match.acts import Setting
from vision.synthetic.match.paint import Pose, Stuff, camera, put

SETTING = Setting(seats={"A": 270.0}, size=(480, 480), card=200, tilt=15)
ZONE = (20, 20, 440, 440)
Laid = tuple[str, Pose]

DECK = {name: Stuff(face) for name, face in art.deck("byronknoll").items()}
TOP = np.asarray(cv2.resize(art.table_top(np.random.default_rng(2), "wood"), (480, 480)), np.uint8)
VIEW = camera(SETTING)
HANDLED = 1.0

UNDER = ("9c", Pose(0.05, -0.05, 8))
SEVEN = ("7s", Pose(-0.04, 0.03, -6))
SECOND = ("7s", Pose(0.14, 0.10, 14))
QUEEN = ("Qh", Pose(0.06, -0.02, 11))


def picture(cards: Sequence[Laid], light: float = 1.0, seed: int = 0) -> Image:
    view = TOP.copy()
    for name, pose in cards:
        put(view, DECK[name], VIEW, pose, lifted=-0.6)
    noise = np.random.default_rng(seed).normal(0, 2, view.shape)
    return np.asarray((view * light + noise).clip(0, 255), np.uint8)


def quad(card: Laid) -> Quad:
    return DECK[card[0]].corners(VIEW, card[1])


def read(card: Laid, confidence: float = 0.98) -> SeenCard:
    return SeenCard(card[0], confidence, quad(card))


class Pile:
    """A pile that is looked at whenever it is at rest."""

    def __init__(self, *cards: Laid) -> None:
        self.stack = Stack()
        self.cards: list[Laid] = []
        self.stack.rest(Still.of(picture([]), ZONE))
        for card in cards:
            self.rests([*self.cards, card])

    def rests(
        self, cards: list[Laid], light: float = 1.0, glimpses: Sequence[Glimpse] = (), touched: float = HANDLED,
        others: Sequence[SeenCard] = (), hands: int = 1,
    ) -> list[tuple[str, str]]:  # fmt: skip
        self.cards = cards
        now = Still.of(picture(cards, light, len(cards)), ZONE)
        if not cards:
            return told(self.stack.without(now, touched))
        top = read(cards[-1])
        return told(self.stack.after(top, [top.quad] * 3, others, glimpses, now, touched, hands))

    @property
    def doubt(self) -> float:
        return self.stack.cards[-1].confidence


def told(changes: Sequence[Change]) -> list[tuple[str, str]]:
    return [(change.kind, change.card.card) for change in changes]


def glimpse(cards: list[Laid], count: int = 3) -> Glimpse:
    return Glimpse(read(cards[-1]), [Still.of(picture(cards), ZONE)], 0.0, 0.3, count)


def test_another_face_has_landed() -> None:
    pile = Pile(UNDER)
    assert pile.rests([UNDER, SEVEN]) == [("landed", "7s")]


def test_the_same_card_pushed_is_no_play() -> None:
    pile = Pile(UNDER, SEVEN)
    assert pile.rests([UNDER, ("7s", Pose(0.10, 0.14, 9))]) == []
    assert pile.rests([UNDER, ("7s", Pose(0.10, 0.14, 9)), QUEEN]) == [("landed", "Qh")]


def test_an_identical_card_on_top_is_a_play() -> None:
    pile = Pile(UNDER, SEVEN)
    assert pile.rests([UNDER, SEVEN, SECOND]) == [("landed", "7s")]
    assert pile.doubt > 0.9


def test_an_identical_card_that_hides_all_of_the_one_below_is_left_in_doubt() -> None:
    pile = Pile(SEVEN)
    pile.rests([SEVEN, ("7s", Pose(-0.03, 0.03, -4))])
    assert pile.doubt <= 0.5 or len(pile.stack.cards) == 1


def test_the_lamp_and_the_same_card_again_tell_nothing() -> None:
    pile = Pile(UNDER, SEVEN)
    for light in (0.7, 1.2, 1.0):
        assert pile.rests([UNDER, SEVEN], light) == []


def test_a_card_taken_back_shows_the_one_below() -> None:
    pile = Pile(UNDER, SEVEN)
    assert pile.rests([UNDER]) == [("taken_back", "7s")]
    assert pile.rests([UNDER, QUEEN]) == [("landed", "Qh")]


def test_a_card_taken_back_in_glaring_light_shows_the_one_below() -> None:
    under, over = ("Ad", Pose(0, 0, 3)), ("Ad", Pose(0.02, -0.01, 2))
    pile = Pile()
    pile.rests([under], 1.6)
    pile.rests([under, over], 1.6)
    assert pile.rests([under], 1.6) == [("taken_back", "Ad")]


def test_the_only_card_taken_back_leaves_the_table() -> None:
    pile = Pile(SEVEN)
    assert pile.rests([]) == [("taken_back", "7s")]


def test_nobody_touched_it_so_nothing_was_taken_back() -> None:
    pile = Pile(SEVEN)
    assert pile.rests([], touched=0.0) == []


def test_two_cards_at_once_the_lower_still_showing() -> None:
    pile = Pile(UNDER)
    lower = [read(SEVEN, 0.97)] * 3
    assert pile.rests([UNDER, SEVEN, QUEEN], others=lower, hands=2) == [("landed", "7s"), ("landed", "Qh")]


@pytest.mark.parametrize("count", [2, 4])
def test_two_cards_at_once_the_lower_seen_for_a_moment(count: int) -> None:
    pile = Pile(UNDER)
    hidden = ("7s", Pose(0.06, -0.02, 10))
    seen = [glimpse([UNDER, hidden], count)]
    assert pile.rests([UNDER, hidden, QUEEN], glimpses=seen, hands=2) == [("landed", "7s"), ("landed", "Qh")]


def test_an_identical_pair_seen_one_after_the_other() -> None:
    pile = Pile(UNDER)
    assert pile.rests([UNDER, SEVEN, SECOND], glimpses=[glimpse([UNDER, SEVEN])], hands=2) == [
        ("landed", "7s"),
        ("landed", "7s"),
    ]


def test_a_card_put_straight_after_it_landed_is_one_card() -> None:
    pile = Pile(UNDER)
    before = glimpse([UNDER, ("7s", Pose(-0.16, 0.12, -20))])
    assert pile.rests([UNDER, SEVEN], glimpses=[before]) == [("landed", "7s")]


def test_the_pile_taken_from_under_its_top_card_was_recycled() -> None:
    wide = ("9c", Pose(0.2, -0.2, 40))
    pile = Pile(wide, QUEEN, ("4d", Pose(-0.2, 0.1, -30)), SEVEN)
    assert pile.rests([SEVEN], touched=2.0) == [("recycled", "")]
    assert len(pile.stack.cards) == 1
    assert pile.rests([("7s", Pose(0.04, 0.06, -6))]) == []  # pushed, and what lay under it before has gone


def test_a_bumped_camera_moves_the_pile_and_nothing_has_happened() -> None:
    pile = Pile(UNDER, SEVEN)
    step = 0.05
    moved = [(name, pose.moved(step, step)) for name, pose in (UNDER, SEVEN)]
    assert pile.rests(moved, touched=0.0) == []
    assert pile.rests([*moved, QUEEN]) == [("landed", "Qh")]


def test_an_unread_card_that_becomes_readable_is_no_second_play() -> None:
    pile = Pile(UNDER)
    unread = SeenCard("?", 0.6, quad(SEVEN), True, (("7s", 0.6), ("7c", 0.3)))
    now = Still.of(picture([UNDER, SEVEN]), ZONE)
    pile.stack.after(unread, [unread.quad] * 3, (), (), now, HANDLED, 1)
    assert pile.rests([UNDER, SEVEN]) == []
    assert pile.stack.cards[-1].card == "7s"


def test_an_unread_card_that_is_pushed_and_becomes_readable_is_no_second_play() -> None:
    pile = Pile(UNDER)
    unread = SeenCard("?", 0.6, quad(SEVEN), True, (("7s", 0.6), ("7c", 0.3)))
    now = Still.of(picture([UNDER, SEVEN]), ZONE)
    pile.stack.after(unread, [unread.quad] * 3, (), (), now, HANDLED, 1)
    assert pile.rests([UNDER, ("7s", Pose(0.10, 0.14, 9))]) == []
    assert pile.stack.cards[-1].card == "7s"
    assert pile.rests([UNDER, ("7s", Pose(0.10, 0.14, 9)), ("7s", Pose(-0.05, -0.02, -4))]) == [("landed", "7s")]


def test_another_card_laid_on_an_unread_one_is_a_play() -> None:
    """Of two faces that are alike the upper one is no second look at the lower one: the picture has changed."""
    pile = Pile(UNDER)
    pile.cards = [UNDER, SEVEN]
    now = Still.of(picture(pile.cards), ZONE)
    unread = SeenCard("?", 0.6, quad(SEVEN), True, (("7s", 0.6), ("8s", 0.2)))
    assert told(pile.stack.after(unread, [unread.quad] * 3, (), (), now, HANDLED, 1)) == [("landed", "?")]
    assert pile.rests([UNDER, SEVEN, ("8s", Pose(-0.02, 0.01, -2))]) == [("landed", "8s")]


def test_of_two_unread_cards_that_do_not_look_alike_the_second_is_a_play() -> None:
    pile = Pile(UNDER)
    for card, others, answer in (
        (SEVEN, (("7s", 0.6), ("7c", 0.3)), [("landed", "?")]),
        (("Qh", SEVEN[1]), (("Qh", 0.6), ("Qd", 0.3)), [("landed", "?")]),
        (("Qh", SEVEN[1]), (("Qd", 0.5), ("Qh", 0.4)), []),
    ):
        pile.cards = [*pile.cards, card] if answer else pile.cards
        unread = SeenCard("?", 0.6, quad(card), True, others)
        now = Still.of(picture(pile.cards), ZONE)
        assert told(pile.stack.after(unread, [unread.quad] * 3, (), (), now, HANDLED, 1)) == answer


@pytest.mark.parametrize("face", ["7s", "Ad"])
def test_an_identical_card_laid_almost_exactly_on_the_other_is_told_with_doubt(face: str) -> None:
    first = (face, Pose(-0.04, 0.03, -6))
    pile = Pile(UNDER, first)
    assert pile.rests([UNDER, first, (face, Pose(-0.02, 0.04, -8))]) == [("landed", face)]
    assert pile.doubt <= 0.5


def test_a_hand_that_only_rested_on_the_pile_is_no_second_card() -> None:
    pile = Pile(UNDER, SEVEN)
    assert pile.rests([UNDER, SEVEN], touched=3.0) == []


def test_another_card_with_a_face_from_below_is_a_play_and_nothing_was_taken_back() -> None:
    pile = Pile(SEVEN, QUEEN)
    assert pile.rests([SEVEN, QUEEN, ("7s", Pose(-0.02, 0.02, -5))]) == [("landed", "7s")]


def test_a_card_that_slid_off_is_not_played_when_the_top_card_is_hidden() -> None:
    slid = ("9c", Pose(0.75, 0.1, 20))
    pile = Pile(slid, SEVEN)
    now = Still.of(picture([slid, SEVEN, QUEEN]), ZONE)
    assert told(pile.stack.after(read(slid), [quad(slid)] * 3, (), (), now, HANDLED, 1)) == []


def test_what_a_second_hand_did_is_asked_when_nothing_shows_it() -> None:
    pile = Pile(UNDER)
    assert pile.rests([UNDER, SEVEN], hands=2) == [("landed", "7s"), ("landed", "7s")]
    assert pile.doubt <= 0.5


def test_a_shadow_over_the_same_card_is_no_second_one() -> None:
    pile = Pile(UNDER, SEVEN)
    ramp = np.linspace(0.6, 1.0, 480)[:, None, None]
    now = Still.of(np.asarray((picture([UNDER, SEVEN]) * ramp).clip(0, 255), np.uint8), ZONE)
    assert told(pile.stack.after(read(SEVEN), [quad(SEVEN)] * 3, (), (), now, HANDLED, 1)) == []


def test_a_card_seen_for_a_moment_was_played_though_its_face_lies_hidden_further_down() -> None:
    quick, hidden = ("7s", Pose(-0.01, 0.02, -3)), ("7s", Pose(0.03, -0.01, 2))
    over = ("7c", Pose(0.02, 0.0, 1))
    pile = Pile(hidden, over)
    cards = [hidden, over, quick]
    assert pile.rests([*cards, ("8s", Pose(0, 0.02, -2))], glimpses=[glimpse(cards)], hands=2) == [
        ("landed", "7s"),
        ("landed", "8s"),
    ]


def test_two_identical_cards_laid_as_it_seems_by_one_hand_are_asked_about_if_the_picture_shows_both() -> None:
    first, second = ("7s", Pose(-0.04, 0.03, -6)), ("7s", Pose(0.14, 0.10, 14))
    pile = Pile(UNDER)
    assert pile.rests([UNDER, first, second], glimpses=[glimpse([UNDER, first])]) == [
        ("landed", "7s"),
        ("landed", "7s"),
    ]
    assert pile.stack.cards[-2].confidence < 0.9 < pile.doubt
    pile = Pile(UNDER)
    assert pile.rests([UNDER, second], glimpses=[glimpse([UNDER, first])]) == [("landed", "7s")]  # it was put right
    twice = [glimpse([UNDER, first]), Glimpse(read(second), [], 0.2, 0.4, 2)]  # two outlines of it at the same time
    twice[1].stills = twice[0].stills
    pile = Pile(UNDER)
    assert pile.rests([UNDER, first, second], glimpses=twice) == [("landed", "7s")]


def test_a_card_seen_for_long_beneath_another_was_played_though_nothing_of_it_can_tell() -> None:
    first, second = ("7s", Pose(0.0, 0.0, 0)), ("Qh", Pose(0.09, 0.06, 0))
    blank = Pile()
    blank.rests([("Kd", Pose(0.0, 0.0, 0))])
    lay = [("Kd", Pose(0.0, 0.0, 0)), first]
    assert blank.rests([*lay, second], glimpses=[glimpse(lay, 4)], hands=2) == [("landed", "7s"), ("landed", "Qh")]


def test_of_two_hands_cards_the_one_seen_only_in_passing_is_asked_about_by_its_name() -> None:
    pile = Pile(UNDER)
    passing = Glimpse(read(SEVEN, 1.0), [Still.of(picture([UNDER]), ZONE)], 0.0, 0.0, 1)
    passing.stills = [Still.of(picture([UNDER, ("7s", Pose(-0.3, 0.3, -6))]), ZONE)]
    top = ("Qh", SEVEN[1])
    changes = pile.rests([UNDER, top], glimpses=[passing], hands=2)
    assert changes == [("landed", "7s"), ("landed", "Qh")]
    assert pile.stack.cards[-2].confidence <= 0.5 < pile.doubt


def test_a_hand_over_a_card_in_the_last_picture_of_it_hides_no_play() -> None:
    first = ("7s", Pose(-0.04, 0.03, -6))
    hidden = cv2.circle(picture([UNDER, first]), (180, 240), 110, (110, 140, 190), -1)
    seen = Glimpse(read(first), [Still.of(picture([UNDER, first]), ZONE), Still.of(hidden, ZONE)], 0.0, 0.3, 2)
    pile = Pile(UNDER)
    assert pile.rests([UNDER, first, SECOND], glimpses=[seen], hands=2) == [("landed", "7s"), ("landed", "7s")]
    assert pile.stack.cards[-2].confidence > 0.9


def test_a_card_read_better_in_passing_than_at_rest_is_one_play() -> None:
    pile = Pile(UNDER)
    pile.cards = [UNDER, SEVEN]
    now = Still.of(picture(pile.cards), ZONE)
    unread = SeenCard("?", 0.6, quad(SEVEN), True, (("7s", 0.6), ("7c", 0.3)))
    changes = pile.stack.after(unread, [unread.quad] * 3, (), [glimpse(pile.cards)], now, HANDLED, 1)
    assert told(changes) == [("landed", "?")]


SLID = ("7s", Pose(0.75, 0.1, 20))


def test_the_top_card_pushed_off_the_pile_shows_the_one_below_and_nothing_was_played() -> None:
    pile = Pile(UNDER, SEVEN)
    assert pile.rests([SLID, UNDER], others=[read(SLID)] * 3) == []
    assert pile.rests([SLID, UNDER, QUEEN], others=[read(SLID)] * 3) == [("landed", "Qh")]


def test_a_card_that_slid_off_by_itself_and_is_pushed_then_is_no_play() -> None:
    pile = Pile(UNDER, SEVEN)
    assert pile.rests([SLID, UNDER], touched=0.0, others=[read(SLID)] * 3) == []
    pushed = ("7s", Pose(0.8, 0.18, 26))
    assert pile.rests([UNDER, pushed], others=[read(UNDER)] * 3) == []


def test_a_card_where_one_of_its_face_lay_before_is_a_play_though_the_last_one_lies_beside() -> None:
    aside = ("Qh", Pose(0.75, 0.1, 20))
    pile = Pile(SEVEN, aside)
    moved = ("7s", Pose(0.06, -0.04, 4))
    assert pile.rests([aside, moved], others=[read(aside)] * 3) == [("landed", "7s")]


def test_a_card_that_lies_beside_the_pile_is_not_played_when_the_lamp_is_turned_up() -> None:
    pile = Pile()
    for cards in ([("7s", Pose(0, 0))], [("7s", Pose(0, 0)), UNDER], [SLID, UNDER]):  # nobody saw it slide
        pile.rests(cards, 0.85)
    bright = Glimpse(read(SLID), [Still.of(picture([SLID, UNDER], 1.2), ZONE)], 0.0, 0.3, 3)
    assert pile.rests([SLID, UNDER, QUEEN], 1.2, glimpses=[bright], others=[read(SLID)] * 3) == [("landed", "Qh")]


def test_a_glass_over_the_top_card_is_no_second_one() -> None:
    pile = Pile(UNDER, SEVEN)
    view = cv2.circle(picture([UNDER, SEVEN]), (250, 260), 60, (90, 110, 120), -1)
    nearly = SeenCard("7s", 0.9, quad(SEVEN) + 1.5)
    assert told(pile.stack.after(nearly, [nearly.quad] * 3, (), (), Still.of(view, ZONE), HANDLED, 1)) == []


def test_a_card_that_went_while_none_could_be_read_was_perhaps_taken_back() -> None:
    pile = Pile(SLID, ("Qh", Pose(-0.2, 0.0, 0)))
    now = Still.of(picture([SLID]), ZONE)
    (change,) = pile.stack.without(now, HANDLED)
    assert (change.kind, change.card.card) == ("taken_back", "Qh")
    assert change.card.confidence <= 0.5
    (change,) = Pile(SEVEN).stack.without(Still.of(picture([]), ZONE), HANDLED)
    assert (change.kind, change.card.confidence) == ("taken_back", pytest.approx(0.98))


def test_what_was_doubtful_when_it_came_is_doubtful_when_it_is_taken_back() -> None:
    pile = Pile(UNDER)
    pile.cards = [UNDER, SEVEN]
    now = Still.of(picture(pile.cards), ZONE)
    pile.stack.after(read(SEVEN, 0.5), [quad(SEVEN)] * 3, (), (), now, HANDLED, 1)
    back = pile.stack.after(read(UNDER), [quad(UNDER)] * 3, (), (), Still.of(picture([UNDER]), ZONE), HANDLED, 1)
    assert told(back) == [("taken_back", "7s")]
    assert back[0].card.confidence <= 0.5


def test_two_packs_have_no_third_card_of_a_face() -> None:
    pile = Pile(UNDER, SEVEN, SECOND)
    pile.rests([UNDER, SEVEN, SECOND, ("7s", Pose(-0.1, -0.12, -20))])
    assert len(pile.stack.cards) == 3 or pile.doubt <= 0.5


@pytest.mark.parametrize("moved", ["7s", "?", "9c"], ids=["read", "unread", "the-one-below-it"])
def test_a_pile_that_lies_elsewhere_after_the_camera_was_bumped_has_no_new_card(moved: str) -> None:
    pile = Pile(UNDER, SEVEN)
    step = np.array([9, -5], np.float32)
    seen = UNDER if moved == "9c" else SEVEN
    found = SeenCard(moved, 0.98, quad(seen) + step, True, (("7s", 0.6), ("7c", 0.3)) if moved == "?" else ())
    shifted = np.roll(picture([UNDER, SEVEN]), (-5, 9), (0, 1))
    assert told(pile.stack.jolted(found, Still.of(shifted, ZONE))) == []
    top = pile.stack.cards[-1]
    assert top.card == "7s"
    assert np.abs(top.quad - (quad(SEVEN) + step)).max() < 0.01


def test_another_card_that_comes_into_view_when_the_camera_is_moved_was_not_played() -> None:
    pile = Pile(UNDER, SEVEN)
    assert told(pile.stack.jolted(read(QUEEN), Still.of(picture([UNDER, SEVEN, QUEEN]), ZONE))) == []
    assert pile.stack.cards[-1].card == "Qh"
