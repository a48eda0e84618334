"""What may go wrong with a camera is told on the dashboard while it lasts, and the match goes on."""

import contextlib
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.store.log import keep
from referee.table.clock import LiveClock
from tests.referee.filmed_table import HIGH, WIDE, FilmedTable, filmed, frames, noisy
from tests.referee.network_camera import phone
from tests.vision.pictures import claiming, hidden, jpeg
from vision.input.live import Doubt
from vision.layout.places import Layout
from vision.look.quads import Image
from vision.pile.discard import PileWatcher

LAYOUT = Layout((500, 150, 260, 260), (150, 150, 240, 260), {"A": 90.0})


@pytest.fixture(scope="module")
def image() -> Image:
    return next(frames(1)).image


@pytest.fixture
def table() -> Iterator[FilmedTable]:
    with filmed(LAYOUT) as table:
        yield table


def rest(table: FilmedTable, image: Image, pictures: int = 6) -> None:
    """Nothing moves for a while."""
    for number in range(pictures):
        table.show(noisy(image, number + round(table.now * 100)))


def shifted(image: Image, dx: float, dy: float, turn: float = 0.0) -> Image:
    onto = cv2.getRotationMatrix2D((WIDE / 2, HIGH / 2), turn, 1.0)
    onto[:, 2] += dx, dy
    return np.asarray(cv2.warpAffine(image, onto, (WIDE, HIGH), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def coded(image: Image) -> bytes:
    return cv2.imencode(".jpg", image)[1].tobytes()


def until(done: Callable[[], bool]) -> None:
    """Wait until the camera's thread has come as far."""
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


def zones(table: FilmedTable) -> Layout:
    return Layout.from_json(table.camera.look()["layout"])


# Pictures that show nothing


def test_a_black_picture_is_told_and_forgotten_when_it_is_over(table: FilmedTable, image: Image) -> None:
    rest(table, image)
    assert table.health().state == "ok"
    black = np.zeros_like(image)
    table.show(black)
    assert table.health().state == "ok"  # somebody's hand may be over the lens
    rest(table, black)
    assert (table.health().state, "black" in table.health().detail) == ("waiting", True)
    table.show(image)
    assert table.health().state == "ok"
    rest(table, image)
    assert table.noticed == []


def test_the_same_picture_again_and_again_is_told_within_three_seconds(table: FilmedTable, image: Image) -> None:
    rest(table, image)
    table.show(image)
    since = table.now
    while table.health().state == "ok":
        table.show(image)
    assert table.now - since <= 3.0
    assert "again and again" in table.health().detail
    table.show(noisy(image, 5))
    assert table.health().state == "ok"


def test_no_picture_at_all_is_told_within_three_seconds(table: FilmedTable, image: Image) -> None:
    rest(table, image)
    table.now += 2.4
    assert table.health().state == "ok"
    table.now += 0.6
    assert (table.health().state, "Tap the plays" in table.health().detail) == ("waiting", True)
    table.show(noisy(image, 1))
    assert table.health().state == "ok"


def test_frames_that_came_too_fast_are_counted(table: FilmedTable, image: Image) -> None:
    with filmed() as busy:
        for _ in range(5):
            busy.source.push(b"\xff\xd8 no picture", busy.now)
        busy.show(image)
        counts = busy.health().counts
    assert counts["dropped"] + counts["unreadable"] == 5


def test_a_camera_in_its_night_mode_is_told_while_it_lasts(table: FilmedTable, image: Image) -> None:
    rest(table, image, 2)
    assert table.health().detail == ""
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    table.now += 2
    rest(table, np.asarray(grey, np.uint8), 2)
    assert (table.health().state, "no colour" in table.health().detail) == ("ok", True)
    table.now += 2
    rest(table, image, 2)
    assert table.health().detail == ""


LENT = {
    "a line": jpeg(90, 65500, 1),
    "a column": jpeg(90, 1, 65500),
    "huge behind a small header": hidden(65500, 65500),
    "huge": claiming(16000, 16000),
    "cut off": jpeg(90)[:200],
}


def test_lent_pictures_that_are_none_are_told_and_the_next_good_one_looked_at(table: FilmedTable, image: Image) -> None:
    rest(table, image, 2)
    since = table.now
    for lent in (*LENT.values(), *LENT.values()):
        table.now += 0.25
        bad = table.source.unreadable
        table.source.push(lent, table.now)
        until(lambda bad=bad: table.source.unreadable > bad)  # type: ignore[misc]
    assert table.health().state == "ok"
    table.now = since + 3.0
    health = table.health()
    assert (health.state, "sends no pictures" in health.detail) == ("waiting", True)
    assert health.age == pytest.approx(3.0)  # of the last picture that was looked at
    table.show(noisy(image, 7))
    until(lambda: table.health().state == "ok")
    assert table.health().age < 1
    assert [card["card"] for card in table.camera.look()["cards"] if card["card"] != "back"] == ["Qh"]
    assert table.noticed == []


def test_pictures_of_any_shape_one_after_the_other_break_nothing(image: Image) -> None:
    rng = np.random.default_rng(4)
    with filmed() as table:
        for _ in range(8):
            wide = int(rng.integers(16, 700))
            high = int(np.clip(wide * rng.uniform(0.125, 8), max(16, wide / 8 + 1), 900))
            table.show(np.asarray(cv2.resize(image, (wide, min(high, 8 * wide))), np.uint8))
        table.show(image)
        assert table.health().counts["broken"] == table.health().counts["unreadable"] == 0
        assert [card["card"] for card in table.camera.look()["cards"] if card["card"] != "back"] == ["Qh"]


@pytest.mark.parametrize("part", [(Doubt, "see"), (PileWatcher, "watch")], ids=["before", "while"])
def test_whatever_breaks_on_one_picture_is_logged_and_the_next_one_looked_at(
    table: FilmedTable, image: Image, part: tuple[type, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keep(tmp_path)
    whole = getattr(*part)

    def broken(*args: object, **more: object) -> object:
        raise RuntimeError("a foreign library\nsays so, of http://me:secret@phone/video?key=secret")

    monkeypatch.setattr(*part, broken)
    before = 0
    while before < 3:
        table.now += 0.25
        table.source.push(cv2.imencode(".jpg", image)[1].tobytes(), table.now)
        until(lambda before=before: table.health().counts["broken"] > before)  # type: ignore[misc]
        before = table.health().counts["broken"]
    assert "cannot read" in table.health().detail
    monkeypatch.setattr(*part, whole)
    while table.looked_at():
        pass
    table.show(image)
    until(lambda: table.health().state == "ok")
    (line,) = [line for line in (tmp_path / "referee.log").read_text().splitlines() if "broke the eye" in line]
    assert f"{WIDE} x {HIGH}" in line
    assert "RuntimeError: a foreign library | says so" in line
    assert "secret" not in line


# A camera that comes back otherwise


def test_a_camera_that_returns_with_a_smaller_picture_goes_on(table: FilmedTable, image: Image) -> None:
    rest(table, image)
    rest(table, np.asarray(cv2.resize(image, (640, 360), interpolation=cv2.INTER_AREA), np.uint8))
    assert zones(table).discard == LAYOUT.discard
    assert [card["card"] for card in table.camera.look()["cards"] if card["card"] != "back"] == ["Qh"]
    assert table.noticed == []
    assert table.health("zones").detail == ""


def test_a_camera_that_returns_upright_is_told_and_looks_for_the_pile_by_itself(
    table: FilmedTable, image: Image
) -> None:
    rest(table, image)
    upright = np.ascontiguousarray(image[:, 400:800])
    rest(table, upright, 8)
    assert (table.health("zones").state, "check the zones" in table.health("zones").detail) == ("waiting", True)
    assert zones(table).seats == LAYOUT.seats
    assert zones(table).pick_up is None
    assert table.noticed == []  # the card that lies there is no play
    table.camera.lay_out({"discard": [100, 150, 260, 260], "seats": {"A": 90}})
    table.show(upright)
    assert table.health("zones").state == "ok"


def test_a_phone_that_is_turned_shows_its_true_picture_and_the_pile_is_found_anew(image: Image) -> None:
    upright = np.ascontiguousarray(image[:, 400:704])
    with contextlib.ExitStack() as stack:
        turned = stack.enter_context(phone(seconds=0.1))
        turned.frames.clear()
        turned.rest = [coded(noisy(image, number)) for number in range(3)]
        table = stack.enter_context(filmed(url=turned.url))
        until(lambda: table.picture() is not None and table.camera.look()["layout"]["discard"] is not None)
        assert table.camera.look()["size"] == [WIDE, HIGH]
        turned.rest = [coded(noisy(upright, number)) for number in range(3)]
        until(lambda: table.camera.look()["size"] == [304, HIGH])
        until(lambda: table.camera.look()["layout"]["discard"] is not None)
        seen = table.camera.look()
        assert [card["card"] for card in seen["cards"] if card["card"] != "back"] == ["Qh"]
        x, _, width, _ = seen["layout"]["discard"]
        assert 0 <= x < x + width <= 304
        assert table.health("zones").state == "ok"  # nobody had set them


def test_a_layout_that_does_not_fit_the_camera_is_told_and_the_pile_found(image: Image) -> None:
    with filmed(Layout((2000, 100, 300, 300))) as table:
        rest(table, image)
        assert table.health("zones").state == "waiting"
        assert "does not lie in the picture" in table.health("zones").detail
        found = zones(table).discard
    assert found is not None
    assert found[0] < 600 < found[0] + found[2]


# A camera that was moved


def test_a_nudged_camera_is_told_and_both_zones_follow(table: FilmedTable, image: Image) -> None:
    rest(table, image)
    rest(table, shifted(image, 30, -14))
    health = table.health("zones")
    assert (health.state, health.counts) == ("ok", {"nudges": 1})
    assert "moved with it" in health.detail
    assert zones(table).discard == pytest.approx((530, 136, 260, 260), abs=4)
    assert zones(table).pick_up == pytest.approx((180, 136, 240, 260), abs=4)
    assert table.noticed == []
    table.now += 30
    assert table.health("zones").detail == ""


def test_a_layout_that_followed_is_kept_once_the_camera_is_at_rest(image: Image, tmp_path: Path) -> None:
    kept = tmp_path / "layout.json"
    kept.write_text(json.dumps(LAYOUT.to_json()), encoding="utf-8")
    with filmed(LAYOUT, kept) as table:
        rest(table, image)
        rest(table, shifted(image, 30, -14))
        assert table.health("zones").detail.endswith("moved with it.")
        assert Layout.read(kept) == LAYOUT
        table.now += 4
        assert "The next match" in table.health("zones").detail
        moved = Layout.read(kept)
        assert moved.discard == pytest.approx((530, 136, 260, 260), abs=4)
        assert (moved.seats, moved.size) == (LAYOUT.seats, (WIDE, HIGH))
        kept.unlink()
        table.health("zones")
        assert not kept.exists()  # written once


def test_a_layout_named_for_this_match_alone_is_not_kept_when_it_follows(image: Image, tmp_path: Path) -> None:
    kept = tmp_path / "layout.json"
    kept.write_text(json.dumps(Layout(seats={"B": 90.0}).to_json()), encoding="utf-8")
    with filmed(LAYOUT, kept) as table:
        rest(table, image)
        rest(table, shifted(image, 30, -14))
        table.now += 4
        assert table.health("zones").detail.endswith("moved with it.")
    assert Layout.read(kept).seats == {"B": 90.0}


def test_a_layout_that_cannot_be_kept_is_told(image: Image, tmp_path: Path) -> None:
    kept = tmp_path / "layouts" / "layout.json"
    with filmed(kept=kept) as table:
        rest(table, image)
        table.camera.lay_out(LAYOUT.to_json())
        rest(table, image)
        shutil.rmtree(kept.parent)
        kept.parent.write_text("in the way", encoding="utf-8")
        rest(table, shifted(image, 30, -14))
        assert table.health("zones").detail.endswith("moved with it.")
        table.now += 4
        health = table.health("zones")
    assert (health.state, "cannot be written" in health.detail) == ("ok", True)


def test_a_camera_moved_too_far_to_follow_is_told_until_the_zones_are_set(table: FilmedTable, image: Image) -> None:
    rest(table, image)
    away = shifted(image, 150, 90, 40)
    rest(table, away)
    assert (table.health("zones").state, "check the zones" in table.health("zones").detail) == ("waiting", True)
    table.now += 60
    assert table.health("zones").state == "waiting"
    table.camera.lay_out(LAYOUT.to_json())
    rest(table, away, 2)
    assert table.health("zones").state == "ok"


def test_a_lamp_that_is_switched_is_no_moved_camera(table: FilmedTable, image: Image) -> None:
    rest(table, image)
    rest(table, (image * 0.6).astype(np.uint8))
    assert (table.health("zones").state, table.health("zones").detail) == ("ok", "")


# The clocks


def test_a_wall_clock_that_jumps_matters_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = LiveClock()
    before = clock()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert clock() >= before
    monkeypatch.setattr(time, "time", lambda: 4e9)
    assert clock() - before < 1e6


def test_the_eyes_thread_ends_with_the_table(image: Image) -> None:
    with filmed() as table:
        table.show(image)
    assert not [thread for thread in threading.enumerate() if thread.name == "eye"]
