"""The host sets on the calibration page where piles and seats are: it holds at once, is kept, and nobody else may."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from referee.store.settings import layout_file
from tests.referee.conftest import Start
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import PHONE, SMALL, TABLET, Devices, serious
from tests.referee.filmed_table import HIGH, WIDE, FilmedTable, filmed, frames
from vision.layout.places import Layout
from vision.look.quads import Image

GOOD: dict[str, Any] = {"discard": [500, 150, 260, 260], "pick_up": [150, 150, 240, 260], "seats": {"A": 90, "B": 270}}


@pytest.fixture(scope="module")
def images() -> list[Image]:
    return [frame.image for frame in frames(3)]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "layouts" / "0.json"


@pytest.fixture
def camera(images: list[Image], kept: Path) -> Iterator[FilmedTable]:
    with filmed(kept=kept) as table:
        table.show(images[0])
        yield table


@pytest.fixture
def table(start: Start, camera: FilmedTable) -> LiveTable:
    return start(picture=camera.picture, seen=lambda: camera.picture.seen, viewfinder=camera.camera)


def calibrate(table: LiveTable, devices: Devices, size: dict[str, int] = TABLET, **more: Any) -> Page:
    page = devices.open(table.dashboard.url, size, **more)
    expect(page.locator("body")).to_have_attribute("data-role", "host")
    page.goto(table.dashboard.watch_url + "calibrate")
    expect(page.locator("#checks li")).to_have_count(4)
    return page


def spot(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where pixel x, y of the camera's picture is on the screen."""
    page.locator("#over").scroll_into_view_if_needed()
    box = page.locator("#over").bounding_box()
    assert box is not None
    return box["x"] + x * box["width"] / WIDE, box["y"] + y * box["height"] / HIGH


def drag(page: Page, from_: tuple[float, float], to: tuple[float, float]) -> None:
    page.mouse.move(*spot(page, *from_))
    page.mouse.down()
    page.mouse.move(*spot(page, *to), steps=4)
    page.mouse.up()


def saved(page: Page, kept: Path) -> Layout:
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#done")).to_contain_text("Saved")
    return Layout.read(kept)


# What is shown


def test_what_the_eye_sees_is_drawn_and_said(table: LiveTable, devices: Devices) -> None:
    page = calibrate(table, devices)
    expect(page.locator("#over text", has_text="Qh")).to_be_attached()
    expect(page.locator("#over .card.sure")).to_have_count(1)
    expect(page.locator("[data-check=card]")).to_contain_text("pixels high")
    expect(page.locator("#checks .bad")).to_have_count(0)


def test_what_spoils_the_picture_is_said_with_what_to_do(
    table: LiveTable, devices: Devices, camera: FilmedTable, images: list[Image]
) -> None:
    page = calibrate(table, devices)
    camera.show((images[0] * 0.2).astype("uint8"))
    expect(page.locator("[data-check=light]")).to_have_text("The table is dark: switch a lamp on.", timeout=20_000)


# Setting


def test_the_piles_are_found_dragged_and_kept_and_the_eye_uses_them_at_once(
    table: LiveTable, devices: Devices, camera: FilmedTable, images: list[Image], kept: Path
) -> None:
    page = calibrate(table, devices)
    page.get_by_role("button", name="Find the piles").click()
    expect(page.locator("#done")).to_contain_text("Both piles were found")
    first = saved(page, kept)
    assert first.discard is not None
    assert first.pick_up is not None
    x, y, width, height = first.discard
    drag(page, (x + width / 2, y + height / 2), (x + width / 2 + 24, y + height / 2 - 16))
    drag(page, (x + 24 + width, y - 16 + height), (x + 24 + width + 20, y - 16 + height + 12))
    second = saved(page, kept)
    assert second.discard == pytest.approx((x + 24, y - 16, width + 20, height + 12), abs=3)
    assert second.pick_up == first.pick_up
    camera.show(images[1])
    assert camera.camera.look()["layout"]["discard"] == list(second.discard or ())
    camera.show(images[2])
    assert camera.noticed == []  # the card that lies there was not played because somebody moved a zone


def test_a_seat_is_set_by_a_tap_and_turned_by_a_drag(table: LiveTable, devices: Devices, kept: Path) -> None:
    page = calibrate(table, devices, PHONE, has_touch=True)
    page.get_by_role("button", name="Bo not set").tap()
    page.touchscreen.tap(*spot(page, WIDE / 2, HIGH - 20))
    expect(page.get_by_role("button", name="Bo bottom, 270°")).to_be_visible()
    assert saved(page, kept).seats == {"B": 270.0}
    drag(page, (WIDE / 2, HIGH * 0.91), (60, HIGH / 2))
    assert saved(page, kept).seats == {"B": pytest.approx(180.0, abs=2)}


def test_everything_can_be_set_with_the_keyboard(table: LiveTable, devices: Devices, kept: Path) -> None:
    page = calibrate(table, devices)
    page.locator("[data-place=discard]").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Shift+ArrowRight"):
        page.keyboard.press(key)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Delete")
    page.locator("[data-place=A]").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Save").press("Enter")
    expect(page.locator("#done")).to_contain_text("Saved")
    layout = Layout.read(kept)
    assert layout.discard is not None
    assert layout.discard[2] == layout.discard[3] + 10
    assert layout.pick_up is None
    assert layout.seats == {"A": 95.0}


