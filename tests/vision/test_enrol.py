"""A deck is enrolled from photos or a dealing, kept in a file, and read by its own looks from then on."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.enrol.dealing import Dealing, Shown, in_photo
from vision.enrol.enrolment import Enrolment, name_of_photo, names_in
from vision.faults import VisionError
from vision.input.frames import Frame
from vision.input.sources import read_picture
from vision.look.deck_reader import reader_for
from vision.look.decks import load, names, path_of
from vision.look.eye import Eye
from vision.look.faces import ANY, FRENCH, UNO
from vision.look.outlines import card_outlines
from vision.look.prototypes import Prototypes
from vision.look.quads import MARGIN, SIZE, Image, rectify

PHOTOS = Path(__file__).parents[1] / "data" / "vision"


@pytest.fixture(scope="module")
def any_eye() -> Eye:
    return Eye(ANY)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REFEREE_DECKS", str(tmp_path / "decks"))
    return tmp_path / "decks"


def photographed(eye: Eye, *photos: str, order: tuple[str, ...] = ()) -> Enrolment:
    enrolment = Enrolment("ours", eye.reader, order)
    for photo in photos:
        for shown in in_photo(eye, read_picture(PHOTOS / f"{photo}.jpg"), photo):
            enrolment.add(shown)
    enrolment.finish()
    return enrolment


def strange_card(number: int) -> Image:
    """A face that no network was trained on: coloured shapes, another for each number."""
    rng = np.random.default_rng(number)
    card = np.full((300, 200, 3), 250, np.uint8)
    for _ in range(5):
        colour = [int(part) for part in rng.integers(0, 220, 3)]
        x, y = int(rng.integers(40, 160)), int(rng.integers(40, 260))
        if rng.random() < 0.5:
            cv2.circle(card, (x, y), int(rng.integers(15, 35)), colour, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(card, (x - 30, y - 15), (x + 30, y + 20), colour, -1)
    return card


def laid(table: Image, card: Image, x: float, y: float, angle: float = 5.0) -> Image:
    """The table with that card on it, its middle at (x, y)."""
    height, width = card.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    move[:, 2] += [x - width / 2, y - height / 2]
    size = (table.shape[1], table.shape[0])
    inside = cv2.warpAffine(np.full((height, width), 255, np.uint8), move, size)
    made = table.copy()
    made[inside > 0] = cv2.warpAffine(card, move, size)[inside > 0]
    return made


def dealt(cards: list[Image], seed: int = 1) -> Iterator[Frame]:
    """The cards laid down one after the other on a pile, ten frames a second, in from the side."""
    rng = np.random.default_rng(seed)
    table = np.full((540, 960, 3), (70, 110, 60), np.uint8)
    index = 0
    for card in cards:
        angle = float(rng.normal(0, 4))
        for step in range(10):
            view = laid(table, card, 480 + max(0, 3 - step) * 150, 270, angle)
            noisy = view + rng.normal(0, 2, view.shape)
            yield Frame(np.clip(noisy, 0, 255).astype(np.uint8), index / 10, index)
            index += 1
        table = laid(table, card, 480, 270, angle)


def test_a_deck_enrolled_from_photos_is_read_in_others(any_eye: Eye) -> None:
    enrolment = photographed(any_eye, "four-clubs", "four-aces")
    assert set(enrolment.progress().cards) == {"Ac", "2c", "3c", "4c", "Ad", "Ah", "As"}
    enrolment.deck().save()
    other = cv2.convertScaleAbs(np.ascontiguousarray(np.rot90(read_picture(PHOTOS / "four-aces.jpg"))), alpha=0.8)
    seen = Eye("ours").look(np.asarray(other, np.uint8))
    assert sorted(seen.cards) == ["Ac", "Ad", "Ah", "As"]


def test_a_card_that_is_not_in_the_deck_is_none_the_eye_knows(any_eye: Eye) -> None:
    photographed(any_eye, "four-aces").deck().save()
    assert Eye("ours").look(read_picture(PHOTOS / "7s-table.jpg")).cards in ((), ("?",))
    assert Eye("french").look(read_picture(PHOTOS / "7s-table.jpg")).cards == ("7s",)


def test_the_same_card_in_two_photos_is_one_card_with_more_views(any_eye: Eye) -> None:
    enrolment = photographed(any_eye, "four-aces", "four-aces")
    assert len(enrolment.progress().cards) == 4
    assert len(enrolment.deck().cards) == 8


def test_progress_says_what_is_missing(any_eye: Eye) -> None:
    progress = photographed(any_eye, "four-aces").progress()
    assert progress.expected == FRENCH
    assert len(progress.missing) == 49
    assert not progress.complete
    assert not set(progress.missing) & {"Ac", "Ad", "Ah", "As"}


def test_strange_cards_are_found_named_by_order_and_told_apart(any_eye: Eye) -> None:
    order = ("fox", "owl", "hare", "toad", "carp", "wren")
    enrolment = Enrolment("animals", any_eye.reader, order)
    dealing = Dealing(any_eye)
    for frame in dealt([strange_card(number) for number in range(6)]):
        shown = dealing.watch(frame)
        if shown is not None:
            enrolment.add(shown)
    enrolment.finish()
    assert enrolment.progress().cards == order
    assert enrolment.progress().complete
    enrolment.deck().save()
    eye = Eye("animals")
    table = np.full((540, 960, 3), (50, 60, 120), np.uint8)
    for number, name in enumerate(order):
        assert eye.look(laid(table, strange_card(number), 300, 250, 24)).cards == (name,)
    assert eye.look(laid(table, strange_card(77), 300, 250, 24)).cards in ((), ("?",))
    assert eye.look(table).cards == ()


def test_a_strange_card_lying_upside_down_begins_at_its_own_top_left(any_eye: Eye) -> None:
    table = np.full((400, 400, 3), (70, 110, 60), np.uint8)
    enrolment = Enrolment("shapes", any_eye.reader)
    for number, name in enumerate(("moon", "star", "sun")):
        (shown,) = in_photo(any_eye, laid(table, strange_card(number), 200, 200, 3), name)
        enrolment.add(shown, name)
    enrolment.deck().save()
    reader = reader_for("shapes", any_eye.reader.path)
    quads = []
    for angle in (3, 183):
        picture = laid(table, strange_card(1), 200, 200, angle)
        (quad, *_) = card_outlines(picture)
        quads.append(reader.read(picture, quad[None])[0].quad)
    assert np.abs(quads[0] - np.roll(quads[1], 2, axis=0)).max() < 6


def test_an_order_with_another_count_is_refused_for_strange_cards(any_eye: Eye) -> None:
    enrolment = Enrolment("animals", any_eye.reader, ("fox", "owl", "hare"))
    enrolment.add(Shown(strange_view(0)[None], np.zeros((4, 2), np.float32)))
    with pytest.raises(VisionError, match="1 different cards were seen, but 3 are named"):
        enrolment.finish()


def test_an_order_that_the_reader_surely_contradicts_is_not_believed(any_eye: Eye) -> None:
    enrolment = photographed(any_eye, "four-aces", order=("Kc", "Kd", "Kh", "Ks"))
    assert not set(enrolment.progress().cards) & {"Kc", "Kd", "Kh", "Ks"}


def strange_view(number: int) -> Image:
    picture = laid(np.full((400, 400, 3), 90, np.uint8), strange_card(number), 200, 200, 0)
    return rectify(picture, card_outlines(picture)[0], SIZE, MARGIN)


def test_questions_are_asked_for_what_nobody_can_name_and_answers_name_it(any_eye: Eye) -> None:
    enrolment = photographed(any_eye, "four-aces")
    place = np.array([[0, 0], [10, 0], [10, 20], [0, 20]], np.float32)
    enrolment.add(Shown(strange_view(3)[None], place, 7.5))
    enrolment.add(Shown(strange_view(4)[None], place + 50, 9.5))
    enrolment.finish()
    first, second = enrolment.questions()
    assert (first.number, first.t) == (5, 7.5)
    assert first.view.shape == (SIZE[1], SIZE[0], 3)
    with pytest.raises(VisionError, match="no card 'unicorn': write Qh"):
        enrolment.answer(first.number, "unicorn")
    enrolment.answer(first.number, "Jk")
    enrolment.answer(second.number, None)
    assert enrolment.questions() == ()
    assert set(enrolment.deck().faces) == {"Ac", "Ad", "Ah", "As", "Jk"}


def test_a_deck_of_one_card_is_refused(any_eye: Eye) -> None:
    with pytest.raises(VisionError, match="fewer than two of the 1 cards seen have a name: deal the deck face up"):
        photographed(any_eye, "7s-table").deck()


def test_another_reader_looks_again_at_the_kept_views(any_eye: Eye, folder: Path) -> None:
    path = photographed(any_eye, "four-aces").deck().save()
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(parts["deck.json"])
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, json.dumps(about | {"reader": "an older one"}) if name == "deck.json" else part)
    assert load("ours").checksum == "an older one"
    reader_for("ours", any_eye.reader.path)
    assert load("ours").checksum == any_eye.reader.checksum
    assert not list(folder.glob("*.part"))


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.write_bytes(b"not a deck"), id="no archive"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:2000]), id="cut off"),
        pytest.param(lambda path: rewritten(path, "deck.json", b"{}"), id="no names"),
        pytest.param(lambda path: rewritten(path, "0002.jpg", b""), id="no picture"),
        pytest.param(lambda path: rewritten(path, "features.npy", b"\x93NUMPY"), id="no features"),
        pytest.param(lambda path: rewritten(path, "deck.json", b'{"format": 2}'), id="a later format"),
    ],
)
def test_a_damaged_deck_says_what_to_do(any_eye: Eye, damage: object) -> None:
    path = photographed(any_eye, "four-aces").deck().save()
    assert callable(damage)
    damage(path)
    with pytest.raises(VisionError, match=r"ours\.deck is damaged .*: delete it and run `referee enrol ours` again"):
        Eye("ours")


def rewritten(path: Path, part: str, content: bytes) -> None:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, kept in (parts | {part: content}).items():
            archive.writestr(name, kept)


def test_an_unknown_deck_names_the_enrolled_ones_too(any_eye: Eye) -> None:
    photographed(any_eye, "four-aces").deck().save()
    assert names() == ("french", "uno", "ours")
    with pytest.raises(
        VisionError, match="no deck called 'tarot': use one of french, uno, ours, or learn it with `referee enrol`"
    ):
        Eye("tarot")


@pytest.mark.parametrize("name", ["french", "uno", "any", "", "../ours", "a/b", ".hidden", "x" * 41])
def test_names_that_are_none_for_a_deck(name: str) -> None:
    with pytest.raises(VisionError):
        path_of(name)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("Qh, Td  Jk", ("Qh", "Td", "Jk")),
        ("Jc-Kc", ("Jc", "Qc", "Kc")),
        ("r8-r9 W+4", ("r8", "r9", "W+4")),
        ("french", FRENCH),
        ("uno", UNO),
        ("red-fox\nred-owl", ("red-fox", "red-owl")),
    ],
)
def test_orders(text: str, cards: tuple[str, ...]) -> None:
    assert names_in(text) == cards


@pytest.mark.parametrize("text", ["", " , ", "Kc-Ac", "Ac-Kd", "none", "?"])
def test_orders_that_are_none(text: str) -> None:
    with pytest.raises(VisionError):
        names_in(text)


@pytest.mark.parametrize(("stem", "card"), [("Qh", "Qh"), ("Qh_2", "Qh"), ("W+4 (3)", "W+4"), ("red-fox_1", "red-fox")])
def test_names_of_photos(stem: str, card: str) -> None:
    assert name_of_photo(stem) == card


def test_likeness_never_hides_a_card_that_the_reader_sees_by_itself(any_eye: Eye) -> None:
    deck = photographed(any_eye, "four-aces").deck()
    prototypes = Prototypes(deck, any_eye.reader.classes)
    columns = len(deck.faces) + 2
    own = np.full((1, columns), 0.02 / columns, np.float32)
    own[0, 0] += 0.98
    unlike = (
        np.zeros((1, deck.features.shape[2]), np.float32) if deck.features is not None else np.zeros((1, 1), np.float32)
    )
    scores, _ = prototypes.weigh(own, np.zeros(1, np.bool_), unlike)
    assert scores[0].argmax() == 0
    assert scores[0, -1] <= own[0, -1] + 1e-6