def test_changes_can_be_undone_before_they_are_saved(table: LiveTable, devices: Devices, kept: Path) -> None:
    page = calibrate(table, devices)
    page.locator("[data-place=A]").press("ArrowUp")
    page.get_by_role("button", name="Undo changes").click()
    expect(page.get_by_role("button", name="Ana not set")).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    assert not kept.exists()


def test_a_kept_layout_is_used_the_next_time(images: list[Image], kept: Path) -> None:
    with filmed(kept=kept) as first:
        first.show(images[0])
        first.camera.lay_out(GOOD)
    with filmed(Layout.read(kept)) as second:
        second.show(images[1])
        assert {**second.camera.look()["layout"], "size": None} == {**GOOD, "size": None}


def test_a_camera_that_gives_a_larger_picture_next_time_keeps_its_layout(images: list[Image], kept: Path) -> None:
    half = Layout((250, 75, 130, 130), None, {"A": 90.0}, (480, 270))
    with filmed(half) as table:
        table.show(images[0])
        assert table.camera.look()["layout"]["discard"] == [500, 150, 260, 260]


def test_every_camera_has_a_layout_of_its_own_and_no_name_leads_out_of_the_folder() -> None:
    names = ["0", "1", "phone", "rtsp://me:secret@cam/1", "../../etc/passwd", "http://cam/2"]
    files = [layout_file(name) for name in names]
    assert len(set(files)) == len(names)
    assert len({file.parent for file in files}) == 1
    assert not any("secret" in str(file) for file in files)


# Who may, and what


@pytest.fixture
def web(table: LiveTable) -> Iterator[httpx.Client]:
    origin = table.dashboard.watch_url.rstrip("/")
    with httpx.Client(base_url=origin, headers={"origin": origin}, trust_env=False, timeout=60) as client:
        yield client


@pytest.mark.parametrize("who", ["spectator", "?", "B"])
def test_only_the_host_may_set_it(table: LiveTable, web: httpx.Client, kept: Path, who: str) -> None:
    if who != "spectator":
        web.post("/join", json={"code": table.dashboard.code, "seat": who})
    assert web.post("/calibration.json", json=GOOD).status_code == 403
    assert not kept.exists()
    told = web.get("/calibration.json")
    assert told.status_code == (403 if who == "spectator" else 200)
    assert not told.json().get("mine")


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"origin": ""}])
def test_another_site_cannot_set_it(table: LiveTable, web: httpx.Client, kept: Path, headers: dict[str, str]) -> None:
    web.post("/enter", json={"token": table.dashboard.token})
    assert web.post("/calibration.json", json=GOOD, headers=headers).status_code == 403
    assert not kept.exists()


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        pytest.param({"discard": [900, 150, 260, 260]}, "does not lie in the picture", id="outside"),
        pytest.param({"discard": [-1, 150, 260, 260]}, "does not lie in the picture", id="negative"),
        pytest.param({"discard": [500, 150, 10, 260]}, "only 10 x 260", id="too-small"),
        pytest.param({"pick_up": [1, 2, 3]}, "where things are", id="three-numbers"),
        pytest.param({"pick_up": ["a", 2, 3, 4]}, "where things are", id="no-number"),
        pytest.param({"pick_up": [1e999, 2, 3, 4]}, "did not understand", id="infinite"),
        pytest.param({"size": [0, 0]}, "where things are", id="no-size"),
        pytest.param({"size": [1280, -720]}, "where things are", id="negative-size"),
        pytest.param({"seats": {"A": "nan"}}, "where things are", id="no-angle"),
        pytest.param({"seats": {"Q": 90}}, "seat Q", id="no-such-seat"),
        pytest.param({"seats": [1]}, "where things are", id="no-seats"),
        pytest.param({"path": "/etc/passwd"}, "did not understand", id="unknown"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(
    table: LiveTable, web: httpx.Client, kept: Path, camera: FilmedTable, changed: dict[str, Any], why: str
) -> None:
    web.post("/enter", json={"token": table.dashboard.token})
    body = json.dumps({**GOOD, **changed}).replace("Infinity", "1e999")
    answer = web.post("/calibration.json", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert why in answer.json()["error"]
    assert not kept.exists()
    assert camera.camera.look()["layout"]["pick_up"] is None


def test_a_folder_that_cannot_be_written_is_told_and_the_layout_holds(
    table: LiveTable, web: httpx.Client, camera: FilmedTable, kept: Path
) -> None:
    kept.parent.write_text("in the way")
    web.post("/enter", json={"token": table.dashboard.token})
    assert "cannot be written" in web.post("/calibration.json", json=GOOD).json()["error"]
    assert camera.camera.look()["layout"]["discard"] == GOOD["discard"]


# For every eye and thumb


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_it_is_for_every_eye_and_thumb(table: LiveTable, devices: Devices, size: dict[str, int], scheme: str) -> None:
    page = calibrate(table, devices, size, color_scheme=scheme, bypass_csp=True)
    page.locator("[data-place=discard]").click()
    page.locator("[data-place=A]").press("ArrowUp")
    assert serious(page) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
